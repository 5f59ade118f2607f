/**
 * Keys: `rsm W ruleId` → date and time, on the clock of the workspace, that the rule was asked for
 * last. It goes with its rule, in the commit that deletes it.
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { lastIdOf } from "../platform/store/id_keys.ts";
import type { Write } from "../platform/store/kv.ts";

const markKey = (workspaceId: string, ruleId: string) => [
  "rsm",
  idBytes(workspaceId),
  idBytes(ruleId),
];

export interface ScheduleMark {
  /** `2026-11-20 06:00`; null before the first. */
  readonly slot: string | null;
  readonly versionstamp: string | null;
}

export async function findMark(
  { store, workspaceId }: WorkspaceStore,
  ruleId: string,
): Promise<ScheduleMark> {
  const { value, versionstamp } = await store.kv.get<string>(markKey(workspaceId, ruleId));
  return { slot: value, versionstamp };
}

/** The commit fails when another process has marked a time meanwhile. */
export function saveMark(
  write: Write,
  workspaceId: string,
  ruleId: string,
  { versionstamp }: ScheduleMark,
  slot: string,
): void {
  write.check(markKey(workspaceId, ruleId), versionstamp);
  write.set(markKey(workspaceId, ruleId), slot);
}

/** For the commit that deletes the rule. */
export function removeMark(write: Write, workspaceId: string, ruleId: string): void {
  write.delete(markKey(workspaceId, ruleId));
}

/** The rules that were asked at a time of theirs: for checks of the store. */
export async function* walkMarks(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<string> {
  const prefix = ["rsm", idBytes(workspaceId)];
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 100 })) yield lastIdOf(key);
}
