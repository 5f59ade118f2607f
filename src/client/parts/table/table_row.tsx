import type { TargetedMouseEvent } from "preact";
import { useMemo } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import type { Column } from "./column.ts";
import type { Selection } from "./use_selection.ts";

interface TableRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  readonly isActive: boolean;
  /** It belongs to the row above it. */
  readonly isPart: boolean;
  readonly onOpen?: ((row: Row) => void) | undefined;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, columns, selection, onOpen } = props;
  const { words } = useApp();
  const isSelected = selection?.has(id) ?? false;
  const open = (event: TargetedMouseEvent<HTMLTableRowElement>) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("a, button, input, label")) return;
    onOpen?.(row);
  };
  // While one scrolls the same rows are drawn again and again: what is the same is left alone.
  return useMemo(() => (
    <tr
      data-index={index}
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : undefined}
      class={[
        onOpen && "opens",
        isSelected && "selected",
        props.isActive && "active",
        props.isPart && "part",
      ]
        .filter(Boolean).join(" ")}
      onClick={onOpen && open}
    >
      {selection && (
        <td class="pick">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={words.table.selectRow}
            checked={isSelected}
            onChange={() => selection.toggle(id)}
          />
        </td>
      )}
      {columns.map(({ key, title, isNumber, cell }, at) => {
        const kept = {
          class: isNumber ? "number" : undefined,
          "data-column": key,
          "data-label": title,
        };
        return at === 0
          ? <th key={key} scope="row" {...kept}>{cell(row)}</th>
          : <td key={key} {...kept}>{cell(row)}</td>;
      })}
    </tr>
  ), [row, index, columns, isSelected, props.isActive, props.isPart, onOpen, selection, words]);
}
