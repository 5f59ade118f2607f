/** Random access to a stored upload (`spool.ts`). */
import { noSuch } from "../../base/failure.ts";
import type { WorkspaceStore } from "./context.ts";
import { CHUNK_BYTES, findBlob, findChunks } from "./spool_store.ts";
import assert from "node:assert/strict";

/** An array of this many slots takes as much memory as a chunk. */
const YOUNG_SLOTS = CHUNK_BYTES / 8;

/** Makes the garbage collector run by allocating objects, so that it releases read chunks. */
class HeapFiller {
  made: readonly unknown[] = [];

  make(chunks: number): void {
    this.made = Array.from({ length: chunks }, () => new Array(YOUNG_SLOTS));
  }
}

export interface OpenBlob {
  readonly size: number;
  /** Returns fewer bytes than `length` only at the end of the blob. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Throws `not_found`. */
export async function openBlob(workspace: WorkspaceStore, blobId: string): Promise<OpenBlob> {
  const blob = await findBlob(workspace, blobId);
  if (!blob) throw noSuch("upload", blobId);
  const { bytes: size } = blob;
  let last: { n: number; chunk: Uint8Array } | null = null;
  const filler = new HeapFiller();

  const chunksOf = async (first: number, count: number): Promise<Uint8Array[]> => {
    const known = last?.n === first ? [last.chunk] : [];
    const rest = count - known.length;
    const chunks = rest === 0
      ? known
      : [...known, ...await findChunks(workspace.store, blobId, first + known.length, rest)];
    // Without this check, an upload that is deleted during a read would look like a shorter one.
    assert(chunks.length === count, `Upload ${blobId} was deleted while it was read`);
    filler.make(rest);
    const chunk = chunks.at(-1);
    if (chunk) last = { n: first + count - 1, chunk };
    return chunks;
  };

  return {
    size,
    async read(offset, length) {
      const end = Math.min(size, offset + length);
      if (offset >= end) return new Uint8Array();
      const first = Math.floor(offset / CHUNK_BYTES);
      const chunks = await chunksOf(first, Math.ceil(end / CHUNK_BYTES) - first);
      const bytes = new Uint8Array(end - offset);
      chunks.forEach((chunk, n) => {
        const startsAt = (first + n) * CHUNK_BYTES;
        const part = chunk.subarray(Math.max(0, offset - startsAt), end - startsAt);
        bytes.set(part, Math.max(0, startsAt - offset));
      });
      return bytes;
    },
  };
}
