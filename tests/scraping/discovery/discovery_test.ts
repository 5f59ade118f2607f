import { assertFields, column, refuses, valuesOf } from "../../api/answers.ts";
import { idBytes } from "../../../src/base/id.ts";
import { findLogEnd } from "../../../src/catalogue/products/change_log_store.ts";
import { readDiscovery } from "../../../src/scraping/discovery/discovery_job.ts";
import type { MatchSuggestion } from "../../../src/scraping/suggestions/list_suggestions.ts";
import { type Discovery, findDiscovery } from "../../../src/shops/pages/discovery_store.ts";
import { urlPart } from "../../../src/shops/pages/url_store.ts";
import { until } from "../../patience.ts";
import { actionsOf, addMatch, addProduct, linksOf } from "../../shops/shop.ts";
import { article, heldBack, openShop } from "../hostile_shop.ts";
import { cupItem, merchantFeed } from "./made_feeds.ts";
import {
  addListed,
  articlePage,
  discover,
  fillUp,
  packed,
  plain,
  runAgain,
  sitemapIndex,
  suggestions,
  untilIdle,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { watchedStore } from "../../watched_store.ts";

const GTIN = "4006381333931";

withDiscovery.test("a shop's sitemaps lead to its pages, and its pages to suggestions for people to decide", async ({ app, shop }) => {
  const { base, pages } = shop;
  await using other = openShop();
  Object.assign(pages, {
    "/robots.txt": plain(`User-agent: *\nDisallow: /secret\nSitemap: ${base}/index.xml`),
    "/index.xml": xml(sitemapIndex([
      `${base}/one.xml.gz`,
      `${base}/two.txt`,
      `${base}/index.xml`,
      `${base}/dead.xml`,
      `${other.base}/foreign.xml`,
    ])),
    "/one.xml.gz": packed(urlset([
      `${base}/p/stabilo-boss-textmarker-gelb`,
      `${base}/p/bosch-akkuschrauber?utm_source=feed`,
      `${other.base}/p/foreign`,
      `${base}/secret/1`,
    ])),
    "/two.txt": plain(`${base}/about\n${base}/p/gone\n${base}/p/linked\n${base}/p/tasche`),
    "/p/stabilo-boss-textmarker-gelb": article(
      "STABILO BOSS Textmarker gelb",
      { brand: "STABILO", gtin13: GTIN },
      { price: "1.99" },
    ),
    "/p/bosch-akkuschrauber": article(
      "Bosch Professional Akkuschrauber GSR 12V-35 FC",
      { brand: "Bosch" },
      { price: "199.00" },
    ),
    "/p/tasche": article("Tasche für Bosch Akkuschrauber GSR 12V-35 FC"),
    "/p/linked": articlePage({ name: "Linked" }),
    "/about": plain("About us"),
  });
  const { manager, viewer } = app;
  const words = { title: "Stabilo Textmarker Boss gelb", ean: GTIN };
  const marker = await addProduct(manager, "M-1", words);
  const bosch = { title: "Bosch Akkuschrauber GSR 12V-35 FC Professional", brand: "Bosch" };
  const drill = await addProduct(manager, "D-1", { ...bosch, ourPrice: "189.00" });
  const linked = await addProduct(manager, "L-1", { title: "Linked" });
  const { competitorId } = await addMatch(manager, linked, `${base}/p/linked`);

  const path = `/api/competitors/${competitorId}/discovery`;
  const before = await viewer.read<Discovery>(path);
  assertEquals(before.mode, "off");
  assertFields(before.state, { phase: "off", urls: 0 });
  await refuses(manager.post(`${path}/run`), "conflict");

  const { state } = await discover(app, competitorId, {});
  assertFields(state, { urls: 7, visited: 7, products: 4, foreign: 1, phase: "idle", etaDays: 0 });
  const visits = `/about /dead.xml /index.xml /one.xml.gz /p/bosch-akkuschrauber /p/gone
    /p/stabilo-boss-textmarker-gelb /p/tasche /robots.txt /two.txt`;
  assertEquals(column(shop.visits, "path").toSorted(), visits.split(/\s+/));
  assertEquals(other.visits, []);

  const found = await suggestions(app);
  const brief = found.map(({ product, verdict, page }) => [product.id, verdict, page.price]);
  assertEquals(brief.toSorted(), [[marker, "same", 199], [drill, "probably", 19_900]].toSorted());
  const [same] = await suggestions(app, "verdict=same");
  const [likely] = await suggestions(app, `productId=${drill}`);
  ok(same && likely && likely.score > 0.3 && likely.rivals === 0);
  assertEquals(column(same.reasons, "code"), ["gtin_same"]);

  const accept = `/api/match-suggestions/${same.id}/accept`;
  assertEquals((await manager.act(accept, { packFactor: 2 })).status, "accepted");
  await manager.act(accept);
  const links = await linksOf(viewer, `productId=${marker}`);
  assertEquals(valuesOf(links, "url", "source", "packFactor"), [[same.page.url, "discovery", 2]]);
  const decided = `/api/match-suggestions/${likely.id}`;
  const rejected = await manager.act<MatchSuggestion>(`${decided}/reject`, { as: "variant" });
  assertFields(rejected, { status: "rejected", rejectedAs: "variant" });
  await refuses(manager.post(`${decided}/accept`), "conflict");
  const actions = await actionsOf(viewer, `match_suggestion:${likely.id}`);
  assertEquals(actions, ["match_suggestion.reject"]);
  assertEquals(await actionsOf(viewer, `discovery:${competitorId}`), ["discovery.update"]);

  // The sitemaps are read again, but no page is due, so no page is visited twice.
  const visited = shop.asked("/p/");
  await runAgain(app, competitorId);
  assertEquals(shop.asked("/p/"), visited);
  assertEquals(await suggestions(app), []);

  await manager.remove(`/api/competitors/${competitorId}`);
  for (const table of ["dsc", "dsu", "dsp", "sp", "spg", "spm"]) {
    assertEquals(await Array.fromAsync(app.store.kv.list({ prefix: [table] })), [], table);
  }
  const left = await Array.fromAsync(app.store.kv.list<{ status: string }>({ prefix: ["sg"] }));
  assertEquals(left.map(({ value }) => value.status), ["rejected"]);
});

withDiscovery.test("a truncated sitemap is read to its end, pages beyond a shop's maximum are dropped, and both are reported", async ({ app, shop: { base, pages, asked }, competitorId: id }) => {
  const names = ["/p/1", "/p/2", "/p/3"];
  for (const name of names) pages[name] = article(name);
  const urls = names.map((name) => base + name);
  pages["/whole.xml"] = xml(urlset(urls));
  pages["/cut.xml"] = xml(urlset(urls.slice(0, 2)).replace("</urlset>", ""));
  const cut = await discover(app, id, { sitemaps: [`${base}/cut.xml`] });
  assertFields(cut.state, { urls: 2, lastError: "cut_sitemap" });
  // Now the shop has room for only one more page.
  await fillUp(app, id);
  const again = async (name: string, feeds: readonly string[] = []) => {
    const listed = feeds.map((feed) => ({ url: base + feed, format: "merchant_xml" }));
    return (await runAgain(app, id, { sitemaps: [base + name], feeds: listed })).state;
  };
  assertFields(await again("/whole.xml"), { urls: 3, lastError: "too_many_pages" });
  assertFields(await again("/whole.xml"), { urls: 3, lastError: null });
  // Feed pages that exceed the maximum are also dropped and reported.
  await fillUp(app, id);
  pages["/feed.xml"] = xml(merchantFeed([4, 5].map((n) => cupItem(base, n))));
  pages["/none.xml"] = xml(urlset([]));
  const fed = await again("/none.xml", ["/feed.xml"]);
  assertFields(fed, { urls: 4, lastError: "too_many_pages" });
  assertEquals(asked("/p/").toSorted(), names);
});

withDiscovery.test("addresses of several parts are kept, and those of one part up to its maximum size", async ({ app, shop: { base, pages }, competitorId: id }) => {
  // Addresses of about 2,000 characters, by their part. If short addresses have the same part, they
  // still have the same part with `end` appended. So the loop hashes only short addresses.
  const end = `/${"a".repeat(1_900)}`;
  const byPart = new Map<number, string[]>([1, 2, 3, 4, 5].map((part) => [part, []]));
  const one = byPart.get(5) ?? [];
  for (let n = 0; one.length < 320; n++) {
    byPart.get(urlPart(`${base}/${n}`))?.push(`${base}/${n}${end}`);
  }
  assertEquals(new Set(one.map(urlPart)).size, 1);
  const several = [1, 2, 3, 4].flatMap((part) => byPart.get(part)?.slice(0, 110) ?? []);
  pages["/several.xml"] = xml(urlset(several));
  pages["/one.xml"] = xml(urlset(one));
  const { state } = await discover(app, id, { sitemaps: [`${base}/several.xml`], pagesPerDay: 5 });
  assertFields(state, { urls: 440, visited: 5, lastError: null });
  const full = await runAgain(app, id, { sitemaps: [`${base}/one.xml`], pagesPerDay: 5 });
  assertEquals(full.state.lastError, "too_many_pages");
  ok(full.state.urls > 440 + 200 && full.state.urls < 440 + 300, `${full.state.urls} are kept`);
});

withDiscovery.test("a day's work that ends during a request is reported with its result", async ({ app, shop: { base, pages }, competitorId: id }) => {
  const { page, release } = heldBack(xml(urlset([`${base}/p/1`]).replace("</urlset>", "")));
  pages["/cut.xml"] = page;
  const body = { mode: "suggest", sitemaps: [`${base}/cut.xml`] };
  await app.manager.replace(`/api/competitors/${id}/discovery`, body);
  const hasBegun = async () => (await findDiscovery(app, id)).discovery.jobId !== null;
  await until("the day has begun", hasBegun);
  // The job ends between the reading of the shop's row and the reading of the job.
  let isFirst = true;
  const store = watchedStore(app.store, {
    async got([key]) {
      if (key?.[0] !== "dsc" || !isFirst) return;
      isFirst = false;
      release();
      await untilIdle(app, id);
    },
  });
  const { state } = await readDiscovery({ workspaceId: app.workspaceId, store }, id);
  assertFields(state, { phase: "idle", lastError: "cut_sitemap" });
  assertEquals(isFirst, false);
});

withDiscovery.test("a new product is compared with the known pages by its numbers and its title, without a request", async ({ app, shop, competitorId }) => {
  const map = addListed(shop, {
    "/0": articlePage({ name: "Leifheit Wäschespinne Linomatic 500", brand: "Marke" }),
    "/1": articlePage({ name: "Kärcher Fenstersauger WV 5", brand: "Marke" }),
    "/2": articlePage({ name: "Textmarker", gtin13: GTIN }),
    "/3": articlePage({ name: "Makita DHP485 Bohrer", brand: "Makita", mpn: "DHP485" }),
  });
  await discover(app, competitorId, { sitemaps: [map] });
  assertEquals(await suggestions(app), []);
  const visits = shop.visits.length;
  const { manager } = app;
  const foundFor = async (id: string) => {
    const all = () => suggestions(app, `productId=${id}`);
    await until("a page is suggested", async () => (await all()).length === 1);
    const [found] = await all();
    ok(found && (found.verdict === "same" || found.score >= 0.15), `${found?.score}`);
    return [found.page.url.slice(shop.base.length), found.verdict === "same"];
  };
  const marker = await addProduct(manager, "M-1", { title: "Stabilo Boss", ean: `0${GTIN}` });
  assertEquals(await foundFor(marker), ["/2", true]);
  const title = "Wäschespinne Leifheit Linomatic 500 Deluxe";
  assertEquals(await foundFor(await addProduct(manager, "T-1", { title })), ["/0", false]);
  // A product with another number or title is compared again.
  const drill = await addProduct(manager, "D-1", { title: "Werkzeug" });
  await manager.change(`/api/products/${drill}`, { brand: "Makita", mpn: "DHP 485" });
  assertEquals(await foundFor(drill), ["/3", true]);
  const other = await addProduct(manager, "T-2", { title: "Bratpfanne 28 cm" });
  await manager.change(`/api/products/${other}`, { title: "Kärcher WV 5 Fenstersauger" });
  assertEquals(await foundFor(other), ["/1", false]);
  assertEquals(shop.visits.length, visits);
  // A rejected page is not suggested again.
  const [rejected] = await suggestions(app, `productId=${drill}`);
  await manager.act(`/api/match-suggestions/${rejected?.id}/reject`);
  await manager.change(`/api/products/${drill}`, { title: "Makita Bohrer" });
  await manager.change(`/api/products/${marker}`, { title: "Stabilo Marker" });
  await until("the changes were compared", async () => {
    const { value } = await app.store.kv.get<string>(["dsn", idBytes(app.workspaceId)]);
    return value === await findLogEnd(app);
  });
  assertEquals(await foundFor(marker), ["/2", true]);
  assertEquals(await suggestions(app, `productId=${drill}`), []);
});
