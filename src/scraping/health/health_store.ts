/**
 * Keys: `hc W competitorId hour 0|1` → u64, fetches of an hour that brought a price (0) or did not
 * (1); `he W competitorId` → the last error, and since when nothing else came.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;

const hoursPrefix = (workspaceId: string, competitorId: string) => [
  "hc",
  idBytes(workspaceId),
  idBytes(competitorId),
];
const errorKey = (workspaceId: string, competitorId: string) => [
  "he",
  idBytes(workspaceId),
  idBytes(competitorId),
];

/** The last error of a shop. */
export interface LastError {
  readonly errorCode: string;
  readonly message: string | null;
  readonly at: string;
  /** The first of a row of fetches that the shop did not answer; null when it answered the last one. */
  readonly failingSince: string | null;
  /** True when people were told. */
  readonly isAnnounced: boolean;
}

export interface StoredError {
  readonly error: LastError | null;
  readonly versionstamp: string | null;
}

export async function findLastError(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<StoredError> {
  const { value, versionstamp } = await store.kv.get<LastError>(
    errorKey(workspaceId, competitorId),
  );
  return { error: value, versionstamp };
}

/** The commit fails when it was changed since it was read. */
export function saveLastError(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: StoredError,
  error: LastError,
): void {
  const key = errorKey(workspaceId, competitorId);
  write.check(key, versionstamp);
  write.set(key, error);
}

export function countFetch(
  write: Write,
  workspaceId: string,
  competitorId: string,
  atMs: number,
  outcome: "ok" | "failed",
): void {
  const hour = Math.floor(atMs / HOUR_MS);
  const key = [...hoursPrefix(workspaceId, competitorId), hour, outcome === "ok" ? 0 : 1];
  write.sum(key, 1);
}

/** Fetches of the last 24 hours, in whole hours. */
export async function sumFetches(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  nowMs: number,
): Promise<{ ok: number; failed: number }> {
  const prefix = hoursPrefix(workspaceId, competitorId);
  const start = [...prefix, Math.floor(nowMs / HOUR_MS) - HOURS_SHOWN + 1];
  const sums = { ok: 0, failed: 0 };
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix, start })) {
    sums[key[4] === 0 ? "ok" : "failed"] += Number(value.value);
  }
  return sums;
}

/** The counts of whole hours before then, over all workspaces. */
export async function* listOldCounts({ kv }: Store, beforeMs: number): AsyncGenerator<Deno.KvKey> {
  const oldest = Math.floor(beforeMs / HOUR_MS);
  for await (const { key } of kv.list({ prefix: ["hc"] }, { batchSize: 1_000 })) {
    if (Number(key[3]) < oldest) yield key;
  }
}

export function deleteCount(write: Write, count: Deno.KvKey): void {
  write.delete(count);
}
