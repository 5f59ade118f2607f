import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { MatchSuggestion } from "../../../src/scraping/suggestions/list_suggestions.ts";
import { withCheckDigit } from "../../../src/app/demo/demo_catalogue.ts";
import { idBytes } from "../../../src/base/id.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { actionsOf, addMatch, addProduct, auditOf, linksOf } from "../../shops/shop.ts";
import {
  addFeed,
  addListed,
  addShop,
  type Article,
  articlePage,
  articlePages,
  cupItem,
  discover,
  openSuggestion,
  runAgain,
  shopPage,
  startDiscoveryApp,
  suggestions,
  untilIdle,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { PUBLIC_EVENTS } from "../../../src/platform/events/event.ts";
import { assertFields, column, pagesOf, refuses, valuesOf } from "../../api/answers.ts";
import { until } from "../../patience.ts";
import { startReceiver } from "../../messages/receiver.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import type { Verdict } from "../../../src/engine/matching/identity_codes.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  foundPages,
  savePage,
  suggestions as suggestionTable,
} from "../../../src/shops/pages/found_page_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import type { Discovery } from "../../../src/shops/pages/discovery_store.ts";
import { article, html, openShop } from "../hostile_shop.ts";
import { alertsOf, begin, checked, linesOf, startScrapingApp } from "../scraping_app.ts";
import { ProductIndex } from "../../../src/scraping/suggestions/product_indexes.ts";
import { isPriceNear } from "../../../src/scraping/suggestions/link_by_itself.ts";
import { chooseHits } from "../../../src/scraping/discovery/ask_search.ts";

withDiscovery.test("undoing a decision deletes its link, and opens the suggestion again", async ({ app, shop, competitorId }) => {
  const { manager, viewer } = app;
  const articles: Article[] = ["DHP485", "DHP486"].map((mpn) => (
    { name: `Makita ${mpn}`, brand: "Makita", mpn }
  ));
  for (const { name: title, ...words } of articles) {
    await addProduct(manager, title, { title, ...words });
  }
  const brand = "Makita";
  await addProduct(manager, "K-1", { title: "Makita Schlagbohrschrauber im Koffer", brand });
  articles.push({ name: "Makita Schlagbohrschrauber Koffer DHP", brand });
  const map = addListed(shop, articlePages(articles));
  await discover(app, competitorId, { sitemaps: [map] });
  const counts = () => viewer.read("/api/match-suggestions/counts");
  const rest = { probably: 1, unknown: 0, isCut: false, searching: 0 };
  assertEquals(await counts(), { open: 3, same: 2, ...rest });
  // Earlier versions stored index rows without a verdict.
  const rows = app.store.kv.list({ prefix: ["sgs", idBytes(app.workspaceId)] });
  for await (const { key } of rows) await app.store.kv.set(key, null);
  assertEquals(await counts(), { open: 3, same: 2, ...rest });

  const [probable] = await suggestions(app, "verdict=probably");
  const deleted = probable?.product.id;
  await manager.remove(`/api/products/${deleted}`);
  await until("the suggestion is withdrawn", async () => (await counts()).open === 2);
  assertEquals((await counts()).probably, 0);
  await manager.act(`/api/products/${deleted}/restore`);
  await until("the suggestion is open again", async () => (await counts()).open === 3);

  const links = async () => column(await linksOf(viewer), "url").toSorted();
  const [first, second] = await suggestions(app, "verdict=same");
  ok(first && second);
  const say = ({ id }: MatchSuggestion, verb: string, body?: object) =>
    manager.act<MatchSuggestion>(`/api/match-suggestions/${id}/${verb}`, body);
  await say(first, "accept");
  assertEquals(await links(), [first.page.url]);
  assertEquals(await counts(), { open: 2, same: 1, ...rest });
  for (const _ of ["once", "twice"]) {
    assertFields(await say(first, "reopen"), { status: "open", decidedAt: null });
  }
  assertEquals(await links(), []);
  await say(first, "accept");
  assertEquals(await links(), [first.page.url]);

  await say(second, "reject", { as: "variant" });
  assertFields(await say(second, "reopen"), { status: "open", rejectedAs: null });

  await addMatch(manager, second.product.id, second.page.url, { visit: "never" });
  await until("a linked page is not suggested", async () => (await counts()).open === 1);
  await say(second, "accept");
  await say(second, "reopen");
  assertEquals(await links(), [first.page.url, second.page.url].toSorted());

  const verbs = ["accept", "reopen", "accept"].map((verb) => `match_suggestion.${verb}`);
  assertEquals(await actionsOf(viewer, `match_suggestion:${first.id}`), verbs);

  const [reading, writing] = [await app.key([]), await app.key(["matches:write"])];
  const publicPath = "/api/public/v1/match-suggestions";
  await writing.act(`${publicPath}/${first.id}/reopen`);
  const ids = [first.id, "nothing", second.id];
  for (const [action, status] of [["accept", "accepted"], ["reopen", "open"]]) {
    const { results } = await manager.act("/api/match-suggestions/bulk", { action, ids });
    assertEquals(column(results, "status"), [status, null, status]);
  }
  assertEquals((await reading.read(`${publicPath}/counts`)).data.same, 2);
});

