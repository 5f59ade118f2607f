/**
 * Keys: `sp W competitorId urlHash` → a page of a shop that shows a product; `spg W gtin14 competitorId
 * urlHash` and `spm W partNumberKey competitorId urlHash` → empty, the pages with a number.
 *
 * `spv W competitorId part` → empty; its version says when a page of the part was written last, so that
 * who keeps pages in memory reads again what is new. A part is a sixty-fourth, by the hash.
 *
 * A page is written with the rows of its numbers and its part. The job of a shop alone writes them.
 */

import { AVAILABILITIES, CONDITIONS } from "../../base/codes.ts";
import { idBytes } from "../../base/id.ts";
import { gtin14 } from "../../base/gtin.ts";
import { partNumberKey } from "../../engine/matching/title_atoms.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { bytesIn, idIn } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { pagesOf } from "../../platform/store/pages_of.ts";
import { getRows, listVersions, removeInBatches } from "../../platform/store/rows.ts";
import { z } from "@hono/zod-openapi";

/** Where a page is. */
export interface PagePlace {
  readonly competitorId: string;
  /** 32 hex characters, as in matches. */
  readonly urlHash: string;
}

/** A page at its place. */
export type FoundPage = PagePlace & { readonly page: ShopPage };

const PAGES_PER_COMMIT = 100;
/** The pages of a shop are told apart by the first six bits of their hash. */
export const PAGE_PARTS = 64;
const HASHES_PER_PART = 256 / PAGE_PARTS;
/** Of pages with one number over all shops; no honest number has more. */
const FOUND_MAX = 200;

const pageKey = (workspaceId: string, { competitorId, urlHash }: PagePlace) => [
  "sp",
  idBytes(workspaceId),
  idBytes(competitorId),
  Uint8Array.fromHex(urlHash),
];

const versionsKey = (workspaceId: string, competitorId: string) => [
  "spv",
  idBytes(workspaceId),
  idBytes(competitorId),
];

type Number = readonly [table: "spg" | "spm", number: string];

function numbersOf({ gtins, mpn }: Pick<ShopPage, "gtins" | "mpn">): Number[] {
  const trade = new Set(gtins.flatMap((gtin) => gtin14(gtin) ?? []));
  const part = mpn === null ? null : partNumberKey(mpn);
  return [
    ...Array.from(trade, (number) => ["spg", number] as const),
    ...(part === null ? [] : [["spm", part] as const]),
  ];
}

const numberKey = (
  workspaceId: string,
  [table, number]: Number,
  { competitorId, urlHash }: PagePlace,
) => [table, idBytes(workspaceId), number, idBytes(competitorId), Uint8Array.fromHex(urlHash)];

export async function findPage(
  { store, workspaceId }: WorkspaceStore,
  place: PagePlace,
): Promise<ShopPage | null> {
  const { value } = await store.kv.get<StoredShopPage>(pageKey(workspaceId, place));
  return value && shopPageOf(value);
}

/** `before` is what the place had; null takes the page away. */
export function savePage(
  write: Write,
  workspaceId: string,
  place: PagePlace,
  before: ShopPage | null,
  page: ShopPage | null,
): void {
  write.set([...versionsKey(workspaceId, place.competitorId), partOf(place.urlHash)], null);
  if (page) write.set(pageKey(workspaceId, place), page);
  else write.delete(pageKey(workspaceId, place));
  const [had, has] = [before ? numbersOf(before) : [], page ? numbersOf(page) : []];
  const lacks = (numbers: readonly Number[], [table, number]: Number) =>
    numbers.every(([other, own]) => other !== table || own !== number);
  for (const number of had.filter((one) => lacks(has, one))) {
    write.delete(numberKey(workspaceId, number, place));
  }
  for (const number of has.filter((one) => lacks(had, one))) {
    write.set(numberKey(workspaceId, number, place), null);
  }
}

/** The pages of all shops that have one of the numbers of a product. */
export async function findPagesByNumber(
  { store, workspaceId }: WorkspaceStore,
  product: { readonly ean: string | null; readonly mpn: string | null },
): Promise<FoundPage[]> {
  const places = new Map<string, PagePlace>();
  const numbers = { gtins: product.ean === null ? [] : [product.ean], mpn: product.mpn };
  for (const [table, number] of numbersOf(numbers)) {
    const prefix = [table, idBytes(workspaceId), number];
    for await (const { key } of store.kv.list({ prefix }, { limit: FOUND_MAX })) {
      const place = placeOf(key, 3);
      places.set(`${place.competitorId} ${place.urlHash}`, place);
    }
  }
  return await findPages({ store, workspaceId }, [...places.values()]);
}

/** The part of a page. */
function partOf(urlHash: string): number {
  return Math.floor(Number.parseInt(urlHash.slice(0, 2), 16) / HASHES_PER_PART);
}

/** The first hash that may be in a part, and the first behind it; null behind the last part. */
export function partEnds(part: number): readonly [from: string, before: string | null] {
  const hex = (at: number) => (at * HASHES_PER_PART).toString(16).padStart(2, "0");
  return [hex(part), part + 1 < PAGE_PARTS ? hex(part + 1) : null];
}

