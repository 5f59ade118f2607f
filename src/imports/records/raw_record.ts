/** A record before its evaluation, and its findings. */
import { memoize } from "../../base/collections.ts";
import { readFlag } from "../../base/german_values.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
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
import { PRICES_REFUSED } from "../choices.ts";
import {
  FIELD_SLOTS,
  FRAME,
  ITEM_SLOTS,
  LINK_SLOT_COUNT,
  LINK_SLOTS,
  ROW_SLOT_COUNT,
  ROW_SLOTS,
} from "./compiled_profile.ts";

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
  readonly #file: string;
  readonly #index: number;
  readonly #line: number;
  #sku: string | null = null;

  constructor(file: string, index: number, line: number) {
    this.#file = file;
    this.#index = index;
    this.#line = line;
  }

  set sku(sku: string) {
    this.#sku = sku;
  }

  take({ severity, code, message, place }: RowTrouble): void {
    if (severity === "error") this.refuse(code, message, place);
    else this.warn(code, message, place);
  }

  warn(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    this.#add("warning", code, message, place);
  }

  /** Warns only once per code and record. */
  warnOnce(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    if (!this.list.some((finding) => finding.code === code)) this.warn(code, message, place);
  }

  refuse(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    this.isRefused = true;
    this.#add("error", code, message, place);
  }

  #add(
    severity: Finding["severity"],
    code: FindingCode,
    message: string,
    { line = this.#line, field, value }: Partial<Place>,
  ): void {
    // One record must not fill the report.
    if (this.list.length >= 200 && severity === "warning") return;
    const place = { index: this.#index, file: this.#file, line, sku: this.#sku, field, value };
    this.list.push(findingOf(severity, code, message, place));
  }
}

export function placeOf(frame: Frame, slot: number): Place {
  return {
    line: frame.lines[slot] ?? 0,
    field: frame.names[slot] ?? null,
    value: frame.values[slot] ?? null,
  };
}

/** Values by slot, each with the line and name of its source. */
export class Frame {
  readonly values: (string | null)[];
  readonly lines: number[];
  readonly names: string[];
  readonly #ranks: number[];

  constructor(slots: number) {
    this.values = new Array<string | null>(slots).fill(null);
    this.lines = new Array<number>(slots).fill(0);
    this.names = new Array<string>(slots).fill("");
    this.#ranks = new Array<number>(slots).fill(0);
  }

  clear(): void {
    this.values.fill(null);
  }

