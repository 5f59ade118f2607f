/**
 * Keys: `sd W productId` → empty: something changed that decides whether and when the product is
 * fetched, so its place in the schedule is to be looked at; `sdn W productId` → empty: it is due at once
 * then, however lately it was fetched. Set in the commit of the change, taken away in the commit that
 * has looked.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { firstRow } from "../../platform/store/rows.ts";

const EMPTY = new Uint8Array();
/** Sorts after all ids. */
const BEHIND_ALL = true;

const markKey = (workspaceId: string, productId: string) => [
  "sd",
  keptIdBytes(workspaceId),
  idBytes(productId),
];

/** One mutation, no check. */
export function markForSchedule(write: Write, workspaceId: string, productId: string): void {
  write.set(markKey(workspaceId, productId), EMPTY);
}

const awaitedKey = (workspaceId: string, productId: string) => [
  "sdn",
  keptIdBytes(workspaceId),
  idBytes(productId),
];

/** As `markForSchedule`, of a product whose next visit is due at once. Two mutations, no check. */
export function markAwaited(write: Write, workspaceId: string, productId: string): void {
  markForSchedule(write, workspaceId, productId);
  write.set(awaitedKey(workspaceId, productId), EMPTY);
}

/** A concurrent mark also sets the mark for the schedule, which is checked. */
export async function isAwaited(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<boolean> {
  return (await store.kv.get(awaitedKey(workspaceId, productId))).versionstamp !== null;
}

export interface ScheduleMark {
  readonly workspaceId: string;
  readonly productId: string;
  readonly versionstamp: string;
}

/** `null` for an unmarked product. */
export async function findScheduleMark(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<ScheduleMark | null> {
  const { versionstamp } = await store.kv.get(markKey(workspaceId, productId));
  return versionstamp === null ? null : { workspaceId, productId, versionstamp };
}

/** Marked products, at most `max`: workspaces share them, however many one of them has. */
export async function listScheduleMarks(store: Store, max: number): Promise<ScheduleMark[]> {
  const marks: ScheduleMark[] = [];
  const lasts = new Map<string, ScheduleMark | null>();
  for await (const workspaceId of listMarkedWorkspaces(store)) lasts.set(workspaceId, null);
  while (lasts.size > 0 && marks.length < max) {
    const share = Math.ceil((max - marks.length) / lasts.size);
    for (const [workspaceId, last] of lasts) {
      const limit = Math.min(share, max - marks.length);
      const found = limit === 0 ? [] : await listBehind(store, workspaceId, last, limit);
      marks.push(...found);
      const end = found.length < limit ? undefined : found.at(-1);
      if (end) lasts.set(workspaceId, end);
      else lasts.delete(workspaceId);
    }
  }
  return marks;
}

/** One row is read of each. */
async function* listMarkedWorkspaces(store: Store): AsyncGenerator<string> {
  for (let last: string | null = null;;) {
    const start: { start?: Deno.KvKey } = last === null
      ? {}
      : { start: ["sd", idBytes(last), BEHIND_ALL] };
    const row = await firstRow(store, { prefix: ["sd"], ...start });
    if (row === null) return;
    last = markOf(row).workspaceId;
    yield last;
  }
}

async function listBehind(
  { kv }: Store,
  workspaceId: string,
  last: ScheduleMark | null,
  limit: number,
): Promise<ScheduleMark[]> {
  const prefix = ["sd", keptIdBytes(workspaceId)];
  const start = last === null
    ? {}
    : { start: [...markKey(workspaceId, last.productId), BEHIND_ALL] };
  const rows = kv.list({ prefix, ...start }, { limit, batchSize: Math.min(limit, 1_000) });
  return (await Array.fromAsync(rows)).map(markOf);
}

function markOf({ key, versionstamp }: Deno.KvEntry<unknown>): ScheduleMark {
  return { workspaceId: idIn(key, 1), productId: idIn(key, 2), versionstamp };
}

/** The commit fails when the product was marked again since: then there is more to look at. */
export function clearScheduleMark(write: Write, mark: ScheduleMark): void {
  const key = markKey(mark.workspaceId, mark.productId);
  write.check(key, mark.versionstamp);
  write.delete(key);
  write.delete(awaitedKey(mark.workspaceId, mark.productId));
}
