/**
 * Uploads in the store: written as they arrive, read as a stream or at any position, never completely in
 * memory.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Failure, noSuch } from "../../base/failure.ts";
import type { ClockAndIds, WorkspaceStore } from "./context.ts";
import { type Store, transact, transactVersioned, type Write } from "./kv.ts";
import { roomLog } from "../log.ts";
import {
  checkUsage,
  CHUNK_BYTES,
  deleteBlob,
  deleteChunk,
  findBlob,
  findChunks,
  findStoredBlob,
  findUsage,
  listBlobs,
  listExpired,
  saveBlob,
  saveChunk,
  type SpooledBlob,
  type StoredBlob,
} from "./spool_store.ts";

/** Far below a commit's limit: the file is written by one thread, which others wait for. */
const CHUNKS_PER_COMMIT = 4;
/** 3 MB: to free the pages of 900 chunks in one commit holds everybody up for most of a second. */
const DELETES_PER_COMMIT = 50;
/** A complete upload without an owner is swept after this: its reader has died. */
const UNKEPT_MS = 600_000;
/** A growing upload whose process has died is swept so long after the longest silence of a sender. */
const GRACE_MS = 90_000;
/** A slow upload says so often that it goes on. */
const BEAT_MS = 30_000;
/** Reserved ahead for an upload of unknown length, so that few of its commits have to ask. */
const AHEAD_BYTES = 8 * 1024 * 1024;

type SpoolContext = WorkspaceStore & Pick<ClockAndIds, "now" | "newId">;

/** The limits of an upload in size and silence. */
export interface SpoolRoom {
  /** The limit for all uploads of the workspace together: arriving, waiting, in progress, kept. */
  readonly bytesMax: number;
  /** The announced size; 0 when unknown. */
  readonly expectedBytes: number;
  /** No sender is silent for longer: the reader gives it up before. */
  readonly silentMs: number;
  /** Runs the commit of a piece when it is the workspace's turn. */
  inTurn<T>(commit: () => Promise<T>): Promise<T>;
}

/** For what an operator reads from files: counted, and not bounded. */
export const UNBOUNDED_ROOM: SpoolRoom = {
  bytesMax: Infinity,
  expectedBytes: 0,
  silentMs: 30_000,
  inTurn: (commit) => commit(),
};

const log = roomLog("spool");

/**
 * Stores a stream and answers its size and SHA-256. Holds at most one commit's worth of it. Refuses with
 * `payload_too_large` what does not fit into the workspace's room, before anything is read when the
 * sender announces its size. An interrupted upload is deleted at once. Uploads of a killed process, and
 * blobs that no commit keeps by `keepBlob`, are swept.
 */
export async function spoolBlob(
  ctx: SpoolContext,
  chunks: AsyncIterable<Uint8Array>,
  room: SpoolRoom,
): Promise<SpooledBlob> {
  requireRoom(room.expectedBytes, (await findUsage(ctx)).bytes, room);
  const begun = newBlob(ctx);
  try {
    return await storeChunks(ctx, begun, chunks, room);
  } catch (error) {
    await discardBlob(ctx, begun.blob.blobId);
    throw error;
  }
}

async function storeChunks(
  ctx: SpoolContext,
  begun: StoredBlob,
  chunks: AsyncIterable<Uint8Array>,
  room: SpoolRoom,
): Promise<SpooledBlob> {
  const hash = createHash("sha256");
  let stored = begun;
  let beatAtMs = ctx.now().getTime() + BEAT_MS;
  const buffer = new Uint8Array(CHUNKS_PER_COMMIT * CHUNK_BYTES);
  let filled = 0;
  const store = (bytes: Uint8Array, sha256: string | null) =>
    room.inTurn(() => storePiece(bytes, sha256));
  const storePiece = async (bytes: Uint8Array, sha256: string | null) => {
    const size = stored.blob.bytes + bytes.length;
    if (size > reservedBy(stored)) {
      stored = await reserve(ctx, stored, room, { size, isWhole: sha256 !== null });
    }
    stored = await append(ctx, stored, room, { bytes, sha256 });
    beatAtMs = ctx.now().getTime() + BEAT_MS;
  };
  for await (const chunk of chunks) {
    hash.update(chunk);
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + buffer.length - filled);
      buffer.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < buffer.length) continue;
      await store(buffer, null);
      filled = 0;
    }
    const isStored = stored.versionstamp !== null;
    if (isStored && ctx.now().getTime() >= beatAtMs) await store(NO_BYTES, null);
  }
  await store(buffer.subarray(0, filled), hash.digest("hex"));
  return stored.blob;
}

