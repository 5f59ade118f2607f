import { refuseFields } from "../../base/failure.ts";
import { requireWorkspace } from "../../identity/workspace_store.ts";
import type { Workspace } from "../../identity/workspace.ts";
import type { Context } from "../../platform/store/context.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import { transact } from "../../platform/store/kv.ts";
import { keepBlob } from "../../platform/spool/spool.ts";
import {
  IMPORT_KIND,
  type ImportArgs,
  type ImportMode,
  type ImportSetting,
  NO_STATS,
} from "../state/import_job.ts";
import { findProfile } from "../profiles/import_profiles.ts";
import type { ReceivedUpload } from "../receive/receive_upload.ts";

/** What the sender of an upload may choose (docs/decisions/imports.md, "Options"). */
export interface ImportOptions {
  readonly mode: ImportMode;
  readonly profile: string | null;
  readonly tier: string | null;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
}

/** Longer than any job waits; its end decides anew. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Refuses with `validation_failed` a profile that there is not. */
export async function requireKnownProfile(ctx: Context, profile: string | null): Promise<void> {
  if (profile === null || await findProfile(ctx, profile)) return;
  const message = `There is no import profile "${profile.slice(0, 100)}"`;
  throw refuseFields([{ path: "profile", message }]);
}

/** Makes the job and keeps the upload for it, in one commit with the receipt of the request. */
export async function startImport(
  ctx: Context,
  upload: Pick<ReceivedUpload, "blobId" | "manifestAt" | "label">,
  options: ImportOptions,
  receiptPath: (jobId: string) => string,
): Promise<string> {
  const { blobId, manifestAt, label } = upload;
  const setting = settingOf(await requireWorkspace(ctx), ctx.now());
  const args: ImportArgs = { blobId, manifestAt, label, ...options, appliedFrom: null, setting };
  return await transact(ctx, async (write) => {
    const job = addJob(write, ctx, { kind: IMPORT_KIND, args, stats: NO_STATS });
    await keepBlob(write, ctx, blobId, new Date(ctx.now().getTime() + KEPT_MS));
    ctx.receipt?.put(write, receiptPath(job.jobId));
    return job.jobId;
  });
}

/** What an upload is read by that it does not say itself. */
export function settingOf(
  { currency, timeZone }: Pick<Workspace, "currency" | "timeZone">,
  now: Date,
): ImportSetting {
  const at = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const today = at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  return { currency, timeZone, today };
}

/** Until when the upload of a job is kept that waits or works. */
export function keptUntil(now: Date): Date {
  return new Date(now.getTime() + KEPT_MS);
}
