import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf, refusalOf } from "../api/answers.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";
import { auditOf } from "./shop.ts";

const PATH = "/api/competitors";

async function shopAt(app: TestApp, domain: string): Promise<{ id: string }> {
  const { items } = await bodyOf(app.owner.get(PATH), 200);
  return items.find((one: { domain: string }) => one.domain === domain);
}

withApp.test("groups and seller names are trimmed, unique ignoring case, audited, and reset by null", async (app) => {
  const made = await bodyOf(
    app.manager.post(PATH, {
      domain: "riese.example",
      groups: ["  Online ", "ONLINE", "Große"],
      isMarketplace: true,
      sellerNames: ["Riese", "riese"],
    }),
    201,
  );
  const settings = { groups: ["Online", "Große"], isMarketplace: true, sellerNames: ["Riese"] };
  const settingsOf = ({ groups, isMarketplace, sellerNames }: typeof settings) => ({
    groups,
    isMarketplace,
    sellerNames,
  });
  assertEquals(settingsOf(made), settings);
  const key = await app.key([]);
  const { data: [listed] } = await bodyOf(key.get("/api/public/v1/competitors"), 200);
  assertEquals(settingsOf(listed), settings);
  const path = `${PATH}/${made.id}`;
  assertEquals(settingsOf(await bodyOf(app.manager.patch(path, { groups: ["Große"] }), 200)), {
    ...settings,
    groups: ["Große"],
  });
  const cleared = { groups: null, isMarketplace: null, sellerNames: null };
  assertEquals(settingsOf(await bodyOf(app.manager.patch(path, cleared), 200)), {
    groups: [],
    isMarketplace: false,
    sellerNames: [],
  });
  const audited = await auditOf(app.owner, `competitor:${made.id}`);
  assertEquals(audited.slice(1).map(([, , after]) => after), [
    { groups: ["Große"] },
    { groups: [], isMarketplace: false, sellerNames: [] },
  ]);
});

withApp.test("a competitor of an earlier version is in no group and no marketplace", async (app) => {
  await bodyOf(app.manager.post(PATH, { domain: "old.example", displayName: "Old" }), 201);
  for await (const { key, value } of app.store.kv.list<object>({ prefix: ["c"] })) {
    const { groups: _g, isMarketplace: _m, sellerNames: _s, ...before } = value as Record<
      string,
      unknown
    >;
    await app.store.kv.set(key, before);
  }
  const { groups, isMarketplace, sellerNames, displayName } = await bodyOf(
    app.viewer.get(`${PATH}/${(await shopAt(app, "old.example")).id}`),
    200,
  );
  assertEquals([groups, isMarketplace, sellerNames, displayName], [[], false, [], "Old"]);
});

withApp.test("PATCH /api/settings takes own shipping as a decimal or in minor units, and refuses invalid amounts", async (app) => {
  const path = "/api/settings";
  const shipping = async (body: Record<string, unknown>) => {
    const { ownShipping, ownShippingCents } = await bodyOf(app.owner.patch(path, body), 200);
    return [ownShipping, ownShippingCents];
  };
  assertEquals(await shipping({}), [null, null]);
  assertEquals(await shipping({ ownShipping: 4.95 }), [495, 495]);
  assertEquals(await shipping({ ownShipping: "5.90" }), [590, 590]);
  assertEquals(await shipping({ ownShippingCents: 0 }), [0, 0]);
  assertEquals(await shipping({ ownShipping: null }), [null, null]);
  assertEquals(await shipping({ ownShipping: 4.95, currency: "USD" }), [495, 495]);
  const refusals: readonly Record<string, unknown>[] = [
    { ownShipping: -1 },
    { ownShipping: 4.955 },
    { ownShipping: "4,95" },
    { ownShipping: "9".repeat(40) },
    { ownShippingCents: 1.5 },
    { ownShippingCents: 10 ** 12 + 1 },
    // A client that reads `ownShipping` in minor units may not send it back as a decimal.
    { ownShipping: 495, ownShippingCents: 495 },
    { currency: "JPY" },
  ];
  for (const body of refusals) {
    const { code } = await refusalOf(app.owner.patch(path, body));
    assertEquals([body, code], [body, "validation_failed"]);
  }
  assertEquals(await shipping({ currency: "JPY", ownShipping: 500 }), [500, 500]);
  assertEquals(await shipping({ currency: "EUR", ownShippingCents: null }), [null, null]);
});

withApp.test("a rule with groups compares only their shops from the next price on, and the trace names the others", async (app) => {
  await addRule(app.owner, { when: { trigger: "competitor_undercut", groups: ["Baumärkte"] } });
  const productId = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 80], ["A", "bravo", 90]]);
  const decision = async () => {
    await untilJudged(app);
    const { items: [one] } = await bodyOf(
      app.viewer.get(`/api/products/${productId}/decisions`),
      200,
    );
    return one;
  };
  assertEquals((await decision()).wouldFire, false);
  const { id } = await shopAt(app, "bravo.example");
  await bodyOf(app.manager.patch(`${PATH}/${id}`, { groups: ["baumärkte"] }), 200);
  const { proposedCents, trace } = await decision();
  assertEquals(proposedCents, 9_000);
  assertEquals(
    trace.leftOut.map(({ competitor, why }: Record<string, unknown>) => [competitor, why]),
    [["acme.example", "competitor_excluded"]],
  );
  // Groups of a rule do not filter the market that people see.
  const key = await app.key([]);
  const { data: [row] } = await bodyOf(key.get("/api/public/v1/market"), 200);
  assertEquals([row.offers, row.cheapestCents], [2, 8_000]);
});

withApp.test("own shipping of product and workspace lowers the price against offers with delivery", async (app) => {
  await bodyOf(app.owner.patch("/api/settings", { ownShipping: 4.95 }), 200);
  await addRule(app.owner, { when: { trigger: "competitor_undercut", withShipping: true } });
  const plain = await addProduct(app.owner, "A");
  const own = await addProduct(app.owner, "B", { shippingPrice: 0 });
  await push(app, [["A", "acme", 90], ["B", "acme", 90]]);
  await untilJudged(app);
  for (const [id, expected, shipping] of [[plain, 8_505, 495], [own, 9_000, 0]] as const) {
    const { items: [one] } = await bodyOf(app.viewer.get(`/api/products/${id}/decisions`), 200);
    assertEquals([one.proposedCents, one.trace.inputs.ownShippingCents], [expected, shipping]);
  }
});
