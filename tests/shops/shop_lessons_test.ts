import { DAY_MS } from "../../src/base/time.ts";
import {
  isDrifting,
  type LearningPage,
  withOutcome,
} from "../../src/engine/extraction/recipe/learn_recipe.ts";
import {
  lessonsOf,
  NO_LESSONS,
  pageRecipe,
  PAGES_KEPT,
  recipeStatus,
  type ShopLessons,
  StoredRecipe,
  wantsPage,
  withOutcomeOf,
  withPagesKept,
} from "../../src/shops/pages/recipe_store.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { plainDecimal } from "../../src/engine/extraction/amount.ts";
import { extractPrice } from "../../src/engine/extraction/extract_price.ts";
import { jsonPathError, selectorError } from "../../src/engine/extraction/extractors.ts";
import {
  placeText,
  RECIPE_SELECTORS_MAX,
  SHIPPED_RECIPES,
  type ShippedRecipe,
} from "../../src/engine/extraction/recipe/recipe.ts";
import { domainOf } from "../../src/shops/domain.ts";
import { type QualityPage, realPages } from "../engine/extraction/page_quality.ts";
import { readHtml, shown } from "../engine/extraction/reading_pages.ts";
import { testNeeding } from "../needing.ts";
import { COLLECTION, missingInCollection } from "../sample_data.ts";

const ID = "0123456789abcdef01234567";

function page(selector: string, n: number): LearningPage {
  const decimal = `${n + 10}.`;
  return {
    digest: {
      reference: { decimal, codes: ["EUR"], isMarked: true },
      prices: [{ decimal, codes: ["EUR"], score: 3 }],
      finds: [{ selector, at: 0, amounts: 1 }],
    },
    ownPrice: null,
  };
}

function pages(selector: string, count: number): LearningPage[] {
  return Array.from({ length: count }, (_, n) => page(selector, n));
}

type Kind = "agrees" | "contradicts" | "misses";

/** Adds one outcome per millisecond; `newAt` lists the indexes of outcomes that notify people. */
function after(lessons: ShopLessons, kinds: readonly Kind[], fromMs = 0) {
  const newAt: number[] = [];
  for (const [n, kind] of kinds.entries()) {
    const noted = withOutcomeOf(lessons, { kind, find: null }, fromMs + n);
    lessons = noted.lessons;
    if (noted.isNew) newAt.push(n);
  }
  return { lessons, newAt };
}

const times = (count: number, kind: Kind) => Array<Kind>(count).fill(kind);

/** A shop whose recipe was learned from 20 pages and confirmed by 20 other pages. */
function grown(): ShopLessons {
  const learned = withPagesKept({ ...NO_LESSONS, kept: 19 }, pages(".a", 20), 0, () => ID);
  return after(learned, times(20, "agrees")).lessons;
}

Deno.test("isDrifting() is true below 60 % of the usual hits, or with three contradictions in ten", () => {
  const table: readonly (readonly [string, number, boolean])[] = [
    ["mmmm", 1, false],
    ["aaaaaammmm", 1, false],
    ["aaaaammmmm", 1, true],
    ["aaaaammmmm", 0.7, false],
    ["aaaaaaaccc", 1, true],
    ["acacaaaaaa", 1, false],
    ["cccaaaaaaaaaa", 1, false],
    ["hhhhhhhhhh", 1, false],
    ["mmmmmmmmmmaaaaaammmm", 1, true],
  ];
  for (const [window, usual, expected] of table) {
    assertEquals([window, isDrifting(window, usual)], [window, expected]);
  }
  // `alone` means that only the recipe finds a price; it is written as `h`, a hit.
  const kinds = ["agrees", "contradicts", "alone", "misses"] as const;
  assertEquals(kinds.reduce(withOutcome, ""), "achm");
});

Deno.test("a new layout on six of ten pages makes the recipe drift, is reported once, and lowers confidence", () => {
  const kinds = [..."mamamammam"].map((letter) => letter === "m" ? "misses" : "agrees");
  const { lessons: drifting, newAt } = after(grown(), kinds);
  assertEquals([drifting.recipe?.status, newAt], ["drifting", [7]]);
  assertEquals(pageRecipe(drifting.recipe, 0)?.isDoubted, true);
  ok(wantsPage(drifting, 0), "every page is kept now");
  // If a relearned recipe fails again on the same day, people get no second notification.
  const newest = [...pages(".b", 6), ...pages(".a", 30)];
  const relearned = withPagesKept(drifting, newest, 0, () => ID);
  assertEquals([relearned.recipe?.status, relearned.window], ["active", ""]);
  ok(relearned.recipe?.selectors.some(({ selector }) => selector === ".b"));
  const again = (fromMs: number) => {
    const { lessons, newAt } = after(relearned, times(10, "misses"), fromMs);
    return [lessons.recipe?.status, newAt.length];
  };
  assertEquals(again(1_000), ["drifting", 0]);
  assertEquals(again(2 * DAY_MS), ["drifting", 1]);
});

