import { listWorkspaces } from "../../accounts/workspace_store.ts";
import type { Actor, Clockwork } from "../../platform/store/context.ts";
import type { JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { addJobOnce } from "../../platform/jobs/add_job.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { listObservedCompetitors } from "./observation_store.ts";
import { packOldest } from "./pack_step.ts";
import { listWholeDays } from "./pack_store.ts";
import { packLimitMs, thinLimitMs } from "./retention_limits.ts";
import type { RetentionJob, RetentionStats } from "./retention_progress.ts";
import { thinDay } from "./thin_step.ts";

/**
 * Packs old observations, and leaves one per match and day of the oldest
 * (docs/decisions/competitors.md, docs/decisions/keys.md).
 */
export const RETENTION_KIND = "observation_retention";

const NO_STATS: RetentionStats = { packed: 0, daysThinned: 0 };
const NIGHT: Actor = { type: "system", id: "retention", name: "Retention" };

/**
 * One job per workspace and night. A step packs some hundred observations or thins a part of one
 * day; each of its commits leaves lists whole, so a crash at any place costs nothing.
 */
export function createThinningKind(
  { retentionDays }: { readonly retentionDays: number },
): JobKind<RetentionJob> {
  return {
    kind: RETENTION_KIND,
    slotsPerProcess: 1,
    slotsPerWorkspace: 1,
    isSerialPerWorkspace: true,
    step: (job, tools) => takeStep(job, tools, retentionDays),
  };
}

/** Adds the job of a night for every workspace; asked twice for the same slot it adds one. */
export async function addThinningJobs(
  { store, clockwork }: { readonly store: Store; readonly clockwork: Clockwork },
  slot: Date,
): Promise<void> {
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const ctx = { ...clockwork, store, workspaceId, actor: NIGHT };
    const job = { name: RETENTION_KIND, slot, kind: RETENTION_KIND, args: {}, stats: NO_STATS };
    await transact(ctx, (write) => addJobOnce(write, ctx, job));
  }
}

/** The limits follow from the time at which the job was added, so that all steps have the same. */
async function takeStep(
  job: RetentionJob,
  tools: StepTools<RetentionJob>,
  retentionDays: number,
): Promise<StepResult<RetentionJob>> {
  const competitors = await listObservedCompetitors(tools);
  const { cursor, stats } = job;
  const competitorId = competitors.find((id) => id >= (cursor?.competitorId ?? ""));
  if (competitorId === undefined) return { stats, end: { status: "succeeded", result: stats } };
  const begunAt = new Date(job.createdAt);
  const packed = await packOldest(tools, competitorId, packLimitMs(begunAt));
  if (packed > 0) {
    return {
      cursor: { competitorId, after: null },
      stats: { ...stats, packed: stats.packed + packed },
    };
  }
  const [day] = await listWholeDays(tools, competitorId, thinLimitMs(begunAt, retentionDays));
  if (day === undefined) return { cursor: { competitorId: next(competitorId), after: null } };
  const isSame = cursor?.competitorId === competitorId;
  const after = await thinDay(tools, {
    competitorId,
    dayMs: day,
    after: isSame ? cursor.after : null,
  });
  const daysThinned = stats.daysThinned + (after === null ? 1 : 0);
  return { cursor: { competitorId, after }, stats: { ...stats, daysThinned } };
}

/** The smallest id after `id`. */
function next(id: string): string {
  return (BigInt(`0x${id}`) + 1n).toString(16).padStart(id.length, "0");
}
