/** Search texts of workspaces in memory; the generation of a shard says whether its text is still true. */
import type { WorkspaceStore } from "../platform/context.ts";
import { SHARD_NUMBERS } from "./product.ts";
import { listCards, listGenerations } from "./product_store.ts";
import { joinShardText, searchShard, type ShardText, sizeOfText } from "./search_text.ts";

/** For all workspaces together; the one that was searched longest ago goes first. */
const CHARACTERS_MAX = 64 * 1_024 * 1_024;

export interface SearchMemory {
  /**
   * The ids after `after` whose SKU, title or EAN contains the folded `needle`, ascending. Null when
   * they are more than `idsMax`, or the texts have no room: a scan is the better way then.
   */
  find(
    workspace: WorkspaceStore,
    needle: string,
    after: string | null,
    idsMax: number,
  ): Promise<string[] | null>;
  /** Loads the texts before somebody waits for them. */
  warm(workspace: WorkspaceStore): Promise<void>;
}

interface LoadedShard {
  readonly generation: string;
  readonly text: Promise<ShardText>;
}

interface LoadedWorkspace {
  readonly shards: Map<number, LoadedShard>;
  size: number;
}

export function createSearchMemory(charactersMax: number = CHARACTERS_MAX): SearchMemory {
  const workspaces = new Map<string, LoadedWorkspace>();

  const load = async (workspace: WorkspaceStore): Promise<ShardText[]> => {
    const loaded = workspaces.get(workspace.workspaceId) ?? { shards: new Map(), size: 0 };
    workspaces.delete(workspace.workspaceId);
    workspaces.set(workspace.workspaceId, loaded);
    const texts = await readShards(workspace, loaded);
    loaded.size = texts.reduce((sum, text) => sum + sizeOfText(text), 0);
    forgetOldest(workspaces, charactersMax);
    return texts;
  };

  return {
    async find(workspace, needle, after, idsMax) {
      const ids: string[] = [];
      for (const text of await load(workspace)) {
        for (const id of searchShard(text, needle)) {
          if (after === null || id > after) ids.push(id);
        }
        if (ids.length > idsMax) return null;
      }
      return ids.sort();
    },
    async warm(workspace) {
      await load(workspace);
    },
  };
}

/** Generations are read before cards: a text may be newer than its generation, never older. */
async function readShards(
  workspace: WorkspaceStore,
  { shards }: LoadedWorkspace,
): Promise<ShardText[]> {
  const generations = await listGenerations(workspace);
  const texts: Promise<ShardText>[] = [];
  for (const shard of SHARD_NUMBERS) {
    const generation = generations.get(shard);
    if (generation === undefined) continue;
    const known = shards.get(shard);
    const isTrue = known?.generation === generation;
    const text = isTrue ? known.text : readShard(workspace, shard);
    if (!isTrue) shards.set(shard, { generation, text });
    texts.push(text);
  }
  try {
    return await Promise.all(texts);
  } catch (error) {
    // A text that could not be read must not be taken for read the next time.
    shards.clear();
    throw error;
  }
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
