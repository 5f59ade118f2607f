/** Collects the texts of a record before their evaluation, and the record's errors and warnings. */
import { memoize, sumOf } from "../../base/collections.ts";
import { readFlag } from "../../base/german_values.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import type { FileLink } from "../../shops/matches/link_plan.ts";
import { MATCHES_PER_PRODUCT_MAX } from "../../shops/matches/match.ts";
import { parseMatchUrl } from "../../shops/domain.ts";
import {
  FileError,
  type Finding,
  type FindingCode,
  findingOf,
  shortened,
} from "../files/source_file.ts";
import { type LINK_PATHS, type PRICE_PATHS, PRICES_REFUSED } from "../choices.ts";
import type { FieldName } from "../profiles/xml_profile.ts";

export interface Place {
  readonly line: number;
  readonly field: string | null;
  readonly value: string | null;
}

export interface RowTrouble extends Pick<Finding, "severity" | "code" | "message"> {
  readonly place: Partial<Place>;
}

export class RecordFindings {
  readonly list: Finding[] = [];
  isRefused = false;
  sku: string | null = null;

  constructor(readonly place: Pick<Finding, "file" | "index" | "line">) {}

  take({ severity, code, message, place }: RowTrouble): void {
    if (severity === "error") this.isRefused = true;
    // A single record must not fill the import's list of errors and warnings.
    else if (this.list.length >= 200) return;
    const { place: ofRecord, sku } = this;
    this.list.push(findingOf(severity, code, message, { ...ofRecord, sku, ...place }));
  }

  warn(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    this.take({ severity: "warning", code, message, place });
  }

  warnOnce(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    if (!this.list.some((finding) => finding.code === code)) this.warn(code, message, place);
  }

  refuse(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    this.take({ severity: "error", code, message, place });
  }
}

export interface Value {
  readonly text: string;
  readonly line: number;
  readonly source: string;
  /** Of an XML field's alternative paths, the non-empty value with the lowest rank is used. */
  readonly rank?: number;
}

export function placeOf({ line, source: field, text: value }: Value): Place {
  return { line, field, value };
}

export class Values<Name extends string> {
  readonly #values = new Map<Name, Value>();

  get(name: Name): Value | undefined {
    return this.#values.get(name);
  }

  text(name: Name): string | null {
    return this.#values.get(name)?.text ?? null;
  }

  place(name: Name): Partial<Place> {
    const value = this.#values.get(name);
    return value ? placeOf(value) : {};
  }

  put(name: Name, value: Value): void {
    const held = this.#values.get(name);
    if (held && (value.text === "" || (held.text !== "" && rankOf(value) >= rankOf(held)))) return;
    this.#values.set(name, value);
  }

  delete(name: Name): void {
    this.#values.delete(name);
  }

  inherit(other: Values<Name>): void {
    for (const [name, { rank: _, ...value }] of other.#values) {
      if (!this.text(name)) this.#values.set(name, value);
    }
  }

  only(...names: readonly Name[]): Values<Name> {
    const chosen = new Values<Name>();
    for (const name of names) {
      const value = this.#values.get(name);
      if (value) chosen.put(name, value);
    }
    return chosen;
  }
}

function rankOf({ rank = 0 }: Value): number {
  return rank;
}

/**
 * `mode` is the field whose value can mark the product for deletion. `fileCurrency` is the currency
 * of prices that name no currency.
 */
export type ItemName = FieldName | "mode" | "fileCurrency";

/** `side` tells whether VAT is included; by default, the setting `pricesIncludeVat` decides. */
export type RowName = "amount" | (typeof PRICE_PATHS.optional)[number] | "side";

export type LinkName = "url" | (typeof LINK_PATHS.optional)[number];

const DAYS_MAX = 10_000;

export class RawRecord {
  readonly item = new Values<ItemName>();
  readonly rows: Values<RowName>[] = [];
  readonly links: Values<LinkName>[] = [];
  readonly attributes = new Map<string, string>();
  /** True if the record's sale price is empty, or 0 with `zeroIsEmpty`; this ends the sale. */
  hasEmptySale = false;
  /** Units sold per day, if `absorb` has merged several rows or XML elements; null before. */
  #sold: Values<ItemName>[] | null = null;

  constructor(readonly line: number) {}

