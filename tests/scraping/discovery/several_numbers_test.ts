import { idBytes } from "../../../src/base/id.ts";
import type { KnownPage } from "../../../src/scraping/discovery/discovery_routes.ts";
import type { Discovery } from "../../../src/shops/discovery/discovery_store.ts";
import { StoredSuggestion } from "../../../src/shops/discovery/suggestion_store.ts";
import { addProduct, linksOf } from "../../shops/shop.ts";
import { article } from "../hostile_shop.ts";
import {
  addShop,
  discover,
  openSuggestion,
  shopPage,
  startDiscoveryApp,
  suggestions,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const GTIN = "4006381333931";
const OF_TEN = "14006381333938";

withDiscovery.test("a page is found by each of its numbers, and a page of a pack suggests its pack factor", async ({ app, shop: { base, pages }, competitorId }) => {
  pages["/both"] = article("Edding 3000", { gtin13: ["4004764003013", "4004764003020"] });
  pages["/ten"] = article("STABILO BOSS Textmarker gelb 10er Pack", { gtin14: OF_TEN });
  pages["/map.xml"] = xml(urlset([`${base}/both`, `${base}/ten`]));
  const { manager, viewer } = app;
  const marker = await addProduct(manager, "M-1", {
    title: "STABILO BOSS Textmarker gelb",
    ean: GTIN,
  });
  const black = await addProduct(manager, "E-1", { title: "Edding 3000", ean: "4004764003013" });
  const blue = await addProduct(manager, "E-2", { title: "Edding 3000", ean: "4004764003020" });
  await discover(app, competitorId, { sitemaps: [`${base}/map.xml`] });
  const found = await suggestions(app);
  const suggested = found.map(({ product: { id }, verdict, packFactor, page }) => [
    id,
    verdict,
    packFactor,
    page.url.slice(base.length),
  ]);
  assertEquals(
    suggested.toSorted(),
    [
      [marker, "different", 10, "/ten"],
      [black, "same", null, "/both"],
      [blue, "same", null, "/both"],
    ].toSorted(),
  );
  const path = `/api/competitors/${competitorId}/discovery/pages`;
  for (const gtin of ["4004764003013", "4004764003020"]) {
    const { items } = await viewer.read<{ items: KnownPage[] }>(`${path}?gtin=${gtin}`);
    assertEquals(items.map(({ url }) => url.slice(base.length)), ["/both"], gtin);
  }
  // The accepted suggestion becomes a link with the pack factor.
  const ten = found.find((one) => one.packFactor === 10);
  await manager.act(`/api/match-suggestions/${ten?.id}/accept`);
  const links = await linksOf(viewer, `productId=${marker}`);
  assertEquals(links.map(({ packFactor }) => packFactor), [10]);
});

Deno.test("pages that earlier versions stored with one number are read correctly", async () => {
  await using app = await startDiscoveryApp();
  const competitorId = await addShop(app.manager, "https://shop.example");
  const url = "https://shop.example/p/1";
  const price = { price: 199, currency: "EUR", availability: "in_stock" } as const;
  const whole = shopPage(url, { title: "Textmarker", gtin: GTIN, ...price });
  const { gtins: _gtins, pack: _pack, foundBy: _foundBy, ...page } = whole;
  const at = [idBytes(app.workspaceId), idBytes(competitorId)];
  const { kv } = app.store;
  await kv.set(["sp", ...at, new Uint8Array(16)], page);
  await kv.set(["dsc", ...at], {
    settings: { mode: "off", sitemaps: "robots", include: [], exclude: [], pagesPerDay: 7 },
    isPaused: false,
    jobId: null,
    counts: { urls: 1, visited: 1, products: 1 },
    foreign: 0,
    lastError: null,
    lastReadMs: 0,
    nextRunMs: 0,
    day: 0,
    visitedToday: 0,
    orderedFor: 0,
  });
  const path = `/api/competitors/${competitorId}/discovery`;
  const known = await app.viewer.read<{ items: KnownPage[] }>(`${path}/pages`);
  assertEquals(known.items, [{ ...page, gtins: [GTIN], pack: null, foundBy: "visit", links: [] }]);
  const discovery = await app.viewer.read<Discovery>(path);
  assertEquals(
    [discovery.feeds, discovery.searchTemplate, discovery.pagesPerDay, discovery.state.feeds],
    [[], null, 7, []],
  );
  // Suggestions in workspace files of earlier versions also contain pages with one number.
  const ids = { id: "1", productId: "2", competitorId: "3", urlHash: "0".repeat(32) };
  const made = openSuggestion({ ...ids, page: whole, verdict: "same" });
  const read = StoredSuggestion.parse({ ...made, page });
  ok(read.page.gtins[0] === GTIN && read.page.foundBy === "visit");
});
