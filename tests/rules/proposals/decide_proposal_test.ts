import { automatic, propose, type RulesApp, rulesAppOf, withRules } from "../evaluation/market.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { expireProposals } from "../../../src/rules/decide_many.ts";
import { bodyOf, column, refusalOf, refusedField, refuses, valuesOf } from "../../api/answers.ts";
import { startDeafApp } from "../../held_store.ts";
import { extent } from "../../proof.ts";
import { isLargeMove } from "../../../src/base/money.ts";
import type { Caller } from "../../caller.ts";
import fc from "fast-check";

const approve = (caller: Caller, id: string, body?: unknown, query = "") =>
  caller.post(`/api/proposals/${id}/approve${query}`, body);

async function guardOf(answer: Promise<Response>): Promise<unknown> {
  const { code, details } = await refusalOf(answer);
  assertEquals(code, "conflict");
  return details?.guard;
}

withRules.test("a counter-price is set with its reason, which one below the floor or cost needs", async (app) => {
  let { id, productId } = await app.propose();
  for (const price of [0, -1, "90.001", "much", 1e15]) {
    assertEquals(await refusedField(approve(app.manager, id, { price })), "price", String(price));
  }
  const contradicting = { price: 90, priceCents: 90 };
  assertEquals(await refusedField(approve(app.manager, id, contradicting)), "price");
  // The client has sent cents instead of euros.
  await refuses(approve(app.manager, id, { price: 10_000 }), "price_unit_suspicious");
  const needsReason = { guard: "margin_floor", needsReason: true };
  // The cost is 50.00 and the floor 10 %, so 55.55 is below the floor, and 49.99 also below cost.
  for (const body of [{ price: 55.55 }, { price: 49.99 }, { price: 49.99, reason: "  " }]) {
    const { code, details } = await refusalOf(approve(app.manager, id, body));
    assertEquals([code, details], ["conflict", needsReason], JSON.stringify(body));
  }
  assertEquals(await app.priceOf(productId), 10_000);

  const body = { price: 93.5, priceCents: 9_350, reason: "  Lager\n voll " };
  const applied = await bodyOf(approve(app.manager, id, body), 200);
  assertEquals(
    [applied.status, applied.proposedCents, applied.appliedCents, applied.decisionReason],
    ["applied", 9_000, 9_350, "Lager voll"],
  );
  assertEquals(await app.priceOf(productId), 9_350);
  const log = await app.owner.read(`/api/audit-logs?resource=proposal:${id}`);
  assertEquals([log.items[0].after.appliedCents, log.items[0].reason], [9_350, "Lager voll"]);
  const ofProduct = await app.owner.read(`/api/audit-logs?resource=product:${productId}`);
  assertEquals(ofProduct.items.at(-1).reason, "Lager voll");

  const others = [[55.55, ""], [49.99, ""], [10_000, "?allowLargeChange=true"]] as const;
  for (const [price, query] of others) {
    const back = await app.manager.act(`/api/proposals/${id}/rollback`);
    assertEquals([back.status, await app.priceOf(productId)], ["rolled_back", 10_000]);
    id = back.reopened.proposalId;
    await bodyOf(approve(app.manager, id, { price, reason: "Ausverkauf" }, query), 200);
    assertEquals(await app.priceOf(productId), price * 100);
  }
});

Deno.test("without a floor a counter-price below cost needs a reason, which overrides no other objection", async () => {
  await using app = await startDeafApp();
  const { id, productId } = await propose(app, { marginFloor: null });
  const detailsOf = async (body: unknown) =>
    (await refusalOf(approve(app.manager, id, body))).details;
  assertEquals(await detailsOf({ price: "49.99" }), { guard: "below_cost", needsReason: true });
  assertEquals(await detailsOf({ price: 100, reason: "r" }), { guard: "no_change" });
  // Events stop here; otherwise the lock would make Kurant close the proposal.
  app.deafen();
  const lock = (priceLocked: boolean) =>
    app.owner.change(`/api/products/${productId}`, { priceLocked });
  await lock(true);
  assertEquals(await detailsOf({ price: 93, reason: "r" }), { guard: "price_locked" });
  await lock(false);
  const atCost = await bodyOf(approve(app.manager, id, { price: "50.00" }), 200);
  assertEquals(atCost.appliedCents, 5_000);
});

withRules.test("after a change of the currency, the same amounts are proposed anew", async (app) => {
  const { id, productId } = await app.propose();
  await app.push([["A", "bolt", 90]], { currency: "USD" });
  const prices = { currency: "USD", ourPrice: 100, costPrice: 50 };
  await app.owner.change(`/api/products/${productId}`, prices);
  assertEquals(await app.statuses(), [["superseded", 9_000], ["open", 9_000]]);
  const [open] = await app.proposals("status=open");
  await app.manager.act(`/api/proposals/${open?.id}/approve`);
  assertEquals([await app.priceOf(productId), open?.id === id], [9_000, false]);
});

