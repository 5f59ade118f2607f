import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type {
  MatchSuggestion,
  SuggestionCounts,
} from "../../../src/scraping/suggestions/list_suggestions.ts";
import { idBytes } from "../../../src/base/id.ts";
import { actionsOf, addMatch, addProduct, linksOf } from "../../shops/shop.ts";
import {
  addShop,
  articlePage,
  discover,
  openSuggestion,
  shopPage,
  suggestions,
  urlset,
  withDiscovery,
  xml,
} from "./made_shop.ts";
import { PUBLIC_EVENTS } from "../../../src/platform/events/event.ts";
import { column, pagesOf } from "../../api/answers.ts";
import { until } from "../../patience.ts";
import { startReceiver } from "../../messages/webhooks/receiver.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import type { Verdict } from "../../../src/engine/matching/identity_codes.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  type StoredSuggestion,
  suggestions as suggestionTable,
} from "../../../src/shops/discovery/suggestion_store.ts";
import { type TestApp, withApp } from "../../harness.ts";

withDiscovery.test("undoing a decision deletes its link, and opens the suggestion again", async ({ app, shop: { base, pages }, competitorId }) => {
  const names = ["Makita DHP485", "Makita DHP486", "Makita Schlagbohrschrauber Koffer DHP"];
  names.forEach((name, n) => {
    const mpn = name.endsWith("DHP") ? {} : { mpn: name.slice(7) };
    pages[`/${n}`] = articlePage({ name, brand: "Makita", ...mpn });
  });
  pages["/map.xml"] = xml(urlset(names.map((_, n) => `${base}/${n}`)));
  const { manager, viewer } = app;
  for (const name of names.slice(0, 2)) {
    const mpn = name.slice(7);
    await addProduct(manager, mpn, { title: name, brand: "Makita", mpn });
  }
  await addProduct(manager, "K-1", {
    title: "Makita Schlagbohrschrauber im Koffer",
    brand: "Makita",
  });
  await discover(app, competitorId, { sitemaps: [`${base}/map.xml`] });
  const counts = () => viewer.read<SuggestionCounts>("/api/match-suggestions/counts");
  const rest = { probably: 1, unknown: 0, isCut: false, searching: 0 };
  assertEquals(await counts(), { open: 3, same: 2, ...rest });
  // Index rows of earlier versions have no verdict.
  const rows = app.store.kv.list({ prefix: ["sgs", idBytes(app.workspaceId)] });
  for await (const { key } of rows) await app.store.kv.set(key, null);
  assertEquals(await counts(), { open: 3, same: 2, ...rest });

  const links = async () => (await linksOf(viewer)).map(({ url }) => url);
  const [first, second] = await suggestions(app, "verdict=same");
  ok(first && second);
  const at = (id: string, verb: string) => `/api/match-suggestions/${id}/${verb}`;
  await manager.act(at(first.id, "accept"));
  assertEquals(await links(), [first.page.url]);
  assertEquals(await counts(), { open: 2, same: 1, ...rest });
  for (const _ of ["once", "twice"]) {
    const open: MatchSuggestion = await manager.act(at(first.id, "reopen"));
    assertEquals([open.status, open.decidedAt], ["open", null]);
  }
  assertEquals(await links(), []);
  await manager.act(at(first.id, "accept"));
  assertEquals(await links(), [first.page.url]);

  await manager.act(at(second.id, "reject"), { as: "variant" });
  const back = await manager.act<MatchSuggestion>(at(second.id, "reopen"));
  assertEquals([back.status, back.rejectedAs], ["open", null]);

  // A link that a person made without the suggestion stays.
  await manager.create("/api/competitor-products", {
    productId: second.product.id,
    url: second.page.url,
    competitorId,
  });
  await manager.act(at(second.id, "accept"));
  await manager.act(at(second.id, "reopen"));
  assertEquals((await links()).toSorted(), [first.page.url, second.page.url].toSorted());

  assertEquals(
    await actionsOf(viewer, `match_suggestion:${first.id}`),
    ["match_suggestion.accept", "match_suggestion.reopen", "match_suggestion.accept"],
  );

  const [reading, writing] = [await app.key([]), await app.key(["matches:write"])];
  const publicPath = "/api/public/v1/match-suggestions";
  await writing.act(`${publicPath}/${first.id}/reopen`);
  const many = (action: string) =>
    manager.act<{ results: { status: string | null }[] }>("/api/match-suggestions/bulk", {
      action,
      ids: [first.id, "nothing", second.id],
    });
  assertEquals((await many("accept")).results.map(({ status }) => status), [
    "accepted",
    null,
    "accepted",
  ]);
  assertEquals((await many("reopen")).results.map(({ status }) => status), ["open", null, "open"]);
  const { data } = await reading.read(`${publicPath}/counts`);
  assertEquals(data.same, 2);
});

/** Number of suggestions, which is more than an event may contain. */
const PAGES = 23;
const GTIN = "9521000000018";

