/** Starts imports of received uploads, applies checked imports, and cancels and undoes imports. */
import { AuditReason } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { Failure, refuseFields, requireById } from "../../base/failure.ts";
import { normaliseSku } from "../../base/text.ts";
import { dateIn, DAY_MS } from "../../base/time.ts";
import { hasEnded, type JobKind } from "../../platform/jobs/job.ts";
import { addJob, cancelJob, findJob } from "../../platform/jobs/job_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { discardBlob, giveBlobUp, isBlobThere, keepBlob } from "../../platform/store/spool.ts";
import { IMPORT_MODES, KEPT_HOURS } from "../choices.ts";
import { isKnownProfile, requireKnownProfile } from "../profiles/import_profiles.ts";
import { findSource, pauseSource, pulls } from "../state/sources.ts";
import {
  IMPORT_KIND,
  type ImportArgs,
  type ImportJob,
  type ImportSetting,
  isUndo,
  keepsUpload,
  NO_STATS,
  type QueuedImport,
  type UndoArgs,
} from "../state/import_job.ts";
import {
  appliers,
  excludedMark,
  findApplier,
  findExcluded,
  saveExcluded,
} from "../state/import_row_store.ts";
import { UNDO_DAYS, undoableUntil, undoers } from "../state/undo_store.ts";
import { DEFAULT_SOURCE, pausedFailure, type StoredSource } from "../state/import_source.ts";
import type { ReceivedUpload } from "../upload/receive_upload.ts";
import { flagQuery } from "../../platform/http/http.ts";
import { z } from "@hono/zod-openapi";

const EXCLUDED_MAX = 10_000;

type ImportOptions = Pick<
  ImportArgs,
  "mode" | "profile" | "tier" | "isDryRun" | "isForced" | "allowsNoPrices" | "source"
>;

const flag = (description: string) => flagQuery.meta({ type: "boolean", description });
const optionalFlag = (description: string) =>
  z.enum(["true", "false"]).optional()
    .transform((text) => text === undefined ? undefined : text === "true")
    .meta({ type: "boolean", description });
export const optionalText = (charactersMax: number) =>
  z.string().trim().max(charactersMax).optional().transform((text) => text || null);

export const ImportQuery = z.strictObject({
  source: optionalText(64).describe("Id of the import source of the file; default: `default`"),
  mode: z.enum(IMPORT_MODES).optional().describe(
    "Default: the mode of the source, which is `upsert` unless it was changed. `insert` skips " +
      "existing SKUs, `update` skips unknown ones; `replace` is a full load, which also deletes " +
      "products that earlier imports of the source created and the file lacks",
  ),
  profile: optionalText(64)
    .describe("Id of the profile that reads the file; by default the content of the file decides"),
  tier: optionalText(64).describe("The price tier that `ourPrice` comes from"),
  dryRun: flag("Check and count only; write nothing"),
  force: flag("Ignore the guard of `replace` and the hold of the workspace or source"),
  allowNoPrices: flag(
    "Import the rest of a file if a whole column of its prices cannot be used; by default the import fails",
  ),
  strict: optionalFlag(
    "Wait up to 60 s for the end, and answer 422 `import_refused` if the import failed or is " +
      "held. Default: the setting of the source, which is `false` unless it was changed",
  ),
});

export const ApplyQuery = z.strictObject({
  force: flag("Apply a held import"),
  allowNoPrices: flag("Import everything except prices that cannot be used"),
});

export const ApplyBody = z.strictObject({
  force: z.boolean().default(false).describe("As in the query"),
  allowNoPrices: z.boolean().default(false).describe("As in the query"),
  exclude: z.array(z.string().max(1_000)).max(EXCLUDED_MAX).default([])
    .describe("SKUs whose records are skipped, each with a warning `excluded`"),
  reason: AuditReason.optional(),
}).meta({ id: "ImportApplication" });

export const UndoQuery = z.strictObject({
  dryRun: flag("Count what would be undone and list what would stay; change nothing"),
  reason: AuditReason.optional().meta({
    pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
    description:
      "The reason for the audit log. With a reason, a person may also restore prices that are " +
      "beyond the bounds of their products, below cost, locked or held",
  }),
  pause: optionalFlag(
    "Whether to pause the source of the import. Default: true if a program sent or fetched the " +
      "file, because its next file would repeat the error; else false",
  ),
});

export type ImportRequest = Partial<z.output<typeof ImportQuery>>;

