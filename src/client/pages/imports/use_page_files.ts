import { useDroppedFiles } from "../../parts/use_dropped_files.ts";
import { htmlTableRows } from "./html_table_rows.ts";
import { useLayoutEffect } from "preact/hooks";

/**
 * Files that are dropped anywhere on the page, and cells that are pasted where nothing is typed; answers
 * whether something is being dragged over the page. `pastedName` is what a pasted table is called.
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
  // Files next to a text are pictures of it.
  return plain === "" && html === "" ? [...data.files] : [];
}

/** The content of a clipboard by media type; empty where there is none. */
interface PastedText {
  readonly plain: string;
  readonly html: string;
}

/** Rows of cells parted by tabs; null for what is no table. */
export function pastedTable({ plain, html }: PastedText): string | null {
  // A spreadsheet writes both: its plain text shows the values as people see them.
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
