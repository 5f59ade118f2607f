import fc from "fast-check";
import { assertFields, bodyOf, column, refuses, valuesOf } from "../../api/answers.ts";
import { findLogEnd } from "../../../src/catalogue/products/change_log_store.ts";
import { beginDueDiscoveries } from "../../../src/scraping/discovery/discovery_job.ts";
import type { MatchSuggestion } from "../../../src/scraping/suggestions/list_suggestions.ts";
import {
  discoveries,
  type Discovery,
  DISCOVERY_OFF,
  findDiscovery,
  NOTHING_DISCOVERED,
} from "../../../src/shops/pages/discovery_store.ts";
import {
  competitors,
  leavingCompetitors,
  requireCompetitor,
} from "../../../src/shops/competitor_store.ts";
import {
  comparedChanges,
  foundPages,
  savePage,
  suggestions as suggestionTable,
} from "../../../src/shops/pages/found_page_store.ts";
import {
  type KnownUrl,
  mergeUrls,
  packUrls,
  unpackUrls,
  URL_PARTS,
  URL_STATES,
  urlPart,
} from "../../../src/shops/pages/url_store.ts";
import { until } from "../../patience.ts";
import { actionsOf, addMatch, addProduct, linksOf } from "../../shops/shop.ts";
import { article, heldBack, html, openShop, type Page, type Shop } from "../hostile_shop.ts";
import {
  addFeed,
  addListed,
  articlePage,
  cupItem,
  discover,
  fillUp,
  packed,
  plain,
  runAgain,
  shopPage,
  sitemapIndex,
  suggestions,
  untilIdle,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { changeCompetitor, finishDeletions } from "../../../src/shops/change_competitor.ts";
import { NOTHING_ALLOWED } from "../../nothing_allowed.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { watchedStore } from "../../watched_store.ts";
import {
  createChooser,
  isDue,
  isWished,
  PatternCounters,
  patternOf,
  slugTitle,
} from "../../../src/scraping/discovery/order_urls.ts";
import { anyUrl } from "../../any_text.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { findDomain } from "../../../src/scraping/page/permit.ts";
import { domainOf, urlHashOf } from "../../../src/shops/domain.ts";
import type { TestApp } from "../../harness.ts";
import { untilNoJob } from "../scraping_app.ts";

const GTIN = "4006381333931";

withDiscovery.test("a shop's sitemaps lead to its pages, and its pages to suggestions for people to decide", async ({ app, shop }) => {
  const { base, pages } = shop;
  await using other = openShop();
  Object.assign(pages, {
    "/robots.txt": plain(`User-agent: *\nDisallow: /secret\nSitemap: ${base}/index.xml`),
    "/index.xml": xml(sitemapIndex([
      `${base}/one.xml.gz`,
      "/two.txt",
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
    "/two.txt": plain(`${base}/about\r\n${base}/p/gone\n\n${base}/p/linked\n${base}/p/tasche`),
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

withDiscovery.test("a truncated sitemap is read to its end, pages beyond a shop's maximum are dropped, and both are reported", async ({ app, shop, competitorId: id }) => {
  const { base, pages, asked } = shop;
  const names = ["/p/1", "/p/2", "/p/3"];
  for (const name of names) pages[name] = article(name);
  const urls = names.map((name) => base + name);
  pages["/whole.xml"] = xml(urlset(urls));
  pages["/cut.xml"] = xml(urlset(urls.slice(0, 2)).replace("</urlset>", ""));
  const cut = await discover(app, id, { sitemaps: [`${base}/cut.xml`] });
  assertFields(cut.state, { urls: 2, lastError: "cut_sitemap" });
  await fillUp(app, id);
  const again = async (name: string, more = {}) =>
    (await runAgain(app, id, { sitemaps: [base + name], ...more })).state;
  assertFields(await again("/whole.xml"), { urls: 3, lastError: "too_many_pages" });
  assertFields(await again("/whole.xml"), { urls: 3, lastError: null });
  // Pages beyond the maximum are also dropped and reported if feeds or searches find them.
  await fillUp(app, id);
  pages["/none.xml"] = xml(urlset([]));
  const feeds = addFeed(shop, [4, 5].map((n) => cupItem(base, n)));
  const fed = await again("/none.xml", { feeds });
  assertFields(fed, { urls: 4, lastError: "too_many_pages" });
  assertEquals(asked("/p/").toSorted(), names);
  await fillUp(app, id);
  const hits = [6, 7].map((n) => `<li><a href="/p/${n}">Stabilo Boss ${GTIN}</a></li>`);
  pages["/suche"] = () => html(`<ul>${hits.join("")}</ul>`);
  await addProduct(app.manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  const searched = await again("/none.xml", { searchTemplate: `${base}/suche?q={query}` });
  assertFields(searched, { searched: 1, urls: 5, lastError: "too_many_pages" });
  assertEquals(asked("/p/").length, 4);
});

withDiscovery.test("addresses of several parts are kept, and those of one part up to its maximum size", async ({ app, shop: { base, pages }, competitorId: id }) => {
  // Collects long addresses from five of the parts into which the store divides addresses. Adding
  // the same `end` keeps addresses of one part together, so the loop hashes only short addresses.
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
  // If the number or the title of a product changes, known pages are compared with it again.
  const drill = await addProduct(manager, "D-1", { title: "Werkzeug" });
  await manager.change(`/api/products/${drill}`, { brand: "Makita", mpn: "DHP 485" });
  assertEquals(await foundFor(drill), ["/3", true]);
  const other = await addProduct(manager, "T-2", { title: "Bratpfanne 28 cm" });
  await manager.change(`/api/products/${other}`, { title: "Kärcher WV 5 Fenstersauger" });
  assertEquals(await foundFor(other), ["/1", false]);
  assertEquals(shop.visits.length, visits);
  const [rejected] = await suggestions(app, `productId=${drill}`);
  await manager.act(`/api/match-suggestions/${rejected?.id}/reject`);
  await manager.change(`/api/products/${drill}`, { title: "Makita Bohrer" });
  await manager.change(`/api/products/${marker}`, { title: "Stabilo Marker" });
  await untilCompared(app);
  assertEquals(await foundFor(marker), ["/2", true]);
  assertEquals(await suggestions(app, `productId=${drill}`), []);
});

async function addKnownPage(app: TestApp, competitorId: string): Promise<void> {
  const url = "https://shop.example/p";
  const settings = { ...DISCOVERY_OFF, mode: "suggest" as const };
  await transact(app, async (write) => {
    const at = { competitorId, urlHash: urlHashOf(new URL(url)) };
    savePage(write, app.workspaceId, at, null, shopPage(url, { gtin: GTIN, gtins: [GTIN] }));
    discoveries.put(write, app, { ...NOTHING_DISCOVERED, competitorId, settings });
    comparedChanges.put(write, app, { position: await findLogEnd(app) });
  });
}

withDiscovery.test("a shop that is being deleted gets no suggestions", async ({ app, competitorId }) => {
  await addKnownPage(app, competitorId);
  // The deletion of a shop begins with a commit that removes only the shop's own row.
  await transact(app, async (write) => {
    const shop = await requireCompetitor(app, competitorId);
    competitors.remove(write, app, shop);
    leavingCompetitors.put(write, app, shop.row);
  });
  await addProduct(app.manager, "M-1", { ean: GTIN });
  await untilCompared(app);
  assertEquals(await suggestionTable.list(app), []);
  await app.manager.remove(`/api/competitors/${competitorId}`);
});

withDiscovery.test("pages of a shop's former domain are removed, even after a crash", async ({ app, competitorId }) => {
  await addKnownPage(app, competitorId);
  const crash = () => Promise.reject(new Error("crash"));
  const store = watchedStore(app.store, { committed: crash });
  const ctx = { ...contextOf(app.store, app.app.clock, app.workspaceId), store };
  const terms = { allowed: NOTHING_ALLOWED, expected: null };
  await rejects(changeCompetitor(ctx, competitorId, { domain: "moved.example" }, terms), /crash/);
  assertEquals((await requireCompetitor(app, competitorId)).row.domain, "moved.example");
  await finishDeletions({ ...app, ...app.app.clock });
  assertEquals(await foundPages.list(app), []);
});

async function untilCompared(app: TestApp): Promise<void> {
  await until("the changes were compared", async () => {
    const { row } = await comparedChanges.find(app, {}) ?? {};
    return row?.position === await findLogEnd(app);
  });
}

const TODAY = 20_000;
const NEW = { state: "new", score: null, lastmodDay: 0, visitedDay: 0 } as const;
const known = (url: string, more: Partial<KnownUrl> = {}): KnownUrl => ({ url, ...NEW, ...more });

Deno.test("packed pages are unpacked unchanged, and fit into values of the store", () => {
  const url = fc.record({
    url: anyUrl().map((text) => new URL(text).href),
    state: fc.constantFrom(...URL_STATES),
    score: fc.option(fc.integer({ min: 0, max: 250 }).map((step) => step / 250)),
    lastmodDay: fc.integer({ min: 0, max: 65_535 }),
    visitedDay: fc.integer({ min: 0, max: 65_535 }),
  }, { noNullPrototype: true });
  fc.assert(fc.property(fc.array(url, { maxLength: 60 }), (urls) => {
    assertEquals(packUrls(urls).flatMap(unpackUrls), urls);
  }));
  const umlauts = "ü".repeat(900);
  const long = Array.from({ length: 300 }, (_, n) => known(`https://s.example/${n}/${umlauts}`));
  const values = packUrls(long);
  ok(values.length > 5 && values.every(({ length }) => length <= 60_000));
  assertEquals(values.flatMap(unpackUrls), long);
  const ofEarlierVersion = "02001168747470733a2f2f612e6578616d706c65001168747470733a2f2f622e65" +
    "78616d706c6500017d4e204e2100022f310100ff0000000000032fc3bc";
  assertEquals(unpackUrls(Uint8Array.fromHex(ofEarlierVersion)), [
    known("https://a.example/1", {
      state: "product",
      score: 0.5,
      lastmodDay: 20_000,
      visitedDay: 20_001,
    }),
    known("https://b.example/ü"),
  ]);
});

Deno.test("addresses are distributed evenly", () => {
  const counts = new Array<number>(URL_PARTS).fill(0);
  for (let n = 0; n < 51_200; n++) counts[urlPart(`https://shop.example/p/${n}.html`)]! += 1;
  ok(Math.max(...counts) < 200 && Math.min(...counts) > 30, `${Math.max(...counts)}`);
});

Deno.test("a sitemap adds new pages up to the maximum and changes known ones, and missing pages stay", () => {
  const [first, second] = [known("https://a/1", { state: "product" }), known("https://a/2")];
  const later = (one: KnownUrl) => ({ ...one, lastmodDay: 9 });
  const listed = new Set(["https://a/1", "https://a/3", "https://a/4"]);
  const urls = [later(first), second, later(known("https://a/3"))];
  assertEquals(mergeUrls([first, second], listed, 1, later), { urls, added: 1, leftOut: 1 });
});

Deno.test("a page is due when it is new, when it changed, or after a while", () => {
  const cases: [Partial<KnownUrl>, boolean][] = [
    [{}, true],
    [{ state: "product", visitedDay: TODAY - 59 }, false],
    [{ state: "product", visitedDay: TODAY - 60 }, true],
    [{ state: "product", visitedDay: TODAY - 1, lastmodDay: TODAY }, true],
    [{ state: "product", visitedDay: TODAY, lastmodDay: TODAY + 1 }, false],
    [{ state: "other", visitedDay: TODAY - 179, lastmodDay: TODAY }, false],
    [{ state: "gone", visitedDay: TODAY - 180 }, true],
    [{ state: "failed", visitedDay: TODAY - 7 }, true],
    [{ state: "failed", visitedDay: TODAY - 6 }, false],
  ];
  for (const [more, expected] of cases) {
    assertEquals(isDue(known("https://a/1", more), TODAY), expected, JSON.stringify(more));
  }
});

Deno.test("paths are included and excluded by prefix, and parsed into words and patterns", () => {
  const wishes = { include: ["/produkte/"], exclude: ["/produkte/alt"] };
  assertEquals(isWished("https://a.example/produkte/1", wishes), true);
  assertEquals(isWished("https://a.example/produkte/alt/1", wishes), false);
  assertEquals(isWished("https://a.example/blog", wishes), false);
  assertEquals(isWished("https://a.example/blog", { include: [], exclude: [] }), true);
  const url = "https://a.example/de/kaffee-maschinen/delonghi-ecam-22.110.b_schwarz.html?x=1";
  assertEquals(slugTitle(url), "kaffee maschinen delonghi ecam 22 110 b schwarz");
  assertEquals(slugTitle("https://a.example/k%C3%BChl%ZZ"), "k%C3%BChl%ZZ");
  assertEquals(patternOf("https://a.example/de/p12/foo-7.html?x"), "de/p#/*.html");
  assertEquals(patternOf("https://a.example/"), "*");
});

Deno.test("likely pages come first, one in ten is random, patterns without a product come last", () => {
  const patterns = new PatternCounters();
  for (let n = 0; n < 60; n++) {
    patterns.note(known(`https://a.example/blog/${n}`, { state: "other", visitedDay: 1 }));
    patterns.note(known(`https://a.example/p/x${n}`, { state: n === 0 ? "product" : "other" }));
  }
  const plan = (max: number, urls: readonly KnownUrl[]) => {
    const wishes = { include: [], exclude: ["/no"] };
    const chooser = createChooser({ max, today: TODAY, patterns, wishes });
    for (const url of urls) chooser.offer(url);
    return chooser.take();
  };
  const urls = [
    ...Array.from({ length: 500 }, (_, n) => known(`https://a.example/p/${n}`, { score: n / 500 })),
    ...Array.from({ length: 50 }, (_, n) => known(`https://a.example/blog/n${n}`, { score: 1 })),
    known("https://a.example/no/1", { score: 1 }),
  ];
  const some = plan(50, urls);
  assertEquals([some.length, new Set(some).size], [50, 50]);
  assertEquals(some.slice(0, 9), urls.slice(491, 500).toReversed().map(({ url }) => url));
  assertEquals(some.filter((url) => url.includes("/blog/")), []);
  const drawn = some.filter((_, n) => n % 10 === 9);
  ok(drawn.some((url) => Number(url.split("/").at(-1)) < 400), drawn.join(" "));
  assertEquals(plan(50, urls.toReversed()), some);
  const all = plan(10_000, urls);
  assertEquals([all.length, new Set(all).size], [550, 550]);
  ok(all.slice(-50).every((url) => url.includes("/blog/")));
});

withDiscovery.test("a paused discovery stops after the current page, and continues there when resumed", async ({ app, shop, competitorId }) => {
  const { manager, viewer } = app;
  const path = `/api/competitors/${competitorId}/discovery`;
  const phase = async () => (await viewer.read<Discovery>(path)).state.phase;
  const searching = async () => (await viewer.read("/api/match-suggestions/counts")).searching;
  const visits = () => shop.asked("/p/");
  const pausing: Promise<unknown>[] = [];
  const names = Array.from({ length: 12 }, (_, n) => `/p/${10 + n}`);
  const pages = names.map((name): [string, Page] => [name, async (request) => {
    if (visits().length === 6) {
      assertEquals(await searching(), 1);
      pausing.push(manager.act(`${path}/pause`));
      await pausing[0];
    }
    return await article(name, { brand: "Makita" })(request);
  }]);
  const sitemaps = [addListed(shop, Object.fromEntries(pages))];
  for (const verb of ["run", "pause", "resume"]) {
    await refuses(manager.post(`${path}/${verb}`), "conflict", verb);
  }
  await manager.replace(path, { mode: "suggest", sitemaps });
  await until("a page pauses discovery", () => pausing.length > 0);
  await Promise.all(pausing);
  assertEquals([await phase(), await searching(), visits().length], ["paused", 0, 6]);
  // New settings do not resume a paused discovery.
  const seen = new Set(visits());
  const exclude = names.filter((name) => !seen.has(name)).slice(0, 1);
  await manager.replace(path, { mode: "suggest", sitemaps, exclude });
  assertEquals([await phase(), visits().length], ["paused", 6]);

  const resumed = await manager.act<Discovery>(`${path}/resume`);
  ok(["reading", "ordering", "visiting"].includes(resumed.state.phase), resumed.state.phase);
  const done = await untilIdle(app, competitorId);
  assertEquals(new Set(visits()).size, 11);
  // Only the page that was being visited during the pause may be visited twice.
  ok(visits().length <= 12, visits().join());
  assertFields(done.state, { urls: 12, visited: 11, lastError: null });
});

const ENDS = [["paused", "POST", "/pause"], ["switched off", "PUT", ""]] as const;

for (const [how, method, verb] of ENDS) {
  withDiscovery.test(`${how} discovery with a page in progress frees its shop for others at once`, async ({ app, shop, competitorId }) => {
    const { manager, viewer } = app;
    const path = `/api/competitors/${competitorId}/discovery`;
    const { page, requested, release } = heldBack(article("Bohrer"));
    const sitemaps = [addListed(shop, { "/p/0": page })];
    await manager.replace(path, { mode: "suggest", sitemaps });
    await requested;
    const domain = domainOf(new URL(shop.base));
    const holder = async () => (await findDomain(app.store, domain)).state.token;
    ok(await holder() !== null, "the job holds the permit");
    await bodyOf(manager.send(method, path + verb, verb ? undefined : { mode: "off" }), 200);
    release();
    await untilNoJob(app);
    assertEquals(await holder(), null);
    assertEquals((await viewer.read<Discovery>(path)).state.visited, 0);
  });
}

/** Returns the sitemap's address and the times of visits. */
function addTimedPages(shop: Shop, count: number) {
  const askedAt: number[] = [];
  const pages = Array.from({ length: count }, (_, n): [string, Page] => [`/p/${n}`, (request) => {
    askedAt.push(performance.now());
    return article(`/p/${n}`, { brand: "Makita" })(request);
  }]);
  return { askedAt, map: addListed(shop, Object.fromEntries(pages)) };
}

/** Checks only the total time, because a pause after a late request may look shorter. */
function requirePauses(askedAt: readonly number[], pauses: number, delayMs: number): void {
  const spanMs = askedAt.at(-1)! - askedAt[0]!;
  ok(spanMs >= pauses * delayMs, `${askedAt.length} pages in ${spanMs} ms`);
}

/** Changes the shop's pages per day, and makes its next job due now. */
async function beginNextDay(app: TestApp, competitorId: string, pagesPerDay: number) {
  await transact(app, async (write) => {
    const { discovery } = await findDiscovery(app, competitorId);
    ok(discovery.nextRunMs > Date.now() + 60_000, "the next job begins on the next day");
    const settings = { ...discovery.settings, pagesPerDay };
    discoveries.put(write, app, { ...discovery, settings, nextRunMs: 0, visitedToday: 0 });
  });
  assertEquals(await beginDueDiscoveries({ store: app.store, clock: app.app.clock }), 1);
  return (await untilIdle(app, competitorId)).state;
}

withDiscovery.test("a shop's Crawl-delay holds on days without sitemaps, too", async ({ app, shop, competitorId }) => {
  const DELAY_MS = 400;
  const { askedAt, map } = addTimedPages(shop, 6);
  shop.pages["/robots.txt"] = plain(`User-agent: *\nCrawl-delay: ${DELAY_MS / 1_000}`);
  await discover(app, competitorId, { sitemaps: [map], pagesPerDay: 2 });
  assertEquals(askedAt.length, 2);
  await beginNextDay(app, competitorId, 4);
  assertEquals(askedAt.length, 6);
  assertEquals(shop.asked("/map.xml").length, 1);
  requirePauses(askedAt.slice(2), 2, DELAY_MS);
});

withDiscovery.test("a shop that refuses three visits in a row is not requested again until the next day", async ({ app, shop, competitorId }) => {
  const names = Array.from({ length: 7 }, (_, n) => `/p/${n}`);
  const show = (page: Page) =>
    addListed(shop, Object.fromEntries(names.map((name) => [name, page])));
  const map = show(() => html("Nein", {}, 403));
  const first = await discover(app, competitorId, { sitemaps: [map] });
  assertFields(first.state, { visited: 3, lastError: "blocked" });
  assertEquals(await beginDueDiscoveries({ store: app.store, clock: app.app.clock }), 0);
  assertEquals(shop.asked("/p/").length, 3);
  // The three refused pages must wait for a week, so only the other four are visited.
  show(article("Bohrer"));
  const next = await beginNextDay(app, competitorId, first.pagesPerDay);
  assertFields(next, { products: 4, lastError: null });
  assertEquals(shop.asked("/p/").length, 7);
});
