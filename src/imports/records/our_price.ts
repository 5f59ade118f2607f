/**
 * Chooses our own price among the rows of a record, counts columns of prices that were refused, and
 * tells values as the file writes them where they look different.
 */
import { exponentOf } from "../../base/currency.ts";
import { formatDecimalComma, formatMajor } from "../../base/money.ts";
import {
  majorName,
  RECORD_AMOUNT_NAMES,
  RECORD_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import type { FileFault } from "../files/byte_source.ts";
import { type Finding, type FindingCode, shortened } from "../files/finding.ts";
import { PRICES_REFUSED } from "../files/hold_codes.ts";
import { FIELD_SLOTS, ROW_SLOTS } from "./compiled_profile.ts";
import { type MentionedTier, type OpenRow, PRICES_MAX, tierKey } from "./price_rows.ts";
import { type Place, placeOf, type RawRecord, type RecordFindings } from "./raw_record.ts";
import type { FedField, RecordPatch, WrittenValues } from "./record_patch.ts";

/** The rows that amounts of a record were taken from. */
type FedRows = Readonly<Partial<Record<FedField, OpenRow>>>;

const FED = ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const;

/**
 * The file's text for each value of the patch that looks different: a number that is
 * written in another way, a price that was brought to the other side of VAT or from cents, a text
 * whose blanks were cut. Long texts are shortened.
 */
export function writtenBeside(raw: RawRecord, patch: RecordPatch, fed: FedRows): WrittenValues {
  const found: Record<string, string> = {};
  for (const name of RECORD_NAMES) {
    const text = raw.item.values[FIELD_SLOTS[name]] ?? null;
    const value = patch[name];
    if (text !== null && value !== undefined && !readsAs(text, value)) {
      found[name] = shortened(text);
    }
  }
  const exponent = exponentOf(patch.amountsIn ?? "");
  const tell = (field: string, text: string | null, cents: number | null | undefined) => {
    if (text !== null && typeof cents === "number" && !isAmount(text, cents, exponent)) {
      found[field] = shortened(text);
    }
  };
  for (const name of RECORD_AMOUNT_NAMES) {
    const field = majorName(name);
    tell(field, raw.item.values[FIELD_SLOTS[field]] ?? null, patch[name]);
  }
  for (const name of FED) {
    const row = fed[name];
    if (row) tell(majorName(name), row.frame.values[ROW_SLOTS.amount] ?? null, patch[name]);
  }
  return found;
}

function readsAs(text: string, value: string | number | null): boolean {
  return typeof value === "number"
    ? text === String(value) || text === String(value).replace(".", ",")
    : text === (value ?? "");
}

function isAmount(written: string, cents: number, exponent: number): boolean {
  // A currency sign around it makes no other number of it.
  const text = written.replace(/^\D+|\D+$/g, "");
  const whole = cents / 10 ** exponent;
  return text === formatMajor(cents, exponent) || text === formatDecimalComma(cents, exponent) ||
    (Number.isInteger(whole) && text === String(whole));
}

const REMEDIES: Readonly<Partial<Record<FindingCode, string>>> = {
  no_vat_rate: "Set the rate of VAT of the workspace",
  invalid_currency: "Export the column in the currency of the workspace",
};

interface Column {
  used: number;
  refused: number;
  first: Finding | null;
}

export class PriceTally {
  readonly #columns = new Map<string, Column>();

  use(column: string | null | undefined): void {
    if (column) this.#columnOf(column).used++;
  }

  /** The findings of a record, of which those count that refuse a price. */
  refuse(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { severity, code, field } = finding;
      if (severity !== "warning" || !field || REMEDIES[code] === undefined) continue;
      const column = this.#columnOf(field);
      column.refused++;
      column.first ??= finding;
    }
  }

  /** Null where each column with prices has one that can be used. */
  fault(): FileFault | null {
    for (const [field, { used, refused, first }] of this.#columns) {
      if (used > 0 || first === null) continue;
      const { code, line, message, value } = first;
      return {
        code: PRICES_REFUSED,
        line,
        field,
        ...(value === null ? {} : { value }),
        message: `None of the prices in "${field}" can be used (${refused} of ${refused}). ` +
          `${message}. Nothing was imported. ${REMEDIES[code] ?? ""}, or send the file with ` +
          "allowNoPrices=true, which imports all but these prices",
      };
    }
    return null;
  }

  #columnOf(name: string): Column {
    const known = this.#columns.get(name);
    if (known) return known;
    const column = { used: 0, refused: 0, first: null };
    this.#columns.set(name, column);
    return column;
  }
}

interface TierChoice {
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

/** Price types that suppliers define themselves: a BMEcat file does not say what they mean. */
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
