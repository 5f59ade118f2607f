/** Competitors' prices as rules are given them. */
import type { ShopTerms } from "./shop.ts";

/** The newest that is known of one enabled match. */
export interface Offer {
  readonly matchId: string;
  readonly competitorId: string;
  /** Display name. */
  readonly competitor: string;
  /** As seen, in minor units of `currency`, for `packFactor` pieces; null when never observed. */
  readonly priceCents: number | null;
  readonly currency: string | null;
  /** Null when the shop does not say: counts as in stock. */
  readonly inStock: boolean | null;
  /** At most 4 decimals. */
  readonly packFactor: number;
  /** 0 to 1. */
  readonly confidence: number | null;
  readonly observedAtMs: number | null;
  /** What the observation before this one saw, in the same currency; null when there is none. */
  readonly previousPriceCents: number | null;
  /** True for a price that somebody has looked at and let through; absent where nobody asks. */
  readonly isReleased?: boolean;
  /** True when the match was changed after that: the two may be prices of different pages or packs. */
  readonly isChangedSince?: boolean;
  /** Since when the price is what it is, seen without a break; null when never observed. */
  readonly priceSinceMs: number | null;
  /** Null: as the workspace. */
  readonly pricesIncludeVat: boolean | null;
  readonly matchCreatedAtMs: number;
  /** Whether the page has the very article; absent where nobody asks for it. */
  readonly matchType?: "exact" | "equivalent";
  /** True where the page shows another product now: then nobody knows of which its earlier prices were. */
  readonly isOtherProduct?: boolean;
  /** True where the page was seen to show the very product, or somebody has said so. */
  readonly isConfirmed?: boolean;
  /** What state the article is in, as the page says; null or absent where it says nothing. */
  readonly condition?: string | null;
  /** Who sells it, as the page says; null or absent where it says nothing. */
  readonly seller?: string | null;
  /**
   * What the shop adds for one parcel, in minor units of `currency` and on its side of VAT; null or
   * absent where nobody knows.
   */
  readonly shippingCents?: number | null;
  /** What the workspace says of the shop; absent: nothing. */
  readonly shop?: ShopTerms;
  /** `ok` or the code of what the last fetch failed with; null before the first, absent in the past. */
  readonly status?: string | null;
}
