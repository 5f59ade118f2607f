/** Writes products directly to a store, with all rows that an import would write. */
import { NO_MARKS } from "../../src/catalogue/products/index_row_store.ts";
import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../src/platform/store/context.ts";
import { transact, type Write } from "../../src/platform/store/kv.ts";
import { NOTHING_KEPT, saveRuleState } from "../../src/rules/evaluation/rule_state_store.ts";
import { blankCompetitor, competitors } from "../../src/shops/competitor_store.ts";
import { blankOffer, type Offer } from "../../src/shops/offers/offer.ts";
import { putOffers } from "../../src/shops/offers/offer_store.ts";
import { putChanges } from "../catalogue/catalogue_workspace.ts";
import type { TestApp } from "../harness.ts";

const PER_COMMIT = 50;
const MARKS = { ...NO_MARKS, isFromImport: true };
const ACTOR = { type: "system", id: "bench", name: "bench" } as const;

/** `more` adds further rows of a product to the same commit. */
export async function seedProducts(
  place: WorkspaceStore,
  count: number,
  productOf: (n: number) => Product,
  more: (write: Write, product: Product, n: number) => void = () => {},
): Promise<void> {
  const cause = { source: "import", actor: ACTOR, ref: null } as const;
  await putChanges(place, count, (n, write) => {
    const product = productOf(n);
    more(write, product, n);
    return { before: null, after: { product, marks: MARKS }, cause };
  });
}

/** Changes prices as a person would, so that the price export contains them. */
export async function seedPriceMoves(
  place: WorkspaceStore,
  products: readonly Product[],
  after: (product: Product) => Product,
): Promise<void> {
  const cause = { source: "api", actor: ACTOR, ref: null } as const;
  await putChanges(place, products.length, (n) => {
    const [before, product] = [products[n]!, after(products[n]!)];
    return { before: { product: before, marks: MARKS }, after: { product, marks: MARKS }, cause };
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

/** Has about 870 bytes as JSON, like products of real catalogues. */
export function applianceOf({ newId, now }: Pick<ClockAndIds, "newId" | "now">, n: number) {
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
  const memory = { lastFiredAtMs: ctx.now().getTime() - 9_000_000, rank: null };
  const state = { [ctx.newId()]: memory };
  await seedProducts(ctx, products, (n) => productOf(ctx, n), (write, product, n) => {
    const after = shops.map(({ id }, shop) => offerOf(ctx, id, n, shop));
    putOffers(write, ctx.workspaceId, product, { before: [], after });
    saveRuleState(write, ctx.workspaceId, product, { ...NOTHING_KEPT, state });
  });
}

type Seeder = Pick<Context, "store" | "workspaceId" | "now" | "newId">;

async function seedShops(ctx: Seeder, count: number) {
  const createdAt = ctx.now().toISOString();
  const shops = Array.from({ length: count }, (_, n) => {
    const domain = `shop-${n}.example`;
    return blankCompetitor({ id: ctx.newId(), domain, colour: n + 1, createdAt });
  });
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

const ENABLED = { enabled: true, disabledBy: null, noPrice: false } as const;

function offerOf(ctx: Seeder, competitorId: string, n: number, shop: number): Offer {
  const seenMs = ctx.now().getTime() - 3_600_000;
  const urlHash = n.toString(16).padStart(32, "0");
  const ids = { matchId: ctx.newId(), competitorId, urlHash };
  return {
    ...blankOffer({ ...ids, ...ENABLED, packFactor: 1, matchType: "exact" }),
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
