import type { WrittenAmount } from "../amount.ts";

/** As much confidence as a doubt leaves, and a source that says otherwise. */
export const DOUBTFUL = 0.7;
export const CONTRADICTED = 0.6;

/** Which is the price of a page: that of its markup, a shown one, or none. */
export type Settled =
  | { readonly taken: "marked"; readonly confidence: number; readonly why: string }
  | {
    readonly taken: "shown";
    /** Who pointed at it, where that was a recipe. */
    readonly method?: "recipe" | "taught";
    readonly price: WrittenAmount;
    readonly confidence: number;
    readonly why: string;
  }
  | {
    readonly taken: "none";
    readonly reason: "no_price" | "ambiguous_price";
    readonly why: string;
  };
