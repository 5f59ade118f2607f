/**
 * Writes uploads to the store while they arrive, so that an upload is never in memory as a whole.
 */
import { createHash } from "node:crypto";
import { Failure } from "../../base/failure.ts";
import type { ClockAndIds, WorkspaceStore } from "./context.ts";
import { type Store, transact, transactVersioned, type Write } from "./kv.ts";
import { roomLog } from "../log.ts";
import {
  type BlobPlace,
  blobs,
  checkUsage,
  CHUNK_BYTES,
  deleteBlob,
  deleteChunk,
  findComplete,
  findUsage,
  listBlobs,
  saveBlob,
  saveChunk,
  type SpooledBlob,
} from "./spool_store.ts";
import type { Found } from "./table.ts";

const CHUNKS_PER_COMMIT = 4;
/** One commit deletes about 3 MB, because a larger deletion would block other calls too long. */
const DELETES_PER_COMMIT = 50;
const UNKEPT_MS = 600_000;
/** An upload that gets no data for `silentMs` plus `GRACE_MS` is deleted. */
const GRACE_MS = 90_000;
const BEAT_MS = 30_000;

type SpoolContext = WorkspaceStore & Pick<ClockAndIds, "now" | "newId">;

export const UNBOUNDED_ROOM = {
  /** Maximum total size of all stored uploads of the workspace, in bytes. */
  bytesMax: Infinity,
  /** Announced size of the upload; 0 if unknown. */
  expectedBytes: 0,
  silentMs: 30_000,
};
export type SpoolRoom = Readonly<typeof UNBOUNDED_ROOM>;

const log = roomLog("spool");

/** Stores an upload, which is deleted after `UNKEPT_MS` unless `keepBlob` is called. */
export async function spoolBlob(
  ctx: SpoolContext,
  chunks: AsyncIterable<Uint8Array>,
  room: SpoolRoom,
): Promise<SpooledBlob> {
  requireRoom(room.expectedBytes, (await findUsage(ctx)).bytes, room);
  const upload = new Upload(ctx, room);
  try {
    return await upload.storeAll(chunks);
  } catch (error) {
    await discardBlob(ctx, upload.blob.blobId);
    throw error;
  }
}

const NO_BYTES = new Uint8Array();

class Upload {
  readonly #ctx: SpoolContext;
  readonly #room: SpoolRoom;
  blob: SpooledBlob;
  /** The stored row of `blob` with its version; null until the first commit. */
  #found: Found<SpooledBlob> | null = null;
  #beatAtMs = Infinity;

  constructor(ctx: SpoolContext, room: SpoolRoom) {
    this.#ctx = ctx;
    this.#room = room;
    const none = { bytes: 0, sha256: null, expiresAtMs: 0, reservedBytes: 0 };
    this.blob = { blobId: ctx.newId(), workspaceId: ctx.workspaceId, state: "writing", ...none };
  }

  async storeAll(chunks: AsyncIterable<Uint8Array>): Promise<SpooledBlob> {
    const hash = createHash("sha256");
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
        await this.#store(buffer, null);
        filled = 0;
      }
      if (this.#nowMs >= this.#beatAtMs) await this.#store(NO_BYTES, null);
    }
    await this.#store(buffer.subarray(0, filled), hash.digest("hex"));
    return this.blob;
  }

  get #nowMs(): number {
    return this.#ctx.now().getTime();
  }

  /** `sha256` is the hash of the whole upload in the last call, and null before. */
  async #store(bytes: Uint8Array, sha256: string | null): Promise<void> {
    const { blobId, bytes: before, reservedBytes = 0 } = this.blob;
    const size = before + bytes.length;
    if (size > reservedBytes) await this.#reserve(size, sha256 !== null);
    await this.#save((write) => {
      for (let at = 0, n = before / CHUNK_BYTES; at < bytes.length; at += CHUNK_BYTES, n++) {
        saveChunk(write, blobId, n, bytes.subarray(at, at + CHUNK_BYTES));
      }
      if (sha256 === null) return { bytes: size };
      const expiresAtMs = this.#nowMs + UNKEPT_MS;
      return { bytes: size, sha256, state: "complete", expiresAtMs, reservedBytes: size };
    });
    this.#beatAtMs = this.#nowMs + BEAT_MS;
  }

  /** A separate commit, so that a conflict with another upload repeats only the reservation. */
  async #reserve(size: number, isWhole: boolean): Promise<void> {
    const { bytesMax, expectedBytes } = this.#room;
    await this.#save(async (write) => {
      const usage = await findUsage(this.#ctx);
      const others = usage.bytes - (this.blob.reservedBytes ?? 0);
      requireRoom(size, others, this.#room);
      if (bytesMax !== Infinity) checkUsage(write, this.blob.workspaceId, usage);
      // An upload of unknown length reserves 8 MiB ahead, so that it needs fewer commits.
      const more = expectedBytes === 0 ? size + 8 * 1024 * 1024 : expectedBytes;
      const ahead = isWhole ? size : Math.max(size, more);
      return { reservedBytes: Math.min(ahead, bytesMax - others) };
    });
  }

  async #save(
    work: (write: Write) => Partial<SpooledBlob> | Promise<Partial<SpooledBlob>>,
  ): Promise<void> {
    const { store } = this.#ctx;
    let isRetry = false;
    const { value, versionstamp } = await transactVersioned({ store }, async (write) => {
      const found = isRetry ? await blobs.find({ store }, this.blob) : this.#found;
      isRetry = true;
      if (found?.versionstamp !== this.#found?.versionstamp) {
        throw new Failure("request_timeout", "The upload stalled and was cancelled: send it again");
      }
      const expiresAtMs = this.#nowMs + this.#room.silentMs + GRACE_MS;
      const next = { ...this.blob, expiresAtMs, ...await work(write) };
      saveBlob(write, found, next);
      return next;
    });
    this.blob = value;
    this.#found = versionstamp === null ? null : { row: value, versionstamp };
  }
}

