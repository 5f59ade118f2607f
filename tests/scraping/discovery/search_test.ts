import { refuses } from "../../api/answers.ts";
import type { Discovery } from "../../../src/shops/discovery/discovery_store.ts";
import { until } from "../../patience.ts";
import { addMatch, addProduct } from "../../shops/shop.ts";
import { heldBack, html, openShop, type Page } from "../hostile_shop.ts";
import {
  addShop,
  articlePage,
  discover,
  fillUp,
  plain,
  runAgain,
  suggestions,
  untilIdle,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const GTIN = "4006381333931";

withDiscovery.test("the shop's search is used for products without a page, by number, and at most three hits are visited", async ({ app, shop }) => {
  await using other = openShop();
  const { base, pages } = shop;
  const asked: string[] = [];
  pages["/suche"] = (request) => {
    const query = new URL(request.url).searchParams.get("q") ?? "";
    asked.push(query);
    if (query === "DHP485/1 & more") {
      return new Response(null, { status: 302, headers: { Location: "/p/makita" } });
    }
    if (query !== GTIN) return html("<p>Nichts gefunden</p>");
    const hit = (path: string, text: string) => `<li><a href="${path}">${text}</a></li>`;
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
  pages["/p/boss"] = articlePage({ name: "Stabilo Boss Textmarker gelb", gtin13: GTIN });
  for (const n of [2, 3, 4]) pages[`/p/boss-${n}`] = articlePage({ name: `Stabilo Boss ${n}` });
  pages["/p/makita"] = articlePage({ name: "Makita", brand: "Makita", mpn: "DHP485/1 & more" });
  pages["/p/linked"] = articlePage({ name: "Linked" });
  const { manager } = app;
  const marker = await addProduct(manager, "M-1", {
    title: "Stabilo Boss Textmarker gelb",
    ean: GTIN,
  });
  const drill = await addProduct(manager, "D-1", {
    title: "Makita Schlagbohrschrauber",
    brand: "Makita",
    mpn: "DHP485/1 & more",
  });
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
  assertEquals([state.searched, state.visited, state.products], [2, 4, 4]);
  const visited = shop.asked("/p/");
  assertEquals(new Set(visited), new Set(["/p/boss-3", "/p/boss", "/p/boss-2", "/p/makita"]));
  assertEquals(other.visits, []);
  const found = await suggestions(app, "verdict=same");
  assertEquals(found.map(({ product }) => product.id).toSorted(), [marker, drill].toSorted());

  // On the next day, only the new product is searched.
  await addProduct(manager, "E-1", { title: "Edding 3000", ean: "4052305221013" });
  await runAgain(app, competitorId);
  assertEquals(asked.slice(2), ["4052305221013"]);
});

withDiscovery.test("during a shop's searches the pages read before are already known", async ({ app, shop: { base, pages, asked }, competitorId: id }) => {
  const { page, release } = heldBack(() => html("<p>Nichts gefunden</p>"));
  pages["/map.xml"] = xml(urlset([1, 2, 3].map((n) => `${base}/p/${n}`)));
  pages["/suche"] = page;
  const { manager } = app;
  await addProduct(manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  const path = `/api/competitors/${id}/discovery`;
  const searchTemplate = `${base}/suche?q={query}`;
  const body = { mode: "suggest", searchTemplate, sitemaps: [`${base}/map.xml`], pagesPerDay: 100 };
  await manager.replace(path, body);
  await until("the search is asked", () => asked().includes("/suche"));
  const { state } = await app.viewer.read<Discovery>(path);
  release();
  assertEquals([state.phase, state.urls], ["visiting", 3]);
  assertEquals((await untilIdle(app, id)).state.urls, 3);
});

withDiscovery.test("search hits beyond the shop's maximum of pages are left out and reported", async ({ app, shop: { base, pages, asked }, competitorId: id }) => {
  const hit = (path: string) => `<li><a href="${path}">Stabilo Boss ${GTIN}</a></li>`;
  pages["/suche"] = () => html(`<ul>${hit("/p/1")}${hit("/p/2")}</ul>`);
  for (const n of [1, 2]) pages[`/p/${n}`] = articlePage({ name: `Stabilo Boss ${n}` });
  await addProduct(app.manager, "M-1", { title: "Stabilo Boss", ean: GTIN });
  await discover(app, id, { pagesPerDay: 100 });
  // Now the shop has room for only one more page.
  await fillUp(app, id);
  const searchTemplate = `${base}/suche?q={query}`;
  const { state } = await runAgain(app, id, { searchTemplate, pagesPerDay: 100 });
  assertEquals([state.searched, state.urls, state.lastError], [1, 1, "too_many_pages"]);
  assertEquals(asked("/p/").length, 1);
});

withDiscovery.test("searches and their hits take at most a fifth of the day, and none if robots.txt forbids them", async ({ app, shop: { base, pages, asked }, competitorId }) => {
  const nothing: Page = () => html("<p>Nichts</p>");
  pages["/s"] = nothing;
  for (let n = 0; n < 12; n++) {
    await addProduct(app.manager, `P-${n}`, { title: `Product ${n}`, mpn: `KX${100 + n}` });
  }
  const searchTemplate = `${base}/s?q={query}`;
  const first = await discover(app, competitorId, { searchTemplate, pagesPerDay: 100 });
  const searches = () => asked().filter((path) => path === "/s").length;
  // Searches may use a fifth of 100 pages. Each search reserves four pages.
  assertEquals([searches(), first.state.searched], [5, 5]);
  await runAgain(app, competitorId);
  assertEquals(searches(), 5);

  const closed: Record<string, Page> = { "/s": nothing };
  closed["/robots.txt"] = plain("User-agent: *\nDisallow: /s?");
  await using polite = openShop(closed);
  const closedId = await addShop(app.manager, polite.base);
  const { state } = await discover(app, closedId, { searchTemplate: `${polite.base}/s?q={query}` });
  assertEquals(polite.asked().filter((path) => path === "/s"), []);
  const answer = await app.viewer.read(`/api/competitors/${closedId}/discovery`);
  ok(
    state.lastError === "robots_disallowed" && answer.state.phase === "idle",
    `${state.lastError}`,
  );
});
