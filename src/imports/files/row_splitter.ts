/** Splits delimited text into rows with exact line numbers. */
import type { FileFault } from "./byte_source.ts";
import { TABLE_LIMITS, type TableRow } from "./json_row.ts";

export interface Dialect {
  readonly delimiter: string;
  /** A quote character within a quoted cell is doubled. */
  readonly quote: '"' | "'";
}

export interface DelimitedRow extends TableRow {
  /** True after a quote within an unquoted cell, or after text that follows a closing quote. */
  readonly hasStrayQuote: boolean;
}

const CELL = { start: 0, bare: 1, quoted: 2, closed: 3 } as const;
const CR = 13;
const LF = 10;

/**
 * Accepts text in pieces of any size. Only a quote at the start of a cell encloses text; other
 * quotes, such as inch signs, stay. Text after a closing quote is kept.
 */
export class RowSplitter {
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #quoteText: string;
  readonly #listener: (row: DelimitedRow) => void;
  #cells: string[] = [];
  #cell = "";
  #state: number = CELL.start;
  #line = 1;
  #rowLine = 1;
  #quoteLine = 1;
  #rowChars = 0;
  #hasStrayQuote = false;
  #hasLongCell = false;
  /** True if the cell continues after its closing quote. */
  #isReopened = false;
  #wasCr = false;

  constructor({ delimiter, quote }: Dialect, listener: (row: DelimitedRow) => void) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quote.charCodeAt(0);
    this.#quoteText = quote;
    this.#listener = listener;
  }

  /** Must not be called again after an error. */
  write(text: string): FileFault | null {
    if (text.includes("\0")) return this.#fault("unknown_format", "The file is not a text file");
    let at = 0;
    if (this.#wasCr && text.charCodeAt(0) === LF) {
      // This line feed belongs to a CR LF that was divided between two pieces of text.
      if (this.#state === CELL.quoted) this.#cell += "\n";
      at = 1;
    }
    if (text.length > 0) this.#wasCr = false;
    while (at < text.length) {
      at = this.#step(text, at);
      const fault = this.#excess();
      if (fault) return fault;
    }
    return null;
  }

  end(): FileFault | null {
    if (this.#state === CELL.quoted) {
      const message = `The quote that opens in line ${this.#quoteLine} is never closed`;
      return { code: "unclosed_quote", line: this.#quoteLine, message };
    }
    if (this.#state !== CELL.start || this.#cells.length > 0) this.#finishRow();
    return this.#excess();
  }

  #step(text: string, at: number): number {
    switch (this.#state) {
      case CELL.start:
        if (text.charCodeAt(at) !== this.#quote) {
          this.#state = CELL.bare;
          return at;
        }
        this.#state = CELL.quoted;
        this.#quoteLine = this.#line;
        return at + 1;
      case CELL.bare:
        return this.#readBare(text, at);
      case CELL.quoted:
        return this.#readQuoted(text, at);
      default:
        return this.#readAfterQuote(text, at);
    }
  }

  #readBare(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === LF || code === CR) break;
      if (code === this.#quote) this.#hasStrayQuote = true;
    }
    this.#take(text, from, at);
    return at === text.length ? at : this.#finishCell(text, at);
  }

  #readQuoted(text: string, from: number): number {
    const found = text.indexOf(this.#quoteText, from);
    const end = found === -1 ? text.length : found;
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === CR || (code === LF && (at === from || text.charCodeAt(at - 1) !== CR))) {
        this.#line += 1;
      }
    }
    if (found === -1) this.#wasCr = text.charCodeAt(end - 1) === CR;
    this.#take(text, from, end);
    if (found === -1) return end;
    this.#state = CELL.closed;
    return found + 1;
  }

  #readAfterQuote(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === this.#delimiter || code === LF || code === CR) return this.#finishCell(text, at);
    this.#cell += this.#quoteText;
    if (code === this.#quote) {
      this.#state = CELL.quoted;
      return at + 1;
    }
    this.#hasStrayQuote = true;
    this.#isReopened = true;
    this.#state = CELL.bare;
    return at;
  }

  #take(text: string, from: number, to: number): void {
    this.#rowChars += to - from;
    if (to > from) this.#cell += text.slice(from, to);
  }

  #finishCell(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === this.#delimiter) {
      this.#pushCell();
      return at + 1;
    }
    this.#finishRow();
    this.#line += 1;
    this.#rowLine = this.#line;
    if (code === LF) return at + 1;
    if (at + 1 === text.length) this.#wasCr = true;
    return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }

  #pushCell(): void {
    this.#hasLongCell ||= this.#cell.length > TABLE_LIMITS.cellChars;
    const isWrapped = this.#isReopened && this.#cell.endsWith(this.#quoteText);
    this.#cells.push(isWrapped ? this.#cell.slice(0, -1) : this.#cell);
    this.#cell = "";
    this.#isReopened = false;
    this.#state = CELL.start;
  }

  #finishRow(): void {
    this.#pushCell();
    const cells = this.#cells;
    if (cells.length > 1 || cells[0] !== "") {
      this.#listener({ line: this.#rowLine, cells, hasStrayQuote: this.#hasStrayQuote });
    }
    this.#cells = [];
    this.#rowChars = 0;
    this.#hasStrayQuote = false;
  }

  #excess(): FileFault | null {
    const { columns, cellChars, rowChars } = TABLE_LIMITS;
    if (this.#cells.length >= columns) {
      return this.#fault("too_large", `A row has more than ${columns} columns`);
    }
    if (this.#hasLongCell || this.#cell.length > cellChars) {
      return this.#fault("too_large", `A cell has more than ${cellChars} characters`);
    }
    if (this.#rowChars > rowChars) {
      return this.#fault("too_large", `A row has more than ${rowChars} characters`);
    }
    return null;
  }

  #fault(code: "too_large" | "unknown_format", message: string): FileFault {
    // A missing closing quote makes a cell too long, so the error names the line of the opening
    // quote.
    const line = this.#state === CELL.quoted ? this.#quoteLine : this.#rowLine;
    return { code, line, message };
  }
}