withRules.test("rollback restores the price, unless it has changed since", async (app) => {
  const { id, productId } = await app.propose();
  await bodyOf(approve(app.manager, id), 200);
  const back = await app.manager.act(`/api/proposals/${id}/rollback`);
  assertEquals([back.status, await app.priceOf(productId)], ["rolled_back", 10_000]);
  await app.judged();

  await app.pushAfter(2 * HOUR_MS, [["A", "acme", 88]]);
  const [open] = await app.proposals("status=open");
  ok(open);
  await bodyOf(approve(app.manager, open.id), 200);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 95 });
  const path = `/api/proposals/${open.id}`;
  assertEquals(await guardOf(app.manager.post(`${path}/rollback`)), "price_changed");
  for (const verb of ["approve", "reject"]) {
    await refuses(app.manager.post(`${path}/${verb}`), "conflict", verb);
  }
});

withRules.test("a proposal expires after 7 days: immediately for decisions, with the next sweep in lists", async (app) => {
  const { id } = await app.propose();
  app.clock.advance(7 * DAY_MS);
  assertEquals(await guardOf(approve(app.manager, id)), "expired");
  assertEquals(await expireProposals(app.store, app.app.clock), 1);
  assertEquals(await expireProposals(app.store, app.app.clock), 0);
  assertEquals(await app.statuses(), [["expired", 9_000]]);
});

Deno.test("POST /api/proposals/bulk decides each id separately", async () => {
  await using app = await startDeafApp();
  const rules = rulesAppOf(app);
  await rules.addRule();
  await rules.addProducts(["A", "B", "C"].map((sku) => ({ sku })));
  await rules.push(["A", "B", "C"].map((sku) => [sku, "acme", 90]));
  const open = await rules.proposals("status=open");
  const ids = open.map(({ id }) => id);
  app.deafen();
  await app.owner.change(`/api/products/${open[1]?.productId}`, { priceLocked: true });
  const unknown = "0123456789abcdef01234567";
  const body = { action: "approve", ids: [...ids, unknown, ids[0]] };
  const { results } = await app.manager.act("/api/proposals/bulk", body);
  assertEquals(column(results, "ok"), [true, false, true, false, false]);
  const refused = column(results, "error").map((error) => error?.code);
  assertEquals(refused, [undefined, "conflict", undefined, "not_found", "conflict"]);
  assertEquals(results[1].error.details.guard, "price_locked");
  const many = { action: "approve", ids: Array.from({ length: 501 }, () => unknown) };
  await refusalOf(app.manager.post("/api/proposals/bulk", many));
});

const COUNT = extent(60, 20);

withRules.test("two people who accept the same proposals at the same moment decide each once", async (app) => {
  const skus = Array.from({ length: COUNT }, (_, at) => `P-${at + 10}`);
  await app.addProducts(skus.map((sku) => ({ sku })));
  await app.addRule();
  await app.push(skus.map((sku, at) => [sku, "acme", 95 - at * 0.1] as const));
  const open = await app.proposals("status=open");
  assertEquals(open.length, COUNT);
  const ids = open.map(({ id }) => id);

  const answers = await Promise.all([
    app.owner.act("/api/proposals/bulk", { action: "approve", filter: {} }),
    app.manager.act("/api/proposals/bulk", { action: "approve", ids }),
  ]);
  const results = column(answers, "results").flat();
  const accepted = results.filter((one) => one.ok);
  const refused = results.filter((one) => !one.ok);
  assertEquals(column(accepted, "id").sort(), ids.toSorted());
  assertEquals(new Set(column(column(refused, "error"), "code")), new Set(["conflict"]));

  assertEquals((await app.proposals("status=applied")).length, COUNT);
  const { items } = await app.owner.read("/api/audit-logs?action=proposal.approve&limit=200");
  assertEquals(items.length, COUNT);
  for (const { productId, proposedCents } of open) {
    const history = await app.owner.read(`/api/products/${productId}/price-history`);
    const prices: unknown[] = column(history.items, "toCents");
    assertEquals(prices.filter((cents) => cents === proposedCents).length, 1);
  }
});

const APPROVAL = { beyondPct: 5, people: 2 };

async function proposeLarge(app: RulesApp, approval = APPROVAL) {
  await app.owner.change("/api/settings", { approval });
  return await app.propose({ cooldownMinutes: 0 });
}

