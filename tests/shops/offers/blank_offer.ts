import { blankOffer } from "../../../src/shops/offers/offer.ts";

/** An offer of a page that was never visited. */
export const BLANK_OFFER = blankOffer({
  matchId: "a".repeat(24),
  competitorId: "b".repeat(24),
  urlHash: "c".repeat(32),
  enabled: true,
  disabledBy: null,
  packFactor: 1,
  matchType: "exact",
  noPrice: false,
});