withDiscovery.test("a product has at most three open suggestions per shop: a better page replaces the weakest", async ({ app, shop, competitorId }) => {
  const { manager } = app;
  const [brand, mpn] = ["Makita", "DHP485"];
  await addProduct(manager, "K-1", { title: "Makita Schlagbohrschrauber DHP485", brand, mpn });
  const names = ["Akku", "Koffer", "Profi", "Werkstatt"].map((word) => (
    { name: `Makita Schlagbohrschrauber ${word}`, brand }
  ));
  const pages = articlePages([...names, { name: "Makita Schlagbohrschrauber DHP485", brand, mpn }]);
  await discover(app, competitorId, { sitemaps: [addListed(shop, pages)] });
  const open = await suggestions(app);
  assertEquals(column(open, "verdict"), ["same", "probably", "probably"]);
  const [replaced, ...others] = await suggestions(app, "status=superseded");
  assertEquals([replaced?.verdict, others], ["probably", []]);
  await refuses(manager.post(`/api/match-suggestions/${replaced?.id}/reopen`), "conflict");
});

const PAGES = 5;
const GTIN = "9521000000018";

withDiscovery.test("webhooks get each suggestion, and each link by people or automatic", async ({ app, shop, competitorId }) => {
  await using receiver = startReceiver();
  const brand = "Pumpenwerk";
  const skus = Array.from({ length: PAGES }, (_, n) => `PX${100 + n}`);
  // An equal part number without a brand gives only the verdict `probably`.
  const articles = skus.map((mpn, n) => ({ name: `Pumpe ${mpn}`, mpn, ...(n === 0 && { brand }) }));
  const later = articlePage({ name: "Textmarker", gtin13: GTIN });
  const map = addListed(shop, { ...articlePages(articles), "/p/later": later });
  const { manager, owner } = app;
  const products = skus.map((sku) => (
    { sku, title: `Pumpe ${sku}`, mpn: sku, brand, ourPrice: 10 }
  ));
  const productIds = await addProducts(app, products);
  const events = ["match.suggested", "match.linked"] as const;
  await owner.create("/api/webhooks", { url: `${receiver.url}/hook`, events });
  const eventsOf = <T extends typeof events[number]>(type: T) =>
    receiver.receipts.filter(({ body }) => body.type === type)
      .map(({ body }) => PUBLIC_EVENTS[type].strict().parse(body.data));

  await discover(app, competitorId, { mode: "automatic", sitemaps: [map] });
  const batches = () => column(eventsOf("match.suggested"), "suggestions");
  const verdictOf = (sku: string) => batches().flat().find((one) => one.sku === sku)?.verdict;
  const linked = () => valuesOf(eventsOf("match.linked"), "isAutomatic", "sku", "url");
  await until("every suggestion is published", () => batches().flat().length === PAGES);
  await until("the link is published", () => linked().length === 1);
  assertEquals(column(batches().flat(), "sku").toSorted(), skus);
  const shops = column(eventsOf("match.suggested"), "competitorId");
  assertEquals(new Set(shops), new Set([competitorId]));
  assertEquals([verdictOf("PX100"), verdictOf("PX101")], ["same", "probably"]);
  assertEquals(linked(), [[true, "PX100", `${shop.base}/p/0`]]);

  const [first] = await suggestions(app, `productId=${productIds[1]}`);
  await manager.act(`/api/match-suggestions/${first?.id}/accept`);
  await addMatch(manager, productIds[2]!, `${shop.base}/p/2`);
  await until("links of people are published", () => linked().length === 3);
  const byPeople = [1, 2].map((n) => [false, `PX10${n}`, `${shop.base}/p/${n}`]);
  assertEquals(linked().slice(1).toSorted(), byPeople);

  await addProduct(manager, "LATER", { title: "Marker", ean: GTIN, ourPrice: 1_000 });
  await until("the new product's page is published", () => verdictOf("LATER") !== undefined);
  assertEquals(linked().length, 3);
});

