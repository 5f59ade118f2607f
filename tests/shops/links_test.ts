import type { FileLink } from "../../src/shops/matches/link_plan.ts";
import { assertFields, column, statusOf, valuesOf } from "../api/answers.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { addMatch, addProduct, linksOf, listShops, withCheckedApp, withProduct } from "./shop.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import type { LinkResult } from "../../src/shops/matches/link_products.ts";
import type { CompetitorProduct, Visit } from "../../src/shops/matches/match.ts";
import { commitsOf, transact } from "../../src/platform/store/kv.ts";
import { addProducts } from "../rules/evaluation/market.ts";
import { schedules } from "../../src/scraping/schedule/schedule.ts";
import { openShop, priced } from "../scraping/hostile_shop.ts";
import {
  onlyResult,
  runTick,
  scrape,
  tickAndEnd,
  withCheckedScrapingApp,
} from "../scraping/scraping_app.ts";
import { addCompetitor } from "../../src/shops/competitor_store.ts";
import { contextOf } from "../platform/jobs/counting.ts";

function fileLink(url: string, more: Partial<FileLink> = {}): FileLink {
  return { url, name: null, domain: null, enabled: true, ...more };
}

/** Returns how many links were newly enabled, and how many were refused. */
async function importLinks(app: TestApp, sku: string, links: readonly FileLink[]) {
  const element = (name: string, text: string | null) => text ? `<${name}>${text}</${name}>` : "";
  const more = links.map(({ url, name, domain, enabled }) =>
    `<COMPETITOR>${element("NAME", name)}${element("DOMAIN", domain)}${element("URL", url)}` +
    `<ENABLED>${enabled ? "J" : "N"}</ENABLED></COMPETITOR>`
  );
  const key = await app.key(["products:write"]);
  const { data } = await importXml(key, itemsXml([{ sku, more: more.join("") }]));
  const { items } = await app.owner.read(`/api/imports/${data.jobId}/errors?limit=200`);
  const warnings = ["link_kept_off", "invalid_url"];
  const left = column(items, "code").filter((code) => warnings.includes(code));
  return [data.stats.competitorsLinked, left.length];
}

const URL_1 = "https://www.preisfuchs.example/p/1.html";
const on = fileLink(URL_1);
const off = fileLink(URL_1, { enabled: false });

const outcome = (app: TestApp, ...links: Parameters<typeof importLinks>[2]) =>
  importLinks(app, "A-1", links);

async function switchOf(app: TestApp): Promise<boolean | undefined> {
  return (await linksOf(app.viewer))[0]?.enabled;
}

withProduct.test("an import creates shops by domain and name, links once, and changes nothing the second time", async ({ app }) => {
  const links = [
    fileLink(URL_1, { domain: "preisfuchs.example", name: "Preisfuchs" }),
    fileLink("https://haus.example/1", { enabled: false }),
  ];
  assertEquals(await outcome(app, ...links), [1, 0]);
  const made = valuesOf(await listShops(app.viewer), "domain", "displayName", "trackedProducts");
  const preisfuchs = ["preisfuchs.example", "Preisfuchs", 1];
  assertEquals(made, [preisfuchs, ["haus.example", "haus.example", 0]]);
  const first = await linksOf(app.viewer);
  assertEquals(valuesOf(first, "source", "enabled"), [["import", true], ["import", false]]);
  assertEquals(await outcome(app, ...links), [0, 0]);
  assertEquals(await linksOf(app.viewer), first);
  // If two links have the same URL, in any spelling, the last link is used.
  const again = fileLink(`${URL_1}?utm_source=erp#top`, { enabled: false });
  const wrong = ["javascript:alert(1)", "http://192.168.1.10/p/1", "ftp://haus.example/1"];
  const named = fileLink("https://amzn.example/x", { domain: "WWW.Amazon.example" });
  const odd = fileLink("https://b.example/x", { domain: "no domain" });
  const others = [named, odd, ...wrong.map((url) => fileLink(url))];
  assertEquals(await outcome(app, ...links, again, ...others), [2, 3]);
  assertEquals(valuesOf(await linksOf(app.viewer), "domain", "enabled"), [
    ["preisfuchs.example", false],
    ["haus.example", false],
    ["amazon.example", true],
    ["b.example", true],
  ]);
});

