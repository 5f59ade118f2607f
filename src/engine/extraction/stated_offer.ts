/**
 * Reads what a page's words say about the chosen offer: stock, condition, seller, and what the
 * amount is, such as a net price or a deposit. Words near the product take precedence over markup.
 */
import { type Availability, type Condition, foldedName, isInStock } from "../../base/codes.ts";
import { add, multiply, percent, roundOf, whole } from "../../base/fraction.ts";
import { isSameAmount, writtenAmount } from "./amount.ts";
import { type BuyArea, readBuyArea } from "./buy_area.ts";
import { sellsAfter, textsBefore } from "./shown/price_context.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import { textOf } from "./page/html_element.ts";
import { fitsWanted, isOwnShop, type PageIdentity } from "./page_product.ts";
import { isRangeShown, vetoOf } from "./price_vetoes.ts";
import {
  agree,
  type MethodReading,
  type PricedReading,
  type Reading,
  type ReadingSide,
} from "./reading.ts";
import { CONTRADICTED, DOUBTFUL } from "./page_status.ts";
import { addedWord, aloneWord, namesUsed, versionApart } from "./shop_words.ts";
import { NO_OLD_PRICES, readOldPrices } from "./shown/old_prices.ts";
import {
  CONDITIONAL,
  has,
  isOut,
  type ScoredPrice,
  type ShownReading,
} from "./shown/scored_price.ts";
import type { VariantChoice } from "./variants/choose_variant.ts";
import { textTraits, unknownValue } from "./variants/text_traits.ts";

export interface StatedOffer {
  readonly condition: Condition | null;
  readonly seller: string | null;
  readonly isThirdParty: boolean;
  readonly isNet: boolean;
  /** True if the page shows a price range and does not say which price of the range applies. */
  readonly isOfRange: boolean;
}

interface Doubt {
  readonly most: number;
  readonly why: string;
}

export type JudgedOffer = Readonly<ReturnType<typeof judgeOffer>>;

const CONFIDENCE_MAX_IF_UNSOLD = 0.8;

export interface OfferSources extends ReadingSide {
  readonly methods: readonly MethodReading[];
  readonly shown: ShownReading | null;
  readonly variant: VariantChoice | null;
}

/** `isPointed`: a person entered the selector or JSON path, so no words reject the price. */
export function judgeOffer(
  taken: PricedReading,
  marked: Availability,
  isPointed: boolean,
  sources: OfferSources,
) {
  const { page, shown, identity, variant } = sources;
  const amount = writtenAmount(taken);
  const places = shown?.prices.filter((price) => isSameAmount(price, amount)) ?? [];
  const [shownAs] = places;
  const area = readBuyArea(sources, placeOf(places));
  const doubted = isPointed ? null : vetoOf(amount.decimal, places, area);
  const isNet = taken.isNet || (doubted?.isNet ?? false);
  const taxPercent = isNet ? area.taxPercent() : null;
  const stock = stockOf(area, marked, places, variant);
  const veto = !isPointed && isGone(stock, area, places)
    ? { isNone: true, isNet: false, why: "the article is discontinued and shows no price" }
    : doubted?.isNet && taxPercent === null && taken.method === "shown" &&
        places.some((price) => has(price, "net"))
    ? { ...doubted, isNone: true }
    : doubted;
  const seller = area.seller ?? taken.seller;
  const stated: StatedOffer = {
    condition: area.condition ?? (isUsedNear(places) ? "used" : null),
    seller,
    isThirdParty: seller !== null && !isOfShop(seller, page, identity),
    isNet,
    isOfRange: !isPointed && variant?.state !== "chosen" &&
      (taken.isLowest || isRangeShown(places)),
  };
  return {
    stated,
    veto,
    availability: stock.availability,
    old: shown && shownAs ? readOldPrices(shown, shownAs) : NO_OLD_PRICES,
    price: taxPercent === null
      ? taken.price
      : roundOf(multiply(whole(taken.price), add(whole(1), percent(Number(taxPercent))))),
    doubts: [
      ...(veto ? [{ most: CONTRADICTED, why: veto.why }] : []),
      ...doubtsOfSale(taken, stated, stock, area, sources),
    ],
  };
}

