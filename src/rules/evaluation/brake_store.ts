/**
 * Keys: `bk W untilMs productId ruleId` → empty: the brake of the rule is, or was, closed for the
 * product until then, as what the rules remember of it says; `bkp W` → the last brake that has opened
 * and was put before the rules again, as `[untilMs, productId, ruleId]`.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import { idIn, justAfterId, lastIdOf } from "../../platform/store/id_keys.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { History } from "../../engine/pricing/situation.ts";

const EMPTY = new Uint8Array();
const passKey = (workspaceId: string) => ["bkp", keptIdBytes(workspaceId)];
const brakesOf = (workspaceId: string) => ["bk", keptIdBytes(workspaceId)];

/** A brake by when it opens, or opened. */
export interface ClosedBrake {
  readonly untilMs: number;
  readonly productId: string;
  readonly ruleId: string;
}

/** Goes into the commit that writes what the rules remember; a mutation or two for a brake that has moved. */
export function putBrakes(
  write: Write,
  workspaceId: string,
  productId: string,
  before: History["rules"],
  after: History["rules"],
): void {
  const keyOf = (ruleId: string, untilMs: number) => [
    ...brakesOf(workspaceId),
    untilMs,
    idBytes(productId),
    idBytes(ruleId),
  ];
  for (const ruleId of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = before[ruleId]?.brake?.untilMs ?? null;
    const is = after[ruleId]?.brake?.untilMs ?? null;
    if (was === is) continue;
    if (was !== null) write.delete(keyOf(ruleId, was));
    if (is !== null) write.set(keyOf(ruleId, is), EMPTY);
  }
}

/** Which brakes are read: those behind one, or that open after a time; up to and with `toMs`. */
export interface BrakeRange {
  readonly after: ClosedBrake | number;
  readonly toMs?: number;
}

/** Brakes by when they open. */
export async function* walkBrakes(
  { store, workspaceId }: WorkspaceStore,
  { after, toMs = Number.MAX_SAFE_INTEGER - 1 }: BrakeRange,
): AsyncGenerator<ClosedBrake> {
  if ((typeof after === "number" ? after : after.untilMs) > toMs) return;
  const prefix = brakesOf(workspaceId);
  const start = typeof after === "number"
    ? [...prefix, after + 1]
    : [...prefix, after.untilMs, idBytes(after.productId), justAfterId(after.ruleId)];
  const rows = store.kv.list({ start, end: [...prefix, toMs + 1] }, { batchSize: 500 });
  for await (const { key } of rows) {
    yield { untilMs: Number(key[2]), productId: idIn(key, 3), ruleId: lastIdOf(key) };
  }
}

/** Progress of putting opened brakes before the rules. */
export interface BrakePass {
  /** Null before the first one. */
  readonly last: ClosedBrake | null;
  readonly versionstamp: string | null;
}

export async function findBrakePass({ store, workspaceId }: WorkspaceStore): Promise<BrakePass> {
  const { value, versionstamp } = await store.kv.get<[number, string, string]>(
    passKey(workspaceId),
  );
  const [untilMs, productId, ruleId] = value ?? [0, "", ""];
  return { last: value && { untilMs, productId, ruleId }, versionstamp };
}

/** The commit fails when another process has moved the pass on meanwhile. */
export function saveBrakePass(
  write: Write,
  workspaceId: string,
  { versionstamp }: BrakePass,
  { untilMs, productId, ruleId }: ClosedBrake,
): void {
  write.check(passKey(workspaceId), versionstamp);
  write.set(passKey(workspaceId), [untilMs, productId, ruleId]);
}
