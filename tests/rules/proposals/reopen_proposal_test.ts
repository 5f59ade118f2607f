import { automatic, type RulesApp, withRules } from "../evaluation/market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { expireProposals } from "../../../src/rules/decide_many.ts";
import type { Proposal } from "../../../src/rules/proposals/proposal.ts";
import {
  bodyOf,
  column,
  refusalOf,
  refusedField,
  refuses,
  statusOf,
  valuesOf,
} from "../../api/answers.ts";

type Accepted = Pick<Proposal, "id" | "ruleId" | "productId">;

interface Undone {
  readonly rule?: Record<string, unknown>;
  /** The competitor's price in euros after the proposal was accepted. */
  readonly price?: number;
  /** A change between acceptance and undo. */
  readonly happens?: (app: RulesApp, accepted: Accepted) => Promise<unknown>;
  readonly answer: readonly [outcome: string, cents: number | null, closedBy: string | null];
}

const closed = (by: string) => ["closed", null, by] as const;

/** SKU → what happens after 90.00 was accepted, and the expected result of an undo. */
const UNDONE: Readonly<Record<string, Undone>> = {
  UNCHANGED: { answer: ["open", 9_000, null] },
  // This proposal is accepted with 95.00 instead of 90.00.
  COUNTER: { answer: ["open", 9_000, null] },
  AUTOMATIC: { rule: automatic(20), answer: ["open", 9_000, null] },
  MOVED: { price: 88, answer: ["other_price", 8_800, null] },
  AT_ONCE: { rule: { cooldownMinutes: 0 }, price: 88, answer: ["other_price", 8_800, null] },
  DEAR: { price: 110, answer: closed("no_longer_fires") },
  OFF: {
    happens: (app, { ruleId }) => app.owner.change(`/api/rules/${ruleId}`, { enabled: false }),
    answer: closed("rule_off"),
  },
  DELETED: {
    happens: (app, { ruleId }) => app.owner.remove(`/api/rules/${ruleId}`),
    answer: closed("rule_deleted"),
  },
  LOCKED: {
    happens: (app, { productId }) =>
      app.owner.change(`/api/products/${productId}`, { priceLocked: true }),
    answer: closed("price_locked"),
  },
  SECOND: {
    happens: (app) =>
      ruleFor(app, "SECOND", { priority: 1, marginFloor: { pct: 40 }, cooldownMinutes: 60 }),
    answer: closed("outranked"),
  },
};
const SKUS = Object.keys(UNDONE);
const IN_BULK = ["AUTOMATIC", "MOVED", "AT_ONCE", "DEAR"];

const ruleFor = (app: RulesApp, sku: string, rule: Record<string, unknown>) =>
  app.addRule({ scope: { mode: "sku", list: [sku] }, ...rule });
const openOf = (app: RulesApp, sku: string) => app.proposals(`status=open&sku=${sku}`);

/** Each SKU gets a product at 100.00 and a rule, and 90.00 is accepted. */
async function acceptAll(app: RulesApp): Promise<Map<string, Accepted>> {
  await app.owner.change("/api/settings", { autoApply: true });
  for (const [sku, { rule }] of Object.entries(UNDONE)) {
    await ruleFor(app, sku, { priority: 2, cooldownMinutes: 60, ...rule });
  }
  await app.addProducts(SKUS.map((sku) => ({ sku })));
  await app.pushAfter(HOUR_MS, SKUS.map((sku) => [sku, "acme", 90]));
  const made = new Map((await app.proposals()).map((one) => [one.sku, one]));
  const open = await app.proposals("status=open");
  const ids = open.filter(({ sku }) => sku !== "COUNTER").map(({ id }) => id);
  assertEquals([made.get("AUTOMATIC")?.status, ids.length], ["applied", SKUS.length - 2]);
  await app.manager.act("/api/proposals/bulk", { action: "approve", ids });
  await app.manager.act(`/api/proposals/${made.get("COUNTER")?.id}/approve`, { price: 95 });
  await app.judged();
  app.clock.advance(60_000);
  return made;
}

