/** Pulls begin: because somebody asks, or because it is time. */
import { setTimeout } from "node:timers/promises";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { isWorthWaiting } from "../../platform/jobs/wait_for_job.ts";
import { addJob, addJobOnce } from "../../platform/jobs/add_job.ts";
import { eachApart } from "../../platform/jobs/each_apart.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { Clockwork, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { contextFor } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { requireSource } from "../state/change_sources.ts";
import type { StoredSource } from "../state/import_source.ts";
import { plannedTime } from "../state/pull_schedule.ts";
import { findPull, listStoredSources, type PullState, savePull } from "../state/source_store.ts";
import { NO_PULL_STATS, PULL_KIND, type PullJob } from "./pull_kind.ts";

/**
 * Fetches the file of a source now; a try that rests gives way. Answers the id of the job. Refuses
 * with `not_found`, and with `conflict` a source that is not fetched, is paused, or is being fetched.
 */
export async function beginPull(ctx: Context, sourceId: string): Promise<string> {
  return await transact(ctx, async (write) => {
    const { source } = await requireSource(ctx, sourceId);
    if (source.pull === null) throw new Failure("conflict", "Its files are sent, not fetched");
    if (source.pausedAt !== null) {
      throw new Failure("conflict", "The source is paused: let it go on first");
    }
    const { state, versionstamp } = await findPull(ctx, sourceId);
    const job = state && await findJob<PullJob>(ctx, PULL_KIND, state.pullJobId);
    if (job?.status === "running" || (job?.status === "queued" && job.cursor === null)) {
      throw new Failure("conflict", "The file is being fetched");
    }
    const added = addJob(write, ctx, {
      kind: PULL_KIND,
      args: { sourceId },
      stats: NO_PULL_STATS,
    });
    const begun = begunState(state, added.jobId, ctx.now());
    savePull(write, ctx.workspaceId, sourceId, begun, versionstamp);
    addAuditRow(write, ctx, {
      action: "import_source.pull",
      resource: { type: "import_source", id: source.id, label: source.name },
      before: null,
      after: null,
    });
    return added.jobId;
  });
}

const LOOK_MS = 100;

/** True when the pull in hand has come to something within `waitMs`. */
export async function waitForPull(
  workspace: WorkspaceStore,
  sourceId: string,
  waitMs: number,
): Promise<boolean> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const { state } = await findPull(workspace, sourceId);
    if (state?.outcome !== "running") return true;
    if (!isWorthWaiting(workspace.store, endsAt)) return false;
    await setTimeout(LOOK_MS);
  }
}

interface PullSetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
}

/**
 * Adds the jobs of sources whose time has come, each once however many processes ask. A source that is
 * still being tried is left alone: its next planned time is what counts then.
 */
export async function beginPlannedPulls({ store, clockwork }: PullSetup): Promise<void> {
  const workspaces = await listWorkspaces(store);
  await eachApart("planned pulls", workspaces, async ({ id: workspaceId, timeZone }) => {
    for (const source of await listStoredSources({ store, workspaceId })) {
      const actor = { type: "system", id: "import_source", name: source.name } as const;
      const setup = { store, clockwork, requestId: source.id };
      await beginPlanned(contextFor(setup, workspaceId, actor), source, timeZone);
    }
  });
}

async function beginPlanned(
  ctx: Context,
  { id: sourceId, pull, pausedAt, updatedAt }: StoredSource,
  timeZone: string,
): Promise<void> {
  if (!pull?.schedule || pausedAt !== null || updatedAt === null) return;
  const terms = { since: new Date(updatedAt), now: ctx.now(), timeZone };
  const slot = plannedTime(pull.schedule, terms);
  if (slot === null) return;
  await transact(ctx, async (write) => {
    const { state, versionstamp } = await findPull(ctx, sourceId);
    if (state && !await isOver(ctx, state)) return;
    const job = await addJobOnce(write, ctx, {
      name: `${PULL_KIND} ${sourceId}`,
      slot,
      kind: PULL_KIND,
      args: { sourceId },
      stats: NO_PULL_STATS,
    });
    if (job === null) return;
    const begun = begunState(state, job.jobId, ctx.now());
    savePull(write, ctx.workspaceId, sourceId, begun, versionstamp);
  });
}

async function isOver(workspace: WorkspaceStore, { pullJobId }: PullState): Promise<boolean> {
  const job = await findJob<PullJob>(workspace, PULL_KIND, pullJobId);
  return job === null || hasEnded(job);
}

function begunState(before: PullState | null, pullJobId: string, now: Date): PullState {
  return {
    pullJobId,
    outcome: "running",
    at: now.toISOString(),
    importId: before?.importId ?? null,
    errorCode: null,
    message: null,
    failures: 0,
    nextTryAt: null,
    isTold: before?.isTold ?? false,
    known: before?.known ?? null,
  };
}
