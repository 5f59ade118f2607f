/**
 * Keys (`W`: id of the workspace): `b blobId n` → 65,536 bytes of an upload (blob), from byte n ×
 * 65,536, compressed if that saves space; `bu W` → u64, bytes that the workspace has reserved. A
 * commit that changes a blob fails if the blob's row (`bh`) was changed meanwhile. A commit that
 * changes the reserved bytes also updates `bu`. Reserving under a limit fails if `bu` was changed.
 *
 * Stores uploads (blobs) in chunks, and reads any part of a complete blob. Bytes are reserved
 * before a blob is written, so that all blobs of a workspace together stay within a limit.
 */
import assert from "node:assert/strict";
import { noSuch } from "../../base/failure.ts";
import type { WorkspaceStore } from "./context.ts";
import type { Store, Write } from "./kv.ts";
import { getRows, idKey, packBytes, type PackedBytes, unpackBytes } from "./rows.ts";
import { defineStoreTable, type Found } from "./table.ts";

/** The maximum size of a value in the store. */
export const CHUNK_BYTES = 65_536;

export interface SpooledBlob {
  readonly blobId: string;
  readonly workspaceId: string;
  /** A `writing` blob grows, a `complete` one keeps its bytes, a `leaving` one is being deleted. */
  readonly state: "writing" | "complete" | "leaving";
  readonly bytes: number;
  /** Null until the blob is complete. */
  readonly sha256: string | null;
  readonly expiresAtMs: number;
  /** Bytes that count towards the workspace's limit; absent in blobs of old versions of Kurant. */
  readonly reservedBytes?: number;
}

export type BlobPlace = Pick<SpooledBlob, "workspaceId" | "blobId">;

export const blobs = defineStoreTable<SpooledBlob, "workspaceId" | "blobId", "expiry">({
  prefix: "bh",
  about: "an upload; `b` has its chunks",
  key: { workspaceId: "id", blobId: "id" },
  valueHasKey: true,
  indexes: { expiry: { prefix: "bx", key: { expiresAtMs: "number" } } },
});

const chunkKey = (blobId: string, n: number) => [...idKey("b", blobId), n];
const usageKey = (workspaceId: string) => idKey("bu", workspaceId);

/** Returns null unless the blob is complete and belongs to this workspace. */
export async function findComplete({ store, workspaceId }: WorkspaceStore, blobId: string) {
  const found = await blobs.find({ store }, { workspaceId, blobId });
  return found?.row.state === "complete" ? found : null;
}

type SpoolUsage = Awaited<ReturnType<typeof findUsage>>;

export async function findUsage({ store, workspaceId }: WorkspaceStore) {
  const { value, versionstamp } = await store.kv.get<Deno.KvU64>(usageKey(workspaceId));
  return { bytes: Number(value?.value ?? 0n), versionstamp };
}

/** The commit fails if the workspace's usage has changed since it was read. */
export function checkUsage(write: Write, workspaceId: string, { versionstamp }: SpoolUsage): void {
  write.check(usageKey(workspaceId), versionstamp);
}

export async function sumUsage({ kv }: Store): Promise<number> {
  let bytes = 0;
  for await (const { value } of kv.list<Deno.KvU64>({ prefix: ["bu"] })) {
    bytes += Number(value.value);
  }
  return bytes;
}

/** The commit fails if the blob has changed, or if the id of a new blob is in use. */
export function saveBlob(write: Write, before: Found<SpooledBlob> | null, next: SpooledBlob): void {
  blobs.save(write, {}, before, next);
  countReserved(write, before?.row, next);
}

/** All chunks of the blob must already be deleted. */
export function deleteBlob(write: Write, found: Found<SpooledBlob>): void {
  blobs.remove(write, {}, found);
  countReserved(write, found.row, { ...found.row, reservedBytes: 0 });
}

function countReserved(write: Write, before: SpooledBlob | undefined, next: SpooledBlob): void {
  const more = (next.reservedBytes ?? 0) - (before?.reservedBytes ?? 0);
  if (more !== 0) write.sum(usageKey(next.workspaceId), more);
}

/** All chunks except the last must have `CHUNK_BYTES` bytes. */
export function saveChunk(write: Write, blobId: string, n: number, bytes: Uint8Array): void {
  write.set(chunkKey(blobId, n), packBytes(bytes));
}

export function deleteChunk(write: Write, blobId: string, n: number): void {
  write.delete(chunkKey(blobId, n));
}

async function findChunks(
  store: Store,
  blobId: string,
  first: number,
  count: number,
): Promise<Uint8Array[]> {
  const keys = Array.from({ length: count }, (_, at) => chunkKey(blobId, first + at));
  const rows = await getRows<PackedBytes>(store, keys);
  return rows.flatMap(({ value }) => value === null ? [] : unpackBytes(value, CHUNK_BYTES));
}

export async function* listBlobs(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<SpooledBlob> {
  for await (const { row } of blobs.walk({ store }, { within: { workspaceId } })) yield row;
}

export async function* checkSpool(workspace: WorkspaceStore): AsyncGenerator<string> {
  const before = await findUsage(workspace);
  let reserved = 0;
  for await (const { reservedBytes = 0 } of listBlobs(workspace)) reserved += reservedBytes;
  const { bytes, versionstamp } = await findUsage(workspace);
  if (versionstamp !== before.versionstamp) yield* checkSpool(workspace);
  else if (bytes !== reserved) {
    yield `Uploads have reserved ${reserved} bytes, ${bytes} are counted`;
  }
}

const YOUNG_SLOTS = CHUNK_BYTES / 8;

/** Allocates heap for each chunk read, so that the garbage collector runs and frees old chunks. */
class HeapFiller {
  made: readonly unknown[] = [];

  make(chunks: number): void {
    this.made = Array.from({ length: chunks }, () => new Array(YOUNG_SLOTS));
  }
}

export type OpenBlob = Awaited<ReturnType<typeof openBlob>>;

export async function openBlob(workspace: WorkspaceStore, blobId: string) {
  const found = await findComplete(workspace, blobId);
  if (!found) throw noSuch("upload", blobId);
  const { bytes: size } = found.row;
  let last: { n: number; chunk: Uint8Array } | null = null;
  const filler = new HeapFiller();

  const chunksOf = async (first: number, count: number): Promise<Uint8Array[]> => {
    const known = last?.n === first ? [last.chunk] : [];
    const rest = count - known.length;
    const chunks = rest === 0
      ? known
      : [...known, ...await findChunks(workspace.store, blobId, first + known.length, rest)];
    assert(chunks.length === count, `Upload ${blobId} was deleted while it was read`);
    filler.make(rest);
    const chunk = chunks.at(-1);
    if (chunk) last = { n: first + count - 1, chunk };
    return chunks;
  };

  return {
    size,
    /** Returns fewer bytes than `length` only at the end of the blob. */
    async read(offset: number, length: number): Promise<Uint8Array> {
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
