/** The small parts of a workbook: its sheets, its formats, where the rest lies (ECMA-376, part 1). */
import type { XmlSink } from "../../engine/xml/reader.ts";
import { type CellFormat, cellFormat } from "./cell_format.ts";

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