function placeOf(places: readonly ScoredPrice[]): ScoredPrice["whole"] | null {
  const soldAt = places.find((price) => has(price, "buy_300") && !isOut(price));
  return (soldAt ?? places.find((price) => !has(price, "tile")))?.whole ?? null;
}

type Stock = ReturnType<typeof stockOf>;

function stockOf(
  area: BuyArea,
  marked: Availability,
  places: readonly ScoredPrice[],
  variant: VariantChoice | null,
) {
  // If the chosen variant's price is not shown, the page shows another variant and its stock.
  const isStated = area.isStockStated && !(variant?.state === "chosen" && places.length === 0);
  const [isSold, isMarkedSold] = [isInStock(area.availability), isInStock(marked)];
  return {
    availability: isStated || marked === "unknown" ? area.availability : marked,
    isStated,
    isDenied: isStated && isSold !== null && isMarkedSold !== null && isSold !== isMarkedSold,
  };
}

function isGone({ isStated }: Stock, area: BuyArea, places: readonly ScoredPrice[]): boolean {
  return isStated && area.availability === "discontinued" &&
    !places.some((price) => has(price, "near_500", "buy_300") && !isOut(price));
}

function isUsedNear(places: readonly ScoredPrice[]): boolean {
  return places.some((price) =>
    has(price, "used") && has(price, "near_500") && !has(price, "tile")
  );
}

function doubtsOfSale(
  { method }: Reading,
  { isOfRange, isThirdParty, seller }: StatedOffer,
  { isStated, isDenied }: Stock,
  { availability }: BuyArea,
  { page: { html }, identity }: OfferSources,
): readonly Doubt[] {
  const isOnlyShown = method === "shown";
  const isForeign = isThirdParty && !isNamedInLink(seller, identity);
  const isSoldOut = isOnlyShown && isStated && availability === "out_of_stock";
  const isUnsold = isOnlyShown && html !== null && !sellsAfter(html.shown);
  const doubts: readonly (readonly [isDoubted: boolean, most: number, why: string])[] = [
    [isOfRange, DOUBTFUL, "one end of a range of prices"],
    [isForeign, CONFIDENCE_MAX_IF_UNSOLD, `sold by ${seller}`],
    [isSoldOut, CONFIDENCE_MAX_IF_UNSOLD, "the article is out of stock"],
    [isUnsold, CONFIDENCE_MAX_IF_UNSOLD, "nothing sells it"],
    [isDenied, DOUBTFUL, "words about the stock disagree"],
  ];
  return doubts.filter(([isDoubted]) => isDoubted).map(([, most, why]) => ({ most, why }));
}

const BUYING = /(?<!\p{L})(?:kaufen|buy|acheter)(?!\p{L})/u;
const NEW_ALONE = aloneWord(({ condition }) => condition.new);

export function firstNewOffer({ shown }: Pick<OfferSources, "shown">) {
  const isLabelled = ({ whole }: ScoredPrice) => {
    const { own, blocks } = textsBefore(whole, { characters: 60, blocks: 1 });
    return NEW_ALONE.test((own || blocks[0]?.text || "").toLowerCase().replace(BUYING, " "));
  };
  return shown?.prices.filter((price) => !isOut(price)).toSorted((a, b) => a.at - b.at)
    .find(isLabelled) ?? null;
}

function isOfShop(seller: string, { html }: ExtractionPage, identity: PageIdentity): boolean {
  if (isOwnShop(seller, identity)) return true;
  const site = html?.title?.split(/\s[|–—·-]\s/).at(-1) ?? "";
  const name = foldedName(seller);
  if (name === "" || name === foldedName(site)) return true;
  const footer = html?.footer ? textOf(html.footer, 3_000) : "";
  return footer.toLowerCase().includes(seller.toLowerCase());
}

