/** Splits JSON into the elements of its list, and NDJSON into lines, without parsing them. */
import type { FileFault } from "./byte_source.ts";
import { LIST_DEPTH_MAX, parseElement, TABLE_LIMITS } from "./json_row.ts";

type JsonListener = (line: number, value: Record<string, unknown>) => void;

/** True if the nesting could overflow the stack of the parser. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText && code === BACKSLASH) at += 1;
    else if (!isInText && (code | SMALL) === OPEN && ++depth > TABLE_LIMITS.jsonDepth) return true;
    else if (!isInText && (code | SMALL) === CLOSE) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{` and `[` differ only in this bit; so do `}` and `]`. */
const SMALL = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

export class NdjsonSplitter {
  readonly #listener: JsonListener;
  #line = 1;
  #rest = "";

  constructor(listener: JsonListener) {
    this.#listener = listener;
  }

  write(text: string): FileFault | null {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      const fault = this.#take(this.#rest + text.slice(from, end));
      if (fault) return fault;
      this.#rest = "";
      this.#line += 1;
      from = end + 1;
    }
    this.#rest += text.slice(from);
    return this.#rest.length > TABLE_LIMITS.rowChars ? this.#tooLong() : null;
  }

  end(): FileFault | null {
    return this.#take(this.#rest);
  }

  #take(written: string): FileFault | null {
    if (written.length > TABLE_LIMITS.rowChars) return this.#tooLong();
    const text = written.trim();
    if (text === "") return null;
    if (isTooDeep(text)) {
      const message = `More than ${TABLE_LIMITS.jsonDepth} levels of nesting`;
      return { code: "too_deep", line: this.#line, message };
    }
    const value = parseElement(text);
    if (value === null) {
      return { code: "malformed_json", line: this.#line, message: "The line is not a JSON object" };
    }
    this.#listener(this.#line, value);
    return null;
  }

  #tooLong(): FileFault {
    const message = `A line has more than ${TABLE_LIMITS.rowChars} characters`;
    return { code: "too_large", line: this.#line, message };
  }
}

interface Level {
  readonly isArray: boolean;
  /** Null in arrays. */
  key: string | null;
}

const SPECIAL = /["{}[\],:\n\r]/g;

/**
 * Holds only one element in memory. `list` is the dotted path of the list: "" if the document is
 * the list; null for the first list of objects that is at most three keys deep. The text around the
 * elements must be valid JSON too.
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
  #wasCr = false;
  #element = "";
  #elementLine = 0;
  /** The element ends when the depth falls below this number; 0 outside of elements. */
  #elementDepth = 0;
  #openList: Level | null = null;
  #skeleton = "";
  #fault: FileFault | null = null;

  constructor(list: string | null, listener: JsonListener) {
    this.#list = list;
    this.#listener = listener;
  }

  write(text: string): FileFault | null {
    let from = 0;
    for (let at = 0; at < text.length && this.#fault === null;) {
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
    return this.#fault ?? this.#excess();
  }

  end(): FileFault | null {
    if (this.#fault) return this.#fault;
    const isWhole = this.#levels.length === 0 && !this.#isInText;
    if (!isWhole) return this.#malformed("The file ends within a value");
    try {
      JSON.parse(this.#skeleton);
      return null;
    } catch (error) {
      return this.#malformed(error instanceof Error ? error.message : String(error));
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

  /** `from`: start of the text that is not kept yet. Returns the new `from`. */
  #take(sign: string, text: string, from: number, at: number): number {
    switch (sign) {
      case "\n":
        if (!(this.#wasCr && (at === 0 || text.charCodeAt(at - 1) === 0x0d))) this.#line += 1;
        this.#wasCr = false;
        return from;
      case "\r":
        this.#line += 1;
        this.#wasCr = true;
        return from;
      case '"':
        this.#isInText = true;
        return from;
      case ":": {
        const level = this.#levels.at(-1);
        if (level && this.#elementDepth === 0) level.key = this.#lastText;
        return from;
      }
      case "{":
      case "[":
        return this.#open(sign === "[", text, from, at);
      case "}":
      case "]":
        return this.#close(sign === "]", text, from, at);
      default:
        return from;
    }
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
    if (this.#levels.length > TABLE_LIMITS.jsonDepth) {
      const message = `More than ${TABLE_LIMITS.jsonDepth} levels of nesting`;
      this.#fault = { code: "too_deep", line: this.#line, message };
    }
    return start;
  }

  #close(isArray: boolean, text: string, from: number, at: number): number {
    const level = this.#levels.pop();
    if (!level || level.isArray !== isArray) {
      this.#fault = this.#malformed("A closing bracket does not match the opening one");
      return from;
    }
    if (this.#levels.length + 1 !== this.#elementDepth) return from;
    const value = parseElement(this.#element + text.slice(from, at + 1));
    this.#element = "";
    this.#elementDepth = 0;
    this.#skeleton += "0";
    if (value !== null) this.#listener(this.#elementLine, value);
    else {
      const line = this.#elementLine;
      this.#fault = { code: "malformed_json", line, message: "The object is not JSON" };
    }
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

  #excess(): FileFault | null {
    const max = TABLE_LIMITS.rowChars;
    if (this.#element.length <= max && this.#skeleton.length <= max) return null;
    const line = this.#elementDepth > 0 ? this.#elementLine : this.#line;
    return { code: "too_large", line, message: `More than ${max} characters in one value` };
  }

  #malformed(message: string): FileFault {
    return { code: "malformed_json", line: this.#line, message };
  }
}
