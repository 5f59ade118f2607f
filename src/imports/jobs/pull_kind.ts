/**
 * Fetches the files of import sources (docs/decisions/imports.md, "Sources"). Only one process at a
 * time fetches a source.
 */
import { Failure } from "../../base/failure.ts";
import {
  type ClockAndIds,
  type Context,
  contextFor,
  type WorkspaceStore,
} from "../../platform/store/context.ts";
import {
  findSource,
  headersOf,
  type KnownFile,
  lastImports,
  listStoredSources,
  pulls,
  requireSource,
  type SourcePull,
} from "../state/sources.ts";
import { type FetchDeps, type FetchedFile, fetchFile } from "./fetch_file.ts";
import { listWorkspaces, requireWorkspace } from "../../accounts/workspace.ts";
import { IMPORT_KIND, type ImportJob } from "../state/import_job.ts";
import { findApplier } from "../state/import_row_store.ts";
import { pausedFailure, plannedTime, type StoredSource } from "../state/import_source.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { addJob, addJobOnce, findJob, isWorthWaiting } from "../../platform/jobs/job_store.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { sha256Hex } from "../../base/bytes.ts";
import { dateIn, iso, MINUTE_MS } from "../../base/time.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import {
  hasEnded,
  type Job,
  type JobKind,
  type StepResult,
  type StepTools,
  withHeartbeat,
} from "../../platform/jobs/job.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import { discardBlob } from "../../platform/store/spool.ts";
import { profilesFor, requireKnownProfile } from "../profiles/import_profiles.ts";
import { addImport, findUndoing, optionsOfSource } from "./start_import.ts";
import { setTimeout } from "node:timers/promises";

/**
 * Starts a fetch, which replaces a fetch that waits for its next attempt. Throws `conflict` if the
 * source is paused, is being fetched, or has no URL.
 */
export async function beginPull(ctx: Context, sourceId: string): Promise<string> {
  return await transact(ctx, async (write) => {
    const { source } = await requireSource(ctx, sourceId);
    if (source.pull === null) throw new Failure("conflict", "Upload the files of this source");
    if (source.pausedAt !== null) throw pausedFailure(source);
    const found = await pulls.find(ctx, { sourceId });
    const job = found && await findJob<PullJob>(ctx, PULL_KIND, found.row.pullJobId);
    const isBegun = job?.status === "queued" && found?.row.outcome === "running";
    if (job?.status === "running" || isBegun) {
      throw new Failure("conflict", "The file is already being fetched");
    }
    const added = addJob(write, ctx, pullOf(sourceId));
    saveBegun(write, ctx, found, { sourceId, pullJobId: added.jobId });
    addAuditRow(write, ctx, {
      action: "import_source.pull",
      resource: { type: "import_source", id: source.id, label: source.name },
    });
    return added.jobId;
  });
}

export async function waitForPull(
  workspace: WorkspaceStore,
  sourceId: string,
  waitMs: number,
): Promise<boolean> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const isLast = !isWorthWaiting(workspace.store, endsAt);
    const found = await pulls.find(workspace, { sourceId });
    if (found?.row.outcome !== "running") return true;
    if (isLast) return false;
    await setTimeout(100);
  }
}

/** Several processes may call `beginPlannedPulls`; each due fetch still gets only one job. */
export async function beginPlannedPulls(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
): Promise<void> {
  const workspaces = await listWorkspaces(store);
  await eachApart("planned pulls", workspaces, async ({ id: workspaceId, timeZone }) => {
    for (const source of await listStoredSources({ store, workspaceId })) {
      const actor = { type: "system", id: "import_source", name: source.name } as const;
      const setup = { store, clock, requestId: source.id };
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
    const found = await pulls.find(ctx, { sourceId });
    const last = found && await findJob<PullJob>(ctx, PULL_KIND, found.row.pullJobId);
    if (last && !hasEnded(last)) return;
    const name = `${PULL_KIND} ${sourceId}`;
    const job = await addJobOnce(write, ctx, { name, slot, ...pullOf(sourceId) });
    if (job !== null) saveBegun(write, ctx, found, { sourceId, pullJobId: job.jobId });
  });
}

const pullOf = (sourceId: string) => ({ kind: PULL_KIND, args: { sourceId }, stats: NO_STATS });

const NO_FAILURE = { errorCode: null, message: null, failures: 0, nextTryAt: null };

function saveBegun(
  write: Write,
  ctx: Context,
  found: Awaited<ReturnType<typeof pulls.find>>,
  of: { readonly sourceId: string; readonly pullJobId: string },
): void {
  const { importId = null, isTold = false, known = null } = found?.row ?? {};
  const begun = { outcome: "running", at: ctx.now().toISOString(), ...NO_FAILURE } as const;
  pulls.save(write, ctx, found, { ...of, ...begun, importId, isTold, known });
}

export const PULL_KIND = "import_pull";

const NO_STATS: Record<never, never> = {};

type PullJob = Job<{ readonly sourceId: string }, never, typeof NO_STATS>;
type Tools = StepTools<PullJob>;

/** Only the source's current job, as stored in `pulls`, fetches the file. */
export function createPullKind(deps: FetchDeps): JobKind<PullJob> {
  return { kind: PULL_KIND, slotsPerProcess: 4, step: (...step) => takeStep(deps, ...step) };
}

async function takeStep(deps: FetchDeps, job: PullJob, tools: Tools): Promise<StepResult<PullJob>> {
  const { sourceId } = job.args;
  const found = await findSource(tools, sourceId);
  const pull = await pulls.find(tools, { sourceId });
  const url = found?.source.pull?.url;
  if (pull?.row.pullJobId !== job.jobId || !found || !url || found.source.pausedAt !== null) {
    return { end: { status: "succeeded" } };
  }
  const step = { deps, tools, source: found.source, url, state: pull.row };
  const fetched = await withHeartbeat(tools, (signal) => fetchSource(step, signal));
  const state = await stateAfter(step, fetched);
  pulls.save(tools.write, tools, pull, state);
  const { outcome, errorCode, message, nextTryAt } = state;
  if (nextTryAt !== null) return { notBefore: new Date(nextTryAt) };
  if (outcome !== "failed") return { end: { status: "succeeded" } };
  return { end: { status: "failed", error: { code: errorCode ?? "", message: message ?? "" } } };
}

interface PullStep {
  readonly deps: FetchDeps;
  readonly tools: Tools;
  readonly source: StoredSource;
  readonly url: string;
  readonly state: SourcePull;
}

async function fetchSource(
  { deps, tools, source, url, state }: PullStep,
  signal: AbortSignal,
): Promise<FetchedFile> {
  try {
    await requireKnownProfile(tools, source.profile);
    const headers = await headersOf(tools, source);
    const known = await knownFile(tools, state, await askedOf(tools, source));
    const request = { url, headers, known, signal };
    return await fetchFile(tools, deps, request);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "unavailable") throw error;
    return { kind: "failed", errorCode: error.code, message: error.message, isFinal: true };
  }
}

