/**
 * The caches of a process that make product lists fast: filterable fields, search texts, and ids by
 * SKU. A shard is read again when its version in the store has changed. If the search texts exceed
 * a limit, those of the workspaces that were searched longest ago are dropped.
 */
import { Failure } from "../../base/failure.ts";
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { listIndexRows } from "../products/index_row_store.ts";
import { SHARD_NUMBERS } from "../products/product.ts";
import {
  countActiveProducts,
  productVersions,
  searchVersions,
} from "../products/change_log_store.ts";
import { createFieldCache, forgetOldest } from "./field_cache.ts";
import {
  findInShards,
  type HitKind,
  joinShardText,
  productSearchOf,
  searchShards,
  type ShardText,
  sizeOfText,
} from "./search_text.ts";

/** Larger catalogues would take too much time and memory (docs/decisions/keys.md). */
export const SEARCHED_PRODUCTS_MAX = 1_000_000;
const WORKERS = 4;
interface Candidates {
  /** Sorted by id. `after` is exclusive. Texts are searched only as far as the caller reads. */
  idsAfter(after: string | null, kind?: HitKind): Iterable<string>;
  all(): Iterable<string>;
}

export type SearchCache = ReturnType<typeof createSearchCache>;

interface LoadedShard {
  readonly version: string | null;
  readonly text: ShardText;
}

interface LoadedWorkspace {
  readonly shards: Map<number, LoadedShard>;
  size: number;
  /** Reads of a workspace run one after the other. */
  reading: Promise<unknown>;
}

const log = roomLog("catalogue");

/** `charactersMax` is the limit for all workspaces together. */
export function createSearchCache(charactersMax = 64 * 1_024 * 1_024) {
  const workspaces = new Map<string, LoadedWorkspace>();
  let isClosed = false;

  const load = async (
    workspace: WorkspaceStore,
    isStopped: () => boolean,
  ): Promise<LoadedWorkspace> => {
    const loaded = workspaces.get(workspace.workspaceId) ??
      { shards: new Map(), size: 0, reading: Promise.resolve() };
    workspaces.delete(workspace.workspaceId);
    workspaces.set(workspace.workspaceId, loaded);
    const read = () => readShards(workspace, loaded, isStopped);
    // Only the caller of the previous read gets its error.
    const reading = loaded.reading.then(read, read);
    loaded.reading = reading;
    await reading;
    loaded.size = textsOf(loaded).reduce((sum, text) => sum + sizeOfText(text), 0);
    forgetOldest(workspaces, charactersMax, ({ size }) => size);
    return loaded;
  };

  // Loading may take longer than a shutdown allows.
  const refuseIfClosed = (): false => {
    if (!isClosed) return false;
    const message = "The server is shutting down, try again in a few seconds";
    throw new Failure("unavailable", message);
  };

  return {
    /** Throws `unavailable` if the cache is closed while texts are loading. */
    async find(workspace: WorkspaceStore, query: string): Promise<Candidates> {
      const texts = textsOf(await load(workspace, refuseIfClosed));
      const search = productSearchOf(query);
      return {
        idsAfter: (after, kind = "all") => searchShards(texts, search, after, kind),
        all: () => findInShards(texts, search),
      };
    },
    /** Stops when `close` is called. */
    async load(workspace: WorkspaceStore): Promise<void> {
      await load(workspace, () => isClosed);
    },
    has: (workspaceId: string): boolean => workspaces.has(workspaceId),
    close(): void {
      isClosed = true;
    },
  };
}

function textsOf({ shards }: LoadedWorkspace): ShardText[] {
  return SHARD_NUMBERS.flatMap((shard) => shards.get(shard)?.text ?? []);
}

/** Must read the search versions of the shards before the index rows of these shards. */
async function readShards(
  workspace: WorkspaceStore,
  { shards }: LoadedWorkspace,
  isStopped: () => boolean,
): Promise<void> {
  const versions = await searchVersions.list(workspace);
  const versionOf = (shard: number) => versions.get(shard) ?? null;
  const stale = SHARD_NUMBERS.filter((shard) => shards.get(shard)?.version !== versionOf(shard));
  const unknown = stale.some((shard) => !versions.has(shard));
  const versionCounters = unknown ? await productVersions.list(workspace) : null;
  const left = stale.values();
  const worker = async () => {
    for (const shard of left) {
      if (isStopped()) return;
      const version = versionOf(shard);
      // A shard without a search version and without a version counter was never written.
      const isEmpty = version === null && !versionCounters?.has(shard);
      const text = isEmpty ? joinShardText([]) : await readShardText(workspace, shard);
      shards.set(shard, { version, text });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

async function readShardText(workspace: WorkspaceStore, shard: number): Promise<ShardText> {
  const indexRows: { sku: string; id: string; text: string }[] = [];
  for await (const { sku, indexRow } of listIndexRows(workspace, shard)) {
    if (!indexRow.isDeleted) indexRows.push({ sku, id: indexRow.id, text: indexRow.text });
  }
  return joinShardText(indexRows);
}

export type CatalogueCache = ReturnType<typeof createCatalogueCache>;

export function createCatalogueCache() {
  const searches = createSearchCache();
  const warming = new Map<string, Promise<void>>();
  let isClosed = false;
  const load = async (workspace: WorkspaceStore): Promise<void> => {
    // Texts of larger catalogues need much memory, so they are loaded only for a search.
    if (await countActiveProducts(workspace) > 500_000) return;
    await searches.load(workspace);
  };
  return {
    fields: createFieldCache(),
    searches,
    /** Ids by workspace and SKU. The caller must check that the product still has the SKU. */
    skus: new Map<string, string>(),
    /** Never rejects. Does nothing if the texts are loaded, because each search updates them. */
    warm({ store, workspaceId }: WorkspaceStore): Promise<void> {
      if (isClosed || searches.has(workspaceId)) return Promise.resolve();
      const known = warming.get(workspaceId);
      if (known) return known;
      const loading = load({ store, workspaceId })
        // The next search reads the texts itself and reports its own error.
        .catch((error) => log.warning("search texts not loaded", { workspaceId, error }))
        .finally(() => warming.delete(workspaceId));
      warming.set(workspaceId, loading);
      return loading;
    },
    /** Stops loading, and waits until no background work uses the store any more. */
    async close(): Promise<void> {
      isClosed = true;
      searches.close();
      await Promise.all(warming.values());
    },
  };
}
