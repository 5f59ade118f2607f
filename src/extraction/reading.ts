import type { Availability } from "../base/availability.ts";
import type { Condition } from "../base/condition.ts";
import type { Candidate, Identity, Shipping, Subject } from "./candidate.ts";
import { chooseOffer } from "./choose_offer.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import type { EXTRACTORS, Method } from "./extractors.ts";
import type { PageIdentity } from "./page_identity.ts";
import { chooseProduct, type WantedProduct } from "./page_product.ts";

/** The one price that a method reads off a page. */
export interface Reading {
  readonly method: Method;
  /** Exact, in major units, above 0. */
  readonly decimal: string;
  /** Null when the method does not say. */
  readonly currency: string | null;
  readonly availability: Availability;
  readonly listPrice: string | null;
  readonly shipping: Shipping | null;
  readonly isSure: boolean;
  /** Several offers, of which nothing says which one is meant. */
  readonly isUndecided: boolean;
  /** Without tax. */
  readonly isNet: boolean;
  readonly why: string;
  readonly isNew: boolean;
  /** Of the product and of its offer. */
  readonly names: readonly string[];
  /** Null for a shown price. */
  readonly sold: Sold | null;
}

/** Which offer of which product a price is of. */
export interface Sold {
  readonly subject: Subject;
  readonly offer: Identity;
  readonly condition: Condition | null;
  readonly seller: string | null;
  /** True where somebody else than the shop sells it. */
  readonly isThirdParty: boolean;
  /** True for one of several variants. */
  readonly isVariant: boolean;
}

/** Every price that a method found, chosen or not, and its one price or why it has none. */
export interface MethodReading {
  readonly outcome: Reading | NoReading;
  readonly candidates: readonly Candidate[];
}

/** A method without a price, and why. */
export interface NoReading {
  readonly method: Method;
  readonly reason: "nothing" | "no_price" | "ambiguous_price" | "other_product";
}

/** Lets one extractor read, and chooses among what it found. */
export function readingOf(
  { method, candidates }: (typeof EXTRACTORS)[number],
  page: ExtractionPage,
  identity: PageIdentity,
  wanted: WantedProduct | null,
  currency: string | null,
): MethodReading {
  const found = candidates(page);
  return { candidates: found, outcome: outcomeOf(method, found, identity, wanted, currency) };
}

function outcomeOf(
  method: Method,
  found: readonly Candidate[],
  identity: PageIdentity,
  wanted: WantedProduct | null,
  currency: string | null,
): Reading | NoReading {
  if (found.length === 0) return { method, reason: "nothing" };
  const product = chooseProduct(found, identity, wanted);
  const offer = product && chooseOffer(product.candidates, identity, wanted, currency);
  if (!offer) {
    const isAmbiguous = found.some(({ amount }) =>
      "reason" in amount && amount.reason === "ambiguous_price"
    );
    const hasPrice = found.some(({ amount }) => "decimal" in amount);
    return {
      method,
      reason: isAmbiguous ? "ambiguous_price" : hasPrice ? "other_product" : "no_price",
    };
  }
  const { amount, availability, isNew, isNet, listPrice, shipping, subject } = offer.candidate;
  const { condition, isVariant, offer: traits } = offer.candidate;
  const seller = offer.thirdParty === null ? null : `sold by ${offer.thirdParty}`;
  return {
    method,
    decimal: amount.decimal,
    currency: amount.currency,
    availability,
    listPrice,
    shipping,
    isSure: product.isSure && amount.isSure,
    isUndecided: offer.isUndecided,
    isNet,
    why: [product.why, offer.why, seller].filter((part) => part !== null).join("; "),
    isNew,
    names: [...subject.names, ...traits.names],
    sold: {
      subject,
      offer: traits,
      condition,
      seller: offer.candidate.seller,
      isThirdParty: offer.thirdParty !== null,
      isVariant,
    },
  };
}
