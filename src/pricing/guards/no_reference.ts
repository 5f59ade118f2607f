import type { InputGuard } from "../guard.ts";

export const noReference = {
  value: "no_reference",
  label: "No reference",
  description: "The formula needs competitor prices, and too few are usable",
  why: ({ view, formula }) =>
    !formula.needs.references || view.references.areEnough
      ? null
      : "too few usable competitor prices for the formula",
} as const satisfies InputGuard;
