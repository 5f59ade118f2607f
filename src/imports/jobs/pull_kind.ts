/**
 * Fetching the file of a source as a job (docs/decisions/imports.md, "Sources"): one process does it,
 * a try that fails is repeated after 5, 15 and 60 minutes, and what was taken in before makes no import.
 */
import { Failure } from "../../base/failure.ts";
import { sha256Hex } from "../../base/sha256.ts";
import { announce } from "../../platform/events/announce.ts";
import { beating } from "../../platform/jobs/beating.ts";
import type { Job, JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { discardBlob } from "../../platform/store/spool.ts";
import type { StoredSource } from "../state/import_source.ts";
import { headersOf } from "../state/sealed_auth.ts";
import {
  findPull,
  findSource,
  type KnownFile,
  type PullState,
  savePull,
} from "../state/source_store.ts";
import { addImport, optionsOfSource, requireKnownProfile } from "./start_import.ts";
import { type FetchDeps, type FetchedFile, fetchFile } from "./fetch_file.ts";

/** The kind under which files are fetched. */
export const PULL_KIND = "import_pull";

export const NO_PULL_STATS: Record<never, never> = {};

/** Minutes from a try that failed to the next one. */
const RESTS_MIN = [5, 15, 60] as const;
const MINUTE_MS = 60_000;

export type PullJob = Job<
  { readonly sourceId: string },
  { readonly failures: number },
  Record<never, never>
>;
type Tools = StepTools<PullJob>;

export interface PullDeps extends FetchDeps {
  /** Looks for ready jobs of a kind at once. */
  wake(kind: string): void;
}

const DONE: StepResult<PullJob> = { end: { status: "succeeded" } };

/** A source is fetched by one job at a time: its row says which one. */
export function createPullKind(deps: PullDeps): JobKind<PullJob> {
  return {
    kind: PULL_KIND,
    slotsPerProcess: 4,
    slotsPerWorkspace: 2,
    isSerialPerWorkspace: false,
    waitsForOthers: true,
    step: (job, tools) => takeStep(deps, job, tools),
  };
}

async function takeStep(
  deps: PullDeps,
  job: PullJob,
  tools: Tools,
): Promise<StepResult<PullJob>> {
  const { sourceId } = job.args;
  const found = await findSource(tools, sourceId);
  const { state, versionstamp } = await findPull(tools, sourceId);
  // Deleted, paused, or asked for anew since.
  if (!found?.source.pull || found.source.pausedAt !== null) return DONE;
  if (state === null || state.pullJobId !== job.jobId) return DONE;
  const { source } = found;
  const fetched = await beating(
    tools,
    (signal) => fetchSource(deps, tools, source, state, signal),
  );
  const outcome = await outcomeOf(job, tools, source, state, fetched);
  savePull(tools.write, tools.workspaceId, sourceId, outcome.state, versionstamp);
  return outcome.result;
}

async function fetchSource(
  deps: PullDeps,
  tools: Tools,
  source: StoredSource,
  { known }: PullState,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const { pull } = source;
  if (pull === null) throw new Error("A source that is not fetched was fetched");
  try {
    await requireKnownProfile(tools, source.profile);
    const headers = await headersOf(tools.store, pull.auth);
    const isSame = known?.asked === askedOf(source);
    const request = { url: pull.url, headers, known: isSame ? known : null, signal };
    return await fetchFile(tools, deps, request);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "unavailable") throw error;
    return { kind: "failed", errorCode: error.code, message: error.message, isFinal: true };
  }
}

/** All that decides what becomes of a file. */
function askedOf({ pull, profile, mode, tier }: StoredSource): string {
  return sha256Hex(JSON.stringify([pull?.url, profile, mode, tier]));
}

interface Outcome {
  readonly state: PullState;
  readonly result: StepResult<PullJob>;
}

async function outcomeOf(
  job: PullJob,
  tools: Tools,
  source: StoredSource,
  state: PullState,
  fetched: FetchedFile,
): Promise<Outcome> {
  const good: PullState = {
    ...state,
    outcome: "unchanged",
    at: tools.now().toISOString(),
    errorCode: null,
    message: null,
    failures: 0,
    nextTryAt: null,
    isTold: false,
  };
  if (fetched.kind === "failed") {
    return failed(job, tools, source, { before: state, good }, fetched);
  }
  if (fetched.kind === "unchanged") return { state: good, result: DONE };
  const { upload, etag, lastModified } = fetched;
  const asked = askedOf(source);
  const known: KnownFile = { asked, sha256: upload.sha256, etag, lastModified };
  if (state.known?.asked === asked && state.known.sha256 === upload.sha256) {
    await discardBlob(tools, upload.blobId);
    return { state: { ...good, known }, result: DONE };
  }
  const importId = await addImport(tools.write, tools, upload, optionsOfSource(source));
  return { state: { ...good, outcome: "imported", importId, known }, result: DONE };
}

/**
 * Rests before the next try, or tells once until it works again that there will be none before the
 * next planned time.
 */
function failed(
  job: PullJob,
  tools: Tools,
  { id, name }: StoredSource,
  { before, good }: { readonly before: PullState; readonly good: PullState },
  { errorCode, message, isFinal }: Extract<FetchedFile, { kind: "failed" }>,
): Outcome {
  const failures = (job.cursor?.failures ?? 0) + 1;
  const restMin = isFinal ? undefined : RESTS_MIN[failures - 1];
  const told = { errorCode, message: message.slice(0, 500).toWellFormed(), failures };
  const state = { ...good, ...told, isTold: before.isTold };
  if (restMin !== undefined) {
    const notBefore = new Date(tools.now().getTime() + restMin * MINUTE_MS);
    const nextTryAt = notBefore.toISOString();
    return {
      state: { ...state, outcome: "waiting", nextTryAt },
      result: { cursor: { failures }, notBefore },
    };
  }
  if (!before.isTold) {
    const data = { sourceId: id, name, errorCode, message: state.message };
    announce(tools.write, tools, [{ type: "source.not_fetched", data }]);
  }
  return {
    state: { ...state, outcome: "failed", isTold: true },
    result: { end: { status: "failed", error: { code: errorCode, message: state.message } } },
  };
}
