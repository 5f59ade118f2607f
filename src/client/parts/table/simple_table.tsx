import type { ComponentChildren } from "preact";
import { useApp } from "../../app/app.ts";
import type { Column } from "./column.ts";
import { PickAll } from "./table_head.tsx";
import type { Selection } from "./use_selection.ts";
import { useFittingColumns } from "./use_fitting_columns.ts";

interface SimpleTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  idOf(row: Row): string;
  /** The checkbox's name for screen readers; with `selection`. */
  nameOf?(row: Row): string;
  readonly selection?: Selection | undefined;
  readonly empty?: ComponentChildren;
}

/** A short table inside a page: all rows drawn, no keys of its own. */
export function SimpleTable<Row>(props: SimpleTableProps<Row>) {
  const { label, rows, idOf, nameOf, selection, empty } = props;
  const { words } = useApp();
  const columns = useFittingColumns(props.columns);
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div class="simple-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="table simple" aria-label={label}>
        <thead>
          <tr>
            {selection && <PickAll selection={selection} ids={rows.map(idOf)} />}
            {columns.map(({ key, title, isNumber, width }) => (
              <th
                key={key}
                scope="col"
                class={isNumber ? "number" : undefined}
                style={{ minWidth: `${width}px` }}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={idOf(row)}
              class={selection?.has(idOf(row)) ? "selected" : undefined}
              aria-selected={selection?.has(idOf(row))}
            >
              {selection && (
                <td class="pick">
                  <input
                    type="checkbox"
                    aria-label={nameOf?.(row) ?? words.table.selectRow}
                    checked={selection.has(idOf(row))}
                    onChange={() => selection.toggle(idOf(row))}
                  />
                </td>
              )}
              {columns.map(({ key, title, isNumber, cell }, at) => {
                const kept = { class: isNumber ? "number" : undefined, "data-label": title };
                return at === 0
                  ? <th key={key} scope="row" {...kept}>{cell(row)}</th>
                  : <td key={key} {...kept}>{cell(row)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