withDiscovery.test("webhooks get suggestions in batches, and each link by people or automatic", async ({ app, shop: { base, pages }, competitorId }) => {
  await using receiver = startReceiver();
  const names = Array.from({ length: PAGES }, (_, n) => `/p/${n}`);
  // Without a brand, an equal part number gives only the verdict `probably`.
  names.forEach((name, n) => {
    pages[name] = articlePage({ name: `Pumpe PX${100 + n}`, mpn: `PX${100 + n}` });
  });
  pages["/p/0"] = articlePage({ name: "Pumpe PX100", brand: "Pumpenwerk", mpn: "PX100" });
  pages["/p/later"] = articlePage({ name: "Textmarker", gtin13: GTIN });
  pages["/map.xml"] = xml(urlset([...names, "/p/later"].map((name) => base + name)));
  const { manager, owner } = app;
  const skus = names.map((_, n) => `PX${100 + n}`);
  const more = { brand: "Pumpenwerk", ourPrice: 10 };
  const products = skus.map((sku) => ({ sku, title: `Pumpe ${sku}`, mpn: sku, ...more }));
  const productIds = await addProducts(app, products);
  const events = ["match.suggested", "match.linked"] as const;
  await owner.create("/api/webhooks", { url: `${receiver.url}/hook`, events });
  const eventsOf = <T extends typeof events[number]>(type: T) =>
    receiver.receipts.filter(({ body }) => body.type === type)
      .map(({ body }) => PUBLIC_EVENTS[type].strict().parse(body.data));

  await discover(app, competitorId, { mode: "automatic", sitemaps: [`${base}/map.xml`] });
  const suggested = () =>
    eventsOf("match.suggested").flatMap((event) => "suggestions" in event ? event.suggestions : []);
  await until("every suggestion is published", () => Promise.resolve(suggested().length === PAGES));
  await until(
    "the link is published",
    () => Promise.resolve(eventsOf("match.linked").length === 1),
  );
  assertEquals(suggested().map(({ sku }) => sku).toSorted(), skus.toSorted());
  const batches = eventsOf("match.suggested");
  const sizes = batches.map((event) => "suggestions" in event ? event.suggestions.length : 0);
  // Deliveries run in parallel, so events may arrive in another order.
  assertEquals(sizes.toSorted((one, other) => other - one), [20, 3]);
  assertEquals(batches.map((event) => event.competitorId), [competitorId, competitorId]);
  assertEquals(suggested().find(({ sku }) => sku === "PX100")?.verdict, "same");
  assertEquals(suggested().find(({ sku }) => sku === "PX101")?.verdict, "probably");
  const [own] = eventsOf("match.linked");
  ok(own && "isAutomatic" in own);
  assertEquals([own.isAutomatic, own.sku, own.url], [true, "PX100", `${base}/p/0`]);

  const [first] = await suggestions(app, `productId=${productIds[1]}`);
  await manager.act(`/api/match-suggestions/${first?.id}/accept`);
  await addMatch(manager, productIds[2]!, `${base}/p/2`);
  await until("links of people are published", () => {
    return Promise.resolve(eventsOf("match.linked").length === 3);
  });
  const others = eventsOf("match.linked").slice(1);
  assertEquals(
    others.map((event) => "isAutomatic" in event && [event.isAutomatic, event.sku]).toSorted(),
    [[false, "PX101"], [false, "PX102"]],
  );

  await addProduct(manager, "LATER", { title: "Marker", ean: GTIN, ourPrice: 1_000 });
  await until("the new product's page is published", () => {
    return Promise.resolve(suggested().some(({ sku }) => sku === "LATER"));
  });
  assertEquals(eventsOf("match.linked").length, 3);
});

/** Number of suggestions, which is more than one request reads. */
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
    for (const id of ids) suggestionTable.put(write, app, suggestion(id, at, verdict));
  });
  return ids;
}

function suggestion(
  id: string,
  at: { readonly productId: string; readonly competitorId: string },
  verdict: Verdict,
): StoredSuggestion {
  const url = `https://shop.example/p/${id}`;
  const page = shopPage(url, { title: "Pumpe", price: 1_100, currency: "EUR" });
  return openSuggestion({ id, ...at, urlHash: id.padStart(32, "0"), page, verdict });
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
  const walk = async (query: string, between: (seen: readonly string[]) => Promise<void>) => {
    const seen: string[] = [];
    let pages = 0;
    for await (const { items } of pagesOf(app.viewer, `/api/match-suggestions?${query}`)) {
      seen.push(...column(items, "id"));
      ok(++pages < 40, "the list ends");
      await between(seen);
    }
    return seen;
  };
  const all = [...oldest, ...newest].toReversed();
  const query = `verdict=same&limit=${LIMIT}`;

  const quiet = await walk(query, () => Promise.resolve());
  assertEquals(quiet, all);
  const whole = await walk("limit=200", () => Promise.resolve());
  assertEquals(whole, [...oldest, ...others, ...newest].toReversed());
  const ofProduct = await walk(`productId=${at.productId}&limit=3`, () => Promise.resolve());
  assertEquals(ofProduct, all);

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
