/**
 * Keys: `jp W jobId shard n` → UTF-8 text of record lines, at most 60,000 bytes, packed where that
 * pays (`packed_bytes.ts`): the checked records of an upload, dealt out by the shard of their SKU
 * (design: an import is a hash join).
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { packBytes, type PackedBytes, unpackBytes } from "../../platform/store/packed_bytes.ts";
import { keyOfJob, remover } from "../job_rows.ts";

export const PARTITION_BYTES_MAX = 60_000;

export function saveChunk(
  write: Write,
  workspaceId: string,
  jobId: string,
  chunk: { readonly shard: number; readonly n: number; readonly bytes: Uint8Array },
): void {
  const key = [...keyOfJob("jp", workspaceId, jobId), chunk.shard, chunk.n];
  write.set(key, packBytes(chunk.bytes));
}

/** Read side by side: a shard of a large file has tens of megabytes. */
const CHUNKS_AT_ONCE = 16;

/** All chunks of one shard, in their order, a few at a time. */
export async function* readChunks(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  shard: number,
): AsyncGenerator<Uint8Array> {
  const prefix = [...keyOfJob("jp", workspaceId, jobId), shard];
  const rows = store.kv.list<PackedBytes>({ prefix }, { batchSize: CHUNKS_AT_ONCE });
  for await (const { value } of rows) yield unpackBytes(value, PARTITION_BYTES_MAX);
}

/** Takes chunks of a job away. */
export const removeChunks = remover("jp");