/** More suggestions than one request reads. */
const OTHERS = 5_300;
const PER_COMMIT = 100;
const LIMIT = 2;

/** Creates open suggestions in one commit; returns their ids, oldest first. */
async function addSuggestions(
  app: TestApp,
  at: { readonly productId: string; readonly competitorId: string },
  verdict: Verdict,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => app.app.clock.newId());
  await transact(app, (write) => {
    for (const id of ids) {
      const page = shopPage(`https://shop.example/p/${id}`, { title: "Pumpe", price: 1_100 });
      const made = { id, ...at, urlHash: id.padStart(32, "0"), page, verdict };
      suggestionTable.put(write, app, openSuggestion(made));
    }
  });
  return ids;
}

withApp.test("paging through suggestions shows each once, whatever fits and is decided between pages", async (app) => {
  const competitorId = await addShop(app.manager, "https://shop.example");
  const at = { productId: await addProduct(app.manager, "P-1", { title: "Pumpe" }), competitorId };
  const products = Array.from({ length: OTHERS / PER_COMMIT }, (_, n) => ({ sku: `O-${n}` }));
  const oldest = await addSuggestions(app, at, "same", 5);
  const others: string[] = [];
  for (const productId of await addProducts(app, products)) {
    others.push(...await addSuggestions(app, { productId, competitorId }, "probably", PER_COMMIT));
  }
  const newest = await addSuggestions(app, at, "same", 5);

  const decide = (id: string | undefined, how: "accept" | "reject") =>
    app.manager.act(`/api/match-suggestions/${id}/${how}`, {});
  const walk = async (query: string, between?: (seen: readonly string[]) => Promise<void>) => {
    const seen: string[] = [];
    let pages = 0;
    for await (const { items } of pagesOf(app.viewer, `/api/match-suggestions?${query}`)) {
      seen.push(...column(items, "id"));
      ok(++pages < 40, "the list ends");
      await between?.(seen);
    }
    return seen;
  };
  const all = [...oldest, ...newest].toReversed();
  const query = `verdict=same&limit=${LIMIT}`;

  assertEquals(await walk(query), all);
  assertEquals(await walk("limit=200"), [...oldest, ...others, ...newest].toReversed());
  assertEquals(await walk(`productId=${at.productId}&limit=3`), all);

  // Between two pages, the test decides the last listed suggestion. It also rejects two suggestions
  // of later pages, which must not appear.
  const gone = new Set<string>();
  let added = 0;
  const busy = await walk(query, async (seen) => {
    await decide(seen.at(-1), seen.length % 4 === 0 ? "accept" : "reject");
    const next = all.find((id) => !seen.includes(id) && !gone.has(id));
    if (gone.size < 2 && next !== undefined) {
      gone.add(next);
      await decide(next, "reject");
    }
    added += (await addSuggestions(app, at, "same", 1)).length;
  });
  assertEquals(busy, all.filter((id) => !gone.has(id)));
  ok(gone.size === 2 && added > 2);
  // The list omits suggestions of a deleted product, even before Kurant closes them.
  await app.manager.remove(`/api/products/${at.productId}`);
  assertEquals(await walk("verdict=same"), []);
});

