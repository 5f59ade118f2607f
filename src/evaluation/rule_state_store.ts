/**
 * Keys: `rs W productId` → what the rules remember of a product, one row for all of them, as JSON
 * bytes `{ruleId: [lastFiredAtMs, rank, brake]}`, the brake `[untilMs, cuts]` only where the rule has
 * cut the price by itself, a cut `[atMs, fromCents, toCents, competitorId, referenceCents]`, and
 * beside the rules `"": versionstamp`: the pass that wrote it, by all rules, has seen every change up
 * to there. It streams beside products and offers. Every commit that writes it sets the generation of
 * the product's shard.
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

/** No rule has this id. */
const SEEN = "";

/** What is remembered of a product, and up to which change it has been judged by all rules. */
export interface KeptState {
  readonly state: RuleState;
  /** A versionstamp; null where nobody knows. */
  readonly seen: string | null;
}

export const NO_STATE: RuleState = {};

/** What is remembered of products, by product id; those without a memory are absent. */
export async function findRuleStates(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, RuleState>> {
  const kept = await findKeptStates(workspace, productIds);
  return new Map([...kept].map(([id, { state }]) => [id, state]));
}

/** As `findRuleStates`, with what the pass had seen that wrote it. */
export async function findKeptStates(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, KeptState>> {
  const rows = await getBytesAt(store, productIds.map((id) => rowKey(workspaceId, id)));
  const states = new Map<string, KeptState>();
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

/**
 * Two mutations, and those of `putBrakes`. `before` is what the product had; `seen` is null for who
 * has not asked all rules and knows of no pass that has.
 */
export function saveRuleState(
  write: Write,
  workspaceId: string,
  product: { readonly id: string; readonly sku: string },
  { state, seen }: KeptState,
  before: RuleState = NO_STATE,
): void {
  const rows = Object.entries(state).map(([ruleId, memory]): [string, MemoryRow] => [
    ruleId,
    toRow(memory),
  ]);
  putBrakes(write, workspaceId, product.id, before, state);
  const row = { ...Object.fromEntries(rows), ...(seen === null ? {} : { [SEEN]: seen }) };
  const bytes = encoder.encode(JSON.stringify(row));
  write.set(rowKey(workspaceId, product.id), bytes);
  setGeneration(write, workspaceId, shard(product.sku));
}

/** The inverse of what `saveRuleState` wrote, for many rows at once. */
export function decodeStates(values: readonly Uint8Array[]): RuleState[] {
  const rows: StateRows[] = JSON.parse(decoder.decode(joinDocuments("[", values, "]")));
  return rows.map(toState);
}

type StateRows = Record<string, MemoryRow | string>;

function decodeState(bytes: Uint8Array): KeptState {
  const rows: StateRows = JSON.parse(decoder.decode(bytes));
  const seen = rows[SEEN];
  return { state: toState(rows), seen: typeof seen === "string" ? seen : null };
}

function toState(rows: StateRows): RuleState {
  const state: Record<string, RuleMemory> = {};
  for (const ruleId in rows) {
    const row = rows[ruleId];
    if (row && typeof row !== "string") state[ruleId] = toMemory(row);
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