withRules.test("an undone acceptance reopens its proposal with the present price, or says why it stays closed", async (app) => {
  const accepted = await acceptAll(app);
  const idOf = (sku: string) => accepted.get(sku)?.id ?? "";
  for (const [sku, { happens }] of Object.entries(UNDONE)) await happens?.(app, accepted.get(sku)!);
  await app.push(SKUS.flatMap((sku) => {
    const { price } = UNDONE[sku]!;
    return price === undefined ? [] : [[sku, "acme", price] as const];
  }));
  // Without a cooldown, the rule of AT_ONCE has already proposed 88.00.
  const early = await app.proposals("status=open");
  assertEquals(column(early, "sku"), ["AT_ONCE"]);

  const answers = new Map<string, Record<string, unknown>>();
  for (const sku of SKUS.filter((sku) => !IN_BULK.includes(sku))) {
    const path = `/api/proposals/${idOf(sku)}/rollback`;
    const { status, reopened } = await app.manager.act(path, { reason: "By mistake" });
    assertEquals(status, "rolled_back", sku);
    answers.set(sku, reopened);
  }
  const body = { action: "rollback", ids: IN_BULK.map(idOf) };
  const { results } = await app.manager.act("/api/proposals/bulk", body);
  for (const [n, { id, ok: isOk, proposalId, reopened }] of results.entries()) {
    const sku = IN_BULK[n]!;
    assertEquals([id, isOk, proposalId ?? null], [idOf(sku), true, reopened.proposalId], sku);
    answers.set(sku, reopened);
  }
  // After each undo, the rules run again, and neither close nor repeat the reopened proposal.
  for (const [sku, { answer: [outcome, proposedCents, closedBy] }] of Object.entries(UNDONE)) {
    const { ruleId, productId } = accepted.get(sku)!;
    const open = await openOf(app, sku);
    const [first] = outcome === "closed" ? [] : open;
    assertEquals(answers.get(sku), {
      ...{ outcome, proposalId: first?.id ?? null, proposedCents },
      ...{ currency: "EUR", closedBy },
    }, sku);
    // For SECOND, another rule has precedence, so only that rule has an open proposal.
    const isOwn = outcome === "closed" ? sku === "SECOND" ? [false] : [] : [true];
    const shown = open.map((one) => [one.ruleId === ruleId, one.currentCents]);
    assertEquals(shown, isOwn.map((own) => [own, 10_000]), sku);
    assertEquals(await app.priceOf(productId), 10_000, sku);
    const log = await app.owner.read(`/api/audit-logs?resource=proposal:${idOf(sku)}`);
    const row = log.items.find(({ action }: { action: string }) => action === "proposal.rollback");
    assertEquals([row.after.closedBy ?? null, row.after.reopenedId], [closedBy, first?.id], sku);
  }

  const { id, productId } = accepted.get("UNCHANGED")!;
  const [open] = await openOf(app, "UNCHANGED");
  const shown = await app.viewer.read(`/api/proposals/${open?.id}`);
  assertEquals(
    [shown.reopenedFrom, shown.currentCents, shown.proposedCents, shown.createdAt],
    [id, 10_000, 9_000, app.clock.now().toISOString()],
  );
  await app.manager.act(`/api/proposals/${open?.id}/approve`);
  assertEquals(await app.priceOf(productId), 9_000);
});

const putOff = (app: RulesApp, id: string, until: unknown) =>
  app.manager.post(`/api/proposals/${id}/later`, { until });
const reopen = (app: RulesApp, id: string) => app.manager.post(`/api/proposals/${id}/reopen`);
const listed = async (app: RulesApp, query: string) =>
  (await app.proposals(query)).map(({ id }) => id);

withRules.test("POST /api/proposals/{id}/later defers an open proposal for up to 30 days, but no newer price and no decision", async (app) => {
  const { id, productId } = await app.propose({ cooldownMinutes: 0 });
  for (const until of [app.inTime(0), app.inTime(31 * DAY_MS), "tomorrow", undefined]) {
    await refuses(putOff(app, id, until), "validation_failed", until);
  }
  const until = app.inTime(DAY_MS);
  const held = await bodyOf(putOff(app, id, until), 200);
  assertEquals([held.status, held.heldUntil], ["open", until]);
  assertEquals([await listed(app, "later=false"), await listed(app, "later=true")], [[], [id]]);
  assertEquals(await listed(app, "status=open"), [id]);
  app.clock.advance(DAY_MS);
  assertEquals([await listed(app, "later=false"), await listed(app, "later=true")], [[id], []]);
  const log = await app.owner.read(`/api/audit-logs?resource=proposal:${id}`);
  assertEquals(valuesOf(log.items, "action", "after"), [["proposal.later", { until }]]);

  await bodyOf(putOff(app, id, app.inTime(DAY_MS)), 200);
  await app.pushAfter(HOUR_MS, [["A", "acme", 88]]);
  assertEquals(await app.statuses("later=false"), [["open", 8_800]]);
  const [newer = ""] = await listed(app, "status=open");
  await bodyOf(putOff(app, newer, app.inTime(DAY_MS)), 200);
  await app.manager.act(`/api/proposals/${newer}/approve`);
  assertEquals(await app.priceOf(productId), 8_800);
  await refuses(putOff(app, newer, null), "conflict");
});

