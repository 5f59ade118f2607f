/**
 * Keys: `sd W productId` → empty: something changed that decides whether and when the product is
 * fetched, so its place in the schedule is to be looked at. Set in the commit of the change, taken
 * away in the commit that has looked.
 */
import { idBytes, idText } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import type { Store, Write } from "../platform/kv.ts";

const EMPTY = new Uint8Array();

const markKey = (workspaceId: string, productId: string) => [
  "sd",
  idBytes(workspaceId),
  idBytes(productId),
];

/** One mutation, no check. */
export function markForSchedule(write: Write, workspaceId: string, productId: string): void {
  write.set(markKey(workspaceId, productId), EMPTY);
}

export interface ScheduleMark {
  readonly workspaceId: string;
  readonly productId: string;
  readonly versionstamp: string;
}

/** Null for a product that nobody has marked. */
export async function findScheduleMark(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<ScheduleMark | null> {
  const { versionstamp } = await store.kv.get(markKey(workspaceId, productId));
  return versionstamp === null ? null : { workspaceId, productId, versionstamp };
}

/** The marked products of all workspaces, at most `max`. */
export async function listScheduleMarks({ kv }: Store, max: number): Promise<ScheduleMark[]> {
  const rows = kv.list({ prefix: ["sd"] }, { limit: max, batchSize: Math.min(max, 1_000) });
  const marks: ScheduleMark[] = [];
  for await (const { key: [, workspace, product], versionstamp } of rows) {
    if (!(workspace instanceof Uint8Array) || !(product instanceof Uint8Array)) {
      throw new Error("A mark for the schedule names no product");
    }
    marks.push({ workspaceId: idText(workspace), productId: idText(product), versionstamp });
  }
  return marks;
}

/** The commit fails when the product was marked again since: then there is more to look at. */
export function clearScheduleMark(write: Write, mark: ScheduleMark): void {
  const key = markKey(mark.workspaceId, mark.productId);
  write.check(key, mark.versionstamp);
  write.delete(key);
}
