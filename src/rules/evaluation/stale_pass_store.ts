/** Keys: `rsp W` → the slot of the last pass for what is out of date, in milliseconds. */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

const key = (workspaceId: string) => ["rsp", idBytes(workspaceId)];

export interface StalePass {
  /** Null before the first one. */
  readonly slotMs: number | null;
  readonly versionstamp: string | null;
}

export async function findPass({ store, workspaceId }: WorkspaceStore): Promise<StalePass> {
  const { value, versionstamp } = await store.kv.get<number>(key(workspaceId));
  return { slotMs: value, versionstamp };
}

/** The commit fails when another process has begun a pass meanwhile. */
export function checkPass(write: Write, workspaceId: string, { versionstamp }: StalePass): void {
  write.check(key(workspaceId), versionstamp);
}

export function savePass(write: Write, workspaceId: string, slotMs: number): void {
  write.set(key(workspaceId), slotMs);
}
