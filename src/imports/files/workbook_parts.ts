/**
 * Reads the files of a workbook other than its rows: the list of sheets, the shared texts and the
 * cell formats (ECMA-376, part 1).
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { withoutAtEnd } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import type { XmlSink } from "../../engine/xml/reader.ts";
import { numberText, TABLE_LIMITS } from "./table_row.ts";
import { FileError } from "./source_file.ts";

export type CellFormat =
  | { readonly kind: "general" }
  | { readonly kind: "date" }
  | { readonly kind: "number"; readonly decimals: number; readonly digits: number }
  | { readonly kind: "percent"; readonly decimals: number };

export const GENERAL: CellFormat = { kind: "general" };
const SIGNIFICANT_DIGITS = 15;
/**
 * `EPOCH_1900_MS` is a day before Excel's documented start, because Excel treats 1900 as a leap
 * year.
 */
const EPOCH_1900_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
const DAYS_MAX = 2_958_465;

const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
};
const BUILT_IN_DATE_FORMATS = [[14, 22], [27, 36], [45, 47], [50, 58]] as const;

function cellFormat(id: number, codes: ReadonlyMap<number, string>): CellFormat {
  const code = codes.get(id) ?? BUILT_IN[id];
  if (code !== undefined) return formatOfCode(code);
  return BUILT_IN_DATE_FORMATS.some(([from, to]) => id >= from && id <= to)
    ? { kind: "date" }
    : GENERAL;
}

