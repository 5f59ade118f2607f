/**
 * Keys: `rc W competitorId` → the recipe of a shop, and what came of it on its last pages; `rcd W
 * competitorId n` → a page that is kept to learn from, as JSON bytes: its digest, whose it is and our
 * price of that time. At most 50 of a shop; n is no order.
 *
 * Who writes either checks the `rc` row.
 */

import { idBytes } from "../../base/id.ts";
import type { LearningPage } from "../../engine/extraction/recipe/learn_recipe.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { PAGES_KEPT, type ShopLessons } from "./shop_lessons.ts";

/** A page that is kept. */
export interface KeptPage extends LearningPage {
  readonly matchId: string;
  readonly atMs: number;
}

/** A page with its place in the store. */
export interface PlacedPage {
  readonly n: number;
  readonly page: KeptPage;
}

/** Null for a shop of which nothing is stored. */
export interface StoredLessons {
  readonly lessons: ShopLessons | null;
  readonly versionstamp: string | null;
}

/** A page that was not visited for this long no longer teaches. */
export const PAGE_DAYS = 90;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const lessonsKey = (workspaceId: string, competitorId: string) => [
  "rc",
  idBytes(workspaceId),
  idBytes(competitorId),
];
const pagesPrefix = (workspaceId: string, competitorId: string) => [
  "rcd",
  idBytes(workspaceId),
  idBytes(competitorId),
];

export async function findLessons(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<StoredLessons> {
  const { value, versionstamp } = await store.kv.get<ShopLessons>(
    lessonsKey(workspaceId, competitorId),
  );
  return { lessons: value, versionstamp };
}

/** The commit fails when they were changed since they were read. */
export function saveLessons(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: Pick<StoredLessons, "versionstamp">,
  lessons: ShopLessons,
): void {
  const key = lessonsKey(workspaceId, competitorId);
  write.check(key, versionstamp);
  write.set(key, lessons);
}

/** The pages that are kept of a shop, the newest first. */
export async function listKeptPages(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<PlacedPage[]> {
  const prefix = pagesPrefix(workspaceId, competitorId);
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>({ prefix }, { limit: PAGES_KEPT }));
  const pages = rows.map(({ key, value }) => ({ n: Number(key[3]), page: decodePage(value) }));
  return pages.toSorted((a, b) => b.page.atMs - a.page.atMs);
}

function decodePage(bytes: Uint8Array): KeptPage {
  return JSON.parse(decoder.decode(bytes));
}

/** In the place of what was kept of the same match, else in a free one, else in that of the oldest. */
export function keepPage(
  write: Write,
  workspaceId: string,
  competitorId: string,
  kept: readonly PlacedPage[],
  page: KeptPage,
): void {
  const taken = new Set(kept.map(({ n }) => n));
  const free = Array.from({ length: PAGES_KEPT }, (_, n) => n).find((n) => !taken.has(n));
  const own = kept.find((one) => one.page.matchId === page.matchId);
  const n = own?.n ?? free ?? kept.at(-1)?.n ?? 0;
  const key = [...pagesPrefix(workspaceId, competitorId), n];
  write.set(key, encoder.encode(JSON.stringify(page)));
}

/** Forgets what a shop has taught. The commit fails when that was changed since it was read. */
export function forgetLessons(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: Pick<StoredLessons, "versionstamp">,
): void {
  const key = lessonsKey(workspaceId, competitorId);
  write.check(key, versionstamp);
  write.delete(key);
  for (let n = 0; n < PAGES_KEPT; n++) write.delete([...pagesPrefix(workspaceId, competitorId), n]);
}

/** The pages that were kept before then, over all workspaces. */
export async function* listOldPages({ kv }: Store, beforeMs: number): AsyncGenerator<Deno.KvKey> {
  for await (const { key, value } of kv.list<Uint8Array>({ prefix: ["rcd"] }, { batchSize: 500 })) {
    if (decodePage(value).atMs < beforeMs) yield key;
  }
}

export function deletePage(write: Write, page: Deno.KvKey): void {
  write.delete(page);
}

/** Stores the knowledge of a shop that comes from another store. */
export function putLessons(
  write: Write,
  workspaceId: string,
  competitorId: string,
  lessons: ShopLessons,
): void {
  write.set(lessonsKey(workspaceId, competitorId), lessons);
}

/** Every shop of which something is stored. */
export async function* walkLessons({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["rc", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<ShopLessons>({ prefix }, { batchSize: 500 })) {
    yield { competitorId: idIn(key, 2), lessons: value };
  }
}

/** The shop of every page that is kept, for checks of the store. */
export async function* walkKeptPages({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["rcd", idBytes(workspaceId)];
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 500 })) {
    yield { competitorId: idIn(key, 2), n: Number(key[3]) };
  }
}

/** Recipes of all workspaces by how they stand; where one is stale is not looked at. */
export async function countRecipes({ kv }: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { value } of kv.list<ShopLessons>({ prefix: ["rc"] }, { batchSize: 500 })) {
    const status = value.recipe?.status ?? "learning";
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

const PAGES_PER_COMMIT = 500;

/** Removes pages that were not visited since then; answers their number. */
export async function sweepPages(store: Store, keptBefore: Date): Promise<number> {
  const old = listOldPages(store, keptBefore.getTime());
  return await removeInBatches(store, old, PAGES_PER_COMMIT, deletePage);
}
