import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { requireWorkspace } from "../../identity/workspace_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import { transact } from "../../platform/store/kv.ts";
import { isBlobThere, keepBlob } from "../../platform/spool/spool.ts";
import { IMPORT_KIND, type ImportJob, keepsUpload, NO_STATS } from "../state/import_job.ts";
import { findProfile } from "../profiles/import_profiles.ts";
import { findApplier, saveApplier } from "../state/import_row_store.ts";
import { keptUntil, settingOf } from "./start_import.ts";

const KEPT_HOURS = 24;

/** Refuses with `not_found`, for another workspace's job too. */
export async function requireImport(
  ctx: Pick<Context, "store" | "workspaceId">,
  jobId: string,
): Promise<ImportJob> {
  const job = isId(jobId) ? await findJob<ImportJob>(ctx, IMPORT_KIND, jobId) : null;
  if (!job) throw new Failure("not_found", `There is no import "${jobId.slice(0, 100)}"`);
  return job;
}

/**
 * Runs the file of a dry run or a held import for real, as a new job; answers its id. Refuses with
 * `conflict` when the job is none of the two, when that is 24 h ago, its file was discarded or its
 * profile is gone, and the second time.
 */
export async function applyImport(
  ctx: Context,
  jobId: string,
  { isForced }: { readonly isForced: boolean },
  receiptPath: (jobId: string) => string,
): Promise<string> {
  return await transact(ctx, async (write) => {
    const job = await requireImport(ctx, jobId);
    await requireAppliable(ctx, job);
    const { currency, timeZone } = await requireWorkspace(ctx);
    const args = {
      ...job.args,
      isDryRun: false,
      isForced,
      appliedFrom: jobId,
      setting: settingOf({ currency, timeZone }, ctx.now()),
    };
    const next = addJob(write, ctx, { kind: IMPORT_KIND, args, stats: NO_STATS });
    saveApplier(write, ctx.workspaceId, jobId, next.jobId);
    await keepBlob(write, ctx, job.args.blobId, keptUntil(ctx.now()));
    ctx.receipt?.put(write, receiptPath(next.jobId));
    return next.jobId;
  });
}

async function requireAppliable(ctx: Context, job: ImportJob): Promise<void> {
  if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: wait for it");
  if (!keepsUpload(job)) {
    throw new Failure("conflict", "Only a dry run or a held import can be applied");
  }
  const appliedBy = await findApplier(ctx, job.jobId);
  if (appliedBy) {
    throw new Failure("conflict", "The import was applied before", { jobId: appliedBy });
  }
  if (job.args.profile !== null && !await findProfile(ctx, job.args.profile)) {
    const message = `Its import profile "${job.args.profile}" was deleted: send the file again`;
    throw new Failure("conflict", message);
  }
  const endedMs = Date.parse(job.finishedAt ?? job.createdAt);
  if (ctx.now().getTime() - endedMs > KEPT_HOURS * 3_600_000) {
    const message = `Its file was kept for ${KEPT_HOURS} hours: send it again`;
    throw new Failure("conflict", message);
  }
  if (!await isBlobThere(ctx, job.args.blobId)) {
    throw new Failure("conflict", "Its file was discarded: send it again");
  }
}
