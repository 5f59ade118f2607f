import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { checkRules } from "../check_rules.ts";
import { bodyOf } from "../../api/answers.ts";
import {
  addProduct,
  addProducts,
  addRule,
  priceOf,
  proposals,
  propose,
  push,
  pushJudged,
  statuses,
  untilJudged,
} from "../evaluation/market.ts";
import { type TestApp, withApp } from "../../harness.ts";

interface Accepted {
  readonly id: string;
  readonly ruleId: string;
  readonly productId: string;
}

/** Adds a product at 100.00 and accepts its proposal of 90.00. */
async function accept(app: TestApp, rule: Record<string, unknown> = {}): Promise<Accepted> {
  const made = await propose(app, { marginFloor: null, ...rule });
  await bodyOf(app.manager.post(`/api/proposals/${made.id}/approve`), 200);
  await untilJudged(app);
  app.clock.advance(60_000);
  return made;
}

const undo = (app: TestApp, { id }: Accepted, body = {}) =>
  bodyOf(app.manager.post(`/api/proposals/${id}/rollback`, body), 200);
const openOnes = (app: TestApp) => proposals(app.owner, "status=open");

withApp.test("undoing an acceptance reopens the proposal, even within the cooldown", async (app) => {
  const accepted = await accept(app);
  const { reopened, status } = await undo(app, accepted);
  const [open, ...others] = await openOnes(app);
  assertEquals(status, "rolled_back");
  assertEquals(reopened, {
    outcome: "open",
    proposalId: open?.id,
    proposedCents: 9_000,
    currency: "EUR",
    closedBy: null,
  });
  const shown = await bodyOf(app.viewer.get(`/api/proposals/${open?.id}`), 200);
  assertEquals(
    [shown.reopenedFrom, shown.currentCents, shown.proposedCents, shown.createdAt, others],
    [accepted.id, 10_000, 9_000, app.clock.now().toISOString(), []],
  );
  // The rules are evaluated after the price change, and propose the same price again.
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["rolled_back", 9_000], ["open", 9_000]]);
  await bodyOf(app.manager.post(`/api/proposals/${open?.id}/approve`), 200);
  assertEquals(await priceOf(app.owner, accepted.productId), 9_000);
  await untilJudged(app);
  assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
});

for (const cooldownMinutes of [0, 60]) {
  withApp.test(`if the market has moved, an undo reopens the proposal with the current price (cooldown ${cooldownMinutes} minutes)`, async (app) => {
    const accepted = await accept(app, { cooldownMinutes });
    await pushJudged(app, [["A", "acme", 88]]);
    // Without a cooldown, the rule has already proposed 88.00 for the accepted price.
    assertEquals((await openOnes(app)).length, cooldownMinutes === 0 ? 1 : 0);
    const { reopened } = await undo(app, accepted);
    const [open, ...others] = await openOnes(app);
    assertEquals(
      [reopened.outcome, reopened.proposedCents, reopened.proposalId, others],
      ["other_price", 8_800, open?.id, []],
    );
    await untilJudged(app);
    assertEquals((await openOnes(app)).map(({ id, currentCents }) => [id, currentCents]), [
      [open?.id, 10_000],
    ]);
    assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
  });
}

/**
 * For each code that explains why the proposal stays closed after the undo: the change that causes
 * this code.
 */
const CLOSED: Record<string, (app: TestApp, accepted: Accepted) => Promise<unknown>> = {
  rule_off: (app, { ruleId }) =>
    bodyOf(app.owner.patch(`/api/rules/${ruleId}`, { enabled: false }), 200),
  rule_deleted: (app, { ruleId }) => bodyOf(app.owner.delete(`/api/rules/${ruleId}`), 200),
  no_longer_fires: (app) => push(app, [["A", "acme", 110]]),
  price_locked: (app, { productId }) =>
    bodyOf(app.owner.patch(`/api/products/${productId}`, { priceLocked: true }), 200),
  outranked: (app) =>
    addRule(app.owner, {
      name: "First",
      priority: 1,
      marginFloor: { pct: 40 },
      cooldownMinutes: 60,
    }),
};