withRules.test("a change beyond the limit waits for a second person, names the first, and is set by the second, never by a key", async (app) => {
  const { id, productId } = await proposeLarge(app);
  const key = await app.key(["proposals:write"]);
  const approveByKey = () => key.post(`/api/public/v1/proposals/${id}/approve`);
  assertEquals(await guardOf(approveByKey()), "approval_needed");
  const first = await bodyOf(approve(app.manager, id, { reason: "Rival is out" }), 200);
  assertEquals([first.status, first.decidedBy, first.approval.people], ["open", null, 2]);
  assertEquals(first.approval.by.length, 1);
  assertEquals([first.approval.cents, await app.priceOf(productId)], [9_000, 10_000]);
  for (const refused of [approveByKey(), approve(app.manager, id)]) {
    assertEquals(await guardOf(refused), "approval_needed");
  }
  assertEquals((await app.viewer.read(`/api/proposals/${id}`)).approval, first.approval);
  const second = await bodyOf(approve(app.owner, id), 200);
  assertEquals([second.status, second.appliedCents], ["applied", 9_000]);
  assertEquals([second.approval.by.length, second.approval.by[0]], [2, first.approval.by[0]]);
  assertEquals(await app.priceOf(productId), 9_000);
  const { items } = await app.owner.read(`/api/audit-logs?resource=proposal:${id}`);
  assertEquals(
    valuesOf(items, "action", "reason"),
    [["proposal.approve", "Rival is out"], ["proposal.approve", undefined]],
  );
  assertEquals(column(column(items, "after"), "status"), ["open", "applied"]);
});

withRules.test("a person makes no large change alone, not even by a change of currency or on its day", async (app) => {
  await app.owner.change("/api/settings", { approval: APPROVAL });
  const id = await app.addProduct("A", { ourPrice: 100 });
  const key = await app.key(["products:write"]);
  const guardAgainst = (change: Record<string, unknown>) =>
    guardOf(app.owner.patch(`/api/products/${id}`, change));
  const franc = { currency: "CHF", ourPrice: 95, costPrice: 50 };
  assertEquals(await guardAgainst(franc), "approval_needed");
  app.clock.advance(48 * HOUR_MS);
  await app.owner.change(`/api/products/${id}`, { ourPrice: null });
  assertEquals(await guardAgainst(franc), "approval_needed");
  await key.change("/api/public/v1/products/A", franc);
  app.clock.advance(HOUR_MS);
  assertEquals(await guardAgainst({ ourPrice: 70 }), "approval_needed");
  await app.owner.change(`/api/products/${id}`, { ourPrice: 93 });
});

withRules.test("another price restarts the count, a small one needs no second person, and bounds are always checked", async (app) => {
  const { id, productId } = await proposeLarge(app);
  await bodyOf(approve(app.manager, id), 200);
  const other = await bodyOf(approve(app.owner, id, { priceCents: 8_700 }), 200);
  assertEquals([other.status, other.approval.cents, other.approval.by.length], ["open", 8_700, 1]);
  // The new minimum price allows the rule's price, so the proposal stays open.
  await app.owner.change(`/api/products/${productId}`, { minPrice: 88 });
  assertEquals(await guardOf(approve(app.manager, id, { priceCents: 8_700 })), "min_price");
  const small = await bodyOf(approve(app.manager, id, { priceCents: 9_500 }), 200);
  assertEquals([small.status, small.appliedCents], ["applied", 9_500]);
});

withRules.test("in bulk, a proposal that needs more approvals says so, and counts the person's approval", async (app) => {
  const { id } = await proposeLarge(app, { beyondPct: 5, people: 3 });
  const bulk = async (caller: Caller) => {
    const { results } = await caller.act("/api/proposals/bulk", { action: "approve", ids: [id] });
    return [results[0].ok, results[0].isWaiting ?? false];
  };
  assertEquals(await bulk(app.manager), [true, true]);
  assertEquals(await bulk(app.manager), [false, false]);
  assertEquals(await bulk(app.owner), [true, true]);
  const third = await app.newCaller("manager");
  assertEquals(await bulk(third), [true, false]);
});

withRules.test("a rule sets no large change of 24 hours automatically: it proposes with the reason", async (app) => {
  const vat = { pricesIncludeVat: true, vatRatePct: 19 };
  await app.owner.change("/api/settings", { approval: APPROVAL, autoApply: true, ...vat });
  await app.addRule(automatic(20));
  const productId = await app.addProduct("A", { ourPrice: 100, costPrice: 20 });
  // 92.50 is only 3.6 % below 96.00, but 7.5 % below our price 24 hours ago.
  for (const [price, expected] of [[90, 10_000], [96, 9_600], [92.5, 9_600]] as const) {
    await app.pushAfter(HOUR_MS, [["A", "acme", price]]);
    assertEquals(await app.priceOf(productId), expected, String(price));
    if (expected !== price * 100) {
      const [{ trace } = { trace: null }] = await app.proposals("status=open");
      match(JSON.stringify(trace), /approval_needed/, String(price));
    }
  }
});

Deno.test("a change is large when it exceeds the percentage, exactly", () => {
  const percents = fc.integer({ min: 0, max: 2_000_000 });
  fc.assert(
    fc.property(percents, fc.integer({ min: 1, max: 1e10 }), fc.nat(1e10), (pct, from, to) => {
      const moved = BigInt(to > from ? to - from : from - to) * 1_000_000n;
      assertEquals(
        isLargeMove({ beyondPct: pct / 10_000 }, from, to),
        moved > BigInt(pct) * BigInt(from),
      );
    }),
  );
  const large = [9_499, 9_500, 10_500, 10_501].filter((to) => isLargeMove(APPROVAL, 10_000, to));
  assertEquals(large, [9_499, 10_501]);
});
