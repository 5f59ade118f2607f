import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type {
  MatchSuggestion,
  SuggestionCounts,
} from "../../../src/scraping/suggestions/list_suggestions.ts";
import { idBytes } from "../../../src/base/id.ts";
import { actionsOf, addMatch, addProduct, linksOf } from "../../shops/shop.ts";
import {
  addListed,
  addShop,
  type Article,
  articlePage,
  articlePages,
  discover,
  openSuggestion,
  shopPage,
  suggestions,
  withDiscovery,
} from "./made_shop.ts";
import { PUBLIC_EVENTS } from "../../../src/platform/events/event.ts";
import { assertFields, column, pagesOf, valuesOf } from "../../api/answers.ts";
import { until } from "../../patience.ts";
import { startReceiver } from "../../messages/receiver.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import type { Verdict } from "../../../src/engine/matching/identity_codes.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { suggestions as suggestionTable } from "../../../src/shops/pages/found_page_store.ts";
import { type TestApp, withApp } from "../../harness.ts";

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
  const counts = () => viewer.read<SuggestionCounts>("/api/match-suggestions/counts");
  const rest = { probably: 1, unknown: 0, isCut: false, searching: 0 };
  assertEquals(await counts(), { open: 3, same: 2, ...rest });
  // Index rows of earlier versions have no verdict.
  const rows = app.store.kv.list({ prefix: ["sgs", idBytes(app.workspaceId)] });
  for await (const { key } of rows) await app.store.kv.set(key, null);
  assertEquals(await counts(), { open: 3, same: 2, ...rest });

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

  // A link that a person made without the suggestion stays.
  await addMatch(manager, second.product.id, second.page.url);
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

/** Number of suggestions, which is more than an event may contain. */
const PAGES = 23;
const GTIN = "9521000000018";

withDiscovery.test("webhooks get suggestions in batches, and each link by people or automatic", async ({ app, shop, competitorId }) => {
  await using receiver = startReceiver();
  const brand = "Pumpenwerk";
  const skus = Array.from({ length: PAGES }, (_, n) => `PX${100 + n}`);
  // Without a brand, an equal part number gives only the verdict `probably`.
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
  // Deliveries run in parallel, so events may arrive in another order.
  const sizes = batches().map(({ length }) => length).toSorted((one, other) => other - one);
  assertEquals(sizes, [20, 3]);
  const shops = column(eventsOf("match.suggested"), "competitorId");
  assertEquals(shops, [competitorId, competitorId]);
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

/** Number of suggestions. A single request reads fewer. */
const OTHERS = 5_300;
const PER_COMMIT = 100;
const LIMIT = 2;

/** Creates open suggestions for unvisited pages in one commit; returns their ids, oldest first. */
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

  // After each page, its last suggestion and a suggestion that was not listed yet are decided. The
  // second suggestion must not be listed later.
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
});