for (const [code, happens] of Object.entries(CLOSED)) {
  withApp.test(`a proposal whose facts have changed stays closed after an undo, with the code ${code}`, async (app) => {
    const accepted = await accept(app, { priority: 2 });
    await happens(app, accepted);
    await untilJudged(app);
    const { reopened } = await undo(app, accepted, { reason: "Accepted by mistake" });
    assertEquals(reopened, {
      outcome: "closed",
      proposalId: null,
      proposedCents: null,
      currency: "EUR",
      closedBy: code,
    });
    assertEquals(await priceOf(app.owner, accepted.productId), 10_000);
    await untilJudged(app);
    const open = await openOnes(app);
    // If another rule takes precedence, only that rule proposes a price.
    assertEquals(
      open.map(({ ruleId }) => ruleId === accepted.ruleId),
      code === "outranked" ? [false] : [],
    );
    const log = await bodyOf(
      app.owner.get(`/api/audit-logs?resource=proposal:${accepted.id}`),
      200,
    );
    const row = log.items.find(({ action }: { action: string }) => action === "proposal.rollback");
    assertEquals([row.after.closedBy, row.after.reopenedId], [code, undefined]);
  });
}

withApp.test("undoing a counter-price opens the proposed price again", async (app) => {
  const proposal = await propose(app);
  const body = { price: 95 };
  await bodyOf(app.manager.post(`/api/proposals/${proposal.id}/approve`, body), 200);
  app.clock.advance(60_000);
  const answer = await bodyOf(app.manager.post(`/api/proposals/${proposal.id}/rollback`), 200);
  assertEquals([answer.reopened.outcome, answer.reopened.proposedCents], ["open", 9_000]);
});

withApp.test("POST /api/proposals/bulk reports the outcome of each undone acceptance", async (app) => {
  await addRule(app.owner, { cooldownMinutes: 60 });
  const skus = ["A", "B", "C"];
  await addProducts(app, skus.map((sku) => ({ sku })));
  await pushJudged(app, skus.map((sku) => [sku, "acme", 90]));
  const bySku = async () => (await openOnes(app)).toSorted((a, b) => a.sku < b.sku ? -1 : 1);
  const ids = (await bySku()).map(({ id }) => id);
  const bulk = (action: string) =>
    bodyOf(app.manager.post("/api/proposals/bulk", { action, ids }), 200);
  await bulk("approve");
  app.clock.advance(HOUR_MS / 2);
  await pushJudged(app, [["B", "acme", 88], ["C", "acme", 110]]);
  const { results } = await bulk("rollback");
  const open = await bySku();
  const told = results.map((
    { id, ok, proposalId, reopened }: Record<string, unknown> & {
      reopened: Record<string, unknown>;
    },
  ) => [id, ok, proposalId, reopened.outcome, reopened.proposedCents, reopened.closedBy]);
  assertEquals(told, [
    [ids[0], true, open[0]?.id, "open", 9_000, null],
    [ids[1], true, open[1]?.id, "other_price", 8_800, null],
    [ids[2], true, undefined, "closed", null, "no_longer_fires"],
  ]);
  await untilJudged(app);
  assertEquals((await bySku()).map(({ proposedCents }) => proposedCents), [9_000, 8_800]);
  assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
});

withApp.test("a price that a rule set automatically becomes a proposal when a person undoes it", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { autoApply: true }), 200);
  await addRule(app.owner, {
    marginFloor: { pct: 10 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 20 }],
  });
  const productId = await addProduct(app.owner, "A");
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 90]]);
  const [applied] = await proposals(app.owner, "status=applied");
  app.clock.advance(60_000);
  const path = `/api/proposals/${applied?.id}/rollback`;
  const { reopened } = await bodyOf(app.manager.post(path), 200);
  await untilJudged(app);
  assertEquals([reopened.outcome, await priceOf(app.owner, productId)], ["open", 10_000]);
  assertEquals((await openOnes(app)).map(({ id }) => id), [reopened.proposalId]);
});