export async function settledOptions(
  ctx: Context,
  { source: named, dryRun = false, ...request }: ImportRequest,
): Promise<{ readonly options: ImportOptions; readonly isStrict: boolean }> {
  const found = await findSource(ctx, named ?? DEFAULT_SOURCE);
  if (found === null) {
    const message = `There is no import source "${named?.slice(0, 100) ?? ""}"`;
    throw refuseFields([{ path: "source", message }]);
  }
  const { source } = found;
  if (source.pausedAt !== null && !dryRun) throw pausedFailure(source);
  const options = {
    ...optionsOfSource(source),
    isDryRun: dryRun,
    isForced: request.force ?? false,
    allowsNoPrices: request.allowNoPrices ?? false,
    mode: request.mode ?? source.mode,
    profile: request.profile ?? source.profile,
    tier: request.tier ?? source.tier,
  };
  await requireKnownProfile(ctx, options.profile);
  return { options, isStrict: request.strict ?? source.options.strict };
}

const NOTHING_ASKED = { isDryRun: false, isForced: false, allowsNoPrices: false };

export function optionsOfSource({ id, mode, profile, tier }: StoredSource): ImportOptions {
  const settings = { mode, profile, tier, ...NOTHING_ASKED };
  return id === DEFAULT_SOURCE ? settings : { ...settings, source: id };
}

type Upload = Pick<ReceivedUpload, "blobId" | "manifestAt" | "label">;

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

export async function addImport(
  write: Write,
  ctx: Context,
  { blobId, manifestAt, label }: Upload,
  options: ImportOptions,
): Promise<string> {
  const setting = await settingOf(ctx);
  const upload = { blobId, manifestAt, label };
  return await queueImport(write, ctx, { ...upload, ...options, appliedFrom: null, setting });
}

async function queueImport(write: Write, ctx: Context, args: ImportArgs): Promise<string> {
  const { jobId } = addJob(write, ctx, { kind: IMPORT_KIND, args, stats: NO_STATS });
  // The upload is kept until its job ends, but for at most 30 days.
  const keptUntil = new Date(ctx.now().getTime() + 30 * DAY_MS);
  await keepBlob(write, ctx, args.blobId, keptUntil);
  return jobId;
}

export async function settingOf(
  ctx: WorkspaceStore & Pick<Context, "now">,
): Promise<ImportSetting> {
  const { currency, timeZone, pricesIncludeVat, vatRatePct } = await requireWorkspace(ctx);
  const vat = { side: pricesIncludeVat ? "gross" : "net", ratePct: vatRatePct } as const;
  return { currency, timeZone, today: dateIn(ctx.now(), timeZone), vat };
}

export async function requireImport(
  ctx: Pick<Context, "store" | "workspaceId">,
  jobId: string,
): Promise<QueuedImport> {
  return await requireById("import", jobId, (id) => findJob<QueuedImport>(ctx, IMPORT_KIND, id));
}

/**
 * Throws `conflict` if the job still runs, was already applied, has lost its file or its profile,
 * or belongs to a paused source. Also applies imports of deleted sources.
 */
export async function applyImport(
  ctx: Context,
  jobId: string,
  { force, allowNoPrices, exclude, reason = null }: z.output<typeof ApplyBody>,
  receiptPath: (jobId: string) => string,
): Promise<string> {
  return await transact(ctx, async (write) => {
    const job = await requireAppliable(ctx, jobId);
    const excluded = await addExcluded(ctx, job, exclude);
    const { reason: _previous, ...asked } = job.args;
    const applierId = await queueImport(write, ctx, {
      ...asked,
      isDryRun: false,
      isForced: force,
      allowsNoPrices: allowNoPrices || asked.allowsNoPrices,
      appliedFrom: jobId,
      setting: await settingOf(ctx),
      ...(excluded.size > 0 ? { excluded: excluded.size } : {}),
      ...(reason === null ? {} : { reason }),
    });
    saveExcluded(write, ctx, applierId, excluded);
    appliers.save(write, ctx, null, { jobId, applierId });
    ctx.receipt?.put(write, receiptPath(applierId));
    return applierId;
  });
}

async function addExcluded(
  ctx: Context,
  job: ImportJob,
  exclude: readonly string[],
): Promise<ReadonlySet<string>> {
  const excluded = new Set(job.args.excluded ? await findExcluded(ctx, job.jobId) : []);
  for (const sku of exclude) excluded.add(excludedMark(normaliseSku(sku)));
  if (excluded.size <= EXCLUDED_MAX) return excluded;
  const message = `Must have at most ${EXCLUDED_MAX} SKUs, including those excluded before`;
  throw refuseFields([{ path: "exclude", message }]);
}

async function requireKept(ctx: Context, jobId: string): Promise<ImportJob> {
  const job = await requireImport(ctx, jobId);
  if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: wait or cancel it");
  if (!keepsUpload(job)) {
    const message =
      "Only a dry run, or an import that is held or whose prices were refused, keeps its file";
    throw new Failure("conflict", message);
  }
  const appliedBy = await findApplier(ctx, jobId);
  if (appliedBy === null) return job;
  throw new Failure("conflict", "The import was already applied", { jobId: appliedBy });
}

