/**
 * Words of shops in one language, grouped by what they say about an amount, the stock, the
 * condition or the seller. Each word is a regular expression in lower case that matches whole
 * words.
 */

import type { Availability, Condition } from "../../../base/codes.ts";

export interface ShopLanguage {
  readonly monthly: readonly string[];
  readonly rent: readonly string[];
  readonly deposit: readonly string[];
  /** Words for a statutory charge that is part of the price. */
  readonly levy: readonly string[];
  readonly service: readonly string[];
  readonly delivery: readonly string[];
  readonly bid: readonly string[];
  /** Words next to an amount that requires a contract or a trade-in. */
  readonly contract: readonly string[];
  /** Words next to an amount for members of a club or holders of the club's card. */
  readonly member: readonly string[];
  readonly net: readonly string[];
  readonly gross: readonly string[];
  /** The start of a sentence that says whether all prices of the shop include tax. */
  readonly allNet: readonly string[];
  readonly onRequest: readonly string[];
  /** Words that only mean "price on request" if they are the whole text. */
  readonly onRequestAlone: readonly string[];
  /** Words before the name of an amount that is added, included or absent: "plus", "incl", "no". */
  readonly without: readonly string[];
  /** The start or end of a rented thing's name. */
  readonly rentedName: readonly string[];
  readonly paidAheadName: readonly string[];
  readonly rentControl: readonly string[];
  readonly bidControl: readonly string[];
  readonly buyControl: readonly string[];
  /** Labels that may precede a word about the stock. */
  readonly stockLabel: readonly string[];
  /** Words in texts about branches, other variants or payments. */
  readonly notTheStock: readonly string[];
  readonly stock: Readonly<Record<Exclude<Availability, "unknown">, readonly string[]>>;
  /** Delivery times, which imply stock if no other words name the stock. */
  readonly deliveryTime: readonly string[];
  readonly condition: Readonly<Record<Condition, readonly string[]>>;
  readonly conditionLabel: readonly string[];
  /** Words directly before the seller's name. */
  readonly soldBy: readonly string[];
  /** Labels before the seller's name, with a colon or in an element of their own. */
  readonly sellerLabel: readonly string[];
  readonly afterSeller: readonly string[];
  readonly us: readonly string[];
  readonly lowest: readonly string[];
  readonly former: readonly string[];
  readonly recommended: readonly string[];
}