const NO_BYTES = new Uint8Array();

function newBlob({ workspaceId, newId }: SpoolContext): StoredBlob {
  const blob: SpooledBlob = {
    blobId: newId(),
    workspaceId,
    state: "writing",
    bytes: 0,
    sha256: null,
    expiresAtMs: 0,
    reservedBytes: 0,
  };
  return { blob, versionstamp: null };
}

interface Piece {
  readonly bytes: Uint8Array;
  /** Of the whole blob, with its last piece; null before. */
  readonly sha256: string | null;
}

function reservedBy({ blob: { reservedBytes = 0 } }: StoredBlob): number {
  return reservedBytes;
}

/** One commit of chunks. The last chunk releases the surplus reservation of the blob. */
async function append(
  ctx: SpoolContext,
  stored: StoredBlob,
  room: SpoolRoom,
  { bytes, sha256 }: Piece,
): Promise<StoredBlob> {
  const { blob } = stored;
  const size = blob.bytes + bytes.length;
  const isWhole = sha256 !== null;
  const next: SpooledBlob = {
    ...blob,
    state: isWhole ? "complete" : "writing",
    bytes: size,
    sha256,
    expiresAtMs: ctx.now().getTime() + (isWhole ? UNKEPT_MS : room.silentMs + GRACE_MS),
    reservedBytes: isWhole ? size : reservedBy(stored),
  };
  return await saveGrowing(ctx, stored, (write) => {
    for (let at = 0, n = blob.bytes / CHUNK_BYTES; at < bytes.length; at += CHUNK_BYTES, n++) {
      saveChunk(write, blob.blobId, n, bytes.subarray(at, at + CHUNK_BYTES));
    }
    return Promise.resolve(next);
  });
}

/**
 * Reserves room for `size` bytes, and ahead for more: in a small commit of its own, because uploads of
 * a workspace that come at once are in each other's way here.
 */
async function reserve(
  ctx: SpoolContext,
  stored: StoredBlob,
  room: SpoolRoom,
  { size, isWhole }: { readonly size: number; readonly isWhole: boolean },
): Promise<StoredBlob> {
  return await saveGrowing(ctx, stored, async (write) => {
    const usage = await findUsage(ctx);
    const others = usage.bytes - reservedBy(stored);
    requireRoom(size, others, room);
    if (room.bytesMax !== Infinity) checkUsage(write, ctx.workspaceId, usage);
    const more = room.expectedBytes === 0 ? size + AHEAD_BYTES : room.expectedBytes;
    const ahead = isWhole ? size : Math.max(size, more);
    return {
      ...stored.blob,
      expiresAtMs: ctx.now().getTime() + room.silentMs + GRACE_MS,
      reservedBytes: Math.min(ahead, room.bytesMax - others),
    };
  });
}

/** The head's check is the fence: a sweep that gave the upload up stops it here. */
async function saveGrowing(
  { store }: SpoolContext,
  stored: StoredBlob,
  work: (write: Write) => Promise<SpooledBlob>,
): Promise<StoredBlob> {
  let isRetry = false;
  const { value, versionstamp } = await transactVersioned({ store }, async (write) => {
    if (isRetry) await requireUntouched(store, stored);
    isRetry = true;
    const next = await work(write);
    saveBlob(write, stored, next);
    return next;
  });
  return { blob: value, versionstamp };
}

