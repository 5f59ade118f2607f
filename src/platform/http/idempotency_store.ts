/**
 * Keys: `idm W hash` → reservation; `idm W hash n` → part n of a stored response of 60,000 bytes;
 * part 0 also has status and headers.
 */
import type { WorkspaceStore } from "../store/context.ts";
import type { Write } from "../store/kv.ts";
import { idKey } from "../store/rows.ts";

const PART_BYTES = 60_000;
const PARTS_PER_COMMIT = 10;
const SWEEP_MS = 25 * 3_600_000;

/** `done` from the commit of the effect; `answered` when the answer is stored, too. */
export interface Reservation {
  readonly state: "running" | "done" | "answered";
  /** Hash of body and query. A request with the same key and another hash is refused. */
  readonly asked: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly path: string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array<ArrayBuffer>;
}

interface AnswerHead {
  readonly status: number;
  readonly headers: [string, string][];
  /** Parts beyond this size are left over from a longer answer under the same key. */
  readonly bodyBytes: number;
}

const rowKey = (workspaceId: string, hash: Uint8Array) => [...idKey("idm", workspaceId), hash];

export async function findReservation(
  { store, workspaceId }: WorkspaceStore,
  hash: Uint8Array,
): Promise<{ reservation: Reservation | null; versionstamp: string | null }> {
  const { value, versionstamp } = await store.kv.get<Reservation>(rowKey(workspaceId, hash));
  return { reservation: value, versionstamp };
}

export function saveReservation(
  write: Write,
  workspaceId: string,
  hash: Uint8Array,
  versionstamp: string | null,
  reservation: Reservation,
): void {
  const key = rowKey(workspaceId, hash);
  write.check(key, versionstamp);
  write.set(key, reservation, SWEEP_MS);
}

export function removeReservation(
  write: Write,
  workspaceId: string,
  hash: Uint8Array,
  versionstamp: string | null,
): void {
  const key = rowKey(workspaceId, hash);
  write.check(key, versionstamp);
  write.delete(key);
}

/** Splits a body into pieces for one commit each. They are written before the head. */
export function answerPieces(body: Uint8Array<ArrayBuffer>): AnswerPiece[] {
  const pieceBytes = PART_BYTES * PARTS_PER_COMMIT;
  const count = Math.ceil(body.length / pieceBytes);
  return Array.from({ length: count }, (_, n) => ({
    firstPart: n * PARTS_PER_COMMIT + 1,
    bytes: body.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  }));
}

interface AnswerPiece {
  readonly firstPart: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Saves a piece in several values, because a value has at most 64 KiB. */
export function savePiece(
  write: Write,
  workspaceId: string,
  hash: Uint8Array,
  { firstPart, bytes }: AnswerPiece,
): void {
  for (let at = 0, part = firstPart; at < bytes.length; at += PART_BYTES, part++) {
    const key = [...rowKey(workspaceId, hash), part];
    write.set(key, bytes.slice(at, at + PART_BYTES), SWEEP_MS);
  }
}

/** This commit makes the answer visible, so all its pieces must be stored. */
export function saveAnswerHead(
  write: Write,
  workspaceId: string,
  hash: Uint8Array,
  { status, headers, body }: Answer,
): void {
  const head: AnswerHead = { status, headers, bodyBytes: body.length };
  write.set([...rowKey(workspaceId, hash), 0], head, SWEEP_MS);
}

export async function findAnswer(
  { store, workspaceId }: WorkspaceStore,
  hash: Uint8Array,
): Promise<Answer | null> {
  let head: AnswerHead | null = null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (
    const { value } of store.kv.list<AnswerHead | Uint8Array<ArrayBuffer>>({
      prefix: rowKey(workspaceId, hash),
    })
  ) {
    if (value instanceof Uint8Array) parts.push(value);
    else head = value;
  }
  if (!head) return null;
  const { status, headers, bodyBytes } = head;
  const body = new Uint8Array(await new Blob(parts).arrayBuffer()).slice(0, bodyBytes);
  return { status, headers, body };
}
