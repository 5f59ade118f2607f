import type { ComponentChild } from "preact";

/** One column of a table: what it is called, how wide it is, what stands in it. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
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
  cell(row: Row): ComponentChild;
}
