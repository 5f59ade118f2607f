/** Keys: `dsn W` → up to where of the log of changes our products have met the pages that are known. */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

const key = (workspaceId: string) => ["dsn", idBytes(workspaceId)];

export interface MetChanges {
  /** Null where nobody has begun. */
  readonly position: string | null;
  readonly versionstamp: string | null;
}

export async function findMetChanges({ store, workspaceId }: WorkspaceStore): Promise<MetChanges> {
  const { value, versionstamp } = await store.kv.get<string>(key(workspaceId));
  return { position: value, versionstamp };
}

/** The commit fails when another process has gone on meanwhile. */
export function saveMetChanges(
  write: Write,
  { workspaceId }: WorkspaceStore,
  { versionstamp }: MetChanges,
  position: string,
): void {
  write.check(key(workspaceId), versionstamp);
  write.set(key(workspaceId), position);
}
