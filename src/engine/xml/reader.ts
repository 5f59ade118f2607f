/**
 * A strict streaming XML reader on top of the library saxes. The reader fetches nothing, and knows
 * only the five predefined entities of XML. Depth and lengths are checked during reading, so a
 * hostile file is refused before it fills the memory.
 */
import { SaxesParser } from "saxes";

const DOCTYPE_CHARS_MAX = 65_536;

const UNCHECKED_PARTS: Readonly<Record<string, string>> = {
  "<!--": "-->",
  "<?": "?>",
  '"': '"',
  "'": "'",
};
const UNCHECKED_BEGIN = /<!--|<\?|["']/g;

/**
 * General entities and references to parameter entities are refused (docs/decisions/imports.md,
 * "Safety").
 */
function doctypeFault(doctype: string): string | null {
  if (doctype.length > DOCTYPE_CHARS_MAX) {
    return `The DOCTYPE is longer than ${DOCTYPE_CHARS_MAX} characters`;
  }
  const markup = markupOf(doctype);
  if (/<!ENTITY(?!\s+%\s)/.test(markup)) return "The DOCTYPE declares a general entity";
  if (/%[^\s%;]+;/.test(markup)) return "The DOCTYPE references a parameter entity";
  return null;
}

function markupOf(doctype: string): string {
  const missing = new Set<string>();
  let markup = "";
  let from = 0;
  for (const { 0: begin, index } of doctype.matchAll(UNCHECKED_BEGIN)) {
    const end = UNCHECKED_PARTS[begin] ?? begin;
    if (index < from || missing.has(end)) continue;
    const at = doctype.indexOf(end, index + begin.length);
    if (at === -1) {
      missing.add(end);
      continue;
    }
    markup += `${doctype.slice(from, index)}''`;
    from = at + end.length;
  }
  return markup + doctype.slice(from);
}

/** A document beyond a limit is refused (docs/decisions/imports.md, "Limits"). */
export interface XmlLimits {
  readonly depthMax: number;
  /** Maximum number of characters of each text, attribute, tag and comment. */
  readonly textCharsMax: number;
}

export const XML_LIMITS: XmlLimits = { depthMax: 64, textCharsMax: 1_048_576 };

/** The first line of the file has the number 1. */
export interface XmlFault {
  readonly code: "malformed_xml" | "forbidden_doctype" | "too_deep" | "too_large";
  readonly line: number;
  readonly message: string;
}

/** Names include the namespace prefix. `line` is the line where the tag ends. */
export interface XmlSink {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  /** A text may arrive in several pieces. */
  text(piece: string): void;
  close(): void;
}

const WRITE_CHARS_MAX = 262_144;

const SAXES_ERROR = /^\d+:\d+: /;

/** After a fault, the reader cannot continue. */
export class XmlReader {
  readonly #parser = new SaxesParser({
    xmlns: false,
    position: true,
    defaultXMLVersion: "1.0",
    forceXMLVersion: true,
  });
  readonly #limits: XmlLimits;
  #depth = 0;
  #eventAt = 0;
  #writtenChars = 0;
  #textChars = 0;
  #fault: XmlFault | null = null;

  constructor(sink: XmlSink, limits: XmlLimits = XML_LIMITS) {
    this.#limits = limits;
    // Add no eighth handler: V8 would then run the parser at a third of the speed.
    this.#listenToElements(sink);
    this.#listenToText(sink);
    this.#listenToTheRest();
  }

  write(text: string): XmlFault | null {
    if (text.length <= WRITE_CHARS_MAX) return this.#feed(text);
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
      // After a write, `parser.position` is too large, so the characters are counted here.
      this.#writtenChars += piece?.length ?? 0;
      this.#checkLength(this.#writtenChars - this.#eventAt, "Markup");
    } catch (error) {
      if (!this.#fault) this.#fault = this.#malformed(error);
    }
    return this.#fault;
  }

  #listenToElements(sink: XmlSink): void {
    const parser = this.#parser;
    parser.on("opentag", (tag) => {
      this.#moveOn();
      this.#depth += 1;
      if (this.#depth > this.#limits.depthMax) {
        this.#refuse("too_deep", `Elements are nested deeper than ${this.#limits.depthMax}`);
      }
      for (const name in tag.attributes) {
        this.#checkLength(tag.attributes[name]?.length ?? 0, "An attribute");
      }
      sink.open(tag.name, tag.attributes, parser.line);
    });
    parser.on("closetag", () => {
      this.#moveOn();
      this.#depth -= 1;
      sink.close();
    });
  }

  #listenToText(sink: XmlSink): void {
    const text = (piece: string) => {
      this.#eventAt = this.#parser.position;
      this.#textChars += piece.length;
      this.#checkLength(this.#textChars, "A text");
      if (this.#depth > 0) sink.text(piece);
    };
    this.#parser.on("text", text);
    this.#parser.on("cdata", text);
  }

  #listenToTheRest(): void {
    const parser = this.#parser;
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

  #moveOn(): void {
    const { position } = this.#parser;
    this.#checkLength(position - this.#eventAt, "Markup");
    this.#eventAt = position;
    this.#textChars = 0;
  }

  #checkLength(chars: number, what: string): void {
    const { textCharsMax } = this.#limits;
    if (chars > textCharsMax) {
      this.#refuse("too_large", `${what} is longer than ${textCharsMax} characters`);
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

export const ENCODING_HEAD_BYTES = 1024;

export interface Encoding {
  /** The encoding's name in the WHATWG Encoding Standard, which calls ISO-8859-1 "windows-1252". */
  readonly label: string;
  readonly bomBytes: number;
  /** False if every byte is valid in the encoding. */
  readonly canFail: boolean;
  /** The reason why the encoding was guessed; null if it was not guessed. */
  readonly guess: string | null;
}

const BOMS = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

const NEVER_FAILS: ReadonlySet<string> = new Set(["windows-1252", "iso-8859-15"]);
const DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/;

/** Decides the encoding by the rules of docs/decisions/imports.md. */
export function decideEncoding(
  head: Uint8Array,
  charset: string | null,
): { encoding: Encoding } | { unknown: string } {
  const marked = markedEncoding(head);
  if (marked) return { encoding: marked };

  const detected = utf16ByBytes(head);
  let ignored: string | null = null;
  for (const named of [charset?.trim(), declaredLabel(head)]) {
    if (!named) continue;
    const label = knownLabel(named);
    if (label === null) return { unknown: named };
    if (!label.startsWith("utf-16")) return { encoding: encodingOf(label, 0, ignored) };
    if (detected) return { encoding: encodingOf(detected, 0, ignored) };
    ignored = `The file says "${named}" but is not UTF-16`;
  }
  return { encoding: encodingOf(detected ?? "utf-8", 0, ignored) };
}

export function markedEncoding(head: Uint8Array): Encoding | null {
  const bom = BOMS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  return bom ? encodingOf(bom.label, bom.bytes.length, null) : null;
}

export function knownEncoding(named: string, guess: string | null): Encoding | null {
  const label = knownLabel(named);
  return label === null ? null : encodingOf(label, 0, guess);
}

/** Returns null for UTF-16, because windows-1252 would turn such a file into unreadable text. */
export function fallbackEncoding(failed: Encoding): Encoding | null {
  if (failed.label.startsWith("utf-16")) return null;
  const guess = `The file is not ${failed.label} throughout: read as windows-1252`;
  return encodingOf("windows-1252", failed.bomBytes, guess);
}

export class StrictCheck {
  readonly #decoder: TextDecoder;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding.label, { fatal: true });
  }

  /** Pass `null` at the end of the file. */
  accepts(chunk: Uint8Array | null): boolean {
    try {
      if (chunk === null) this.#decoder.decode();
      else this.#decoder.decode(chunk, { stream: true });
      return true;
    } catch {
      return false; // The decoder's error has no details.
    }
  }
}

