/** Uploads in the store: written as they come, read back as a stream or at any place, never whole in memory. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Failure } from "../base/failure.ts";
import type { Clockwork, WorkspaceStore } from "./context.ts";
import { type Store, transact, type Write } from "./kv.ts";
import {
  CHUNK_BYTES,
  deleteBlob,
  deleteChunk,
  findBlob,
  findChunks,
  findStoredBlob,
  listBlobs,
  listExpired,
  saveBlob,
  saveChunk,
  type SpooledBlob,
  type StoredBlob,
} from "./spool_store.ts";

/** 11 chunks and their keys are 721,000 bytes of the 750,000 that a commit takes. */
const CHUNKS_PER_COMMIT = 11;
/** 3 MB: to free the pages of 900 chunks in one commit holds everybody up for most of a second. */
const DELETES_PER_COMMIT = 50;
/** An upload that stands still for this long, or that nobody keeps, is swept. */
const UNKEPT_MS = 600_000;
/** Read at a time: 512 KiB in memory. */
const CHUNKS_PER_READ = 8;

type SpoolContext = WorkspaceStore & Pick<Clockwork, "now" | "newId">;

/**
 * Stores a stream and answers its size and SHA-256. Holds at most one commit's worth of it. What
 * breaks off is swept after 10 minutes, and so is a blob that no commit keeps by `keepBlob`.
 */
export async function spoolBlob(
  ctx: SpoolContext,
  chunks: AsyncIterable<Uint8Array>,
): Promise<SpooledBlob> {
  const hash = createHash("sha256");
  let stored = newBlob(ctx);
  const buffer = new Uint8Array(CHUNKS_PER_COMMIT * CHUNK_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + buffer.length - filled);
      buffer.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < buffer.length) continue;
      stored = await append(ctx, stored, buffer, null);
      filled = 0;
    }
  }
  const done = await append(ctx, stored, buffer.subarray(0, filled), hash.digest("hex"));
  return done.blob;
}

function newBlob({ workspaceId, newId }: SpoolContext): StoredBlob {
  const blob: SpooledBlob = {
    blobId: newId(),
    workspaceId,
    state: "writing",
    bytes: 0,
    sha256: null,
    expiresAtMs: 0,
  };
  return { blob, versionstamp: null };
}

/** One commit. The head's check is the fence: a sweep that gave the upload up stops it here. */
async function append(
  { store, now }: SpoolContext,
  stored: StoredBlob,
  bytes: Uint8Array,
  sha256: string | null,
): Promise<StoredBlob> {
  let isRetry = false;
  const { value, versionstamp } = await transact({ store }, (write) => {
    // Nobody else writes to a blob that grows, so a lost race is the sweep's.
    if (isRetry) throw new Failure("request_timeout", "The upload stood still and was given up");
    isRetry = true;
    const first = stored.blob.bytes / CHUNK_BYTES;
    for (let at = 0, n = first; at < bytes.length; at += CHUNK_BYTES, n++) {
      saveChunk(write, stored.blob.blobId, n, bytes.subarray(at, at + CHUNK_BYTES));
    }
    const next: SpooledBlob = {
      ...stored.blob,
      state: sha256 === null ? "writing" : "complete",
      bytes: stored.blob.bytes + bytes.length,
      sha256,
      expiresAtMs: now().getTime() + UNKEPT_MS,
    };
    saveBlob(write, stored, next);
    return Promise.resolve(next);
  });
  return { blob: value, versionstamp };
}

/** Keeps a blob until then, in the caller's commit: that of the job that will read it, or its last one. */
export async function keepBlob(
  write: Write,
  workspace: WorkspaceStore,
  blobId: string,
  until: Date,
): Promise<void> {
  const stored = await findStoredBlob(workspace.store, { ...workspace, blobId });
  if (stored?.blob.state !== "complete") {
    throw new Failure("not_found", "The upload is no longer there: send it again");
  }
  saveBlob(write, stored, { ...stored.blob, expiresAtMs: until.getTime() });
}

