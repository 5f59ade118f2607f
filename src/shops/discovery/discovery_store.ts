/** Keys: `dsc W competitorId` → how the pages of a shop are found: settings, and how far it has come. */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { discoveryOf, NOTHING_DISCOVERED, type StoredDiscovery } from "./discovery.ts";

const key = (workspaceId: string, competitorId: string) => [
  "dsc",
  idBytes(workspaceId),
  idBytes(competitorId),
];

/** As it is of a shop that nobody has said anything of where `versionstamp` is null. */
export interface FoundDiscovery {
  readonly discovery: StoredDiscovery;
  readonly versionstamp: string | null;
}

export async function findDiscovery(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
): Promise<FoundDiscovery> {
  const { value, versionstamp } = await store.kv.get<StoredDiscovery>(
    key(workspaceId, competitorId),
  );
  return { discovery: value ? discoveryOf(value) : NOTHING_DISCOVERED, versionstamp };
}

/** The commit fails when it was changed since it was read. */
export function saveDiscovery(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: Pick<FoundDiscovery, "versionstamp">,
  discovery: StoredDiscovery,
): void {
  write.check(key(workspaceId, competitorId), versionstamp);
  write.set(key(workspaceId, competitorId), discovery);
}

/** The commit fails when it was changed since it was read. */
export function checkDiscovery(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { versionstamp }: Pick<FoundDiscovery, "versionstamp">,
): void {
  write.check(key(workspaceId, competitorId), versionstamp);
}

/** The shop goes, or comes from another store. */
export function putDiscovery(
  write: Write,
  workspaceId: string,
  competitorId: string,
  discovery: StoredDiscovery | null,
): void {
  if (discovery) write.set(key(workspaceId, competitorId), discovery);
  else write.delete(key(workspaceId, competitorId));
}

/** Of every shop of a workspace. */
export async function* walkDiscoveries({ store, workspaceId }: WorkspaceStore) {
  for await (const row of walk(store, ["dsc", idBytes(workspaceId)])) yield row;
}

/** Of every shop of all workspaces. */
export async function* walkAllDiscoveries(store: Store) {
  for await (const row of walk(store, ["dsc"])) yield row;
}

async function* walk({ kv }: Store, prefix: Deno.KvKey) {
  for await (const { key, value } of kv.list<StoredDiscovery>({ prefix }, { batchSize: 500 })) {
    yield {
      workspaceId: idIn(key, 1),
      competitorId: idIn(key, 2),
      discovery: discoveryOf(value),
    };
  }
}
