import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { expireProposals } from "../../../src/rules/undo_decisions.ts";
import { bodyOf, refusalOf, refuses } from "../../api/answers.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { checkRules } from "../check_rules.ts";
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

interface Accepted {
  readonly id: string;
  readonly ruleId: string;
  readonly productId: string;
}

/** Adds a product at 100.00 and accepts its proposal of 90.00. */
async function accept(app: TestApp, rule: Record<string, unknown> = {}): Promise<Accepted> {
  const made = await propose(app, { marginFloor: null, ...rule });
  await app.manager.act(`/api/proposals/${made.id}/approve`);
  await untilJudged(app);
  app.clock.advance(60_000);
  return made;
}

const undo = (app: TestApp, { id }: Accepted, body = {}) =>
  app.manager.act(`/api/proposals/${id}/rollback`, body);
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
  const shown = await app.viewer.read(`/api/proposals/${open?.id}`);
  assertEquals(
    [shown.reopenedFrom, shown.currentCents, shown.proposedCents, shown.createdAt, others],
    [accepted.id, 10_000, 9_000, app.clock.now().toISOString(), []],
  );
  // The rules are evaluated after the price change, and propose the same price again.
  await untilJudged(app);
  assertEquals(await statuses(app.owner), [["rolled_back", 9_000], ["open", 9_000]]);
  await app.manager.act(`/api/proposals/${open?.id}/approve`);
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
  rule_off: (app, { ruleId }) => app.owner.change(`/api/rules/${ruleId}`, { enabled: false }),
  rule_deleted: (app, { ruleId }) => app.owner.remove(`/api/rules/${ruleId}`),
  no_longer_fires: (app) => push(app, [["A", "acme", 110]]),
  price_locked: (app, { productId }) =>
    app.owner.change(`/api/products/${productId}`, { priceLocked: true }),
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
    const log = await app.owner.read(`/api/audit-logs?resource=proposal:${accepted.id}`);
    const row = log.items.find(({ action }: { action: string }) => action === "proposal.rollback");
    assertEquals([row.after.closedBy, row.after.reopenedId], [code, undefined]);
  });
}

withApp.test("undoing a counter-price opens the proposed price again", async (app) => {
  const proposal = await propose(app);
  const body = { price: 95 };
  await app.manager.act(`/api/proposals/${proposal.id}/approve`, body);
  app.clock.advance(60_000);
  const answer = await app.manager.act(`/api/proposals/${proposal.id}/rollback`);
  assertEquals([answer.reopened.outcome, answer.reopened.proposedCents], ["open", 9_000]);
});

withApp.test("POST /api/proposals/bulk reports the outcome of each undone acceptance", async (app) => {
  await addRule(app.owner, { cooldownMinutes: 60 });
  const skus = ["A", "B", "C"];
  await addProducts(app, skus.map((sku) => ({ sku })));
  await pushJudged(app, skus.map((sku) => [sku, "acme", 90]));
  const bySku = async () => (await openOnes(app)).toSorted((a, b) => a.sku < b.sku ? -1 : 1);
  const ids = (await bySku()).map(({ id }) => id);
  const bulk = (action: string) => app.manager.act("/api/proposals/bulk", { action, ids });
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
  await app.owner.change("/api/settings", { autoApply: true });
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
  const { reopened } = await app.manager.act(path);
  await untilJudged(app);
  assertEquals([reopened.outcome, await priceOf(app.owner, productId)], ["open", 10_000]);
  assertEquals((await openOnes(app)).map(({ id }) => id), [reopened.proposalId]);
});

const inTime = (app: TestApp, ms: number) => new Date(app.clock.now().getTime() + ms).toISOString();
const putOff = (app: TestApp, id: string, until: unknown) =>
  app.manager.post(`/api/proposals/${id}/later`, { until });
const reopen = (app: TestApp, id: string) => app.manager.post(`/api/proposals/${id}/reopen`);
const listed = async (app: TestApp, query: string) =>
  (await proposals(app.owner, query)).map(({ id }) => id);

withApp.test("POST /api/proposals/{id}/later defers an open proposal until a time", async (app) => {
  const { id } = await propose(app);
  const until = inTime(app, DAY_MS);
  const held = await bodyOf(putOff(app, id, until), 200);
  assertEquals([held.status, held.heldUntil], ["open", until]);
  assertEquals([await listed(app, "later=false"), await listed(app, "later=true")], [[], [id]]);
  assertEquals(await listed(app, "status=open"), [id]);
  assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
  app.clock.advance(DAY_MS);
  assertEquals([await listed(app, "later=false"), await listed(app, "later=true")], [[id], []]);
  const log = await app.owner.read(`/api/audit-logs?resource=proposal:${id}`);
  assertEquals(
    log.items.map(({ action, after }: { action: string; after: unknown }) => [action, after]),
    [["proposal.later", { until }]],
  );
});

