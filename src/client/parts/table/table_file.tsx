import { useApp } from "../../app/app.ts";
import { Button } from "../button.tsx";
import type { Column } from "./column.ts";
import { tableCsv } from "./table_csv.ts";
import { useCellText } from "./use_cell_text.tsx";

interface TableFileProps<Row> {
  /** What it is called, without its ending. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Those that are loaded. */
  readonly rows: readonly Row[];
}

/** What a table shows as a file, where the service makes none of the whole list. */
export function TableFile<Row>({ name, columns, rows }: TableFileProps<Row>) {
  const { words, show } = useApp();
  const textOf = useCellText();
  const save = () => {
    const lines = [
      columns.map(({ title }) => title),
      ...rows.map((row) => columns.map(({ cell }) => textOf(cell(row)))),
    ];
    const file = new Blob([tableCsv(lines)], { type: "text/csv;charset=utf-8" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `${name}.csv`;
    link.click();
    // The browser takes it up after this turn.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <Button kind="quiet" onClick={save}>
      {words.table.asCsv(show.number(rows.length), rows.length)}
    </Button>
  );
}
