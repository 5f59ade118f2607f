/** How a workbook shows the numbers of its cells (ECMA-376 part 1, §18.8.30 and §18.17.4). */
import { numberText } from "./json_row.ts";

export type CellFormat =
  | { readonly kind: "general" }
  | { readonly kind: "date" }
  | { readonly kind: "number"; readonly decimals: number; readonly digits: number }
  | { readonly kind: "percent"; readonly decimals: number };

export const GENERAL: CellFormat = { kind: "general" };
const SIGNIFICANT_DIGITS = 15;
const DAY_MS = 86_400_000;
/** The day before the first one; Excel takes 1900 for a leap year, and counts on from there. */
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
/** Dates and times, some of them in the languages of East Asia. */
const BUILT_IN_DATES = [[14, 22], [27, 36], [45, 47], [50, 58]] as const;

/** The format of an id: built in, or one of the workbook's own `codes`. */
export function cellFormat(id: number, codes: ReadonlyMap<number, string>): CellFormat {
  const code = codes.get(id) ?? BUILT_IN[id];
  if (code !== undefined) return formatOfCode(code);
  return BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? { kind: "date" } : GENERAL;
}

function formatOfCode(code: string): CellFormat {
  const [positive = ""] = code.split(";");
  const bare = withoutLiterals(positive);
  if (/[ymdhs]/i.test(bare)) return { kind: "date" };
  const number = /([#0?,]*)(?:\.([#0?]+))?/.exec(bare.replace(/^[^#0?.]+/, ""));
  const [, whole = "", part = ""] = number ?? [];
  if (whole === "" && part === "") return GENERAL;
  const decimals = part.length;
  if (bare.includes("%")) return { kind: "percent", decimals };
  return { kind: "number", decimals, digits: (whole.match(/0/g) ?? []).length };
}

/** A code without what it shows as it stands: quoted, after `\\`, `_` and `*`, and within brackets. */
function withoutLiterals(code: string): string {
  let bare = "";
  for (let at = 0; at < code.length; at++) {
    const sign = code.charAt(at);
    const end = sign === '"' ? '"' : sign === "[" ? "]" : null;
    if (end !== null) {
      const found = code.indexOf(end, at + 1);
      if (found === -1) break;
      at = found;
    } else if (sign === "\\" || sign === "_" || sign === "*") at += 1;
    else bare += sign;
  }
  return bare;
}

/** Decimals without the zeros at their end, and without the dot when none is left. */
function withoutZeros(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end -= 1;
  return text.slice(0, text.charAt(end - 1) === "." ? end - 1 : end);
}

/** The text of a numeric cell; null for what is no number. Dates are ISO 8601, without a zone. */
export function shownNumber(written: string, format: CellFormat, is1904: boolean): string | null {
  const value = Number(written);
  if (written.trim() === "" || !Number.isFinite(value)) return null;
  if (format.kind === "date") return shownDate(value, is1904);
  if (format.kind === "percent") {
    const shown = rounded(scaledByHundred(value), format.decimals);
    return `${shown.includes(".") ? withoutZeros(shown) : shown}%`;
  }
  const exact = plainDecimal(value);
  // So large a number has lost digits: as it stands it is told apart from one that has not.
  if (Math.abs(value) >= 1e15) return value.toExponential();
  if (format.kind === "general") return numberText(exact);
  const text = rounded(exact, format.decimals);
  const isNegative = text.startsWith("-");
  const [whole = "", part] = text.replace("-", "").split(".");
  const padded = whole.padStart(Math.max(1, format.digits), "0");
  return numberText(`${isNegative ? "-" : ""}${padded}${part === undefined ? "" : `.${part}`}`);
}

/** 15 digits count, as in Excel itself: 3.0999999999999996 is 3.1. */
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

/** Half up, away from zero, digit by digit. */
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

function scaledByHundred(value: number): string {
  return plainDecimal(Number((value * 100).toPrecision(SIGNIFICANT_DIGITS)));
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
