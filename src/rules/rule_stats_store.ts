/** Stores when and how often each rule fired, and for how many products the rule set the price. */
import { sumOf } from "../base/collections.ts";
import { DAY_MS, isoOrNull } from "../base/time.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { defineTable } from "../platform/store/table.ts";
import { isRule, type RuleStanding, ruleTable } from "./rule.ts";

const DAYS = 30;

interface FireDay {
  readonly ruleId: string;
  /** Number of days since 1970-01-01, in UTC. */
  readonly day: number;
  readonly count: number;
}

export const fireDays = defineTable<FireDay, "ruleId" | "day">({
  prefix: "rf",
  about: "u64, how often the rule fired on a day in UTC (days since 1970)",
  key: { ruleId: "id", day: "number" },
  value: "count",
  check: async ({ ruleId }, workspace) =>
    await isRule(workspace, ruleId) ? null : `There are fires of the unknown rule ${ruleId}`,
});

export const lastFires = defineTable<{ readonly ruleId: string; readonly atMs: number }, "ruleId">({
  prefix: "rft",
  about: "when the rule fired last, in milliseconds, set without a check: the last commit wins",
  key: { ruleId: "id" },
  value: "atMs",
});

/** Call this function in the commit that writes the rules' proposals and prices. */
export function countFires(
  write: Write,
  workspaceId: string,
  fires: ReadonlyMap<string, number>,
  atMs: number,
): void {
  const day = Math.floor(atMs / DAY_MS);
  for (const [ruleId, count] of fires) {
    putFires(write, workspaceId, ruleId, { days: [{ day, count }], lastFiredAtMs: atMs });
  }
}

/** Counts how often the rule fired today and on the 29 days before. Days are in UTC. */
export async function readRuleStats(reader: WorkspaceStore & Pick<Context, "now">, ruleId: string) {
  const today = Math.floor(reader.now().getTime() / DAY_MS);
  const { days, lastFiredAtMs } = await readFires(reader, ruleId, { ruleId, day: today - DAYS });
  return { fires30d: sumOf(days, ({ count }) => count), lastFiredAt: isoOrNull(lastFiredAtMs) };
}

interface RuleFires {
  readonly days: readonly Pick<FireDay, "day" | "count">[];
  readonly lastFiredAtMs: number | null;
}

export async function readFires(
  workspace: WorkspaceStore,
  ruleId: string,
  after: Pick<FireDay, "ruleId" | "day"> | null = null,
): Promise<RuleFires> {
  const [last, days] = await Promise.all([
    lastFires.find(workspace, { ruleId }),
    fireDays.list(workspace, { within: { ruleId }, after }),
  ]);
  return { days: days.map(({ row }) => row), lastFiredAtMs: last?.row.atMs ?? null };
}

export function putFires(
  write: Write,
  workspaceId: string,
  ruleId: string,
  { days, lastFiredAtMs: atMs }: RuleFires,
): void {
  for (const { day, count } of days) {
    write.sum(fireDays.keyOf({ workspaceId }, { ruleId, day }), count);
  }
  if (atMs !== null) lastFires.put(write, { workspaceId }, { ruleId, atMs });
}

export interface StandingRow {
  readonly ruleId: string;
  readonly standing: RuleStanding;
}

export const standings = defineTable<StandingRow, "ruleId">({
  prefix: "rso",
  about: "for how many products the rule owned the price, and rested behind others, at the last " +
    "count; deleted with its rule",
  key: { ruleId: "id" },
  check: async ({ ruleId }, workspace) =>
    await ruleTable.find(workspace, { id: ruleId })
      ? null
      : `Products are counted of rule ${ruleId}, which does not exist`,
});

interface StandingPass {
  readonly version: string;
  readonly takenAtMs: number;
}

export const standingPasses = defineTable<StandingPass>({
  prefix: "rsop",
  about: "when the owners of prices were last counted, and for which version of the rules",
  key: {},
});
