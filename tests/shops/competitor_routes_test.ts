import { assertFields, column, refuses, valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, ok, strictEqual } from "node:assert/strict";
import {
  type CompetitorDocument,
  competitors,
  competitorsById,
  leavingCompetitors,
} from "../../src/shops/competitor_store.ts";
import type { Caller } from "../caller.ts";
import {
  actionsOf,
  addMatch,
  addProduct,
  auditOf,
  disagreements,
  linksOf,
  listShops,
  withCheckedApp,
} from "./shop.ts";
import { addProducts } from "../rules/evaluation/market.ts";
import { withApp } from "../harness.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { automaticShops } from "../../src/shops/pages/found_page_store.ts";
import { NO_LESSONS, shopLessons } from "../../src/shops/pages/recipe_store.ts";
import { finishDeletions } from "../../src/shops/change_competitor.ts";
import { addLink, requireTarget } from "../../src/shops/matches/change_match.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";
import { contextOf } from "../platform/jobs/counting.ts";

const PATH = "/api/competitors";

function add(caller: Caller, body: Record<string, unknown>): Promise<CompetitorDocument> {
  return caller.create(PATH, body);
}

withCheckedApp.test("POST /api/competitors normalises the domain and fills in defaults", async (app) => {
  const made = await add(app.manager, { domain: "https://WWW.Müller.de/", country: "de" });
  const domain = "xn--mller-kva.de";
  const defaults = { colour: 1, enabled: true, pricesIncludeVat: null, trackedProducts: 0 };
  assertFields(made, { domain, displayName: domain, country: "DE", ...defaults });
  assertFields(made, { groups: [], isMarketplace: false, sellerNames: [], ownSellerNames: [] });
  const health = { ok24h: 0, failed24h: 0, downSince: null, lastError: null, due: 0 };
  assertFields(made, { extractor: null, health: { ...health, perDayMax: 43_200 } });
  assertEquals(made.updatedAt, made.createdAt);
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
  const many = Array.from({ length: 21 }, (_, at) => `Group ${at}`);
  const refusals = [
    ...["localhost", "192.168.1.1"].map((domain) => ({ domain })),
    ...[[" "], ["a\u0000b"], ["x".repeat(61)], many].map((groups) => ({ groups })),
    { country: "Germany" },
    { extractor: { priceSelector: "div[" } },
  ];
  for (const refused of refusals) {
    const body = { domain: "shop.de", ...refused };
    await refuses(app.manager.post(PATH, body), "validation_failed", JSON.stringify(refused));
  }
  assertEquals(await listShops(app.viewer), []);
});

withCheckedApp.test("PATCH /api/competitors/{id} merges, resets by null, and moves the domain unless it is taken", async (app) => {
  const made = await add(app.manager, { domain: "shop.de", displayName: "Shop", country: "DE" });
  const path = `${PATH}/${made.id}`;
  app.clock.advance(1_000);
  const extractor = { priceSelector: "#p" };
  const patch = { displayName: "The Shop", pricesIncludeVat: true, extractor };
  const changed: CompetitorDocument = await app.manager.change(path, patch);
  ok(changed.updatedAt > made.updatedAt);
  const none = { displayName: null, country: null, extractor: null, enabled: null };
  const reset: CompetitorDocument = await app.manager.change(path, none);
  assertFields(reset, { displayName: "shop.de", country: null, extractor: null, enabled: true });
  assertEquals(reset.pricesIncludeVat, true);
  await add(app.manager, { domain: "two.de" });
  await refuses(app.manager.patch(path, { domain: "www.two.de" }), "conflict");
  const moved: CompetitorDocument = await app.manager.change(path, { domain: "three.de" });
  assertFields(moved, { domain: "three.de", displayName: "three.de" });
  await add(app.manager, { domain: "shop.de" });
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

withCheckedApp.test("DELETE /api/competitors/{id} deletes its matches, in as many commits as needed", async (app) => {
  const skus = Array.from({ length: 11 }, (_, n) => `A-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  const urls = (n: number) => [`gone.de/${n}`, `gone.de/${n}/other`, `stays.de/${n}`];
  const links = skus.flatMap((sku, n) => urls(n).map((url) => ({ sku, url: `https://${url}` })));
  await app.manager.act("/api/competitor-products/bulk", { links });
  const gone = (await listShops(app.viewer)).find(({ domain }) => domain === "gone.de")!;
  assertEquals(gone.trackedProducts, 11);
  await transact(app, (write) => {
    shopLessons.put(write, app, { ...NO_LESSONS, competitorId: gone.id });
    automaticShops.put(write, app, { competitorId: gone.id, linkIds: [] });
  });
  const path = `${PATH}/${gone.id}`;
  await app.manager.remove(path);
  await refuses(app.manager.delete(path), "not_found");
  await refuses(app.viewer.get(path), "not_found");
  const left = await listShops(app.viewer);
  assertEquals(valuesOf(left, "domain", "trackedProducts"), [["stays.de", 11]]);
  assertEquals(column(await linksOf(app.viewer), "domain"), Array(11).fill("stays.de"));
  const actions = await actionsOf(app.owner, `competitor:${gone.id}`);
  assertEquals(actions, ["competitor.create", "competitor.delete"]);
  const rows = await Array.fromAsync(app.store.kv.list({ prefix: [] }), ({ key }) => key);
  const isOfGone = (part: unknown) => part instanceof Uint8Array && part.toHex() === gone.id;
  assertEquals(rows.filter((key) => key.some(isOfGone)).map(([table]) => table), []);
});

withCheckedApp.test("an interrupted deletion hides everything after its first commit, and can be completed", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const match = await addMatch(app.manager, productId, "https://gone.de/1");
  const found = await competitors.find(app, { id: match.competitorId });
  await transact(app, (write) => {
    competitors.remove(write, app, found!);
    leavingCompetitors.put(write, app, found!.row);
  });

  const read = await app.viewer.read(`/api/products/${productId}`);
  assertEquals(read.competitorPrices, []);
  const page = await app.viewer.read("/api/competitor-products");
  assertEquals([page.items, page.nextCursor], [[], null]);
  await refuses(app.viewer.get(`/api/competitor-products/${match.id}`), "not_found");
  assertEquals((await disagreements(app)).length, 1);

  await finishDeletions({ ...app, ...app.app.clock });
  await finishDeletions({ ...app, ...app.app.clock });
  assertEquals(await disagreements(app), []);
  await addMatch(app.manager, productId, "https://gone.de/1");
});

withCheckedApp.test("DELETE /api/competitors/{id} leaves no match, even if one is created at the same time", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { id } = await add(app.manager, { domain: "shop.de" });
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  const input = { productId, url: "https://shop.de/1" };
  const target = requireTarget(input.url, NOTHING_ALLOWED);
  let deletion: Promise<unknown> | null = null;
  await transact(ctx, async (write) => {
    await addLink(write, ctx, input, target);
    await (deletion ??= app.manager.remove(`${PATH}/${id}`));
  });
});
