/** Keys: `uv W userId` → when the person was here: this visit's last request, and that of the one before. */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

/** Times in milliseconds. */
export interface Visit {
  /** A request of the visit that goes on, a minute before its last one at most. */
  readonly seenAtMs: number;
  /** When the visit before ended; null for the first one. */
  readonly previousAtMs: number | null;
}

const visitKey = (workspaceId: string, userId: string) => [
  "uv",
  idBytes(workspaceId),
  idBytes(userId),
];

/** Null for somebody who was never here. */
export async function findVisit(
  { store, workspaceId }: WorkspaceStore,
  userId: string,
): Promise<Visit | null> {
  return (await store.kv.get<Visit>(visitKey(workspaceId, userId))).value;
}

export function saveVisit(
  write: Write,
  workspaceId: string,
  userId: string,
  visit: Visit,
): void {
  write.set(visitKey(workspaceId, userId), visit);
}

/** Goes with the person. */
export function removeVisit(write: Write, workspaceId: string, userId: string): void {
  write.delete(visitKey(workspaceId, userId));
}
