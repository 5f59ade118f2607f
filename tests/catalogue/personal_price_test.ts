import { HOUR_MS } from "../../src/base/time.ts";
import { bodyOf, column, refusalOf, refuses } from "../api/answers.ts";
import { automatic, type RulesApp, withRules } from "../rules/evaluation/market.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";

async function refusalBy(answer: Promise<Response>) {
  const { code, details } = await refusalOf(answer);
  return [code, details?.guard, details?.needsReason];
}

const patch = (app: RulesApp, id: string, body: object) =>
  app.manager.patch(`/api/products/${id}?allowLargeChange=true`, body);

const CASES: readonly (readonly [string, object, number, string])[] = [
  ["below the minimum", { minPrice: 70 }, 40, "min_price"],
  ["above the maximum", { maxPrice: 120 }, 121, "max_price"],
  ["below cost", { costPrice: 90, vatRatePct: 19 }, 80, "below_cost"],
  ["of a locked product", { priceLocked: true }, 99, "price_locked"],
  ["of a held product", { heldUntil: "2099-01-01T00:00:00Z" }, 99, "price_held"],
];

withRules.test("a person needs a reason to set a price beyond a limit, by patch and in bulk", async (app) => {
  for (const [what, product, price, guard] of CASES) {
    const id = await app.addProduct(guard, { costPrice: 10, ...product });
    const refused = ["conflict", guard, true] as const;
    assertEquals(await refusalBy(patch(app, id, { ourPrice: price })), refused, what);
    const invisible = { ourPrice: price, reason: "\u200b\u2060 \ufe0f" };
    assertEquals(await refusalBy(patch(app, id, invisible)), refused, what);
    const prices = [{ id, currency: "EUR", seenCents: 10_000, ourPriceCents: price * 100 }];
    const bulk = async (more: object) =>
      (await app.manager.act("/api/products/bulk/prices", { prices, ...more })).results[0];
    assertEquals((await bulk({})).error?.code, "conflict", what);
    assertEquals(await app.priceOf(id), 10_000, what);
    assertEquals((await bulk({ reason: "Clearance" })).ok, true, what);
    assertEquals(await app.priceOf(id), price * 100, what);
    const { items } = await app.owner.read(`/api/audit-logs?resource=product:${id}`);
    ok(items.some(({ reason }: { reason?: string }) => reason === "Clearance"), what);
  }
  // A price from an API key is accepted even if it violates limits that people have set.
  const limited = { costPrice: 10, minPrice: 70, priceLocked: true };
  const id = await app.addProduct("A", limited);
  const key = await app.key(["products:write"]);
  const items = [{ sku: "A", title: "A", ourPrice: 40 }];
  await key.act("/api/public/v1/products/batch", { items });
  assertEquals(await app.priceOf(id), 4_000);
});

withRules.test("two small steps count as one large change, measured from the price of 24 hours ago", async (app) => {
  const id = await app.addProduct("A", { costPrice: 10 });
  await app.owner.change("/api/settings", { approval: { beyondPct: 10, people: 2 } });
  await bodyOf(patch(app, id, { ourPrice: 91 }), 200);
  const reasoned = { ourPrice: 83, reason: "Clearance" };
  const refused = ["conflict", "approval_needed", undefined];
  assertEquals(await refusalBy(patch(app, id, reasoned)), refused);
  await bodyOf(patch(app, id, { ourPrice: 100 }), 200);
  await bodyOf(patch(app, id, { ourPrice: 91 }), 200);
  app.clock.advance(24 * HOUR_MS + 1_000);
  await bodyOf(patch(app, id, { ourPrice: 83 }), 200);
  assertEquals(await app.priceOf(id), 8_300);
});

withRules.test("a rollback to a price beyond a newer limit needs a reason", async (app) => {
  const { id, productId } = await app.propose();
  await app.manager.act(`/api/proposals/${id}/approve`);
  await bodyOf(patch(app, productId, { maxPrice: 95 }), 200);
  const path = `/api/proposals/${id}/rollback`;
  assertEquals(await refusalBy(app.manager.post(path)), ["conflict", "max_price", true]);
  await app.manager.act(path, { reason: "Accepted by mistake" });
  assertEquals(await app.priceOf(productId), 10_000);
});

withRules.test("an approval does not count once the person may no longer decide", async (app) => {
  await app.owner.change("/api/settings", { approval: { beyondPct: 5, people: 2 } });
  const { id, productId } = await app.propose();
  const path = `/api/proposals/${id}/approve`;
  const { approval } = await app.manager.act(path);
  await app.owner.change(`/api/users/${approval.by[0].id}`, { role: "viewer" });
  const second = await app.owner.act(path);
  assertEquals([second.status, second.approval.by.length], ["open", 1]);
  const third = await app.newCaller("manager");
  assertEquals((await third.act(path)).status, "applied");
  assertEquals(await app.priceOf(productId), 9_000);
});

async function hold(app: RulesApp, id: string, heldUntil: string | null, more = {}) {
  return await app.manager.change(`/api/products/${id}`, { heldUntil, ...more });
}

async function listed({ viewer }: RulesApp, query: string): Promise<string[]> {
  const { items } = await viewer.read(`/api/products?${query}`);
  return column(items, "sku");
}

