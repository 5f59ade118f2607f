import type { WorkspaceStore } from "../platform/store/context.ts";
import { packText } from "./lists/search_pack.ts";
import { findSearchPack } from "./lists/search_pack_store.ts";
import { readShardText } from "./lists/search_memory.ts";
import { SHARD_NUMBERS } from "./products/product.ts";
import { findSearchVersion } from "./products/search_version_store.ts";

/** Compares stored search texts with the cards of their shards. Memory is the text of one shard. */
export async function* checkSearchTexts(workspace: WorkspaceStore): AsyncGenerator<string> {
  for (const shard of SHARD_NUMBERS) {
    const version = await findSearchVersion(workspace, shard);
    const packed = await findSearchPack(workspace, shard, version);
    if (packed === null) continue;
    const expected = packText(await readShardText(workspace, shard));
    if (expected?.toHex() !== packed.toHex()) {
      yield `The stored search text of shard ${shard} is not what its cards say`;
    }
  }
}
