import { AVAILABILITIES, CONDITIONS } from "../../base/codes.ts";
import { z } from "@hono/zod-openapi";

/** Who said what is known of a page. */
export const PAGE_SOURCES = ["visit", "feed"] as const;

/** More numbers than any honest page has of its product in all its packs. */
export const PAGE_GTINS_MAX = 20;

/** What a page of a shop says of the one product that it shows. */
export const ShopPage = z.object({
  url: z.string(),
  title: z.string().nullable(),
  brand: z.string().nullable(),
  gtin: z.string().nullable().meta({
    description: "The GTIN or EAN on the page; null where it has none, or several",
  }),
  gtins: z.array(z.string()).max(PAGE_GTINS_MAX).meta({
    description: "All of them: of packs and variants, too",
  }),
  mpn: z.string().nullable(),
  sku: z.string().nullable().meta({ description: "The number of the shop" }),
  condition: z.enum(CONDITIONS).nullable(),
  price: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  currency: z.string().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  isOpenVariant: z.boolean().meta({
    description: "The page has variants, and nothing says which one counts",
  }),
  pack: z.int().nullable().meta({
    description: "How many pieces it sells as one, where a feed says so",
  }),
  foundBy: z.enum(PAGE_SOURCES).meta({
    description: "Who said all this last: a visit of the page, or a feed of the shop",
  }),
  seenAt: z.iso.datetime().meta({ description: "When that was" }),
}).meta({ id: "ShopPage" });

export type ShopPage = Readonly<z.output<typeof ShopPage>>;

/** A page as it may lie in the store, or in a file of before: what came later may be missing. */
export const StoredShopPage = ShopPage.partial({ gtins: true, pack: true, foundBy: true });

export type StoredShopPage = Readonly<z.output<typeof StoredShopPage>>;

/** A page as it is now, whenever it was stored. */
export function shopPageOf(stored: StoredShopPage): ShopPage {
  const { gtin, gtins = gtin === null ? [] : [gtin], pack = null, foundBy = "visit" } = stored;
  return { ...stored, gtins, pack, foundBy };
}
