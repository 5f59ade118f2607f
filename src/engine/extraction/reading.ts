import type { Candidate } from "./candidate.ts";
import { chooseOffer } from "./choose_offer.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import type { EXTRACTORS, Method } from "./extractors.ts";
import type { PageIdentity } from "./page_identity.ts";
import { chooseProduct, type WantedProduct } from "./page_product.ts";

/** The one price that a method reads off a page. */
export interface Reading
  extends Pick<Candidate, "availability" | "listPrice" | "shipping" | "isNet" | "isNew"> {
  readonly method: Method;
  /** Exact, in major units, above 0. */
  readonly decimal: string;
  /** Null when the method does not say. */
  readonly currency: string | null;
  readonly isSure: boolean;
  /** Several offers, of which nothing says which one is meant. */
  readonly isUndecided: boolean;
  readonly why: string;
  /** Of the product and of its offer. */
  readonly names: readonly string[];
  /** Null for a shown price. */
  readonly sold: Sold | null;
}

/** Which offer of which product a price is of. */
export interface Sold
  extends Pick<Candidate, "subject" | "offer" | "condition" | "seller" | "isVariant"> {
  /** True where somebody else than the shop sells it. */
  readonly isThirdParty: boolean;
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
  const { candidate, thirdParty } = offer;
  const { amount, availability, isNew, isNet, listPrice, shipping } = candidate;
  const { subject, offer: traits, condition, seller, isVariant } = candidate;
  const isThirdParty = thirdParty !== null;
  const soldBy = isThirdParty ? `sold by ${thirdParty}` : null;
  return {
    method,
    ...amount,
    isSure: product.isSure && amount.isSure,
    availability,
    listPrice,
    shipping,
    isUndecided: offer.isUndecided,
    isNet,
    why: [product.why, offer.why, soldBy].filter((part) => part !== null).join("; "),
    isNew,
    names: [...subject.names, ...traits.names],
    sold: { subject, offer: traits, condition, seller, isThirdParty, isVariant },
  };
}
