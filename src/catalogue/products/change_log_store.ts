/**
 * Keys (`W`: id of the workspace; a shard is one of 64 parts of the catalogue):
 * `mkc W versionstamp` → change log: ids of the products that this commit changed, 12 bytes each.
 * `g W shard` → empty; each change of a product in the shard changes the version of this row.
 * `go W shard` → empty; each change of an offer in the shard changes the version of this row.
 * `d W "n"` → number of active products (u64).
 *
 * A reader of the change log continues after its last position, and so misses no change.
 */
import { idBytes, idText } from "../../base/id.ts";
import { HOUR_MS } from "../../base/time.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { byGroup, firstRow, getRows, listVersions, removeRows } from "../../platform/store/rows.ts";
import { defineStoreTable, defineTable } from "../../platform/store/table.ts";

const logKey = (workspaceId: string) => ["mkc", idBytes(workspaceId)];
const ID_BYTES = 12;
const JUST_AFTER = "!";

interface LogSweep {
  /**
   * Position up to which the log was deleted; "" if nothing was deleted. A reader that has not yet
   * reached this position must read all products again.
   */
  readonly swept: string;
  readonly mark: string;
  readonly markedAtMs: number;
}

const logSweeps = defineTable<LogSweep>({
  prefix: "mks",
  about: "the position up to which the change log has been deleted",
  key: {},
});

export function noteProduct(write: Write, workspaceId: string, productId: string): void {
  write.append(logKey(workspaceId), productId);
}

/** The position "" is the start of the log. */
export async function listChanges(
  { store, workspaceId }: WorkspaceStore,
  position: string,
  limit: number,
): Promise<{ readonly position: string; readonly productIds: readonly string[] }[]> {
  const prefix = logKey(workspaceId);
  const selector = position === ""
    ? { prefix }
    : { prefix, start: [...prefix, position + JUST_AFTER] };
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>(selector, options));
  return rows.map(({ key, value }) => ({ position: positionOf(key), productIds: idsOf(value) }));
}

const CHANGES_PER_READ = 1_000;

/**
 * Returns the products that changed after `position`, or null if some of these changes were already
 * deleted from the log. Stops reading the log after it has found more than `most` products.
 */
export async function changesSince(
  workspace: WorkspaceStore,
  position: string,
  most = Infinity,
): Promise<{ readonly position: string; readonly ids: ReadonlySet<string> } | null> {
  const ids = new Set<string>();
  let end = position;
  for (let isMore = true; isMore;) {
    const changes = await listChanges(workspace, end, CHANGES_PER_READ);
    for (const { productIds } of changes) for (const id of productIds) ids.add(id);
    end = changes.at(-1)?.position ?? end;
    isMore = changes.length === CHANGES_PER_READ && ids.size <= most;
  }
  const sweep = await findLogSweep(workspace);
  return sweep !== null && sweep.swept > position ? null : { position: end, ids };
}

/** Callers that read all products must call `findLogEnd` first, so that they miss no change. */
export async function findLogEnd(workspace: WorkspaceStore): Promise<string> {
  const { store, workspaceId } = workspace;
  const last = await firstRow(store, { prefix: logKey(workspaceId) }, { reverse: true });
  return last ? positionOf(last.key) : (await findLogSweep(workspace))?.swept ?? "";
}

export async function findLogSweep(workspace: WorkspaceStore): Promise<LogSweep | null> {
  return (await logSweeps.find(workspace, {}))?.row ?? null;
}

/**
 * After this commit, `removeChanges` may delete the log up to the returned position, which is
 * stored. Entries of the log are kept for at least 23 hours.
 */
export async function moveSweep(
  write: Write,
  workspace: WorkspaceStore & Pick<ClockAndIds, "now">,
  end: string,
): Promise<string> {
  const found = await logSweeps.find(workspace, {});
  const markedAtMs = workspace.now().getTime();
  if (found && markedAtMs - found.row.markedAtMs < 23 * HOUR_MS) return found.row.swept;
  const swept = found?.row.mark ?? "";
  logSweeps.save(write, workspace, found, { swept, mark: end, markedAtMs });
  return swept;
}

export async function removeChanges(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  position: string,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, logKey(workspaceId), limit, position + JUST_AFTER);
}

