/** Reads JSON and NDJSON as the rows of a table. Nested keys become column names with dots. */
import { FileError } from "./source_file.ts";
import { numberText, TABLE_LIMITS, withoutLengthening } from "./table_row.ts";
import { isJsonObject } from "../../base/collections.ts";

export type JsonCells = ReadonlyMap<string, string>;

export function parseElement(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null; // The caller reports all syntax errors in the same way.
  }
}

const LIST_DEPTH_MAX = 3;

export function hasRecords(value: Record<string, unknown>, depth = 1): boolean {
  return Object.values(value).some((part) =>
    Array.isArray(part)
      ? part.some(isJsonObject)
      : isJsonObject(part) && depth < LIST_DEPTH_MAX && hasRecords(part, depth + 1)
  );
}

const VARIANTS = "variants";
const NO_VARIANT_TITLE = "Default Title";

/**
 * If `each` names a list in `element`, each object of the list becomes a row, together with the
 * other values of `element`. Without `each`, a product that has SKUs only in its variants becomes
 * one row per variant.
 */
export function cellsOf(element: Record<string, unknown>, each: string | null): JsonCells[] {
  const variants = each === null ? variantsOf(element) : [];
  if (variants.length > 0) {
    const around = flattened(element, VARIANTS);
    return variants.map((variant) => {
      const { title } = variant;
      const titles = [around.get("title"), title === NO_VARIANT_TITLE ? "" : title].filter(Boolean);
      const own = flattened({ [VARIANTS]: variant }, null);
      return new Map([...around, ["title", titles.join(" ")], ...own]);
    });
  }
  const inner = each === null ? null : membersOf(element, each);
  if (each === null || inner === null) return [flattened(element, null)];
  const around = flattened(element, each);
  return inner.map((member) => new Map([...around, ...flattened(member, null)]));
}

function variantsOf(element: Record<string, unknown>): Record<string, unknown>[] {
  if (element.sku !== undefined) return [];
  const variants = membersOf(element, VARIANTS) ?? [];
  return variants.some((variant) => variant.sku !== undefined) ? variants : [];
}

function membersOf(
  element: Record<string, unknown>,
  key: string,
): Record<string, unknown>[] | null {
  const list = element[key];
  return Array.isArray(list) ? list.filter(isJsonObject) : null;
}

function flattened(element: Record<string, unknown>, without: string | null): Map<string, string> {
  const cells = new Map<string, string>();
  const add = (prefix: string, value: Record<string, unknown>): void => {
    for (const [key, part] of Object.entries(value)) {
      if (prefix === "" && key === without) continue;
      // Allows one cell too many, so that the caller notices that there are too many columns.
      if (cells.size > TABLE_LIMITS.columns) return;
      const name = prefix + key;
      if (isJsonObject(part)) add(`${name}.`, part);
      else if (!Array.isArray(part)) cells.set(name, textOf(part));
      else if (!part.some((member) => isJsonObject(member) || Array.isArray(member))) {
        const texts = part.map(textOf);
        const isOne = texts.length === 1;
        cells.set(name, isOne ? texts.join() : texts.map(withoutLengthening).join(", "));
      }
    }
  };
  add("", element);
  return cells;
}

/**
 * Adds a zero to a number with three decimals, so that `1.234` is not read as 1234. A number that
 * is too large to be exact is written with an exponent, as in spreadsheets.
 */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? value.toExponential()
    : numberText(String(value));
}

type JsonListener = (line: number, value: Record<string, unknown>) => void;

/** Parsing a deeply nested text needs much memory, so check the text before you parse it. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText && code === BACKSLASH) at += 1;
    else if (!isInText && (code | BRACE) === OPEN && ++depth > TABLE_LIMITS.jsonDepth) return true;
    else if (!isInText && (code | BRACE) === CLOSE) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The bit by which the code of `{` differs from `[`, and the code of `}` from `]`. */
const BRACE = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

export class NdjsonSplitter {
  readonly path = null;
  readonly #listener: JsonListener;
  #line = 1;
  #rest = "";

  constructor(listener: JsonListener) {
    this.#listener = listener;
  }

  write(text: string): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      this.#take(this.#rest + text.slice(from, end));
      this.#rest = "";
      this.#line += 1;
      from = end + 1;
    }
    this.#rest += text.slice(from);
    this.#checkLength(this.#rest);
  }

  end(): void {
    this.#take(this.#rest);
  }

  #take(written: string): void {
    this.#checkLength(written);
    const text = written.trim();
    if (text === "") return;
    const line = this.#line;
    if (isTooDeep(text)) throw tooDeep(line);
    const value = parseElement(text);
    if (value === null) {
      throw new FileError("malformed_json", "The line is not a JSON object", { line });
    }
    this.#listener(line, value);
  }

  #checkLength({ length }: string): void {
    const { rowChars } = TABLE_LIMITS;
    if (length <= rowChars) return;
    const message = `A line has more than ${rowChars} characters`;
    throw new FileError("too_large", message, { line: this.#line });
  }
}

