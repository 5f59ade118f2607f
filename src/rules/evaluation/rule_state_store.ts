/**
 * Keys: `rs W productId` → the states of all rules for a product, as JSON bytes `{ruleId:
 * [lastFiredAtMs, rank, brake, versionstamp]}`. `brake` is `[untilMs, cuts]`; a cut is a list of
 * the values of `CUT_FIELDS`. The entry `""` contains the versionstamp up to which all rules have
 * evaluated changes. A commit that writes a row sets the version counter of the product's shard.
 * Rows are read as bytes, because a pass over all products reads every row.
 */
import { decoder, encoder, joinDocuments } from "../../base/bytes.ts";
import { shard } from "../../catalogue/products/product.ts";
import { setVersionCounter } from "../../catalogue/products/version_counter_store.ts";
import type { BrakeState } from "../../engine/pricing/brake.ts";
import type { RulePast } from "../../engine/pricing/situation.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { getBytesAt, idKey, listBytes } from "../../platform/store/rows.ts";

/** `untilMs` is the time at which the brake opens. */
export interface ClosedBrake {
  readonly untilMs: number;
  readonly productId: string;
  readonly ruleId: string;
}

export const brakes = defineTable<ClosedBrake, "untilMs" | "productId" | "ruleId">({
  prefix: "bk",
  about: "the brake of the rule is, or was, closed for the product until then; `rs` has its cuts",
  key: { untilMs: "number", productId: "id", ruleId: "id" },
  async check(brake, workspace) {
    const state = (await findRuleStates(workspace, [brake.productId])).get(brake.productId);
    const isRemembered = state?.[brake.ruleId]?.brake?.untilMs === brake.untilMs;
    return isRemembered ? null : `The ${brakeText(brake)} is listed, but not in the rule state`;
  },
});

export function brakeText({ productId, ruleId, untilMs }: ClosedBrake): string {
  return `brake of rule ${ruleId} on product ${productId} until ${untilMs}`;
}

const rowKey = (workspaceId: string, productId: string) => idKey("rs", workspaceId, productId);

export type RuleState = Readonly<Record<string, RulePast>>;

const CUT_FIELDS = ["atMs", "fromCents", "toCents", "competitorId", "referenceCents"] as const;

type CutRow = readonly unknown[];

type BrakeRow = readonly [untilMs: number | null, cuts: readonly CutRow[]];

/** `brake` is absent without a cut. */
type PastRow = readonly [
  lastFiredAtMs: number | null,
  rank: number | null,
  brake?: BrakeRow | null,
  seen?: string,
];

/** The key of `Seen.byAll`. No rule has this id. */
const SEEN = "";

interface KeptState {
  readonly state: RuleState;
  readonly seen: Seen;
}

export const NO_STATE: RuleState = {};

