/** Index rows of proposals are compared by sums first: nothing may be missed, and nothing made up. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { idBytes } from "../../../src/base/id.ts";
import { checkRules } from "../../../src/rules/evaluation/check_rules.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { lastIdOf } from "../../../src/platform/store/id_keys.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import type { StoredBrief } from "../../../src/rules/proposals/proposal_brief.ts";
import { decided, openProposal } from "../../../src/rules/proposals/proposal.ts";
import {
  addProposal,
  saveDecision,
  walkProposalIndexes,
  walkProposals,
} from "../../../src/rules/proposals/proposal_store.ts";
import { openTestWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { damage, damages } from "../../catalogue/damaged_rows.ts";
import { extent } from "../../proof.ts";

const TABLES = ["pr", "prs", "prr", "prp", "pru"];

/** Proposals of two rules for three products, half of them decided. */
async function fill(ctx: Context): Promise<void> {
  const rules = [ctx.newId(), ctx.newId()];
  const products = [ctx.newId(), ctx.newId(), ctx.newId()];
  for (let n = 0; n < 8; n++) {
    const proposal = openProposal({
      id: ctx.newId(),
      rule: { id: rules[n % 2]!, name: "Rule" },
      product: { id: products[n % 3]!, sku: `SKU-${n % 3}`, title: "T", currency: "EUR" },
      currentCents: 1_000,
      proposedCents: 900,
      reason: "r",
      marketThen: null,
      now: ctx.now(),
    });
    await transact(ctx, (write) => {
      addProposal(write, ctx.workspaceId, proposal, null);
      return Promise.resolve();
    });
    if (n % 2 === 0) continue;
    const after = decided(proposal, "rejected", ctx.actor, ctx.now());
    await transact(ctx, (write) => {
      saveDecision(write, ctx.workspaceId, proposal, after);
      return Promise.resolve();
    });
  }
}

/** By a look at each row, all of them in memory. */
async function expectedFindings(ctx: Context): Promise<string[]> {
  const expected = new Set<string>();
  for await (const { id, ruleId, productId, status } of walkProposals(ctx)) {
    for (const row of [`prs ${status}`, `prr ${ruleId}`, `prp ${productId}`]) {
      expected.add(`${row} ${id}`);
    }
    if (status === "open") expected.add(`pru ${ruleId} ${id}`);
  }
  const findings: string[] = [];
  for await (const row of walkProposalIndexes(ctx)) {
    if (!expected.delete(row)) findings.push(`The index row "${row}" has no proposal`);
  }
  for (const row of expected) findings.push(`A proposal lacks the index row "${row}"`);
  return findings.sort();
}

const RUNS = extent(500, 20);

Deno.test("checkRules() names every index row of proposals that is missing or too many, and no other", async () => {
  let findings = 0;
  await fc.assert(
    fc.asyncProperty(damages, async (list) => {
      using workspace = await openTestWorkspace();
      const { ctx } = workspace;
      await fill(ctx);
      await damage(ctx, TABLES, list);
      const found = await Array.fromAsync(checkRules(ctx.store, ctx.workspaceId));
      const ofRows = found.filter((finding) => finding.includes("index row")).sort();
      assertEquals(ofRows, await expectedFindings(ctx));
      findings += ofRows.length;
    }),
    { numRuns: RUNS },
  );
  ok(findings > RUNS / 2, `${findings} findings`);
});

Deno.test("checkRules() names an open proposal of which its list tells otherwise", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  await fill(ctx);
  const { kv } = ctx.store;
  const prefix = ["prs", idBytes(ctx.workspaceId), "open"];
  const [first] = await Array.fromAsync(kv.list<StoredBrief>({ prefix }, { limit: 1 }));
  ok(first);
  await kv.set(first.key, { ...first.value, heldUntil: "2026-03-03T09:00:00.000Z" });
  const found = await Array.fromAsync(checkRules(ctx.store, ctx.workspaceId));
  const id = lastIdOf(first.key);
  assertEquals(
    found.filter((finding) => finding.includes("otherwise")),
    [`The list of open proposals tells otherwise of ${id}`],
  );
});
