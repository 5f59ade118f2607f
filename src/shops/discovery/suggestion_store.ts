/**
 * Keys: `sg W id` → suggestion; `sgs W status id` → its verdict (null in rows of before), lists by status;
 * `sgp W productId urlHash` → id: a product has one suggestion for a page, and what was rejected is
 * remembered by it.
 *
 * Who writes one checks its `sgp` row.
 */

import { idBytes } from "../../base/id.ts";
import { IdentityEvidence, type Verdict, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { bytesIn, idIn, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { getRows, removeInBatches } from "../../platform/store/rows.ts";
import { listOldPages, savePage, shopPageOf, StoredShopPage } from "./page_store.ts";
import { z } from "@hono/zod-openapi";

/** Of one product over all shops; more are not looked at. */
const OF_PRODUCT_MAX = 1_000;
const ROWS_PER_COMMIT = 100;

const byId = (workspaceId: string, id: string) => ["sg", idBytes(workspaceId), idBytes(id)];
const byStatus = (workspaceId: string, status: SuggestionStatus) => [
  "sgs",
  idBytes(workspaceId),
  status,
];
const ofProduct = (workspaceId: string, productId: string) => [
  "sgp",
  idBytes(workspaceId),
  idBytes(productId),
];
const placeKey = (
  workspaceId: string,
  { productId, urlHash }: Pick<StoredSuggestion, "productId" | "urlHash">,
) => [...ofProduct(workspaceId, productId), Uint8Array.fromHex(urlHash)];

/** Its page may be older than pages with several numbers. */
type SuggestionRow = Omit<StoredSuggestion, "page"> & { readonly page: StoredShopPage };

function suggestionOf(row: SuggestionRow): StoredSuggestion {
  return { ...row, page: shopPageOf(row.page) };
}

export async function findSuggestion(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<StoredSuggestion | null> {
  const { value } = await store.kv.get<SuggestionRow>(byId(workspaceId, id));
  return value && suggestionOf(value);
}

/** In the order of `ids`; those that are gone are left out. */
export async function findSuggestions(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<StoredSuggestion[]> {
  const rows = await getRows<SuggestionRow>(store, ids.map((id) => byId(workspaceId, id)));
  return rows.flatMap(({ value }) => value ? [suggestionOf(value)] : []);
}

/** Up to `limit` ids of a status, the newest first, behind the id `before`. */
export async function listSuggestionIds(
  { store, workspaceId }: WorkspaceStore,
  status: SuggestionStatus,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const prefix = byStatus(workspaceId, status);
  const selector = before === null ? { prefix } : { prefix, end: [...prefix, idBytes(before)] };
  const options = { limit, reverse: true, batchSize: Math.min(limit, 500) };
  const rows = await Array.fromAsync(store.kv.list(selector, options));
  return rows.map(({ key }) => lastIdOf(key));
}

/** How many of a status have which verdict, among the newest `most`. */
export async function countVerdicts(
  workspace: WorkspaceStore,
  status: SuggestionStatus,
  most: number,
): Promise<Map<Verdict, number>> {
  const { store, workspaceId } = workspace;
  const prefix = byStatus(workspaceId, status);
  const options = { limit: most, reverse: true, batchSize: 1_000 };
  const counts = new Map<Verdict, number>();
  const unnamed: string[] = [];
  const add = (verdict: Verdict) => counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  for await (const { key, value } of store.kv.list<Verdict | null>({ prefix }, options)) {
    if (value === null) unnamed.push(lastIdOf(key));
    else add(value);
  }
  for (let at = 0; at < unnamed.length; at += ROWS_PER_COMMIT) {
    const found = await findSuggestions(workspace, unnamed.slice(at, at + ROWS_PER_COMMIT));
    for (const { verdict } of found) add(verdict);
  }
  return counts;
}

/** All suggestions of a product, whatever became of them. */
export async function listSuggestionsOf(
  workspace: WorkspaceStore,
  productId: string,
): Promise<StoredSuggestion[]> {
  const { store, workspaceId } = workspace;
  const prefix = ofProduct(workspaceId, productId);
  const rows = await Array.fromAsync(store.kv.list<string>({ prefix }, { limit: OF_PRODUCT_MAX }));
  return await findSuggestions(workspace, rows.map(({ value }) => value));
}

/** A new one. The commit fails when the product has one for the page. */
export function addSuggestion(
  write: Write,
  workspaceId: string,
  suggestion: StoredSuggestion,
): void {
  const place = placeKey(workspaceId, suggestion);
  write.check(place, null);
  write.set(place, suggestion.id);
  putRows(write, workspaceId, suggestion);
}

/**
 * Changes the status. The commit fails when it is no longer the suggestion of its page, or was
 * decided.
 */
export async function changeSuggestion(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  before: StoredSuggestion,
  after: StoredSuggestion,
): Promise<boolean> {
  const key = byId(workspaceId, before.id);
  const { value, versionstamp } = await store.kv.get<StoredSuggestion>(key);
  if (value?.status !== before.status) return false;
  write.check(key, versionstamp);
  write.delete([...byStatus(workspaceId, before.status), idBytes(before.id)]);
  putRows(write, workspaceId, after);
  return true;
}

/** One that comes from another store. */
export function putSuggestion(
  write: Write,
  workspaceId: string,
  suggestion: StoredSuggestion,
): void {
  write.set(placeKey(workspaceId, suggestion), suggestion.id);
  putRows(write, workspaceId, suggestion);
}

function putRows(write: Write, workspaceId: string, suggestion: StoredSuggestion): void {
  const { id, status, verdict } = suggestion;
  write.set(byId(workspaceId, id), suggestion);
  write.set([...byStatus(workspaceId, status), idBytes(id)], verdict);
}

/** Takes away what `takes` takes of a workspace; answers how many. */
export async function removeSuggestions(
  workspace: WorkspaceStore,
  takes: (suggestion: StoredSuggestion) => boolean,
): Promise<number> {
  const { store, workspaceId } = workspace;
  const taken = async function* () {
    for await (const one of walkSuggestions(workspace)) if (takes(one)) yield one;
  };
  return await removeInBatches(store, taken(), ROWS_PER_COMMIT, (write, one) => {
    deleteSuggestion(write, workspaceId, one);
  });
}

/** The suggestions of all workspaces that gave way to others before then. */
export async function* listOldSuggestions({ kv }: Store, decidedBefore: Date) {
  const rows = kv.list<SuggestionRow>({ prefix: ["sg"] }, { batchSize: 500 });
  for await (const { key, value } of rows) {
    const { status, decidedAt } = value;
    if (status !== "superseded" || decidedAt === null) continue;
    if (Date.parse(decidedAt) < decidedBefore.getTime()) {
      yield { workspaceId: idIn(key, 1), suggestion: suggestionOf(value) };
    }
  }
}

/** Takes one away with all its rows. */
export function deleteSuggestion(
  write: Write,
  workspaceId: string,
  suggestion: StoredSuggestion,
): void {
  const { id, status } = suggestion;
  write.delete(byId(workspaceId, id));
  write.delete([...byStatus(workspaceId, status), idBytes(id)]);
  write.delete(placeKey(workspaceId, suggestion));
}

export async function* walkSuggestions({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["sg", idBytes(workspaceId)];
  const rows = store.kv.list<SuggestionRow>({ prefix }, { batchSize: 500 });
  for await (const { value } of rows) yield suggestionOf(value);
}

/** Suggestions of all workspaces by what became of them. */
export async function countSuggestions({ kv }: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { key: [, , status] } of kv.list({ prefix: ["sgs"] }, { batchSize: 1_000 })) {
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  }
  return counts;
}

/** Every row of both lists, for checks of the store. */
export async function* walkSuggestionRows({ store, workspaceId }: WorkspaceStore) {
  for await (const { key } of store.kv.list({ prefix: ["sgs", idBytes(workspaceId)] })) {
    yield { table: "sgs", id: lastIdOf(key), of: String(key[2]) };
  }
  const places = store.kv.list<string>({ prefix: ["sgp", idBytes(workspaceId)] });
  for await (const { key, value } of places) {
    yield { table: "sgp", id: value, of: `${idIn(key, 2)} ${bytesIn(key, 3).toHex()}` };
  }
}

/** `superseded`: better ones came, or the page was linked otherwise. */
export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "superseded"] as const;

export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

/** Why a page is not ours. */
export const REJECTED_AS = ["other", "variant"] as const;

/** A suggestion as it is kept. */
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

/** Of one product and one shop so many are open at most. */
export const OPEN_PER_SHOP_MAX = 3;

/** A page that was not visited for this long is forgotten. */
export const FOUND_DAYS = 400;

/**
 * Removes pages that were not visited since then, and older superseded suggestions; answers their
 * number.
 */
export async function sweepDiscovery(store: Store, olderThan: Date): Promise<number> {
  const pages = await removeInBatches(
    store,
    listOldPages(store, olderThan),
    ROWS_PER_COMMIT,
    (write, { workspaceId, page, ...place }) => savePage(write, workspaceId, place, page, null),
  );
  const suggestions = await removeInBatches(
    store,
    listOldSuggestions(store, olderThan),
    ROWS_PER_COMMIT,
    (write, { workspaceId, suggestion }) => deleteSuggestion(write, workspaceId, suggestion),
  );
  return pages + suggestions;
}
