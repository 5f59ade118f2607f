import { type Amount, compareDecimals } from "./amount.ts";
import type { Candidate, Identity } from "./candidate.ts";
import { isAddressOf, isAmong, isInAddress, type PageIdentity } from "./page_identity.ts";
import type { WantedProduct } from "./page_product.ts";

/** A candidate whose price was read. */
export interface Priced extends Candidate {
  readonly amount: Extract<Amount, { readonly decimal: string }>;
}

/** The offer of a product that counts, and why. */
export interface ChosenOffer {
  readonly candidate: Priced;
  readonly why: string | null;
}

/** True for a candidate with a price. */
export function isPriced(candidate: Candidate): candidate is Priced {
  return "decimal" in candidate.amount;
}

/**
 * The offer of one product that counts (docs/decisions/scraping.md): the one that the number or the
 * address fits, else the lowest of those that are new and in stock, else of those that are new,
 * else of all. Unknown stock counts as in stock. Prices in the currency that is wanted go before
 * others.
 */
export function chooseOffer(
  candidates: readonly Candidate[],
  page: PageIdentity,
  wanted: WantedProduct | null,
  currency: string | null,
): ChosenOffer | null {
  const offers = inOneCurrency(candidates.filter(isPriced), currency);
  if (offers.length <= 1) return offers[0] ? { candidate: offers[0], why: null } : null;
  const { fitting, why } = fittingOffers(offers, page, wanted);
  const isNew = preferred(fitting, ({ isNew }) => isNew);
  const inStock = preferred(
    isNew,
    ({ availability }) =>
      availability === "in_stock" || availability === "limited" || availability === "unknown",
  );
  const lowest = inStock.reduce((best, offer) =>
    compareDecimals(offer.amount.decimal, best.amount.decimal) < 0 ? offer : best
  );
  return { candidate: lowest, why: why ?? `the lowest of ${inStock.length} offers` };
}

/**
 * Those in the currency that is wanted, else in the first; offers without one take that of the
 * others.
 */
function inOneCurrency(offers: readonly Priced[], wanted: string | null): readonly Priced[] {
  const known = offers.flatMap(({ amount }) => amount.currency ?? []);
  const currency = known.find((code) => code === wanted) ?? known[0] ?? null;
  return offers.filter(({ amount }) => amount.currency === null || amount.currency === currency)
    .map((offer) => ({ ...offer, amount: { ...offer.amount, currency } }));
}

/** What an offer has of one kind, and whether it is what is looked for. */
interface Trait {
  readonly why: string;
  readonly values: (identity: Identity) => readonly string[];
  readonly fits: (value: string) => boolean;
}

/**
 * An offer that is silent about a trait may still be meant: it goes only where others are told off.
 */
function fittingOffers(
  offers: readonly Priced[],
  page: PageIdentity,
  wanted: WantedProduct | null,
): { fitting: readonly Priced[]; why: string | null } {
  for (const { why, values, fits } of traitsOf(page, wanted)) {
    const own = offers.map(({ offer }) => values(offer));
    if (!own.some((list) => list.some(fits))) continue;
    const fitting = offers.filter((_, at) => own[at]?.length === 0 || own[at]?.some(fits));
    if (fitting.length < offers.length) return { fitting, why };
  }
  return { fitting: offers, why: null };
}

function traitsOf(page: PageIdentity, wanted: WantedProduct | null): readonly Trait[] {
  return [
    {
      why: "the offer with the EAN",
      values: ({ gtins }) => gtins,
      fits: (gtin) => isAmong(wanted?.ean, [gtin], page),
    },
    {
      why: "the offer with the number",
      values: ({ numbers }) => numbers,
      fits: (number) =>
        isAmong(wanted?.mpn, [number], page) || isAmong(wanted?.sku, [number], page),
    },
    {
      why: "the offer with the address",
      values: ({ urls }) => urls,
      fits: (url) => isAddressOf(url, page),
    },
    {
      why: "the offer whose number is in the address",
      values: ({ gtins, numbers }) => [...gtins, ...numbers],
      fits: (number) => isInAddress(number, page),
    },
  ];
}

/** Those that a wish holds for, or all when it holds for none. */
function preferred<T>(items: readonly T[], wish: (item: T) => boolean): readonly T[] {
  const wished = items.filter(wish);
  return wished.length > 0 ? wished : items;
}
