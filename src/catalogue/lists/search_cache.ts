/**
 * Search texts of workspaces in memory. The search version of a shard decides whether its text is still
 * true. Texts that have not changed for a while are stored packed, so that a new process loads them fast.
 */

import type { WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { listIndexRows } from "../products/index_row_store.ts";
import { SHARD_NUMBERS } from "../products/product.ts";
import {
  checkSearchVersion,
  findSearchVersion,
  listSearchVersions,
  listVersionCounters,
} from "../products/version_counter_store.ts";
import { forgetOldest } from "./field_cache.ts";
import {
  findSearchPack,
  hasSearchPack,
  packText,
  removePartsBehind,
  savePart,
  searchPackOf,
  unpackText,
} from "./search_pack_store.ts";
import {
  findInShards,
  type HitKind,
  joinShardText,
  productSearchOf,
  searchShards,
  type ShardText,
  sizeOfText,
} from "./search_text.ts";

/** Half of what a commit takes. */
const PARTS_PER_COMMIT = 90;

/**
 * Stores a shard's search text for the next process. Does nothing when the shard no longer has that
 * version, or the text is stored already.
 */
async function keepSearchText(
  workspace: WorkspaceStore,
  shard: number,
  version: string | null,
  text: ShardText,
): Promise<void> {
  const bytes = packText(text);
  if (bytes === null) return;
  const pack = searchPackOf(shard, version, bytes);
  if (await hasSearchPack(workspace, pack)) return;
  for (let first = 0; first < pack.parts.length; first += PARTS_PER_COMMIT) {
    const isOfToday = await transact(workspace, async (write) => {
      if (await findSearchVersion(workspace, shard) !== version) return false;
      checkSearchVersion(write, workspace.workspaceId, shard, version);
      if (first === 0) await removePartsBehind(write, workspace, pack);
      const end = Math.min(first + PARTS_PER_COMMIT, pack.parts.length);
      for (let n = first; n < end; n++) savePart(write, workspace.workspaceId, pack, n);
      return true;
    });
    if (!isOfToday) return;
  }
}

/** For all workspaces together; the one that was searched longest ago goes first. */
const CHARACTERS_MAX = 64 * 1_024 * 1_024;
/**
 * A search text of more products would take too much memory and time to load
 * (docs/decisions/keys.md).
 */
export const SEARCHED_PRODUCTS_MAX = 1_000_000;
/** Shards read side by side: more of them only wait in memory for their turn to be decoded. */
const LANES = 4;
/**
 * A text is stored when nothing in its shard was renamed for so long: an import or a busy day writes it
 * once, not with every change.
 */
const STILL_MS = 10 * 60_000;

/** Products that contain all that a question asks for. */
interface Candidates {
  /** Their ids after `after`, ascending, looked for only as far as they are taken. */
  idsAfter(after: string | null, kind?: HitKind): Iterable<string>;
  /** All ids, in whatever order. */
  all(): Iterable<string>;
}

export interface SearchCache {
  /** The products whose SKU, EAN, MPN and title have all words of a question (`searchQuestion`). */
  find(workspace: WorkspaceStore, question: string): Promise<Candidates>;
  /** Loads the texts in advance, and stores those that are stable, until `isStopped` ends it. */
  load(workspace: WorkspaceStore, isStopped: () => boolean): Promise<void>;
}

interface LoadedShard {
  /** `null` before the first version. */
  readonly version: string | null;
  readonly text: ShardText;
  /** Since when it waits to be stored; null for a text that is. */
  stillSinceMs: number | null;
}

interface LoadedWorkspace {
  readonly shards: Map<number, LoadedShard>;
  size: number;
  /** Concurrent callers share one read of the texts. */
  reading: Promise<unknown>;
}

interface SearchCacheOptions {
  readonly charactersMax?: number;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

export function createSearchCache(
  { charactersMax = CHARACTERS_MAX, nowMs = () => performance.now() }: SearchCacheOptions = {},
): SearchCache {
  const workspaces = new Map<string, LoadedWorkspace>();

  const load = async (
    workspace: WorkspaceStore,
    isStopped: () => boolean,
  ): Promise<LoadedWorkspace> => {
    const loaded = workspaces.get(workspace.workspaceId) ??
      { shards: new Map(), size: 0, reading: Promise.resolve() };
    workspaces.delete(workspace.workspaceId);
    workspaces.set(workspace.workspaceId, loaded);
    const read = () => readShards(workspace, loaded, nowMs, isStopped);
    // The caller that started the read before gets its error.
    const reading = loaded.reading.then(read, read);
    loaded.reading = reading;
    await reading;
    loaded.size = textsOf(loaded).reduce((sum, text) => sum + sizeOfText(text), 0);
    forgetOldest(workspaces, charactersMax, ({ size }) => size);
    return loaded;
  };

  return {
    async find(workspace, question) {
      const texts = textsOf(await load(workspace, () => false));
      const search = productSearchOf(question);
      return {
        idsAfter: (after, kind = "all") => searchShards(texts, search, after, kind),
        all: () => findInShards(texts, search),
      };
    },
    async load(workspace, isStopped) {
      await keepStill(workspace, await load(workspace, isStopped), nowMs, isStopped);
    },
  };
}

/** In the order of their shards. */
function textsOf({ shards }: LoadedWorkspace): ShardText[] {
  return SHARD_NUMBERS.flatMap((shard) => shards.get(shard)?.text ?? []);
}

/** Versions are read before cards: a text may be newer than its version, never older. */
async function readShards(
  workspace: WorkspaceStore,
  { shards }: LoadedWorkspace,
  nowMs: () => number,
  isStopped: () => boolean,
): Promise<void> {
  const versions = await listSearchVersions(workspace);
  const versionOf = (shard: number) => versions.get(shard) ?? null;
  const stale = SHARD_NUMBERS.filter((shard) => shards.get(shard)?.version !== versionOf(shard));
  const unknown = stale.some((shard) => !versions.has(shard));
  const versionCounters = unknown ? await listVersionCounters(workspace) : null;
  const left = stale.values();
  const lane = async () => {
    for (const shard of left) {
      if (isStopped()) return;
      const version = versionOf(shard);
      // Nothing was ever written to a shard without a generation.
      const isEmpty = version === null && !versionCounters?.has(shard);
      const packed = isEmpty || shards.has(shard)
        ? null
        : await findSearchPack(workspace, shard, version);
      const text = isEmpty
        ? joinShardText([])
        : packed
        ? unpackText(packed)
        : await readShardText(workspace, shard);
      shards.set(shard, { version, text, stillSinceMs: isEmpty || packed ? null : nowMs() });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Stores texts that have not changed for long; a failed write waits as long again. */
async function keepStill(
  workspace: WorkspaceStore,
  { shards }: LoadedWorkspace,
  nowMs: () => number,
  isStopped: () => boolean,
): Promise<void> {
  for (const [number, shard] of shards) {
    if (isStopped()) return;
    if (shard.stillSinceMs === null || nowMs() - shard.stillSinceMs < STILL_MS) continue;
    shard.stillSinceMs = nowMs();
    await keepSearchText(workspace, number, shard.version, shard.text);
    shard.stillSinceMs = null;
  }
}

export async function readShardText(workspace: WorkspaceStore, shard: number): Promise<ShardText> {
  const indexRows: { sku: string; id: string; text: string }[] = [];
  for await (const { sku, card } of listIndexRows(workspace, shard)) {
    if (!card.isDeleted) indexRows.push({ sku, id: card.id, text: card.text });
  }
  return joinShardText(indexRows);
}
