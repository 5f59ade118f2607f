import type { WorkspaceStore } from "../platform/store/context.ts";
import type { CheckedGroup, DerivedRows } from "./derived_rows.ts";
import type { PriceChange } from "./prices/price_history.ts";
import { isBySender, listKnownImports, walkExportedChanges } from "./prices/price_history_store.ts";
import { walkPriceChanges } from "./products/price_changes.ts";

interface PlacedChange {
  readonly productId: string;
  readonly atMs: number;
  readonly change: PriceChange;
}

/**
 * The last price of the history of a product is its own one, and the price export has the changes that no
 * import made.
 */
export const PRICE_HISTORY: DerivedRows = {
  expect: ({ product: { ourPriceCents, currency } }) =>
    ourPriceCents === null ? [] : [lastText(priceText(ourPriceCents, currency))],

  /** Each change starts where the one before ended. */
  async *survey(workspace, sums) {
    const end = ({ productId, change: { toCents, currency } }: PlacedChange) => {
      if (toCents !== null) sums.find(productId, lastText(priceText(toCents, currency)));
    };
    const imports = await listKnownImports(workspace);
    let last: PlacedChange | null = null;
    for await (const placed of walkPriceChanges(workspace)) {
      const { productId, atMs, change } = placed;
      if (last && last.productId !== productId) {
        end(last);
        last = null;
      }
      const name = nameOf(placed);
      if ((last?.change.toCents ?? null) !== change.fromCents) {
        yield `${name} starts at another price`;
      }
      // A price that is still the first has no row: its card names the import, and is checked.
      const isSecond = last?.change.fromCents === null;
      for (const row of last === null ? [] : isSecond ? [last, placed] : [placed]) {
        if (!isBySender(row.change) || imports.has(row.change.ref)) continue;
        yield `${nameOf(row)} is of import ${row.change.ref}, whose sender nobody knows`;
      }
      if (change.source !== "import") sums.expect(productId, exportText(productId, atMs));
      last = placed;
    }
    if (last) end(last);
    for await (const row of walkExportedChanges(workspace)) {
      sums.find(row.productId, exportText(row.productId, row.atMs));
    }
  },

  async *compare(workspace, group) {
    const exported = await exportedIn(workspace, group);
    const newest = new Map<string, string>();
    for await (const placed of walkPriceChanges(workspace)) {
      const { productId, atMs, change } = placed;
      if (!group.has(productId)) continue;
      const isExported = exported.delete(`${productId} ${atMs}`);
      if (isExported !== (change.source !== "import")) {
        yield `${nameOf(placed)} is exported wrongly`;
      }
      newest.set(productId, priceText(change.toCents, change.currency));
    }
    for (const row of exported) yield `The price export has a change without history: ${row}`;
    for (const [id, { product }] of group.products) {
      const price = priceText(product.ourPriceCents, product.currency);
      const says = newest.get(id) ?? NO_PRICE;
      if (says !== price) yield `Product ${id} costs ${price}, its history says ${says}`;
    }
  },
};

const NO_PRICE = "none";

async function exportedIn(workspace: WorkspaceStore, { has }: CheckedGroup): Promise<Set<string>> {
  const rows = new Set<string>();
  for await (const { productId, atMs } of walkExportedChanges(workspace)) {
    if (has(productId)) rows.add(`${productId} ${atMs}`);
  }
  return rows;
}

function nameOf({ productId, change: { at } }: PlacedChange): string {
  return `The price change of product ${productId} at ${at}`;
}

function priceText(cents: number | null, currency: string): string {
  return cents === null ? NO_PRICE : `${cents} ${currency}`;
}

function lastText(price: string): string {
  return `costs ${price}`;
}

function exportText(productId: string, atMs: number): string {
  return `exported ${productId} ${atMs}`;
}