/** Leaves a blob to the next sweep, in the caller's commit; one that is gone is no fault. */
export async function dropBlob(
  write: Write,
  workspace: WorkspaceStore,
  blobId: string,
): Promise<void> {
  const stored = await findStoredBlob(workspace.store, { ...workspace, blobId });
  if (stored) saveBlob(write, stored, { ...stored.blob, expiresAtMs: 0 });
}

/** The bytes in order, half a MiB in memory at most. Refuses with `not_found`. */
export async function* readBlob(
  workspace: WorkspaceStore,
  blobId: string,
): AsyncGenerator<Uint8Array> {
  const { bytes } = await requireBlob(workspace, blobId);
  const end = Math.ceil(bytes / CHUNK_BYTES);
  for (let n = 0; n < end; n += CHUNKS_PER_READ) {
    const count = Math.min(CHUNKS_PER_READ, end - n);
    const chunks = await findChunks(workspace.store, blobId, n, count);
    requireWhole(chunks.length === count, blobId);
    yield* chunks;
  }
}

/** A blob that can be read anywhere, as a ZIP's directory needs it. */
export interface OpenBlob {
  readonly size: number;
  /** Fewer bytes than `length` only where the blob ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Refuses with `not_found`. Remembers the last chunk, for readers that go forward in small steps. */
export async function openBlob(workspace: WorkspaceStore, blobId: string): Promise<OpenBlob> {
  const { bytes: size } = await requireBlob(workspace, blobId);
  let last: { n: number; chunk: Uint8Array } | null = null;

  const chunksOf = async (first: number, count: number): Promise<Uint8Array[]> => {
    const known = last?.n === first ? [last.chunk] : [];
    const rest = count - known.length;
    const chunks = rest === 0
      ? known
      : [...known, ...await findChunks(workspace.store, blobId, first + known.length, rest)];
    requireWhole(chunks.length === count, blobId);
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

async function requireBlob(workspace: WorkspaceStore, blobId: string): Promise<SpooledBlob> {
  const blob = await findBlob(workspace, blobId);
  if (!blob) throw new Failure("not_found", `There is no upload "${blobId}"`);
  return blob;
}

/** A blob that is deleted under its reader must not pass for a shorter one. */
function requireWhole(isWhole: boolean, blobId: string): void {
  assert(isWhole, `Upload ${blobId} was deleted while it was read`);
}

/** Deletes every blob whose time has come; answers how many. Each in bounded commits, and again after a crash. */
export async function sweepBlobs(store: Store, now: Date): Promise<number> {
  let count = 0;
  for await (const id of listExpired(store, now.getTime())) {
    if (await removeBlob(store, id, ({ expiresAtMs }) => expiresAtMs < now.getTime())) count++;
  }
  return count;
}

/** Deletes every blob of a workspace that goes, as `sweepBlobs` does. */
export async function removeBlobs(workspace: WorkspaceStore): Promise<void> {
  for await (const id of listBlobs(workspace)) await removeBlob(workspace.store, id, () => true);
}

/** False for one that is gone, or that may not go. */
async function removeBlob(
  store: Store,
  id: Pick<SpooledBlob, "workspaceId" | "blobId">,
  mayGo: (blob: SpooledBlob) => boolean,
): Promise<boolean> {
  const { value: stored } = await transact({ store }, async (write) => {
    const found = await findStoredBlob(store, id);
    if (!found || !mayGo(found.blob)) return null;
    const next: SpooledBlob = { ...found.blob, state: "leaving" };
    saveBlob(write, found, next);
    return next;
  });
  if (!stored) return false;
  await deleteChunks(store, stored);
  await transact({ store }, async (write) => {
    const found = await findStoredBlob(store, id);
    if (found) deleteBlob(write, found);
  });
  return true;
}

/** Nobody writes to a blob that is leaving, so its size says which chunks there are. */
async function deleteChunks(store: Store, { blobId, bytes }: SpooledBlob): Promise<void> {
  const end = Math.ceil(bytes / CHUNK_BYTES);
  for (let first = 0; first < end; first += DELETES_PER_COMMIT) {
    await transact({ store }, (write) => {
      for (let n = first; n < Math.min(end, first + DELETES_PER_COMMIT); n++) {
        deleteChunk(write, blobId, n);
      }
      return Promise.resolve();
    });
  }
}
