/** Five invented shops and their prices by day. Their pages and the history use the same prices. */
import { DAY_MS } from "../../base/time.ts";
import { chanceOf } from "./chance.ts";
import type { DemoProduct } from "./demo_catalogue.ts";

/** How the pages of a shop show their price, or why they show none. */
type DemoShopKind = "json_ld" | "microdata" | "opengraph" | "both" | "down";

export interface DemoShop {
  readonly name: string;
  readonly kind: DemoShopKind;
  /** The general price level of the shop, as a share of our price. */
  readonly level: number;
  /** The share of our compared products that it sells. */
  readonly share: number;
  /** True if its pages are listed in several compressed sitemaps. */
  readonly hasIndex?: boolean;
}

export const DEMO_SHOPS: readonly DemoShop[] = [
  { name: "Technikhaus Weber", kind: "both", level: 1.01, share: 0.95, hasIndex: true },
  { name: "Haushalt24", kind: "json_ld", level: 0.995, share: 0.85 },
  { name: "Elektro Brandt", kind: "microdata", level: 1.03, share: 0.8 },
  { name: "SparMarkt Online", kind: "opengraph", level: 0.985, share: 0.7 },
  { name: "Kücheneck", kind: "down", level: 1.05, share: 0.45 },
];

/** A product at a shop; address and prices follow from the two. */
export interface DemoOffer {
  readonly product: DemoProduct;
  readonly shop: DemoShop;
  /** Path below the shop's address. */
  readonly path: string;
  /** The condition as in schema.org; absent if new. */
  readonly condition?: string;
}

export function demoOffers(products: readonly DemoProduct[]): DemoOffer[] {
  return products.filter(({ isCompared }) => isCompared).flatMap((product) =>
    DEMO_SHOPS.filter(({ name, share }) => chanceOf("sells", name, product.sku) < share)
      .map((shop) => ({ product, shop, path: pathOf(product, shop) }))
  );
}

/** Returns the path; one shop excludes robots from its special offers. */
function pathOf({ sku }: DemoProduct, { name, kind }: DemoShop): string {
  const isSpecial = kind === "opengraph" && chanceOf("special", name, sku) < 0.15;
  return `/${isSpecial ? "angebote" : "p"}/${sku.toLowerCase()}.html`;
}

/** Returns the shop's price at a time. It stays for days, then moves by a few percent. */
export function shopPriceCents({ product, shop }: DemoOffer, at: Date): number {
  const key = `${shop.name} ${product.sku}`;
  const holdDays = 4 + Math.floor(chanceOf("hold", key) * 14);
  const step = Math.floor((at.getTime() / DAY_MS + chanceOf("phase", key) * holdDays) / holdDays);
  const own = 1 + (chanceOf("own level", key) - 0.5) * 0.08;
  const move = 1 + (chanceOf("move", key, step) - 0.5) * 0.06;
  const cents = product.priceCents * shop.level * own * move;
  return cents < 10_000 ? Math.round(cents / 10) * 10 - 1 : Math.round(cents / 100) * 100 - 1;
}

export function isInStock({ product, shop }: DemoOffer, at: Date): boolean {
  const week = Math.floor(at.getTime() / (7 * DAY_MS));
  return chanceOf("stock", shop.name, product.sku, week) > 0.06;
}
