/**
 * Search texts of workspaces in memory. The search version of a shard decides whether its text is still
 * valid. The texts are read from the index rows.
 */

import type { WorkspaceStore } from "../../platform/store/context.ts";
import { listIndexRows } from "../products/index_row_store.ts";
import { SHARD_NUMBERS } from "../products/product.ts";
import { listSearchVersions, listVersionCounters } from "../products/version_counter_store.ts";
import { forgetOldest } from "./field_cache.ts";
import {
  findInShards,
  type HitKind,
  joinShardText,
  productSearchOf,
  searchShards,
  type ShardText,
  sizeOfText,
} from "./search_text.ts";

/** For all workspaces together; the one that was searched longest ago goes first. */
const CHARACTERS_MAX = 64 * 1_024 * 1_024;
/**
 * A search text of more products would take too much memory and time to load
 * (docs/decisions/keys.md).
 */
export const SEARCHED_PRODUCTS_MAX = 1_000_000;
/** Shards read side by side: more of them only wait in memory for their turn to be decoded. */
const LANES = 4;
/** Products that contain all that a question asks for. */
interface Candidates {
  /** Their ids after `after`, ascending, looked for only as far as they are taken. */
  idsAfter(after: string | null, kind?: HitKind): Iterable<string>;
  all(): Iterable<string>;
}

export interface SearchCache {
  /** The products whose SKU, EAN, MPN and title have all words of a question (`searchQuestion`). */
  find(workspace: WorkspaceStore, question: string): Promise<Candidates>;
  load(workspace: WorkspaceStore, isStopped: () => boolean): Promise<void>;
}

interface LoadedShard {
  /** `null` before the first version. */
  readonly version: string | null;
  readonly text: ShardText;
}

interface LoadedWorkspace {
  readonly shards: Map<number, LoadedShard>;
  size: number;
  /** Concurrent callers share one read of the texts. */
  reading: Promise<unknown>;
}

export function createSearchCache(charactersMax = CHARACTERS_MAX): SearchCache {
  const workspaces = new Map<string, LoadedWorkspace>();

  const load = async (
    workspace: WorkspaceStore,
    isStopped: () => boolean,
  ): Promise<LoadedWorkspace> => {
    const loaded = workspaces.get(workspace.workspaceId) ??
      { shards: new Map(), size: 0, reading: Promise.resolve() };
    workspaces.delete(workspace.workspaceId);
    workspaces.set(workspace.workspaceId, loaded);
    const read = () => readShards(workspace, loaded, isStopped);
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
      await load(workspace, isStopped);
    },
  };
}

function textsOf({ shards }: LoadedWorkspace): ShardText[] {
  return SHARD_NUMBERS.flatMap((shard) => shards.get(shard)?.text ?? []);
}

/** Versions are read before cards: a text may be newer than its version, never older. */
async function readShards(
  workspace: WorkspaceStore,
  { shards }: LoadedWorkspace,
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
      const text = isEmpty ? joinShardText([]) : await readShardText(workspace, shard);
      shards.set(shard, { version, text });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function readShardText(workspace: WorkspaceStore, shard: number): Promise<ShardText> {
  const indexRows: { sku: string; id: string; text: string }[] = [];
  for await (const { sku, card } of listIndexRows(workspace, shard)) {
    if (!card.isDeleted) indexRows.push({ sku, id: card.id, text: card.text });
  }
  return joinShardText(indexRows);
}