/**
 * Returns null if even an unchanged file must be imported, for example after the last import was
 * undone completely or partly.
 */
async function knownFile(
  ctx: Context,
  { known, importId }: SourcePull,
  asked: string,
): Promise<KnownFile | null> {
  if (known?.asked !== asked) return null;
  const appliedBy = importId && await findApplier(ctx, importId) || importId;
  if (appliedBy && (await findUndoing(ctx, appliedBy)).undoer !== null) return null;
  const job = importId && await findJob<ImportJob>(ctx, IMPORT_KIND, importId);
  const turnsOn = job ? job.cursor?.turnsOn ?? null : null;
  if (turnsOn === null) return known;
  const { timeZone } = await requireWorkspace(ctx);
  return turnsOn <= dateIn(ctx.now(), timeZone) ? null : known;
}

async function askedOf(
  workspace: WorkspaceStore,
  { pull, profile, mode, tier }: StoredSource,
): Promise<string> {
  const { currency, pricesIncludeVat, vatRatePct } = await requireWorkspace(workspace);
  const { profiles } = await profilesFor(workspace, profile);
  const read = [profiles, currency, pricesIncludeVat, vatRatePct];
  return sha256Hex(JSON.stringify([pull?.url, profile, mode, tier, read]));
}

async function stateAfter(step: PullStep, fetched: FetchedFile): Promise<SourcePull> {
  const { tools, source, state } = step;
  const at = tools.now().toISOString();
  const good: SourcePull = { ...state, outcome: "unchanged", at, ...NO_FAILURE, isTold: false };
  if (fetched.kind === "failed") return failed(step, good, fetched);
  if (fetched.kind === "unchanged") {
    await noteUnchanged(tools.write, tools, source.id, at);
    return good;
  }
  const { upload, etag, lastModified } = fetched;
  const asked = await askedOf(tools, source);
  const known: KnownFile = { asked, sha256: upload.sha256, etag, lastModified };
  const before = await knownFile(tools, state, asked);
  if (before?.sha256 === upload.sha256) {
    await discardBlob(tools, upload.blobId);
    await noteUnchanged(tools.write, tools, source.id, at);
    return { ...good, known };
  }
  const importId = await addImport(tools.write, tools, upload, optionsOfSource(source));
  return { ...good, outcome: "imported", importId, known };
}

const BACKOFFS_MIN = [5, 15, 60] as const;

function failed(
  { tools, source: { id, name }, state: before }: PullStep,
  good: SourcePull,
  { errorCode, message: whole, isFinal }: Extract<FetchedFile, { kind: "failed" }>,
): SourcePull {
  const failures = before.failures + 1;
  const backoffMin = isFinal ? undefined : BACKOFFS_MIN[failures - 1];
  const message = whole.slice(0, 500).toWellFormed();
  const state = { ...good, errorCode, message, failures, isTold: before.isTold };
  if (backoffMin !== undefined) {
    const nextTryAt = iso(tools.now().getTime() + backoffMin * MINUTE_MS);
    return { ...state, outcome: "waiting", nextTryAt };
  }
  if (!before.isTold) {
    const data = { sourceId: id, name, errorCode, message };
    publish(tools.write, tools, [{ type: "source.not_fetched", data }]);
  }
  return { ...state, outcome: "failed", isTold: true };
}

/** If the last import succeeded, the fetch of an unchanged file counts as another success. */
async function noteUnchanged(
  write: Write,
  workspace: WorkspaceStore,
  sourceId: string,
  succeededAt: string,
): Promise<void> {
  const last = await lastImports.find(workspace, { sourceId });
  if (last?.row.status !== "succeeded") return;
  lastImports.save(write, workspace, last, { ...last.row, succeededAt });
}