withRules.test("a proposal deferred beyond its expiry stays open for a day when it returns", async (app) => {
  const { id } = await app.propose();
  app.clock.advance(6 * DAY_MS);
  const held = await bodyOf(putOff(app, id, app.inTime(3 * DAY_MS)), 200);
  assertEquals(held.expiresAt, app.inTime(4 * DAY_MS));
  app.clock.advance(3 * DAY_MS);
  assertEquals(await expireProposals(app.store, app.app.clock), 0);
  assertEquals(await listed(app, "later=false"), [id]);
  app.clock.advance(DAY_MS);
  assertEquals(await expireProposals(app.store, app.app.clock), 1);
  assertEquals(await app.statuses(), [["expired", 9_000]]);
});

withRules.test("POST /api/proposals/{id}/reopen makes a rejected price a new open proposal, once even if asked often at once", async (app) => {
  const { id, productId } = await app.propose();
  const body = { reason: "warten auf Lieferung" };
  const rejected = await app.manager.act(`/api/proposals/${id}/reject`, body);
  assertEquals(rejected.decisionReason, "warten auf Lieferung");
  app.clock.advance(HOUR_MS);
  const answers = await Promise.all(Array.from({ length: 12 }, () => reopen(app, id)));
  const [won, ...others] = answers.toSorted((one, other) => one.status - other.status);
  const open = await bodyOf(won!, 200);
  assertEquals(await Promise.all(others.map(statusOf)), Array<number>(11).fill(409));
  assertEquals(
    [open.status, open.reopenedFrom, open.proposedCents, open.decidedAt, open.decisionReason],
    ["open", id, 9_000, null, null],
  );
  assertEquals([open.createdAt, open.expiresAt], [app.inTime(0), app.inTime(7 * DAY_MS)]);
  assertEquals(open.trace, rejected.trace);
  assertEquals(await app.statuses(), [["rejected", 9_000], ["open", 9_000]]);
  const log = await app.owner.read("/api/audit-logs?resource=proposal");
  const rows = [["proposal.reject", "warten auf Lieferung"], ["proposal.reopen", undefined]];
  assertEquals(valuesOf(log.items, "action", "reason").toSorted(), rows);
  const again = await refusalOf(reopen(app, id));
  assertEquals(again.details, { guard: "other_open", proposalId: open.id });
  await app.manager.act(`/api/proposals/${open.id}/approve`);
  assertEquals(await app.priceOf(productId), 9_000);
});

withRules.test("a price that is no longer allowed cannot be reopened", async (app) => {
  const { id, productId } = await app.propose();
  await refuses(reopen(app, id), "conflict");
  await app.manager.act(`/api/proposals/${id}/reject`);
  await refuses(app.manager.post(`/api/proposals/${id}/rollback`), "conflict");
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 99 });
  for (const open of await app.proposals("status=open")) {
    await app.manager.act(`/api/proposals/${open.id}/reject`);
  }
  assertEquals((await refusalOf(reopen(app, id))).details, { guard: "price_changed" });
  app.clock.advance(49 * HOUR_MS);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 100 });
  await app.judged();
  assertEquals((await refusalOf(reopen(app, id))).details, { guard: "stale_reference" });
});

