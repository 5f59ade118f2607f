/**
 * Stores when and how often each rule fired and, if a daily budget is set, counts automatic price
 * changes. For each rule, a job counts the products whose price the rule sets, and those for which
 * another rule takes precedence. The job runs after rule changes, and at the workspace's midnight.
 */
import { eachWorkspace, requireWorkspace } from "../../accounts/workspace.ts";
import { compareTexts } from "../../base/text.ts";
import { dateIn, DAY_MS, iso, isoOrNull } from "../../base/time.ts";
import { type CompiledRule, compileRules } from "../../engine/pricing/compile_rule.ts";
import {
  hasEnded,
  type Job,
  type JobKind,
  type StepResult,
  withHeartbeat,
} from "../../platform/jobs/job.ts";
import { addJobOnce, listJobs } from "../../platform/jobs/job_store.ts";
import type { Actor, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { isRule, listRules, type RuleSetup, ruleTable } from "../rule.ts";
import { judge, standingAmong } from "./judge.ts";
import { streamProducts } from "./situation_reader.ts";
import { type LiveSurroundings, readSurroundings } from "../proposals/priced_product.ts";
import { sumOf } from "../../base/collections.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { z } from "@hono/zod-openapi";
import type { Spent } from "../../engine/pricing/situation.ts";

const FRONTS_NAMED = 5;

export const RuleStanding = z.object({
  takenAt: z.iso.datetime().describe("When the products were counted"),
  owns: z.int().describe("Products whose price the rule sets; includes `reached`"),
  reached: z.int().describe("Products that already have the price that the rule wants"),
  behind: z.int()
    .describe("Products for which the rule has a price, but another rule precedes it"),
  fronts: z.int().describe("Number of rules that precede it for some product"),
  inFront: z.array(z.object({ ruleId: z.string(), products: z.int() })).max(FRONTS_NAMED)
    .describe("The preceding rules with the most products"),
}).meta({ id: "RuleStanding" });

export type RuleStanding = Readonly<z.infer<typeof RuleStanding>>;

const DAYS = 30;

interface FireDay {
  readonly ruleId: string;
  /** Number of days since 1970-01-01, in UTC. */
  readonly day: number;
  readonly count: number;
}

const fireDays = defineTable<FireDay, "ruleId" | "day">({
  prefix: "rf",
  about: "u64, how often the rule fired on a day in UTC (days since 1970)",
  key: { ruleId: "id", day: "number" },
  value: "count",
  check: async ({ ruleId }, workspace) =>
    await isRule(workspace, ruleId) ? null : `There are fires of the unknown rule ${ruleId}`,
});

const lastFires = defineTable<{ readonly ruleId: string; readonly atMs: number }, "ruleId">({
  prefix: "rft",
  about: "when the rule fired last, in milliseconds, set without a check: the last commit wins",
  key: { ruleId: "id" },
  value: "atMs",
});

/** Call this in the commit that writes the proposals and prices of the rules. */
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

/** Counts how often the rule fired today and on the 29 days before, in UTC. */
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

interface StandingRow {
  readonly ruleId: string;
  readonly standing: RuleStanding;
}

export const standings = defineTable<StandingRow, "ruleId">({
  prefix: "rso",
  about: "for how many products the rule owns the price, and for how many another rule precedes " +
    "it; deleted with its rule",
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

const standingPasses = defineTable<StandingPass>({
  prefix: "rsop",
  about: "when the rows `rso` were last counted, and for which version of the rules",
  key: {},
});

const KIND = "rule_standing";
const ROWS_PER_COMMIT = 500;
const AGAIN_MS = 5_000;
const CLOCK: Actor = { type: "system", id: "rules", name: "Rules" };
const DONE = { end: { status: "succeeded", result: null } } as const;

type StandingJob = Job<Record<never, never>, Record<never, never>, Record<never, never>>;

export async function queueStandings(
  { store, clock }: Pick<RuleSetup, "store" | "clock">,
  slot: Date,
): Promise<void> {
  await eachWorkspace(store, "owners of prices", async (workspace) => {
    if (!(await isDue(workspace, clock.now()))) return;
    const ctx = { ...clock, ...workspace, actor: CLOCK };
    const job = { name: KIND, slot, kind: KIND, args: {}, stats: {} };
    await transact(ctx, (write) => addJobOnce(write, ctx, job));
  });
}

async function isDue(workspace: WorkspaceStore, now: Date): Promise<boolean> {
  const version = await ruleTable.version(workspace);
  if (version === null) return false;
  // Read the jobs first, so that a job that ends between the two reads is not queued again.
  const newest = { kind: KIND, limit: 1, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs<StandingJob>(workspace, newest);
  if (!jobs.every(hasEnded)) return false;
  const last = await standingPasses.find(workspace, {});
  const { timeZone } = await requireWorkspace(workspace);
  const dayOf = (at: Date) => dateIn(at, timeZone);
  return last?.row.version !== version || dayOf(new Date(last.row.takenAtMs)) !== dayOf(now);
}

export function createStandingKind(): JobKind<StandingJob> {
  return {
    kind: KIND,
    isSerialPerWorkspace: true,
    step: (_, tools) =>
      withHeartbeat(tools, async (signal): Promise<StepResult<StandingJob>> => {
        const version = await ruleTable.version(tools);
        if (version === null) return DONE;
        const rules = compileRules(await listRules(tools));
        const takenAtMs = tools.now().getTime();
        const counts = await countStandings(tools, rules, signal);
        if (!(await saveRows(tools, version, rowsOf(counts, takenAtMs)))) {
          return { notBefore: new Date(tools.now().getTime() + AGAIN_MS) };
        }
        standingPasses.put(tools.write, tools, { version, takenAtMs });
        return DONE;
      }),
  };
}

interface Counts {
  owns: number;
  reached: number;
  behind: number;
  /** Number of products for which another rule takes precedence, by that rule's id. */
  readonly fronts: Map<string, number>;
}

async function countStandings(
  ctx: WorkspaceStore & Pick<Context, "now">,
  rules: readonly CompiledRule[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Counts>> {
  const blank = () => ({ owns: 0, reached: 0, behind: 0, fronts: new Map<string, number>() });
  const counts = new Map(rules.map(({ id }): [string, Counts] => [id, blank()]));
  if (rules.length === 0) return counts;
  const surroundings = await readSurroundings(ctx);
  const products = streamProducts(ctx, { surroundings, nowMs: ctx.now().getTime() });
  for await (const { answer } of judge(products, standingAmong(rules), ctx)) {
    signal.throwIfAborted();
    const owner = counts.get(answer.ownerId ?? "");
    if (owner) {
      owner.owns++;
      owner.reached += Number(answer.isReached);
    }
    for (const { ruleId, frontId } of answer.behind) {
      const own = counts.get(ruleId);
      if (!own) continue;
      own.behind++;
      own.fronts.set(frontId, (own.fronts.get(frontId) ?? 0) + 1);
    }
  }
  return counts;
}

function rowsOf(counts: ReadonlyMap<string, Counts>, takenAtMs: number): StandingRow[] {
  const takenAt = iso(takenAtMs);
  return [...counts].map(([ruleId, { fronts, ...own }]) => {
    const inFront = [...fronts].map(([front, products]) => ({ ruleId: front, products }))
      .sort((a, b) => b.products - a.products || compareTexts(a.ruleId, b.ruleId))
      .slice(0, FRONTS_NAMED);
    return { ruleId, standing: { takenAt, ...own, fronts: fronts.size, inFront } };
  });
}

async function saveRows(workspace: WorkspaceStore, version: string, rows: readonly StandingRow[]) {
  const counted = new Set(rows.map(({ ruleId }) => ruleId));
  const stored = (await standings.list(workspace)).map(({ row }) => row);
  const changes = [...rows, ...stored.filter(({ ruleId }) => !counted.has(ruleId))];
  for (let from = 0; from < changes.length; from += ROWS_PER_COMMIT) {
    const isSaved = await transact(workspace, async (write) => {
      if (await ruleTable.version(workspace) !== version) return false;
      ruleTable.checkVersion(write, workspace, version);
      for (const row of changes.slice(from, from + ROWS_PER_COMMIT)) {
        if (counted.has(row.ruleId)) standings.put(write, workspace, row);
        else standings.drop(write, workspace, row);
      }
      return true;
    });
    if (!isSaved) return false;
  }
  return true;
}

/** `date` is a day in the workspace's time zone, such as `2026-11-21`. */
interface SpentDay extends Spent {
  readonly date: string;
}

export const spentDays = defineTable<SpentDay, "date">({
  prefix: "bd",
  about: "how many prices rules have set automatically on that day in the workspace's time zone; " +
    "counted while a budget is set, in the commits that set the prices",
  key: { date: "text" },
  keep: {
    what: "counts of automatic prices per day, for budgets",
    days: 7,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
    isInOrder: true,
  },
});

export class DayBudget {
  readonly #budgeted: ReadonlySet<string>;
  readonly #found: Found<SpentDay> | null;
  spent: SpentDay;

  constructor(date: string, budgeted: ReadonlySet<string>, found: Found<SpentDay> | null) {
    this.#budgeted = budgeted;
    this.#found = found;
    this.spent = found?.row ?? { date, all: 0, rules: {} };
  }

  note(ruleId: string): void {
    const { date, all, rules } = this.spent;
    const ofRule = this.#budgeted.has(ruleId) ? { [ruleId]: (rules[ruleId] ?? 0) + 1 } : {};
    this.spent = { date, all: all + 1, rules: { ...rules, ...ofRule } };
  }

  /** The commit fails if another commit has changed the counts of automatic prices. */
  save(write: Write, workspaceId: string): void {
    if (this.spent.all > (this.#found?.row.all ?? 0)) {
      spentDays.save(write, { workspaceId }, this.#found, this.spent);
    }
  }
}

export async function readBudget(
  workspace: WorkspaceStore & Pick<Context, "now">,
  rules: readonly CompiledRule[],
  { settings, timeZone }: LiveSurroundings,
): Promise<DayBudget | null> {
  const budgeted = new Set(
    rules.filter(({ budgetPerDay }) => budgetPerDay !== null).map(({ id }) => id),
  );
  if (budgeted.size === 0 && settings.budgetPerDay === null) return null;
  const date = dateIn(workspace.now(), timeZone);
  return new DayBudget(date, budgeted, await spentDays.find(workspace, { date }));
}
