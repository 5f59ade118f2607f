/**
 * If several rules want to set the price of a product, the first of these rules sets it. This job
 * counts for each rule how many prices the rule sets, and how many it leaves to an earlier rule.
 * The job runs after a change of a rule, and at midnight in the workspace's time zone.
 */
import { eachWorkspace, requireWorkspace } from "../../accounts/workspace.ts";
import { compareTexts } from "../../base/text.ts";
import { dateIn, iso } from "../../base/time.ts";
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
import { transact } from "../../platform/store/kv.ts";
import { FRONTS_NAMED, listRules, type RuleSetup, ruleTable } from "../rule.ts";
import { standingPasses, type StandingRow, standings } from "../rule_stats_store.ts";
import { judge, standingAmong } from "./judge.ts";
import { streamProducts } from "./product_stream.ts";
import { readSurroundings } from "../proposals/priced_product.ts";

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
  // Read the jobs before `standingPasses`, so that the result of an ended job is not missed.
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
  /** Numbers of products by the id of the rule that precedes this rule. */
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
  const gone = (await standings.list(workspace)).filter(({ row }) => !counted.has(row.ruleId));
  const changes = [
    ...rows.map((row) => ({ row, isGone: false })),
    ...gone.map(({ row }) => ({ row, isGone: true })),
  ];
  for (let from = 0; from < changes.length; from += ROWS_PER_COMMIT) {
    const isSaved = await transact(workspace, async (write) => {
      if (await ruleTable.version(workspace) !== version) return false;
      ruleTable.checkVersion(write, workspace, version);
      for (const { row, isGone } of changes.slice(from, from + ROWS_PER_COMMIT)) {
        if (isGone) standings.drop(write, workspace, row);
        else standings.put(write, workspace, row);
      }
      return true;
    });
    if (!isSaved) return false;
  }
  return true;
}
