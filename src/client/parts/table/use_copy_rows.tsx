import { AppContext, useApp } from "../../app/app.ts";
import type { Column, Selection } from "./table.tsx";
import { type ComponentChild, type RefObject, render } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface CopyOptions<Row> {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  idOf(row: Row): string;
  readonly selection: Selection | undefined;
  readonly total: number | null;
}

/**
 * If the selected text covers several rows, the marked rows are copied; without marked rows, all
 * loaded rows are copied. The browser itself would copy only the drawn rows.
 */
export function useCopyRows<Row>(options: CopyOptions<Row>): void {
  const app = useApp();
  const textOf = useCellText();
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const { scroller, columns, rows, idOf, selection, total } = latest.current;
      const table = scroller.current;
      if (table === null || !(event.target instanceof Node) || !isOfRows(table)) return;
      const marked = selection ? rows.filter((row) => selection.has(idOf(row))) : [];
      const copied = marked.length > 0 ? marked : rows;
      const lines = [
        columns.map(({ title }) => title),
        ...copied.map((row) => columns.map(({ cell }) => textOf(cell(row)))),
      ];
      const text = lines.map((line) => line.join("\t")).join("\n");
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      const { words, show } = app;
      const count = show.number(copied.length);
      const isPart = marked.length === 0 && total !== null && total > copied.length;
      app.toasts.tell(
        isPart ? words.table.copiedOf(count, show.number(total)) : words.table.copied(count),
      );
    };
    document.addEventListener("copy", copy);
    return () => document.removeEventListener("copy", copy);
  }, [app]);
}

function isOfRows(table: HTMLElement): boolean {
  const chosen = getSelection();
  if (chosen === null || chosen.rangeCount === 0 || chosen.isCollapsed) return false;
  const rows = [...table.querySelectorAll("tbody tr:not(.gap)")];
  return rows.filter((row) => chosen.containsNode(row, true)).length > 1;
}

function useCellText(): (cell: ComponentChild) => string {
  const app = useApp();
  return (cell) => {
    const box = document.createElement("div");
    render(<AppContext.Provider value={app}>{cell}</AppContext.Provider>, box);
    for (const small of box.querySelectorAll("small")) small.before(" ");
    const text = box.textContent?.replace(/\s+/g, " ").trim() ?? "";
    render(null, box);
    return text;
  };
}
