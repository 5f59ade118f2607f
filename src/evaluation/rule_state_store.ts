/**
 * Keys: `rs W productId` → what the rules remember of a product, one row for all of them, as JSON
 * bytes `{ruleId: [lastFiredAtMs, rank]}`: it streams beside products and offers. Every commit that
 * writes it sets the generation of the product's shard.
 */
import { idBytes } from "../base/id.ts";
import { shard } from "../catalogue/products/product.ts";
import { setGeneration } from "../catalogue/products/generation_store.ts";
import { joinDocuments } from "../catalogue/products/product_wire.ts";
import { getBytesAt, listBytes } from "../platform/store/rows.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import type { RuleMemory } from "../pricing/situation.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const rowKey = (workspaceId: string, productId: string) => [
  "rs",
  idBytes(workspaceId),
  idBytes(productId),
];

/** By rule id. */
export type RuleState = Readonly<Record<string, RuleMemory>>;

type MemoryRow = readonly [lastFiredAtMs: number | null, rank: number | null];

export const NO_STATE: RuleState = {};

/** What is remembered of products, by product id; those without a memory are absent. */
export async function findRuleStates(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, RuleState>> {
  const rows = await getBytesAt(store, productIds.map((id) => rowKey(workspaceId, id)));
  const states = new Map<string, RuleState>();
  for (const [position, row] of rows.entries()) {
    const productId = productIds[position];
    if (row && productId !== undefined) states.set(productId, decodeState(row.value));
  }
  return states;
}

/** A stored row, still as bytes: most of a pass over all products is never looked into. */
export interface StateRow {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Up to `limit` rows by product id, after the id `after`. */
export async function listRuleStates(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number,
): Promise<StateRow[]> {
  const prefix = ["rs", idBytes(workspaceId)];
  const rows = await listBytes(store, prefix, after, limit);
  return rows.map(({ part, value }) => ({ id: part, bytes: value }));
}

/** Two mutations. */
export function saveRuleState(
  write: Write,
  workspaceId: string,
  product: { readonly id: string; readonly sku: string },
  state: RuleState,
): void {
  const rows = Object.entries(state).map(([ruleId, { lastFiredAtMs, rank }]): [
    string,
    MemoryRow,
  ] => [ruleId, [lastFiredAtMs, rank]]);
  const bytes = encoder.encode(JSON.stringify(Object.fromEntries(rows)));
  write.set(rowKey(workspaceId, product.id), bytes);
  setGeneration(write, workspaceId, shard(product.sku));
}

/** The inverse of what `saveRuleState` wrote, for many rows at once. */
export function decodeStates(values: readonly Uint8Array[]): RuleState[] {
  const rows: StateRows[] = JSON.parse(decoder.decode(joinDocuments("[", values, "]")));
  return rows.map(toState);
}

type StateRows = Record<string, MemoryRow>;

function decodeState(bytes: Uint8Array): RuleState {
  const rows: StateRows = JSON.parse(decoder.decode(bytes));
  return toState(rows);
}

function toState(rows: StateRows): RuleState {
  const state: Record<string, RuleMemory> = {};
  for (const ruleId in rows) {
    const row = rows[ruleId];
    if (row) state[ruleId] = { lastFiredAtMs: row[0], rank: row[1] };
  }
  return state;
}