/** GTINs with a prefix that GS1 reserves for examples. */
const gtin = (n: number) => withCheckDigit(`9521000${String(n).padStart(5, "0")}`);

function linksAt(app: TestApp, competitorId: string) {
  return linksOf(app.viewer, `competitorId=${competitorId}`);
}

const pathOf = ({ url }: { readonly url: string }) => new URL(url).pathname;

withDiscovery.test("an automatic shop's pages are linked only if numbers leave no doubt", async ({ app, shop }) => {
  const { manager } = app;
  const name = "Makita Akkuschrauber";
  const articles: Article[] = [
    // Linked: no other page has the GTIN, and the price is three times ours.
    { name, gtin13: gtin(0), price: "30.00" },
    // Not linked: one price is above three times ours, the other is below a third of ours.
    { name, gtin13: gtin(1), price: "30.01" },
    { name, gtin13: gtin(2), price: "3.33" },
    // Not linked: two pages have the GTIN.
    { name, gtin13: gtin(3) },
    { name: `${name} mit Koffer`, gtin13: gtin(3) },
    // Not linked: two of our products have the GTIN.
    { name, gtin13: gtin(4) },
    // Not linked: the product already has a link at the shop.
    { name, gtin13: gtin(5) },
    // Not linked: a person has removed this link before.
    { name, gtin13: gtin(6) },
    // Not linked: same GTIN, but the page has words that our title lacks.
    { name: `${name} 2er-Pack`, gtin13: gtin(7) },
    // Linked by brand and part number.
    { name: "Makita DHP485Z", brand: "Makita", mpn: "DHP485Z", price: "12.00" },
    // Not linked: our product has no price.
    { name, gtin13: gtin(8) },
    // Linked: the price is just above a third of ours.
    { name, gtin13: gtin(9), price: "3.34" },
  ];
  // Not linked: the price is in another currency.
  const dollars = article(name, { gtin13: gtin(10) }, { priceCurrency: "USD" });
  const map = addListed(shop, { ...articlePages(articles), "/p/12": dollars });
  const ids: string[] = [];
  for (let n = 0; n <= 10; n++) {
    const none = n === 8 ? { ourPrice: null } : {};
    ids.push(await addProduct(manager, `S-${n}`, { title: name, ean: gtin(n), ...none }));
  }
  await addProduct(manager, "S-4b", { title: name, ean: gtin(4) });
  const numbers = { brand: "Makita", mpn: "DHP 485 Z" };
  const drill = await addProduct(manager, "D-1", { title: "Makita DHP485Z", ...numbers });
  const { competitorId } = await addMatch(manager, ids[5]!, `${shop.base}/other`);
  const taken = await addMatch(manager, ids[6]!, `${shop.base}/p/7`);
  await manager.remove(`/api/competitor-products/${taken.id}`);

  await discover(app, competitorId, { mode: "automatic", sitemaps: [map] });
  const made = (await linksAt(app, competitorId)).filter(({ source }) => source === "discovery");
  const links = made.map((link) => [link.productId, pathOf(link)]).toSorted();
  assertEquals(links, [[ids[0]!, "/p/0"], [drill, "/p/9"], [ids[9]!, "/p/11"]].toSorted());
  const open = await suggestions(app, "verdict=same");
  const paths = open.map(({ page }) => pathOf(page)).toSorted();
  assertEquals(paths, "/p/1 /p/10 /p/12 /p/2 /p/3 /p/5 /p/5 /p/6".split(" "));
  const [first] = made;
  ok(first);
  const log = `/api/audit-logs?resource=competitor_product:${first.id}`;
  const { items: [row] } = await app.viewer.read(log);
  assertEquals([row.action, row.actor.type], ["competitor_product.create", "system"]);
  const accepted = await suggestions(app, "status=accepted");
  assertEquals(accepted.length, 3);
  assertEquals((await auditOf(app.viewer, `match_suggestion:${accepted[0]?.id}`)).length, 1);

  // When our price comes near the page's price, the next discovery links the page.
  await manager.change(`/api/products/${ids[1]}`, { ourPrice: 25 });
  await runAgain(app, competitorId);
  assertEquals((await linksAt(app, competitorId)).some((link) => pathOf(link) === "/p/1"), true);
});

