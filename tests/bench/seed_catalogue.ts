/** Writes products directly to a store, with all rows that an import would write. */

import { NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";
import { type ProductChange, putProduct } from "../../src/catalogue/products/product_store.ts";
import { createCounters, saveCounters } from "../../src/catalogue/products/change_log_store.ts";
import type { ClockAndIds, WorkspaceStore } from "../../src/platform/store/context.ts";
import { transact, type Write } from "../../src/platform/store/kv.ts";

interface SeedPlace extends WorkspaceStore {
  readonly clock: Pick<ClockAndIds, "now" | "newId">;
}

const PER_COMMIT = 50;
const ACTOR = { type: "system", id: "bench", name: "bench" } as const;

/** Writes products as an import does. `more` adds rows to each product's commit. */
export async function seedProducts(
  place: SeedPlace,
  count: number,
  productOf: (n: number) => Product,
  more: (write: Write, product: Product, n: number) => void = () => {},
): Promise<void> {
  await putAll(place, count, (n, write) => {
    const product = productOf(n);
    more(write, product, n);
    return {
      before: null,
      after: { product, marks: { ...NO_MARKS, isFromImport: true } },
      cause: { source: "import", actor: ACTOR, ref: null },
    };
  });
}

/** Changes prices of stored products as a person does, so that the price export contains them. */
export async function seedPriceMoves(
  place: SeedPlace,
  products: readonly Product[],
  after: (product: Product) => Product,
): Promise<void> {
  const marks = { ...NO_MARKS, isFromImport: true };
  await putAll(place, products.length, (n) => {
    const product = products[n]!;
    return {
      before: { product, marks },
      after: { product: after(product), marks },
      cause: { source: "api", actor: ACTOR, ref: null },
    };
  });
}

export async function inCommits<T>(
  place: WorkspaceStore,
  rows: readonly T[],
  put: (write: Write, row: T, n: number) => void,
): Promise<void> {
  for (let at = 0; at < rows.length; at += PER_COMMIT) {
    await transact(place, (write) => {
      for (const [n, row] of rows.slice(at, at + PER_COMMIT).entries()) put(write, row, at + n);
      return Promise.resolve();
    });
  }
}

async function putAll(
  place: SeedPlace,
  count: number,
  changeOf: (n: number, write: Write) => ProductChange,
): Promise<void> {
  for (let at = 0; at < count; at += PER_COMMIT) {
    await transact(place, (write) => {
      const counters = createCounters();
      for (let n = at; n < Math.min(count, at + PER_COMMIT); n++) {
        putProduct(write, place.workspaceId, changeOf(n, write), counters);
      }
      saveCounters(write, place.workspaceId, counters);
    });
  }
}

/**
 * A product with about 760 bytes of JSON, as in real catalogues, of one of 397 brands and 120
 * categories.
 */
export function applianceOf({ newId, now }: SeedPlace["clock"], n: number): Product {
  return {
    ...blankProduct({
      id: newId(),
      sku: `SKU-${n}`,
      title: `Kühlschrank KS ${n} mit Gefrierfach, 300 Liter, weiß`,
      currency: "EUR",
      createdAt: now().toISOString(),
    }),
    brand: `Marke ${n % 397}`,
    category: `Haushalt/Gruppe ${n % 120}`,
    tier: "STANDARD",
    ourPriceCents: 9_999 + n,
    ean: "4006381333931",
    mpn: `KS${n}`,
    url: `https://shop.example/kuehlschrank-ks-${n}.html`,
    attributes: { farbe: "weiß", breite: "60 cm" },
  };
}
