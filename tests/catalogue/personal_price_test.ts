import { HOUR_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, refusalOf } from "../api/answers.ts";
import { createCaller } from "../caller.ts";
import {
  addProduct,
  addRule,
  priceOf,
  proposals,
  push,
  untilJudged,
} from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";

async function startWith(product: object): Promise<[TestApp, string]> {
  const app = await startTestApp();
  return [app, await addProduct(app.owner, "A", { ourPrice: 100, costPrice: 10, ...product })];
}

async function refusalBy(answer: Promise<Response>) {
  const { code, details } = await refusalOf(answer);
  return [code, details?.guard, details?.needsReason];
}

const patch = (app: TestApp, id: string, body: object) =>
  app.manager.patch(`/api/products/${id}?allowLargeChange=true`, body);

const CASES: readonly (readonly [string, object, number, string])[] = [
  ["below the minimum", { minPrice: 70 }, 40, "min_price"],
  ["above the maximum", { maxPrice: 120 }, 121, "max_price"],
  ["below cost", { costPrice: 90, vatRatePct: 19 }, 80, "below_cost"],
  ["of a locked product", { priceLocked: true }, 99, "price_locked"],
  ["of a held product", { heldUntil: "2099-01-01T00:00:00Z" }, 99, "price_held"],
];

for (const [what, product, price, guard] of CASES) {
  Deno.test(`a person needs a reason to set a price ${what}, by patch and in bulk`, async () => {
    const [app, id] = await startWith(product);
    await using _ = app;
    const refused = ["conflict", guard, true] as const;
    assertEquals(await refusalBy(patch(app, id, { ourPrice: price })), refused);
    const invisible = { ourPrice: price, reason: "\u200b\u2060 \ufe0f" };
    assertEquals(await refusalBy(patch(app, id, invisible)), refused);
    const prices = [{ id, currency: "EUR", seenCents: 10_000, ourPriceCents: price * 100 }];
    const bulk = async (more: object) =>
      (await app.manager.act("/api/products/bulk/prices", { prices, ...more }))
        .results[0];
    assertEquals((await bulk({})).error?.code, "conflict");
    assertEquals(await priceOf(app.owner, id), 10_000);
    assertEquals((await bulk({ reason: "Clearance" })).ok, true);
    assertEquals(await priceOf(app.owner, id), price * 100);
    const { items } = await app.owner.read(`/api/audit-logs?resource=product:${id}`);
    ok(items.some(({ reason }: { reason?: string }) => reason === "Clearance"));
  });
}

Deno.test("a key sets any price, even against limits that people have set", async () => {
  const [app, id] = await startWith({ minPrice: 70, priceLocked: true });
  await using _ = app;
  const key = await app.key(["products:write"]);
  const items = [{ sku: "A", title: "A", ourPrice: 40 }];
  await key.act("/api/public/v1/products/batch", { items });
  assertEquals(await priceOf(app.owner, id), 4_000);
});

Deno.test("two small steps count as one large change, measured from the price of 24 hours ago", async () => {
  const [app, id] = await startWith({});
  await using _ = app;
  await app.owner.change("/api/settings", { approval: { beyondPct: 10, people: 2 } });
  await bodyOf(patch(app, id, { ourPrice: 91 }), 200);
  const reasoned = { ourPrice: 83, reason: "Clearance" };
  assertEquals(await refusalBy(patch(app, id, reasoned)), [
    "conflict",
    "approval_needed",
    undefined,
  ]);
  await bodyOf(patch(app, id, { ourPrice: 100 }), 200);
  await bodyOf(patch(app, id, { ourPrice: 91 }), 200);
  app.clock.advance(24 * HOUR_MS + 1_000);
  await bodyOf(patch(app, id, { ourPrice: 83 }), 200);
  assertEquals(await priceOf(app.owner, id), 8_300);
});

/** Applies a proposal that changes the price from 100.00 to 90.00. */
async function apply(app: TestApp) {
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  const productId = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  const [proposal] = await proposals(app.owner, "status=open");
  ok(proposal);
  await app.manager.act(`/api/proposals/${proposal.id}/approve`);
  return { id: proposal.id, productId };
}

withApp.test("a rollback to a price beyond a newer limit needs a reason", async (app) => {
  const { id, productId } = await apply(app);
  await bodyOf(patch(app, productId, { maxPrice: 95 }), 200);
  const path = `/api/proposals/${id}/rollback`;
  assertEquals(await refusalBy(app.manager.post(path)), ["conflict", "max_price", true]);
  await app.manager.act(path, { reason: "Accepted by mistake" });
  assertEquals(await priceOf(app.owner, productId), 10_000);
});

withApp.test("an approval does not count once the person may no longer decide", async (app) => {
  await app.owner.change("/api/settings", { approval: { beyondPct: 5, people: 2 } });
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  const productId = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await untilJudged(app);
  const [proposal] = await proposals(app.owner, "status=open");
  ok(proposal);
  const path = `/api/proposals/${proposal.id}/approve`;
  const { approval } = await app.manager.act(path);
  await app.owner.change(`/api/users/${approval.by[0].id}`, { role: "viewer" });
  const second = await app.owner.act(path);
  assertEquals([second.status, second.approval.by.length], ["open", 1]);
  const third = createCaller(app.base, { Cookie: await app.newSession("manager") });
  assertEquals((await third.act(path)).status, "applied");
  assertEquals(await priceOf(app.owner, productId), 9_000);
});
