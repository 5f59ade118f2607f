/**
 * Keys: `ph W id at` → price change; `pe W at id` → the same, for changes that no import caused;
 * `phi W jobId` → who sent an import. The price that an import gave a new product has no `ph` row
 * until it changes: the product has it still, and its card names the job (`card_store.ts`).
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import type { PriceChange } from "./price_history.ts";

const historyOf = (workspaceId: string, productId: string) => [
  "ph",
  keptIdBytes(workspaceId),
  idBytes(productId),
];

/** Goes into the commit that changes the product. */
export function addPriceChange(
  write: Write,
  workspaceId: string,
  productId: string,
  change: PriceChange,
): void {
  const at = Date.parse(change.at);
  write.set([...historyOf(workspaceId, productId), at], change);
  if (change.source === "import") return;
  write.set(["pe", keptIdBytes(workspaceId), at, idBytes(productId)], change);
}

/** A stretch of a history in milliseconds: `fromMs` inclusive, `beforeMs` exclusive. */
export interface Stretch {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** Who sent the import of first prices that have no row yet. Goes into each commit that makes some. */
export function saveImportActor(
  write: Write,
  workspaceId: string,
  jobId: string,
  actor: Actor,
): void {
  write.set(["phi", keptIdBytes(workspaceId), idBytes(jobId)], actor);
}

/** Who sent an import that made products with prices; one that is lost is the service itself. */
export async function findImportActor(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<Actor> {
  const key = ["phi", keptIdBytes(workspaceId), idBytes(jobId)];
  const { value } = await store.kv.get<Actor>(key);
  return value ?? { type: "system", id: jobId, name: "Import" };
}

/** The imports of which somebody knows who sent them: for checks of the store. */
export async function listKnownImports(
  { store, workspaceId }: WorkspaceStore,
): Promise<ReadonlySet<string>> {
  const rows = store.kv.list({ prefix: ["phi", keptIdBytes(workspaceId)] }, { batchSize: 1_000 });
  return new Set(await Array.fromAsync(rows, ({ key }) => lastIdOf(key)));
}

/** The newest rows of a stretch first, at most `limit`. */
export async function listPriceRows(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
  { fromMs, beforeMs }: Stretch,
  limit: number,
): Promise<PriceChange[]> {
  if (beforeMs <= fromMs) return [];
  const prefix = historyOf(workspaceId, productId);
  const changes: PriceChange[] = [];
  const rows = store.kv.list<PriceChange>(
    { start: [...prefix, fromMs], end: [...prefix, beforeMs] },
    { limit, batchSize: Math.min(limit, 1_000), reverse: true },
  );
  for await (const { value } of rows) changes.push(value);
  return changes;
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

/** The rows of every product, by its id, oldest change first. */
export async function* walkPriceRows({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["ph", keptIdBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<PriceChange>({ prefix }, { batchSize: 1_000 })) {
    const [, , id, at] = key;
    if (!(id instanceof Uint8Array)) throw new Error("A key of a price change has no product");
    yield { productId: id.toHex(), atMs: Number(at), change: value };
  }
}
