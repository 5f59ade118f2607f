import { currencyExponent } from "../../base/currency.ts";
import { RECORD_NAMES, type RecordName } from "../../catalogue/products/product_field_table.ts";
import { shortened } from "../findings/finding.ts";
import type {
  EvaluatedRecord,
  FedField,
  PatchRow,
  RecordFields,
  RecordPatch,
} from "./record_patch.ts";
import type { ImportProfile } from "../profiles/profile.ts";
import { FILE_CURRENCY_SLOT, MODE_SLOT, ROW_SLOTS } from "./compiled_profile.ts";
import { currentRows } from "./current_price.ts";
import { FieldValues } from "./field_values.ts";
import { FileDates } from "./file_date.ts";
import { ourPriceRow } from "./our_price.ts";
import { type OpenRow, readPriceRows, tierKey } from "./price_rows.ts";
import type { FramePool, RawRecord } from "./raw_record.ts";
import { RecordFindings } from "./record_findings.ts";
import { rawXml } from "./house_xml.ts";
import { readLinks, type WebAddresses } from "./record_links.ts";

const TITLE_CHARS_MAX = 500;
const NAME_CHARS_MAX = 200;
const TIER_CHARS_MAX = 64;

/** What a file alone cannot say. */
export interface RecordSetting {
  readonly profile: ImportProfile;
  /** Name of the file, for findings. */
  readonly file: string;
  /** The tier that the request names; null when none. */
  readonly tier: string | null;
  /** For records that name no currency. */
  readonly workspaceCurrency: string;
  readonly timeZone: string;
  /** The day in that zone, `2026-11-20`. */
  readonly today: string;
  readonly addresses: WebAddresses;
  /** Names of the categories that the file puts products in, by SKU. */
  readonly categories: ReadonlyMap<string, string> | null;
}

type Prices = NonNullable<ImportProfile["prices"]>;

interface Currencies {
  /** What the record names, or its file, or all its rows in unison. */
  readonly named: string | null;
  /** What the amounts of the patch are in. */
  readonly used: string;
  /** What rows are in that name none; perhaps no currency at all. */
  readonly ofRows: string;
}

interface Given {
  readonly fields: FieldValues;
  readonly currency: Currencies;
  readonly findings: RecordFindings;
}

/** Judges the records of one file: pure, the same record gives the same patch on the same day. */
export class RecordEvaluator {
  readonly #setting: RecordSetting;
  readonly #dates: FileDates;

  constructor(setting: RecordSetting) {
    this.#setting = setting;
    this.#dates = new FileDates(setting.profile, setting.timeZone);
  }

