/**
 * The entry point of extraction (docs/decisions/scraping.md): reads the price from a shop's
 * response, or finds the reason why the page has no price.
 */
import type { Availability } from "../../base/codes.ts";
import { once } from "../../base/collections.ts";
import { plainDecimal } from "./amount.ts";
import { readBuyArea } from "./buy_area.ts";
import { EXTRACTORS } from "./extractors.ts";
import { sellsAfter } from "./shown/price_context.ts";
import { type ExplicitExtractor, type PageAnswer, readPage } from "./page/extraction_page.ts";
import { NO_FACTS, type PageFacts, readFacts, type ReadSoFar } from "./page_facts.ts";
import { absoluteUrl, describedProduct, pageIdentity, type WantedProduct } from "./page_product.ts";
import type { PageStatus, PageWarning } from "./page_status.ts";
import { isRangeShown, withVetoes } from "./price_vetoes.ts";
import {
  type NoReading,
  pricedOf,
  type Reading,
  readingOf,
  type ReadingSide,
  readingsIn,
} from "./reading.ts";
import {
  digestOf,
  isOfRecipe,
  type PageDigest,
  type PagePrices,
  type PageRecipe,
} from "./recipe/recipe.ts";
import { statePrices } from "./script_data.ts";
import type { RecipeOutcome } from "./recipe/learn_recipe.ts";
import {
  type ExtractedPrice,
  type ExtractionFailure,
  failure,
  type Lesson,
  reconcileReadings,
  type Surroundings,
} from "./reconcile_readings.ts";
import { readAvailability } from "./shop_words.ts";
import { ShownPricesOf } from "./shown/score_prices.ts";
import { has, type ScoredPrice, WELL_SHOWN } from "./shown/scored_price.ts";
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
  /** If a person teaches the price: the typed price as `plainDecimal` returns it, or `""`. */
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
 * Throws `TooComplex` if an HTML page has too many elements, or if a JSON path is applied to JSON
 * that is too deep or too long. Callers must limit the time, because hostile pages may be slow to
 * read.
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
  const side: ReadingSide = {
    page,
    identity: pageIdentity(answer.url, html, writing.locale),
    wanted: options.product ?? null,
    currency: extractor.currency ?? options.currencyHint ?? null,
    urls: [answer.url, ...options.askedUrl ? [options.askedUrl] : []],
    shownOf: once(() => html && new ShownPricesOf(html.shown, writing).read()),
  };
  const stateOf = once(() => html ? statePrices(html.shown.scripts, writing) : []);
  const read = { ...side, ...methodsOf(side), stateOf, recipe: options.recipe ?? null };
  const counts = ({ score, decimal }: ScoredPrice) =>
    score >= GOOD_SCORE || read.marked.has(decimal);
  const seen = side.shownOf();
  const shown = seen && withVetoes(seen, counts, writing);
  const reconciled = reconcileReadings({ ...read, shown });
  const { result, lesson } = reconciled;
  const taken = "price" in result ? result : null;
  const judged = withFacts({ ...read, ...reconciled, shown, taken }, result, reconciled.reading);
  const warnings = warningsOf(read, judged.facts.pageStatus);
  const extraction = { ...judged, facts: { ...judged.facts, warnings } };
  const prices = () => ({ shown: shown?.prices ?? [], state: stateOf() });
  const trace = traceOf({ ...read, shown }, reconciled.why);
  return { ...extraction, ...taughtOf(extraction, lesson, prices, options), trace };
}

