import type { FileFault } from "./file_fault.ts";
import { TABLE_LIMITS } from "./table_row.ts";
import { parseElement } from "./json_row.ts";

/** An object that is one line of a text. */
export interface JsonLine {
  readonly line: number;
  readonly value: Record<string, unknown>;
}

/**
 * Counts brackets outside of texts, so that no parser meets what is nested without end. Each character
 * is looked at once, however many quotes there are.
 */
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
/** `{` and `[`, `}` and `]` differ in this bit alone. */
const SMALL = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Objects of a text of which each stands in a line of its own; blank lines are nothing. */
export class NdjsonSplitter {
  readonly #listener: (line: JsonLine) => void;
  #line = 1;
  #rest = "";

  constructor(listener: (line: JsonLine) => void) {
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
      const message = `More than ${TABLE_LIMITS.jsonDepth} levels within each other`;
      return { code: "too_deep", line: this.#line, message };
    }
    const value = parseElement(text);
    if (value === null) {
      return { code: "malformed_json", line: this.#line, message: "The line is no JSON object" };
    }
    this.#listener({ line: this.#line, value });
    return null;
  }

  #tooLong(): FileFault {
    const message = `A line has more than ${TABLE_LIMITS.rowChars} characters`;
    return { code: "too_large", line: this.#line, message };
  }
}
