import type { ComponentChildren } from "preact";
import type { Column } from "./column.ts";
import { useFittingColumns } from "./use_fitting_columns.ts";

interface SimpleTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  idOf(row: Row): string;
  readonly empty?: ComponentChildren;
}

/** A short table inside a page: all rows drawn, no keys of its own. */
export function SimpleTable<Row>(props: SimpleTableProps<Row>) {
  const { label, rows, idOf, empty } = props;
  const columns = useFittingColumns(props.columns);
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div class="simple-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="table simple" aria-label={label}>
        <thead>
          <tr>
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
            <tr key={idOf(row)}>
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