function requireRoom(bytes: number, bytesUsed: number, { bytesMax }: SpoolRoom): void {
  if (bytes + bytesUsed <= bytesMax) return;
  const message =
    `The stored uploads of this workspace take ${bytesUsed} bytes, and ${bytesMax} is the limit ` +
    "with this one: wait until imports have ended, or discard dry runs and held imports";
  throw new Failure("payload_too_large", message, { bytesMax, bytesUsed });
}

/** Call `keepBlob` in the commit that adds the job for the blob. */
export async function keepBlob(
  write: Write,
  workspace: WorkspaceStore,
  blobId: string,
  until: Date,
): Promise<void> {
  const found = await findComplete(workspace, blobId);
  if (!found) throw new Failure("not_found", "The upload is no longer there: send it again");
  saveBlob(write, found, { ...found.row, expiresAtMs: until.getTime() });
}

export async function dropBlob(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  blobId: string,
): Promise<void> {
  const found = await blobs.find({ store }, { workspaceId, blobId });
  if (found) saveBlob(write, found, { ...found.row, expiresAtMs: 0 });
}

/** Marks a complete blob for deletion by `sweepBlobs`; returns false if there is none. */
export async function giveBlobUp(
  write: Write,
  workspace: WorkspaceStore,
  blobId: string,
): Promise<boolean> {
  const found = await findComplete(workspace, blobId);
  if (found) saveBlob(write, found, { ...found.row, state: "leaving", expiresAtMs: 0 });
  return found !== null;
}

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

export async function isBlobThere(workspace: WorkspaceStore, blobId: string): Promise<boolean> {
  return await findComplete(workspace, blobId) !== null;
}

export async function sweepBlobs(store: Store, now: Date): Promise<number> {
  const isExpired = ({ expiresAtMs }: SpooledBlob) => expiresAtMs < now.getTime();
  let count = 0;
  for await (const { row } of blobs.walkBy({ store }, "expiry", {})) {
    if (!isExpired(row)) break;
    if (await removeBlob(store, row, isExpired)) count++;
  }
  return count;
}

export async function removeBlobs(workspace: WorkspaceStore): Promise<void> {
  for await (const blob of listBlobs(workspace)) {
    await removeBlob(workspace.store, blob, () => true);
  }
}

async function removeBlob(
  store: Store,
  place: BlobPlace,
  mayGo: (blob: SpooledBlob) => boolean,
): Promise<boolean> {
  const leaving = await transact({ store }, async (write) => {
    const found = await blobs.find({ store }, place);
    if (!found || !mayGo(found.row)) return null;
    const next: SpooledBlob = { ...found.row, state: "leaving" };
    saveBlob(write, found, next);
    return next;
  });
  if (!leaving) return false;
  await deleteChunks(store, leaving);
  await transact({ store }, async (write) => {
    const found = await blobs.find({ store }, place);
    if (found) deleteBlob(write, found);
  });
  return true;
}

/** Call this only when no process writes chunks of the blob. */
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
