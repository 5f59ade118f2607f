/**
 * Keys (`W`: id of the workspace): `auq W versionstamp` → the audit rows of the commit with
 * this versionstamp, until they are sealed. Each row takes 20 bytes: 8 for its time, 12 for its id.
 *
 * To seal rows means to store the hash of the rows, so that a later change of a row is detected.
 * The versionstamp sorts the rows by their commits, even if the clocks of processes differ.
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
  /** Number of audit rows in the seal; 0 in the first seal. */
  readonly count: number;
  readonly first: AuditPlace | null;
  readonly last: AuditPlace | null;
  readonly digest: string;
  /** SHA-256 of the workspace's id, the fields above, and the hash of the previous seal. */
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

const NO_ROWS = new Uint8Array();
export const PLACE_BYTES = 20;
/** Bytes per audit row in a seal's list: time and id of the row, and SHA-256 of its content. */
export const ENTRY_BYTES = PLACE_BYTES + 32;

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

/** Returns an empty list if the rows of the seal have expired. */
export async function readSealedList(
  workspace: WorkspaceStore,
  number: number,
): Promise<Uint8Array> {
  return (await sealedLists.find(workspace, { number }))?.row.bytes ?? NO_ROWS;
}

export function hashOf(
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  { number, at, count, first, last, digest }: Omit<AuditSeal, "hash" | "old" | "expiredAt">,
  before: string | null,
): string {
  const places = [first, last].map((place) => place && placeHex(place));
  return sha256Hex(JSON.stringify([workspaceId, before, number, at, count, ...places, digest]));
}

/** Makes all times positive, so that times before 1970 also sort correctly as hex digits. */
const OFFSET_MS = 2 ** 46;

/** Returns time and id of a row in hex digits, which sort by time, then by id. */
export function placeHex({ atMs, id }: AuditPlace): string {
  return (atMs + OFFSET_MS).toString(16).padStart(16, "0") + id;
}

export function placeAt(hex: string): AuditPlace {
  return { atMs: parseInt(hex.slice(0, 16), 16) - OFFSET_MS, id: hex.slice(16) };
}

export function placeOf(entry: Uint8Array): AuditPlace {
  return placeAt(entry.subarray(0, PLACE_BYTES).toHex());
}

const queueKey = (workspaceId: string) => idKey("auq", workspaceId);

export function noteUnsealed(write: Write, workspaceId: string, place: AuditPlace): void {
  write.append(queueKey(workspaceId), placeHex(place));
}

export async function* walkUnsealed({ store, workspaceId }: WorkspaceStore, limit?: number) {
  const options = limit === undefined ? { batchSize: 500 } : { limit, batchSize: limit };
  const rows = store.kv.list<Uint8Array>({ prefix: queueKey(workspaceId) }, options);
  for await (const { key, value } of rows) {
    const hex = value.toHex();
    const places: string[] = [];
    for (let at = 0; at < hex.length; at += 2 * PLACE_BYTES) {
      places.push(hex.slice(at, at + 2 * PLACE_BYTES));
    }
    yield { version: String(key.at(-1)), places };
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