  /** A non-empty value has precedence, then the lower rank, then the earlier value. */
  put(slot: number, rank: number, value: string, line: number, name: string): void {
    const held = this.values[slot] ?? null;
    if (held !== null && (value === "" || (held !== "" && rank >= (this.#ranks[slot] ?? 0)))) {
      return;
    }
    this.values[slot] = value;
    this.#ranks[slot] = rank;
    this.lines[slot] = line;
    this.names[slot] = name;
  }

  inherit(other: Frame): void {
    for (let slot = 0; slot < this.values.length; slot++) {
      const value = other.values[slot] ?? null;
      if (value === null || this.values[slot] !== null) continue;
      this.put(slot, 0, value, other.lines[slot] ?? 0, other.names[slot] ?? "");
    }
  }
}

/** Reuses frames, because creating frames is slow. */
export class FramePool {
  count = 0;
  readonly #frames: Frame[] = [];
  readonly #slots: number;

  constructor(slots: number) {
    this.#slots = slots;
  }

  get taken(): Frame[] {
    return this.#frames.slice(0, this.count);
  }

  /** The caller must increase `count` to keep the frame. */
  next(): Frame {
    const frame = this.#frames[this.count] ?? this.#grow();
    frame.clear();
    return frame;
  }

  absorb(other: FramePool): void {
    for (const [index, frame] of other.taken.entries()) {
      other.#frames[index] = this.next();
      this.#frames[this.count] = frame;
      this.count += 1;
    }
  }

  #grow(): Frame {
    const frame = new Frame(this.#slots);
    this.#frames.push(frame);
    return frame;
  }
}

/** Days of sales beyond this number are ignored. */
const DAYS_MAX = 10_000;
const SOLD_SLOTS = [FIELD_SLOTS.units, FIELD_SLOTS.unitsDate];

/** One item of a file, valid only until the next item is read. */
export class RawRecord {
  line = 0;
  readonly item = new Frame(ITEM_SLOTS);
  readonly rows = new FramePool(ROW_SLOT_COUNT);
  readonly links = new FramePool(LINK_SLOT_COUNT);
  /** One frame per merged item. `gatherSold` fills the pool. */
  readonly sold = new FramePool(ITEM_SLOTS);
  /** By name. Only tables have attributes. */
  readonly attributes = new Map<string, string>();
  #isSoldGathered = false;

  begin(line: number): void {
    this.line = line;
    this.attributes.clear();
    this.item.clear();
    this.rows.count = 0;
    this.links.count = 0;
    this.sold.count = 0;
    this.#isSoldGathered = false;
  }

  get hasAmount(): boolean {
    return this.rows.taken.some(({ values }) => values[ROW_SLOTS.amount]);
  }

  gatherSold(): void {
    if (this.#isSoldGathered) return;
    this.#isSoldGathered = true;
    const { values, lines, names } = this.item;
    if (SOLD_SLOTS.every((slot) => values[slot] === null)) return;
    const frame = this.sold.next();
    for (const slot of SOLD_SLOTS) {
      const value = values[slot] ?? null;
      if (value !== null) frame.put(slot, 0, value, lines[slot] ?? 0, names[slot] ?? "");
    }
    this.sold.count += 1;
  }

  absorb(other: RawRecord): void {
    // A day and its units must come from the same item.
    this.gatherSold();
    other.gatherSold();
    if (this.sold.count + other.sold.count <= DAYS_MAX) this.sold.absorb(other.sold);
    this.item.inherit(other.item);
    this.rows.absorb(other.rows);
    this.links.absorb(other.links);
    for (const [name, value] of other.attributes) {
      if (!this.attributes.has(name)) this.attributes.set(name, value);
    }
  }
}

export function newFrames(): Frame[] {
  const frames = new Array<Frame>(Object.keys(FRAME).length);
  frames[FRAME.context] = new Frame(ITEM_SLOTS);
  frames[FRAME.block] = new Frame(ROW_SLOT_COUNT);
  frames[FRAME.itemRow] = new Frame(ROW_SLOT_COUNT);
  frames[FRAME.group] = new Frame(2);
  frames[FRAME.member] = new Frame(2);
  return frames;
}

const PLAIN_CHARS_MAX = 2_048;

/** ASCII URL with a simple host name. Only its host needs validation. */
const PLAIN = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/i;

export function createAddressCheck(allowed: AddressAllowList): (text: string) => boolean {
  const accepts = (text: string) => "target" in parseMatchUrl(text, allowed);
  const acceptsHost = memoize((host) => accepts(`https://${host}`), PLAIN_CHARS_MAX);
  return (text) => {
    const host = text.length <= PLAIN_CHARS_MAX ? PLAIN.exec(text)?.[1] : undefined;
    return host === undefined ? accepts(text) : acceptsHost(host);
  };
}

/** An invalid URL causes a warning and drops only that link. */
export function readLinks(
  links: FramePool,
  accepts: (address: string) => boolean,
  findings: RecordFindings,
): FileLink[] {
  const found: FileLink[] = [];
  for (const frame of links.taken) {
    const url = frame.values[LINK_SLOTS.url] ?? "";
    if (!accepts(url)) {
      const message = `"${shortened(url)}" is not a public web address`;
      findings.warn("invalid_url", message, placeOf(frame, LINK_SLOTS.url));
    } else if (found.length === MATCHES_PER_PRODUCT_MAX) {
      const message = `A product has at most ${MATCHES_PER_PRODUCT_MAX} links`;
      findings.warnOnce("too_long", message, placeOf(frame, LINK_SLOTS.url));
    } else {
      found.push(linkOf(frame, url));
    }
  }
  return found;
}

function linkOf(frame: Frame, url: string): FileLink {
  const enabled = frame.values[LINK_SLOTS.enabled] ?? null;
  return {
    url,
    name: frame.values[LINK_SLOTS.name]?.slice(0, 200) || null,
    domain: frame.values[LINK_SLOTS.domain]?.toLowerCase() || null,
    enabled: enabled === null || readFlag(enabled) !== false,
  };
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

export class PriceCounters {
  readonly #columns = new Map<string, Column>();

  use(column: string | null | undefined): void {
    if (column) this.#columnOf(column).used++;
  }

  refuse(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { severity, code, field } = finding;
      if (severity !== "warning" || !field || REMEDIES[code] === undefined) continue;
      const column = this.#columnOf(field);
      column.refused++;
      column.first ??= finding;
    }
  }

  /** Throws if no price of a column can be used. */
  check(): void {
    for (const [field, { used, refused, first }] of this.#columns) {
      if (used > 0 || first === null) continue;
      const { code, line, message, value } = first;
      throw new FileError(
        PRICES_REFUSED,
        `None of the prices in "${field}" can be used (${refused} of ${refused}). ` +
          `${message}. Nothing was imported. ${REMEDIES[code] ?? ""}, or send the file with ` +
          "allowNoPrices=true, which imports all but these prices",
        { line, field, ...(value === null ? {} : { value }) },
      );
    }
  }

  #columnOf(name: string): Column {
    const known = this.#columns.get(name);
    if (known) return known;
    const column = { used: 0, refused: 0, first: null };
    this.#columns.set(name, column);
    return column;
  }
}
