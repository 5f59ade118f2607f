/**
 * Words of shops in one language, by their meaning for an amount, the stock, the condition or the
 * seller. Each word is a pattern in lower case that matches whole words.
 */

import type { Availability, Condition } from "../../../base/codes.ts";

export interface ShopLanguage {
  /** Next to an amount that is paid monthly or in parts. */
  readonly monthly: readonly string[];
  readonly rent: readonly string[];
  readonly deposit: readonly string[];
  /** A statutory charge that is part of the price. */
  readonly levy: readonly string[];
  /** Things to buy with an article. */
  readonly service: readonly string[];
  readonly delivery: readonly string[];
  readonly bid: readonly string[];
  /** Next to an amount that requires a contract, or an old device in exchange. */
  readonly contract: readonly string[];
  /** Next to an amount for members of a club or holders of its card. */
  readonly member: readonly string[];
  readonly net: readonly string[];
  readonly gross: readonly string[];
  /** The start of a sentence about all prices. */
  readonly allNet: readonly string[];
  readonly onRequest: readonly string[];
  /** Counts only if it is the whole text. */
  readonly onRequestAlone: readonly string[];
  /** Before the name of an amount: the amount is added, included or absent ("plus", "incl", "no"). */
  readonly without: readonly string[];
  /** Starts and ends of names of rented things. */
  readonly rentedName: readonly string[];
  readonly paidAheadName: readonly string[];
  readonly rentControl: readonly string[];
  readonly bidControl: readonly string[];
  readonly buyControl: readonly string[];
  /** May precede a word about the stock. */
  readonly stockLabel: readonly string[];
  /** In a text about a branch, another variant or a payment method. */
  readonly notTheStock: readonly string[];
  readonly stock: Readonly<Record<Exclude<Availability, "unknown">, readonly string[]>>;
  /** Delivery times, which imply stock if no other words do. */
  readonly deliveryTime: readonly string[];
  readonly condition: Readonly<Record<Condition, readonly string[]>>;
  readonly conditionLabel: readonly string[];
  /** Before the name of the seller. */
  readonly soldBy: readonly string[];
  /** Before the seller's name, with a colon or in its own element. */
  readonly sellerLabel: readonly string[];
  /** After the seller's name. */
  readonly afterSeller: readonly string[];
  /** Words for the shop itself. */
  readonly us: readonly string[];
  /** Before the lowest price of 30 days. */
  readonly lowest: readonly string[];
  readonly former: readonly string[];
  readonly recommended: readonly string[];
}
