/** Converts the raw records of a file to patches of products, or refuses them with errors. */
import { currencyExponent, exponentOf } from "../../base/money.ts";
import { isLongerThan } from "../../base/text.ts";
import {
  majorName,
  RECORD_AMOUNT_NAMES,
  RECORD_NAMES,
  type RecordName,
} from "../../catalogue/products/product_field_table.ts";
import { shortened } from "../files/source_file.ts";
import type { PriceTerms } from "../profiles/xml_profile.ts";
import {
  createFileDates,
  type DatedSetting,
  FieldValues,
  readSoldDays,
  type RecordSetting,
  withoutControls,
} from "./field_values.ts";
import {
  type EvaluatedRecord,
  type FedField,
  type PatchRow,
  rawXml,
  type RecordFields,
  type RecordPatch,
  writtenBeside,
} from "./record_patch.ts";
import {
  byPlace,
  byText,
  currentRows,
  type MentionedTier,
  type OpenRow,
  ourPriceRow,
  readPriceRows,
  SALE_TIER,
  tierKey,
} from "./price_rows.ts";
import {
  PriceCounters,
  type RawRecord,
  readLinks,
  RecordFindings,
  type RowName,
  type RowTrouble,
  type Values,
} from "./raw_record.ts";

const VALUE_CHARS_MAX = 1_000;

function readAttributes(
  written: ReadonlyMap<string, string>,
  findings: RecordFindings,
): Record<string, string> {
  const read: [string, string][] = [];
  for (const [name, value] of written) {
    const text = withoutControls(value);
    if (!isLongerThan(text, VALUE_CHARS_MAX)) read.push([name, text]);
    else {
      const message = `The attribute "${name}" has more than ${VALUE_CHARS_MAX} characters`;
      findings.warn("too_long", message, { field: name, value });
    }
  }
  return Object.fromEntries(read.sort(([one], [other]) => one < other ? -1 : 1));
}

interface Currencies {
  readonly named: string | null;
  readonly used: string;
  readonly ofRows: string;
}

interface Given {
  readonly fields: FieldValues;
  readonly currency: Currencies;
  readonly findings: RecordFindings;
}

export class RecordEvaluator {
  readonly #setting: DatedSetting;
  readonly prices = new PriceCounters();
  #fed: Partial<Record<FedField, Values<RowName>>> = {};
  #turnsOn: string | null = null;

  constructor(setting: RecordSetting) {
    this.#setting = { ...setting, dates: createFileDates(setting.profile, setting.timeZone) };
  }

