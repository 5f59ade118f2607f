/**
 * Keys (`W`: id of the workspace): `rs W productId` → the states of all rules for a product, as
 * JSON bytes `{ruleId: [lastFiredAtMs, rank, brake, versionstamp]}`. `brake` (a stop of price cuts)
 * is `[untilMs, cuts]`, and each cut is a list of the values of `CUT_FIELDS`. The JSON field `""`
 * contains the versionstamp of the newest change that all rules have evaluated. A commit that
 * writes a row also sets the version counter of the product's shard (one of 64 parts of the
 * catalogue).
 *
 * Stores what each rule remembers about a product, such as the time when the rule last fired. A
 * temporary obstacle, such as a limit of price changes per day, may keep a rule from setting a
 * price. When the obstacle ends, this module queues the product for evaluation.
 */
import { countInWorkspaces } from "../../accounts/workspace.ts";
import { decoder, encoder, joinDocuments } from "../../base/bytes.ts";
import { productVersions } from "../../catalogue/products/change_log_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { documentsById } from "../../catalogue/products/product_store.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import type { BrakeState, RulePast } from "../../engine/pricing/situation.ts";
import { type DirtyProducts, dirtyQueue } from "../../platform/events/outbox_store.ts";
import type { ClockAndIds, Tools, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import {
  getBytes,
  idKey,
  idOf,
  listBytes,
  pagesOf,
  removeInCommits,
} from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";

export interface ClosedBrake {
  readonly untilMs: number;
  readonly productId: string;
  readonly ruleId: string;
}

export const brakes = defineTable<ClosedBrake, "untilMs" | "productId" | "ruleId">({
  prefix: "bk",
  about: "until then, the rule's brake forbids price cuts of the product; `rs` has its cuts",
  key: { untilMs: "number", productId: "id", ruleId: "id" },
  async check(brake, workspace) {
    const kept = (await findRuleStates(workspace, [brake.productId])).get(brake.productId);
    const isRemembered = kept?.state[brake.ruleId]?.brake?.untilMs === brake.untilMs;
    return isRemembered ? null : `The ${brakeText(brake)} is listed, but not in the rule state`;
  },
});

function brakeText({ productId, ruleId, untilMs }: ClosedBrake): string {
  return `brake of rule ${ruleId} on product ${productId} until ${untilMs}`;
}

export type RuleState = Readonly<Record<string, RulePast>>;

const CUT_FIELDS = ["atMs", "fromCents", "toCents", "competitorId", "referenceCents"] as const;

type BrakeRow = readonly [untilMs: number | null, cuts: readonly (readonly unknown[])[]];

type PastRow = readonly [
  lastFiredAtMs: number | null,
  rank: number | null,
  brake?: BrakeRow | null,
  seen?: string,
];

type StateRows = Record<string, PastRow | string>;

/**
 * For each rule, the versionstamp of the newest change of the product that the rule has evaluated.
 * The id `ALL_RULES` stands for every rule.
 */
export type Seen = Readonly<Record<string, string>>;
export const ALL_RULES = "";

interface KeptState {
  readonly state: RuleState;
  readonly seen: Seen;
}

export const NOTHING_KEPT: KeptState = { state: {}, seen: {} };

export async function findRuleStates(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, KeptState>> {
  const found = await getBytes(store, idKey("rs", workspaceId), productIds);
  return new Map(found.map(({ part, value }) => {
    const rows: StateRows = JSON.parse(decoder.decode(value));
    return [part, { state: toState(rows), seen: toSeen(rows) }];
  }));
}

export async function listRuleStates(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number,
) {
  const rows = await listBytes(store, idKey("rs", workspaceId), after, limit);
  return rows.map(({ part, value }) => ({ id: part, bytes: value }));
}

/** Adds two mutations to the commit, and one or two for each changed brake (stop of price cuts). */
export function saveRuleState(
  write: Write,
  workspaceId: string,
  product: { readonly id: string; readonly sku: string },
  { state, seen }: KeptState,
  before: RuleState = {},
): void {
  const rows: StateRows = {};
  for (const [ruleId, past] of Object.entries(state)) {
    rows[ruleId] = toRow(past, seen[ruleId]);
  }
  if (seen[ALL_RULES] !== undefined) rows[ALL_RULES] = seen[ALL_RULES];
  putBrakes(write, workspaceId, product.id, before, state);
  const key = idKey("rs", workspaceId, product.id);
  write.set(key, encoder.encode(JSON.stringify(rows)));
  productVersions.set(write, workspaceId, shard(product.sku));
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

function toSeen(rows: StateRows): Seen {
  const seen: Record<string, string> = {};
  for (const [ruleId, row] of Object.entries(rows)) {
    const stamp = typeof row === "string" ? row : row[3];
    if (stamp !== undefined) seen[ruleId] = stamp;
  }
  return seen;
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
  const cuts = brake?.cuts.map((cut) => CUT_FIELDS.map((name) => cut[name])) ?? [];
  const row = brake ? [brake.untilMs, cuts] as const : null;
  if (seen !== undefined) return [lastFiredAtMs, rank, row, seen];
  return row ? [lastFiredAtMs, rank, row] : [lastFiredAtMs, rank];
}

function toPast([lastFiredAtMs, rank, brake]: PastRow): RulePast {
  return brake ? { lastFiredAtMs, rank, brake: toBrake(brake) } : { lastFiredAtMs, rank };
}

function toBrake([untilMs, rows]: BrakeRow): BrakeState {
  const cuts = rows.map((row) => Object.fromEntries(CUT_FIELDS.map((name, at) => [name, row[at]])));
  return Object({ untilMs, cuts });
}

export function hasSeen(seen: Seen, ruleId: string, stamp: string): boolean {
  return [ALL_RULES, ruleId].some((id) => (seen[id] ?? "") >= stamp);
}

interface Lapse {
  readonly untilMs: number;
  readonly productId: string;
}

export const lapses = defineTable<Lapse, "untilMs" | "productId">({
  prefix: "lp",
  about: "the time when a delay of a rule for the product ends, and rules are evaluated again",
  key: { untilMs: "number", productId: "id" },
});

interface LapseTerms {
  readonly rules: readonly CompiledRule[];
  readonly state: RuleState;
  readonly nowMs: number;
  readonly timeZone: string;
}

type Objected = Pick<Decision, "ruleId" | "wouldFire" | "outcome" | "proposedCents"> & {
  readonly reason: Pick<Decision["reason"], "objections">;
};

/** Returns when the first of the rules may set its price again; null if unknown. */
export function lapseOf(decisions: readonly Objected[], terms: LapseTerms): number | null {
  const ends = decisions.flatMap((decision) => endOf(decision, terms) ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Returns when the last obstacle to the rule's price ends; null if this time is unknown. */
function endOf(
  { ruleId, wouldFire, outcome, proposedCents, reason: { objections } }: Objected,
  { rules, state, nowMs, timeZone }: LapseTerms,
): number | null {
  if (!wouldFire) return null;
  const cooldownMs = rules.find(({ id }) => id === ruleId)?.cooldownMs ?? 0;
  if (objections.length === 0) {
    // Without objections, only the cooldown can keep a rule from proposing its price.
    const isDelayed = outcome === "rest" && proposedCents !== null;
    return isDelayed ? (state[ruleId]?.lastFiredAtMs ?? nowMs) + cooldownMs : null;
  }
  const ends = objections.map(({ code, facts }) => {
    switch (code) {
      case "budget":
        return nextMidnightMs(nowMs, timeZone);
      case "moves_per_day":
      case "brake":
      case "price_held":
        return timeIn(facts.until);
      case "cooldown":
        return timeIn(facts.lastFiredAt, cooldownMs);
      default:
        return null;
    }
  });
  const known = ends.filter((end) => end !== null);
  return known.length < ends.length ? null : Math.max(...known);
}

function timeIn(text: unknown, plusMs = 0): number | null {
  return typeof text === "string" ? Date.parse(text) + plusMs : null;
}

export function nextMidnightMs(nowMs: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone)
    .add({ days: 1 }).startOfDay().epochMilliseconds;
}

const PER_COMMIT = 900;
const PER_ROW = 100;

/** Queues products for evaluation after a temporary obstacle to a price change has ended. */
export async function queueEnded({ store, clock }: Tools): Promise<number> {
  // Leave the last 5 seconds to the next call, because clocks of other processes may be behind.
  const toMs = clock.now().getTime() - 5_000;
  return await countInWorkspaces(
    store,
    "lapses",
    (workspace) =>
      removeInCommits(workspace, PER_COMMIT, async (write) => {
        const next = (await lapses.list(workspace, { limit: PER_COMMIT })).map(({ row }) => row);
        const ended = next.filter(({ untilMs }) => untilMs <= toMs);
        const productIds = new Set(ended.map(({ productId }) => productId));
        queueDirty(write, workspace.workspaceId, clock, [...productIds]);
        for (const lapse of ended) lapses.drop(write, workspace, lapse);
        return ended.length;
      }),
  );
}

export function queueDirty(
  write: Write,
  workspaceId: string,
  clock: Pick<ClockAndIds, "now" | "newId">,
  productIds: readonly string[],
  cause: DirtyProducts["cause"] = "lapse",
): void {
  const dueMs = clock.now().getTime();
  for (let at = 0; at < productIds.length; at += PER_ROW) {
    const part = productIds.slice(at, at + PER_ROW);
    const value: DirtyProducts = { cause, ref: null, productIds: part, from: 0 };
    dirtyQueue.add(write, { partition: [workspaceId], id: clock.newId(), dueMs, value });
  }
}

const CHECKED_ROWS = 1_000;

export async function* checkRuleStates(workspace: WorkspaceStore): AsyncGenerator<string> {
  const pages = pagesOf((...at) => listRuleStates(workspace, ...at), idOf, CHECKED_ROWS);
  for await (const rows of pages) {
    const states = await findRuleStates(workspace, rows.map(({ id }) => id));
    const known = await documentsById(workspace, [...states.keys()]);
    for (const [productId, { state }] of states) {
      if (!known.has(productId)) yield `There are rule states of the unknown product ${productId}`;
      for (const [ruleId, { brake }] of Object.entries(state)) {
        const untilMs = brake?.untilMs ?? null;
        if (untilMs === null) continue;
        const closed = { untilMs, productId, ruleId };
        if (await brakes.find(workspace, closed)) continue;
        yield `The ${brakeText(closed)} is in the rule state, but not in the list`;
      }
    }
  }
}
