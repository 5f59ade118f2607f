import { Failure } from "../../base/failure.ts";
import { DEFAULT_HOLD } from "../../identity/workspace.ts";
import { requireWorkspace } from "../../identity/workspace_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { openBlob } from "../../platform/spool/spool.ts";
import { fileFinding, type Finding } from "../findings/finding.ts";
import { type ImportJob, NO_STATS } from "../state/import_job.ts";
import type { ImportDeps } from "./import_deps.ts";
import { clearImport } from "../state/clear_import.ts";
import { saveFinding } from "../findings/finding_store.ts";
import { saveFile } from "../state/import_row_store.ts";
import { profilesFor } from "../profiles/import_profiles.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { lineOf, seenLine } from "../records/record_line.ts";
import { WebAddresses } from "../records/record_links.ts";
import { readParts } from "../receive/manifest.ts";
import { readUpload, type UploadPart, type UploadSetting } from "../upload/read_upload.ts";
import { Dealer } from "./dealer.ts";
import { emptyPlan } from "./plan_step.ts";
import { TimeSlice } from "./time_slice.ts";

/** Up to here ids follow the order of the file; beyond, the order of application, which is faster. */
const FILE_ORDER_RECORDS_MAX = 10_000;

type KnownProfiles = Pick<UploadSetting, "profile" | "profiles">;

/**
 * Pass 1: the whole upload is read and judged before anything is applied, in one step that begins
 * again when it is broken off. A bad file ends the job with one finding.
 */
export async function checkStep(
  deps: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<StepResult<ImportJob>> {
  await clearCheck(job, tools);
  const parts = await findParts(job, tools);
  if (parts === null) {
    const message = "The upload is no longer complete: send it again";
    const fault = { code: "upload_incomplete", line: null, message } as const;
    return await refuse(job, tools, fileFinding("error", null, fault));
  }
  const known = await findProfiles(job, tools);
  if (known === null) {
    const message = `The import profile "${job.args.profile}" was deleted: choose another one`;
    const fault = { code: "unexpected_root", line: null, message } as const;
    return await refuse(job, tools, fileFinding("error", null, fault));
  }
  const dealer = new Dealer(tools, job.jobId);
  const setting = settingOf(deps, job, known);
  const refusal = await dealOut(job, tools, dealer, parts, setting)
    .finally(() => dealer.drain());
  if (refusal) return await refuse(job, tools, refusal);
  await dealer.finish(tools.write);
  return await passed(job, tools, dealer);
}

async function findParts(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<UploadPart[] | null> {
  try {
    return await readParts(await openBlob(tools, args.blobId), args.manifestAt);
  } catch (error) {
    // The upload was swept: that is an outcome of the job.
    if (error instanceof Failure && error.code === "not_found") return null;
    throw error;
  }
}

/** Null when the profile that the request named is gone. */
async function findProfiles(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
): Promise<KnownProfiles | null> {
  try {
    return await profilesFor(tools, args.profile);
  } catch (error) {
    // It was deleted while the job waited: that is an outcome of the job.
    if (error instanceof Failure && error.code === "not_found") return null;
    throw error;
  }
}

function settingOf(
  { limits, allowed }: ImportDeps,
  { args }: ImportJob,
  { profile, profiles }: KnownProfiles,
): UploadSetting {
  const { currency, timeZone, today } = args.setting;
  return {
    ...limits,
    profile,
    profiles,
    tier: args.tier,
    workspaceCurrency: currency,
    timeZone,
    today,
    addresses: new WebAddresses(allowed),
  };
}

/** Null when the upload is good. */
async function dealOut(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  dealer: Dealer,
  parts: readonly UploadPart[],
  setting: UploadSetting,
): Promise<Finding | null> {
  let files = 0;
  let fileWarnings = 0;
  // What is inflated needs no waiting for the store, so that nobody else would get a turn.
  const slice = new TimeSlice();
  for await (const event of readUpload(parts, setting)) {
    if (tools.stopping.aborted) throw new Error("The check was broken off and begins again");
    if (event.kind === "refused") return event.finding;
    if (event.kind === "warning") dealer.note(event.finding, fileWarnings++);
    if (event.kind === "file") {
      saveFile(tools.write, tools.workspaceId, job.jobId, files++, event.info);
    }
    if (event.kind === "records") {
      for (const record of event.records) dealRecord(job, dealer, record, files);
    }
    await dealer.flush();
    await slice.yield();
    await dealer.beat();
  }
  return null;
}

function dealRecord(
  { args }: ImportJob,
  dealer: Dealer,
  { index, line, sku, patch, findings, refusedXml }: EvaluatedRecord,
  file: number,
): void {
  dealer.records++;
  for (const [n, finding] of findings.entries()) dealer.note(finding, n);
  if (patch !== null) return dealer.deal(patch.sku, lineOf(patch, { index, line, file }));
  dealer.refused++;
  if (refusedXml !== null) dealer.keepRefused(index, refusedXml);
  // A refused record is in the file all the same: its product is not missing.
  if (sku !== null && args.mode === "replace") dealer.deal(sku, seenLine(sku, index));
}

async function passed(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  dealer: Dealer,
): Promise<StepResult<ImportJob>> {
  const { records, refused, errorCount, warningCount, lines } = dealer;
  const checked = { ...NO_STATS, errors: refused, errorCount, warningCount };
  const { importHold } = await requireWorkspace(tools);
  const isGuarded = !args.isForced && (importHold !== null || args.mode === "replace");
  const needsPlan = args.isDryRun || isGuarded;
  const isSmall = records <= FILE_ORDER_RECORDS_MAX;
  return {
    phase: needsPlan ? "plan" : "apply",
    cursor: {
      shard: 0,
      position: 0,
      isCounted: false,
      removedUpTo: null,
      lines,
      records,
      checked,
      idSeconds: isSmall ? Math.floor(tools.now().getTime() / 1_000) : null,
      plan: needsPlan ? emptyPlan(checked, importHold) : null,
      warnsBeyondPct: importHold === null ? DEFAULT_HOLD.movePct : null,
    },
    stats: checked,
    progress: { processed: refused, total: records },
    ...(refused > 0 ? { hasErrors: true } : {}),
  };
}

/** One finding about the file, and nothing of what came before it. */
async function refuse(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  finding: Finding,
): Promise<StepResult<ImportJob>> {
  await clearCheck(job, tools);
  saveFinding(tools.write, tools.workspaceId, job.jobId, finding, 0);
  const { code, message, file, line } = finding;
  return {
    stats: { ...NO_STATS, errorCount: 1 },
    progress: { processed: 0, total: 0 },
    end: { status: "failed", error: { code, message, details: { file, line } } },
  };
}

async function clearCheck({ jobId }: ImportJob, tools: StepTools<ImportJob>): Promise<void> {
  const stats = NO_STATS;
  await clearImport(tools, jobId, "check", (effects) => tools.checkpoint({ stats }, effects));
}