withProduct.test("an import disables a link that a person created, and enables a link that an import disabled, but none that a person disabled, whatever the file says", async ({ app, productId }) => {
  await addMatch(app.manager, productId, URL_1);
  const steps = [];
  for (const link of [off, on, off, off]) {
    steps.push([...await outcome(app, link), await switchOf(app)]);
  }
  assertEquals(steps, [[0, 0, false], [1, 0, true], [0, 0, false], [0, 0, false]]);
  const [match] = await linksOf(app.viewer);
  const path = `/api/competitor-products/${match!.id}`;
  // Saving a link without a change does not prevent imports from enabling the link.
  await app.manager.change(path, match);
  assertEquals([await outcome(app, on), await switchOf(app)], [[1, 0], true]);
  await app.manager.change(path, { enabled: false });
  assertEquals([await outcome(app, on), await switchOf(app)], [[0, 1], false]);
  assertEquals([await outcome(app, off), await switchOf(app)], [[0, 0], false]);
  assertEquals([await outcome(app, on), await switchOf(app)], [[0, 1], false]);
  await app.manager.change(path, { enabled: true });
  assertEquals([await outcome(app, off), await outcome(app, on)], [[0, 0], [1, 0]]);
});

withProduct.test("an import links no URL that a person deleted or moved a match away from, and no deleted shop, until a person does", async ({ app, productId }) => {
  await outcome(app, on);
  const [match] = await linksOf(app.viewer);
  await app.manager.remove(`/api/competitor-products/${match!.id}`);
  assertEquals([await outcome(app, on), await outcome(app, off)], [[0, 1], [0, 0]]);
  assertEquals(await linksOf(app.viewer), []);
  const back = await addMatch(app.manager, productId, URL_1);
  assertEquals([await outcome(app, off), await outcome(app, on)], [[0, 0], [1, 0]]);
  assertEquals(column(await linksOf(app.viewer), "id"), [back.id]);
  const url = "https://www.preisfuchs.example/p/2.html";
  await app.manager.change(`/api/competitor-products/${back.id}`, { url });
  assertEquals(await outcome(app, on), [0, 1]);
  assertEquals(column(await linksOf(app.viewer), "url"), [url]);
  await app.manager.remove(`/api/competitors/${back.competitorId}`);
  assertEquals(await outcome(app, fileLink(url)), [0, 1]);
  assertEquals(await outcome(app, fileLink("https://preisfuchs.example/p/9")), [1, 0]);
});

withProduct.test("an import creates at most 200 links of a product", async ({ app }) => {
  const links = Array.from({ length: 202 }, (_, n) => fileLink(`https://shop.example/${n}`));
  assertEquals(await outcome(app, ...links.slice(0, 150)), [150, 0]);
  assertEquals(await outcome(app, ...links.slice(150)), [50, 2]);
  assertEquals((await linksOf(app.viewer)).length, 200);
});

const PATH = "/api/competitor-products/bulk";
const PUBLIC = "/api/public/v1/competitor-products/bulk";

async function link(app: TestApp, links: unknown[]): Promise<LinkResult[]> {
  const body = await app.manager.act<{ results: LinkResult[] }>(PATH, { links });
  return body.results;
}

