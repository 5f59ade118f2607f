/**
 * Keys (`W`: id of the workspace): `auq W versionstamp` → the unsealed audit rows of the commit
 * with this versionstamp: time (8 bytes) and id (12 bytes) of each row.
 *
 * A seal stores a hash of audit rows, so that a later change of a row is detected. Versionstamps
 * sort the rows by their commits, even if the clocks of processes differ.
 */
import { idKey } from "../../platform/store/rows.ts";
import { sha256Hex } from "../../base/bytes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";

export interface AuditPlace {
  readonly atMs: number;
  readonly id: string;
}

export interface AuditSeal {
  readonly number: number;
  readonly at: string;
  /** Number of audit rows that this seal covers; the first seal covers none. */
  readonly count: number;
  readonly first: AuditPlace | null;
  readonly last: AuditPlace | null;
  readonly digest: string;
  readonly hash: string;
  readonly old: { readonly after: AuditPlace | null } | null;
  readonly expiredAt: string | null;
}

export const auditSeals = defineTable<AuditSeal, "number">({
  prefix: "asl",
  about: "a seal over audit rows, with the hash of the previous seal; never deleted",
  key: { number: "number" },
  valueHasKey: true,
});

/** Number of hex digits of an audit row's time and id. */
const PLACE_DIGITS = 40;
/** Number of hex digits of an audit row's time, id and SHA-256. */
const ENTRY_DIGITS = PLACE_DIGITS + 64;

export const sealedLists = defineTable<
  { readonly number: number; readonly bytes: Uint8Array },
  "number"
>({
  prefix: "asr",
  about:
    "the audit rows that a seal covers, in the order of their commits: 20 bytes of each row's key and the SHA-256 of its content",
  key: { number: "number" },
  value: "bytes",
  batchSize: 40,
});

export async function findLastSeal(workspace: WorkspaceStore): Promise<AuditSeal | null> {
  const [last] = await auditSeals.list(workspace, { order: "desc", limit: 1 });
  return last?.row ?? null;
}

export function entriesIn(list: Uint8Array): { readonly hex: string; readonly digest: string }[] {
  return piecesOf(list.toHex(), ENTRY_DIGITS).map((entry) => ({
    hex: entry.slice(0, PLACE_DIGITS),
    digest: entry.slice(PLACE_DIGITS),
  }));
}

function piecesOf(hex: string, digits: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at + digits <= hex.length; at += digits) pieces.push(hex.slice(at, at + digits));
  return pieces;
}

export function hashOf(
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  { number, at, count, first, last, digest }: Omit<AuditSeal, "hash" | "old" | "expiredAt">,
  before: string | null,
): string {
  const places = [first, last].map((place) => place && placeHex(place));
  return sha256Hex(JSON.stringify([workspaceId, before, number, at, count, ...places, digest]));
}

/** Makes times before 1970 positive, so that their hex digits sort correctly. */
const OFFSET_MS = 2 ** 46;

/** Returns time and id in hex digits; as texts, they sort by time, then by id. */
export function placeHex({ atMs, id }: AuditPlace): string {
  return (atMs + OFFSET_MS).toString(16).padStart(16, "0") + id;
}

export function placeAt(hex: string): AuditPlace {
  return { atMs: parseInt(hex.slice(0, 16), 16) - OFFSET_MS, id: hex.slice(16) };
}

const queueKey = (workspaceId: string) => idKey("auq", workspaceId);

export function noteUnsealed(write: Write, workspaceId: string, place: AuditPlace): void {
  write.append(queueKey(workspaceId), placeHex(place));
}

export async function* walkUnsealed({ store, workspaceId }: WorkspaceStore, limit?: number) {
  const options = limit === undefined ? { batchSize: 500 } : { limit, batchSize: limit };
  const rows = store.kv.list<Uint8Array>({ prefix: queueKey(workspaceId) }, options);
  for await (const { key, value } of rows) {
    yield { version: String(key.at(-1)), places: piecesOf(value.toHex(), PLACE_DIGITS) };
  }
}

export function removeUnsealed(write: Write, workspaceId: string, version: string): void {
  write.delete([...queueKey(workspaceId), version]);
}

export async function oldestUnsealedMs(workspace: WorkspaceStore): Promise<number | null> {
  for await (const { places: [first] } of walkUnsealed(workspace, 1)) {
    return first === undefined ? null : placeAt(first).atMs;
  }
  return null;
}
