/**
 * Keys: `mkh W` → head of the checkpoint of the market's table; `mkp W generation n` → part `n` of
 * it as bytes, at most 4,000 rows each: packed rows first, then the words that they use. A
 * checkpoint is derived from products, offers, proposals, rules and settings: with another format,
 * other terms or missing parts it is ignored. Parts are written before the head that names their
 * generation; parts of other generations are removed afterwards.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";

/** Identity of a checkpoint. */
export interface CheckpointHead {
  /** An id: later ones are greater. */
  readonly generation: string;
  readonly format: string;
  /** The version of what the facts of all products depend on. */
  readonly terms: string;
  /** A position in the change log: later changes may be missing in the rows. */
  readonly position: string;
  readonly atMs: number;
  /** As the table had them. */
  readonly asOfMs: number;
  readonly knownSinceMs: number;
  /** Rows of the table, empty ones included, in so many parts; then so many parts of words. */
  readonly rows: number;
  readonly rowParts: number;
  readonly wordParts: number;
}

const headKey = (workspaceId: string) => ["mkh", idBytes(workspaceId)];
const partsPrefix = (workspaceId: string) => ["mkp", idBytes(workspaceId)];
const partKey = (workspaceId: string, generation: string, n: number) => [
  ...partsPrefix(workspaceId),
  idBytes(generation),
  n,
];

/** The head and its version; null where there is no checkpoint. */
export async function findCheckpointHead({ store, workspaceId }: WorkspaceStore) {
  const { value, versionstamp } = await store.kv.get<CheckpointHead>(headKey(workspaceId));
  return value === null ? null : { head: value, versionstamp };
}

/** The commit fails when another head was saved since one of that version was read (null: none). */
export function saveCheckpointHead(
  write: Write,
  workspaceId: string,
  head: CheckpointHead,
  versionstamp: string | null,
): void {
  write.check(headKey(workspaceId), versionstamp);
  write.set(headKey(workspaceId), head);
}

/** The same for a checkpoint that goes. */
export function removeCheckpointHead(
  write: Write,
  workspaceId: string,
  versionstamp: string,
): void {
  write.check(headKey(workspaceId), versionstamp);
  write.delete(headKey(workspaceId));
}

export function saveCheckpointPart(
  write: Write,
  workspaceId: string,
  generation: string,
  n: number,
  bytes: Uint8Array,
): void {
  write.set(partKey(workspaceId, generation, n), bytes);
}

/** Parts are fetched so many at a time. */
const PARTS_AT_ONCE = 120;

/** The parts of a generation in their order, as far as they are there without a gap. */
export async function* walkCheckpointParts(
  { store, workspaceId }: WorkspaceStore,
  generation: string,
): AsyncGenerator<Uint8Array> {
  const prefix = [...partsPrefix(workspaceId), idBytes(generation)];
  const rows = store.kv.list<Uint8Array>({ prefix }, { batchSize: PARTS_AT_ONCE });
  let n = 0;
  for await (const { key, value } of rows) {
    if (key.at(-1) !== n++) return;
    yield value;
  }
}

/** Takes away up to `limit` parts of generations before one (null: of all); answers how many. */
export async function removePartsBefore(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  generation: string | null,
  limit: number,
): Promise<number> {
  const prefix = partsPrefix(workspaceId);
  const selector = generation === null
    ? { prefix }
    : { prefix, end: [...prefix, idBytes(generation)] };
  let count = 0;
  for await (const { key } of store.kv.list(selector, { limit, batchSize: PARTS_AT_ONCE })) {
    write.delete(key);
    count++;
  }
  return count;
}

/** Takes away parts of one generation whose number is known. */
export function removeParts(
  write: Write,
  workspaceId: string,
  generation: string,
  from: number,
  until: number,
): void {
  for (let n = from; n < until; n++) write.delete(partKey(workspaceId, generation, n));
}

/** The generations that have parts, for checks of the store. */
export async function countCheckpointParts(
  { store, workspaceId }: WorkspaceStore,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const rows = store.kv.list<Uint8Array>(
    { prefix: partsPrefix(workspaceId) },
    { batchSize: PARTS_AT_ONCE },
  );
  for await (const { key } of rows) {
    const generation = idIn(key, 2);
    counts.set(generation, (counts.get(generation) ?? 0) + 1);
  }
  return counts;
}
