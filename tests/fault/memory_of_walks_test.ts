import { ok } from "node:assert/strict";
import { stdout } from "node:process";
import { findDisagreements } from "../../src/app/commands/check_store.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { opened } from "../../src/rules/proposals/proposal.ts";
import { saveProposal } from "../../src/rules/proposals/proposal_store.ts";
import { exportWorkspace } from "../../src/app/workspace_files/export_workspace.ts";
import { applianceOf, inCommits, seedPriceMoves, seedProducts } from "../bench/seed_catalogue.ts";
import { openTestWorkspace } from "../catalogue/catalogue_workspace.ts";
import { HeapWatch } from "../collected_heap.ts";
import { extent, IS_LONG } from "../proof.ts";
import { watchedStore } from "../watched_store.ts";

const FEW = extent(20_000, 200);
const MANY = 4 * FEW;
/**
 * Allowed difference of memory between few and many products. Code that keeps all ids (long test
 * runs) or all products (short ones) exceeds it.
 */
const SLACK_BYTES = extent(1_500_000, 150_000);

async function fill(ctx: Context, count: number): Promise<void> {
  const products = Array.from({ length: count }, (_, n) => applianceOf(ctx, n));
  await seedProducts(ctx, count, (n) => products[n]!);
  const updatedAt = new Date(ctx.now().getTime() + 1_000).toISOString();
  const moved = { ourPriceCents: 5, updatedAt, ourPriceUpdatedAt: updatedAt };
  await seedPriceMoves(ctx, products, (product) => ({ ...product, ...moved }));
  const rule = { ruleId: ctx.newId(), ruleName: "Rule" };
  const prices = { currentCents: 5, proposedCents: 4, reason: "r", marketThen: null };
  await inCommits(ctx, products, (write, { id: productId, sku, title: productTitle, currency }) => {
    const ofProduct = { productId, sku, productTitle, currency, units30d: null };
    const proposal = { ...opened(ctx.newId(), ctx.now()), ...rule, ...ofProduct, ...prices };
    saveProposal(write, ctx.workspaceId, null, { ...proposal, status: "rejected" });
  });
}

const WALKS: Readonly<Record<string, (ctx: Context, step: () => void) => Promise<void>>> = {
  async "check-store"({ store }, step) {
    const reading = (name: string) => void (name === "list" && step());
    for await (const finding of findDisagreements(watchedStore(store, { reading }))) {
      ok(/belongs to the unknown rule/.test(finding), finding);
    }
  },
  async "workspace export"(ctx, step) {
    for await (const _line of exportWorkspace(ctx)) step();
  },
};

async function mostBytes(count: number): Promise<ReadonlyMap<string, number>> {
  using ctx = await openTestWorkspace();
  await fill(ctx, count);
  const most = new Map<string, number>();
  for (const [name, walk] of Object.entries(WALKS)) {
    let steps = 0;
    if (!IS_LONG) await walk(ctx, () => void steps++);
    // Short test runs measure only at the last step, where growing memory is largest.
    const watch = new HeapWatch(IS_LONG ? {} : { firstLook: steps, stride: Infinity });
    let left = steps;
    await walk(ctx, () => {
      left--;
      watch.step();
    });
    ok(IS_LONG || left === 0, `${name}: ${left} of ${steps} steps were left out`);
    most.set(name, watch.mostBytes);
  }
  return most;
}

Deno.test(`check-store and a workspace's export need as little memory for ${MANY} products as for ${FEW}`, async () => {
  // The first call loads code, which costs memory. Short test runs have loaded the code while
  // counting steps.
  if (IS_LONG) await mostBytes(100);
  const few = await mostBytes(FEW);
  const many = await mostBytes(MANY);
  for (const name of Object.keys(WALKS)) {
    const more = (many.get(name) ?? Infinity) - (few.get(name) ?? 0);
    stdout.write(`${name}: ${few.get(name)} bytes of ${FEW}, ${more} more of ${MANY}\n`);
    ok(more < SLACK_BYTES, `${name}: ${more} bytes more`);
  }
});
