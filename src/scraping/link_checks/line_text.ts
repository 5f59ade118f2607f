/**
 * Parses pasted lines `SKU;URL[;PACK]`. The separator is a semicolon, a tab or a comma. If a header
 * line begins with `GTIN`, `EAN` or `barcode`, the lines have GTINs instead of SKUs.
 */
import { PackFactor } from "../../shops/matches/match.ts";
import { LINES_MAX, type RawLine } from "./link_check.ts";

const LINE_UNITS_MAX = 5_000;
const SHOWN_UNITS = 200;
const HEAD = /^(?:gtin|ean|barcode|sku|art(?:ikel)?[ .-]?n(?:umme)?r?\.?|item|product|produkt)/i;
const GTIN_HEAD = /^(?:gtin|ean|barcode)/i;

export const TOO_MANY = "too_many";

export function readLineText(text: string): RawLine[] | typeof TOO_MANY {
  const lines: RawLine[] = [];
  let isByGtin = false;
  let isFirst = true;
  for (let from = text.startsWith("\uFEFF") ? 1 : 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    const line = text.slice(from, Math.min(to, from + LINE_UNITS_MAX + 1)).trim();
    from = to + 1;
    if (line === "") continue;
    if (isFirst) {
      isFirst = false;
      const head = headOf(line);
      if (head !== null) {
        isByGtin = GTIN_HEAD.test(head);
        continue;
      }
    }
    if (lines.length === LINES_MAX) return TOO_MANY;
    lines.push(readLine(line, isByGtin));
  }
  return lines;
}

function headOf(line: string): string | null {
  const [first = ""] = line.split(/[;\t,]/);
  const name = first.replaceAll('"', "").trim();
  return !line.includes("/") && HEAD.test(name) ? name : null;
}

function readLine(line: string, isByGtin: boolean): RawLine {
  const [number = "", url = "", pack = ""] = fieldsOf(line);
  if (line.length > LINE_UNITS_MAX || number === "" || url === "") return badLine(line);
  const packFactor = pack === "" ? null : packOf(pack.replace(",", "."));
  return rawLine({
    sku: isByGtin ? null : number,
    gtin: isByGtin ? number : null,
    url,
    packFactor,
    misfit: packFactor === null && pack !== "" ? "bad_pack" : null,
  });
}

/** A URL may contain semicolons. Text after the last one is a pack size only if it is a number. */
function fieldsOf(line: string): string[] {
  if (line.includes('"')) {
    const quoted = quotedFields(line);
    if (quoted !== null) return quoted;
  }
  const comma = /,\s*https?:/i.exec(line)?.index ?? -1;
  const first = line.search(/[;\t]/);
  const isByComma = comma !== -1 && (first === -1 || comma < first);
  const at = isByComma ? comma : first;
  if (at === -1) return [line.trim()];
  const number = line.slice(0, at).trim();
  const rest = withoutEmptyEnd(line.slice(at + 1));
  // After a comma, the whole rest of the line is the URL, which may end with a comma and a number.
  if (isByComma) return [number, rest];
  const last = Math.max(rest.lastIndexOf(";"), rest.lastIndexOf("\t"));
  const tail = last === -1 ? "" : rest.slice(last + 1).trim();
  const isPack = rest[last] === "\t" || /^-?\d{1,9}(?:[.,]\d{1,9})?$/.test(tail);
  if (!isPack || tail === "") return [number, rest];
  return [number, rest.slice(0, last).trim(), tail];
}

/** Spreadsheets write separators also for empty cells at the end of a row. */
function withoutEmptyEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[;\s]/.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end).trim();
}

function quotedFields(line: string): string[] | null {
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (line[at + 1] === '"') {
        field += '"';
        at++;
      } else isQuoted = false;
    } else if (char === '"' && field.trim() === "") {
      field = "";
      isQuoted = true;
    } else if (char === ";" || char === "\t") {
      fields.push(field.trim());
      field = "";
    } else field += char;
  }
  if (isQuoted) return null;
  return [...fields, field.trim()].slice(0, 3);
}

export function readJsonLine(input: Readonly<Record<string, unknown>>): RawLine {
  const { sku, gtin, url, packFactor, ...others } = input;
  const number = sku ?? gtin;
  const isOne = (sku === undefined) !== (gtin === undefined) && Object.keys(others).length === 0;
  if (!isOne || typeof number !== "string" || typeof url !== "string" || number.trim() === "") {
    return badLine(JSON.stringify(input));
  }
  const pack = packFactor === undefined || packFactor === null ? null : packOf(packFactor);
  const isBadPack = pack === null && packFactor !== undefined && packFactor !== null;
  return rawLine({
    sku: sku === undefined ? null : number,
    gtin: gtin === undefined ? null : number,
    url,
    packFactor: pack,
    misfit: isBadPack ? "bad_pack" : null,
  });
}

function packOf(value: unknown): number | null {
  const number = typeof value === "string" ? Number(value) : value;
  const parsed = PackFactor.safeParse(number);
  return parsed.success ? parsed.data : null;
}

function badLine(text: string): RawLine {
  const url = text.slice(0, SHOWN_UNITS).toWellFormed();
  return { sku: null, gtin: null, url, packFactor: null, misfit: "bad_line" };
}

function rawLine({ sku, gtin, url, packFactor, misfit }: RawLine): RawLine {
  const isLong = url.length > LINE_UNITS_MAX;
  const cut = (number: string | null) => number?.trim().slice(0, 200).toWellFormed() ?? null;
  return {
    sku: cut(sku),
    gtin: cut(gtin),
    url: (isLong ? url.slice(0, SHOWN_UNITS) : url.trim()).toWellFormed(),
    packFactor,
    misfit: misfit ?? (isLong ? "bad_url" : null),
  };
}
