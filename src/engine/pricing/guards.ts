/** The codes of all guards. A new one is a row of one list in `guards/`, and one of `GUARD_WORDS`. */
import type { z } from "zod";
import type { belowCost, BOUND_GUARDS, priceChanged } from "./guards/approval_guards.ts";
import type { INPUT_GUARDS } from "./guards/input_guards.ts";
import type { AIM_GUARDS, PRICE_GUARDS } from "./guards/price_guards.ts";
import type { SAFETY_GUARDS } from "./guards/safety_guards.ts";

type AnyGuard =
  | (
    | typeof INPUT_GUARDS
    | typeof PRICE_GUARDS
    | typeof AIM_GUARDS
    | typeof SAFETY_GUARDS
    | typeof BOUND_GUARDS
  )[number]
  | typeof priceChanged
  | typeof belowCost;

/** The facts of what stands against a price, by its code: of guards, and of what is no guard. */
export type ObjectionFacts =
  & { readonly [One in AnyGuard as One["value"]]: z.output<One["facts"]> }
  & {
    /** Another rule sets the price of the product. */
    readonly outranked: { readonly ruleName: string };
    /** Nobody knows any more what the price had to keep to. */
    readonly rule_deleted: Readonly<Record<never, never>>;
    /** A rule that is switched off asks for nothing any more. */
    readonly rule_off: Readonly<Record<never, never>>;
    /** Bounds left the price no ending: they come first. */
    readonly ending_dropped: Readonly<Record<never, never>>;
    /** The product has another open proposal. */
    readonly other_open: Readonly<Record<never, never>>;
  };
