/**
 * Files that are dropped on a page, and tables that are pasted into it, as files for an import.
 * Plain text is preferred over HTML, because plain text has the values as people see them. The HTML
 * may come from any website, so it is never added to the document and the number of cells is
 * bounded. The content security policy forbids `DOMParser`, so the tags are read one by one.
 */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button, Icon } from "../controls.tsx";
import { useDroppedFiles } from "../hooks.ts";

interface DropFieldProps {
  readonly files: readonly File[];
  readonly isOver: boolean;
  readonly children?: ComponentChildren;
  onFiles(files: readonly File[]): void;
}

export function DropField({ files, isOver, children, onFiles }: DropFieldProps) {
  const { words: { imports: { new: texts } }, show } = useApp();
  const id = useId();
  const isEmpty = files.length === 0;
  return (
    <div class={`drop${isOver ? " over" : ""}${isEmpty ? "" : " filled"}`}>
      <Icon name="imports" />
      {isEmpty && <strong>{texts.drop}</strong>}
      {isEmpty && <span>{texts.or}</span>}
      {!isEmpty && (
        <ul class="file-list" aria-label={texts.files}>
          {files.map((file, at) => (
            <li key={`${file.name}-${at}`}>
              <span class="clip">{file.name}</span>
              <small>{show.bytes(file.size)}</small>
              <Button
                kind="quiet"
                icon="close"
                label={texts.remove(file.name)}
                onClick={() => onFiles(files.filter((_, other) => other !== at))}
              />
            </li>
          ))}
        </ul>
      )}
      {children}
      <input
        id={id}
        class="sr-only"
        type="file"
        multiple
        accept=".xml,.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.zip,.gz"
        onChange={(event) => {
          onFiles([...files, ...event.currentTarget.files ?? []]);
          event.currentTarget.value = "";
        }}
      />
      <label class={isEmpty ? "button main" : "button plain"} for={id}>{texts.choose}</label>
      {isEmpty && <small>{texts.kinds}</small>}
    </div>
  );
}

/** Maximum number of columns that an import accepts. */
const COLUMNS_MAX = 1_000;
/** Maximum number of cells, because a `colspan` may be huge. A larger table yields no rows. */
const CELLS_MAX = 2_000_000;

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  euro: "€",
  shy: "",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
};

/** Empty rows are omitted. White space becomes one space, as a browser shows it. */
export function htmlTableRows(html: string): string[][] {
  const reader = new TableReader();
  let at = 0;
  while (at < html.length && !reader.isDone) {
    const tag = html.indexOf("<", at);
    reader.text(html.slice(at, tag < 0 ? html.length : tag));
    if (tag < 0) break;
    const [start, end] = html.startsWith("<!--", tag) ? ["<!--", "-->"] : ["<", ">"];
    const close = html.indexOf(end, tag + start.length);
    if (close < 0) break;
    reader.tag(html.slice(tag + 1, close));
    at = close + end.length;
  }
  return reader.rows();
}

class TableReader {
  readonly #rows: string[][] = [];
  /** For each column, the number of the last row that a cell with `rowspan` covers. */
  readonly #held: number[] = [];
  #cells = 0;
  #depth = 0;
  #cell: string | null = null;
  #span = { columns: 1, rows: 1 };
  isDone = false;

  text(text: string): void {
    if (this.#cell !== null) this.#cell += text;
  }

  tag(written: string): void {
    const [, slash = "", name = ""] = /^(\/?)([a-z][a-z0-9]*)/i.exec(written) ?? [];
    const isEnd = slash !== "";
    const tag = name.toLowerCase();
    if (tag === "table") return this.#table(isEnd);
    // A table within a cell is part of its text.
    if (this.#depth !== 1) return;
    if (tag === "tr" || tag === "td" || tag === "th") this.#closeCell();
    if (isEnd) return;
    if (tag === "tr") this.#rows.push([]);
    if (tag === "td" || tag === "th") {
      this.#cell = "";
      this.#span = { columns: numberIn(written, COLSPAN), rows: numberIn(written, ROWSPAN) };
    }
    if (tag === "br" || tag === "p" || tag === "div") this.text(" ");
  }

  rows(): string[][] {
    this.#closeCell();
    if (this.#cells > CELLS_MAX) return [];
    return this.#rows.filter((row) => row.some((cell) => cell !== ""));
  }

  #table(isEnd: boolean): void {
    this.#depth += isEnd ? -1 : 1;
    this.isDone = isEnd && this.#depth <= 0;
  }

  #closeCell(): void {
    const row = this.#rows.at(-1);
    const cell = this.#cell;
    this.#cell = null;
    if (row === undefined || cell === null) return;
    const before = row.length;
    this.#passHeld(row);
    for (let n = 0; n < this.#span.columns && row.length < COLUMNS_MAX; n++) {
      this.#held[row.length] = this.#rows.length + this.#span.rows - 1;
      row.push(n === 0 ? plainText(cell) : "");
    }
    this.#cells += row.length - before;
    this.isDone ||= this.#cells > CELLS_MAX;
  }

  #passHeld(row: string[]): void {
    while ((this.#held[row.length] ?? 0) >= this.#rows.length) row.push("");
  }
}

const COLSPAN = /\scolspan\s*=\s*["']?(\d{1,5})/i;
const ROWSPAN = /\srowspan\s*=\s*["']?(\d{1,5})/i;

function numberIn(tag: string, attribute: RegExp): number {
  return Math.max(1, Number(attribute.exec(tag)?.[1] ?? 1));
}

function plainText(written: string): string {
  const decoded = written.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : "";
    },
  );
  return decoded.replace(/\s+/g, " ").trim();
}

/**
 * Accepts files that are dropped anywhere on the page, and table cells that are pasted while no
 * field has the focus. Returns true while a file is dragged over the page. `pastedName` is the file
 * name of a pasted table.
 */
export function usePageFiles(
  pastedName: string,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const isOver = useDroppedFiles(onFiles);
  useLayoutEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const found = pastedFiles(event.clipboardData, pastedName);
      if (found.length === 0) return;
      event.preventDefault();
      onFiles(found);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [pastedName, onFiles]);
  return isOver;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}

function pastedFiles(data: DataTransfer | null, name: string): File[] {
  if (data === null) return [];
  const [plain, html] = [data.getData("text/plain"), data.getData("text/html")];
  const text = pastedTable({ plain, html });
  if (text !== null) {
    return [new File([text], name, { type: "text/tab-separated-values; charset=utf-8" })];
  }
  // Files next to a text are pictures of the text.
  return plain === "" && html === "" ? [...data.files] : [];
}

/** Rows of cells separated by tabs; null if the clipboard has no table. */
export function pastedTable({ plain, html }: { plain: string; html: string }): string | null {
  if (plain.includes("\t")) return plain;
  const rows = htmlTableRows(html);
  return rows.some((row) => row.length > 1) ? rows.map(lineOf).join("") : null;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.startsWith('"') ? quoted(cell) : cell).join("\t")}\n`;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
