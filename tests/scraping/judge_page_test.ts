import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { judgePage } from "../../src/scraping/suggestions/product_indexes.ts";
import { sidesOf } from "../engine/matching/labelled_pairs.ts";
import { judgePair } from "../engine/matching/judged_pair.ts";
import { ourTitles, shopTitles } from "../engine/matching/made_titles.ts";

Deno.test("judgePage() agrees with the function whose quality is measured, also for words and prices", () => {
  const [ours, theirs] = [ourTitles(200), shopTitles(200)];
  const pairs = ours.map(({ title, brand = null }, at) => ({
    a: { title, brand, mpns: [`MPN-${at}`], text: null, price: 1_000 + at },
    b: { ...theirs[at]!, mpns: at % 3 === 0 ? [`MPN-${at}`] : [], text: null, price: 900 + 7 * at },
    isSame: at % 2 === 0,
    set: "made",
  }));
  const { vocabulary } = sidesOf(pairs);
  const verdicts = pairs.map((pair) => {
    const { a, b } = pair;
    const product = {
      title: a.title,
      brand: a.brand,
      ean: null,
      mpn: a.mpns[0] ?? null,
      condition: null,
      ourPriceCents: a.price,
      currency: "EUR",
    };
    const page = {
      title: b.title,
      brand: null,
      gtin: null,
      gtins: [],
      mpn: b.mpns[0] ?? null,
      sku: null,
      condition: null,
      price: b.price,
      currency: "EUR",
      isOpenVariant: false,
      pack: null,
    };
    const judged = judgePage(product, page, vocabulary);
    assertEquals(judged, judgePair(pair, vocabulary));
    return judged.verdict;
  });
  assert(new Set(verdicts).size > 1);
});
