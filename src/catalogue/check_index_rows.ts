/** The rows that filters go by, and the counts of their values. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { DerivedRows } from "./derived_rows.ts";
import { readDictionary } from "./lists/dictionary_store.ts";
import { expectedIndexRows, walkIndexRows } from "./products/product_index_store.ts";
import { DIMENSIONS, filterFieldsOf, type Tally } from "./products/product_tally.ts";

/** Active products have some, deleted ones none. */
export const INDEX_ROWS: DerivedRows = {
  expect({ product, isDeleted }) {
    if (isDeleted) return [];
    const fields = filterFieldsOf(product);
    return expectedIndexRows(product).map((row) => rowText(row, fields));
  },

  // deno-lint-ignore require-yield -- a row by itself is never wrong
  async *survey(workspace, sums) {
    for await (const { table, value, id, fields } of walkIndexRows(workspace)) {
      sums.find(id, rowText(`${table} ${String(value)}`, fields));
    }
  },

  async *compare(workspace, { products, has }) {
    const left = new Map(
      products.entries().map(([id, { product, isDeleted }]) => [
        id,
        { rows: new Set(isDeleted ? [] : expectedIndexRows(product)), of: filterFieldsOf(product) },
      ]),
    );
    for await (const { table, value, id, fields } of walkIndexRows(workspace)) {
      if (!has(id)) continue;
      const row = `${table} ${String(value)}`;
      const expected = left.get(id);
      if (!expected?.rows.delete(row)) {
        yield `Product ${id} has the index row "${row}" too many`;
      } else if (table !== "pu" && expected.of.some((field, at) => field !== fields[at])) {
        yield `Product ${id} has other filter fields in its index row "${row}"`;
      }
    }
    for (const [id, { rows }] of left) {
      for (const row of rows) yield `Product ${id} lacks the index row "${row}"`;
    }
  },
};

/** The order of changes carries no fields. */
function rowText(row: string, fields: readonly unknown[]): string {
  if (row.startsWith("pu ")) return row;
  return [row, ...fields.map((field) => `${typeof field} ${field}`)].join("\n");
}

/** Compares the counts of values with those of the active products. */
export async function* checkCounts(
  workspace: WorkspaceStore,
  tally: Tally,
): AsyncGenerator<string> {
  const { dictionary } = await readDictionary(workspace);
  if (dictionary.total !== tally.products) {
    yield `${tally.products} products are active, the count says ${dictionary.total}`;
  }
  for (const dimension of DIMENSIONS) {
    const stored = dictionary.values[dimension];
    const counted = tally.values[dimension];
    for (const value of new Set([...stored.keys(), ...counted.keys()])) {
      const [is, says] = [counted.get(value) ?? 0, stored.get(value) ?? 0];
      if (is !== says) yield `${is} products have ${dimension} "${value}", the count says ${says}`;
    }
  }
}
