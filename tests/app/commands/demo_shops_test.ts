import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { demoProducts } from "../../../src/app/demo/demo_catalogue.ts";
import { startNeighbours } from "../../../src/app/demo/start_neighbours.ts";
import { extent } from "../../proof.ts";
import { addProduct } from "../../shops/shop.ts";
import {
  addShop,
  discover,
  startDiscoveryApp,
  suggestions,
} from "../../scraping/discovery/made_shop.ts";

/** Endings of the addresses of articles that resemble ours. */
const ODD = ["aktion", "schwarz", "set", "tasche", "gebraucht", "2er-pack"] as const;

Deno.test("discovery at the demo's shops finds every page of unlinked articles, and no odd one is judged the same", async () => {
  const products = demoProducts().filter(({ isUnlinked }) => isUnlinked)
    .slice(0, extent(40, 12));
  await using neighbours = startNeighbours(products);
  await using app = await startDiscoveryApp();
  for (const { sku, title, brand, ean, mpn, priceCents } of products) {
    await addProduct(app.manager, sku, { title, brand, ean, mpn, ourPrice: priceCents / 100 });
  }
  const up = neighbours.offers.filter(({ shop }) => shop.kind !== "down");
  const domains = new Set(up.map(({ domain }) => domain));
  const oddOf = async (domain: string) => {
    const id = await addShop(app.manager, `http://${domain}`);
    const { state } = await discover(app, id, {});
    assertEquals([state.phase, state.visited], ["idle", state.urls]);
    const path = `/api/competitors/${id}/discovery/pages?limit=200`;
    const { items } = await app.viewer.read<{ items: { url: string }[] }>(path);
    return items.flatMap(({ url }) => ODD.find((one) => url.endsWith(`-${one}.html`)) ?? []);
  };
  const odd = await Promise.all(domains.values().map(oddOf));
  assertEquals(odd.flat().toSorted(), ODD.toSorted());
  const truth = new Map(up.map(({ url, product }) => [url, product.sku]));
  const found = await suggestions(app);
  const right = found.filter(({ page, product }) => truth.get(page.url) === product.sku);
  // robots.txt forbids some of the pages.
  const open = up.filter(({ path }) => !path.startsWith("/angebote/"));
  assertEquals(new Set(right.map(({ page }) => page.url)), new Set(open.map(({ url }) => url)));
  const same = found.filter(({ verdict }) => verdict === "same");
  ok(same.length > 0);
  assertEquals(same.filter((one) => !right.includes(one)).map(({ page }) => page.url), []);
});