export async function findRuleStates(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, RuleState>> {
  const kept = await findKeptStates(workspace, productIds);
  return new Map([...kept].map(([id, { state }]) => [id, state]));
}

export async function findKeptStates(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, KeptState>> {
  const rows = await getBytesAt(store, productIds.map((id) => rowKey(workspaceId, id)));
  const states = new Map<string, KeptState>();
  for (const [position, row] of rows.entries()) {
    const productId = productIds[position];
    if (row && productId !== undefined) {
      const kept: StateRows = JSON.parse(decoder.decode(row.value));
      states.set(productId, { state: toState(kept), seen: toSeen(kept) });
    }
  }
  return states;
}

/** The bytes are decoded later, because a pass over all products needs few of the rows. */
interface StateRow {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export async function listRuleStates(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number,
): Promise<StateRow[]> {
  const prefix = idKey("rs", workspaceId);
  const rows = await listBytes(store, prefix, after, limit);
  return rows.map(({ part, value }) => ({ id: part, bytes: value }));
}

/** Costs two mutations, and one or two for each changed brake. */
export function saveRuleState(
  write: Write,
  workspaceId: string,
  product: { readonly id: string; readonly sku: string },
  { state, seen }: KeptState,
  before: RuleState = NO_STATE,
): void {
  const rows = Object.entries(state).map(([ruleId, past]): [string, PastRow] => [
    ruleId,
    toRow(past, seen.byRule[ruleId]),
  ]);
  putBrakes(write, workspaceId, product.id, before, state);
  const byAll = seen.byAll === null ? {} : { [SEEN]: seen.byAll };
  const row = { ...Object.fromEntries(rows), ...byAll };
  const bytes = encoder.encode(JSON.stringify(row));
  write.set(rowKey(workspaceId, product.id), bytes);
  setVersionCounter(write, workspaceId, shard(product.sku));
}

function putBrakes(
  write: Write,
  workspaceId: string,
  productId: string,
  before: RuleState,
  after: RuleState,
): void {
  for (const ruleId of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = before[ruleId]?.brake?.untilMs ?? null;
    const is = after[ruleId]?.brake?.untilMs ?? null;
    if (was === is) continue;
    if (was !== null) brakes.drop(write, { workspaceId }, { untilMs: was, productId, ruleId });
    if (is !== null) brakes.put(write, { workspaceId }, { untilMs: is, productId, ruleId });
  }
}

export function decodeStates(values: readonly Uint8Array[]): RuleState[] {
  const rows: StateRows[] = JSON.parse(decoder.decode(joinDocuments("[", values, "]")));
  return rows.map(toState);
}

type StateRows = Record<string, PastRow | string>;

function toSeen(rows: StateRows): Seen {
  const byRule: Record<string, string> = {};
  for (const [ruleId, row] of Object.entries(rows)) {
    const own = typeof row === "string" ? undefined : row[3];
    if (own !== undefined) byRule[ruleId] = own;
  }
  const byAll = rows[SEEN];
  return { byAll: typeof byAll === "string" ? byAll : null, byRule };
}

function toState(rows: StateRows): RuleState {
  const state: Record<string, RulePast> = {};
  for (const ruleId in rows) {
    const row = rows[ruleId];
    if (row && typeof row !== "string") state[ruleId] = toPast(row);
  }
  return state;
}

function toRow({ lastFiredAtMs, rank, brake }: RulePast, seen?: string): PastRow {
  const row = brake && toBrakeRow(brake);
  if (seen !== undefined) return [lastFiredAtMs, rank, row ?? null, seen];
  return row ? [lastFiredAtMs, rank, row] : [lastFiredAtMs, rank];
}

function toBrakeRow({ untilMs, cuts }: BrakeState): BrakeRow {
  return [untilMs, cuts.map((cut) => CUT_FIELDS.map((name) => cut[name]))];
}

function toPast([lastFiredAtMs, rank, brake]: PastRow): RulePast {
  return brake ? { lastFiredAtMs, rank, brake: toBrake(brake) } : { lastFiredAtMs, rank };
}

function toBrake([untilMs, rows]: BrakeRow): BrakeState {
  const cuts = rows.map((row) => Object.fromEntries(CUT_FIELDS.map((name, at) => [name, row[at]])));
  return Object({ untilMs, cuts });
}

/** Versionstamps up to which rules have evaluated the changes of a product. */
export interface Seen {
  /** Null if unknown. */
  readonly byAll: string | null;
  /** Only versionstamps that are newer than `byAll`. */
  readonly byRule: Readonly<Record<string, string>>;
}

export const NOTHING_SEEN: Seen = { byAll: null, byRule: {} };

export function hasSeen({ byAll, byRule }: Seen, ruleId: string, stamp: string): boolean {
  return (byAll ?? "") >= stamp || (byRule[ruleId] ?? "") >= stamp;
}

export function seenBySome(
  { byAll, byRule }: Seen,
  ruleIds: readonly string[],
  stamp: string,
): Seen {
  const now = Object.fromEntries(ruleIds.map((id) => [id, stamp]));
  return { byAll, byRule: { ...byRule, ...now } };
}