withDiscovery.test("a page that fits its product again is suggested again", async ({ app, shop, competitorId }) => {
  const { manager } = app;
  const name = "Makita Akkuschrauber";
  const productId = await addProduct(manager, "S-1", { title: name, ean: gtin(1) });
  const map = addListed(shop, articlePages([{ name, gtin13: gtin(1) }]));
  await discover(app, competitorId, { sitemaps: [map] });
  const [first] = await suggestions(app);
  ok(first);
  const path = `/api/match-suggestions/${first.id}`;
  const turnTo = async (ean: string, status: string) => {
    await manager.change(`/api/products/${productId}`, { ean });
    await until(status, async () => (await app.viewer.read(path)).status === status);
  };
  await turnTo(gtin(2), "superseded");
  await turnTo(gtin(1), "open");
  assertFields(await app.viewer.read(path), { verdict: "same", decidedAt: null });
  await manager.act(`${path}/accept`);
  assertEquals((await linksAt(app, competitorId)).length, 1);
  // If a deleted shop is created again, its pages are suggested again.
  await manager.remove(`/api/competitors/${competitorId}`);
  const again = await addShop(manager, shop.base);
  await discover(app, again, { sitemaps: [map] });
  assertEquals(column(await suggestions(app), "verdict"), ["same"]);
  // Known pages belong to a domain, so the shop has none after its domain changes.
  await manager.change(`/api/competitors/${again}`, { domain: "moved.test" });
  assertEquals(await suggestions(app), []);
  const discovery = `/api/competitors/${again}/discovery`;
  assertEquals((await app.viewer.read(`${discovery}/pages`)).items, []);
  assertFields((await app.viewer.read(discovery)).state, { urls: 0, lastReadAt: null });
});

withDiscovery.test("a page that now shows another article is not suggested for the former one", async ({ app, shop, competitorId }) => {
  const names = ["Becher", "Vase"];
  for (const [n, name] of names.entries()) {
    await addProduct(app.manager, `C-${n}`, { title: `Nordwerk ${name}`, ean: gtin(n) });
  }
  const skus = async () => column(column(await suggestions(app), "product"), "sku");
  const itemOf = (n: number) => cupItem(shop.base, 0, { title: names[n]!, gtin: gtin(n) });
  await discover(app, competitorId, { feeds: addFeed(shop, [itemOf(0)]) });
  assertEquals(await skus(), ["C-0"]);
  addFeed(shop, [itemOf(1)]);
  await runAgain(app, competitorId);
  assertEquals(await skus(), ["C-1"]);
});

