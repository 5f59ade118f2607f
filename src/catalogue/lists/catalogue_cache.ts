/**
 * The caches of a process that make product lists fast: filterable fields, search texts, and ids by
 * SKU. A shard is read again when its version in the store has changed. If the search texts exceed
 * a limit, those of the workspaces that were searched longest ago are dropped.
 */
import { Failure } from "../../base/failure.ts";
import { HOUR_MS } from "../../base/time.ts";
import { roomLog } from "../../platform/log.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { listIndexRows } from "../products/index_row_store.ts";
import { SHARD_NUMBERS } from "../products/product.ts";
import {
  countActiveProducts,
  productVersions,
  searchVersions,
} from "../products/product_mark_store.ts";
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
import { hasShardCopies, readShardCopy, writeShardCopy } from "./search_text_copies.ts";

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
  isCopied: boolean;
}

interface LoadedWorkspace {
  readonly shards: Map<number, LoadedShard>;
  size: number;
  /** Reads of a workspace run one after the other. */
  reading: Promise<unknown>;
  /** By `performance.now()`. */
  nextCopyMs: number;
}

interface SearchCacheOptions {
  /** Limit for all workspaces together. */
  readonly charactersMax?: number;
  /** The texts of catalogues with at least this number of products are copied to the store. */
  readonly copiedFrom?: number;
}

const log = roomLog("catalogue");

export function createSearchCache(
  { charactersMax = 64 * 1_024 * 1_024, copiedFrom = 20_000 }: SearchCacheOptions = {},
) {
  const workspaces = new Map<string, LoadedWorkspace>();
  let isClosed = false;
  const copies = new Copies(copiedFrom);

  const load = async (
    workspace: WorkspaceStore,
    isStopped: () => boolean,
  ): Promise<LoadedWorkspace> => {
    const loaded = workspaces.get(workspace.workspaceId) ??
      { shards: new Map(), size: 0, reading: Promise.resolve(), nextCopyMs: -Infinity };
    workspaces.delete(workspace.workspaceId);
    workspaces.set(workspace.workspaceId, loaded);
    const read = () => readShards(workspace, loaded, isStopped);
    // Only the caller of the previous read gets its error.
    const reading = loaded.reading.then(read, read);
    loaded.reading = reading;
    await reading;
    loaded.size = textsOf(loaded).reduce((sum, text) => sum + sizeOfText(text), 0);
    forgetOldest(workspaces, charactersMax, ({ size }) => size);
    copies.writeLater(workspace, loaded);
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
    /** Also copies the texts to the store. Stops when `close` is called. */
    async load(workspace: WorkspaceStore): Promise<void> {
      await load(workspace, () => isClosed);
      await copies.written();
    },
    /** Resolves when no copy is running any more. */
    async close(): Promise<void> {
      isClosed = true;
      await copies.end();
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
  const hasCopies = shards.size === 0 && await hasShardCopies(workspace);
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
      const copy = hasCopies && version !== null
        ? await readShardCopy(workspace, shard, version)
        : null;
      const text = isEmpty ? joinShardText([]) : copy ?? await readShardText(workspace, shard);
      shards.set(shard, { version, text, isCopied: copy !== null });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

class Copies {
  readonly #from: number;
  #writing: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor(from: number) {
    this.#from = from;
  }

  writeLater({ store, workspaceId }: WorkspaceStore, loaded: LoadedWorkspace): void {
    const nowMs = performance.now();
    if (this.#isEnded || nowMs < loaded.nextCopyMs) return;
    if (textsOf(loaded).reduce((sum, { ids }) => sum + ids.length, 0) < this.#from) return;
    loaded.nextCopyMs = nowMs + HOUR_MS;
    this.#writing = this.#writing.then(() => this.#write({ store, workspaceId }, loaded))
      .catch((error) => log.warning("search texts not copied", { workspaceId, error }));
  }

  written(): Promise<void> {
    return this.#writing;
  }

  end(): Promise<void> {
    this.#isEnded = true;
    return this.#writing;
  }

  async #write(workspace: WorkspaceStore, { shards }: LoadedWorkspace): Promise<void> {
    for (const [shard, loaded] of shards) {
      if (this.#isEnded) return;
      const { version, text, isCopied } = loaded;
      if (version === null || isCopied) continue;
      loaded.isCopied = await writeShardCopy(workspace, shard, version, text);
    }
  }
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
  const rewrites = new Rewrites();
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
    rewrites,
    /** Never rejects. Does nothing during an import. */
    warm({ store, workspaceId }: WorkspaceStore): Promise<void> {
      if (isClosed || rewrites.isOngoing(workspaceId)) return Promise.resolve();
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
      await Promise.all([searches.close(), ...warming.values()]);
    },
  };
}

/** Time after an import's last commit until the import counts as finished. */
const ENDED_MS = 5_000;

/** Records which catalogues an import is rewriting. */
export class Rewrites {
  /** By workspace id, oldest first. */
  readonly #notedMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** `nowMs` must be monotonic. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  note(workspaceId: string): void {
    this.#notedMs.delete(workspaceId);
    this.#notedMs.set(workspaceId, this.#nowMs());
  }

  isOngoing(workspaceId: string): boolean {
    for (const [id, notedMs] of this.#notedMs) {
      if (this.#nowMs() - notedMs < ENDED_MS) break;
      this.#notedMs.delete(id);
    }
    return this.#notedMs.has(workspaceId);
  }
}