  evaluate(raw: RawRecord, index: number, troubles: readonly RowTrouble[] = []): EvaluatedRecord {
    const { file } = this.#setting;
    this.#turnsOn = null;
    const findings = new RecordFindings({ file, index, line: raw.line });
    const fields = new FieldValues(raw.item, this.#setting.profile.fields, findings);
    const byEan = this.#setting.profile.matchBy === "ean" ? eanOf(fields, findings) : undefined;
    const hasSku = raw.item.text("sku") !== null ||
      troubles.every(({ severity }) => severity === "warning");
    const sku = byEan === undefined && hasSku ? fields.sku() : null;
    findings.sku = sku;
    for (const trouble of troubles) findings.take(trouble);
    const key = byEan ? "" : sku;
    const patch = key === null ? null : this.#patch(key, raw, fields, findings);
    if (byEan && patch) delete patch.ean;
    const sold = patch === null || patch.isDeleted
      ? []
      : readSoldDays(raw, this.#setting, findings);
    this.prices.refuse(findings.list);
    const accepted = findings.isRefused ? null : patch;
    return {
      index,
      line: raw.line,
      sku,
      patch: accepted,
      findings: findings.list,
      refusedXml: accepted ? null : rawXml(raw, fields, this.#setting),
      ...(byEan && { byEan }),
      ...(this.#turnsOn !== null && { turnsOn: this.#turnsOn }),
      ...(accepted && sold.length > 0 && { sold }),
      ...(accepted && this.#setting.keepsWritten &&
        { written: writtenBeside(raw, accepted, this.#fed) }),
    };
  }

  #patch(
    sku: string,
    raw: RawRecord,
    fields: FieldValues,
    findings: RecordFindings,
  ): RecordPatch | null {
    const patch: RecordPatch = { sku };
    this.#fed = {};
    if (raw.item.text("mode")?.toLowerCase() === "delete") {
      patch.isDeleted = true;
      return patch;
    }
    for (const name of RECORD_NAMES) this.#readField(name, patch, fields);
    const currency = this.#readCurrency(raw, fields, findings);
    if (currency === null) return null;
    if (currency.named !== null) patch.currency = currency.named;
    this.#readPrices(patch, raw, { fields, currency, findings });
    if (raw.attributes.size > 0) patch.attributes = readAttributes(raw.attributes, findings);
    if (raw.links.length > 0) {
      const links = readLinks(raw.links, this.#setting.acceptsAddress, findings);
      if (links.length > 0) patch.links = links;
    }
    return patch;
  }

  #readField(name: RecordName, patch: RecordPatch, fields: FieldValues): void {
    switch (name) {
      case "title":
        return give(patch, name, fields.text(name) || undefined);
      case "category": {
        const written = fields.text(name);
        const ofFile = () => this.#setting.categories?.get(patch.sku);
        return give(patch, name, written === undefined ? ofFile() : written);
      }
      case "ean":
        return give(patch, name, fields.ean());
      case "url":
        return give(patch, name, fields.url());
      case "vatRatePct":
        return give(patch, name, fields.vatRatePct(this.#setting.profile.numberFormat));
      case "stock":
        return give(patch, name, fields.quantity(name, this.#setting.profile.numberFormat));
      case "condition":
        return give(patch, name, fields.condition());
      default:
        give(patch, name, fields.text(name));
    }
  }

  #readCurrency(raw: RawRecord, fields: FieldValues, findings: RecordFindings): Currencies | null {
    const { workspaceCurrency } = this.#setting;
    const written = fields.written("currency")?.toUpperCase();
    if (written && currencyExponent(written) === null) {
      const message = `"${shortened(written)}" is not a currency`;
      findings.refuse("invalid_currency", message, fields.place("currency"));
      return null;
    }
    const ofFile = raw.item.text("fileCurrency")?.toUpperCase() ?? "";
    const ofRows = written || ofFile;
    const named = written || (currencyExponent(ofFile) === null ? null : ofFile) ||
      currencyOfRows(raw.rows, ofRows);
    const used = named ?? workspaceCurrency;
    return { named, used, ofRows: ofRows || used };
  }

  #readPrices(patch: RecordPatch, raw: RawRecord, given: Given): void {
    const { fields, currency } = given;
    const { profile } = this.#setting;
    const exponent = profile.isMinor ? 0 : exponentOf(currency.used);
    const unit = { currency: currency.used, exponent };
    for (const name of RECORD_AMOUNT_NAMES) {
      const cents = fields.price(majorName(name), profile, unit);
      if (cents !== undefined) patch[name] = cents;
      if (typeof cents === "number") this.prices.use(fields.place(majorName(name)).field);
    }
    if (profile.prices) this.#readRows(patch, raw, profile.prices, given);
    if (hasAmounts(patch)) patch.amountsIn = currency.used;
  }

  #readRows(patch: RecordPatch, raw: RawRecord, prices: PriceTerms, given: Given): void {
    const { fields, currency: { named: namedCurrency, used: currency, ofRows }, findings } = given;
    const { vat, tier: tierOfRequest } = this.#setting;
    const { tiers, open } = readPriceRows(raw.rows, {
      ...this.#setting,
      prices,
      currency: ofRows,
      vat: { ...vat, ratePct: patch.vatRatePct ?? vat.ratePct },
      findings,
      noteTurn: (day) => {
        if (this.#turnsOn === null || day < this.#turnsOn) this.#turnsOn = day;
      },
    });
    for (const { written } of open) this.prices.use(written.place("amount").field);
    const current = currentRows(open, findings);
    const tierOfItem = fields.text("tier");
    const first = prices.firstTier;
    const hasFirst = first !== undefined && rowOfTiers(current, [first], currency) !== undefined;
    const named = tierOfItem || tierOfRequest || (hasFirst ? first : prices.defaultTier);
    const place = tierOfItem ? fields.place("tier") : {};
    const isAsked = prices.keepsTiers !== true || tiers.length > 0;
    const choice = { prices, named: isAsked ? named : null, currency, place };
    const chosen = ourPriceRow(current, tiers, choice, findings);

    const feeds: Partial<Record<FedField, string | null>> = {};
    const feed = (field: FedField, row: OpenRow | null | undefined) => {
      if (!row) return;
      patch[field] = row.amountCents;
      this.#fed[field] = row.written;
      feeds[field] = row.tier.name;
    };
    const also = (keys: readonly string[]) => rowOfTiers(current, keys, currency);
    if (typeof patch.costPriceCents !== "number") {
      feed("costPriceCents", also(prices.alsoCostPrice));
    }
    if (typeof patch.targetPriceCents !== "number") {
      feed("targetPriceCents", also(prices.alsoTargetPrice));
    }
    if (chosen && !prices.keepsTiers) patch.tier = chosen.tier.name;
    else if (tierOfItem !== undefined) patch.tier = tierOfItem;
    feed("ourPriceCents", chosen);
    if (!prices.keepsTiers) {
      const isSaleOver = chosen !== null && raw.hasEmptySale;
      const seen = isSaleOver && !tiers.some(({ key }) => key === SALE_TIER)
        ? [...tiers, { name: SALE_TIER, key: SALE_TIER, hasUnreadable: false }]
        : tiers;
      const kept = keptRows(seen, current, namedCurrency, feeds);
      if (kept) patch.prices = kept;
    }
  }
}

function keptRows(
  tiers: readonly MentionedTier[],
  current: readonly OpenRow[],
  ofRecord: string | null,
  feeds: NonNullable<RecordPatch["prices"]>["feeds"],
): RecordPatch["prices"] {
  const replaced = tiers.filter((tier) =>
    !tier.hasUnreadable || current.some((row) => row.tier === tier)
  );
  if (replaced.length === 0) return undefined;
  // The price rows are sorted, so that their order in the file does not change the patch.
  const rows = current.map((row) => patchRow(row, ofRecord)).sort(byPlace);
  return {
    tiers: replaced.map((tier) => tier.name).sort(byText),
    rows,
    ...(feeds && rows.some((row) => row.isNamed) && { feeds }),
  };
}

function eanOf(fields: FieldValues, findings: RecordFindings): string | null {
  const ean = fields.ean();
  if (ean) return ean;
  const message = "The record has no EAN, by which its product is found";
  findings.refuse("missing_sku", message, fields.place("ean"));
  return null;
}

export function give<Name extends RecordName>(
  patch: Pick<RecordFields, Name>,
  name: Name,
  value: RecordFields[Name],
): void {
  if (value !== undefined) patch[name] = value;
}

function rowOfTiers(rows: readonly OpenRow[], keys: readonly string[], currency: string) {
  if (keys.length === 0) return undefined;
  return rows.find((row) =>
    row.minQty <= 1 && row.currency === currency &&
    keys.some((key) => tierKey(key) === row.tier.key)
  );
}

function hasAmounts(patch: RecordPatch): boolean {
  return patch.ourPriceCents !== undefined ||
    RECORD_AMOUNT_NAMES.some((name) => patch[name] !== undefined);
}

function currencyOfRows(rows: readonly Values<RowName>[], otherwise: string): string | null {
  let found: string | null = null;
  for (const row of rows) {
    const written = row.text("currency")?.toUpperCase() || otherwise;
    if (written === "" || (found !== null && written !== found)) return null;
    if (currencyExponent(written) !== null) found = written;
  }
  return found;
}

function patchRow(row: OpenRow, ofRecord: string | null): PatchRow {
  const { tier, amountCents, currency, minQty, validFrom } = row;
  const price = { tier: tier.name, amountCents, currency, minQty, validFrom };
  return ofRecord === null && row.written.text("currency") ? { ...price, isNamed: true } : price;
}