withProduct.test("POST /api/competitor-products/bulk gives each link its own result, in order", async ({ app, productId }) => {
  const old = await addMatch(app.manager, productId, "https://shop.de/old");
  await addProduct(app.manager, "A-2");
  const gone = await addProduct(app.manager, "A-3");
  await app.manager.remove(`/api/products/${gone}`);
  const cases: readonly [link: object, outcome: string][] = [
    [{ sku: "A-2", url: "https://shop.de/2", packFactor: 6 }, "created"],
    [{ sku: "A-1", url: "https://shop.de/old#x" }, "existing"],
    [{ sku: "A-1", url: "https://shop.de/old", packFactor: 2 }, "changed"],
    [{ sku: "A-1", url: "https://shop.de/old", packFactor: 2 }, "existing"],
    [{ sku: "A-9", url: "https://shop.de/9" }, "not_found"],
    [{ sku: "A-3", url: "https://shop.de/3" }, "not_found"],
    [{ sku: "A-1", url: "http://10.0.0.1/" }, "validation_failed"],
    [{ sku: "A-1", url: "https://shop.de/x", packFactor: 0 }, "validation_failed"],
    [{ sku: "A-1", url: "https://shop.de/x", colour: "red" }, "validation_failed"],
    [{ sku: "A-1" }, "validation_failed"],
  ];
  const results = await link(app, cases.map(([one]) => one));
  const outcomes = results.map(({ status, error }) => status ?? error?.code);
  assertEquals(outcomes, cases.map(([, outcome]) => outcome));
  assertEquals(column(results, "index"), [...results.keys()]);
  assertEquals(column(results, "ok"), results.map(({ error }) => error === null));
  assertEquals(column(results.slice(1, 4), "competitorProductId"), Array(3).fill(old.id));
  const path = `/api/competitor-products/${results[0]?.competitorProductId}`;
  const made = await app.viewer.read<CompetitorProduct>(path);
  assertFields(made, { packFactor: 6, source: "manual" });
  const key = await app.key(["matches:write"]);
  const links = [{ sku: "A-2", url: "https://shop.de/2" }, { sku: "nobody", url: "no address" }];
  const { data, count } = await key.act(PUBLIC, { links });
  assertEquals([count, column(data, "ok")], [2, [true, false]]);
  assertEquals(data[0].competitorProductId, made.id);
});

withCheckedApp.test("many links need few commits, even if some are refused", async (app) => {
  const skus = Array.from({ length: 150 }, (_, n) => `SKU-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  const links = skus.flatMap((sku, n) => [
    { sku, url: `https://shop-${n % 3}.example/p/${n}` },
    { sku: n % 50 === 0 ? `${sku}-none` : sku, url: `https://shop-9.example/p/${n}` },
  ]);
  const before = commitsOf(app.store);
  const results = await link(app, links);
  const commits = commitsOf(app.store) - before;
  ok(commits < 100, `${links.length} links took ${commits} commits`);
  assertEquals(results.filter(({ status }) => status === "created").length, 297);
});

withCheckedScrapingApp.test("a key's link waits for the schedule, a person's is visited at once, and `visit` changes both", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const key = await app.key(["matches:write"]);
  const stands = async (productId: string): Promise<Visit> => {
    if (await tickAndEnd(app, productId) > 0) return "now";
    return await schedules.find(app, { productId }) === null ? "never" : "scheduled";
  };
  const cases: readonly (readonly [by: "person" | "key", visit: Visit | null, due: string])[] = [
    ["person", null, "now"],
    ["key", null, "scheduled"],
    ["person", "scheduled", "scheduled"],
    ["key", "now", "now"],
    ["key", "never", "never"],
  ];
  for (const [n, [by, visit, due]] of cases.entries()) {
    const productId = await addProduct(app.manager, `V-${n}`);
    const body = { links: [{ sku: `V-${n}`, url: `${shop.base}/p` }], ...(visit && { visit }) };
    const made = by === "key" ? await key.act(PUBLIC, body) : await app.manager.act(PATH, body);
    const [{ competitorProductId }] = made.data ?? made.results;
    const path = `/api/competitor-products/${competitorProductId}`;
    assertEquals((await app.viewer.read(path)).visit, due);
    assertEquals(await stands(productId), due, `${by} ${visit}`);
    if (due !== "never") continue;
    // A link with `visit: never` is visited only after its `visit` changes.
    await app.manager.change(path, { visit: "now" });
    assertEquals(await stands(productId), "now");
  }
});

withCheckedScrapingApp.test("the next visit is due at once when a link or its shop is enabled again", async (app) => {
  await using shop = openShop({ "/p": priced("1.00"), "/q": priced("2.00") });
  const productId = await addProduct(app.manager, "P-1");
  const [made] = await link(app, [{ sku: "P-1", url: `${shop.base}/p` }]);
  assertEquals(onlyResult(await scrape(app, productId)).status, "ok");
  const path = `/api/competitor-products/${made?.competitorProductId}`;
  const { competitorId } = await app.viewer.read<CompetitorProduct>(path);
  for (const paused of [path, `/api/competitors/${competitorId}`]) {
    assertEquals(await runTick(app), 0, paused);
    await app.manager.change(paused, { enabled: false });
    assertEquals(await runTick(app), 0, paused);
    app.clock.advance(60_000);
    await app.manager.change(paused, { enabled: true });
    assertEquals(await tickAndEnd(app, productId), 1, paused);
  }
});

