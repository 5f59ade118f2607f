/**
 * Keys: `rf W ruleId day` → u64 fires of a day in UTC (days since 1970), by `sum`; `rft W ruleId` → when
 * it fired last, in milliseconds, set without a check: the last commit wins.
 */

import { idBytes } from "../base/id.ts";
import { DAY_MS, isoOrNull } from "../base/time.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { idIn } from "../platform/store/rows.ts";
import { defineTable } from "../platform/store/table.ts";
import type { RuleStanding, RuleStats } from "./rule.ts";
import { ruleTable } from "./rule_store.ts";

const DAYS = 30;

const firesKey = (workspaceId: string, ruleId: string) => [
  "rf",
  idBytes(workspaceId),
  idBytes(ruleId),
];
const lastKey = (workspaceId: string, ruleId: string) => [
  "rft",
  idBytes(workspaceId),
  idBytes(ruleId),
];

/** The fires of one commit by rule: two mutations each. */
export function countFires(
  write: Write,
  workspaceId: string,
  fires: ReadonlyMap<string, number>,
  atMs: number,
): void {
  for (const [ruleId, count] of fires) {
    write.sum([...firesKey(workspaceId, ruleId), Math.floor(atMs / DAY_MS)], count);
    write.set(lastKey(workspaceId, ruleId), atMs);
  }
}

/** Fires of today and the 29 days before it, in UTC. */
export async function readRuleStats(
  { store, workspaceId, now }: WorkspaceStore & Pick<Context, "now">,
  ruleId: string,
): Promise<RuleStats> {
  const prefix = firesKey(workspaceId, ruleId);
  const today = Math.floor(now().getTime() / DAY_MS);
  const start = [...prefix, today - DAYS + 1];
  const [last, days] = await Promise.all([
    store.kv.get<number>(lastKey(workspaceId, ruleId)),
    Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix, start })),
  ]);
  return {
    fires30d: days.reduce((sum, { value }) => sum + Number(value.value), 0),
    lastFiredAt: isoOrNull(last.value),
  };
}

interface RuleFires {
  readonly days: readonly { readonly day: number; readonly count: number }[];
  readonly lastFiredAtMs: number | null;
}

/** Everything that was ever counted, for a copy of the rule in another workspace. */
export async function readFires(
  { store, workspaceId }: WorkspaceStore,
  ruleId: string,
): Promise<RuleFires> {
  const prefix = firesKey(workspaceId, ruleId);
  const [last, days] = await Promise.all([
    store.kv.get<number>(lastKey(workspaceId, ruleId)),
    Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 1_000 })),
  ]);
  return {
    days: days.map(({ key, value }) => ({ day: Number(key.at(-1)), count: Number(value.value) })),
    lastFiredAtMs: last.value,
  };
}

/** `before` is the answer of `readFires`. */
export function putFires(
  write: Write,
  workspaceId: string,
  ruleId: string,
  { days, lastFiredAtMs }: RuleFires,
): void {
  for (const { day, count } of days) {
    write.sum([...firesKey(workspaceId, ruleId), day], count);
  }
  if (lastFiredAtMs !== null) write.set(lastKey(workspaceId, ruleId), lastFiredAtMs);
}

/** Every counted day of every rule, for checks of the store. */
export async function* walkFires({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["rf", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix })) {
    yield { ruleId: idIn(key, 2), count: value.value };
  }
}

/** For how many products a rule sets the price, and for how many it rests behind others: as of one time. */
export interface StandingRow {
  readonly ruleId: string;
  readonly standing: RuleStanding;
}

export const standings = defineTable<StandingRow, "ruleId">({
  prefix: "rso",
  about: "how many products the rule owned, and stood behind others for, at a time; it goes with " +
    "its rule",
  key: { ruleId: "id" },
  keyOnly: ["ruleId"],
  check: async ({ ruleId }, workspace) =>
    await ruleTable.find(workspace, { id: ruleId })
      ? null
      : `Products are counted of rule ${ruleId}, which is not there`,
});

interface StandingPass {
  readonly version: string;
  readonly takenAtMs: number;
}

export const standingPasses = defineTable<StandingPass>({
  prefix: "rsop",
  about: "when the owners of prices were counted last, and by which version of the rules",
  key: {},
});
