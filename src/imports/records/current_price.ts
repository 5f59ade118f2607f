import { ROW_SLOTS } from "./compiled_profile.ts";
import { PRICES_MAX } from "./price_order.ts";
import type { OpenRow } from "./price_rows.ts";
import { placeOf, type RecordFindings } from "./record_findings.ts";

/**
 * The current row of each tier, currency and quantity (docs/decisions/imports.md, "Current price of
 * a tier"): of several the newest that has begun, then the last of the file; when none has begun,
 * the nearest.
 */
export function currentRows(open: readonly OpenRow[], findings: RecordFindings): OpenRow[] {
  if (open.length === 1 && open[0]) {
    warnOfFuture(open[0], findings);
    return [open[0]];
  }
  const chosen: { row: OpenRow; count: number }[] = [];
  for (const row of open) {
    const rival = chosen.find((other) => isSamePlace(other.row, row));
    if (!rival) {
      if (chosen.length === PRICES_MAX) {
        const place = placeOf(row.frame, ROW_SLOTS.amount);
        findings.warnOnce("too_long", `A product has at most ${PRICES_MAX} prices`, place);
      } else chosen.push({ row, count: 1 });
      continue;
    }
    rival.count += 1;
    if (isBetter(row, rival.row)) rival.row = row;
  }
  for (const { row, count } of chosen) {
    if (count === 1) warnOfFuture(row, findings);
    else warnOfSeveral(row, count, findings);
  }
  return chosen.map(({ row }) => row);
}

function isSamePlace(one: OpenRow, other: OpenRow): boolean {
  return one.tier === other.tier && one.minQty === other.minQty && one.currency === other.currency;
}

/** `later` stands after `held` in the file, and so wins when nothing else decides. */
function isBetter(later: OpenRow, held: OpenRow): boolean {
  if (later.isFuture !== held.isFuture) return held.isFuture;
  const laterFrom = later.validFrom ?? "";
  const heldFrom = held.validFrom ?? "";
  return later.isFuture ? laterFrom <= heldFrom : laterFrom >= heldFrom;
}

function warnOfFuture(row: OpenRow, findings: RecordFindings): void {
  if (!row.isFuture) return;
  const place = placeOf(row.frame, ROW_SLOTS.validFrom);
  findings.warn("future_valid_from", `The only open price begins on "${place.value}"`, place);
}

function warnOfSeveral(row: OpenRow, count: number, findings: RecordFindings): void {
  const tier = row.tier.name === null ? "without a tier" : `of tier "${row.tier.name}"`;
  const message = `${count} open prices ${tier}: the newest that has begun is used`;
  findings.warn("ambiguous_current_price", message, placeOf(row.frame, ROW_SLOTS.amount));
}
