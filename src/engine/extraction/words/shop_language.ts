/**
 * Words of shops in one language, by what they say about an amount, the stock, the condition or the
 * seller. A word is a pattern in lower case; it matches whole words.
 */

import type { Availability, Condition } from "../../../base/codes.ts";

export interface ShopLanguage {
  /** Beside an amount that is paid every month, or in parts. */
  readonly monthly: readonly string[];
  readonly rent: readonly string[];
  readonly deposit: readonly string[];
  /** A contribution by law that is a part of the price. */
  readonly levy: readonly string[];
  /** What may be bought with an article. */
  readonly service: readonly string[];
  readonly delivery: readonly string[];
  readonly bid: readonly string[];
  /** Beside an amount that is paid only together with a contract. */
  readonly contract: readonly string[];
  /** Beside an amount that only members of a club or holders of its card pay. */
  readonly member: readonly string[];
  readonly net: readonly string[];
  readonly gross: readonly string[];
  /** The begin of a sentence that says how all prices are given. */
  readonly allNet: readonly string[];
  readonly onRequest: readonly string[];
  /** Says it only as a text of its own. */
  readonly onRequestAlone: readonly string[];
  /**
   * Words before the name of an amount that say it is added, included or absent: "plus", "incl", "no".
   */
  readonly without: readonly string[];
  /** Begins and ends of names of what is rented. */
  readonly rentedName: readonly string[];
  readonly paidAheadName: readonly string[];
  readonly rentControl: readonly string[];
  readonly bidControl: readonly string[];
  readonly buyControl: readonly string[];
  /** May stand before a word about the stock. */
  readonly stockLabel: readonly string[];
  /** Of a text about the stock of a branch, of another variant, of a way to pay. */
  readonly notTheStock: readonly string[];
  readonly stock: Readonly<Record<Exclude<Availability, "unknown">, readonly string[]>>;
  /** Of days, which speak for a stock where nothing else does. */
  readonly deliveryTime: readonly string[];
  readonly condition: Readonly<Record<Condition, readonly string[]>>;
  readonly conditionLabel: readonly string[];
  /** Leads to the name of the seller. */
  readonly soldBy: readonly string[];
  /** Leads to it with a colon, or in an element before it. */
  readonly sellerLabel: readonly string[];
  /** Ends the name of the seller. */
  readonly afterSeller: readonly string[];
  /** Names of the shop itself. */
  readonly us: readonly string[];
  /** Before the lowest price of 30 days. */
  readonly lowest: readonly string[];
  readonly former: readonly string[];
  readonly recommended: readonly string[];
}
