/**
 * The entry point of extraction. A shop's answer becomes a price, or the reason why the page has no
 * price. Each method in `extractors.ts` looks for a price, and `reconcile_readings.ts` chooses one
 * of these prices.
 */
import { once } from "../../base/collections.ts";
import { plainDecimal } from "./amount.ts";
import { EXTRACTORS } from "./extractors.ts";
import { type PageVerdict, statusOfPrice, verdictWithoutPrice } from "./judge_page.ts";
import {
  type ExplicitExtractor,
  type ExtractionPage,
  type PageAnswer,
  readPage,
} from "./page/extraction_page.ts";
import { NO_FACTS, type PageFacts, readFacts, type ReadSoFar } from "./page_facts.ts";
import { pageIdentity, type WantedProduct } from "./page_product.ts";
import type { PageStatus, PageWarning } from "./page_status.ts";
import { withVetoes } from "./price_vetoes.ts";
import { type NoReading, type Reading, readingOf, type ReadingSide } from "./reading.ts";
import {
  type ExtractedPrice,
  type ExtractionFailure,
  failure,
  type Lesson,
  reconcileReadings,
  type Surroundings,
} from "./reconcile_readings.ts";
import { digestOf, type PageDigest, type PagePrices } from "./recipe/page_digest.ts";
import { isOfRecipe, type PageRecipe } from "./recipe/recipe.ts";
import { statePrices } from "./recipe/state_prices.ts";
import type { RecipeOutcome } from "./recipe/use_recipe.ts";
import { PlaceWordsOf } from "./shown/place_words.ts";
import { ShownPricesOf } from "./shown/score_prices.ts";
import type { ScoredPrice, ShownReading } from "./shown/scored_price.ts";
import { dataReadings, variantOn, withVariant } from "./variants/page_variants.ts";

export interface ExtractOptions {
  readonly extractor?: ExplicitExtractor | null;
  readonly product?: WantedProduct | null;
  /** The ISO 4217 code that is assumed if the page names no currency. */
  readonly currencyHint?: string | null;
  /** The requested URL, before redirects. */
  readonly askedUrl?: string | null;
  readonly recipe?: PageRecipe | null;
  readonly isLearning?: boolean;
  /** A decimal amount. Elements that show this amount come first in the returned `digest`. */
  readonly wanted?: string | null;
}

export interface Extraction {
  readonly result: ExtractedPrice | ExtractionFailure;
  readonly facts: PageFacts;
  readonly trace: readonly string[];
  readonly recipe: RecipeOutcome | null;
  readonly digest: PageDigest | null;
}

/**
 * Reads the price of a product from a page, without side effects (docs/decisions/scraping.md).
 * Throws only `TooComplex`, if the page, a selector or a path exceeds a limit. Callers must limit
 * the time, because hostile pages and selectors may be slow.
 */
export function extractPrice(answer: PageAnswer, options: ExtractOptions = {}): Extraction {
  const extractor = options.extractor ?? {};
  const parsed = readPage(answer, extractor);
  if ("unsupported" in parsed) {
    const result = failure("unsupported_content", parsed.unsupported);
    return { result, facts: NO_FACTS, trace: [], recipe: null, digest: null };
  }
  const { page } = parsed;
  const { html, writing } = page;
  const words = new PlaceWordsOf(html?.shown.styles);
  const side: ReadingSide = {
    page,
    words,
    identity: pageIdentity(answer.url, html, writing.locale),
    wanted: options.product ?? null,
    currency: extractor.currency ?? options.currencyHint ?? null,
    urls: [answer.url, ...options.askedUrl ? [options.askedUrl] : []],
    shownOf: once(() => html && new ShownPricesOf(html.shown, words, writing).read()),
  };
  const stateOf = once(() => html ? statePrices(html.shown.scripts, writing) : []);
  const read = { ...side, ...methodsOf(side), stateOf, recipe: options.recipe ?? null };
  const shown = vetoedShown(read);
  const reconciled = reconcileReadings({ ...read, shown });
  const { result, lesson } = reconciled;
  const taken = "price" in result ? result : null;
  const judged = withFacts({ ...read, ...reconciled, shown, taken }, result, reconciled.reading);
  const warnings = warningsOf(page, read.outcomes, judged.facts.pageStatus);
  const extraction = { ...judged, facts: { ...judged.facts, warnings } };
  const prices = () => ({ shown: shown?.prices ?? [], state: stateOf() });
  const trace = traceOf(read, shown, reconciled.why);
  return { ...extraction, ...taughtOf(extraction, lesson, prices, options), trace };
}

function methodsOf(side: ReadingSide) {
  const read = EXTRACTORS.map((one) => readingOf(one, side));
  const variant = variantOn(read, side);
  const known = withVariant(read, variant);
  const isSilent = variant === null && known.every(({ outcome }) => "reason" in outcome) &&
    !side.shownOf()?.prices.some(({ score }) => score >= GOOD_SCORE);
  const methods = isSilent ? [...known, ...dataReadings(side)] : known;
  const outcomes = methods.map(({ outcome }) => outcome);
  const readings = outcomes.filter((outcome) => "decimal" in outcome);
  const marked = new Set([
    ...methods.flatMap(({ candidates }) =>
      candidates.flatMap(({ amount }) => "decimal" in amount ? [plainDecimal(amount.decimal)] : [])
    ),
    ...variant?.amounts ?? [],
  ]);
  return { methods, outcomes, readings, marked, variant };
}

