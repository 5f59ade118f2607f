/**
 * Keys: `alm W id` → a link whose page shows another product and that was not reported yet; `almt
 * W` → the times of recent alerts about single links, and the number that wait for the next
 * collective alert. A commit that reports links checks `almt` and sets it, so each link is reported
 * once.
 */
import { z } from "zod";
import { idBytes } from "../../base/id.ts";
import type { NewsEvent } from "../../platform/events/event.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";

/** The facts of a link in its alert. */
export type Mismatch = Extract<NewsEvent, { type: "match.mismatch" }>["data"];

const Stand = z.object({
  /** Times of alerts about single links, the oldest first. */
  toldMs: z.array(z.number()),
  /** Null where none waits. */
  waiting: z.object({
    count: z.number(),
    firstMs: z.number(),
    lastMs: z.number(),
    /** Ids of their shops. */
    shops: z.array(z.string()),
  }).nullable(),
});

/** Recent alerts and waiting links. Times are in milliseconds. */
export type MismatchStand = Readonly<z.infer<typeof Stand>>;

const rowsPrefix = (workspaceId: string) => ["alm", idBytes(workspaceId)];
const standKey = (workspaceId: string) => ["almt", idBytes(workspaceId)];

/** Adds a link to those that must be reported. */
export function addMismatch(
  write: Write,
  workspaceId: string,
  id: string,
  mismatch: Mismatch,
): void {
  write.set([...rowsPrefix(workspaceId), idBytes(id)], mismatch);
}

/** Up to `limit` unreported links, the oldest first. */
export async function listMismatches(
  { store, workspaceId }: WorkspaceStore,
  limit: number,
): Promise<{ readonly id: string; readonly mismatch: Mismatch }[]> {
  const prefix = rowsPrefix(workspaceId);
  const rows = store.kv.list<Mismatch>({ prefix }, { limit, batchSize: Math.min(limit, 500) });
  return (await Array.fromAsync(rows)).map(({ key, value }) => ({
    id: lastIdOf(key),
    mismatch: value,
  }));
}

export function removeMismatch(write: Write, workspaceId: string, id: string): void {
  write.delete([...rowsPrefix(workspaceId), idBytes(id)]);
}

export async function findMismatchStand({ store, workspaceId }: WorkspaceStore) {
  const { value, versionstamp } = await store.kv.get(standKey(workspaceId));
  const stand: MismatchStand = value === null ? { toldMs: [], waiting: null } : Stand.parse(value);
  return { stand, versionstamp };
}

/** The commit fails when another process has reported links meanwhile. */
export function saveMismatchStand(
  write: Write,
  workspaceId: string,
  versionstamp: string | null,
  stand: MismatchStand,
): void {
  write.check(standKey(workspaceId), versionstamp);
  write.set(standKey(workspaceId), stand);
}
