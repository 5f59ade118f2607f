import type { TestApp } from "../../harness.ts";
import { priceOf, propose, rulesAppOf, withRules } from "../evaluation/market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { expireProposals } from "../../../src/rules/decide_many.ts";
import { bodyOf, column, refusalOf, refusedField, refuses } from "../../api/answers.ts";
import { startDeafApp } from "../../held_store.ts";
import { extent } from "../../proof.ts";

const approve = (app: TestApp, id: string, body?: unknown, query = "") =>
  app.manager.post(`/api/proposals/${id}/approve${query}`, body);

withRules.test("a counter-price is set with its reason, which one below the floor or cost needs", async (app) => {
  let { id, productId } = await app.propose();
  for (const price of [0, -1, "90.001", "much", 1e15]) {
    assertEquals(await refusedField(approve(app, id, { price })), "price", String(price));
  }
  assertEquals(await refusedField(approve(app, id, { price: 90, priceCents: 90 })), "price");
  // The client has sent cents instead of euros.
  await refuses(approve(app, id, { price: 10_000 }), "price_unit_suspicious");
  const needsReason = { guard: "margin_floor", needsReason: true };
  // The cost is 50.00 and the floor 10 %, so 55.55 is below the floor, and 49.99 also below cost.
  for (const body of [{ price: 55.55 }, { price: 49.99 }, { price: 49.99, reason: "  " }]) {
    const { code, details } = await refusalOf(approve(app, id, body));
    assertEquals([code, details], ["conflict", needsReason], JSON.stringify(body));
  }
  assertEquals(await app.priceOf(productId), 10_000);

  const body = { price: 93.5, priceCents: 9_350, reason: "  Lager\n voll " };
  const applied = await bodyOf(approve(app, id, body), 200);
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
    await bodyOf(approve(app, id, { price, reason: "Ausverkauf" }, query), 200);
    assertEquals(await app.priceOf(productId), price * 100);
  }
});

withRules.test("a counter-price below cost needs a reason even if the rule has no floor", async (app) => {
  const { id } = await app.propose({ marginFloor: null });
  const refused = await refusalOf(approve(app, id, { price: "49.99" }));
  assertEquals(refused.details, { guard: "below_cost", needsReason: true });
  const atCost = await bodyOf(approve(app, id, { price: "50.00" }), 200);
  assertEquals(atCost.appliedCents, 5_000);
});

Deno.test("a reason does not override other objections", async () => {
  await using app = await startDeafApp();
  const { id, productId } = await propose(app);
  const same = await refusalOf(approve(app, id, { price: 100, reason: "r" }));
  assertEquals(same.details, { guard: "no_change" });
  // From now on, the rules cannot notice the change and close the proposal.
  app.deafen();
  await app.owner.change(`/api/products/${productId}`, { priceLocked: true });
  const locked = await refusalOf(approve(app, id, { price: 93, reason: "r" }));
  assertEquals(locked.details, { guard: "price_locked" });
});

async function guardOf(answer: Promise<Response>): Promise<unknown> {
  const { code, details } = await refusalOf(answer);
  assertEquals(code, "conflict");
  return details?.guard;
}

withRules.test("a proposal is decided once: every further decision is a conflict", async (app) => {
  const { id, productId } = await app.propose();
  const rejected = await app.manager.act(`/api/proposals/${id}/reject`);
  assertEquals(rejected.status, "rejected");
  for (const verb of ["approve", "reject", "rollback"]) {
    await refuses(app.manager.post(`/api/proposals/${id}/${verb}`), "conflict", verb);
  }
  assertEquals(await app.priceOf(productId), 10_000);
});

for (const patch of [{ ourPrice: 99 }, { costPrice: null }]) {
  withRules.test(`after a change of ${Object.keys(patch)} the old proposal is never applied`, async (app) => {
    const { id, productId } = await app.propose();
    await app.owner.change(`/api/products/${productId}`, patch);
    // Either the rules have already closed the proposal, or a guard refuses the price.
    const price = await priceOf(app.owner, productId);
    await refuses(approve(app, id), "conflict");
    await app.judged();
    await refuses(approve(app, id), "conflict");
    assertEquals(await app.priceOf(productId), price);
  });
}

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
  await bodyOf(approve(app, id), 200);
  const back = await app.manager.act(`/api/proposals/${id}/rollback`);
  assertEquals([back.status, await app.priceOf(productId)], ["rolled_back", 10_000]);
  await app.judged();

  await app.pushAfter(2 * HOUR_MS, [["A", "acme", 88]]);
  const [open] = await app.proposals("status=open");
  ok(open);
  await bodyOf(approve(app, open.id), 200);
  await app.owner.change(`/api/products/${productId}`, { ourPrice: 95 });
  const path = `/api/proposals/${open.id}/rollback`;
  assertEquals(await guardOf(app.manager.post(path)), "price_changed");
});

withRules.test("a proposal expires after 7 days: immediately for decisions, with the next sweep in lists", async (app) => {
  const { id } = await app.propose();
  app.clock.advance(7 * DAY_MS);
  assertEquals(await guardOf(approve(app, id)), "expired");
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
  for (const bad of [[], Array.from({ length: 501 }, () => unknown)]) {
    await refusalOf(app.manager.post("/api/proposals/bulk", { action: "approve", ids: bad }));
  }
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
  // For each proposal, the slower person gets a conflict.
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