function formatOfCode(code: string): CellFormat {
  const [positive = ""] = code.split(";");
  const bare = positive.replace(LITERALS, "");
  if (/[ymdhs]/i.test(bare)) return { kind: "date" };
  const number = /([#0?,]*)(?:\.([#0?]+))?/.exec(bare.replace(/^[^#0?.]+/, ""));
  const [, whole = "", part = ""] = number ?? [];
  if (whole === "" && part === "") return GENERAL;
  const decimals = part.length;
  if (bare.includes("%")) return { kind: "percent", decimals };
  return { kind: "number", decimals, digits: (whole.match(/0/g) ?? []).length };
}

/** Matches texts in quotes or brackets, and a backslash, `_` or `*` with its next character. */
const LITERALS = /"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|[\\_*][^]?/g;

function withoutZeros(text: string): string {
  return withoutAtEnd(text, /0/).replace(/\.$/, "");
}

/**
 * Returns null if the cell is not a number, or no possible date. A date becomes `2026-11-20`, or
 * `2026-11-20 06:00:00` if it has a time.
 */
export function serialiseNumber(
  written: string,
  format: CellFormat,
  is1904: boolean,
): string | null {
  const value = Number(written);
  if (written.trim() === "" || !Number.isFinite(value)) return null;
  if (format.kind === "date") return shownDate(value, is1904);
  if (format.kind === "percent") {
    const percent = plainDecimal(Number((value * 100).toPrecision(SIGNIFICANT_DIGITS)));
    const shown = rounded(percent, format.decimals);
    return `${shown.includes(".") ? withoutZeros(shown) : shown}%`;
  }
  const exact = plainDecimal(value);
  if (Math.abs(value) >= 1e15) return value.toExponential();
  if (format.kind === "general") return numberText(exact);
  const text = rounded(exact, format.decimals);
  const isNegative = text.startsWith("-");
  const [whole = "", part] = text.replace("-", "").split(".");
  const padded = whole.padStart(Math.max(1, format.digits), "0");
  return numberText(`${isNegative ? "-" : ""}${padded}${part === undefined ? "" : `.${part}`}`);
}

/** Rounds to 15 digits as Excel does: 3.0999999999999996 becomes 3.1. */
function plainDecimal(value: number): string {
  const text = value.toPrecision(SIGNIFICANT_DIGITS);
  if (!text.includes("e")) return text.includes(".") ? withoutZeros(text) : text;
  const [mantissa = "0", exponent = "0"] = text.split("e");
  const isNegative = mantissa.startsWith("-");
  const digits = mantissa.replace(/[-.]/g, "");
  const shift = Number(exponent);
  const whole = shift >= 0
    ? digits.padEnd(shift + 1, "0")
    : withoutZeros(`0.${"0".repeat(-shift - 1)}${digits}`);
  return `${isNegative ? "-" : ""}${whole}`;
}

function rounded(text: string, decimals: number): string {
  const isNegative = text.startsWith("-");
  const [whole = "0", part = ""] = text.replace("-", "").split(".");
  const kept = part.slice(0, decimals).padEnd(decimals, "0");
  const isUp = Number(part[decimals] ?? "0") >= 5;
  const scaled = (BigInt(whole + kept) + (isUp ? 1n : 0n)).toString().padStart(decimals + 1, "0");
  const at = scaled.length - decimals;
  const shown = decimals === 0 ? scaled : `${scaled.slice(0, at)}.${scaled.slice(at)}`;
  return isNegative && /[1-9]/.test(shown) ? `-${shown}` : shown;
}

function shownDate(days: number, is1904: boolean): string | null {
  if (days < 0 || days > DAYS_MAX) return null;
  const isBeforeFalseLeapDay = !is1904 && days < 60;
  const epoch = is1904 ? EPOCH_1904_MS : EPOCH_1900_MS;
  const whole = Math.floor(days);
  const seconds = Math.round((days - whole) * 86_400);
  const date = new Date(
    epoch + (whole + (isBeforeFalseLeapDay ? 1 : 0)) * DAY_MS + seconds * 1_000,
  );
  const [day = "", time = ""] = date.toISOString().split("T");
  return seconds === 0 ? day : `${day} ${time.slice(0, 8)}`;
}

export class SharedTexts implements XmlSink {
  count = 0;
  readonly #bytesMax: number;
  #bytes = new Uint8Array(65_536);
  #filled = 0;
  #ends = new Uint32Array(1_024);
  #text = "";
  #isText = false;
  readonly #open: string[] = [];

  constructor(bytesMax: number = TABLE_LIMITS.sharedTextBytes) {
    this.#bytesMax = bytesMax;
  }

  open(name: string): void {
    const part = localName(name);
    if (part === "si") this.#text = "";
    this.#isText = part === "t";
    this.#open.push(part);
  }

  text(piece: string): void {
    if (this.#isText && this.#text.length <= TABLE_LIMITS.cellChars) this.#text += piece;
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "t") this.#isText = false;
    if (part === "si") this.#add(this.#text);
  }

  at(index: number): string | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return null;
    const start = index === 0 ? 0 : this.#ends[index - 1];
    return decoder.decode(this.#bytes.subarray(start, this.#ends[index]));
  }

  #add(text: string): void {
    const { sharedTexts } = TABLE_LIMITS;
    if (this.count >= sharedTexts || this.#filled > this.#bytesMax) {
      const message = `The cells of a workbook share at most ${sharedTexts} texts of ` +
        `${this.#bytesMax} bytes together`;
      throw new FileError("too_large", message);
    }
    const needed = this.#filled + text.length * 3;
    if (needed > this.#bytes.length) {
      const size = Math.max(needed, Math.min(needed * 2, this.#bytesMax));
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(size));
    }
    this.#filled += encoder.encodeInto(text, this.#bytes.subarray(this.#filled)).written;
    if (this.count === this.#ends.length) {
      this.#ends = new Uint32Array(this.#ends.buffer.transfer(this.#ends.byteLength * 2));
    }
    this.#ends[this.count++] = this.#filled;
  }
}

const FORMATS_MAX = 65_536;
const SHEETS_MAX = 1_000;

export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

type Attributes = Readonly<Record<string, string>>;

function attributeOf(attributes: Attributes, wanted: string): string | null {
  const found = Object.keys(attributes).find((name) => localName(name) === wanted);
  return found === undefined ? null : attributes[found] ?? null;
}

interface SheetEntry {
  readonly name: string;
  readonly relation: string;
  readonly isHidden: boolean;
}

export class WorkbookSink implements XmlSink {
  readonly sheets: SheetEntry[] = [];
  is1904 = false;

  open(name: string, attributes: Attributes): void {
    const part = localName(name);
    if (part === "workbookPr") {
      this.is1904 = ["1", "true"].includes(attributeOf(attributes, "date1904") ?? "");
    }
    if (part !== "sheet" || this.sheets.length === SHEETS_MAX) return;
    const relation = attributeOf(attributes, "id") ?? "";
    const isHidden = /hidden/i.test(attributeOf(attributes, "state") ?? "");
    this.sheets.push({ name: attributeOf(attributes, "name") ?? "", relation, isHidden });
  }
  text(): void {}
  close(): void {}
}

export class RelationSink implements XmlSink {
  readonly targets = new Map<string, { readonly type: string; readonly path: string }>();

  open(name: string, attributes: Attributes): void {
    if (localName(name) !== "Relationship" || this.targets.size > SHEETS_MAX) return;
    if (attributeOf(attributes, "TargetMode") === "External") return;
    const id = attributeOf(attributes, "Id") ?? "";
    const type = (attributeOf(attributes, "Type") ?? "").split("/").at(-1) ?? "";
    this.targets.set(id, { type, path: attributeOf(attributes, "Target") ?? "" });
  }
  text(): void {}
  close(): void {}
}

export class StyleSink implements XmlSink {
  readonly formats: CellFormat[] = [];
  readonly #codes = new Map<number, string>();
  #isInCells = false;

  open(name: string, attributes: Attributes): void {
    const part = localName(name);
    if (part === "cellXfs") this.#isInCells = true;
    if (part === "numFmt" && this.#codes.size < FORMATS_MAX) {
      const id = Number(attributeOf(attributes, "numFmtId"));
      this.#codes.set(id, (attributeOf(attributes, "formatCode") ?? "").slice(0, 1_000));
    }
    if (part === "xf" && this.#isInCells && this.formats.length < FORMATS_MAX) {
      this.formats.push(cellFormat(Number(attributeOf(attributes, "numFmtId")), this.#codes));
    }
    if (part === "cellStyles" || part === "dxfs") this.#isInCells = false;
  }
  text(): void {}
  close(): void {}
}

export function partPath(folder: string, target: string): string {
  const steps = target.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const step of target.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