Deno.test("a page that fails for once stays known, and a page that is gone is not suggested any more", async () => {
  let passedMs = 0;
  const now = () => new Date(Date.now() + passedMs);
  await using app = await startScrapingApp({}, { now });
  await using shop = openShop();
  const competitorId = await addShop(app.manager, shop.base);
  const names = ["Nordwerk Becher", "Nordwerk Vase"];
  for (const [n, title] of names.entries()) {
    await addProduct(app.manager, `C-${n}`, { title, ean: gtin(n) });
  }
  const map = addListed(shop, articlePages(names.map((name, n) => ({ name, gtin13: gtin(n) }))));
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const listed = urlset([0, 1].map((n) => `${shop.base}/p/${n}`));
  shop.pages["/map.xml"] = xml(listed.replaceAll("</loc>", `</loc><lastmod>${tomorrow}</lastmod>`));
  await discover(app, competitorId, { sitemaps: [map] });
  const paths = async () => (await suggestions(app)).map(({ page }) => pathOf(page)).toSorted();
  assertEquals(await paths(), ["/p/0", "/p/1"]);
  assertEquals(shop.asked("/p/").toSorted(), ["/p/0", "/p/1"]);

  passedMs = DAY_MS;
  shop.pages["/p/0"] = () => html("", {}, 400);
  shop.pages["/p/1"] = () => html("", {}, 410);
  await runAgain(app, competitorId);
  assertEquals(shop.asked("/p/").length, 4);
  assertEquals(await paths(), ["/p/0"]);
  const { items } = await app.viewer.read(`/api/competitors/${competitorId}/discovery/pages`);
  assertEquals(column(items, "url"), [`${shop.base}/p/0`]);
});

withDiscovery.test("automatic links have the pack size of the feed, and compare prices of one piece", async ({ app, shop, competitorId }) => {
  const packs = [["2 EUR", "2"], ["10 EUR", "10"], ["1 EUR", "10"]] as const;
  const items = packs.map(([price, multipack], n) =>
    cupItem(shop.base, n, { gtin: gtin(n), price, multipack })
  );
  for (const n of packs.keys()) {
    await addProduct(app.manager, `C-${n}`, { title: `Becher ${n}`, ean: gtin(n), ourPrice: 1 });
  }
  await discover(app, competitorId, { mode: "automatic", feeds: addFeed(shop, items) });
  const links = (await linksAt(app, competitorId)).map((one) => [pathOf(one), one.packFactor]);
  assertEquals(links.toSorted(), [["/p/0", 2], ["/p/1", 10]]);
});

withDiscovery.test("no page is linked before the day's work at the shop is complete, or if another page also fits", async ({ app, shop, competitorId }) => {
  const { pages } = shop;
  await using other = openShop();
  const { manager } = app;
  const map = addListed(
    shop,
    articlePages([
      { name: "Makita Akkuschrauber", gtin13: gtin(0) },
      { name: "Makita Fräse", gtin13: gtin(1) },
      // These pages show the first product again, and a third product with and without a GTIN.
      { name: "Makita Akkuschrauber", gtin13: gtin(0) },
      { name: "Makita Hobel DKP180", gtin13: gtin(3) },
      { name: "Makita Hobel DKP180" },
    ]),
  );
  const last = Promise.withResolvers<void>();
  for (const pair of [["/p/0", "/p/2"], ["/p/3", "/p/4"]]) {
    let seen = 0;
    for (const path of pair) {
      const page = pages[path]!;
      pages[path] = async (request) => {
        if (++seen === 2) await last.promise;
        return page(request);
      };
    }
  }
  const ids: string[] = [];
  for (const [n, name] of ["Akkuschrauber", "Fräse", "Säge", "Hobel DKP180"].entries()) {
    ids.push(await addProduct(manager, `D-${n}`, { title: `Makita ${name}`, ean: gtin(n) }));
  }
  const path = `/api/competitors/${competitorId}/discovery`;
  await manager.replace(path, { mode: "automatic", sitemaps: [map] });
  await until("the first pages were seen", async () => (await suggestions(app)).length > 0);
  const otherId = await addShop(manager, other.base);
  const own = addListed(other, articlePages([{ name: "Makita Säge", gtin13: gtin(2) }]));
  await discover(app, otherId, { mode: "automatic", sitemaps: [own] });
  await until("the other shop is linked", async () => (await linksAt(app, otherId)).length === 1);
  assertEquals(await linksAt(app, competitorId), []);
  last.resolve();
  await untilIdle(app, competitorId);
  const links = await linksAt(app, competitorId);
  assertEquals(links.map((link) => [link.productId, pathOf(link)]), [[ids[1]!, "/p/1"]]);
  const open = (await suggestions(app)).map(({ product: { sku }, page }) => [sku, pathOf(page)]);
  assertEquals(open.map(String).toSorted(), ["D-0,/p/0", "D-0,/p/2", "D-3,/p/3", "D-3,/p/4"]);
});