withApp.test("a proposal deferred beyond its expiry stays open for a day when it returns", async (app) => {
  const { id } = await propose(app);
  app.clock.advance(6 * DAY_MS);
  const held = await bodyOf(putOff(app, id, inTime(app, 3 * DAY_MS)), 200);
  assertEquals(held.expiresAt, inTime(app, 4 * DAY_MS));
  app.clock.advance(3 * DAY_MS);
  assertEquals(await expireProposals(app.store, app.app.clock), 0);
  assertEquals(await listed(app, "later=false"), [id]);
  app.clock.advance(DAY_MS);
  assertEquals(await expireProposals(app.store, app.app.clock), 1);
  assertEquals(await statuses(app.owner), [["expired", 9_000]]);
  assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
});

withApp.test("a proposal cannot be deferred until now, or for more than 30 days", async (app) => {
  const { id } = await propose(app);
  for (const until of [inTime(app, 0), inTime(app, 31 * DAY_MS), "tomorrow", undefined]) {
    await refuses(putOff(app, id, until), "validation_failed", until);
  }
});

withApp.test("a decided proposal cannot be deferred, and a deferred one can be decided", async (app) => {
  const { id, productId } = await propose(app);
  await bodyOf(putOff(app, id, inTime(app, DAY_MS)), 200);
  await app.manager.act(`/api/proposals/${id}/approve`);
  assertEquals(await priceOf(app.owner, productId), 9_000);
  await refuses(putOff(app, id, null), "conflict");
});

withApp.test("a newer price is proposed at once even if the older one was deferred", async (app) => {
  const { id } = await propose(app, { cooldownMinutes: 0 });
  await bodyOf(putOff(app, id, inTime(app, DAY_MS)), 200);
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 88]]);
  assertEquals(await statuses(app.owner, "later=false"), [["open", 8_800]]);
  assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
});

withApp.test("POST /api/proposals/{id}/reopen makes a rejected price a new open proposal", async (app) => {
  const { id, productId } = await propose(app);
  const body = { reason: "warten auf Lieferung" };
  const rejected = await app.manager.act(`/api/proposals/${id}/reject`, body);
  assertEquals(rejected.decisionReason, "warten auf Lieferung");
  app.clock.advance(HOUR_MS);
  const open = await bodyOf(reopen(app, id), 200);
  assertEquals(
    [open.status, open.reopenedFrom, open.proposedCents, open.decidedAt, open.decisionReason],
    ["open", id, 9_000, null, null],
  );
  assertEquals([open.createdAt, open.expiresAt], [inTime(app, 0), inTime(app, 7 * DAY_MS)]);
  assertEquals(open.trace, rejected.trace);
  assertEquals(await statuses(app.owner), [["rejected", 9_000], ["open", 9_000]]);
  const log = await app.owner.read("/api/audit-logs?resource=proposal");
  const rows = log.items.map((
    row: { action: string; reason?: string },
  ) => [row.action, row.reason]);
  assertEquals(
    rows.toSorted(),
    [["proposal.reject", "warten auf Lieferung"], ["proposal.reopen", undefined]],
  );
  const again = await refusalOf(reopen(app, id));
  assertEquals(again.details, { guard: "other_open", proposalId: open.id });
  await app.manager.act(`/api/proposals/${open.id}/approve`);
  assertEquals(await priceOf(app.owner, productId), 9_000);
  await untilJudged(app);
  assertEquals(await Array.fromAsync(checkRules(app.store, app.workspaceId)), []);
});

withApp.test("only one of many simultaneous reopenings of a proposal has an effect", async (app) => {
  const { id } = await propose(app);
  await app.manager.act(`/api/proposals/${id}/reject`);
  const answers = await Promise.all(Array.from({ length: 12 }, () => reopen(app, id)));
  const counts = Map.groupBy(answers, ({ status }) => status);
  for (const { body } of answers) await body?.cancel();
  assertEquals([counts.get(200)?.length, counts.get(409)?.length], [1, 11]);
  assertEquals((await proposals(app.owner, "status=open")).length, 1);
});

withApp.test("a price that is no longer allowed cannot be reopened", async (app) => {
  const { id, productId } = await propose(app);
  await refuses(reopen(app, id), "conflict");
  await app.manager.act(`/api/proposals/${id}/reject`);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 99 });
  await untilJudged(app);
  for (const open of await proposals(app.owner, "status=open")) {
    await app.manager.act(`/api/proposals/${open.id}/reject`);
  }
  assertEquals((await refusalOf(reopen(app, id))).details, { guard: "price_changed" });
  app.clock.advance(49 * HOUR_MS);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 100 });
  await untilJudged(app);
  assertEquals((await refusalOf(reopen(app, id))).details, { guard: "stale_reference" });
});

