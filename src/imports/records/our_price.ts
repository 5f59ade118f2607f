import type { MentionedTier, OpenRow } from "./price_rows.ts";
import { tierKey } from "./price_rows.ts";
import type { Place, RecordFindings } from "./record_findings.ts";

/** What decides which tier `ourPrice` comes from. */
export interface TierChoice {
  /** As the item, the request or the profile names it, in this order; null when none does. */
  readonly named: string | null;
  readonly firstTierCounts: boolean;
  /** Keys of tiers that are prices for others, as those of dealers: they count only when they are named. */
  readonly otherTiers: readonly string[];
  /** Rows without a tier go before those of one, when none is named. */
  readonly unnamedIsFirst: boolean;
  /** `ourPrice` takes rows in this currency alone. */
  readonly currency: string;
  /** Where the tier is named, or the item. */
  readonly place: Partial<Place>;
}

/** What a supplier means by a price type of BMEcat that he has defined himself, a file does not say. */
const USER_DEFINED = /^UDP_/;

/**
 * The row that `ourPrice` takes (docs/decisions/imports.md, "Tier of ourPrice"), or null: the
 * stored price stays. Rows for more than one piece never count.
 */
export function ourPriceRow(
  rows: readonly OpenRow[],
  tiers: readonly MentionedTier[],
  choice: TierChoice,
  findings: RecordFindings,
): OpenRow | null {
  const { named, currency, place } = choice;
  const key = named === null ? null : tierKey(named);
  const isOther = (tierKey: string) =>
    choice.otherTiers.includes(tierKey) || USER_DEFINED.test(tierKey);
  const fitting = rows.filter(({ minQty, tier, ...row }) =>
    minQty <= 1 && row.currency === currency &&
    (key === null ? !isOther(tier.key) : tier.key === key)
  );
  const unnamed = choice.unnamedIsFirst ? fitting.find((row) => row.tier.key === "") : undefined;
  const first = unnamed ?? fitting[0];
  if (!first) {
    const asked = key === null ? tiers : tiers.filter((tier) => tier.key === key);
    const isMissed = named !== null || tiers.length > 0;
    // An unreadable row has its own finding, which says more.
    if (isMissed && !asked.some((tier) => tier.hasUnreadable)) {
      const tier = named === null ? "" : ` in tier "${named}"`;
      findings.warn("no_current_price", `No current price${tier}: the stored one stays`, place);
    }
    return null;
  }
  if (unnamed || key !== null || fitting.every((row) => row.tier === first.tier)) return first;
  const outcome = choice.firstTierCounts ? `"${first.tier.name ?? ""}" is used` : "none is used";
  const message = `Several tiers have a current price and none is named: ${outcome}`;
  findings.warn("ambiguous_tier", message, place);
  return choice.firstTierCounts ? first : null;
}