withRules.test("a held price gets no proposal, as its explanation says, and its open one is closed; the end of the hold evaluates the rules again", async (app) => {
  await app.addRule();
  const id = await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  assertEquals(await app.statuses(), [["open", 9_000]]);
  const heldUntil = app.inTime(3 * HOUR_MS);
  assertEquals((await hold(app, id, heldUntil)).heldUntil, heldUntil);
  assertEquals(await app.statuses(), [["superseded", 9_000]]);
  app.clock.advance(HOUR_MS);
  await app.push([["A", "acme", 85]]);
  assertEquals(await app.statuses("status=open"), []);
  const [decision] = await app.decisions(id);
  assertEquals([decision.bindingGuard, decision.trace.inputs.heldUntil], ["price_held", heldUntil]);
  match(decision.reason, new RegExp(`the price is held until ${heldUntil}`));
  const ended = [await app.endedAfter(0), await app.endedAfter(2 * HOUR_MS + 60_000)];
  assertEquals([...ended, await app.endedAfter(0)], [0, 1, 0], "not too early, and once");
  assertEquals(await app.statuses("status=open"), [["open", 8_500]]);
});

withRules.test("no automatic price replaces a held one", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true, vatRatePct: 19 });
  await app.addRule(automatic(50, 5));
  const id = await app.addProduct("A");
  await hold(app, id, app.inTime(HOUR_MS));
  await app.push([["A", "acme", 95]]);
  assertEquals(await app.priceOf(id), 10_000);
  assertEquals(await app.proposals(), []);
  await hold(app, id, null);
  assertEquals((await app.statuses()).length, 1, "the end of the hold evaluates the rule again");
});

withRules.test("a person can change a held price; an approval is refused until the hold ends", async (app) => {
  await app.addRule();
  const a = await app.addProduct("A");
  await app.addProduct("B");
  await app.push([["A", "acme", 90], ["B", "acme", 90]]);
  const [open] = await app.proposals(`productId=${a}`);
  const heldUntil = app.inTime(2 * HOUR_MS);
  const changed = await hold(app, a, heldUntil, { ourPrice: 101, reason: "Campaign  of May\n" });
  assertEquals([changed.ourPriceCents, changed.heldUntil], [10_100, heldUntil]);
  await refuses(app.manager.post(`/api/proposals/${open?.id}/approve`, {}), "conflict");
  const { items } = await app.viewer.read("/api/audit-logs?order=desc&limit=1");
  assertEquals(items[0].reason, "Campaign of May");
  assertEquals([items[0].before.heldUntil, items[0].after.heldUntil], [null, heldUntil]);
});

withRules.test("lists, the CSV file and keys show which products are held now, and a hold expires by itself", async (app) => {
  const [a, b] = [await app.addProduct("A"), await app.addProduct("B")];
  await app.addProduct("C");
  await hold(app, a, app.inTime(HOUR_MS));
  await hold(app, b, app.inTime(2 * HOUR_MS));
  const both = async (query: string) => {
    const held = await listed(app, `isHeld=true&${query}`);
    return [held, await listed(app, `isHeld=false&${query}`)];
  };
  for (const query of ["", "q=product", "sort=sku&order=desc", "sort=sku&q=product"]) {
    const [held, free] = await both(query);
    assertEquals(held?.toSorted(), ["A", "B"], query);
    assertEquals(free, ["C"], query);
  }
  const page = await app.viewer.read("/api/products?isHeld=true");
  assertEquals(page.total, 2);
  const d = await app.addProduct("D");
  await hold(app, d, app.inTime(HOUR_MS));
  await app.manager.delete(`/api/products/${d}`);
  for (const query of ["includeDeleted=true", "includeDeleted=true&q=product"]) {
    assertEquals(await both(query), [["A", "B", "D"], ["C"]], query);
  }
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products?isHeld=true");
  assertEquals(column(data, "heldUntil"), [app.inTime(HOUR_MS), app.inTime(2 * HOUR_MS)]);
  const csv = await (await app.viewer.get("/api/products.csv?dialect=rfc4180&isHeld=true")).text();
  assertEquals(csv.split("\r\n").filter((line) => line.includes(app.inTime(HOUR_MS))).length, 1);
  app.clock.advance(HOUR_MS);
  assertEquals(await both(""), [["B"], ["A", "C"]]);

  const holding = (body: unknown) => app.manager.patch(`/api/products/${a}`, body);
  for (const heldUntil of ["2026-13-01T00:00:00Z", 5, "2026-12-01"]) {
    await refuses(holding({ heldUntil }), "validation_failed", String(heldUntil));
  }
  await refuses(holding({ heldUntil: null, reason: "x".repeat(501) }), "validation_failed");
  const kept = await hold(app, a, "2036-12-01T01:00:00+01:00");
  assertEquals(kept.heldUntil, "2036-12-01T00:00:00.000Z");
});

withRules.test("many products can be held at once, and a restored one is held again", async (app) => {
  const [id] = await app.addProducts(["A", "B", "C"].map((sku) => ({ sku })));
  const set = async (filter: object, heldUntil: string | null) =>
    (await app.manager.act("/api/products/bulk", { filter, set: { heldUntil } })).changed;
  assertEquals(await set({}, app.inTime(HOUR_MS)), 3);
  await app.manager.remove(`/api/products/${id}`);
  assertEquals(await listed(app, "isHeld=true"), ["B", "C"]);
  await app.manager.act(`/api/products/${id}/restore`);
  assertEquals(await listed(app, "isHeld=true"), ["A", "B", "C"]);
  assertEquals([await set({ isHeld: "true" }, null), await listed(app, "isHeld=true")], [3, []]);
});
