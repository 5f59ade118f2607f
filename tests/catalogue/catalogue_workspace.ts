/** Workspaces and random products for tests of the catalogue. */
import {
  addWorkspace,
  type Workspace,
  WORKSPACE_DEFAULTS,
  workspacesVersion,
} from "../../src/accounts/workspace.ts";
import { CatalogueCache } from "../../src/catalogue/lists/catalogue_cache.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../src/platform/store/context.ts";
import { type Store, transact, type Write } from "../../src/platform/store/kv.ts";
import { openMemoryStore } from "../memory_store.ts";
import { testWith } from "../opened.ts";
import { contextOf, createTestClock } from "../platform/jobs/counting.ts";
import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";
import type { PriceCause } from "../../src/catalogue/prices/price_rows.ts";
import { createCounters, saveCounters } from "../../src/catalogue/products/change_log_store.ts";
import { NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import { type ProductChange, putProduct } from "../../src/catalogue/products/product_store.ts";

export interface TestWorkspace extends Context, Disposable {
  readonly cache: CatalogueCache;
  advance(ms: number): void;
}

export async function addTestWorkspace(
  store: Store,
  clock: ClockAndIds,
  settings: Partial<Workspace> = {},
): Promise<Context> {
  const ctx = contextOf(store, clock, clock.newId());
  const { workspaceId: id } = ctx;
  const createdAt = ctx.now().toISOString();
  const workspace = { id, name: `Shop ${id}`, ...WORKSPACE_DEFAULTS, createdAt, ...settings };
  await transact(ctx, async (write) => {
    addWorkspace(write, workspace, await workspacesVersion(store));
  });
  return ctx;
}

export async function openTestWorkspace(store?: Store): Promise<TestWorkspace> {
  const owned = store ?? await openMemoryStore();
  const clock = createTestClock(Date.parse("2026-08-01T09:00:00Z"));
  const ctx = await addTestWorkspace(owned, clock, { quarantine: null });
  return {
    ...ctx,
    actor: { type: "user", id: clock.newId(), name: "anna@example.com" },
    cache: new CatalogueCache(),
    advance: clock.advance,
    [Symbol.dispose]() {
      if (!store) owned.kv.close();
    },
  };
}

export const withWorkspace = testWith(() => openTestWorkspace());

export const MADE_AT = "2026-03-02T09:00:00.000Z";

export function madeProduct(given: Partial<Product> = {}): Product {
  const id = "a".repeat(24);
  const blank = blankProduct({ id, sku: "S-1", title: "T", currency: "EUR", createdAt: MADE_AT });
  return { ...blank, ...given };
}

export const BRANDS = ["Bosch", "Bosch Siemens", "Kühn", "KÜHL & Co", "Sony", null];
export const CATEGORIES = ["Haushalt", "Haushalt/Kühlen", "Audio", null];
export const TIERS = ["STANDARD", "B2B", null];

/** Two products with the same `n` differ only in their ids and times of creation. */
export function productOf(ctx: Context, n: number): Product {
  return {
    ...blankProduct({
      id: ctx.newId(),
      sku: `SKU-${n}`,
      title: n % 7 === 0 ? `Kühlschrank ${n}` : `Gerät ${n}`,
      currency: "EUR",
      createdAt: ctx.now().toISOString(),
    }),
    brand: BRANDS[n % BRANDS.length] ?? null,
    category: CATEGORIES[(n >> 1) % CATEGORIES.length] ?? null,
    tier: TIERS[(n >> 2) % TIERS.length] ?? null,
  };
}

const PER_COMMIT = 50;

/** Writes changes of products in commits of 50, without audit rows. */
export async function putChanges(
  place: WorkspaceStore,
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

export async function addProducts(
  ctx: Context,
  products: readonly Product[],
  cause: PriceCause = { source: "api", actor: ctx.actor, ref: null },
): Promise<void> {
  await putChanges(ctx, products.length, (n) => (
    { before: null, after: { product: products[n]!, marks: NO_MARKS }, cause }
  ));
}

export async function addNumbered(ctx: Context, count: number): Promise<Product[]> {
  const products = Array.from({ length: count }, (_, n) => productOf(ctx, n));
  await addProducts(ctx, products);
  return products;
}
