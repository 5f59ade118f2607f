/**
 * Pages of shops that show a single product, indexed by GTIN and manufacturer part number. Only the
 * discovery job of a shop writes the rows of its pages.
 */
import { AVAILABILITIES, CONDITIONS, gtin14 } from "../../base/codes.ts";
import { partNumberKey } from "../../base/title_atoms.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { pagesOf } from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { z } from "@hono/zod-openapi";

export interface PagePlace {
  readonly competitorId: string;
  readonly urlHash: string;
}

export type FoundPage = PagePlace & { readonly page: ShopPage };

export const FOUND_MAX = 200;

export const foundPages = defineTable<FoundPage, "competitorId" | "urlHash", "gtin" | "mpn">({
  prefix: "sp",
  about: "a page of a shop that shows a product",
  key: { competitorId: "id", urlHash: "hex" },
  codec: { encode: ({ page }) => page, decode: (page: ShopPage) => ({ page: shopPageOf(page) }) },
  indexes: {
    gtin: {
      prefix: "spg",
      key: { gtin: "text" },
      of: ({ page }) => numbersOf(page).gtins.map((gtin) => ({ gtin })),
    },
    mpn: { prefix: "spm", key: { mpn: "text" }, of: ({ page }) => [{ mpn: numbersOf(page).mpn }] },
  },
  check: belongsToShop("A page"),
  keep: {
    what: "pages that discovery has found",
    days: 400,
    isOld: ({ page: { seenAt } }, before) => new Date(seenAt) < before,
  },
});

export const pageParts = defineTable<PagePart, keyof PagePart>({
  prefix: "spv",
  about: "a row of an earlier version of Kurant; deleted at night",
  key: { competitorId: "id", part: "number" },
});

interface PagePart {
  readonly competitorId: string;
  readonly part: number;
}

function numbersOf({ gtins, mpn }: Pick<ShopPage, "gtins" | "mpn">) {
  return {
    gtins: [...new Set(gtins.flatMap((gtin) => gtin14(gtin) ?? []))],
    mpn: mpn === null ? null : partNumberKey(mpn),
  };
}

export function savePage(
  write: Write,
  workspaceId: string,
  { competitorId, urlHash }: PagePlace,
  before: ShopPage | null,
  page: ShopPage | null,
): void {
  const place = { competitorId, urlHash };
  const old = before && { ...place, page: before };
  if (page) foundPages.put(write, { workspaceId }, { ...place, page }, old);
  else if (old) foundPages.drop(write, { workspaceId }, old);
}

export async function findPagesByNumber(
  workspace: WorkspaceStore,
  { ean, mpn }: { readonly ean: string | null; readonly mpn: string | null },
): Promise<FoundPage[]> {
  const numbers = numbersOf({ gtins: ean === null ? [] : [ean], mpn });
  const bounds = { limit: FOUND_MAX };
  const found = new Map<string, FoundPage>();
  const [gtin] = numbers.gtins;
  const lists = [
    gtin === undefined ? [] : await foundPages.listBy(workspace, "gtin", { gtin }, bounds),
    numbers.mpn === null ? [] : await foundPages.listBy(workspace, "mpn", numbers, bounds),
  ];
  for (const { row } of lists.flat()) found.set(`${row.competitorId} ${row.urlHash}`, row);
  return [...found.values()];
}

export async function findPages(
  workspace: WorkspaceStore,
  places: readonly PagePlace[],
): Promise<FoundPage[]> {
  const found = await foundPages.getMany(workspace, places);
  return found.flatMap((one) => one ? [one.row] : []);
}

export function shopPages(
  workspace: WorkspaceStore,
  competitorId: string,
  size: number,
  after: string | null = null,
) {
  const read = async (urlHash: string | null, limit: number) => {
    const range = { within: { competitorId }, after: urlHash === null ? null : { urlHash }, limit };
    return (await foundPages.list(workspace, range)).map(({ row }) => row);
  };
  return pagesOf(read, ({ urlHash }: PagePlace) => urlHash, size, after);
}

const PAGE_SOURCES = ["visit", "feed"] as const;

export const PAGE_GTINS_MAX = 20;

export const ShopPage = z.object({
  url: z.string(),
  title: z.string().nullable(),
  brand: z.string().nullable(),
  gtin: z.string().nullable()
    .describe("The GTIN or EAN on the page; null if it has none or several"),
  gtins: z.array(z.string()).max(PAGE_GTINS_MAX)
    .describe("All GTINs, including those of packs and variants"),
  mpn: z.string().nullable(),
  sku: z.string().nullable().describe("The shop's own number"),
  condition: z.enum(CONDITIONS).nullable(),
  price: z.int().nullable().describe("Minor units of `currency`"),
  currency: z.string().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  isOpenVariant: z.boolean()
    .describe("The page has variants, and it is not clear which one is meant"),
  pack: z.int().nullable().describe("Number of pieces per pack, if a feed says it"),
  foundBy: z.enum(PAGE_SOURCES)
    .describe("Source of the last update: a visit of the page, or a feed of the shop"),
  seenAt: z.iso.datetime().describe("Time of the last update"),
}).meta({ id: "ShopPage" });
export type ShopPage = Readonly<z.output<typeof ShopPage>>;

export const StoredShopPage = ShopPage.partial({ gtins: true, pack: true, foundBy: true });
export type StoredShopPage = Readonly<z.output<typeof StoredShopPage>>;

export function shopPageOf(stored: StoredShopPage): ShopPage {
  const { gtin, gtins = gtin === null ? [] : [gtin], pack = null, foundBy = "visit" } = stored;
  return { ...stored, gtins, pack, foundBy };
}
