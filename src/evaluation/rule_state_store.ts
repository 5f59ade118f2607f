/**
 * Keys: `rs W productId` → what the rules remember of a product, one row for all of them, as JSON
 * bytes `{ruleId: [lastFiredAtMs, rank, brake]}`, the brake `[untilMs, cuts]` only where the rule has
 * cut the price by itself, a cut `[atMs, fromCents, toCents, competitorId, referenceCents]`: it
 * streams beside products and offers. Every commit that writes it sets the generation of the
 * product's shard.
 */
import { idBytes } from "../base/id.ts";
import { shard } from "../catalogue/products/product.ts";
import { setGeneration } from "../catalogue/products/generation_store.ts";
import { joinDocuments } from "../catalogue/products/product_wire.ts";
import { getBytesAt, listBytes } from "../platform/store/rows.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import type { BrakeMemory } from "../pricing/brake.ts";
import type { RuleMemory } from "../pricing/situation.ts";
import { putBrakes } from "./brake_store.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const rowKey = (workspaceId: string, productId: string) => [
  "rs",
  idBytes(workspaceId),
  idBytes(productId),
];

/** By rule id. */
export type RuleState = Readonly<Record<string, RuleMemory>>;

type CutRow = readonly [
  atMs: number,
  fromCents: number,
  toCents: number,
  competitorId: string | null,
  referenceCents: number | null,
];

type BrakeRow = readonly [untilMs: number | null, cuts: readonly CutRow[]];

/** Rows of before, and of rules that have cut nothing, have no brake. */
type MemoryRow = readonly [lastFiredAtMs: number | null, rank: number | null, brake?: BrakeRow];

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

/** Two mutations, and those of `putBrakes`. `before` is what the product had. */
export function saveRuleState(
  write: Write,
  workspaceId: string,
  product: { readonly id: string; readonly sku: string },
  state: RuleState,
  before: RuleState = NO_STATE,
): void {
  const rows = Object.entries(state).map(([ruleId, memory]): [string, MemoryRow] => [
    ruleId,
    toRow(memory),
  ]);
  putBrakes(write, workspaceId, product.id, before, state);
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
    if (row) state[ruleId] = toMemory(row);
  }
  return state;
}

function toRow({ lastFiredAtMs, rank, brake }: RuleMemory): MemoryRow {
  if (brake === undefined) return [lastFiredAtMs, rank];
  const cuts = brake.cuts.map((cut): CutRow => [
    cut.atMs,
    cut.fromCents,
    cut.toCents,
    cut.competitorId,
    cut.referenceCents,
  ]);
  return [lastFiredAtMs, rank, [brake.untilMs, cuts]];
}

function toMemory([lastFiredAtMs, rank, brake]: MemoryRow): RuleMemory {
  return brake === undefined
    ? { lastFiredAtMs, rank }
    : { lastFiredAtMs, rank, brake: toBrake(brake) };
}

function toBrake([untilMs, cuts]: BrakeRow): BrakeMemory {
  return {
    untilMs,
    cuts: cuts.map(([atMs, fromCents, toCents, competitorId, referenceCents]) => ({
      atMs,
      fromCents,
      toCents,
      competitorId,
      referenceCents,
    })),
  };
}