/** A growing blob has one writer: where its head has changed, the sweep has given it up. */
async function requireUntouched(store: Store, { blob, versionstamp }: StoredBlob): Promise<void> {
  const found = await findStoredBlob(store, blob);
  if ((found?.versionstamp ?? null) === versionstamp) return;
  throw new Failure("request_timeout", "The upload stood still and was given up");
}

function requireRoom(bytes: number, bytesUsed: number, { bytesMax }: SpoolRoom): void {
  if (bytes + bytesUsed <= bytesMax) return;
  const message =
    `The uploads of this workspace that arrive, wait, run or are kept take ${bytesUsed} ` +
    `bytes, and together with this one they may take ${bytesMax}: wait until imports have ended, ` +
    "or discard dry runs and held imports that are not needed any more";
  throw new Failure("payload_too_large", message, { bytesMax, bytesUsed });
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

/**
 * Takes a kept blob from everybody in the caller's commit; `discardBlob` then deletes it, or the next
 * sweep. False when it is gone already.
 */
export async function giveBlobUp(
  write: Write,
  workspace: WorkspaceStore,
  blobId: string,
): Promise<boolean> {
  const stored = await findStoredBlob(workspace.store, { ...workspace, blobId });
  if (stored?.blob.state !== "complete") return false;
  saveBlob(write, stored, { ...stored.blob, state: "leaving", expiresAtMs: 0 });
  return true;
}

/** Deletes a blob that no commit has kept. Errors meanwhile are left to the sweep. */
export async function discardBlob(
  { store, workspaceId, now }: Omit<SpoolContext, "newId">,
  blobId: string,
): Promise<void> {
  const unkeptMs = now().getTime() + UNKEPT_MS;
  try {
    await removeBlob(
      store,
      { workspaceId, blobId },
      (blob) => blob.state !== "complete" || blob.expiresAtMs <= unkeptMs,
    );
  } catch (error) {
    log.warning("an upload is left to the sweep", { workspaceId, blobId, error });
  }
}

/** False for a blob that is not whole, is being deleted, or is gone. */
export async function isBlobThere(workspace: WorkspaceStore, blobId: string): Promise<boolean> {
  return await findBlob(workspace, blobId) !== null;
}

/** Slots of an array that takes as much heap as a chunk takes outside it. */
const YOUNG_SLOTS = CHUNK_BYTES / 8;

/**
 * Makes the garbage collector release bytes outside the heap, which it does when it collects young objects,
 * after 8 MB of them. Hashing a file creates almost none: 60 MB that were read waited.
 */
class Youth {
  made: readonly unknown[] = [];

  make(chunks: number): void {
    this.made = Array.from({ length: chunks }, () => new Array(YOUNG_SLOTS));
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
  const blob = await findBlob(workspace, blobId);
  if (!blob) throw noSuch("upload", blobId);
  const { bytes: size } = blob;
  let last: { n: number; chunk: Uint8Array } | null = null;
  const youth = new Youth();

  const chunksOf = async (first: number, count: number): Promise<Uint8Array[]> => {
    const known = last?.n === first ? [last.chunk] : [];
    const rest = count - known.length;
    const chunks = rest === 0
      ? known
      : [...known, ...await findChunks(workspace.store, blobId, first + known.length, rest)];
    // A blob that is deleted under its reader must not pass for a shorter one.
    assert(chunks.length === count, `Upload ${blobId} was deleted while it was read`);
    youth.make(rest);
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

/** Deletes every expired blob; returns their number. Each in bounded commits, and again after a crash. */
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
  const stored = await transact({ store }, async (write) => {
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

/** A blob that is being removed has no writer, so its size determines its chunks. */
async function deleteChunks(store: Store, { blobId, bytes }: SpooledBlob): Promise<void> {
  const end = Math.ceil(bytes / CHUNK_BYTES);
  for (let first = 0; first < end; first += DELETES_PER_COMMIT) {
    await transact({ store }, (write) => {
      for (let n = first; n < Math.min(end, first + DELETES_PER_COMMIT); n++) {
        deleteChunk(write, blobId, n);
      }
    });
  }
}
