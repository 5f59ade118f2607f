import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { assertFields, refuses } from "../api/answers.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { withApp } from "../harness.ts";
import { auditOf } from "./shop.ts";

const PATH = "/api/competitors";

withApp.test("groups and seller names are trimmed, unique ignoring case, audited, and reset by null", async (app) => {
  const made = await app.manager.create(PATH, {
    domain: "riese.example",
    groups: ["  Online ", "ONLINE", "Große"],
    isMarketplace: true,
    sellerNames: ["Riese", "riese"],
  });
  const settings = { groups: ["Online", "Große"], isMarketplace: true, sellerNames: ["Riese"] };
  assertFields(made, settings);
  const { data: [listed] } = await (await app.key([])).read("/api/public/v1/competitors");
  assertFields(listed, settings);
  const path = `${PATH}/${made.id}`;
  const groups = ["Große"];
  assertFields(await app.manager.change(path, { groups }), { ...settings, groups });
  const cleared = { groups: null, isMarketplace: null, sellerNames: null };
  const none = { groups: [], isMarketplace: false, sellerNames: [] };
  assertFields(await app.manager.change(path, cleared), none);
  const audited = await auditOf(app.owner, `competitor:${made.id}`);
  assertEquals(audited.slice(1).map(([, , after]) => after), [{ groups }, none]);
});

withApp.test("a competitor of an earlier version is in no group and no marketplace", async (app) => {
  const { id } = await app.manager.create(PATH, { domain: "old.example", displayName: "Old" });
  for await (const { key, value } of app.store.kv.list<object>({ prefix: ["c"] })) {
    const { groups: _g, isMarketplace: _m, sellerNames: _s, ...before } = Object(value);
    await app.store.kv.set(key, before);
  }
  const read = await app.viewer.read(`${PATH}/${id}`);
  assertFields(read, { groups: [], isMarketplace: false, sellerNames: [], displayName: "Old" });
});

withApp.test("PATCH /api/settings takes own shipping as a decimal or in minor units, and refuses invalid amounts", async (app) => {
  const path = "/api/settings";
  const shipping = async (body: Record<string, unknown>) => {
    const { ownShipping, ownShippingCents } = await app.owner.change(path, body);
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
    { ownShippingCents: 10 ** 12 + 1 },
    // In responses, both fields are in minor units. Sending them back unchanged is refused, because
    // `ownShipping` would mean 495.00.
    { ownShipping: 495, ownShippingCents: 495 },
    { currency: "JPY" },
  ];
  for (const body of refusals) {
    await refuses(app.owner.patch(path, body), "validation_failed", JSON.stringify(body));
  }
  assertEquals(await shipping({ currency: "JPY", ownShipping: 500 }), [500, 500]);
  assertEquals(await shipping({ currency: "EUR", ownShippingCents: null }), [null, null]);
});

withApp.test("own shipping of product and workspace lowers the price against offers with delivery", async (app) => {
  await app.owner.change("/api/settings", { ownShipping: 4.95 });
  await addRule(app.owner, { when: { trigger: "competitor_undercut", withShipping: true } });
  const plain = await addProduct(app.owner, "A");
  const own = await addProduct(app.owner, "B", { shippingPrice: 0 });
  await push(app, [["A", "acme", 90], ["B", "acme", 90]]);
  await untilJudged(app);
  for (const [id, expected, shipping] of [[plain, 8_505, 495], [own, 9_000, 0]] as const) {
    const { items: [one] } = await app.viewer.read(`/api/products/${id}/decisions`);
    assertEquals([one.proposedCents, one.trace.inputs.ownShippingCents], [expected, shipping]);
  }
});
