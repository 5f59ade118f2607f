import type { Availability } from "../base/availability.ts";
import type { Shipping } from "./candidate.ts";
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
  readonly why: string;
  readonly isNew: boolean;
  /** Of the product and of its offer. */
  readonly names: readonly string[];
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
): Reading | NoReading {
  const found = candidates(page);
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
  const { amount, availability, isNew, listPrice, shipping, subject } = offer.candidate;
  return {
    method,
    decimal: amount.decimal,
    currency: amount.currency,
    availability,
    listPrice,
    shipping,
    isSure: product.isSure && amount.isSure,
    why: [product.why, offer.why].filter((part) => part !== null).join("; "),
    isNew,
    names: [...subject.names, ...offer.candidate.offer.names],
  };
}
