/**
 * Keys: `ph W id at` → price change as the bytes of a list; `pe W at id` → the same as it is answered, for
 * changes that no import caused; `phi W jobId` → who sent an import: its changes name it alone. The
 * price that an import gave a new product has no `ph` row: as long as the product has it, its card
 * names the job (`index_row_store.ts`), and then the row of its first change says when and by which job.
 */
import { idBytes, isId, keptIdBytes } from "../../base/id.ts";
import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { firstRow } from "../../platform/store/rows.ts";
import { idIn, type IdStretch, lastIdOf, selectorOfIds } from "../../platform/store/id_keys.ts";
import type { PriceChange } from "./price_history.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const historyOf = (workspaceId: string, productId: string) => [
  "ph",
  keptIdBytes(workspaceId),
  idBytes(productId),
];

/** The price that an import gave a new product, of which only its end has a row. */
export interface FirstPrice {
  readonly atMs: number;
  /** The import. */
  readonly jobId: string;
  readonly currency: string;
}

type Sender = PriceChange["actor"];

/** The value of a row, without its key. */
interface Row extends Omit<PriceChange, "at" | "actor"> {
  /** Absent where an import with an id made the change. */
  readonly actor?: Sender;
  /** Of the price that this change ended. */
  readonly first?: FirstPrice;
}

/**
 * Goes into the commit that changes the product, with the sender of the import that made the change
 * (`saveImportActor`). `first`: what it ends is a first price without a row.
 */
export function addPriceChange(
  write: Write,
  workspaceId: string,
  productId: string,
  change: PriceChange,
  first: FirstPrice | null = null,
): void {
  const atMs = Date.parse(change.at);
  write.set([...historyOf(workspaceId, productId), atMs], encodeRow(change, first));
  if (change.source === "import") return;
  write.set(["pe", keptIdBytes(workspaceId), atMs, idBytes(productId)], change);
}

/** True for a change whose row leaves it to the import to say who made it. */
export function isBySender(
  change: Pick<PriceChange, "source" | "ref">,
): change is { source: "import"; ref: string } {
  return change.source === "import" && change.ref !== null && isId(change.ref);
}

/** How a row lies: by places, as every product has some. */
type Packed = readonly [
  fromCents: number | null,
  toCents: number | null,
  currency: string,
  source: PriceChange["source"],
  ref: string | null,
  actor: Sender | null,
  first: readonly [atMs: number, jobId: string, currency: string] | null,
];

function encodeRow(change: PriceChange, first: FirstPrice | null): Uint8Array {
  const { fromCents, toCents, currency, source, ref } = change;
  const actor = isBySender(change) ? null : change.actor;
  const ended = first && [first.atMs, first.jobId, first.currency] as const;
  const row: Packed = [fromCents, toCents, currency, source, ref, actor, ended];
  return encoder.encode(JSON.stringify(row));
}

/** The changes of a row: its own, and the previous one where that has no row. Oldest first. */
async function changesOf(row: Row, atMs: number, senders: Senders): Promise<PriceChange[]> {
  const { first, actor, ...rest } = row;
  const change = { at: new Date(atMs).toISOString(), ...rest };
  const own = { ...change, actor: actor ?? await senders.find(row.ref ?? "") };
  if (!first || row.fromCents === null) return [own];
  return [{
    at: new Date(first.atMs).toISOString(),
    fromCents: null,
    toCents: row.fromCents,
    currency: first.currency,
    source: "import",
    actor: await senders.find(first.jobId),
    ref: first.jobId,
  }, own];
}

/** The senders of imports, each looked up once. */
class Senders {
  readonly #workspace: WorkspaceStore;
  readonly #known = new Map<string, Promise<Actor>>();

  constructor(workspace: WorkspaceStore) {
    this.#workspace = workspace;
  }

  find(jobId: string): Promise<Actor> {
    const known = this.#known.get(jobId) ?? findImportActor(this.#workspace, jobId);
    this.#known.set(jobId, known);
    return known;
  }
}

function decodeRow(bytes: Uint8Array): Row {
  const row: Packed | Row = JSON.parse(decoder.decode(bytes));
  if (!isPacked(row)) return row;
  const [fromCents, toCents, currency, source, ref, actor, first] = row;
  return {
    fromCents,
    toCents,
    currency,
    source,
    ref,
    ...(actor && { actor }),
    ...(first && { first: { atMs: first[0], jobId: first[1], currency: first[2] } }),
  };
}

function isPacked(row: Packed | Row): row is Packed {
  return Array.isArray(row);
}

