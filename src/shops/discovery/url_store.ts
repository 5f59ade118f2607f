/**
 * Keys: `dsu W competitorId part n` → pages of a shop as packed bytes (`known_url.ts`), at most 60,000
 * each: those of a part, one of 512, are in `n` from 0 on; `dsp W competitorId "file" n` → a sitemap that
 * is to be read, or was; `dsp W competitorId "page" n` → up to 64 pages that are to be visited, with what
 * came of those that were. Plans go when they are done.
 *
 * The job of a shop alone writes them.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { CommitCost, Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { type KnownUrl, unpackUrls } from "./known_url.ts";

/** A shop of a workspace. */
export interface ShopPlace extends WorkspaceStore {
  readonly competitorId: string;
}

/** A sitemap. */
export interface PlannedFile {
  readonly url: string;
  /** Of an index that is named by another index: 2, and so on. */
  readonly depth: number;
}

/** Pages to visit, in this order. */
export interface PlannedPages {
  readonly urls: readonly string[];
  /** A letter for each page that was visited, in their order (`OUTCOME_LETTERS`). */
  readonly outcomes: string;
}

/** More values than a part ever has: its pages have room in ten. */
const VALUES_MAX = 400;
const ROWS_PER_COMMIT = 200;
/** An upper bound of one key. */
const KEY_BYTES = 100;

const shop = (table: "dsu" | "dsp", { workspaceId, competitorId }: ShopPlace) => [
  table,
  idBytes(workspaceId),
  idBytes(competitorId),
];

/** The pages of a part, and in how many values they are. */
export interface UrlPart {
  readonly urls: readonly KnownUrl[];
  readonly values: number;
}

export async function readUrlPart(place: ShopPlace, part: number): Promise<UrlPart> {
  const prefix = [...shop("dsu", place), part];
  const rows = await Array.fromAsync(
    place.store.kv.list<Uint8Array>({ prefix }, { limit: VALUES_MAX }),
  );
  return { urls: rows.flatMap(({ value }) => unpackUrls(value)), values: rows.length };
}

/** A part as it is to be stored. */
export interface PartChange {
  readonly part: number;
  /** In how many values it was before. */
  readonly before: number;
  /** What `packUrls` made of its pages. */
  readonly values: readonly Uint8Array[];
}

/** What a part takes of a commit. */
export function partCost({ before, values }: PartChange): Partial<CommitCost> {
  const mutations = Math.max(before, values.length);
  const keyBytes = mutations * KEY_BYTES;
  const bytes = values.reduce((sum, { length }) => sum + length, keyBytes);
  return { mutations, keyBytes, bytes };
}

export function saveUrlPart(
  write: Write,
  place: ShopPlace,
  { part, before, values }: PartChange,
): void {
  for (const [n, value] of values.entries()) write.set([...shop("dsu", place), part, n], value);
  for (let n = values.length; n < before; n++) write.delete([...shop("dsu", place), part, n]);
}

/** The sitemaps of a reading, in their order. */
export async function listPlannedFiles(place: ShopPlace): Promise<PlannedFile[]> {
  const prefix = [...shop("dsp", place), "file"];
  const rows = await Array.fromAsync(
    place.store.kv.list<PlannedFile>({ prefix }, { batchSize: 500 }),
  );
  return rows.map(({ value }) => value);
}

export function putPlannedFile(write: Write, place: ShopPlace, n: number, file: PlannedFile): void {
  write.set([...shop("dsp", place), "file", n], file);
}

/** Null behind the last. */
export async function findPlannedPages(place: ShopPlace, n: number): Promise<PlannedPages | null> {
  return (await place.store.kv.get<PlannedPages>([...shop("dsp", place), "page", n])).value;
}

export async function listPlannedPages(place: ShopPlace): Promise<PlannedPages[]> {
  const prefix = [...shop("dsp", place), "page"];
  const rows = await Array.fromAsync(
    place.store.kv.list<PlannedPages>({ prefix }, { batchSize: 100 }),
  );
  return rows.map(({ value }) => value);
}

export function putPlannedPages(
  write: Write,
  place: ShopPlace,
  n: number,
  pages: PlannedPages,
): void {
  write.set([...shop("dsp", place), "page", n], pages);
}

/** Takes a plan away. */
export async function removePlan(place: ShopPlace, kind: "file" | "page"): Promise<void> {
  await removeAll(place, [...shop("dsp", place), kind]);
}

/** The shop goes. */
export async function removeUrls(place: ShopPlace): Promise<void> {
  await removeAll(place, shop("dsu", place));
  await removeAll(place, shop("dsp", place));
}

async function removeAll({ store }: ShopPlace, prefix: Deno.KvKey): Promise<void> {
  const rows = store.kv.list({ prefix }, { batchSize: 100 });
  await removeInBatches(store, rows, ROWS_PER_COMMIT, (write, { key }) => write.delete(key));
}

/** The shops that have rows of either table, for checks of the store. */
export async function* walkUrlShops({ store, workspaceId }: WorkspaceStore) {
  for (const table of ["dsu", "dsp"] as const) {
    const prefix = [table, idBytes(workspaceId)];
    let last = "";
    for await (const { key } of store.kv.list({ prefix }, { batchSize: 100 })) {
      const competitorId = idIn(key, 2);
      if (competitorId === last) continue;
      last = competitorId;
      yield { table, competitorId };
    }
  }
}
