import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, refusalOf } from "../../api/answers.ts";
import { priceOf, propose } from "../evaluation/market.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { startDeafApp } from "../../held_store.ts";

const approve = (app: TestApp, id: string, body: unknown, query = "") =>
  app.manager.post(`/api/proposals/${id}/approve${query}`, body);

withApp.test("a counter-price is set instead of the proposed price, with its reason in the log", async (app) => {
  const { id, productId } = await propose(app);
  const body = { price: 93.5, priceCents: 9_350, reason: "  Lager\n voll " };
  const applied = await bodyOf(approve(app, id, body), 200);
  assertEquals(
    [applied.status, applied.proposedCents, applied.appliedCents, applied.decisionReason],
    ["applied", 9_000, 9_350, "Lager voll"],
  );
  assertEquals(await priceOf(app.owner, productId), 9_350);
  const log = await bodyOf(app.owner.get(`/api/audit-logs?resource=proposal:${id}`), 200);
  assertEquals([log.items[0].after.appliedCents, log.items[0].reason], [9_350, "Lager voll"]);
  const ofProduct = await bodyOf(
    app.owner.get(`/api/audit-logs?resource=product:${productId}`),
    200,
  );
  assertEquals(ofProduct.items.at(-1).reason, "Lager voll");
  const back = await bodyOf(app.manager.post(`/api/proposals/${id}/rollback`), 200);
  assertEquals([back.status, await priceOf(app.owner, productId)], ["rolled_back", 10_000]);
});

withApp.test("an approval without a price says which price was set", async (app) => {
  const { id } = await propose(app);
  const applied = await bodyOf(approve(app, id, {}), 200);
  assertEquals([applied.appliedCents, applied.decisionReason], [9_000, null]);
});

/**
 * With a net cost of 50.00 and a floor of 10 %, 55.55 is below the floor, 49.99 also below cost.
 */
for (const [price, guard] of [[55.55, "margin_floor"], [49.99, "margin_floor"]] as const) {
  withApp.test(`a counter-price of ${price} needs a reason: ${guard}`, async (app) => {
    const { id, productId } = await propose(app);
    const refused = await refusalOf(approve(app, id, { price }));
    assertEquals([refused.code, refused.details], ["conflict", { guard, needsReason: true }]);
    const blank = await refusalOf(approve(app, id, { price, reason: "  " }));
    assertEquals(blank.details, { guard, needsReason: true });
    await bodyOf(approve(app, id, { price, reason: "Ausverkauf" }), 200);
    assertEquals(await priceOf(app.owner, productId), price * 100);
  });
}

withApp.test("a counter-price below cost needs a reason even if the rule has no floor", async (app) => {
  const { id } = await propose(app, { marginFloor: null });
  const refused = await refusalOf(approve(app, id, { price: "49.99" }));
  assertEquals(refused.details, { guard: "below_cost", needsReason: true });
  const atCost = await bodyOf(approve(app, id, { price: "50.00" }), 200);
  assertEquals(atCost.appliedCents, 5_000);
});

withApp.test("an invalid counter-price is refused with the name of its field, and no price is set", async (app) => {
  const { id, productId } = await propose(app);
  const bodies = [
    { price: 0 },
    { price: -1 },
    { price: "90.001" },
    { price: 90, priceCents: 90 },
    { price: "much" },
    { price: 1e15 },
  ];
  for (const body of bodies) {
    const { code, details } = await refusalOf(approve(app, id, body));
    const at = JSON.stringify(body);
    assertEquals([at, code, details.fields[0].path], [at, "validation_failed", "price"]);
  }
  assertEquals(await priceOf(app.owner, productId), 10_000);
});

withApp.test("cents sent as euros are accepted if confirmed", async (app) => {
  const { id, productId } = await propose(app);
  const refused = await refusalOf(approve(app, id, { price: 10_000 }));
  assertEquals(refused.code, "price_unit_suspicious");
  await bodyOf(approve(app, id, { price: 10_000 }, "?allowLargeChange=true"), 200);
  assertEquals(await priceOf(app.owner, productId), 1_000_000);
});

Deno.test("a reason does not override other objections", async () => {
  await using app = await startDeafApp();
  const { id, productId } = await propose(app);
  const same = await refusalOf(approve(app, id, { price: 100, reason: "r" }));
  assertEquals(same.details, { guard: "no_change" });
  // If the change were relayed, rules would close the proposal.
  app.deafen();
  await bodyOf(app.owner.patch(`/api/products/${productId}`, { priceLocked: true }), 200);
  const locked = await refusalOf(approve(app, id, { price: 93, reason: "r" }));
  assertEquals(locked.details, { guard: "price_locked" });
});

withApp.test("a key can set a counter-price with a reason", async (app) => {
  const { id } = await propose(app);
  const key = await app.key(["proposals:write"]);
  const path = `/api/public/v1/proposals/${id}/approve`;
  const { data } = await bodyOf(key.post(path, { price: "92.00", reason: "Aktion" }), 200);
  assertEquals([data.appliedCents, data.decisionReason], [9_200, "Aktion"]);
});