withRules.test("POST /api/proposals/bulk defers, rejects with a reason, and reopens rejected proposals", async (app) => {
  await app.addRule();
  const skus = ["A", "B", "C"];
  await app.addProducts(skus.map((sku) => ({ sku })));
  await app.push(skus.map((sku) => [sku, "acme", 90]));
  const ids = await listed(app, "status=open");
  const bulk = (body: unknown) => app.manager.post("/api/proposals/bulk", body);
  const until = app.inTime(DAY_MS);
  await bodyOf(bulk({ action: "later", ids, until }), 200);
  assertEquals((await listed(app, "later=true")).length, 3);
  await bodyOf(bulk({ action: "later", ids, until: null }), 200);
  assertEquals(await listed(app, "later=false"), ids);
  await bodyOf(bulk({ action: "reject", ids, reason: "Messe" }), 200);
  const { results } = await bodyOf(bulk({ action: "reopen", ids }), 200);
  assertEquals(column(results, "ok"), [true, true, true]);
  const open = await listed(app, "status=open");
  assertEquals(column(results, "proposalId"), open);
  const unfit = [
    [{ action: "later", ids }, "until"],
    [{ action: "reject", ids, until }, "until"],
    [{ action: "reject" }, "ids"],
    [{ action: "reject", ids, filter: {} }, "ids"],
    [{ action: "reopen", filter: {} }, "filter"],
    [{ action: "reject", ids, cursor: "x" }, "cursor"],
  ] as const;
  for (const [body, path] of unfit) assertEquals(await refusedField(bulk(body)), path);
});

withRules.test("a rejected price returns when ours changes, and names the rejection until a price is set", async (app) => {
  const { id, productId } = await app.propose();
  const rejectedBefore = async () => (await app.proposals("status=open"))[0]?.rejectedBefore;
  assertEquals(await rejectedBefore(), null);
  const reason = "Ware läuft aus";
  const rejection = { at: app.inTime(0), reason, currentCents: 10_000, proposedCents: 9_000 };
  await app.manager.act(`/api/proposals/${id}/reject`, { reason });
  const openAfter = async (price: number) => {
    await app.pushAfter(HOUR_MS, [["A", "acme", price]]);
    return await app.statuses("status=open");
  };
  assertEquals(await openAfter(90), []);
  assertEquals(await openAfter(88), [["open", 8_800]]);
  // The rejection of 90.00 still counts, because nobody has decided on 88.00.
  assertEquals(await openAfter(90), []);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 99 });
  assertEquals(await openAfter(90), [["open", 9_000]]);
  assertEquals(await rejectedBefore(), rejection);
  // The proposal of 88.00 supersedes that of 90.00, and names the rejection, too.
  assertEquals(await openAfter(88), [["open", 8_800]]);
  assertEquals(await rejectedBefore(), rejection);
  const [open] = await listed(app, "status=open");
  await app.manager.act(`/api/proposals/${open}/approve`);
  assertEquals((await openAfter(80)).length, 1);
  assertEquals(await rejectedBefore(), null);
});

withRules.test("neither proposals of another rule nor a reopened proposal name the earlier rejection", async (app) => {
  const { ruleId, id } = await app.propose();
  await app.manager.act(`/api/proposals/${id}/reject`);
  assertEquals((await bodyOf(reopen(app, id), 200)).rejectedBefore, null);
  const [again] = await listed(app, "status=open");
  await app.manager.act(`/api/proposals/${again}/reject`);
  await app.owner.change(`/api/rules/${ruleId}`, { enabled: false });
  await app.addRule({ marginFloor: { pct: 10 } });
  const [open] = await app.proposals("status=open");
  assertEquals([open?.proposedCents, open?.rejectedBefore], [9_000, null]);
});

withRules.test("an automatic rule neither sets a price that a person has rejected, nor says so", async (app) => {
  const [productId = ""] = await app.addAutomatic(["A"], 95);
  await app.owner.act("/api/automation/stop", { reason: "Messe" });
  const { actions, ...terms } = automatic(50);
  await app.addRule({ ...terms, actions: [...actions, { type: "alert_inapp" }] });
  const [{ id } = { id: "" }] = await app.proposals("status=open");
  await app.manager.act(`/api/proposals/${id}/reject`, {});
  await app.owner.act("/api/automation/resume", {});
  await app.pushAfter(HOUR_MS, [["A", "acme", 95]]);
  assertEquals([await app.priceOf(productId), await app.statuses("status=open")], [10_000, []]);
  await app.pushAfter(HOUR_MS, [["A", "acme", 94]]);
  assertEquals(await app.priceOf(productId), 9_400);
  const told = column(await app.alerts(), "facts");
  assertEquals(valuesOf(told, "outcome", "proposedCents"), [
    ["propose", 9_500],
    ["alert", null],
    ["apply", 9_400],
  ]);
});
