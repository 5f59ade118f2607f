import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { finishedExports } from "../../../src/catalogue/prices/awaited_price_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { positionOf } from "../../../src/shops/observations/observation.ts";
import { ofProduct, readOwned } from "../../../src/shops/observations/read_observations.ts";
import { recordFetch } from "../../../src/shops/recording/record_observation.ts";
import { column, everyItem, refuses, valuesOf } from "../../api/answers.ts";
import { contextOf } from "../../bench/seed_catalogue.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { addProduct, addRule, push, untilJudged } from "../../rules/evaluation/market.ts";
import { addObservations } from "../../shops/observations/made_observations.ts";
import { linksOf } from "../../shops/shop.ts";

const chart = (app: TestApp, id: string, query = "") =>
  app.viewer.read(`/api/products/${id}/chart?${query}`);

const hoursFrom = (start: Date) => (hours: number) =>
  new Date(start.getTime() + hours * HOUR_MS).toISOString();

interface Item {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly title: string;
  readonly data: Record<string, unknown>;
}

function timeline({ viewer }: TestApp, id: string, query = ""): Promise<Item[]> {
  return everyItem(viewer, `/api/products/${id}/timeline?${query}`);
}

withApp.test("a chart has our price and each shop's per piece as steps, with gaps without observations", async (app) => {
  const id = await addProduct(app.owner, "A");
  const at = hoursFrom(app.clock.now());
  await push(app, [["A", "acme", 60], ["A", "bolt", 11]]);
  const links = await linksOf(app.viewer, `productId=${id}`);
  const acme = links.find(({ competitor }) => competitor === "acme.example");
  await app.owner.change(`/api/competitor-products/${acme?.id}`, { packFactor: 6 });
  app.clock.advance(24 * HOUR_MS);
  await push(app, [["A", "acme", 60], ["A", "bolt", 10]]);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 90 });
  app.clock.advance(96 * HOUR_MS);
  await push(app, [["A", "bolt", 10]]);
  await push(app, [["A", "bolt", 99]], { currency: "USD", observedAt: at(119) });
  const answer = await chart(app, id, "days=7");
  assertEquals(answer.own, [[at(0), 10_000], [at(24), 9_000]]);
  assertEquals([answer.from, answer.to, answer.currency], [at(120 - 7 * 24), at(120), "EUR"]);
  const gaps = [[at(72), at(120)]];
  const steps = [[at(0), 1_100], [at(24), 1_000], [at(120), 1_000]];
  const names = ["competitor", "packFactor", "points", "gaps", "lastSeenAt"];
  assertEquals(valuesOf(answer.shops, ...names), [
    ["acme.example", 6, [[at(0), 1_000]], gaps, at(24)],
    ["bolt.example", 1, steps, gaps, at(120)],
  ]);
  // The observations of a deleted link stay.
  await app.owner.remove(`/api/competitor-products/${acme?.id}`);
  const after = await chart(app, id, "days=30");
  assertEquals(column(after.shops, "competitor").sort(), ["acme.example", "bolt.example"]);
});

withApp.test("a chart's line ends at the last successful fetch of a page whose fetches fail now", async (app) => {
  const id = await addProduct(app.owner, "A");
  const at = hoursFrom(app.clock.now());
  // A pushed price is valid for 2.5 days, so daily pushes leave no gap.
  for (let day = 0; day < 6; day++) {
    await push(app, [["A", "acme", 60 + day]]);
    app.clock.advance(DAY_MS);
  }
  const lineOf = async () => {
    const { shops: [{ points, gaps }] } = await chart(app, id, "days=7");
    return { last: points.at(-1), gaps };
  };
  assertEquals(await lineOf(), { last: [at(120), 6_500], gaps: [] });
  const [{ id: matchId } = { id: "" }] = await linksOf(app.viewer, `productId=${id}`);
  const ctx = { ...app, now: app.clock.now };
  const product = { id, sku: "A", costPriceCents: null, ourPriceCents: 10_000, currency: "EUR" };
  const message = "The shop answers 503";
  const fetched = { kind: "failed", errorCode: "http_error", message } as const;
  await transact(ctx, (write) => recordFetch(write, ctx, { product, matchId }, fetched));
  assertEquals(await lineOf(), { last: [at(120), 6_500], gaps: [[at(120), at(144)]] });
});

withApp.test("a chart shows prices on our side of VAT, and none that would need an unknown rate", async (app) => {
  const id = await addProduct(app.owner, "A", { vatRatePct: 19 });
  const without = await addProduct(app.owner, "B");
  await push(app, [["A", "acme", 10], ["B", "acme", 10]]);
  const { items: [acme] } = await app.viewer.read("/api/competitors");
  await app.owner.change(`/api/competitors/${acme.id}`, { pricesIncludeVat: true });
  const now = app.clock.now().toISOString();
  assertEquals((await chart(app, id)).shops[0].points, [[now, 840]]);
  const { points, gaps, lastSeenAt } = (await chart(app, without)).shops[0];
  assertEquals([points, gaps, lastSeenAt], [[], [], now]);
});

withApp.test("chart and timeline of a deleted product are found only on request", async (app) => {
  const id = await addProduct(app.owner, "A");
  for (const query of ["days=8", "days=", "to=1"]) {
    await refuses(app.viewer.get(`/api/products/${id}/chart?${query}`), "validation_failed");
  }
  await refuses(app.viewer.get(`/api/products/${id}/timeline?types=move,x`), "validation_failed");
  await app.owner.remove(`/api/products/${id}`);
  for (const what of ["chart", "timeline"]) {
    const path = `/api/products/${id}/${what}`;
    assertEquals((await app.viewer.get(path)).status, 404);
    await app.viewer.read(`${path}?includeDeleted=true`);
  }
});

