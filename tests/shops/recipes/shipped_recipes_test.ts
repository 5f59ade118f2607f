import { plainDecimal } from "../../../src/engine/extraction/amount.ts";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import { jsonPathError, selectorError } from "../../../src/engine/extraction/page/written_paths.ts";
import type { LearningPage } from "../../../src/engine/extraction/recipe/learn_recipe.ts";
import {
  placeText,
  RECIPE_SELECTORS_MAX,
  SHIPPED_RECIPES,
  type ShippedRecipe,
} from "../../../src/engine/extraction/recipe/recipe.ts";
import { domainOf } from "../../../src/shops/domain.ts";
import {
  lessonsOf,
  NO_LESSONS,
  pageRecipe,
  type ShopLessons,
  StoredRecipe,
  withOutcomeOf,
  withPagesKept,
} from "../../../src/shops/recipes/recipe_store.ts";
import { type QualityPage, realPages } from "../../engine/extraction/page_quality.ts";
import { readHtml, shown } from "../../engine/extraction/reading_pages.ts";
import { testNeeding } from "../../needing.ts";
import { COLLECTION, missingInCollection } from "../../sample_data.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** The error of an entry, or null if it may be shipped. */
function errorOf({ domain, selectors = [], statePaths = [] }: ShippedRecipe): string | null {
  const address = `https://${domain}/`;
  if (!URL.canParse(address) || domainOf(new URL(address)) !== domain) return "domain";
  const count = selectors.length + statePaths.length;
  if (count === 0 || count > RECIPE_SELECTORS_MAX) return "how many";
  if (new Set([...selectors, ...statePaths]).size < count) return "twice";
  const [bad = null] = selectors.flatMap((one) =>
    selectorError(one) ?? (/\d/.test(one.replace(/\bh[1-6]\b/g, "")) ? "digits" : [])
  );
  if (bad !== null) return bad;
  for (const one of statePaths) {
    const [, path = ""] = /^(?:#?[A-Za-z_$][A-Za-z_$.-]*) (\$\S*)(?: \/ 100)?$/.exec(one) ?? [];
    if (path === "" || jsonPathError(path) !== null) return "path";
  }
  return null;
}

Deno.test("every shipped recipe is for one shop, with valid places that are not specific to one page", () => {
  assertEquals(
    SHIPPED_RECIPES.map(errorOf).filter((validationError) => validationError !== null),
    [],
  );
  const domains = SHIPPED_RECIPES.map(({ domain }) => domain);
  assertEquals(new Set(domains).size, domains.length);
});

testNeeding(missingInCollection("pages/real_expected.json"), {
  name:
    "every shipped recipe reads the prices of all saved pages of its shop, and at least two prices",
  fn() {
    const pages = realPages(COLLECTION).filter(({ price }) => price !== null);
    for (const shipped of SHIPPED_RECIPES) {
      const own = pages.filter(({ url }) => domainOf(new URL(url)) === shipped.domain);
      const labels = new Set(own.flatMap(({ price }) => price ?? []));
      ok(own.length >= 2 && labels.size >= 2, shipped.domain);
      const places = [...shipped.selectors ?? [], ...shipped.statePaths ?? []];
      for (const page of own) {
        const right = placesWithPrice(page);
        assertEquals([page.url, places.filter((place) => !right.has(place))], [page.url, []]);
      }
    }
  },
});

/** The places that each find one of the correct prices with which the page is labelled. */
function placesWithPrice({ url, html, price }: QualityPage): ReadonlySet<string> {
  const labels = (price ?? []).map(plainDecimal);
  const answer = { url, contentType: "text/html", text: html };
  const { digest } = extractPrice(answer, { isLearning: true, wanted: labels[0] ?? "" });
  const finds = digest?.finds ?? [];
  const right = finds.filter(({ at }) => labels.includes(digest?.prices[at]?.decimal ?? "none"));
  return new Set(right.map(placeText));
}

const GOOD: ShippedRecipe = {
  domain: "shop.example",
  selectors: ["div.links"],
  statePaths: ["__STATE__ $.item.price / 100"],
};

/** The lessons of a shop that has a taught or learned recipe in addition to the shipped one. */
function known(source: "taught" | "learned", selector: string): ShopLessons {
  const { recipe } = lessonsOf(null, GOOD.domain, 0, [GOOD]);
  const selectors = [{ selector, hits: 5, agreements: 5, contradictions: 0 }];
  return { ...NO_LESSONS, recipe: StoredRecipe.parse({ ...recipe, source, selectors }) };
}

/** A page that shows three prices in the same way, so that only a recipe can choose one. */
const PAGE = `<h1>Kaffeemaschine</h1><div class="links">49,90 €</div>
<div class="mitte">44,90 €</div><div class="rechts">39,90 €</div><button>In den Warenkorb</button>`;

Deno.test("the extractor takes precedence over a taught, a learned, and a shipped recipe, in this order", () => {
  const by = (stored: ShopLessons | null, domain = GOOD.domain, selector?: string) => {
    const recipe = pageRecipe(lessonsOf(stored, domain, 0, [GOOD]).recipe, 0);
    const extractor = selector === undefined ? null : { priceSelector: selector };
    return shown(readHtml(PAGE, { recipe, extractor }));
  };
  assertEquals(by(null, "other.example"), "ambiguous_price");
  assertEquals(by(null), "4990 EUR recipe 0.7 unknown");
  assertEquals(by(known("learned", "div.mitte")), "4490 EUR recipe 0.9 unknown");
  assertEquals(by(known("taught", "div.rechts")), "3990 EUR taught 0.9 unknown");
  // The extractor may name a different place than the recipe.
  assertEquals(
    by(known("taught", "div.rechts"), GOOD.domain, "div.mitte").split(" ").slice(0, 3),
    ["4490", "EUR", "extractor"],
  );
});

Deno.test("a shipped recipe is confirmed, doubted and replaced like any other, and a taught one stays", () => {
  const page = (n: number): LearningPage => ({
    digest: {
      reference: { decimal: `${n + 10}.`, codes: ["EUR"], isMarked: true },
      prices: [{ decimal: `${n + 10}.`, codes: ["EUR"], score: 3 }],
      finds: [{ selector: "div.neu", at: 0, amounts: 1 }],
    },
    ownPrice: null,
  });
  const shipped = lessonsOf(null, GOOD.domain, 0, [GOOD]);
  let lessons = shipped;
  for (let n = 0; n < 3; n++) {
    lessons = withOutcomeOf(lessons, { kind: "contradicts", find: null }, n).lessons;
  }
  assertEquals([lessons.recipe?.source, lessons.recipe?.status], ["shipped", "drifting"]);
  const pages = [page(0), page(1), page(2)];
  for (const before of [shipped, lessons]) {
    const { recipe } = withPagesKept(before, pages, 0, () => "0".repeat(24));
    assertEquals([recipe?.source, recipe?.status], ["learned", "active"]);
  }
  const taught = withPagesKept(known("taught", "div.rechts"), pages, 0, () => "0".repeat(24));
  assertEquals(taught.recipe?.source, "taught");
});