function tooDeep(line: number): FileError {
  return new FileError("too_deep", `More than ${TABLE_LIMITS.jsonDepth} levels of nesting`, {
    line,
  });
}

interface Level {
  readonly isArray: boolean;
  key: string | null;
}

const SPECIAL = /["{}[\],:\n]/g;

/**
 * `list` is the dotted path of the list whose elements become rows; "" means the document itself.
 * If `list` is null, the first list of objects is read. Only lists at most three keys deep are
 * found, and only one element of the list is in memory at a time.
 */
export class JsonSlicer {
  path: string | null = null;
  readonly #list: string | null;
  readonly #listener: JsonListener;
  readonly #levels: Level[] = [];
  #isInText = false;
  #isEscaped = false;
  #lastText = "";
  #text = "";
  #line = 1;
  #element = "";
  #elementLine = 0;
  #elementDepth = 0;
  #openList: Level | null = null;
  #skeleton = "";

  constructor(list: string | null, listener: JsonListener) {
    this.#list = list;
    this.#listener = listener;
  }

  write(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length;) {
      if (this.#isInText) {
        at = this.#readText(text, at);
        continue;
      }
      SPECIAL.lastIndex = at;
      const found = SPECIAL.exec(text);
      if (!found) break;
      at = found.index + 1;
      from = this.#take(found[0], text, from, found.index);
    }
    this.#keep(text.slice(from));
    this.#checkLength();
  }

  end(): void {
    const isWhole = this.#levels.length === 0 && !this.#isInText;
    if (!isWhole) throw this.#malformed("The file ends within a value");
    try {
      JSON.parse(this.#skeleton);
    } catch (error) {
      throw this.#malformed(error instanceof Error ? error.message : String(error));
    }
  }

  #readText(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === 0x5c) this.#isEscaped = true;
      else if (code === 0x22) {
        this.#isInText = false;
        if (this.#elementDepth === 0) this.#lastText = this.#text + text.slice(from, at);
        this.#text = "";
        return at + 1;
      }
    }
    if (this.#elementDepth === 0) this.#text += text.slice(from);
    return text.length;
  }

  #take(sign: string, text: string, from: number, at: number): number {
    if (sign === "{" || sign === "[") return this.#open(sign === "[", text, from, at);
    if (sign === "}" || sign === "]") return this.#close(sign === "]", text, from, at);
    if (sign === '"') this.#isInText = true;
    const level = this.#levels.at(-1);
    if (sign === ":" && level && this.#elementDepth === 0) level.key = this.#lastText;
    if (sign === "\n") this.#line += 1;
    return from;
  }

  #open(isArray: boolean, text: string, from: number, at: number): number {
    let start = from;
    const parent = this.#levels.at(-1);
    if (this.#elementDepth === 0 && !isArray && parent?.isArray === true && this.#isList()) {
      this.#keep(text.slice(from, at));
      start = at;
      this.#elementDepth = this.#levels.length + 1;
      this.#elementLine = this.#line;
    }
    this.#levels.push({ isArray, key: null });
    if (this.#levels.length > TABLE_LIMITS.jsonDepth) throw tooDeep(this.#line);
    return start;
  }

  #close(isArray: boolean, text: string, from: number, at: number): number {
    const level = this.#levels.pop();
    if (!level || level.isArray !== isArray) {
      throw this.#malformed("A closing bracket does not match the opening one");
    }
    if (this.#levels.length + 1 !== this.#elementDepth) return from;
    const value = parseElement(this.#element + text.slice(from, at + 1));
    this.#element = "";
    this.#elementDepth = 0;
    this.#skeleton += "0";
    const line = this.#elementLine;
    if (value === null) throw new FileError("malformed_json", "The object is not JSON", { line });
    this.#listener(line, value);
    return at + 1;
  }

  #isList(): boolean {
    if (this.path !== null) return this.#levels.at(-1) === this.#openList;
    const keys = this.#levels.slice(0, -1).map(({ key }) => key);
    if (keys.includes(null) || keys.length > LIST_DEPTH_MAX) return false;
    const path = keys.join(".");
    if (this.#list !== null && path !== this.#list) return false;
    this.path = path;
    this.#openList = this.#levels.at(-1) ?? null;
    return true;
  }

  #keep(text: string): void {
    if (this.#elementDepth > 0) this.#element += text;
    else this.#skeleton += text;
  }

  #checkLength(): void {
    const max = TABLE_LIMITS.rowChars;
    if (this.#element.length <= max && this.#skeleton.length <= max) return;
    const line = this.#elementDepth > 0 ? this.#elementLine : this.#line;
    throw new FileError("too_large", `More than ${max} characters in one value`, { line });
  }

  #malformed(message: string): FileError {
    return new FileError("malformed_json", message, { line: this.#line });
  }
}