const MATCHES = "/api/competitor-products";

withProduct.test("many simultaneous requests for one match create one, and one new shop", async ({ app, productId }) => {
  const add = (n: number) =>
    app.manager.post(MATCHES, { productId, url: `https://shop.de/1#${n}` });
  const statuses = await Promise.all(Array.from({ length: 10 }, (_, n) => statusOf(add(n))));
  assertEquals(statuses.toSorted(), [201, ...Array(9).fill(409)]);
  assertEquals((await listShops(app.viewer)).length, 1);
});

withCheckedApp.test("trackedProducts is exact after simultaneous changes by people, imports and a deletion", async (app) => {
  const skus = Array.from({ length: 6 }, (_, n) => `A-${n}`);
  const products: string[] = [];
  for (const sku of skus) products.push(await addProduct(app.manager, sku));
  const doomed = await addMatch(app.manager, products[0]!, "https://doomed.de/0");
  const people = products.map(async (productId, n) => {
    const one = await addMatch(app.manager, productId, `https://shop.de/${n}`);
    const two = await addMatch(app.manager, productId, `https://shop.de/${n}/2`);
    await app.manager.change(`${MATCHES}/${one.id}`, { enabled: false });
    if (n % 2 === 0) await app.manager.remove(`${MATCHES}/${two.id}`);
    await app.manager.change(`${MATCHES}/${one.id}`, { enabled: n % 3 === 0 });
  });
  const imports = skus.map(async (sku, n) => {
    for (const enabled of [true, false, true]) {
      await importLinks(app, sku, [
        fileLink(`https://file.de/${n}`, { enabled }),
        fileLink(`https://doomed.de/${n}`),
      ]);
    }
  });
  const deletion = app.manager.remove(`/api/competitors/${doomed.competitorId}`);
  const renames = products.map((id, n) =>
    app.manager.change(`/api/products/${id}`, { sku: `B-${n}`, title: "renamed" })
  );
  // An import of `A-n` changes nothing if the product already has the SKU `B-n`.
  await Promise.allSettled(imports);
  await Promise.all([...people, deletion, ...renames]);
  const links = await linksOf(app.viewer);
  for (const { id, trackedProducts } of await listShops(app.viewer)) {
    const tracking = links.filter((one) => one.competitorId === id && one.enabled);
    assertEquals(trackedProducts, new Set(tracking.map(({ productId }) => productId)).size);
  }
});

withCheckedApp.test("a domain never gets a second competitor, whatever was looked up before", async (app) => {
  await app.manager.create("/api/competitors", { domain: "shop.de" });
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  await rejects(transact(ctx, (write) => addCompetitor(write, ctx, "shop.de")), /Too many changes/);
});

const addShop = (app: TestApp, domain: string) =>
  app.manager.create<{ id: string; colour: number }>("/api/competitors", { domain });

withCheckedApp.test("competitors created at the same time by people, links and imports have different colours", async (app) => {
  const products: string[] = [];
  for (let n = 0; n < 4; n++) products.push(await addProduct(app.manager, `A-${n}`));
  await Promise.all([
    ...products.map((_, n) => addShop(app, `typed-${n}.de`)),
    ...products.map((id, n) => addMatch(app.manager, id, `https://linked-${n}.de/1`)),
    ...products.map((_, n) => importLinks(app, `A-${n}`, [fileLink(`https://file-${n}.de/1`)])),
  ]);
  const shops = await listShops(app.viewer);
  const colours = column(shops, "colour").toSorted((a, b) => a - b);
  assertEquals(colours, Array.from({ length: 12 }, (_, n) => n + 1));
  // A new competitor gets the lowest free colour.
  const fifth = shops.find(({ colour }) => colour === 5);
  await app.manager.remove(`/api/competitors/${fifth?.id}`);
  assertEquals((await addShop(app, "next.de")).colour, 5);
});
