/**
 * Stores shop pages that show a single product, and suggested links from our products to these
 * pages. The pages are indexed by GTIN and manufacturer part number. Only a shop's discovery job
 * adds or changes pages of the shop. A pair of product and page has at most one suggestion, so a
 * pair that a person rejected is not suggested again.
 */
import { AVAILABILITIES, CONDITIONS, gtin14 } from "../../base/codes.ts";
import { partNumberKey } from "../../base/title_atoms.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { z } from "@hono/zod-openapi";
import { IdentityEvidence, type Verdict, VERDICTS } from "../../engine/matching/identity_codes.ts";

export interface PagePlace {
  readonly competitorId: string;
  readonly urlHash: string;
}

export type FoundPage = PagePlace & { readonly page: ShopPage };

const FOUND_MAX = 200;

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

const StoredShopPage = ShopPage.partial({ gtins: true, pack: true, foundBy: true });
type StoredShopPage = Readonly<z.output<typeof StoredShopPage>>;

function shopPageOf(stored: StoredShopPage): ShopPage {
  const { gtin, gtins = gtin === null ? [] : [gtin], pack = null, foundBy = "visit" } = stored;
  return { ...stored, gtins, pack, foundBy };
}

/** `superseded`: a better suggestion exists, the page fits no longer, or the product is deleted. */
export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "superseded"] as const;
type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

export const REJECTED_AS = ["other", "variant"] as const;

export const StoredSuggestion = z.strictObject({
  id: z.string(),
  productId: z.string(),
  competitorId: z.string(),
  urlHash: z.string().regex(/^[0-9a-f]{32}$/),
  page: StoredShopPage.transform(shopPageOf),
  verdict: z.enum(VERDICTS),
  score: z.number().min(0).max(1),
  reasons: z.array(IdentityEvidence),
  packFactor: z.number().nullable(),
  status: z.enum(SUGGESTION_STATUSES),
  rejectedAs: z.enum(REJECTED_AS).nullable(),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.object({ type: z.string(), id: z.string(), name: z.string() }).nullable(),
});
export type StoredSuggestion = Readonly<z.output<typeof StoredSuggestion>>;

export const suggestions = defineTable<StoredSuggestion, "id", "status" | "page">({
  prefix: "sg",
  about: "a suggestion to link a product to a page",
  key: { id: "id" },
  valueHasKey: true,
  codec: {
    decode: (row: StoredSuggestion) => ({ ...row, page: shopPageOf(row.page) }),
  },
  indexes: {
    status: { prefix: "sgs", key: { status: "text" }, value: ({ verdict }) => verdict },
    page: { prefix: "sgp", key: { productId: "id", urlHash: "hex" }, unique: true },
  },
  keep: {
    what: "suggested links that were replaced by others",
    days: 400,
    isOld: ({ status, decidedAt }, before) =>
      status === "superseded" && decidedAt !== null && new Date(decidedAt) < before,
  },
});

/** Yields suggestions that are older than the one with the id `before`, newest first. */
export async function* walkSuggestions(
  workspace: WorkspaceStore,
  status: SuggestionStatus,
  before: string | null,
  limit: number,
): AsyncGenerator<StoredSuggestion> {
  const range = { after: before === null ? null : { id: before }, order: "desc", limit } as const;
  for await (const { row } of suggestions.walkBy(workspace, "status", { status }, range)) yield row;
}

export async function countVerdicts(
  workspace: WorkspaceStore,
  status: SuggestionStatus,
  most: number,
): Promise<Map<Verdict, number>> {
  const counts = new Map<Verdict, number>();
  const range = { order: "desc", limit: most } as const;
  const rows = suggestions.walkIndex(workspace, "status", { status }, range);
  for await (const { key: { id }, value } of rows) {
    const verdict = VERDICTS.find((one) => one === value) ??
      // Earlier versions of Kurant did not store the verdict in the index.
      (await suggestions.find(workspace, { id }))?.row.verdict;
    if (verdict) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  return counts;
}

export async function listSuggestionsOf(
  workspace: WorkspaceStore,
  productId: string,
): Promise<StoredSuggestion[]> {
  const found = await suggestions.listBy(workspace, "page", { productId }, { limit: 1_000 });
  return found.map(({ row }) => row);
}

export async function changeSuggestion(
  write: Write,
  workspace: WorkspaceStore,
  { id, status }: StoredSuggestion,
  after: StoredSuggestion,
): Promise<boolean> {
  const found = await suggestions.find(workspace, { id });
  if (found?.row.status !== status) return false;
  suggestions.save(write, workspace, found, after);
  return true;
}

export const OPEN_PER_SHOP_MAX = 3;

const KEPT_LINKS = 100;

export interface AutomaticShop {
  readonly competitorId: string;
  readonly linkIds: readonly string[];
}

export const automaticShops = defineTable<AutomaticShop, "competitorId">({
  prefix: "dsa",
  about: "the last 100 automatic links of a shop",
  key: { competitorId: "id" },
  codec: {
    encode: ({ linkIds }) => ({ links: Uint8Array.fromHex(linkIds.slice(-KEPT_LINKS).join("")) }),
    decode: ({ links }: { links: Uint8Array }) => ({
      linkIds: links.toHex().match(/.{24}/g) ?? [],
    }),
  },
  check: belongsToShop("A row of automatic links"),
});

export const comparedChanges = defineTable<{ readonly position: string }>({
  prefix: "dsn",
  about: "the position up to which the log of changed products was compared with the known pages",
  key: {},
  value: "position",
});