type ReadMethods = Omit<Surroundings, "shown">;

function vetoedShown({ page, words, shownOf, marked }: ReadMethods): ShownReading | null {
  const counts = ({ score, decimal }: ScoredPrice) => score >= GOOD_SCORE || marked.has(decimal);
  const shown = shownOf();
  return shown && withVetoes(shown, counts, page.writing, words);
}

/** `recipe` and `digest` are null if the page does not show a single article. */
function taughtOf(
  { result, facts }: Pick<Extraction, "result" | "facts">,
  { reference, outcome }: Lesson,
  pricesOf: () => PagePrices,
  { isLearning = false, wanted = null }: ExtractOptions,
): Pick<Extraction, "recipe" | "digest"> {
  const isArticle = "price" in result || ARTICLES.has(facts.pageStatus);
  const recipe = isArticle ? outcome : null;
  const isLesson = wanted !== null ||
    (isArticle && (isLearning || (recipe !== null && recipe.kind !== "agrees")));
  const prices = isLesson ? pricesOf() : null;
  const digest = prices && prices.shown.length + prices.state.length > 0
    ? digestOf(prices, reference, wanted)
    : null;
  return { recipe, digest };
}

const ARTICLES: ReadonlySet<PageStatus> = new Set([
  "unread",
  "variant_open",
  "variant_unknown",
  "net_only",
]);

const OTHER_PRODUCT = { pageStatus: "other_product", availability: "unknown" } as const;

/** If the page does not show a single article, drops a price that only a recipe found. */
function withFacts(
  read: ReadSoFar,
  result: Extraction["result"],
  reading: Reading | null,
): { readonly result: Extraction["result"]; readonly facts: Omit<PageFacts, "warnings"> } {
  const facts = readFacts(read);
  const failed = (verdict: PageVerdict, none: ExtractionFailure) => ({
    result: failedAs(verdict.pageStatus, none),
    facts: { ...verdict, ...facts },
  });
  if ("errorCode" in result) {
    const isOther = result.errorCode === "other_product";
    return failed(isOther ? OTHER_PRODUCT : verdictWithoutPrice(read), result);
  }
  if (isOfRecipe(result.method)) {
    const verdict = verdictWithoutPrice(read);
    const { method, price, currency, alternatives } = result;
    if (!ARTICLES.has(verdict.pageStatus)) {
      const taken = { method, price, currency };
      return failed(verdict, failure("no_price", "", [taken, ...alternatives]));
    }
  }
  const { availability } = result;
  const pageStatus = statusOfPrice(availability, reading, read);
  return { result, facts: { pageStatus, availability, ...facts } };
}

function warningsOf(
  { html, extractor }: ExtractionPage,
  outcomes: readonly (Reading | NoReading)[],
  pageStatus: PageStatus,
): readonly PageWarning[] {
  const isPointed = Boolean(html ? extractor.priceSelector : extractor.jsonPath);
  if (!isPointed || (pageStatus !== "priced" && pageStatus !== "unread")) return [];
  const pointed = outcomes.find(({ method }) => method === "extractor");
  const isFound = pointed && ("decimal" in pointed || pointed.reason === "ambiguous_price");
  return isFound ? [] : ["selector_dead"];
}

function failedAs(status: PageStatus, result: ExtractionFailure): ExtractionFailure {
  if (status === "unread" || status === "priced") return result;
  return failure(status, MESSAGES[status], result.alternatives);
}

const MESSAGES: Readonly<Record<Exclude<PageStatus, "unread" | "priced">, string>> = {
  on_request: "The shop states the price only on request",
  sold_out: "The article is sold out, and the page has no price",
  gone: "The shop no longer has the article",
  listing: "The page is a list of articles, not the page of one",
  other_product: "The page shows another article than the linked product",
  variant_open: "The page has several variants or a range of prices, and no variant is chosen",
  net_only: "The page has only prices without tax",
  variant_unknown: "No variant on the page has the value in the title of the product",
  third_party: "Only other sellers have the article there",
  blocked: "The shop blocks programs",
};

const GOOD_SCORE = 2;

function traceOf(
  { outcomes, page }: ReadMethods,
  shown: ShownReading | null,
  why: string | null,
): readonly string[] {
  const prices = shown?.prices.slice(0, 8).map((price, n) => {
    const ahead = n === 0 && shown.isSure ? ", far ahead" : "";
    const currency = price.codes.join("|") || "(no currency)";
    return `shown: ${Number(price.decimal)} ${currency}, ${price.score} points${ahead} ` +
      `(${price.features.join(", ")})`;
  });
  return [
    ...outcomes.flatMap(outcomeText),
    ...prices ?? [],
    ...page.html?.isWhole === false ? ["the page nests too deep: only its begin was read"] : [],
    ...why === null ? [] : [why],
  ];
}

function outcomeText(outcome: Reading | NoReading): string[] {
  const { method } = outcome;
  if ("decimal" in outcome) {
    return [`${method}: ${outcome.decimal} ${outcome.currency ?? "(no currency)"}, ${outcome.why}`];
  }
  const words = {
    nothing: null,
    no_price: "a product without a price",
    ambiguous_price: "a price that can be read in two ways",
    other_product: "prices of other products alone",
    other_variant: "the price of another variant",
  }[outcome.reason];
  return words === null ? [] : [`${method}: ${words}`];
}