withDiscovery.test("a shop switched to automatic links its matching suggestions; two rejections change nothing, three switch it back", async ({ app, shop, competitorId }) => {
  const { manager } = app;
  const COUNT = 8;
  const articles = Array.from({ length: COUNT }, (_, n): Article => (
    { name: `Stabilo Boss ${n}`, gtin13: gtin(n) }
  ));
  for (const [n, { name: title, gtin13: ean }] of articles.entries()) {
    await addProduct(manager, `B-${n}`, { title, ean });
  }
  const gtin13 = gtin(COUNT + 1);
  const twins = ["Stabilo Zwilling", "Stabilo Zwilling Stift"].map((name) => ({ name, gtin13 }));
  await addProduct(manager, "B-T", { title: "Stabilo Zwilling", ean: gtin13 });
  const map = addListed(shop, articlePages([...articles, ...twins]));
  const path = `/api/competitors/${competitorId}/discovery`;
  await discover(app, competitorId, { sitemaps: [map] });
  const found = await suggestions(app, "verdict=same");
  assertEquals(found.length, COUNT + 2);
  assertEquals(await linksAt(app, competitorId), []);
  // Removes the known pages, because an imported workspace has suggestions without known pages.
  await transact(app, async (write) => {
    for await (const { row: { urlHash, page } } of foundPages.walk(app)) {
      savePage(write, app.workspaceId, { competitorId, urlHash }, page, null);
    }
  });
  const refused = found.find(({ product }) => product.sku === "B-0");
  await manager.act(`/api/match-suggestions/${refused?.id}/reject`);

  const settings = { mode: "automatic", sitemaps: [map] };
  await manager.replace(path, settings);
  await untilIdle(app, competitorId);
  const links = await linksAt(app, competitorId);
  assertEquals(links.length, COUNT - 1);
  ok(!links.some(({ url }) => url === refused?.page.url), "what was rejected stays rejected");

  const modeNow = async () => (await app.viewer.read<Discovery>(path)).mode;
  const alerts = () => alertsOf(app, "discovery_fell_back");
  const [one, two, three, four] = links;
  ok(one && two && three && four);
  await manager.act(`/api/competitor-products/${one.id}/reject`);
  await manager.remove(`/api/competitor-products/${two.id}`);
  const extra = await addProduct(manager, "B-X", { title: "Stabilo Boss", ean: gtin(COUNT) });
  addListed(shop, { "/p/x": articlePage({ name: "Stabilo Boss", gtin13: gtin(COUNT) }) });
  await runAgain(app, competitorId);
  const later = await linksAt(app, competitorId);
  assertEquals(later.some(({ productId }) => productId === extra), true);
  assertEquals([await modeNow(), await alerts()], ["automatic", []]);
  const left = (await suggestions(app)).map(({ product }) => product.sku);
  assertEquals(left, ["B-T", "B-T"], "of two pages with one number none is linked");

  await manager.act(`/api/competitor-products/${three.id}/reject`);
  await runAgain(app, competitorId);
  assertEquals(await modeNow(), "suggest");
  await until("people are alerted", async () => (await alerts()).length === 1);
  const [alert] = await alerts();
  assertEquals(alert?.severity, "high");
  assertEquals(valuesOf([alert?.facts], "takenBack", "of"), [[3, COUNT]]);
  const trail = await auditOf(app.viewer, `discovery:${competitorId}`);
  const fell = trail.find(([, , after]) => JSON.stringify(after) === '{"mode":"suggest"}');
  ok(fell, JSON.stringify(trail));

  // Switching to `automatic` again resets the count of corrections.
  await manager.replace(path, settings);
  await untilIdle(app, competitorId);
  await manager.act(`/api/competitor-products/${four.id}/reject`);
  await runAgain(app, competitorId);
  assertEquals([await modeNow(), (await alerts()).length], ["automatic", 1]);
  await manager.remove(`/api/competitors/${competitorId}`);
  assertEquals(await Array.fromAsync(app.store.kv.list({ prefix: ["dsa"] })), []);
});