/** By part: the version of its last change; parts without pages are absent. */
export async function listPageVersions(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<Map<number, string>> {
  return await listVersions(store, versionsKey(workspaceId, competitorId));
}

/** As `listPages`, of one part. */
export async function listPagesOfPart(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  part: number,
  after: string | null,
  limit: number,
): Promise<FoundPage[]> {
  const prefix = ["sp", idBytes(workspaceId), idBytes(competitorId)];
  const [from, before] = partEnds(part);
  const start = [...prefix, Uint8Array.fromHex(after === null ? from : `${after}00`)];
  const selector = before === null
    ? { prefix, start }
    : { start, end: [...prefix, Uint8Array.fromHex(before)] };
  const options = { limit, batchSize: Math.min(limit, 500) };
  const rows = await Array.fromAsync(store.kv.list<StoredShopPage>(selector, options));
  return rows.map(({ key, value }) => ({ ...placeOf(key, 2), page: shopPageOf(value) }));
}

/** Pages at these places; those that are gone are left out. */
export async function findPages(
  { store, workspaceId }: WorkspaceStore,
  places: readonly PagePlace[],
): Promise<FoundPage[]> {
  const rows = await getRows<StoredShopPage>(
    store,
    places.map((place) => pageKey(workspaceId, place)),
  );
  return rows.flatMap(({ value }, at) => {
    const place = places[at];
    return value && place ? [{ ...place, page: shopPageOf(value) }] : [];
  });
}

/** The pages of a shop that have a GTIN, the first of them; none for what is no GTIN. */
export async function findPagesOfShop(
  workspace: WorkspaceStore,
  competitorId: string,
  gtin: string,
): Promise<FoundPage[]> {
  const { store, workspaceId } = workspace;
  const number = gtin14(gtin);
  if (number === null) return [];
  const prefix = ["spg", idBytes(workspaceId), number, idBytes(competitorId)];
  const rows = await Array.fromAsync(store.kv.list({ prefix }, { limit: FOUND_MAX }));
  return await findPages(workspace, rows.map(({ key }) => placeOf(key, 3)));
}

/** Up to `limit` pages of a shop by their place, after the one of `after`. */
export async function listPages(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  after: string | null,
  limit: number,
): Promise<FoundPage[]> {
  const prefix = ["sp", idBytes(workspaceId), idBytes(competitorId)];
  const selector = after === null
    ? { prefix }
    : { prefix, start: [...prefix, Uint8Array.fromHex(`${after}00`)] };
  const options = { limit, batchSize: Math.min(limit, 500) };
  const rows = await Array.fromAsync(store.kv.list<StoredShopPage>(selector, options));
  return rows.map(({ key, value }) => ({ ...placeOf(key, 2), page: shopPageOf(value) }));
}

/** The pages of a shop behind the hash `after`, `size` of them at a time. */
export function shopPages(
  workspace: WorkspaceStore,
  competitorId: string,
  size: number,
  after: string | null = null,
) {
  return pagesOf((...at) => listPages(workspace, competitorId, ...at), hashOf, size, after);
}

function hashOf({ urlHash }: PagePlace): string {
  return urlHash;
}

/** The shop goes: its pages go in batches. */
export async function removePages(workspace: WorkspaceStore, competitorId: string): Promise<void> {
  const { store, workspaceId } = workspace;
  const pages = async function* () {
    for await (const found of shopPages(workspace, competitorId, PAGES_PER_COMMIT)) yield* found;
  };
  await removeInBatches(store, pages(), PAGES_PER_COMMIT, (write, { page, ...place }) => {
    savePage(write, workspaceId, place, page, null);
  });
  const versions = store.kv.list({ prefix: versionsKey(workspaceId, competitorId) });
  await removeInBatches(store, versions, PAGE_PARTS, (write, { key }) => write.delete(key));
}

/** Pages of all workspaces that were not visited since then. */
export async function* listOldPages({ kv }: Store, seenBefore: Date) {
  const rows = kv.list<StoredShopPage>({ prefix: ["sp"] }, { batchSize: 500 });
  for await (const { key, value } of rows) {
    if (Date.parse(value.seenAt) >= seenBefore.getTime()) continue;
    yield { workspaceId: idIn(key, 1), ...placeOf(key, 2), page: shopPageOf(value) };
  }
}

/** Every page of a workspace, for checks of the store. */
export async function* walkPages({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["sp", idBytes(workspaceId)];
  const rows = store.kv.list<StoredShopPage>({ prefix }, { batchSize: 500 });
  for await (const { key, value } of rows) {
    const page = shopPageOf(value);
    yield { ...placeOf(key, 2), page, numbers: numbersOf(page).length };
  }
}

/** Every row of a number, for checks of the store; true where its page has that number. */
export async function* walkPageNumbers(workspace: WorkspaceStore) {
  const { store, workspaceId } = workspace;
  for (const table of ["spg", "spm"] as const) {
    const prefix = [table, idBytes(workspaceId)];
    for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) {
      const [place, number] = [placeOf(key, 3), String(key[2])];
      const page = await findPage(workspace, place);
      const isTrue = page !== null &&
        numbersOf(page).some(([of, own]) => of === table && own === number);
      yield { ...place, number, isTrue };
    }
  }
}

function placeOf(key: Deno.KvKey, at: number): PagePlace {
  return { competitorId: idIn(key, at), urlHash: bytesIn(key, at + 1).toHex() };
}

/** Sources of a page's facts. */
export const PAGE_SOURCES = ["visit", "feed"] as const;

/** More numbers than any honest page has of its product in all its packs. */
export const PAGE_GTINS_MAX = 20;

/** Facts of a page that shows one product. */
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

/** A stored page, or a page of an older file: later fields may be missing. */
export const StoredShopPage = ShopPage.partial({ gtins: true, pack: true, foundBy: true });

export type StoredShopPage = Readonly<z.output<typeof StoredShopPage>>;

/** A page as it is now, whenever it was stored. */
export function shopPageOf(stored: StoredShopPage): ShopPage {
  const { gtin, gtins = gtin === null ? [] : [gtin], pack = null, foundBy = "visit" } = stored;
  return { ...stored, gtins, pack, foundBy };
}
