import type { InputGuard } from "../guard.ts";

export const vatUnknown = {
  value: "vat_unknown",
  label: "VAT rate unknown",
  description: "Prices with and without VAT cannot be compared without the rate",
  why({ view, lacksVat, formula, floorPct }) {
    if (lacksVat) return "a competitor's price is on the other side of VAT and no rate is known";
    const needsNet = floorPct !== null || formula.needs.targetMargin;
    const { market } = view;
    const isKnown = market.vatFactor !== null || !market.situation.settings.pricesIncludeVat;
    return needsNet && !isKnown ? "the net price needs a VAT rate" : null;
  },
} as const satisfies InputGuard;
