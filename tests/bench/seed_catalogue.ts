/** Writes products directly to a store, with all rows that an import would write. */
import { NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";
import { type ProductChange, putProduct } from "../../src/catalogue/products/product_store.ts";
import { createCounters, saveCounters } from "../../src/catalogue/products/change_log_store.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../src/platform/store/context.ts";
import { transact, type Write } from "../../src/platform/store/kv.ts";
import { NOTHING_KEPT, saveRuleState } from "../../src/rules/evaluation/rule_state_store.ts";
import { blankCompetitor, competitors } from "../../src/shops/competitor_store.ts";
import { blankOffer, type Offer } from "../../src/shops/offers/offer.ts";
import { putOffers } from "../../src/shops/offers/offer_store.ts";
import type { TestApp } from "../harness.ts";

interface SeedPlace extends WorkspaceStore {
  readonly clock: Pick<ClockAndIds, "now" | "newId">;
}

const PER_COMMIT = 50;
const ACTOR = { type: "system", id: "bench", name: "bench" } as const;

/** `more` adds further rows of a product to the same commit. */
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

/** Changes prices as a person would, so that the price export contains them. */
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

/** Has about 870 bytes as JSON, like products of real catalogues. */
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

const BRANDS = 400;
const TEXT = "Ein Absatz, wie er in einem Katalog steht, damit Dokumente ihre Länge haben. ";

/** Adds products at about 100.00 EUR, each with a rule state and an hour-old offer per shop. */
export async function seedOffers(
  ctx: Context,
  { products, shops: count }: { readonly products: number; readonly shops: number },
): Promise<void> {
  const shops = await seedShops(ctx, count);
  const remembered = ctx.newId();
  const { store, workspaceId } = ctx;
  const place = { store, workspaceId, clock: ctx };
  await seedProducts(place, products, (n) => productOf(ctx, n), (write, product, n) => {
    const after = shops.map(({ id }, shop) => offerOf(ctx, id, n, shop));
    putOffers(write, workspaceId, product, { before: [], after });
    const memory = { lastFiredAtMs: ctx.now().getTime() - 9_000_000, rank: null };
    const state = { [remembered]: memory };
    saveRuleState(write, workspaceId, product, { ...NOTHING_KEPT, state });
  });
}

type Seeder = Pick<Context, "store" | "workspaceId" | "now" | "newId">;

async function seedShops(ctx: Seeder, count: number) {
  const shops = Array.from({ length: count }, (_, n) => ({
    ...blankCompetitor({
      id: ctx.newId(),
      domain: `shop-${n}.example`,
      colour: n + 1,
      createdAt: ctx.now().toISOString(),
    }),
  }));
  await inCommits(ctx, shops, (write, shop) => competitors.put(write, ctx, shop));
  return shops;
}

export async function seedOffersOf(
  ctx: Seeder,
  products: readonly Pick<Product, "id" | "sku">[],
  count: number,
): Promise<void> {
  const shops = await seedShops(ctx, count);
  await inCommits(ctx, products, (write, product, n) => {
    const after = shops.map(({ id }, shop) => offerOf(ctx, id, n, shop));
    putOffers(write, ctx.workspaceId, product, { before: [], after });
  });
}

function productOf(ctx: Context, n: number) {
  const createdAt = ctx.now().toISOString();
  const sku = `SKU-${String(n).padStart(7, "0")}`;
  return {
    ...blankProduct({ id: ctx.newId(), sku, title: `Artikel ${n}`, currency: "EUR", createdAt }),
    brand: `Brand ${n % BRANDS}`,
    category: `Kategorie ${n % 60}`,
    ourPriceCents: 10_000 + n % 500,
    ourPriceUpdatedAt: createdAt,
    costPriceCents: 6_000,
    attributes: { text: TEXT.repeat(2) },
  };
}

function offerOf(ctx: Seeder, competitorId: string, n: number, shop: number): Offer {
  const terms = {
    matchId: ctx.newId(),
    competitorId,
    urlHash: n.toString(16).padStart(32, "0"),
    enabled: true,
    disabledBy: null,
    packFactor: 1,
    matchType: "exact" as const,
    noPrice: false,
  };
  const seenMs = ctx.now().getTime() - 3_600_000;
  return {
    ...blankOffer(terms),
    priceCents: 9_800 + (n * 7 + shop * 131) % 900,
    currency: "EUR",
    availability: "in_stock",
    confidence: 1,
    observedAtMs: seenMs,
    checkedAtMs: seenMs,
    status: "ok",
  };
}

export function contextOf({ store, workspaceId, app: { clock } }: TestApp): Context {
  const { now, newId, cursors } = clock;
  const actor = { type: "system", id: newId(), name: "bench" } as const;
  return { store, workspaceId, actor, requestId: "bench", receipt: null, now, newId, cursors };
}