async function requireAppliable(ctx: Context, jobId: string): Promise<ImportJob> {
  const job = await requireKept(ctx, jobId);
  const found = await findSource(ctx, job.args.source ?? DEFAULT_SOURCE);
  if (found !== null && found.source.pausedAt !== null) throw pausedFailure(found.source);
  if (job.args.profile !== null && !await isKnownProfile(ctx, job.args.profile)) {
    const message = `Its import profile "${job.args.profile}" was deleted: send the file again`;
    throw new Failure("conflict", message);
  }
  const endedMs = Date.parse(job.finishedAt ?? job.createdAt);
  const isOld = ctx.now().getTime() - endedMs > KEPT_HOURS * 3_600_000;
  if (isOld || !await isBlobThere(ctx, job.args.blobId)) {
    const message = `Its file was discarded, or kept for ${KEPT_HOURS} hours: send it again`;
    throw new Failure("conflict", message);
  }
  return job;
}

/** A running import stops at its next commit; its changes stay. Throws `conflict` if it ended. */
export async function cancelImport(ctx: Context, kind: JobKind<QueuedImport>, jobId: string) {
  await transact(ctx, async (write) => {
    await requireImport(ctx, jobId);
    await cancelJob(write, ctx, kind, jobId);
    ctx.receipt?.put(write, null);
  });
}

export async function discardUpload(ctx: Context, jobId: string): Promise<void> {
  const blobId = await transact(ctx, async (write) => {
    const job = await requireKept(ctx, jobId);
    const { blobId, label } = job.args;
    if (!await giveBlobUp(write, ctx, blobId)) return null;
    addAuditRow(write, ctx, {
      action: "import.discard",
      resource: { type: "import", id: jobId, label },
    });
    return blobId;
  });
  if (blobId !== null) await discardBlob(ctx, blobId);
}

export async function undoImport(
  ctx: Context,
  jobId: string,
  { dryRun: isDryRun = false, pause, reason = null }: Partial<z.output<typeof UndoQuery>>,
  receiptPath: (jobId: string) => string,
): Promise<string> {
  return await transact(ctx, async (write) => {
    const job = requireUndoable(await requireImport(ctx, jobId), ctx.now());
    const found = await findUndoing(ctx, jobId);
    if (found.undoneBy !== null) {
      const details = { jobId: found.undoneBy };
      throw new Failure("conflict", "The import was already undone", details);
    }
    const pausesSource = pause ?? await comesAgain(ctx, job);
    const { label, mode, source } = job.args;
    const args: UndoArgs = {
      undoes: jobId,
      beganAt: job.startedAt ?? job.createdAt,
      endedAt: job.finishedAt ?? job.createdAt,
      entries: job.cursor?.undo.entries ?? 0,
      label,
      mode,
      isDryRun,
      pausesSource,
      ...(source !== undefined && { source }),
      ...(reason !== null && { reason }),
    };
    const next = addJob(write, ctx, { kind: IMPORT_KIND, args, stats: NO_STATS });
    if (!isDryRun) {
      undoers.save(write, ctx, found.undoer, { jobId, undoerId: next.jobId });
      if (pausesSource) await pauseSource(write, ctx, source ?? DEFAULT_SOURCE);
    }
    ctx.receipt?.put(write, receiptPath(next.jobId));
    return next.jobId;
  });
}

async function comesAgain(ctx: Context, job: ImportJob): Promise<boolean> {
  const { appliedFrom, source: sourceId = DEFAULT_SOURCE } = job.args;
  const pull = await pulls.find(ctx, { sourceId });
  if (job.createdBy.type !== "user" || pull?.row.importId === job.jobId) return true;
  const from = appliedFrom && await findJob<QueuedImport>(ctx, IMPORT_KIND, appliedFrom);
  return from && !isUndo(from) ? await comesAgain(ctx, from) : false;
}

function requireUndoable(job: QueuedImport, now: Date): ImportJob {
  if (isUndo(job)) {
    throw new Failure("conflict", "An undo cannot be undone: import the file again");
  }
  if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: wait or cancel it");
  const until = undoableUntil(job);
  if (until === null) throw new Failure("conflict", "The import made no changes to undo");
  if (now > until) {
    const message = `An import can be undone for ${UNDO_DAYS} days after its end`;
    throw new Failure("conflict", message);
  }
  return job;
}

/** `undoneBy` is null if there was no undo, or if the undo failed or was cancelled. */
export async function findUndoing(workspace: WorkspaceStore, jobId: string) {
  const undoer = await undoers.find(workspace, { jobId });
  const undoneBy = undoer?.row.undoerId ?? null;
  const job = undoneBy && await findJob<QueuedImport>(workspace, IMPORT_KIND, undoneBy);
  const isBrokenOff = job && hasEnded(job) && job.status !== "succeeded";
  return { undoneBy: isBrokenOff ? null : undoneBy, undoer };
}