withApp.test("POST /api/proposals/bulk defers, rejects with a reason, and reopens rejected proposals", async (app) => {
  await addRule(app.owner);
  const skus = ["A", "B", "C"];
  await addProducts(app, skus.map((sku) => ({ sku })));
  await pushJudged(app, skus.map((sku) => [sku, "acme", 90]));
  const ids = await listed(app, "status=open");
  const bulk = (body: unknown) => app.manager.post("/api/proposals/bulk", body);
  const until = inTime(app, DAY_MS);
  await bodyOf(bulk({ action: "later", ids, until }), 200);
  assertEquals((await listed(app, "later=true")).length, 3);
  await bodyOf(bulk({ action: "later", ids, until: null }), 200);
  assertEquals(await listed(app, "later=false"), ids);
  await bodyOf(bulk({ action: "reject", ids, reason: "Messe" }), 200);
  const { results } = await bodyOf(bulk({ action: "reopen", ids }), 200);
  assertEquals(results.map(({ ok }: { ok: boolean }) => ok), [true, true, true]);
  const open = await listed(app, "status=open");
  assertEquals(results.map(({ proposalId }: { proposalId: string }) => proposalId), open);
  for (
    const [unfit, path] of [
      [{ action: "later", ids }, "until"],
      [{ action: "reject", ids, until }, "until"],
      [{ action: "reject" }, "ids"],
      [{ action: "reject", ids, filter: {} }, "ids"],
      [{ action: "reopen", filter: {} }, "filter"],
      [{ action: "reject", ids, cursor: "x" }, "cursor"],
    ] as const
  ) {
    const fields = (await refusalOf(bulk(unfit))).details?.fields;
    ok(Array.isArray(fields));
    assertEquals(fields[0].path, path);
  }
});

withApp.test("a price that returns has the rejection before it, until a price is set", async (app) => {
  const { id, productId } = await propose(app);
  const rejectedBefore = async () =>
    (await app.owner.read("/api/proposals?status=open")).items[0]?.rejectedBefore;
  assertEquals(await rejectedBefore(), null);
  const rejection = {
    at: inTime(app, 0),
    reason: "Ware läuft aus",
    currentCents: 10_000,
    proposedCents: 9_000,
  };
  const { reason } = rejection;
  await app.manager.act(`/api/proposals/${id}/reject`, { reason });
  app.clock.advance(HOUR_MS);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 99 });
  await untilJudged(app);
  assertEquals(await rejectedBefore(), rejection);
  // If the rule computes another price, the proposal with the old price is superseded.
  await pushJudged(app, [["A", "acme", 88]]);
  assertEquals((await statuses(app.owner, "status=open"))[0], ["open", 8_800]);
  assertEquals(await rejectedBefore(), rejection);
  const [open] = await listed(app, "status=open");
  await app.manager.act(`/api/proposals/${open}/approve`);
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [["A", "acme", 80]]);
  assertEquals(await rejectedBefore(), null);
});

withApp.test("a rejected price is not proposed again until it or our price changes", async (app) => {
  const { id, productId } = await propose(app);
  await app.manager.act(`/api/proposals/${id}/reject`);
  const openAfter = async (price: number) => {
    app.clock.advance(HOUR_MS);
    await pushJudged(app, [["A", "acme", price]]);
    return await statuses(app.owner, "status=open");
  };
  assertEquals(await openAfter(90), []);
  assertEquals(await openAfter(88), [["open", 8_800]]);
  // Nobody decided on the proposal of the other price, so the earlier rejection is still valid.
  assertEquals(await openAfter(90), []);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 99 });
  assertEquals(await openAfter(90), [["open", 9_000]]);
});

withApp.test("neither proposals of another rule nor a reopened proposal name the earlier rejection", async (app) => {
  const { ruleId, id } = await propose(app);
  await app.manager.act(`/api/proposals/${id}/reject`);
  assertEquals((await bodyOf(reopen(app, id), 200)).rejectedBefore, null);
  const [again] = await listed(app, "status=open");
  await app.manager.act(`/api/proposals/${again}/reject`);
  await app.owner.change(`/api/rules/${ruleId}`, { enabled: false });
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  await untilJudged(app);
  const { items: [open] } = await app.owner.read("/api/proposals?status=open");
  assertEquals([open.proposedCents, open.rejectedBefore], [9_000, null]);
});
