import { blankProduct, type Product } from "../../src/catalogue/products/product.ts";
import type { Context } from "../../src/platform/store/context.ts";
import { NOTHING_SEEN, saveRuleState } from "../../src/rules/evaluation/rule_state_store.ts";
import { blankCompetitor, competitors } from "../../src/shops/competitor_store.ts";
import { blankOffer, type Offer } from "../../src/shops/offers/offer.ts";
import { putOffers } from "../../src/shops/offers/offer_store.ts";
import type { TestApp } from "../harness.ts";
import { inCommits, seedProducts } from "./seed_catalogue.ts";

const BRANDS = 400;
const TEXT = "Ein Absatz, wie er in einem Katalog steht, damit Dokumente ihre Länge haben. ";

/** Products for about 100.00 EUR, each with a rule state and an hour-old offer of every shop. */
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
    saveRuleState(write, workspaceId, product, { state, seen: NOTHING_SEEN });
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
