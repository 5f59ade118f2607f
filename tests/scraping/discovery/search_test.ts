import { assertFields, refuses } from "../../api/answers.ts";
import type { Discovery } from "../../../src/shops/pages/discovery_store.ts";
import { addMatch, addProduct } from "../../shops/shop.ts";
import { heldBack, html, openShop, type Page, redirect } from "../hostile_shop.ts";
import {
  addListed,
  addShop,
  articlePage,
  articlePages,
  discover,
  fillUp,
  plain,
  runAgain,
  suggestions,
  untilIdle,
  withDiscovery,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const GTIN = "4006381333931";
const NOTHING: Page = () => html("<p>Nichts gefunden</p>");

withDiscovery.test("the shop's search is used for products without a page, by number, and at most three hits are visited", async ({ app, shop }) => {
  await using other = openShop();
  const { base, pages } = shop;
  const asked: string[] = [];
  const hit = (path: string, text: string) => `<li><a href="${path}">${text}</a></li>`;
  pages["/suche"] = (request) => {
    const query = new URL(request.url).searchParams.get("q") ?? "";
    asked.push(query);
    if (query === "DHP485/1 & more") return redirect("/p/makita")(request);
    if (query !== GTIN) return NOTHING(request);
    return html(`<nav>${hit("/p/nav", `Stabilo ${GTIN}`)}</nav>
      <ul>${hit(`${other.base}/p/1`, `Stabilo Boss ${GTIN}`)}
      ${hit("/p/garden", "Rasenmäher")}
      ${hit("/p/boss#top", "Stabilo Boss Textmarker gelb")}
      ${hit("/p/boss-2", "Stabilo Boss Textmarker")}
      ${hit(`/p/boss-3?n=${GTIN}`, "Angebot")}
      ${hit("/p/boss-4", "Stabilo Boss")}
      ${hit("javascript:alert(1)", `Stabilo ${GTIN}`)}</ul>
      <footer>${hit("/p/footer", `Stabilo ${GTIN}`)}</footer>`);
  };
  const drillWords = { brand: "Makita", mpn: "DHP485/1 & more" };
  const title = "Stabilo Boss Textmarker gelb";
  pages["/p/boss"] = articlePage({ name: title, gtin13: GTIN });
  for (const n of [2, 3, 4]) pages[`/p/boss-${n}`] = articlePage({ name: `Stabilo Boss ${n}` });
  pages["/p/makita"] = articlePage({ name: "Makita", ...drillWords });
  pages["/p/linked"] = articlePage({ name: "Linked" });
  const { manager } = app;
  const marker = await addProduct(manager, "M-1", { title, ean: GTIN });
  const drill = await addProduct(manager, "D-1", { title: "Makita Bohrer", ...drillWords });
  await addProduct(manager, "N-1", { title: "No number at all" });
  await addProduct(manager, "I-1", { title: "A number of our own", ean: "2004711000005" });
  const linked = await addProduct(manager, "L-1", { title: "Linked", ean: "4004764003013" });
  const { competitorId } = await addMatch(manager, linked, `${base}/p/linked`);

  const path = `/api/competitors/${competitorId}/discovery`;
  const wrong = [
    `${other.base.replace("127.0.0.1", "elsewhere.example")}/?q={query}`,
    `${base}/suche`,
    `${base}/suche?q={query}&r={query}`,
    `${base}/suche#{query}`,
    "https://{query}.example/",
    "ftp://shop.example/{query}",
  ];
  for (const searchTemplate of wrong) {
    const body = { mode: "suggest", searchTemplate };
    await refuses(manager.put(path, body), "validation_failed", searchTemplate);
  }
  const searchTemplate = `${base}/suche?q={query}`;
  const { state } = await discover(app, competitorId, { searchTemplate, pagesPerDay: 100 });
  assertEquals(asked.toSorted(), [GTIN, "DHP485/1 & more"].toSorted());
  assertFields(state, { searched: 2, visited: 4, products: 4 });
  const visited = new Set(["/p/boss-3", "/p/boss", "/p/boss-2", "/p/makita"]);
  assertEquals(new Set(shop.asked("/p/")), visited);
  assertEquals(other.visits, []);
  const found = await suggestions(app, "verdict=same");
  assertEquals(found.map(({ product }) => product.id).toSorted(), [marker, drill].toSorted());

  // On the next day, only the new product is searched.
  await addProduct(manager, "E-1", { title: "Edding 3000", ean: "4052305221013" });
  await runAgain(app, competitorId);
  assertEquals(asked.slice(2), ["4052305221013"]);
});

withDiscovery.test("during a shop's searches the pages read before are already known", async ({ app, shop, competitorId: id }) => {
  const { page, requested, release } = heldBack(NOTHING);
  shop.pages["/suche"] = page;
  const { manager } = app;
  await addProduct(manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  const missing: Page = () => html("", {}, 404);
  const map = addListed(shop, { "/p/1": missing, "/p/2": missing, "/p/3": missing });
  const path = `/api/competitors/${id}/discovery`;
  const searchTemplate = `${shop.base}/suche?q={query}`;
  const settings = { mode: "suggest", searchTemplate, sitemaps: [map], pagesPerDay: 100 };
  await manager.replace(path, settings);
  await requested;
  const { state } = await app.viewer.read<Discovery>(path);
  release();
  assertFields(state, { phase: "visiting", urls: 3 });
  assertEquals((await untilIdle(app, id)).state.urls, 3);
});

withDiscovery.test("search hits beyond the shop's maximum of pages are left out and reported", async ({ app, shop: { base, pages, asked }, competitorId: id }) => {
  const hit = (path: string) => `<li><a href="${path}">Stabilo Boss ${GTIN}</a></li>`;
  pages["/suche"] = () => html(`<ul>${hit("/p/0")}${hit("/p/1")}</ul>`);
  const articles = [1, 2].map((n) => ({ name: `Stabilo Boss ${n}` }));
  Object.assign(pages, articlePages(articles));
  await addProduct(app.manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  await discover(app, id, { pagesPerDay: 100 });
  // Now the shop has room for only one more page.
  await fillUp(app, id);
  const searchTemplate = `${base}/suche?q={query}`;
  const { state } = await runAgain(app, id, { searchTemplate, pagesPerDay: 100 });
  assertFields(state, { searched: 1, urls: 1, lastError: "too_many_pages" });
  assertEquals(asked("/p/").length, 1);
});

withDiscovery.test("searches and their hits take at most a fifth of the day, and none if robots.txt forbids them", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  pages["/s"] = NOTHING;
  for (let n = 0; n < 12; n++) {
    await addProduct(app.manager, `P-${n}`, { title: `Product ${n}`, mpn: `KX${100 + n}` });
  }
  const searchTemplate = `${base}/s?q={query}`;
  const first = await discover(app, competitorId, { searchTemplate, pagesPerDay: 100 });
  const searches = () => asked("/s").filter((path) => path === "/s").length;
  // Searches may use a fifth of 100 pages. Each search reserves four pages.
  assertEquals([searches(), first.state.searched], [5, 5]);
  await runAgain(app, competitorId);
  assertEquals(searches(), 5);

  const robots = plain("User-agent: *\nDisallow: /s?");
  await using polite = openShop({ "/s": NOTHING, "/robots.txt": robots });
  const closedId = await addShop(app.manager, polite.base);
  const { state } = await discover(app, closedId, { searchTemplate: `${polite.base}/s?q={query}` });
  assertEquals(polite.asked("/s").filter((path) => path === "/s"), []);
  assertFields(state, { phase: "idle", lastError: "robots_disallowed" });
});