/** Decodes chunks that may split characters, and omits the byte order mark. */
export class ChunkDecoder {
  readonly #decoder: TextDecoder;
  #skip: number;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding.label, { ignoreBOM: true });
    this.#skip = encoding.bomBytes;
  }

  /** Pass `null` at the end of the file. */
  text(chunk: Uint8Array | null): string {
    if (chunk === null) return this.#decoder.decode();
    if (this.#skip === 0) return this.#decoder.decode(chunk, { stream: true });
    const start = Math.min(this.#skip, chunk.length);
    this.#skip -= start;
    return this.#decoder.decode(chunk.subarray(start), { stream: true });
  }
}

function encodingOf(label: string, bomBytes: number, guess: string | null): Encoding {
  return { label, bomBytes, canFail: !NEVER_FAILS.has(label), guess };
}

function knownLabel(named: string): string | null {
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return null; // The decoder throws RangeError for an unknown label, and no other error.
  }
}

function declaredLabel(head: Uint8Array): string | null {
  const ascii = new TextDecoder("windows-1252").decode(head.subarray(0, ENCODING_HEAD_BYTES));
  return DECLARATION.exec(ascii)?.[1]?.trim() || null;
}

/** No text in an 8-bit encoding begins with `<` and a zero byte. */
function utf16ByBytes(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (head[0] === 0x3c && head[1] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] === 0x3c) return "utf-16be";
  return null;
}