function isNamedInLink(seller: string | null, { address }: PageIdentity): boolean {
  if (seller === null || address === null) return false;
  const link = foldedName(`${address.path} ${[...address.query.values()].join(" ")}`);
  return link.includes(foldedName(seller));
}

const UNEXPLAINED = 0.8;
const RIVAL_SCORE = 3;
const RIVAL_BEHIND = 4;
const RIVAL_FACTOR = 2;

export function doubtsAbout(
  { taken, judged }: { readonly taken: Reading; readonly judged: JudgedOffer },
  others: readonly Reading[],
  isConfirmed: boolean,
  around: OfferSources,
): readonly Doubt[] {
  return [
    ...judged.doubts,
    ...doubtsOfPage(taken, judged, others, around),
    ...(isConfirmed ? [] : doubtsOfShown(taken, around.shown, around.variant)),
    ...variantDoubts(around.variant),
  ];
}

function doubtsOfShown(
  { decimal, currency }: Reading,
  shown: ShownReading | null,
  variant: VariantChoice | null,
): readonly Doubt[] {
  const own = Number(decimal);
  const [first] = shown?.prices.filter((price) => Number(price.decimal) === own) ?? [];
  const scoreMin = Math.max(RIVAL_SCORE, (first?.score ?? 0) - RIVAL_BEHIND);
  const rival = shown?.prices.find((price) => {
    const factor = Number(price.decimal) / own;
    return factor !== 1 && factor <= RIVAL_FACTOR && factor >= 1 / RIVAL_FACTOR &&
      price.score >= scoreMin && has(price, "near_500") && !isOut(price) &&
      !has(price, "range", "other_part", ...CONDITIONAL) && price.codes.some((code) =>
        code === currency
      ) &&
      !variant?.amounts.has(price.decimal);
  });
  return rival ? [{ most: UNEXPLAINED, why: `${rival.text} is shown near it` }] : [];
}

function namesOf(first: Reading, others: readonly Reading[], { html }: ExtractionPage) {
  const named = [first, ...others.filter((other) => agree(first, other))];
  return named.find(({ names }) => names.length > 0)?.names ?? html?.headings ?? [];
}

function doubtsOfPage(
  taken: Reading,
  judged: JudgedOffer,
  others: readonly Reading[],
  { page, wanted, variant }: OfferSources,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (why: string, most = DOUBTFUL) => doubts.push({ most, why });
  const ownTitle = wanted?.title ?? null;
  if (ownTitle !== null) {
    const names = namesOf(taken, others, page);
    const other = unknownValue(names.map(textTraits), textTraits(ownTitle));
    if (other) doubt(`its name contradicts our "${other.ours}"`, CONTRADICTED);
    const added = addedWord(names, ownTitle);
    if (added !== null) doubt(`its name adds "${added}" to ours`);
    const isNumbered = fitsWanted([taken.subject, taken.offer], wanted);
    const isByNumber = variant?.state === "chosen" &&
      (variant.by === "gtin" || variant.by === "mpn" || variant.by === "sku");
    const version = isNumbered || isByNumber ? null : versionApart(names, ownTitle);
    if (version !== null) doubt(`only one of the names has "${version}"`, UNEXPLAINED);
    if (isUsed(taken, judged, { wanted })) doubt("it is not new");
  }
  if (page.html?.isWhole === false) doubt("only the beginning of the page was read");
  return doubts;
}

export function isUsed(
  { isNew }: Reading,
  { stated: { condition } }: JudgedOffer,
  { wanted }: Pick<OfferSources, "wanted">,
): boolean {
  const isOfferNew = condition === null ? isNew : condition === "new";
  const title = wanted?.title ?? null;
  return !isOfferNew && title !== null && !namesUsed(title);
}

function variantDoubts(variant: VariantChoice | null): readonly Doubt[] {
  if (variant === null) return [];
  const { state, unknown, confidenceMost: most } = variant;
  if (state === "chosen") return [{ most, why: "" }];
  const why = unknown ? `no variant has "${unknown.ours}"` : "nothing says which variant is meant";
  return [{ most, why }];
}
