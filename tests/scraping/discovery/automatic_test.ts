import { column, valuesOf } from "../../api/answers.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  foundPages,
  queuedSuggestions,
  savePage,
} from "../../../src/shops/pages/found_page_store.ts";
import type { Discovery } from "../../../src/shops/pages/discovery_store.ts";
import type { TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { addMatch, addProduct, auditOf, linksOf } from "../../shops/shop.ts";
import { openShop } from "../hostile_shop.ts";
import { alertsOf } from "../scraping_app.ts";
import { gtin13 } from "./made_feeds.ts";
import {
  addListed,
  addShop,
  type Article,
  articlePage,
  articlePages,
  discover,
  runAgain,
  suggestions,
  untilIdle,
  withDiscovery,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** GTINs with the prefix that GS1 reserves for examples, so that no company owns them. */
const gtin = (n: number) => gtin13(`9521000${String(n).padStart(5, "0")}`);

function linksAt(app: TestApp, competitorId: string) {
  return linksOf(app.viewer, `competitorId=${competitorId}`);
}

const pathOf = ({ url }: { readonly url: string }) => new URL(url).pathname;

/** Waits until every open suggestion of a shop was examined. */
async function untilVisited(app: TestApp, competitorId: string): Promise<void> {
  await until("every suggestion was examined", async () => {
    const key = ["dsa", Uint8Array.fromHex(app.workspaceId), Uint8Array.fromHex(competitorId)];
    const { value } = await app.store.kv.get<{ before: string | null }>(key);
    return value?.before === null &&
      (await queuedSuggestions.list(app, { within: { competitorId } })).length === 0;
  });
}

withDiscovery.test("an automatic shop's pages are linked only if numbers leave no doubt", async ({ app, shop }) => {
  const { manager } = app;
  const name = "Makita Akkuschrauber";
  const articles: Article[] = [
    // Linked, because it is the only such page and its price is near ours.
    { name, gtin13: gtin(0), price: "29.90" },
    // Not linked, because one price is above three times ours, the other below a third of ours.
    { name, gtin13: gtin(1), price: "30.01" },
    { name, gtin13: gtin(2), price: "3.33" },
    // Not linked, because two pages have the GTIN of our product.
    { name, gtin13: gtin(3) },
    { name: `${name} mit Koffer`, gtin13: gtin(3) },
    // Not linked, because two of our products have the GTIN of the page.
    { name, gtin13: gtin(4) },
    // Not linked, because the product already has a link at the shop.
    { name, gtin13: gtin(5) },
    // Not linked, because a person has removed the link to this page.
    { name, gtin13: gtin(6) },
    // Not linked, because words that only the page has make the equal GTIN doubtful.
    { name: `${name} 2er-Pack`, gtin13: gtin(7) },
    // Linked by brand and part number.
    { name: "Makita DHP485Z", brand: "Makita", mpn: "DHP485Z", price: "12.00" },
    // Not linked, because our product has no price.
    { name, gtin13: gtin(8) },
  ];
  const map = addListed(shop, articlePages(articles));
  const ids: string[] = [];
  for (let n = 0; n < 9; n++) {
    const none = n === 8 ? { ourPrice: null } : {};
    ids.push(await addProduct(manager, `S-${n}`, { title: name, ean: gtin(n), ...none }));
  }
  await addProduct(manager, "S-4b", { title: name, ean: gtin(4) });
  const numbers = { brand: "Makita", mpn: "DHP 485 Z" };
  const drill = await addProduct(manager, "S-9", { title: "Makita DHP485Z", ...numbers });
  const { competitorId } = await addMatch(manager, ids[5]!, `${shop.base}/other`);
  const taken = await addMatch(manager, ids[6]!, `${shop.base}/p/7`);
  await manager.remove(`/api/competitor-products/${taken.id}`);

  await discover(app, competitorId, { mode: "automatic", sitemaps: [map] });
  await untilVisited(app, competitorId);
  const made = (await linksAt(app, competitorId)).filter(({ source }) => source === "discovery");
  const links = made.map((link) => [link.productId, pathOf(link)]).toSorted();
  assertEquals(links, [[ids[0]!, "/p/0"], [drill, "/p/9"]].toSorted());
  const open = await suggestions(app, "verdict=same");
  const paths = open.map(({ page }) => pathOf(page)).toSorted();
  assertEquals(paths, "/p/1 /p/10 /p/2 /p/3 /p/5 /p/5 /p/6".split(" "));
  const [first] = made;
  ok(first);
  const log = `/api/audit-logs?resource=competitor_product:${first.id}`;
  const { items: [row] } = await app.viewer.read(log);
  assertEquals([row.action, row.actor.type], ["competitor_product.create", "system"]);
  const accepted = await suggestions(app, "status=accepted");
  assertEquals(accepted.length, 2);
  assertEquals((await auditOf(app.viewer, `match_suggestion:${accepted[0]?.id}`)).length, 1);

  // When our price comes near the page's price, the page is linked without another visit.
  const visits = shop.visits.length;
  await manager.change(`/api/products/${ids[1]}`, { ourPrice: 25 });
  await until("the page that was too dear is linked", async () => {
    return (await linksAt(app, competitorId)).some((link) => pathOf(link) === "/p/1");
  });
  const asked = new Set(column(shop.visits.slice(visits), "path"));
  // Runs visit the linked pages. Discovery visits no other page.
  assertEquals(asked.difference(new Set(["/robots.txt", "/p/0", "/p/1", "/p/9"])), new Set());
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
      // A second page of the first product. Then two pages of another product; only one has a GTIN.
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
  // While the first shop waits, a shop that begins later gets its link.
  const otherId = await addShop(manager, other.base);
  const own = addListed(other, articlePages([{ name: "Makita Säge", gtin13: gtin(2) }]));
  await discover(app, otherId, { mode: "automatic", sitemaps: [own] });
  await until("the other shop is linked", async () => (await linksAt(app, otherId)).length === 1);
  assertEquals(await linksAt(app, competitorId), []);
  last.resolve();
  await untilIdle(app, competitorId);
  await untilVisited(app, competitorId);
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
  // The known pages are removed, because suggestions must suffice, as in an imported workspace.
  await transact(app, async (write) => {
    for await (const { row: { urlHash, page } } of foundPages.walk(app)) {
      savePage(write, app.workspaceId, { competitorId, urlHash }, page, null);
    }
  });
  const refused = found.find(({ product }) => product.sku === "B-0");
  await manager.act(`/api/match-suggestions/${refused?.id}/reject`);

  const settings = { mode: "automatic", sitemaps: [map] };
  await manager.replace(path, settings);
  await untilVisited(app, competitorId);
  const links = await linksAt(app, competitorId);
  assertEquals(links.length, COUNT - 1);
  ok(!links.some(({ url }) => url === refused?.page.url), "what was rejected stays rejected");

  const modeNow = async () => (await app.viewer.read<Discovery>(path)).mode;
  const alerts = () => alertsOf(app, "discovery_fell_back");
  const [one, two, three, four] = links;
  ok(one && two && three && four);
  await manager.act(`/api/competitor-products/${one.id}/reject`);
  await manager.remove(`/api/competitor-products/${two.id}`);
  // When this later suggestion is linked, both corrections have already been counted.
  const extra = await addProduct(manager, "B-X", { title: "Stabilo Boss", ean: gtin(COUNT) });
  addListed(shop, { "/p/x": articlePage({ name: "Stabilo Boss", gtin13: gtin(COUNT) }) });
  await runAgain(app, competitorId);
  await until("the new page is linked", async () => {
    return (await linksAt(app, competitorId)).some(({ productId }) => productId === extra);
  });
  assertEquals([await modeNow(), await alerts()], ["automatic", []]);
  const left = (await suggestions(app)).map(({ product }) => product.sku);
  assertEquals(left, ["B-T", "B-T"], "of two pages with one number none is linked");

  await manager.act(`/api/competitor-products/${three.id}/reject`);
  await until("the shop suggests again", async () => await modeNow() === "suggest");
  await until("people are alerted", async () => (await alerts()).length === 1);
  const [alert] = await alerts();
  assertEquals(alert?.severity, "high");
  assertEquals(valuesOf([alert?.facts], "takenBack", "of"), [[3, COUNT]]);
  const trail = await auditOf(app.viewer, `discovery:${competitorId}`);
  const fell = trail.find(([, , after]) => JSON.stringify(after) === '{"mode":"suggest"}');
  ok(fell, JSON.stringify(trail));

  // Switching to `automatic` again restarts the count of corrections.
  await manager.replace(path, settings);
  await untilVisited(app, competitorId);
  await manager.act(`/api/competitor-products/${four.id}/reject`);
  await manager.change(`/api/products/${extra}`, { title: "Stabilo Boss neu" });
  await untilVisited(app, competitorId);
  assertEquals([await modeNow(), (await alerts()).length], ["automatic", 1]);
  await manager.remove(`/api/competitors/${competitorId}`);
  for (const table of ["dsa", "dsq"]) {
    assertEquals(await Array.fromAsync(app.store.kv.list({ prefix: [table] })), [], table);
  }
});
