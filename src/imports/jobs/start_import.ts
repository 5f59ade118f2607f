/** Starts an import of a received upload with the options of its request and source. */

import type { Workspace } from "../../accounts/workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { dateIn } from "../../base/time.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { keepBlob } from "../../platform/store/spool.ts";
import { isKnownProfile } from "../profiles/import_profile_store.ts";
import {
  IMPORT_KIND,
  type ImportArgs,
  type ImportMode,
  type ImportSetting,
  NO_STATS,
} from "../state/import_job.ts";
import { DEFAULT_SOURCE, type StoredSource } from "../state/import_source.ts";
import { findSource } from "../state/source_store.ts";
import type { ReceivedUpload } from "../upload/receive_upload.ts";

/** Options of an upload (docs/decisions/imports.md, "Options"). */
export interface ImportOptions {
  readonly mode: ImportMode;
  readonly profile: string | null;
  readonly tier: string | null;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  /** Imports a file, too, of which a whole column of prices cannot be used. */
  readonly allowsNoPrices: boolean;
  /** The named source whose file it is; absent for the default one. */
  readonly source?: string;
}

/** Options as sent; null stands for the source's value. */
export interface ImportRequest extends Omit<ImportOptions, "mode" | "source"> {
  readonly source: string | null;
  readonly mode: ImportMode | null;
  readonly isStrict: boolean | null;
}

/** Longer than any job waits; its end decides again. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Refuses with `validation_failed` a profile that there is not. */
export async function requireKnownProfile(ctx: Context, profile: string | null): Promise<void> {
  if (profile === null || await isKnownProfile(ctx, profile)) return;
  const message = `There is no import profile "${profile.slice(0, 100)}"`;
  throw refuseFields([{ path: "profile", message }]);
}

/**
 * The request with what its source says where it is silent. Refuses with `validation_failed` a source
 * or a profile that there is not, and with `conflict` what a paused source would apply.
 */
export async function settledOptions(
  ctx: Context,
  { source: named, mode, isStrict, ...request }: ImportRequest,
): Promise<{ readonly options: ImportOptions; readonly isStrict: boolean }> {
  const found = await findSource(ctx, named ?? DEFAULT_SOURCE);
  if (found === null) {
    const message = `There is no import source "${named?.slice(0, 100) ?? ""}"`;
    throw refuseFields([{ path: "source", message }]);
  }
  const { source } = found;
  if (source.pausedAt !== null && !request.isDryRun) {
    const message =
      `The import source "${source.id}" is paused since ${source.pausedAt}: nothing ` +
      "of it is applied until somebody lets it go on";
    throw new Failure("conflict", message, { pausedAt: source.pausedAt });
  }
  const options = {
    ...optionsOfSource(source),
    ...request,
    mode: mode ?? source.mode,
    profile: request.profile ?? source.profile,
    tier: request.tier ?? source.tier,
  };
  await requireKnownProfile(ctx, options.profile);
  return { options, isStrict: isStrict ?? source.options.strict };
}

const NOTHING_ASKED = { isDryRun: false, isForced: false, allowsNoPrices: false };

/** How the files of a source are taken in by default. */
export function optionsOfSource({ id, mode, profile, tier }: StoredSource): ImportOptions {
  const settings = { mode, profile, tier, ...NOTHING_ASKED };
  return id === DEFAULT_SOURCE ? settings : { ...settings, source: id };
}

type Upload = Pick<ReceivedUpload, "blobId" | "manifestAt" | "label">;

/** Makes the job and keeps the upload for it, in one commit with the receipt of the request. */
export async function startImport(
  ctx: Context,
  upload: Upload,
  options: ImportOptions,
  receiptPath: (jobId: string) => string,
): Promise<string> {
  return await transact(ctx, async (write) => {
    const jobId = await addImport(write, ctx, upload, options);
    ctx.receipt?.put(write, receiptPath(jobId));
    return jobId;
  });
}

/** The job of an upload, which is kept for it, in the caller's commit; answers its id. */
export async function addImport(
  write: Write,
  ctx: Context,
  { blobId, manifestAt, label }: Upload,
  options: ImportOptions,
): Promise<string> {
  const setting = settingOf(await requireWorkspace(ctx), ctx.now());
  const args: ImportArgs = { blobId, manifestAt, label, ...options, appliedFrom: null, setting };
  const job = addJob(write, ctx, { kind: IMPORT_KIND, args, stats: NO_STATS });
  await keepBlob(write, ctx, blobId, keptUntil(ctx.now()));
  return job.jobId;
}

export function settingOf(
  { currency, timeZone, pricesIncludeVat, vatRatePct }: Pick<
    Workspace,
    "currency" | "timeZone" | "pricesIncludeVat" | "vatRatePct"
  >,
  now: Date,
): ImportSetting {
  const vat = { side: pricesIncludeVat ? "gross" : "net", ratePct: vatRatePct } as const;
  return { currency, timeZone, today: dateIn(now, timeZone), vat };
}

/** Until when the upload of a job is kept that waits or works. */
export function keptUntil(now: Date): Date {
  return new Date(now.getTime() + KEPT_MS);
}
