import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { auditRows } from "../../../src/accounts/audit/audit_store.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { walkPriceRows } from "../../../src/catalogue/prices/price_rows.ts";
import { type OutboxListener, relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { proposalTable } from "../../../src/rules/proposals/proposal_store.ts";
import { relaySetup } from "../../platform/events/outbox.ts";
import { afterApp } from "../evaluation/market.ts";
import { assertWhole, opened, workAndKill } from "../killed_work.ts";
import { openMarketCache } from "../../market/market_reader.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import { type Action, actionOf, ACTIONS } from "./actions.ts";

const KILLS = extent(20, 1);
const EACH = extent(60, 4);

async function prepare(store: Store): Promise<Context> {
  const { ctx } = await afterApp({ store }, async (app) => {
    const skus = Array.from({ length: EACH * ACTIONS.length }, (_, n) => `SKU-${n}`);
    await app.addProducts(skus.map((sku) => ({ sku })));
    await app.addRule({ marginFloor: { pct: 10 } });
    await app.push(skus.map((sku) => [sku, "acme", 90]));
    return {};
  });
  return ctx;
}

/** What each action must leave behind: statuses, prices, events and audit rows. */
const EXPECTED: Record<Action, readonly string[]> = {
  "approve": ["applied", "price 9000", "decided applied", "audit approve now"],
  "reject": ["rejected", "decided rejected", "audit reject"],
  "later": ["open later", "audit later"],
  "reopen": [
    ...["rejected", "open reopened", "decided rejected", "created"],
    ...["audit reject", "audit reopen"],
  ],
  "rollback": [
    ...["rolled_back", "price 9000", "price 10000", "decided applied", "decided rolled_back"],
    ...["open reopened", "created", "audit approve", "audit rollback"],
  ],
};

inFolder.test(`decisions that are killed ${KILLS} times are each complete and reported once`, async (folder) => {
  const dataDir = folder.path;
  const scene = await opened(dataDir, prepare);
  const now = scene.now();
  const until = new Date(now.getTime() + DAY_MS).toISOString();
  await workAndKill({
    child: new URL("crash_child.ts", import.meta.url),
    dataDir,
    args: [scene.workspaceId, now.toISOString(), until],
    kills: KILLS,
    ended: (store) => requireSound({ ...scene, store }),
  });
  await opened(dataDir, async (store) => {
    assertEquals(await told({ ...scene, store }), await expected({ ...scene, store }));
  });
});

/** Requires that each decision was made completely or not at all. */
async function requireSound(ctx: Context): Promise<void> {
  await assertWhole(ctx);
  const proposals = (await proposalTable.list(ctx)).map(({ row }) => row);
  const open = proposals.filter(({ status }) => status === "open");
  const market = openMarketCache();
  const { table } = await market.read(ctx);
  const inMarket = Array.from({ length: table.rows }, (_, row) => table.proposalOf(row)?.id ?? "");
  assertEquals(inMarket.filter((id) => id !== "").sort(), open.map(({ id }) => id).sort());
  for (const { status, appliedCents, productId } of proposals) {
    const ours = table.number("ourCents", table.rowOf(productId) ?? -1);
    const wasApplied = status === "applied" || status === "rolled_back";
    assertEquals(ours, status === "applied" ? 9_000 : 10_000);
    assertEquals(appliedCents ?? null, wasApplied ? 9_000 : null);
  }
  await market.close();
}

/** Returns stored facts and handled events as texts, such as `SKU-1 price 9000`. */
async function told(ctx: Context): Promise<string[]> {
  const facts: string[] = [];
  const skus = new Map<string, string>();
  for (const { row: proposal } of await proposalTable.list(ctx)) {
    skus.set(proposal.productId, proposal.sku);
    const { sku, status, heldUntil, reopenedFrom } = proposal;
    facts.push(
      [sku, status, heldUntil && "later", reopenedFrom && "reopened"].filter(Boolean).join(" "),
    );
  }
  for await (const { productId, change } of walkPriceRows(ctx)) {
    const isDecided = change.source === "proposal" || change.source === "rollback";
    if (isDecided) facts.push(`${skus.get(productId)} price ${change.toCents}`);
  }
  for (const { row: { action, resource, reason } } of await auditRows.list(ctx)) {
    if (resource.type !== "proposal") continue;
    const verb = action.slice("proposal.".length);
    facts.push([resource.label, "audit", verb, ...(reason ? [reason] : [])].join(" "));
  }
  for (const [fact, count] of await heard(ctx)) {
    for (let n = 0; n < count; n++) facts.push(fact);
  }
  return facts.sort();
}

async function heard({ store }: Context): Promise<Map<string, number>> {
  const counting: OutboxListener = {
    handle(write, _ctx, { event }) {
      const { type, data } = event;
      if (type === "proposal.decided") {
        write.sum(["heard", `${data.sku} decided ${data.status}`], 1);
      }
      if (type === "proposal.created") write.sum(["heard", `${data.sku} created`], 1);
      if (type === "price.changed") write.sum(["heard", `${data.sku} price ${data.toCents}`], 1);
      return Promise.resolve();
    },
  };
  await relayOutbox(relaySetup(store, createTestClock(), [counting]));
  const rows = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["heard"] }));
  return new Map(rows.map(({ key, value }) => [String(key[1]), Number(value.value)]));
}

async function expected(ctx: Context): Promise<string[]> {
  const skus = new Set((await proposalTable.list(ctx)).map(({ row }) => row.sku));
  const facts = [...skus].flatMap((sku) =>
    EXPECTED[actionOf({ sku })].flatMap((fact) => {
      const line = `${sku} ${fact}`;
      // A price is reported twice: by the price history and by an event.
      return fact.startsWith("price ") ? [line, line] : [line];
    })
  );
  assertEquals(skus.size, EACH * ACTIONS.length);
  return facts.sort();
}