/** Words are weighted by their frequency if there are at least 200 titles. */
const COUNTED = 220;
const OURS = {
  title: "Nordwerk Regalboden Buche Tavelo",
  brand: null,
  ean: "9521234567899",
  mpn: null,
  condition: null,
  ourPriceCents: 1_000,
  currency: "EUR",
};
const commonTitle = (n: number) => `Nordwerk Regalboden Buche geölt Fach ${n}`;
const RARE = "Tavelo Wandbord natur";

Deno.test("a link check judges a page as a suggestion does", async () => {
  await using app = await startDiscoveryApp();
  await using shop = openShop();
  const map = addListed(shop, {
    "/rare": article(RARE),
    "/near": article("Regal Tavelo Buche"),
    "/number": article("Regalboden Tavelo", { gtin13: OURS.ean }),
  });
  const { title, ean } = OURS;
  await addProduct(app.manager, "R-1", { title, ean });
  const titles = Array.from({ length: COUNTED }, (_, n) => commonTitle(n));
  await addProducts(app, titles.map((title, n) => ({ sku: `C-${n}`, title })));
  const competitorId = await addShop(app.manager, shop.base);
  await discover(app, competitorId, { sitemaps: [map] });
  const found = (await suggestions(app)).filter(({ product }) => product.sku === "R-1")
    .map(({ page, ...judged }) => ({ ...judged, url: page.url }));
  const urls = ["/rare", "/near", "/number"].map((path) => shop.base + path);
  const check = await begin(app.manager, { lines: urls.map((url) => ({ sku: "R-1", url })) });
  await checked(app, check);
  const pasted = await linesOf(app, check);
  const judgements = (rows: readonly { url: string; verdict: unknown; reasons: unknown }[]) =>
    new Map(rows.map(({ url, verdict, reasons }) => [url, [verdict, reasons]]));
  assertEquals([pasted.length, found.length], [3, 3]);
  assertEquals(judgements(pasted), judgements(found));
  assertEquals(new Set(column(pasted, "verdict")), new Set(["same", "probably"]));
});

Deno.test("search hits are chosen by the words of our catalogue", () => {
  const index = new ProductIndex();
  for (let n = 0; n < COUNTED; n++) {
    index.put({ id: `c${n}`, title: commonTitle(n), brand: null, ean: null, mpn: null });
  }
  const { words } = index;
  const texts = ["Nordwerk Regalboden Buche Kelmar", RARE];
  const links = texts.map((text, n) => ({ url: `https://shop.example/p/${n}`, text }));
  const hits = [words, null].map((counted) => chooseHits(OURS, OURS.ean, links, counted));
  assertEquals(hits, [["https://shop.example/p/1"], ["https://shop.example/p/0"]]);
});

Deno.test("prices are compared for the same pack, and no price is near a missing one or zero", () => {
  const isNear = (ourPriceCents: number | null, price: number | null, pack: number | null = null) =>
    isPriceNear({ ourPriceCents, currency: "EUR" }, { price, currency: "EUR", pack });
  assertEquals([isNear(1_000, 18_000, 6), isNear(1_000, 18_001, 6)], [true, false]);
  assertEquals([isNear(1_000, 1_000, 6), isNear(0, 0), isNear(1_000, 0)], [false, false, false]);
  assertEquals([isNear(3_000, 1_000), isNear(3_001, 1_000)], [true, false]);
  assertEquals([isNear(1_000, null), isNear(null, 1_000), isNear(0, 1_000)], Array(3).fill(false));
  const unknown = { price: 1_000, currency: null, pack: null };
  ok(!isPriceNear({ ourPriceCents: 1_000, currency: "EUR" }, unknown));
});