/** A stretch of a history in milliseconds: `fromMs` inclusive, `beforeMs` exclusive. */
export interface Stretch {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** Stores the sender of an import that sets prices, in each commit that does so. */
export function saveImportActor(
  write: Write,
  workspaceId: string,
  jobId: string,
  actor: Sender,
): void {
  write.set(["phi", keptIdBytes(workspaceId), idBytes(jobId)], actor);
}

/** The sender of an import that set prices; the service itself where it is lost. */
export async function findImportActor(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<Actor> {
  const key = ["phi", keptIdBytes(workspaceId), idBytes(jobId)];
  const { value } = await store.kv.get<Actor>(key);
  return value ?? { type: "system", id: jobId, name: "Import" };
}

/** The imports with a known sender, for checks of the store. */
export async function listKnownImports(
  { store, workspaceId }: WorkspaceStore,
): Promise<ReadonlySet<string>> {
  const rows = store.kv.list({ prefix: ["phi", keptIdBytes(workspaceId)] }, { batchSize: 1_000 });
  return new Set(await Array.fromAsync(rows, ({ key }) => lastIdOf(key)));
}

/** The newest changes of a stretch first, at most `limit`, as far as rows tell of them. */
export async function listPriceRows(
  workspace: WorkspaceStore,
  productId: string,
  { fromMs, beforeMs }: Stretch,
  limit: number,
): Promise<PriceChange[]> {
  if (beforeMs <= fromMs) return [];
  const { kv } = workspace.store;
  const prefix = historyOf(workspace.workspaceId, productId);
  const selector = { start: [...prefix, fromMs], end: [...prefix, beforeMs] };
  const options = { limit, batchSize: Math.min(limit, 1_000), reverse: true };
  const rows = await Array.fromAsync(kv.list<Uint8Array>(selector, options));
  if (rows.length === 0) {
    // The first price may have been given in the stretch, and been changed behind it.
    const behind = { prefix, start: selector.end };
    rows.push(...await Array.fromAsync(kv.list<Uint8Array>(behind, { limit: 1 })));
  }
  const senders = new Senders(workspace);
  const changes: PriceChange[] = [];
  for (const { key, value } of rows) {
    const told = await changesOf(decodeRow(value), Number(key[3]), senders);
    changes.push(...told.reverse());
  }
  const isWithin = ({ at }: PriceChange) => {
    const atMs = Date.parse(at);
    return atMs >= fromMs && atMs < beforeMs;
  };
  return changes.filter(isWithin).slice(0, limit);
}

/** When the price changed next after a time; null when it did not. */
export async function findNextChange(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
  atMs: number,
): Promise<number | null> {
  const prefix = historyOf(workspaceId, productId);
  const row = await firstRow(store, { prefix, start: [...prefix, atMs + 1] });
  return row && Number(row.key[3]);
}

/** A row of the price export; `versionstamp` says when it was committed, in the order of commits. */
export interface ExportedChange {
  readonly productId: string;
  readonly atMs: number;
  readonly versionstamp: string;
  readonly change: PriceChange;
}

/** Rows of the price export by time, from `fromMs` on; `newest` reads them backwards. */
export async function* walkExport(
  { store, workspaceId }: WorkspaceStore,
  { fromMs, newest }: { readonly fromMs: number; readonly newest: boolean },
): AsyncGenerator<ExportedChange> {
  const prefix = ["pe", keptIdBytes(workspaceId)];
  const selector = { prefix, start: [...prefix, fromMs] };
  const options = { reverse: newest, batchSize: 500 };
  for await (const { key, value, versionstamp } of store.kv.list<PriceChange>(selector, options)) {
    yield { productId: lastIdOf(key), atMs: Number(key[2]), versionstamp, change: value };
  }
}

/** The version of a row of the price export; null when there is none. */
export async function findExportVersion(
  { store, workspaceId }: WorkspaceStore,
  { atMs, productId }: Pick<ExportedChange, "atMs" | "productId">,
): Promise<string | null> {
  const key = ["pe", keptIdBytes(workspaceId), atMs, idBytes(productId)];
  return (await store.kv.get(key)).versionstamp;
}

/** Where the price export has rows: for checks of the store. */
export async function* walkExportedChanges({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["pe", keptIdBytes(workspaceId)];
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 1_000 })) {
    yield { productId: lastIdOf(key), atMs: Number(key[2]) };
  }
}

/** The changes that rows tell of, by the id of the product, oldest first; `among`: of these products. */
export async function* walkPriceRows(workspace: WorkspaceStore, among?: IdStretch) {
  const prefix = ["ph", keptIdBytes(workspace.workspaceId)];
  const senders = new Senders(workspace);
  const selector = selectorOfIds(prefix, among);
  const rows = workspace.store.kv.list<Uint8Array>(selector, { batchSize: 1_000 });
  for await (const { key, value } of rows) {
    for (const change of await changesOf(decodeRow(value), Number(key[3]), senders)) {
      yield { productId: idIn(key, 2), atMs: Date.parse(change.at), change };
    }
  }
}