function positionOf(key: Deno.KvKey): string {
  const part = key.at(-1);
  if (typeof part !== "string") throw new Error("A key of the change log has no position");
  return part;
}

function idsOf(bytes: Uint8Array): string[] {
  const ids: string[] = [];
  for (let at = 0; at < bytes.length; at += ID_BYTES) {
    ids.push(idText(bytes.subarray(at, at + ID_BYTES)));
  }
  return ids;
}

function shardVersions(table: string) {
  const prefix = (workspaceId: string) => [table, idBytes(workspaceId)];
  return {
    async list({ store, workspaceId }: WorkspaceStore): Promise<Map<number, string>> {
      return await listVersions(store, prefix(workspaceId));
    },

    async find(
      { store, workspaceId }: WorkspaceStore,
      shards: readonly number[],
    ): Promise<Map<number, string | null>> {
      const rows = await getRows(store, shards.map((shard) => [...prefix(workspaceId), shard]));
      return new Map(shards.map((shard, at) => [shard, rows[at]?.versionstamp ?? null]));
    },

    check(
      write: Write,
      workspaceId: string,
      versions: Iterable<readonly [shard: number, version: string | null]>,
    ): void {
      for (const [shard, version] of versions) {
        write.check([...prefix(workspaceId), shard], version);
      }
    },

    set(write: Write, workspaceId: string, shard: number): void {
      write.touch([...prefix(workspaceId), shard]);
    },
  };
}

export const productVersions = shardVersions("g");
export const offerVersions = shardVersions("go");

const countKey = (workspaceId: string) => ["d", idBytes(workspaceId), "n"];

export async function countActiveProducts({ store, workspaceId }: WorkspaceStore): Promise<number> {
  const { value } = await store.kv.get<Deno.KvU64>(countKey(workspaceId));
  return value === null ? 0 : Number(value.value);
}

export interface Counters {
  products: number;
  readonly shards: Set<number>;
}

export function createCounters(): Counters {
  return { products: 0, shards: new Set() };
}

export function saveCounters(write: Write, workspaceId: string, counters: Counters): void {
  for (const number of counters.shards) productVersions.set(write, workspaceId, number);
  if (counters.products !== 0) write.sum(countKey(workspaceId), counters.products);
}

export interface MarkPlace {
  readonly workspaceId: string;
  readonly productId: string;
}

const EMPTY = new Uint8Array();
const MARKS = {
  key: { workspaceId: "id", productId: "id" },
  codec: { encode: () => EMPTY, decode: () => ({}) },
} as const;

export const scheduleMarks = defineStoreTable<MarkPlace, "workspaceId" | "productId">({
  prefix: "sd",
  about: "empty, a product whose next visit must be planned again",
  ...MARKS,
});

export const dueMarks = defineStoreTable<MarkPlace, "workspaceId" | "productId">({
  prefix: "sdn",
  about: "empty, a product whose pages are due at once, even after a recent visit",
  ...MARKS,
});

export function markForSchedule(write: Write, workspaceId: string, productId: string): void {
  scheduleMarks.put(write, {}, { workspaceId, productId });
}

export function markAwaited(write: Write, workspaceId: string, productId: string): void {
  markForSchedule(write, workspaceId, productId);
  dueMarks.put(write, {}, { workspaceId, productId });
}

/** Returns up to `max` rows of `scheduleMarks`, spread evenly over the workspaces. */
export async function listScheduleMarks(store: Store, max: number): Promise<MarkPlace[]> {
  const firstBehind = async (workspaceId: string | null) => {
    const after = workspaceId === null ? null : { workspaceId };
    return (await scheduleMarks.list({ store }, { after, limit: 1 }))[0]?.row ?? null;
  };
  const firsts = await Array.fromAsync(byGroup(firstBehind, ({ workspaceId }) => workspaceId));
  const marks: MarkPlace[] = [];
  for (const [at, { workspaceId }] of firsts.entries()) {
    const limit = Math.ceil((max - marks.length) / (firsts.length - at));
    if (limit === 0) break;
    const rows = await scheduleMarks.list({ store }, { within: { workspaceId }, limit });
    marks.push(...rows.map(({ row }) => row));
  }
  return marks;
}
