/**
 * Search texts of workspaces in memory; the generation of a shard says whether its text is still
 * true.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Candidates } from "./candidates.ts";
import { SHARD_NUMBERS } from "../products/product.ts";
import { listCards } from "../products/card_store.ts";
import { listGenerations } from "../products/generation_store.ts";
import {
  countHits,
  joinShardText,
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
export const SEARCHED_PRODUCTS_MAX = 500_000;
/** Shards read side by side: more of them only wait in memory for their turn to be decoded. */
const LANES = 4;
/** A product lies in a shard by chance, so a few shards tell of all. */
const COUNTED_SHARDS = 4;

export interface SearchMemory {
  /**
   * The products whose SKU, title or EAN contains the folded `needle`; their number is an estimate.
   */
  find(workspace: WorkspaceStore, needle: string): Promise<Candidates>;
  /** Loads the texts before somebody waits for them, until `isStopped` says that nobody will. */
  load(workspace: WorkspaceStore, isStopped: () => boolean): Promise<void>;
}

interface LoadedShard {
  readonly generation: string;
  readonly text: ShardText;
}

interface LoadedWorkspace {
  readonly shards: Map<number, LoadedShard>;
  size: number;
  /** Whoever comes next waits for this one's texts instead of reading them, too. */
  reading: Promise<unknown>;
}

export function createSearchMemory(charactersMax: number = CHARACTERS_MAX): SearchMemory {
  const workspaces = new Map<string, LoadedWorkspace>();

  const load = async (
    workspace: WorkspaceStore,
    isStopped: () => boolean,
  ): Promise<ShardText[]> => {
    const loaded = workspaces.get(workspace.workspaceId) ??
      { shards: new Map(), size: 0, reading: Promise.resolve() };
    workspaces.delete(workspace.workspaceId);
    workspaces.set(workspace.workspaceId, loaded);
    const read = () => readShards(workspace, loaded, isStopped);
    // What became of the one before is told to whoever began it.
    const reading = loaded.reading.then(read, read);
    loaded.reading = reading;
    const texts = await reading;
    loaded.size = texts.reduce((sum, text) => sum + sizeOfText(text), 0);
    forgetOldest(workspaces, charactersMax);
    return texts;
  };

  return {
    async find(workspace, needle) {
      const texts = await load(workspace, () => false);
      const counted = texts.slice(0, COUNTED_SHARDS);
      const hits = counted.reduce((sum, text) => sum + countHits(text, needle), 0);
      return {
        count: hits * texts.length / Math.max(1, counted.length),
        idsAfter: (after) => searchShards(texts, needle, after),
      };
    },
    async load(workspace, isStopped) {
      await load(workspace, isStopped);
    },
  };
}

/** Generations are read before cards: a text may be newer than its generation, never older. */
async function readShards(
  workspace: WorkspaceStore,
  { shards }: LoadedWorkspace,
  isStopped: () => boolean,
): Promise<ShardText[]> {
  const generations = await listGenerations(workspace);
  const stale = SHARD_NUMBERS.filter((shard) =>
    generations.has(shard) && shards.get(shard)?.generation !== generations.get(shard)
  ).values();
  const lane = async () => {
    for (const shard of stale) {
      if (isStopped()) return;
      const text = await readShard(workspace, shard);
      shards.set(shard, { generation: generations.get(shard) ?? "", text });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return SHARD_NUMBERS.flatMap((shard) => shards.get(shard)?.text ?? []);
}

async function readShard(workspace: WorkspaceStore, shard: number): Promise<ShardText> {
  const cards: { sku: string; id: string; text: string }[] = [];
  for await (const { sku, card } of listCards(workspace, shard)) {
    if (!card.isDeleted) cards.push({ sku, id: card.id, text: card.text });
  }
  return joinShardText(cards);
}

/** The workspace searched last stays, whatever its size. */
function forgetOldest(workspaces: Map<string, LoadedWorkspace>, charactersMax: number): void {
  let size = workspaces.values().reduce((sum, loaded) => sum + loaded.size, 0);
  for (const [id, loaded] of workspaces) {
    if (size <= charactersMax || workspaces.size === 1) return;
    workspaces.delete(id);
    size -= loaded.size;
  }
}
