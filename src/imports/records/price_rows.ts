/** Reads the price rows of a record, and chooses the current row of each tier. */
import { currencyCodes, readNumber } from "../../base/german_values.ts";
import { currencyExponent } from "../../base/money.ts";
import { shortened } from "../files/source_file.ts";
import type { Place, RawRecord, RecordFindings, RowName, Values } from "./raw_record.ts";
import { memoize } from "../../base/collections.ts";
import { daysBefore } from "../../base/time.ts";
import { compareTexts, composed } from "../../base/text.ts";
import type { TierPrice } from "../../catalogue/products/product.ts";
import {
  charsMaxOf,
  majorName,
  RECORD_AMOUNT_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import type { PriceTerms } from "../profiles/xml_profile.ts";
import {
  amountForOne,
  type DatedSetting,
  QUANTITY_DECIMALS,
  usableAmount,
  withoutControls,
} from "./field_values.ts";

export const PRICES_MAX = 100;

export function byPlace(one: TierPrice, other: TierPrice): number {
  return byText(one.tier, other.tier) || byText(one.currency, other.currency) ||
    (one.minQty ?? 1) - (other.minQty ?? 1);
}

export function byText(one: string | null, other: string | null): number {
  return compareTexts(one ?? "", other ?? "");
}

export interface MentionedTier {
  readonly name: string | null;
  /** `key` is empty for prices without a tier. */
  readonly key: string;
  /**
   * True if a row of the tier is invalid. The tier's stored prices then stay unless another of its
   * rows has a current price.
   */
  hasUnreadable: boolean;
}

export interface OpenRow {
  readonly tier: MentionedTier;
  readonly currency: string;
  readonly minQty: number;
  readonly amountCents: number;
  readonly validFrom: string | null;
  readonly isFuture: boolean;
  readonly written: Values<RowName>;
}

/** `vat.ratePct` is the VAT rate of the record. */
interface RowSetting extends DatedSetting {
  readonly prices: PriceTerms;
  readonly currency: string;
  readonly findings: RecordFindings;
  /** Called with each future day on which a price of the record begins or ceases to be valid. */
  readonly noteTurn: (day: string) => void;
}

const TIERS_MAX = 100;
const TIER_CHARS_MAX = charsMaxOf("tier");

export function readPriceRows(rows: readonly Values<RowName>[], setting: RowSetting) {
  const tiers: MentionedTier[] = [];
  const open: OpenRow[] = [];
  for (const row of rows) {
    const tier = mentionedTier(tiers, row, setting);
    if (tier === null) continue;
    const read = readRow(row, tier, setting);
    if (read === "unreadable") tier.hasUnreadable = true;
    else if (read !== "closed") open.push(read);
  }
  return { tiers, open };
}

/** Names that differ only in case or Unicode normal form have the same key. */
export function tierKey(name: string | null): string {
  return name === null ? "" : keyOfName(name);
}

const keyOfName = memoize((name) => composed(name).toUpperCase(), TIER_CHARS_MAX);

function mentionedTier(
  tiers: MentionedTier[],
  row: Values<RowName>,
  { findings }: RowSetting,
): MentionedTier | null {
  const name = composed(withoutControls(row.text("tier") ?? "")) || null;
  const key = tierKey(name);
  const known = tiers.find((tier) => tier.key === key);
  if (known) return known;
  const isTooLong = name !== null && name.length > TIER_CHARS_MAX;
  if (isTooLong || tiers.length === TIERS_MAX) {
    const message = `At most ${TIERS_MAX} tiers of at most ${TIER_CHARS_MAX} characters`;
    findings.warnOnce("too_long", message, row.place("tier"));
    return null;
  }
  const tier = { name, key, hasUnreadable: false };
  tiers.push(tier);
  return tier;
}

function readRow(
  row: Values<RowName>,
  tier: MentionedTier,
  setting: RowSetting,
): OpenRow | "closed" | "unreadable" {
  const dates = readDates(row, setting);
  if (typeof dates === "string") return dates;
  const currency = row.text("currency")?.toUpperCase() || setting.currency;
  const exponent = currencyExponent(currency);
  if (exponent === null) {
    const place = row.place("currency");
    const value = place.value || currency;
    const message = `"${shortened(value)}" is not a currency`;
    setting.findings.warn("invalid_currency", message, { ...place, value });
    return "unreadable";
  }
  const minQty = readMinQty(row, setting);
  const unit = { currency, exponent: setting.profile.isMinor ? 0 : exponent };
  const amountCents = readAmount(row, setting, unit);
  if (minQty === null || amountCents === null) return "unreadable";
  return { tier, currency, minQty, amountCents, ...dates, written: row };
}

function readDates(row: Values<RowName>, { prices, dates, today, findings, noteTurn }: RowSetting) {
  const isByDay = prices.current === "today";
  const until = dates(row.text("validUntil"));
  if (until.kind === "invalid") {
    warnOfDate(row, "validUntil", findings);
    return "unreadable";
  }
  if (until.kind === "day" && (!isByDay || until.day < today)) return "closed";
  if (until.kind === "day") noteTurn(daysBefore(until.day, -1));
  if (until.kind === "none" && until.isSentinel) {
    const place = row.place("validUntil");
    findings.warnOnce("open_end_sentinel", `"${place.value}" is read as an open end`, place);
  }
  const from = dates(row.text("validFrom"));
  if (from.kind === "invalid") {
    warnOfDate(row, "validFrom", findings);
    if (isByDay) return "unreadable";
  }
  const validFrom = from.kind === "day" ? from.startsAt : null;
  const isFuture = from.kind === "day" && from.day > today;
  if (isFuture) noteTurn(from.day);
  return isFuture && isByDay ? "closed" : { validFrom, isFuture };
}

function readMinQty(row: Values<RowName>, { profile, findings }: RowSetting): number | null {
  const text = row.text("minQty") ?? "";
  if (text === "" || text === "1") return 1;
  const format = profile.numberFormat;
  const read = readNumber(text, { format, exponent: QUANTITY_DECIMALS, currency: null });
  if ("value" in read) return Math.max(1, read.value / 10 ** QUANTITY_DECIMALS);
  const place = row.place("minQty");
  findings.warn("invalid_number", `"${shortened(text)}" is not a quantity`, place);
  return null;
}

function readAmount(
  row: Values<RowName>,
  { profile: { numberFormat, zeroIsEmpty }, vat, findings }: RowSetting,
  unit: { currency: string; exponent: number },
): number | null {
  const text = row.text("amount") ?? "";
  const quantity = row.text("quantity") ?? "";
  const setting = { format: numberFormat, ...unit };
  const side = row.text("side") ?? "";
  const isOther = side !== "" && side !== vat.side;
  if (isOther && vat.ratePct === null) {
    const message = `No rate of VAT is known, so the ${side} price "${
      shortened(text)
    }" is not used`;
    findings.warn("no_vat_rate", message, row.place("amount"));
    return null;
  }
  const to = isOther ? { side: vat.side, ratePct: vat.ratePct ?? 0 } : null;
  const read = amountForOne(text, quantity || "1", setting, to);
  const place = row.place("amount");
  return usableAmount(read, text, { ...setting, place, zeroIsEmpty }, findings);
}

function warnOfDate(row: Values<RowName>, name: RowName, findings: RecordFindings): void {
  const place = row.place(name);
  findings.warn("invalid_date", `"${shortened(place.value ?? "")}" is not a date`, place);
}

interface TierChoice {
  readonly prices: PriceTerms;
  readonly named: string | null;
  readonly currency: string;
  readonly place: Partial<Place>;
}

const USER_DEFINED = /^UDP_/;

/**
 * Returns the row whose amount becomes our price, or null if the stored price stays
 * (docs/decisions/imports.md, "The house format").
 */
export function ourPriceRow(
  rows: readonly OpenRow[],
  tiers: readonly MentionedTier[],
  { prices, named, currency, place }: TierChoice,
  findings: RecordFindings,
): OpenRow | null {
  const key = named === null ? null : tierKey(named);
  const isOther = (tierKey: string) =>
    prices.otherTiers?.includes(tierKey) || USER_DEFINED.test(tierKey);
  const fitting = rows.filter(({ minQty, tier, ...row }) =>
    minQty <= 1 && row.currency === currency &&
    (key === null ? !isOther(tier.key) : tier.key === key)
  );
  const unnamed = prices.firstTier !== undefined
    ? fitting.find((row) => row.tier.key === "")
    : undefined;
  const first = unnamed ?? fitting[0];
  if (!first) {
    const asked = key === null ? tiers : tiers.filter((tier) => tier.key === key);
    const isMissed = named !== null || tiers.length > 0;
    if (isMissed && !asked.some((tier) => tier.hasUnreadable)) {
      const tier = named === null ? "" : ` in tier "${named}"`;
      findings.warn("no_current_price", `No current price${tier}: the stored one stays`, place);
    }
    return null;
  }
  if (unnamed || key !== null || fitting.every((row) => row.tier === first.tier)) return first;
  const outcome = prices.firstTierCounts ? `"${first.tier.name ?? ""}" is used` : "none is used";
  const message = `Several tiers have a current price and none is named: ${outcome}`;
  findings.warn("ambiguous_tier", message, place);
  return prices.firstTierCounts ? first : null;
}

/**
 * Returns the current row of each tier, currency and quantity (docs/decisions/imports.md, "Current
 * price of a tier"). Of rows with the same start date, the last row of the file is used.
 */
export function currentRows(open: readonly OpenRow[], findings: RecordFindings): OpenRow[] {
  const keyOf = ({ tier, minQty, currency }: OpenRow) => `${minQty} ${currency} ${tier.key}`;
  const groups = [...Map.groupBy(open, keyOf).values()];
  const [surplus] = groups[PRICES_MAX] ?? [];
  if (surplus) {
    const place = surplus.written.place("amount");
    findings.warnOnce("too_long", `A product has at most ${PRICES_MAX} prices`, place);
  }
  return groups.slice(0, PRICES_MAX).map((rows) => {
    const row = rows.reduce((held, later) => isBetter(later, held) ? later : held);
    if (rows.length > 1) warnOfSeveral(row, rows.length, findings);
    else if (row.isFuture) {
      const place = row.written.place("validFrom");
      findings.warn("future_valid_from", `The only open price begins on "${place.value}"`, place);
    }
    return row;
  });
}

function isBetter(later: OpenRow, held: OpenRow): boolean {
  if (later.isFuture !== held.isFuture) return held.isFuture;
  const laterFrom = later.validFrom ?? "";
  const heldFrom = held.validFrom ?? "";
  return later.isFuture ? laterFrom <= heldFrom : laterFrom >= heldFrom;
}

function warnOfSeveral(row: OpenRow, count: number, findings: RecordFindings): void {
  const tier = row.tier.name === null ? "without a tier" : `of tier "${row.tier.name}"`;
  const used = row.isFuture ? "the earliest" : "the newest that has begun";
  const message = `${count} open prices ${tier}: ${used} is used`;
  findings.warn("ambiguous_current_price", message, row.written.place("amount"));
}

export const SALE_TIER = "SALE";

export function endsSale(amount: string, zeroIsEmpty: boolean): boolean {
  return amount === "" || zeroIsEmpty && amount.includes("0") && !/[1-9]/.test(amount);
}

const CURRENCY_CODE = /^[A-Z]{3}$/;

/** Only three capital letters are read as a currency; a sign such as `$` stays in the amount. */
export function amountAndCurrency(text: string): { amount: string; currency: string | null } {
  const [, codeBefore, behind] = /^([A-Z]{3})\s*(\d.*)$/.exec(text) ?? [];
  if (codeBefore && behind) return { amount: behind, currency: codeBefore };
  const [, before, codeBehind] = /^(.*\d)\s*([A-Z]{3})$/.exec(text) ?? [];
  return before && codeBehind
    ? { amount: before, currency: codeBehind }
    : { amount: text, currency: null };
}

/** Returns the ISO 4217 code: `EUR` for `€`, `CHF` for `chf`. */
export function codeOf(text: string): string {
  if (CURRENCY_CODE.test(text)) return text;
  const codes = currencyCodes(text.trim());
  return codes?.length === 1 ? codes[0] ?? text : text.trim().toUpperCase();
}

export function datesOfRange(text: string) {
  const [from, until, more] = text.split("/");
  return from && until && more === undefined ? { from: from.trim(), until: until.trim() } : null;
}

export const AMOUNT_FIELDS = RECORD_AMOUNT_NAMES.map((name) => majorName(name));
const DIGITS = /^\d+$/;
const ZERO = /^0+$/;

export function wholePriceOf({ item, rows }: RawRecord): string | null | undefined {
  const prices: string[] = [];
  for (const row of rows) {
    const amount = row.text("amount");
    if (amount && !ZERO.test(amount)) prices.push(amount);
  }
  const others = AMOUNT_FIELDS.map((name) => item.text(name) ?? "").filter((text) => text !== "");
  const isSigned = others.some((text) => !DIGITS.test(text)) ||
    prices.some((text) => !DIGITS.test(text) || text.length < 3);
  return isSigned ? null : prices[0];
}

export function splitCurrencyFromAmount({ rows }: RawRecord): void {
  for (const row of rows) {
    const written = row.get("amount");
    if (!written || row.text("currency")) continue;
    const { amount, currency } = amountAndCurrency(written.text);
    if (currency === null) continue;
    row.delete("amount");
    row.put("amount", { ...written, text: amount });
    row.put("currency", { ...written, text: currency });
  }
}
