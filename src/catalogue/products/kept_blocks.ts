import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { CommitCost } from "../../platform/store/kv.ts";
import { PAGE_VALUE_BYTES } from "../../platform/store/value_bytes.ts";
import { bytesOfFields, sizeOfBlock } from "./field_block.ts";
import { listBlocks } from "./field_block_store.ts";
import type { FieldChange } from "./product_tally.ts";
import { type BlockSource, type HeldBlock, heldBlock } from "./save_tally.ts";

/** A key in a commit, at most. */
const KEY_BYTES = 70;

/**
 * The blocks of fields of the shards that one writer changes commit by commit. Each commit is taken
 * for made: when one fails, or somebody else has written to a shard, which its generation tells, the
 * writer begins with new ones.
 */
export class KeptBlocks implements BlockSource {
  readonly isVouched = true;
  readonly #workspace: WorkspaceStore;
  /** In their order. */
  readonly #shards = new Map<number, HeldBlock[]>();

  constructor(workspace: WorkspaceStore) {
    this.#workspace = workspace;
  }

  /** All blocks of the shard, read once. */
  async find(shard: number): Promise<readonly HeldBlock[]> {
    const known = this.#shards.get(shard);
    if (known) return known;
    const read = (await listBlocks(this.#workspace, shard)).map(heldBlock);
    this.#shards.set(shard, read);
    return read;
  }

  replace(shard: number, old: readonly HeldBlock[], next: readonly HeldBlock[]): void {
    const left = (this.#shards.get(shard) ?? []).filter((held) => !old.includes(held));
    const at = left.findIndex(({ first }) => first >= (old[0]?.first ?? ""));
    this.#shards.set(shard, left.toSpliced(at < 0 ? left.length : at, 0, ...next));
  }

  /**
   * An upper bound of what the change adds to a commit; `touched` has the blocks that the commit
   * changes already, and is added to.
   */
  async costOf(
    shard: number,
    id: string,
    change: FieldChange,
    touched: Set<HeldBlock | number>,
  ): Promise<Partial<CommitCost>> {
    const blocks = await this.find(shard);
    const place = blocks.findLast(({ first }) => first <= id) ?? shard;
    const added = change === null ? 0 : bytesOfFields(change.fields);
    // What is added may begin new blocks, each at least half full.
    const share = 2 * added / PAGE_VALUE_BYTES;
    if (touched.has(place)) return { mutations: share, keyBytes: share * KEY_BYTES, bytes: added };
    touched.add(place);
    const rows = 5 + share;
    const held = typeof place === "number" ? 0 : sizeOfBlock(place.block);
    // The block, a part of it or its removal, the one before it, and the versions of the shard.
    return { mutations: rows, keyBytes: rows * KEY_BYTES, bytes: rows * KEY_BYTES + held + added };
  }
}
