/**
 * Keys: `dm W userId` → the day of the workspace's calendar for which the mail of the morning was dealt
 * with last, until some days later.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

const KEPT_MS = 3 * 86_400_000;

const dayKey = (
  workspaceId: string,
  userId: string,
) => ["dm", idBytes(workspaceId), idBytes(userId)];

/** With its version, which `saveMailDay` checks. */
export async function findMailDay({ store, workspaceId }: WorkspaceStore, userId: string) {
  const { value, versionstamp } = await store.kv.get<string>(dayKey(workspaceId, userId));
  return { day: value, versionstamp };
}

/** The commit fails when another process has handled the day meanwhile. */
export function saveMailDay(
  write: Write,
  workspaceId: string,
  userId: string,
  day: string,
  versionstamp: string | null,
): void {
  const key = dayKey(workspaceId, userId);
  write.check(key, versionstamp);
  write.set(key, day, KEPT_MS);
}
