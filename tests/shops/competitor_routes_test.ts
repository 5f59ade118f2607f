import { assertFields, refuses } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok, strictEqual } from "node:assert/strict";
import { type CompetitorDocument, competitorsById } from "../../src/shops/competitor_store.ts";
import type { Caller } from "../caller.ts";
import { actionsOf, addMatch, addProduct, listShops, withCheckedApp } from "./shop.ts";

const PATH = "/api/competitors";

function add(caller: Caller, body: Record<string, unknown>): Promise<CompetitorDocument> {
  return caller.create(PATH, body);
}

withCheckedApp.test("POST /api/competitors normalises the domain and fills in defaults", async (app) => {
  const made = await add(app.manager, { domain: "https://WWW.Müller.de/", country: "de" });
  const { id, createdAt, ...fields } = made;
  assertEquals(fields, {
    colour: 1,
    domain: "xn--mller-kva.de",
    displayName: "xn--mller-kva.de",
    country: "DE",
    enabled: true,
    pricesIncludeVat: null,
    extractor: null,
    groups: [],
    isMarketplace: false,
    sellerNames: [],
    ownSellerNames: [],
    trackedProducts: 0,
    updatedAt: createdAt,
    health: { ok24h: 0, failed24h: 0, downSince: null, lastError: null, due: 0, perDayMax: 43_200 },
  });
  assertEquals(await app.viewer.read(`${PATH}/${id}`), made);
});

withCheckedApp.test("POST /api/competitors answers 409 to the loser of a race for a domain", async (app) => {
  const answers = await Promise.all(
    ["shop.de", "www.shop.de", "SHOP.de"].map((domain) => app.manager.post(PATH, { domain })),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  const [shop] = await listShops(app.viewer);
  const holders = bodies.flatMap(({ error }) => error ? [error.details.competitorId] : []);
  assertEquals(holders, [shop?.id, shop?.id]);
});

withCheckedApp.test("POST /api/competitors refuses non-public hosts and invalid fields", async (app) => {
  const refusals = [
    { domain: "" },
    { domain: "localhost" },
    { domain: "192.168.1.1" },
    { domain: "shop.de/p" },
    { country: "Germany" },
    { extractor: { priceSelector: "div[" } },
    { extractor: { jsonPath: "price" } },
    { groups: [" "] },
    { groups: ["a\u0000b"] },
    { groups: ["x".repeat(61)] },
    { groups: Array.from({ length: 21 }, (_, at) => `Group ${at}`) },
  ];
  for (const refused of refusals) {
    const body = { domain: "shop.de", ...refused };
    await refuses(app.manager.post(PATH, body), "validation_failed", JSON.stringify(refused));
  }
  assertEquals(await listShops(app.viewer), []);
});

withCheckedApp.test("PATCH /api/competitors/{id} merges, resets by null, and writes nothing without a change", async (app) => {
  const made = await add(app.manager, { domain: "shop.de", displayName: "Shop", country: "DE" });
  const path = `${PATH}/${made.id}`;
  app.clock.advance(1_000);
  assertEquals(await app.manager.change(path, {}), made);
  assertEquals(await app.manager.change(path, made), made);
  const patch = { displayName: "The Shop", pricesIncludeVat: true };
  const extractor = { priceSelector: "#p" };
  const changed: CompetitorDocument = await app.manager.change(path, { ...patch, extractor });
  ok(changed.updatedAt > made.updatedAt);
  const none = { displayName: null, country: null, extractor: null, enabled: null };
  const reset: CompetitorDocument = await app.manager.change(path, none);
  assertFields(reset, { displayName: "shop.de", country: null, extractor: null, enabled: true });
  assertEquals(reset.pricesIncludeVat, true);
  const actions = ["create", "update", "update"].map((verb) => `competitor.${verb}`);
  assertEquals(await actionsOf(app.owner, `competitor:${made.id}`), actions);
});

withCheckedApp.test("PATCH /api/competitors/{id} moves the domain, and refuses a taken one", async (app) => {
  const one = await add(app.manager, { domain: "one.de" });
  await add(app.manager, { domain: "two.de" });
  const path = `${PATH}/${one.id}`;
  await refuses(app.manager.patch(path, { domain: "www.two.de" }), "conflict");
  const moved: CompetitorDocument = await app.manager.change(path, { domain: "three.de" });
  assertFields(moved, { domain: "three.de", displayName: "three.de" });
  await add(app.manager, { domain: "one.de" });
});

withCheckedApp.test("a disabled competitor tracks nothing until it is enabled again", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { competitorId } = await addMatch(app.manager, productId, "https://shop.de/1");
  for (const [enabled, tracked] of [[true, 1], [false, 0], [true, 1]] as const) {
    const shop = await app.manager.change(`${PATH}/${competitorId}`, { enabled });
    assertEquals(shop.trackedProducts, tracked);
  }
});

withCheckedApp.test("competitorsById() keeps unchanged competitors in memory", async (app) => {
  const { id } = await add(app.manager, { domain: "eins.example" });
  const find = async () => (await competitorsById(app)).get(id);
  const first = await find();
  ok(first);
  strictEqual(await find(), first);
  await app.manager.change(`${PATH}/${id}`, { displayName: "Eins" });
  assertEquals((await find())?.displayName, "Eins");
});
