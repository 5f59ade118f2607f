/**
 * Keys: `idm W hash` → reservation; `idm W hash n` → part n of a kept answer's body, 60,000 bytes
 * each, beside its head in part 0.
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "./context.ts";
import type { Write } from "./kv.ts";

const TABLE = "idm";
const PART_BYTES = 60_000;
const SWEEP_MS = 25 * 3_600_000;

/** `running` until the effect is committed, `done` from that commit on, `answered` when the answer is kept. */
export interface Reservation {
  readonly state: "running" | "done" | "answered";
  /** Hash of the body, and the query: another one under the same key is refused. */
  readonly asked: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  /** Where the thing that was made can be read. */
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
}

const rowKey = (workspaceId: string, hash: Uint8Array) => [TABLE, idBytes(workspaceId), hash];

export async function findReservation(
  { store, workspaceId }: WorkspaceStore,
  hash: Uint8Array,
): Promise<{ reservation: Reservation | null; versionstamp: string | null }> {
  const { value, versionstamp } = await store.kv.get<Reservation>(rowKey(workspaceId, hash));
  return { reservation: value, versionstamp };
}

/** The commit fails when the reservation is no longer the one of `versionstamp`. */
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

/** Kept in parts, because an answer may outgrow one stored value (64 KiB). */
export function saveAnswer(
  write: Write,
  workspaceId: string,
  hash: Uint8Array,
  { status, headers, body }: Answer,
): void {
  const key = rowKey(workspaceId, hash);
  write.set([...key, 0], { status, headers }, SWEEP_MS);
  for (let at = 0, part = 1; at < body.length; at += PART_BYTES, part++) {
    write.set([...key, part], body.slice(at, at + PART_BYTES), SWEEP_MS);
  }
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
  const body = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { ...head, body };
}