withApp.test("a timeline lists competitors, rules, people and imports, newest first, in pages of any size", async (app) => {
  const { owner } = app;
  const id = await addProduct(owner, "A");
  await addRule(owner);
  const tick = () => app.clock.advance(HOUR_MS);
  tick();
  await push(app, [["A", "acme", 95]]);
  await untilJudged(app);
  tick();
  await push(app, [["A", "acme", 92]], { inStock: false });
  tick();
  await push(app, [["A", "acme", 92]]);
  await untilJudged(app);
  tick();
  await owner.change(`/api/products/${id}`, { ourPrice: 94 });
  tick();
  await owner.change(`/api/products/${id}`, { brand: "Bosch", ourPrice: 93 });
  await untilJudged(app);
  tick();
  const key = await app.key(["products:write"]);
  const imported = await importXml(key, itemsXml([{ sku: "A", price: "91" }]));
  assertEquals(imported.data.stats.updated, 1, JSON.stringify(imported));
  await untilJudged(app);
  const items = await timeline(app, id);
  const told = items.filter(({ type }) => type !== "alert" && type !== "proposal")
    .map(({ type, title, data: { kind, action, fromCents, toCents, changePct } }) =>
      [type, title, kind ?? action, fromCents, toCents, changePct].join()
    );
  assertEquals(told, [
    "import,upload,,9300,9100,",
    "price,A,,9400,9300,",
    "edit,product.update,product.update,,,",
    "price,A,,10000,9400,",
    "move,acme.example,back_in_stock,9200,9200,0",
    "move,acme.example,sold_out,9500,9200,-3.16",
    "move,acme.example,new_offer,,9500,",
    "price,A,,,10000,",
    "edit,product.create,product.create,,,",
  ]);
  const decided = items.filter(({ type }) => type === "proposal").map(({ data }) => data.event);
  ok(decided.includes("made") && decided.includes("decided"), JSON.stringify(decided));
  const times = items.map(({ at }) => at);
  assertEquals(times, times.toSorted().reverse());
  assertEquals(new Set(items.map((item) => item.id)).size, items.length);
  for (const limit of [1, 2, 3]) assertEquals(await timeline(app, id, `limit=${limit}`), items);
  const some = await timeline(app, id, "types=move,import");
  assertEquals(some, items.filter(({ type }) => type === "move" || type === "import"));
});

withApp.test("a timeline of a product with very many observations continues page by page to its end", async (app) => {
  const ctx = contextOf(app);
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 100]]);
  const newest = { fromMs: 0, toMs: Infinity, order: "desc", after: null } as const;
  const [last] = await readOwned(ctx, ofProduct(id), newest, 1);
  ok(last);
  // Of 20,500 earlier observations, only the two oldest have a price other than 100.
  const startMs = app.clock.now().getTime() - 20 * DAY_MS;
  const earlier = Array.from({ length: 20_500 }, (_, n) => {
    const priceCents = n < 2 ? 9_000 + n : 10_000;
    const observation = { ...last.observation, priceCents, observedAtMs: startMs + n * 60_000 };
    return { ...positionOf(observation), observation };
  });
  await addObservations(ctx, id, earlier, false);
  const first = await app.viewer.read(`/api/products/${id}/timeline?types=move`);
  assertEquals(first.count, 0);
  ok(first.nextCursor !== null);
  const kinds = (await timeline(app, id, "types=move")).map(({ data }) => data.kind);
  assertEquals(kinds, ["up", "up", "new_offer"]);
});

withApp.test("a timeline has the first complete export of a change, and no interrupted one", async (app) => {
  const { owner, clock } = app;
  const id = await addProduct(owner, "A");
  await addProduct(owner, "B");
  const key = await app.key(["proposals:read"]);
  const exported = async () =>
    (await timeline(app, id, "types=export")).map(({ title, data: { rows, toldAt } }) =>
      [title, rows, toldAt].join(" ")
    );
  const createdAt = clock.now().toISOString();
  clock.advance(HOUR_MS);
  const path = "/api/public/v1/price-changes";
  const first = await key.read(`${path}?limit=1`);
  assertEquals(await exported(), []);
  const second = await key.read(`${path}?limit=1&cursor=${first.nextCursor}`);
  assertEquals(await exported(), [`json 2 ${createdAt}`]);
  const since = encodeURIComponent(second.nextSince);
  // Empty and repeated exports are not in the timeline.
  await key.read(`${path}?since=${since}`);
  await key.read(path);
  assertEquals((await exported()).length, 1);
  clock.advance(HOUR_MS);
  await owner.change(`/api/products/${id}`, { ourPrice: 94 });
  const changedAt = clock.now().toISOString();
  clock.advance(HOUR_MS);
  await (await key.get(`${path}?format=csv&since=${since}`)).text();
  await (await key.get(`${path}?format=xml`)).text();
  assertEquals(await exported(), [`csv 1 ${changedAt}`, `json 2 ${createdAt}`]);
  assertEquals(await finishedExports.sweep(app, new Date(clock.now().getTime() - HOUR_MS)), 1);
  // The json export was deleted, so the product's first price now belongs to the xml export.
  assertEquals(await exported(), [`xml 3 ${createdAt}`, `csv 1 ${changedAt}`]);
  assertEquals((await timeline(app, id, "types=export"))[0]?.data.from, null);
});