  evaluate(raw: RawRecord, index: number): EvaluatedRecord {
    const findings = new RecordFindings(this.#setting.file, index, raw.line);
    const fields = new FieldValues(raw.item, this.#setting.profile.fields, findings);
    const sku = fields.sku();
    if (sku !== null) findings.sku = sku;
    const patch = sku === null ? null : this.#patch(sku, raw, fields, findings);
    const accepted = findings.isRefused ? null : patch;
    const { profile, today, workspaceCurrency } = this.#setting;
    const refusedXml = accepted === null
      ? rawXml(raw, { fields, profile, dates: this.#dates, today, workspaceCurrency })
      : null;
    return { index, line: raw.line, sku, patch: accepted, findings: findings.list, refusedXml };
  }

  #patch(
    sku: string,
    raw: RawRecord,
    fields: FieldValues,
    findings: RecordFindings,
  ): RecordPatch | null {
    const patch: RecordPatch = { sku };
    if (raw.item.values[MODE_SLOT]?.toLowerCase() === "delete") {
      patch.isDeleted = true;
      return patch;
    }
    this.#readTexts(patch, fields);
    const currency = this.#readCurrency(raw, fields, findings);
    if (currency === null) return null;
    if (currency.named !== null) patch.currency = currency.named;
    this.#readPrices(patch, raw, { fields, currency, findings });
    if (raw.links.count > 0) {
      const links = readLinks(raw.links, this.#setting.addresses, findings);
      if (links.length > 0) patch.links = links;
    }
    return patch;
  }

  #readTexts(patch: RecordPatch, fields: FieldValues): void {
    for (const name of RECORD_NAMES) this.#readField(name, patch, fields);
  }

  /** Fields with a reading of their own, then plain texts. */
  #readField(name: RecordName, patch: RecordPatch, fields: FieldValues): void {
    switch (name) {
      case "title":
        return give(patch, name, fields.text(name, TITLE_CHARS_MAX) || undefined);
      case "category": {
        const written = fields.text(name, NAME_CHARS_MAX);
        const ofFile = () => this.#setting.categories?.get(patch.sku);
        return give(patch, name, written === undefined ? ofFile() : written);
      }
      case "ean":
        return give(patch, name, fields.ean());
      case "url":
        return give(patch, name, fields.url());
      case "vatRatePct":
        return give(patch, name, fields.vatRatePct(this.#setting.profile.numberFormat));
      default:
        give(patch, name, fields.text(name, NAME_CHARS_MAX));
    }
  }

  /** Null when the record names a currency that cannot be read, which refuses it. */
  #readCurrency(
    raw: RawRecord,
    fields: FieldValues,
    findings: RecordFindings,
  ): Currencies | null {
    const { workspaceCurrency } = this.#setting;
    const written = fields.written("currency")?.toUpperCase();
    if (written && currencyExponent(written) === null) {
      const message = `"${shortened(written)}" is not a currency`;
      findings.refuse("invalid_currency", message, fields.place("currency"));
      return null;
    }
    const ofFile = raw.item.values[FILE_CURRENCY_SLOT]?.toUpperCase() ?? "";
    const ofRows = written || ofFile;
    const named = written || (currencyExponent(ofFile) === null ? null : ofFile) ||
      currencyOfRows(raw.rows, ofRows);
    const used = named ?? workspaceCurrency;
    return { named, used, ofRows: ofRows || used };
  }

  #readPrices(patch: RecordPatch, raw: RawRecord, given: Given): void {
    const { fields, currency } = given;
    const { profile } = this.#setting;
    const unit = { currency: currency.used, exponent: currencyExponent(currency.used) ?? 2 };
    const cost = fields.price("costPrice", profile, unit);
    const target = fields.price("targetPrice", profile, unit);
    if (cost !== undefined) patch.costPriceCents = cost;
    if (target !== undefined) patch.targetPriceCents = target;
    if (profile.prices) this.#readRows(patch, raw, profile.prices, given);
    if (hasAmounts(patch)) patch.amountsIn = currency.used;
  }

  #readRows(patch: RecordPatch, raw: RawRecord, prices: Prices, given: Given): void {
    const { fields, currency: { named: namedCurrency, used: currency, ofRows }, findings } = given;
    const { profile, today, tier: tierOfRequest } = this.#setting;
    const { tiers, open } = readPriceRows(raw.rows, {
      prices,
      numberFormat: profile.numberFormat,
      zeroIsEmpty: profile.zeroIsEmpty,
      dates: this.#dates,
      today,
      currency: ofRows,
    }, findings);
    const current = currentRows(open, findings);
    const tierOfItem = fields.text("tier", TIER_CHARS_MAX);
    const named = tierOfItem || tierOfRequest || prices.defaultTier;
    const place = tierOfItem ? fields.place("tier") : {};
    const { firstTierCounts } = prices;
    const choice = { named, firstTierCounts, currency, place };
    const chosen = ourPriceRow(current, tiers, choice, findings);

    const feeds: Partial<Record<FedField, string | null>> = {};
    const feed = (field: FedField, row: OpenRow | null | undefined) => {
      if (!row) return;
      patch[field] = row.amountCents;
      feeds[field] = row.tier.name;
    };
    const also = (keys: readonly string[]) => rowOfTiers(current, keys, currency);
    if (typeof patch.costPriceCents !== "number") {
      feed("costPriceCents", also(prices.alsoCostPrice));
    }
    if (typeof patch.targetPriceCents !== "number") {
      feed("targetPriceCents", also(prices.alsoTargetPrice));
    }
    if (chosen) patch.tier = chosen.tier.name;
    else if (tierOfItem !== undefined) patch.tier = tierOfItem;
    feed("ourPriceCents", chosen);
    if (tiers.length === 0) return;
    const replaced = tiers.filter((tier) =>
      !tier.hasUnreadable || current.some((row) => row.tier === tier)
    );
    if (replaced.length === 0) return;
    const rows = current.map((row) => patchRow(row, namedCurrency)).sort(byPlace);
    patch.prices = {
      tiers: replaced.map((tier) => tier.name).sort(byText),
      rows,
      ...(rows.some((row) => row.isNamed) ? { feeds } : {}),
    };
  }
}

/** What a record does not say stays out of its patch. */
function give<Name extends RecordName>(
  patch: Pick<RecordFields, Name>,
  name: Name,
  value: RecordFields[Name],
): void {
  if (value !== undefined) patch[name] = value;
}

/** The current row for one piece in one of these tiers. */
function rowOfTiers(rows: readonly OpenRow[], keys: readonly string[], currency: string) {
  if (keys.length === 0) return undefined;
  return rows.find((row) =>
    row.minQty <= 1 && row.currency === currency &&
    keys.some((key) => tierKey(key) === row.tier.key)
  );
}

function hasAmounts(patch: RecordPatch): boolean {
  return patch.costPriceCents !== undefined || patch.targetPriceCents !== undefined ||
    patch.ourPriceCents !== undefined;
}

/** The one currency that the rows name in unison; null when they name several, or one names none. */
function currencyOfRows(rows: FramePool, otherwise: string): string | null {
  let found: string | null = null;
  for (let index = 0; index < rows.count; index++) {
    const written = rows.at(index).values[ROW_SLOTS.currency]?.toUpperCase() || otherwise;
    if (written === "" || (found !== null && written !== found)) return null;
    if (currencyExponent(written) !== null) found = written;
  }
  return found;
}

function patchRow(row: OpenRow, ofRecord: string | null): PatchRow {
  const { tier, amountCents, currency, minQty, validFrom, frame } = row;
  const price = { tier: tier.name, amountCents, currency, minQty, validFrom };
  return ofRecord === null && frame.values[ROW_SLOTS.currency]
    ? { ...price, isNamed: true }
    : price;
}

/** The order of rows in a file means nothing, so that it must not make another patch. */
function byPlace(one: PatchRow, other: PatchRow): number {
  return byText(one.tier, other.tier) || byText(one.currency, other.currency) ||
    (one.minQty ?? 1) - (other.minQty ?? 1);
}

function byText(one: string | null, other: string | null): number {
  const left = one ?? "";
  const right = other ?? "";
  return left < right ? -1 : left > right ? 1 : 0;
}
