/** What rules ask of the shop that an offer comes from (docs/decisions/rules.md, Who). */
import { fold } from "../../base/text.ts";

/** A shop as rules sort it; names folded, so that they compare whatever their case. */
export interface ShopTerms {
  readonly groups: ReadonlySet<string>;
  readonly isMarketplace: boolean;
  /** Under which names a marketplace sells there itself; empty: it sells nothing itself. */
  readonly sellerNames: ReadonlySet<string>;
}

/** Folded once per shop, for all of its offers. */
export function shopTermsOf(
  { groups, isMarketplace, sellerNames }: {
    readonly groups: readonly string[];
    readonly isMarketplace: boolean;
    readonly sellerNames: readonly string[];
  },
): ShopTerms {
  return { groups: foldAll(groups), isMarketplace, sellerNames: foldAll(sellerNames) };
}

/** Names as they are compared. */
export function foldAll(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(fold));
}

/**
 * Whether a seller of a marketplace makes the offer, and not the shop itself; null where nobody knows:
 * the marketplace sells itself, too, and the page does not say who sells this.
 */
export function isBySeller(
  { shop, seller }: { readonly shop?: ShopTerms; readonly seller?: string | null },
): boolean | null {
  if (!shop?.isMarketplace) return false;
  if (shop.sellerNames.size === 0) return true;
  return seller === null || seller === undefined ? null : !shop.sellerNames.has(fold(seller));
}
