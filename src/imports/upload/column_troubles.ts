/** What the columns of a table lack, before a row of it is judged: nobody shall learn it from the prices. */
import { columnAt } from "../../base/column_name.ts";
import type { FileFault } from "../files/file_fault.ts";
import type { Column, TableProfile } from "../profiles/table_profile.ts";
import type { TableLook } from "../files/open_table.ts";
import type { FileSetting } from "./read_file.ts";
import { readColumns } from "./table_columns.ts";

/** Two columns of one name, none with our price, some that nobody reads. */
export function columnTroubles(
  look: Pick<TableLook, "header" | "headerRow" | "rows">,
  profile: TableProfile,
  { tier }: Pick<FileSetting, "tier">,
): FileFault[] {
  const names = look.header.cells.map((cell) => cell?.trim() ?? "");
  const read = readColumns(profile, names);
  const place = { line: look.headerRow };
  const twice = names.filter((name, at) =>
    name !== "" && names.indexOf(name) < at && names.lastIndexOf(name) === at
  );
  const troubles = twice.map((name): FileFault => ({
    ...place,
    code: "duplicate_header",
    field: name,
    message: `Several columns are called "${name}": by that name the first one is read`,
  }));
  if (!hasOwnPrice(profile, names, tier)) {
    const message = "No column is our price, so our prices stay as they are";
    troubles.push({ ...place, code: "no_price_column", message });
  }
  // What the service has written itself has columns that are there to be looked at.
  const ignored = profile.keepsTiers ? [] : names.flatMap((name, at) => {
    const isEmpty = name === "" && look.rows.every(({ cells }) => !cells[at]?.trim());
    return read.has(at) || isEmpty ? [] : [name || `#${at + 1}`];
  });
  if (ignored.length > 0) {
    const value = ignored.join(", ");
    const message = `Nothing is read from ${ignored.length} of ${names.length} columns`;
    troubles.push({ ...place, code: "columns_ignored", message, value });
  }
  return troubles;
}

/** Prices of dealers and from a quantity on never become ours by themselves. */
function hasOwnPrice(
  { prices, fields }: TableProfile,
  names: readonly string[],
  tier: string | null,
): boolean {
  const isThere = (column: Column | null) =>
    column !== null &&
    (column.constant !== null || column.columns.some((name) => columnAt(name, names) >= 0));
  const isTierNamed = tier !== null || isThere(fields.tier);
  return prices.some(({ role, from, minQty }) =>
    isThere(from) && (minQty === 1 || typeof minQty === "object") &&
    (role === "own" || role === "sale" || role === "tier" && isTierNamed)
  );
}
