/** The small parts of a workbook: its sheets, its formats, where the rest lies (ECMA-376, part 1). */
import type { XmlSink } from "../../engine/xml/reader.ts";
import { type CellFormat, cellFormat } from "./cell_format.ts";
import { TABLE_LIMITS } from "./json_row.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const PIECE_BYTES = 1_048_576;
const PIECE_ENDS = 65_536;
/** Of a UTF-16 unit in UTF-8. */
const UNIT_BYTES_MAX = 3;

/**
 * The texts that the cells of a workbook share, as bytes: millions of strings would be ten times as
 * large. They lie in pieces that stay where they are: who copies them into ever larger buffers leaves
 * as much behind as there is, until the collector comes.
 */
export class SharedTexts implements XmlSink {
  count = 0;
  /** They are more, or longer, than may be. */
  isTooMany = false;
  readonly #bytesMax: number;
  readonly #pieces: Uint8Array[] = [];
  readonly #ends: Uint32Array[] = [];
  #scratch = new Uint8Array(0);
  #filled = 0;
  #text = "";
  #isText = false;
  #phonetic = 0;

  constructor(bytesMax: number = TABLE_LIMITS.sharedTextBytes) {
    this.#bytesMax = bytesMax;
  }

  open(name: string): void {
    const part = localName(name);
    if (part === "si") this.#text = "";
    if (part === "rPh") this.#phonetic += 1;
    this.#isText = part === "t" && this.#phonetic === 0;
    this.#open.push(part);
  }

  readonly #open: string[] = [];

  text(piece: string): void {
    if (this.#isText && this.#text.length <= TABLE_LIMITS.cellChars) this.#text += piece;
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "t") this.#isText = false;
    if (part === "rPh") this.#phonetic -= 1;
    if (part === "si") this.#add(this.#text);
  }

  /** The text of this number; null where there is none. */
  at(index: number): string | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return null;
    return decoder.decode(this.#read(index === 0 ? 0 : this.#endOf(index - 1), this.#endOf(index)));
  }

  #endOf(index: number): number {
    return this.#ends[Math.floor(index / PIECE_ENDS)]?.[index % PIECE_ENDS] ?? 0;
  }

  /** A view, but where a text goes on in the next piece. */
  #read(from: number, to: number): Uint8Array {
    const piece = Math.floor(from / PIECE_BYTES);
    const at = from % PIECE_BYTES;
    const whole = this.#pieces[piece]?.subarray(at, at + to - from) ?? new Uint8Array();
    if (whole.length === to - from) return whole;
    const bytes = new Uint8Array(to - from);
    for (let done = 0; done < bytes.length;) {
      const place = from + done;
      const part = this.#pieces[Math.floor(place / PIECE_BYTES)]
        ?.subarray(place % PIECE_BYTES, place % PIECE_BYTES + bytes.length - done);
      if (!part?.length) break;
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const at = this.#filled % PIECE_BYTES;
      if (at === 0) this.#pieces.push(new Uint8Array(PIECE_BYTES));
      const part = bytes.subarray(done, done + PIECE_BYTES - at);
      this.#pieces.at(-1)?.set(part, at);
      this.#filled += part.length;
      done += part.length;
    }
  }

  #add(text: string): void {
    const isFull = this.count >= TABLE_LIMITS.sharedTexts || this.#filled > this.#bytesMax;
    if (isFull || this.isTooMany) {
      this.isTooMany = true;
      return;
    }
    const most = text.length * UNIT_BYTES_MAX;
    if (most > this.#scratch.length) this.#scratch = new Uint8Array(most * 2);
    this.#write(this.#scratch.subarray(0, encoder.encodeInto(text, this.#scratch).written));
    const place = this.count++ % PIECE_ENDS;
    if (place === 0) this.#ends.push(new Uint32Array(PIECE_ENDS));
    const ends = this.#ends.at(-1);
    if (ends) ends[place] = this.#filled;
  }
}

const FORMATS_MAX = 65_536;
const SHEETS_MAX = 1_000;

/** A part's name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

type Attributes = Readonly<Record<string, string>>;

/** An attribute whatever its prefix is. */
function attributeOf(attributes: Attributes, wanted: string): string | null {
  for (const name of Object.keys(attributes)) {
    if (localName(name) === wanted) return attributes[name] ?? null;
  }
  return null;
}

/** A sheet as the workbook lists it. */
export interface SheetEntry {
  readonly name: string;
  readonly relation: string;
  readonly isHidden: boolean;
}

/** Gathers what `xl/workbook.xml` says. */
export class WorkbookSink implements XmlSink {
  readonly sheets: SheetEntry[] = [];
  is1904 = false;

  open(name: string, attributes: Attributes): void {
    const part = localName(name);
    if (part === "workbookPr") {
      this.is1904 = ["1", "true"].includes(attributeOf(attributes, "date1904") ?? "");
    }
    if (part !== "sheet" || this.sheets.length === SHEETS_MAX) return;
    // `id` with a prefix is the relation; `sheetId` is another attribute.
    const relation = attributeOf(attributes, "id") ?? "";
    const isHidden = /hidden/i.test(attributeOf(attributes, "state") ?? "");
    this.sheets.push({ name: attributeOf(attributes, "name") ?? "", relation, isHidden });
  }
  text(): void {}
  close(): void {}
}

/** Gathers the relations of a part: where what it names lies. Those that lead outside are left out. */
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

/** Gathers the formats of cells from `xl/styles.xml`, by the number that cells name. */
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

/** A path that a relation names, as the archive knows it: relative to `folder`, or from its root. */
export function partPath(folder: string, target: string): string {
  const steps = target.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const step of target.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
