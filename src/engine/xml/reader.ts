/**
 * A strict streaming XML reader on top of the library saxes. The reader fetches nothing, and knows
 * only the five predefined entities of XML. Depth and lengths are checked during reading, so that a
 * hostile file is refused before it fills the memory.
 */
import { SaxesParser } from "saxes";

const DOCTYPE_CHARS_MAX = 65_536;

/**
 * General entities and references to parameter entities are refused (docs/decisions/imports.md,
 * "Safety").
 */
function doctypeFault(doctype: string): string | null {
  if (doctype.length > DOCTYPE_CHARS_MAX) {
    return `The DOCTYPE is longer than ${DOCTYPE_CHARS_MAX} characters`;
  }
  if (/<!ENTITY(?!\s+%\s)/.test(doctype)) return "The DOCTYPE declares a general entity";
  if (/%[^\s%;]+;/.test(doctype)) return "The DOCTYPE references a parameter entity";
  return null;
}

/** A document that exceeds a limit is refused (docs/configuration.md). */
export interface XmlLimits {
  readonly depthMax: number;
  /** Maximum number of characters of each text, attribute, tag and comment. */
  readonly textCharsMax: number;
}

export const XML_LIMITS: XmlLimits = { depthMax: 64, textCharsMax: 1_048_576 };

/** `line` is 1 for the first line of the file. */
interface XmlFault {
  readonly code: "malformed_xml" | "forbidden_doctype" | "too_deep" | "too_large";
  readonly line: number;
  readonly message: string;
}

/** Names include the namespace prefix, as in `g:price`. `line` is the line where the tag ends. */
export interface XmlSink {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  /** A text may arrive in several pieces. */
  text(piece: string): void;
  close(): void;
}

const WRITE_CHARS_MAX = 262_144;

const SAXES_ERROR = /^\d+:\d+: /;

/** After a fault, the reader ignores further input and returns the fault again. */
export class XmlReader {
  readonly #parser = new SaxesParser({
    xmlns: false,
    position: true,
    defaultXMLVersion: "1.0",
    forceXMLVersion: true,
  });
  readonly #textCharsMax: number;
  #depth = 0;
  #eventAt = 0;
  #writtenChars = 0;
  #textChars = 0;
  #fault: XmlFault | null = null;

  constructor(sink: XmlSink, limits: XmlLimits = XML_LIMITS) {
    this.#textCharsMax = limits.textCharsMax;
    const parser = this.#parser;
    const text = (piece: string) => {
      this.#eventAt = parser.position;
      this.#textChars += piece.length;
      this.#checkLength(this.#textChars, "A text");
      if (this.#depth > 0) sink.text(piece);
    };
    // Add no eighth handler: V8 would then run the parser at a third of the speed.
    parser.on("text", text);
    parser.on("cdata", text);
    parser.on("opentag", ({ name, attributes }) => {
      this.#moveOn();
      this.#depth += 1;
      if (this.#depth > limits.depthMax) {
        this.#refuse("too_deep", `Elements are nested deeper than ${limits.depthMax}`);
      }
      for (const key in attributes) this.#checkLength(attributes[key]?.length ?? 0, "An attribute");
      sink.open(name, attributes, parser.line);
    });
    parser.on("closetag", () => {
      this.#moveOn();
      this.#depth -= 1;
      sink.close();
    });
    parser.on("comment", (comment) => {
      this.#eventAt = parser.position;
      this.#checkLength(comment.length, "A comment");
    });
    parser.on("processinginstruction", ({ body }) => {
      this.#eventAt = parser.position;
      this.#checkLength(body.length, "A processing instruction");
    });
    parser.on("doctype", (doctype) => {
      this.#eventAt = parser.position;
      const fault = doctypeFault(doctype);
      if (fault) this.#refuse("forbidden_doctype", fault);
    });
  }

  write(text: string): XmlFault | null {
    for (let start = 0; start < text.length; start += WRITE_CHARS_MAX) {
      if (this.#feed(text.slice(start, start + WRITE_CHARS_MAX))) break;
    }
    return this.#fault;
  }

  end(): XmlFault | null {
    return this.#feed(null);
  }

  #feed(piece: string | null): XmlFault | null {
    if (this.#fault) return this.#fault;
    try {
      this.#parser.write(piece);
      // `parser.position` is wrong (too high) after `write`, so characters are counted here.
      this.#writtenChars += piece?.length ?? 0;
      this.#checkLength(this.#writtenChars - this.#eventAt, "Markup");
    } catch (error) {
      if (!this.#fault) this.#fault = this.#malformed(error);
    }
    return this.#fault;
  }

  #moveOn(): void {
    const { position } = this.#parser;
    this.#checkLength(position - this.#eventAt, "Markup");
    this.#eventAt = position;
    this.#textChars = 0;
  }

  #checkLength(chars: number, what: string): void {
    if (chars > this.#textCharsMax) {
      this.#refuse("too_large", `${what} is longer than ${this.#textCharsMax} characters`);
    }
  }

  /** Throws to leave the parser immediately, because its state after an error is undefined. */
  #refuse(code: XmlFault["code"], message: string): never {
    this.#fault = { code, line: this.#parser.line, message };
    throw new Error(message);
  }

  #malformed(error: unknown): XmlFault {
    if (!(error instanceof Error) || !SAXES_ERROR.test(error.message)) throw error;
    return { code: "malformed_xml", line: this.#parser.line, message: sentence(error.message) };
  }
}

function sentence(message: string): string {
  const text = message.replace(SAXES_ERROR, "").replace(/\.$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1).slice(0, 200);
}