Deno.test("a recipe drifts until a learned one holds on the newest pages", () => {
  const drifting = { ...grown(), recipe: { ...grown().recipe!, status: "drifting" as const } };
  const old = pages(".a", 20);
  const plain = page(".x", 3);
  const odd: LearningPage = { ...plain, digest: { ...plain.digest, reference: null } };
  const still = withPagesKept(drifting, [odd, odd, odd, ...old], 0, () => ID);
  assertEquals(still.recipe?.status, "drifting");
  const learned = withPagesKept(drifting, [...pages(".b", 3), ...old], 0, () => ID);
  assertEquals(learned.recipe?.status, "active");
});

Deno.test("a taught recipe stays as long as pages confirm it, and its counts continue", () => {
  const selectors = [{ selector: ".t", hits: 2, agreements: 2, contradictions: 0 }];
  const taught = { ...grown().recipe!, source: "taught" as const, selectors };
  const lessons = { ...NO_LESSONS, recipe: taught };
  const both = pages(".t", 9).map(({ digest, ...rest }) => ({
    ...rest,
    digest: { ...digest, finds: [...digest.finds, { selector: ".a", at: 0, amounts: 1 }] },
  }));
  const { recipe } = withPagesKept(lessons, both, 0, () => ID);
  assertEquals([recipe?.source, recipe?.selectors], ["taught", [
    { selector: ".t", hits: 9, agreements: 9, contradictions: 0 },
  ]]);
});

Deno.test("a recipe without confirmation for 30 days is stale, and one page makes it active again", () => {
  const lessons = grown();
  const recipe = lessons.recipe!;
  assertEquals(recipeStatus(recipe, 30 * DAY_MS), "active");
  const later = 31 * DAY_MS;
  assertEquals(recipeStatus(recipe, later), "stale");
  assertEquals(pageRecipe(recipe, later)?.isDoubted, true);
  const confirmed = after(lessons, ["agrees"], later).lessons;
  assertEquals(recipeStatus(confirmed.recipe!, later), "active");
});

Deno.test("a page that agrees with the last twenty changes nothing, except for an hourly confirmation; after the first 50 pages of a shop one per hour is stored", () => {
  const lessons = grown();
  assertEquals(after(lessons, ["agrees"], 3_000_000).lessons === lessons, true);
  const later = after(lessons, ["agrees"], 4_000_000).lessons;
  assertEquals(later.recipe?.lastConfirmedAt, new Date(4_000_000).toISOString());
  ok(after(lessons, ["misses"], 1).lessons !== lessons);
  const full = { ...NO_LESSONS, kept: PAGES_KEPT, keptAtMs: 0 };
  assertEquals(wantsPage({ ...full, kept: PAGES_KEPT - 1 }, 1), true);
  assertEquals(wantsPage(full, 3_599_999), false);
  assertEquals(wantsPage(full, 3_600_000), true);
});

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
  assertEquals(SHIPPED_RECIPES.map(errorOf).filter((trouble) => trouble !== null), []);
  const domains = SHIPPED_RECIPES.map(({ domain }) => domain);
  assertEquals(new Set(domains).size, domains.length);
});

testNeeding(missingInCollection("pages/real_expected.json"), {
  name: "every shipped recipe reads all prices of its shop's saved pages, and at least two prices",
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

/** A shop with its own recipe, whose domain also has a recipe shipped with Kurant. */
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
  assertEquals(
    by(known("taught", "div.rechts"), GOOD.domain, "div.mitte").split(" ").slice(0, 3),
    ["4490", "EUR", "extractor"],
  );
});

Deno.test("a shipped recipe is confirmed, doubted and replaced like any other, and a taught one stays", () => {
  const shipped = lessonsOf(null, GOOD.domain, 0, [GOOD]);
  const { lessons } = after(shipped, times(3, "contradicts"));
  assertEquals([lessons.recipe?.source, lessons.recipe?.status], ["shipped", "drifting"]);
  const newest = pages("div.neu", 3);
  for (const before of [shipped, lessons]) {
    const { recipe } = withPagesKept(before, newest, 0, () => ID);
    assertEquals([recipe?.source, recipe?.status], ["learned", "active"]);
  }
  const taught = withPagesKept(known("taught", "div.rechts"), newest, 0, () => ID);
  assertEquals(taught.recipe?.source, "taught");
});