function methodsOf(side: ReadingSide) {
  const read = EXTRACTORS.map((one) => readingOf(one, side));
  const variant = variantOn(read, side);
  const known = withVariant(read, variant);
  const isSilent = variant === null && known.every(({ outcome }) => "reason" in outcome) &&
    !side.shownOf()?.prices.some(({ score }) => score >= GOOD_SCORE);
  const methods = isSilent ? [...known, ...dataReadings(side)] : known;
  const amounts = methods.flatMap(({ candidates }) => pricedOf(candidates))
    .map(({ amount }) => plainDecimal(amount.decimal));
  const marked = new Set([...amounts, ...variant?.amounts ?? []]);
  return { methods, marked, variant };
}

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
function withFacts(read: ReadSoFar, result: Extraction["result"], reading: Reading | null) {
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
  { page: { html, extractor }, methods }: Pick<Surroundings, "page" | "methods">,
  pageStatus: PageStatus,
): readonly PageWarning[] {
  const isPointed = Boolean(html ? extractor.priceSelector : extractor.jsonPath);
  if (!isPointed || (pageStatus !== "priced" && pageStatus !== "unread")) return [];
  const isFound = methods.some(({ outcome }) =>
    outcome.method === "extractor" &&
    ("decimal" in outcome || outcome.reason === "ambiguous_price")
  );
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
  { methods, page, shown }: Pick<Surroundings, "methods" | "page" | "shown">,
  why: string | null,
): readonly string[] {
  const prices = shown?.prices.slice(0, 8).map((price, n) => {
    const ahead = n === 0 && shown.isSure ? ", far ahead" : "";
    const currency = price.codes.join("|") || "(no currency)";
    return `shown: ${Number(price.decimal)} ${currency}, ${price.score} points${ahead} ` +
      `(${price.features.join(", ")})`;
  });
  return [
    ...methods.flatMap(({ outcome }) => outcomeText(outcome)),
    ...prices ?? [],
    ...page.html?.isWhole === false ? ["the page nests too deep: only its start was read"] : [],
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

type PageVerdict = Pick<PageFacts, "pageStatus" | "availability">;

function statusOfPrice(
  availability: Availability,
  reading: Reading | null,
  { variant, stated }: ReadSoFar,
): PageStatus {
  if (availability === "out_of_stock" || availability === "discontinued") return "sold_out";
  if (stated?.isNet ?? reading?.isNet) return "net_only";
  if (stated?.isThirdParty) return "third_party";
  if (variant?.state === "unknown") return "variant_unknown";
  const isOpen = variant?.state === "open" || stated?.isOfRange ||
    (reading?.isUndecided && reading.isVariant);
  return isOpen ? "variant_open" : "priced";
}

function verdictWithoutPrice(read: ReadSoFar): PageVerdict {
  const { page: { html }, shown } = read;
  const stock = stockOf(read);
  const verdict = (pageStatus: PageStatus): PageVerdict => ({ pageStatus, availability: stock });
  const moved = movedTo(read);
  if (moved === "home") return GONE;
  if (!html) return stock === "out_of_stock" ? SOLD_OUT : verdict("unread");
  const isSelling = sellsAfter(html.shown);
  const area = readBuyArea(read, null);
  const texts = [...html.headings.map((text) => text.toLowerCase()), ...area.texts];
  const near = texts.filter((text) => !isSelling || !LAST_PIECES.test(text)).map(readAvailability);
  const isMissing = [html.title?.toLowerCase() ?? "", ...texts].some((text) => MISSING.test(text));
  if (isMissing || [stock, ...near].includes("discontinued")) return GONE;
  if (stock === "out_of_stock" || (!isSelling && near.includes("out_of_stock"))) return SOLD_OUT;
  const prices = shown?.prices ?? [];
  const net = prices.slice(0, 1).find((price) => has(price, "net") && price.score >= 0);
  // If a net price has a buy button, "on request" often refers to large quantities only.
  const isSold = net !== undefined && has(net, "buy_300");
  if (!isSold && area.isOnRequest()) return verdict("on_request");
  if (net !== undefined) return verdict("net_only");
  if (read.variant?.state === "unknown") return verdict("variant_unknown");
  const isAsked = texts.some((text) => VARIANT.test(text)) &&
    prices.filter(({ score }) => score >= WELL_SHOWN).length !== 1;
  if (isOpenVariant(read) || isRangeShown(prices.slice(0, 1)) || isAsked) {
    return verdict("variant_open");
  }
  const isList = moved === "up" || isListing(read, isSelling);
  return isList ? { pageStatus: "listing", availability: "unknown" } : verdict("unread");
}

const GONE = { pageStatus: "gone", availability: "discontinued" } as const;
const SOLD_OUT = { pageStatus: "sold_out", availability: "out_of_stock" } as const;

function stockOf(read: ReadSoFar): Availability {
  return read.methods.map(({ candidates }) => describedProduct(candidates, read)?.availability)
    .find((known) => known !== undefined && known !== "unknown") ?? "unknown";
}

const MISSING =
  /^(?:(?:fehler|error|oops|ups)\W{0,3})?404(?![\d.,])|(?:artikel|produkt|angebot|seite|item|product|page|offer)[^.!?]{0,40}(?:nicht gefunden|existiert nicht|gibt es nicht|not found|(?:could not|cannot|can['’]t|couldn['’]t) be found|does(?: not|n['’]t) exist|no longer exists)/u;
const VARIANT =
  /(?<!\p{L})(?:bitte|please)[^.!?]{0,30}(?:wähl|auswähl|select|choose)|(?:variante|größe|farbe|ausführung|option) (?:aus)?wählen|(?:select|choose) (?:a |an |your )?(?:size|colou?r|option|variant|model)/u;

const LAST_PIECES = /auslaufmodell|fin de série/;

function movedTo({ urls: [url = "", askedUrl = ""] }: ReadSoFar): "home" | "up" | null {
  const asked = absoluteUrl(askedUrl, url);
  const path = absoluteUrl(url, url)?.pathname.toLowerCase();
  if (asked === null || path === undefined) return null;
  const askedPath = asked.pathname.toLowerCase();
  if (askedPath === path || HOME.test(askedPath) || asked.search.length > 1) return null;
  if (HOME.test(path)) return "home";
  return askedPath.startsWith(path.endsWith("/") ? path : `${path}/`) ? "up" : null;
}

const HOME = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:index\.[a-z]{3,5})?$/;

function isOpenVariant({ methods, variant }: ReadSoFar): boolean {
  return variant?.state === "open" ||
    readingsIn(methods).some(({ isUndecided, isVariant }) => isUndecided && isVariant);
}

function isListing({ methods, shown }: ReadSoFar, isSelling: boolean): boolean {
  const isListed = methods.some(({ candidates }) =>
    new Set(pricedOf(candidates).map(({ subject }) => subject)).size >= 3
  );
  if (isListed) return true;
  if (isSelling || methods.some(({ candidates }) => candidates.length > 0)) return false;
  const prices = shown?.prices ?? [];
  const tiles = prices.filter(({ features }) =>
    features.includes("tile") || features.includes("one_of_many")
  );
  return tiles.length >= 6 && !prices.some(({ score }) => score >= WELL_SHOWN) &&
    new Set(tiles.map(({ decimal }) => decimal)).size >= 4;
}
