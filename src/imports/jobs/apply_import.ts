/** Applies, cancels or discards an import that has waited for a person. */

import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import { addJob, cancelJob } from "../../platform/jobs/add_job.ts";
import { hasEnded, type JobKind } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { discardBlob, giveBlobUp, isBlobThere, keepBlob } from "../../platform/store/spool.ts";
import { isKnownProfile } from "../profiles/import_profile_store.ts";
import {
  IMPORT_KIND,
  type ImportArgs,
  type ImportJob,
  keepsUpload,
  NO_STATS,
  type QueuedImport,
} from "../state/import_job.ts";
import {
  excludedMark,
  findApplier,
  findExcluded,
  saveApplier,
  saveExcluded,
} from "../state/import_row_store.ts";
import { keptUntil, settingOf } from "./start_import.ts";

/** The file of a dry run or a held import can be applied for so long (docs/decisions/imports.md). */
export const KEPT_HOURS = 24;

/** Refuses with `not_found`, for another workspace's job too. */
export async function requireImport(
  ctx: Pick<Context, "store" | "workspaceId">,
  jobId: string,
): Promise<QueuedImport> {
  const job = isId(jobId) ? await findJob<QueuedImport>(ctx, IMPORT_KIND, jobId) : null;
  if (!job) throw noSuch("import", jobId);
  return job;
}

/** How a file is applied at last. */
export interface ApplyOptions {
  readonly isForced: boolean;
  /** Imports the rest where a whole column of prices cannot be used, as the job may have been told. */
  readonly allowsNoPrices: boolean;
  /** Records with these SKUs are left out, in addition to those left out already. */
  readonly exclude: readonly string[];
  /** Why, for the audit log; null: none was given. */
  readonly reason: string | null;
}

/** SKUs that one import leaves out. */
export const EXCLUDED_MAX = 10_000;

/**
 * Runs the file of a dry run or a held import for real, as a new job; answers its id. Refuses with
 * `conflict` when the job is none of the two, when that is 24 h ago, its file was discarded or its
 * profile is gone, and the second time.
 */
export async function applyImport(
  ctx: Context,
  jobId: string,
  { isForced, allowsNoPrices, exclude, reason }: ApplyOptions,
  receiptPath: (jobId: string) => string,
): Promise<string> {
  return await transact(ctx, async (write) => {
    const job = await requireAppliable(ctx, await requireImport(ctx, jobId));
    const workspace = await requireWorkspace(ctx);
    const excluded = await addExcluded(ctx, job, exclude);
    const { reason: _former, ...asked } = job.args;
    const args: ImportArgs = {
      ...asked,
      isDryRun: false,
      isForced,
      allowsNoPrices: allowsNoPrices || (asked.allowsNoPrices ?? false),
      appliedFrom: jobId,
      setting: settingOf(workspace, ctx.now()),
      ...(excluded.size > 0 ? { excluded: excluded.size } : {}),
      ...(reason === null ? {} : { reason }),
    };
    const next = addJob(write, ctx, { kind: IMPORT_KIND, args, stats: NO_STATS });
    saveExcluded(write, ctx.workspaceId, next.jobId, excluded);
    saveApplier(write, ctx.workspaceId, jobId, next.jobId);
    await keepBlob(write, ctx, job.args.blobId, keptUntil(ctx.now()));
    ctx.receipt?.put(write, receiptPath(next.jobId));
    return next.jobId;
  });
}

/** Refuses with `validation_failed` where there are too many together. */
async function addExcluded(
  ctx: Context,
  job: ImportJob,
  exclude: readonly string[],
): Promise<ReadonlySet<string>> {
  const excluded = new Set(job.args.excluded ? await findExcluded(ctx, job.jobId) : []);
  for (const sku of exclude) excluded.add(excludedMark(normaliseSku(sku)));
  if (excluded.size <= EXCLUDED_MAX) return excluded;
  const message = `Must hold at most ${EXCLUDED_MAX} SKUs, with those that were left out before`;
  throw refuseFields([{ path: "exclude", message }]);
}

async function requireAppliable(ctx: Context, job: QueuedImport): Promise<ImportJob> {
  if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: wait for it");
  if (!keepsUpload(job)) {
    throw new Failure(
      "conflict",
      "Only a dry run, or an import that is held or whose prices were refused, can be applied",
    );
  }
  const appliedBy = await findApplier(ctx, job.jobId);
  if (appliedBy) {
    throw new Failure("conflict", "The import was applied before", { jobId: appliedBy });
  }
  if (job.args.profile !== null && !await isKnownProfile(ctx, job.args.profile)) {
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
  return job;
}

/**
 * Ends an import: what it has committed stays and is counted (docs/decisions/imports.md). Refuses
 * with `not_found`, and with `conflict` when it has ended.
 */
export async function cancelImport(
  ctx: Context,
  kind: JobKind<QueuedImport>,
  jobId: string,
): Promise<void> {
  await transact(ctx, async (write) => {
    await requireImport(ctx, jobId);
    await cancelJob(write, ctx, kind, jobId);
    ctx.receipt?.put(write, null);
  });
}

/**
 * Deletes the file that a dry run or a waiting import keeps, so that others have its room; what the job
 * has found stays. Once more changes nothing. Refuses with `not_found`, and with `conflict` an import
 * that goes on, keeps no file, or was applied.
 */
export async function discardUpload(ctx: Context, jobId: string): Promise<void> {
  const blobId = await transact(ctx, async (write) => {
    const job = await requireImport(ctx, jobId);
    if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: cancel it");
    if (!keepsUpload(job)) {
      throw new Failure(
        "conflict",
        "Only a dry run, or an import that is held or whose prices were refused, keeps its file",
      );
    }
    const appliedBy = await findApplier(ctx, jobId);
    if (appliedBy) throw new Failure("conflict", "The import was applied", { jobId: appliedBy });
    const { blobId, label } = job.args;
    if (!await giveBlobUp(write, ctx, blobId)) return null;
    addAuditRow(write, ctx, {
      action: "import.discard",
      resource: { type: "import", id: jobId, label },
      before: null,
      after: null,
    });
    return blobId;
  });
  if (blobId !== null) await discardBlob(ctx, blobId);
}
