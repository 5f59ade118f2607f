/** Keys: `fr W competitorId` → the retry of the shop's failing pages that was asked for last. */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";

const key = (workspaceId: string, competitorId: string) => [
  "fr",
  idBytes(workspaceId),
  idBytes(competitorId),
];

/** The last retry of a shop, as far as the row says. */
export interface LastRetry {
  readonly retryId: string | null;
  readonly versionstamp: string | null;
}

export async function findLastRetry(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<LastRetry> {
  const { value, versionstamp } = await store.kv.get<string>(key(workspaceId, competitorId));
  return { retryId: value, versionstamp };
}

/** The commit fails when another one was asked for since `last` was read. */
export function saveLastRetry(
  write: Write,
  workspaceId: string,
  competitorId: string,
  last: LastRetry,
  retryId: string,
): void {
  write.check(key(workspaceId, competitorId), last.versionstamp);
  write.set(key(workspaceId, competitorId), retryId);
}

/** The retry has ended, or the competitor goes. */
export function dropLastRetry(write: Write, workspaceId: string, competitorId: string): void {
  write.delete(key(workspaceId, competitorId));
}

/** Every row, for checks of the store. */
export async function* walkLastRetries({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["fr", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<string>({ prefix })) {
    yield { competitorId: idIn(key, 2), retryId: value };
  }
}
