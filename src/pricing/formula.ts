import type { PricedOffer } from "./market.ts";
import type { View } from "./trigger.ts";

/** The price that a formula asks for, before floor and rounding. */
export interface Wish {
  readonly cents: number;
  /** The references that it was computed from. */
  readonly used: readonly PricedOffer[];
}

/** One value of `formula`. */
export interface Formula {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly needs: { readonly references: boolean; readonly targetMargin: boolean };
  /** Total once what it needs is there; `targetMarginPct` is below 100. */
  wish(view: View, targetMarginPct: number | null): Wish;
}
