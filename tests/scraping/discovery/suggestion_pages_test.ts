import { bodyOf } from "../../api/answers.ts";
import type { Verdict } from "../../../src/engine/matching/identity_codes.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import type { MatchSuggestion } from "../../../src/scraping/suggestions/list_suggestions.ts";
import {
  type StoredSuggestion,
  suggestions,
} from "../../../src/shops/discovery/suggestion_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import { addProduct, answered } from "../../shops/shop.ts";
import { addShop, openSuggestion, shopPage } from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** Number of suggestions, which is more than one request reads. */
const OTHERS = 5_300;
const PER_COMMIT = 100;
const LIMIT = 2;

type SuggestionPage = { readonly items: MatchSuggestion[]; readonly nextCursor: string | null };

/** Creates open suggestions for unvisited pages in one commit; returns their ids, oldest first. */
async function addSuggestions(
  app: TestApp,
  at: { readonly productId: string; readonly competitorId: string },
  verdict: Verdict,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => app.app.clock.newId());
  await transact(app, (write) => {
    for (const id of ids) suggestions.put(write, app, suggestion(id, at, verdict));
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
    others.push(
      ...await addSuggestions(app, { productId, competitorId }, "probably", PER_COMMIT),
    );
  }
  const newest = await addSuggestions(app, at, "same", 5);

  const page = (query: string, cursor: string | null) =>
    bodyOf(app.viewer.get(`/api/match-suggestions?${query}&cursor=${cursor ?? ""}`), 200);
  const decide = (id: string | undefined, how: "accept" | "reject") =>
    answered(app.manager.post(`/api/match-suggestions/${id}/${how}`, {}), 200);
  const walk = async (query: string, between: (seen: readonly string[]) => Promise<void>) => {
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = null;;) {
      const { items, nextCursor }: SuggestionPage = await page(query, cursor);
      seen.push(...items.map(({ id }) => id));
      sizes.push(items.length);
      ok(sizes.length < 40, "the list ends");
      if (nextCursor === null) return { seen, sizes };
      await between(seen);
      cursor = nextCursor;
    }
  };
  const all = [...oldest, ...newest].toReversed();
  const query = `verdict=same&limit=${LIMIT}`;

  const quiet = await walk(query, () => Promise.resolve());
  assertEquals(quiet.seen, all);
  const whole = await walk("limit=200", () => Promise.resolve());
  assertEquals(whole.seen, [...oldest, ...others, ...newest].toReversed());
  const ofProduct = await walk(`productId=${at.productId}&limit=3`, () => Promise.resolve());
  assertEquals(ofProduct.seen, all);

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
  assertEquals(busy.seen, all.filter((id) => !gone.has(id)));
  ok(gone.size === 2 && added > 2);
});
