import type { ComponentChild } from "preact";

/** One column of a table: what it is called, how wide it is, what stands in it. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** The content of the heading, instead of the title. */
  readonly head?: ComponentChild;
  /** In pixels; the first column stays in sight when the table is moved sideways. */
  readonly width: number;
  /** On a phone, where the columns that matter should stand side by side. */
  readonly narrowWidth?: number;
  /** Aligned to the right, digits below digits; its column grows rather than cut one of them. */
  readonly isNumber?: boolean;
  /** Whether people may take it away, and whether it is there at first. */
  readonly choice?: "shown" | "hidden";
  /** Left out on a phone unless it is chosen. */
  readonly isWide?: boolean;
  /** The sort order of the heading and its first direction; absent where it cannot sort. */
  readonly sort?: { readonly by: string; readonly first: "asc" | "desc" };
  cell(row: Row): ComponentChild;
}

type Shape<Row> = Omit<Column<Row>, "key" | "title" | "cell">;

/** A column of texts; `shape` is its width, or its width and more. */
export function column<Row>(
  key: string,
  title: string,
  shape: number | Shape<Row>,
  cell: (row: Row) => ComponentChild,
): Column<Row> {
  return { key, title, cell, ...(typeof shape === "number" ? { width: shape } : shape) };
}

export function numberColumn<Row>(
  key: string,
  title: string,
  shape: number | Shape<Row>,
  cell: (row: Row) => ComponentChild,
): Column<Row> {
  return { ...column(key, title, shape, cell), isNumber: true };
}

/** The order of a list, as its address names it. */
export interface Sorting {
  /** Empty: as the service has it by itself. */
  readonly by: string;
  readonly order: "asc" | "desc";
  /** Told by which column the list is to be ordered now; an empty one ends it. */
  onSort(by: string, order: "asc" | "desc"): void;
}