  get hasAmount(): boolean {
    return this.rows.some((row) => row.text("amount"));
  }

  get sold(): readonly Values<ItemName>[] {
    const { item } = this;
    const isSold = item.text("units") !== null || item.text("unitsDate") !== null;
    return this.#sold ?? (isSold ? [item.only("units", "unitsDate")] : []);
  }

  absorb(other: RawRecord): void {
    // Keeps each date with the units of its row or XML element, because `inherit` would mix them.
    this.#sold ??= [...this.sold];
    if (this.#sold.length + other.sold.length <= DAYS_MAX) this.#sold.push(...other.sold);
    this.item.inherit(other.item);
    this.rows.push(...other.rows);
    this.hasEmptySale ||= other.hasEmptySale;
    this.links.push(...other.links);
    for (const [name, value] of other.attributes) {
      if (!this.attributes.has(name)) this.attributes.set(name, value);
    }
  }
}

const SIMPLE_URL_CHARS_MAX = 2_048;

/** If a URL matches this pattern, only its host needs to be checked. */
const SIMPLE_URL =
  /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/i;

export function createAddressCheck(allowed: AddressAllowList): (text: string) => boolean {
  const accepts = (text: string) => "target" in parseMatchUrl(text, allowed);
  const acceptsHost = memoize((host) => accepts(`https://${host}`), SIMPLE_URL_CHARS_MAX);
  return (text) => {
    const host = text.length <= SIMPLE_URL_CHARS_MAX ? SIMPLE_URL.exec(text)?.[1] : undefined;
    return host === undefined ? accepts(text) : acceptsHost(host);
  };
}

export function readLinks(
  links: readonly Values<LinkName>[],
  accepts: (address: string) => boolean,
  findings: RecordFindings,
): FileLink[] {
  const found: FileLink[] = [];
  for (const link of links) {
    const url = link.text("url") ?? "";
    if (!accepts(url)) {
      const message = `"${shortened(url)}" is not a public web address`;
      findings.warn("invalid_url", message, link.place("url"));
    } else if (found.length === MATCHES_PER_PRODUCT_MAX) {
      const message = `A product has at most ${MATCHES_PER_PRODUCT_MAX} links`;
      findings.warnOnce("too_long", message, link.place("url"));
    } else {
      found.push(linkOf(link, url));
    }
  }
  return found;
}

function linkOf(link: Values<LinkName>, url: string): FileLink {
  const enabled = link.text("enabled");
  return {
    url,
    name: link.text("name")?.slice(0, 200) || null,
    domain: link.text("domain")?.toLowerCase() || null,
    enabled: enabled === null || readFlag(enabled) !== false,
  };
}

const REMEDIES: Readonly<Partial<Record<FindingCode, string>>> = {
  no_vat_rate: "Set the rate of VAT of the workspace",
  invalid_currency: "Export the column in the currency of the workspace",
};

export class PriceCounters {
  readonly #used = new Set<string>();
  /** For each column, the first refused price of each reason, and the number of refused prices. */
  readonly #refused = new Map<string, Map<string, { readonly first: Finding; count: number }>>();

  use(column: string | null | undefined): void {
    if (column) this.#used.add(column);
  }

  refuse(findings: readonly Finding[]): void {
    for (const first of findings) {
      const { severity, code, field } = first;
      if (severity !== "warning" || !field || REMEDIES[code] === undefined) continue;
      const byCode = this.#refused.getOrInsertComputed(field, () => new Map());
      byCode.getOrInsert(code, { first, count: 0 }).count++;
    }
  }

  check(): void {
    for (const [field, byCode] of this.#refused) {
      const reasons = [...byCode.values()];
      const [reason] = reasons;
      if (!reason || this.#used.has(field)) continue;
      const { line, value } = reason.first;
      const total = sumOf(reasons, ({ count }) => count);
      const told = reasons.map(({ first, count }) => `${first.message} (${count} of ${total})`);
      const remedies = reasons.map(({ first }) => REMEDIES[first.code]);
      throw new FileError(
        PRICES_REFUSED,
        `None of the prices in "${field}" can be used. ${told.join(". ")}. Nothing was imported. ` +
          `${remedies.join(". ")}, or send the file with ` +
          "allowNoPrices=true, which imports all but these prices",
        { line, field, ...(value === null ? {} : { value }) },
      );
    }
  }
}
