import { useMemo } from "preact/hooks";
import { useMedia } from "../use_media.ts";
import type { Column } from "./column.ts";

/** As wide as a phone, or a table in a narrow window. */
export const NARROW = "(max-width: 700px)";

/** The visible columns and their widths: fewer and narrower ones on a phone. */
export function useFittingColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const isNarrow = useMedia(NARROW);
  return useMemo(() => {
    if (!isNarrow) return columns;
    // Columns with a choice were chosen by the caller.
    return columns.filter(({ isWide, choice }) => !isWide || choice !== undefined)
      .map((column) => ({ ...column, width: column.narrowWidth ?? column.width }));
  }, [columns, isNarrow]);
}
