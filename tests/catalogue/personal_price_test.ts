import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, refusalOf } from "../api/answers.ts";
import { type RulesApp, withRules } from "../rules/evaluation/market.ts";

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
  // A key sets any price, even against limits that people have set.
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
