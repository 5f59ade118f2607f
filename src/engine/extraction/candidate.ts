import type { Availability, Condition } from "../../base/codes.ts";
import type { Amount } from "./amount.ts";

export interface Identity {
  readonly names: readonly string[];
  readonly urls: readonly string[];
  readonly gtins: readonly string[];
  readonly numbers: readonly string[];
}

/** A product that a page names. Candidates of one product share the object. */
export interface Subject extends Identity {
  /**
   * `main`: the page says that it is about it. `listed`: one of a list. `related`: named beside
   * another product; its price is never taken.
   */
  readonly standing: "main" | "own" | "listed" | "related";
  /** Maker and numbers as the page names them; null where it does not. */
  readonly brand: string | null;
  readonly mpn: string | null;
  readonly sku: string | null;
}

/** One price that an extractor read, or a product without any, before anything is chosen. */
export interface Candidate {
  readonly subject: Subject;
  /** The offer or the variant, which is more exact than the product. */
  readonly offer: Identity;
  readonly amount: Amount;
  readonly availability: Availability;
  readonly isNew: boolean;
  readonly condition: Condition | null;
  readonly isVariant: boolean;
  /** True when the markup says that tax is still to be added. */
  readonly isNet: boolean;
  /** The seller; null where the offer does not say. */
  readonly seller: string | null;
  /** A decimal in the currency of the amount. */
  readonly listPrice: string | null;
  readonly shipping: Shipping | null;
}

/** What delivery costs, in major units. */
export interface Shipping {
  readonly decimal: string;
  /** Null for that of the price. */
  readonly currency: string | null;
}

/** No honest product has more names and numbers. */
const NAMES_MAX = 20;
const NUMBERS_MAX = 100;

/** An identity of no more names, addresses and numbers than an honest product has. */
export function boundedIdentity({ names, urls, gtins, numbers }: Identity): Identity {
  return {
    names: names.slice(0, NAMES_MAX),
    urls: urls.slice(0, NAMES_MAX),
    gtins: gtins.slice(0, NUMBERS_MAX),
    numbers: numbers.slice(0, NUMBERS_MAX),
  };
}

export const NO_IDENTITY: Identity = { names: [], urls: [], gtins: [], numbers: [] };

/** A product of which nothing is said but that the page is about it. */
export const UNNAMED_SUBJECT: Subject = {
  ...NO_IDENTITY,
  standing: "main",
  brand: null,
  mpn: null,
  sku: null,
};

/** An offer that says nothing but its price. */
export const BARE_OFFER: Omit<Candidate, "subject" | "amount"> = {
  offer: NO_IDENTITY,
  availability: "unknown",
  isNew: true,
  condition: null,
  isVariant: false,
  isNet: false,
  seller: null,
  listPrice: null,
  shipping: null,
};
