/**
 * Reads the words of a page about the offer of the chosen price: stock, condition, seller, and whether
 * the amount is a sale price at all. Words near the product count more than markup.
 */

import { type Availability, type Condition, foldedName, isInStock } from "../../base/codes.ts";
import { add, multiply, percent, roundOf, whole } from "../../base/fraction.ts";
import { isSameAmount, writtenAmount } from "./amount.ts";
import { NO_BUY_AREA, readBuyArea } from "./buy_area.ts";
import { type FormerPrices, NO_FORMER_PRICES, readFormerPrices } from "./former_prices.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import { textsBefore } from "./near_texts.ts";
import { textOf } from "./page/html_element.ts";
import { isOwnShop, type PageIdentity } from "./page_identity.ts";
import { isRangeShown, type Veto, vetoOf } from "./price_vetoes.ts";
import type { Reading } from "./reading.ts";
import { CONTRADICTED, DOUBTFUL } from "./settle_price.ts";
import { sellsAfter } from "./shown/page_anchors.ts";
import type { PlaceWordsOf } from "./shown/place_words.ts";
import { has, isOut, type ScoredPrice, type ShownReading } from "./shown/scored_price.ts";
import type { VariantChoice } from "./variants/choose_variant.ts";
import { aloneWord } from "./words/word_patterns.ts";

export interface SaidOffer {
  /** Null if the words do not say. */
  readonly condition: Condition | null;
  readonly seller: string | null;
  readonly isThirdParty: boolean;
  /** True if the page's price is without tax, even if the tax was added afterwards. */
  readonly isNet: boolean;
  /** True for one end of a range, if nothing says which price applies. */
  readonly isOfRange: boolean;
}

export interface Doubt {
  readonly most: number;
  readonly why: string;
}

export interface HeardOffer {
  readonly said: SaidOffer;
  /** Words against the amount. Null for a sale price. */
  readonly veto: Veto | null;
  readonly availability: Availability;
  readonly former: FormerPrices;
  /** With tax, if the page says how much must be added. */
  readonly price: number;
  readonly doubts: readonly Doubt[];
}

/** Highest confidence for the price of another seller, and for a shown one of an article out of stock. */
const UNCERTAIN = 0.8;

export interface Hearing {
  readonly page: ExtractionPage;
  /** The shown prices. Null for JSON. */
  readonly shown: ShownReading | null;
  readonly identity: PageIdentity;
  readonly words: PlaceWordsOf;
  /** Our name of the product, if it is known. */
  readonly ownTitle: string | null;
  /** Null for a page without different variants. */
  readonly variant: VariantChoice | null;
}

/** `marked` is the availability in the markup. A price that a person pointed at has no veto. */
export function hearOffer(
  taken: Reading & { readonly price: number },
  marked: Availability,
  isPointed: boolean,
  { page, shown, identity, words, ownTitle, variant }: Hearing,
): HeardOffer {
  const amount = writtenAmount(taken);
  const places = shown?.prices.filter((price) => isSameAmount(price, amount)) ?? [];
  const [shownAs] = places;
  const soldAt = places.find((price) => has(price, "buy_300") && !isOut(price));
  // A tile says something about its own article.
  const told = soldAt ?? places.find((price) => !has(price, "tile"));
  const place = told?.whole ?? null;
  const area = page.html
    ? readBuyArea(page.html, place, { writing: page.writing, words, ownTitle })
    : NO_BUY_AREA;
  const doubted = isPointed ? null : vetoOf(amount.decimal, places, area);
  const isNet = taken.isNet || (doubted?.isNet ?? false);
  const taxPercent = isNet ? area.taxPercent() : null;
  // Only a shown net amount supports the price, and without a tax rate the gross price is unknown.
  const isNetAlone = doubted?.isNet && taxPercent === null && taken.method === "shown" &&
    places.some((price) => has(price, "net"));
  const isOfRange = !isPointed && variant?.state !== "chosen" &&
    (taken.isLowest || isRangeShown(places));
  // Another place of the same amount says it: `Gebraucht kaufen: 68,90 €`.
  const isUsedNear = places.some((price) =>
    has(price, "used") && has(price, "near_500") && !has(price, "tile")
  );
  const seller = area.seller ?? taken.sold?.seller ?? null;
  const isOwn = seller === null || isOfShop(seller, page, identity);
  const isThirdParty = !isOwn;
  // Words of the page say nothing about a variant that it does not show.
  const isStockSaid = area.isStockSaid && !(variant?.state === "chosen" && places.length === 0);
  // The markup of a discontinued article keeps its last price.
  const isGone = !isPointed && isStockSaid && area.availability === "discontinued" &&
    !places.some((price) => has(price, "near_500", "buy_300") && !isOut(price));
  const veto = isGone
    ? { isNone: true, isNet: false, why: "the article is discontinued and shows no price" }
    : doubted && isNetAlone
    ? { ...doubted, isNone: true }
    : doubted;
  const isSold = isInStock(area.availability);
  const isMarkedSold = isInStock(marked);
  const isStockDenied = isStockSaid && isSold !== null && isMarkedSold !== null &&
    isSold !== isMarkedSold;
  return {
    said: {
      condition: area.condition ?? (isUsedNear ? "used" : null),
      seller,
      isThirdParty,
      isNet,
      isOfRange,
    },
    veto,
    availability: isStockSaid || marked === "unknown" ? area.availability : marked,
    former: page.html && shownAs
      ? readFormerPrices(page.html, shownAs, page.writing, words)
      : NO_FORMER_PRICES,
    price: taxPercent === null ? taken.price : withTax(taken.price, taxPercent),
    doubts: [
      ...(veto ? [{ most: CONTRADICTED, why: veto.why }] : []),
      ...(isOfRange ? [{ most: DOUBTFUL, why: "one end of a range of prices" }] : []),
      ...(isThirdParty && !isNamedInLink(seller, identity)
        ? [{ most: UNCERTAIN, why: `sold by ${seller}` }]
        : []),
      ...(isStockSaid && area.availability === "out_of_stock" && taken.method === "shown"
        ? [{ most: UNCERTAIN, why: "the article is out of stock" }]
        : []),
      ...(taken.method === "shown" && page.html !== null && !sellsAfter(page.html.shown)
        ? [{ most: UNCERTAIN, why: "nothing sells it" }]
        : []),
      ...(isStockDenied ? [{ most: DOUBTFUL, why: "words about the stock disagree" }] : []),
    ],
  };
}

function withTax(net: number, taxPercent: string): number {
  return roundOf(multiply(whole(net), add(whole(1), percent(Number(taxPercent)))));
}

/** `Neu kaufen:` labels a new offer. */
const BUYING = /(?<!\p{L})(?:kaufen|buy|acheter)(?!\p{L})/u;
const NEW_ALONE = aloneWord(({ condition }) => condition.new);

/** The first price with a label that says "new", on a page with offers of several conditions. */
export function firstNewOffer(
  { shown, words }: Pick<Hearing, "shown" | "words">,
): ScoredPrice | null {
  const isLabelled = ({ whole }: ScoredPrice) => {
    const { own, blocks } = textsBefore(whole, { characters: 60, blocks: 1 }, words);
    return NEW_ALONE.test((own || blocks[0]?.text || "").toLowerCase().replace(BUYING, " "));
  };
  return shown?.prices.filter((price) => !isOut(price)).toSorted((a, b) => a.at - b.at)
    .find(isLabelled) ?? null;
}

/** True if the seller is in the shop's address, name, title or footer. */
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
