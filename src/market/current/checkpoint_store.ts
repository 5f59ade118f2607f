/**
 * A checkpoint is derived from products, offers, proposals, rules and settings. It is ignored if its
 * format or terms differ or parts are missing. Parts are written before the head that names their
 * generation; parts of other generations are removed afterwards.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";

export interface CheckpointHead {
  /** An id; later generations have greater ids. */
  readonly generation: string;
  readonly format: string;
  /** The version of the terms on which the facts of all products depend. */
  readonly terms: string;
  /** A position in the change log: later changes may be missing in the rows. */
  readonly position: string;
  readonly atMs: number;
  /** The times of the table. */
  readonly asOfMs: number;
  readonly knownSinceMs: number;
  /**
   * Number of rows including empty ones, of the parts with rows, and of the following parts with
   * words.
   */
  readonly rows: number;
  readonly rowParts: number;
  readonly wordParts: number;
}

export const checkpointHeads = defineTable<CheckpointHead>({
  prefix: "mkh",
  about: "the head of the market table's checkpoint",
  key: {},
});

interface CheckpointPart {
  readonly generation: string;
  readonly n: number;
  readonly bytes: Uint8Array;
}

export const checkpointParts = defineTable<CheckpointPart, "generation" | "n">({
  prefix: "mkp",
  about:
    "part n of a checkpoint, at most 4,000 bytes: first packed rows, then the words that they use",
  key: { generation: "id", n: "number" },
  keyOnly: ["generation", "n"],
  codec: { encode: ({ bytes }) => bytes, decode: (bytes) => Object({ bytes }) },
  // Unpacking small batches takes a fifth less time than with 500.
  batchSize: 40,
});

/** Yields the parts of a checkpoint in order, up to the first missing one. */
export async function* walkCheckpointParts(
  workspace: WorkspaceStore,
  generation: string,
): AsyncGenerator<Uint8Array> {
  let next = 0;
  for await (const { row } of checkpointParts.walk(workspace, { within: { generation } })) {
    if (row.n !== next++) return;
    yield row.bytes;
  }
}

export async function countCheckpointParts(
  workspace: WorkspaceStore,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { row: { generation } } of checkpointParts.walk(workspace)) {
    counts.set(generation, (counts.get(generation) ?? 0) + 1);
  }
  return counts;
}
