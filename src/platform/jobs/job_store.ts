/**
 * Keys (`W`: id of the workspace): rows of unfinished jobs. `jr kind W notBefore jobId` → empty,
 * for a queued job; `jl until W jobId` → empty, for a running job. These rows are not in declared
 * tables, because the keys do not begin with a workspace.
 */
import { Failure, noSuch } from "../../base/failure.ts";
import { idAt, idBytes, leastIdAt } from "../../base/id.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Context, WorkspaceStore } from "../store/context.ts";
import { isSameKey, type Store, type Write } from "../store/kv.ts";
import { firstRow, getMixedRows, getRows, idIn, lastIdOf } from "../store/rows.ts";
import { defineTable, type Found } from "../store/table.ts";
import { ended, hasEnded, type Job, type JobKind, type JobProgress } from "./job.ts";

const EMPTY = new Uint8Array();
const WAIT_POLL_MS = 50;
const BEHIND_ALL = true;

type JobId = Pick<Job, "workspaceId" | "jobId">;

export type StoredJob = Found<Job>;

export const jobs = defineTable<Job, "jobId", "kind" | "turn">({
  prefix: "j",
  about: "a job",
  key: { jobId: "id" },
  valueHasKey: true,
  indexes: {
    kind: { prefix: "jk", key: { kind: "text" } },
    turn: {
      prefix: "jx",
      key: { kind: "text" },
      unique: true,
      of: (job) => job.hasTurn ? [job] : [],
    },
  },
  check: findMissingRow,
});

function waitingKey(job: Job): Deno.KvKey | null {
  const owner = idBytes(job.workspaceId);
  if (job.lease) return ["jl", job.lease.untilMs, owner, idBytes(job.jobId)];
  if (hasEnded(job)) return null;
  return ["jr", job.kind, owner, job.notBeforeMs, idBytes(job.jobId)];
}

export async function findJob<J extends Job = Job>(
  workspace: WorkspaceStore,
  kind: J["kind"],
  jobId: string,
): Promise<J | null> {
  const { value } = await workspace.store.kv.get<J>(jobs.keyOf(workspace, { jobId }));
  return value?.kind === kind ? value : null;
}

export async function findStoredJob(store: Store, id: JobId): Promise<StoredJob | null> {
  return await jobs.find({ store, workspaceId: id.workspaceId }, id);
}

export async function listJobs<J extends Job = Job>(
  workspace: WorkspaceStore,
  { kind, limit, afterId, order }: {
    kind: J["kind"];
    limit: number;
    afterId: string | null;
    order: "newest" | "oldest";
  },
): Promise<{ jobs: J[]; nextId: string | null }> {
  const range = {
    after: afterId === null ? null : { jobId: afterId },
    order: order === "newest" ? "desc" : "asc",
    limit: limit + 1,
  } as const;
  const found = await Array.fromAsync(jobs.walkIndex(workspace, "kind", { kind }, range));
  const onPage = found.slice(0, limit).map(({ key }) => key);
  const rows = await getRows<J>(workspace.store, onPage.map((key) => jobs.keyOf(workspace, key)));
  return {
    jobs: rows.flatMap(({ value }) => value === null ? [] : [value]),
    nextId: found.length > limit ? onPage.at(-1)?.jobId ?? null : null,
  };
}

/** The commit fails if a job with this id exists. */
function insertJob(write: Write, job: Job): void {
  jobs.save(write, job, null, job);
  const waiting = waitingKey(job);
  if (waiting) write.set(waiting, EMPTY);
  write.wakeUp(job.kind);
}

/** The commit fails if the job has changed, or if another job blocks `next` (`hasTurn`). */
export function saveJob(write: Write, stored: StoredJob, next: Job): void {
  jobs.save(write, next, stored, next);
  const before = waitingKey(stored.row);
  const after = waitingKey(next);
  if (before) write.delete(before);
  if (after) write.set(after, EMPTY);
}

export interface ReadyRow {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly notBeforeMs: number;
}

/**
 * Yields the earliest queued job of each workspace. Workspaces after `lastWorkspaceId` come first.
 */
export async function* readyRoundRobin(
  store: Store,
  kind: string,
  lastWorkspaceId: string | null,
): AsyncGenerator<ReadyRow> {
  const prefix = ["jr", kind];
  const behind = (workspaceId: string | null) =>
    workspaceId === null ? {} : { start: [...prefix, idBytes(workspaceId), BEHIND_ALL] };
  const next = async (workspaceId: string | null) => {
    const row = await firstRow(store, { prefix, ...behind(workspaceId) });
    return row && readyRow(row.key);
  };
  for (let row = await next(lastWorkspaceId); row; row = await next(row.workspaceId)) yield row;
  if (lastWorkspaceId === null) return;
  for (let row = await next(null); row; row = await next(row.workspaceId)) {
    if (row.workspaceId > lastWorkspaceId) return;
    yield row;
  }
}

export async function* listLeases(
  { kv }: Store,
  untilMs: number,
): AsyncGenerator<Pick<Job, "workspaceId" | "jobId">> {
  for await (const { key } of kv.list({ prefix: ["jl"], end: ["jl", untilMs] })) {
    yield { workspaceId: idIn(key, 2), jobId: lastIdOf(key) };
  }
}

export async function hasJobDue(store: Store, untilMs: number): Promise<boolean> {
  if (await firstRow(store, { prefix: ["jl"] })) return true;
  const prefix = ["jr"];
  let row = await firstRow(store, { prefix });
  while (row && readyRow(row.key).notBeforeMs >= untilMs) {
    row = await firstRow(store, { prefix, start: [...row.key.slice(0, 3), BEHIND_ALL] });
  }
  return row !== null;
}

export async function countJobs(store: Store, queuedMax: number) {
  const counts = new Map<
    string,
    { kind: string; status: string; count: number; sinceMs: number }
  >();
  const count = (kind: string, status: "queued" | "running", sinceMs: number) => {
    const fresh = { kind, status, count: 0, sinceMs };
    const known = counts.getOrInsert(`${status} ${kind}`, fresh);
    known.count++;
    known.sinceMs = Math.min(known.sinceMs, sinceMs);
  };
  const options = { limit: queuedMax, batchSize: 1_000 };
  for await (const { key } of store.kv.list({ prefix: ["jr"] }, options)) {
    count(String(key[1]), "queued", readyRow(key).notBeforeMs);
  }
  for await (const id of listLeases(store, Infinity)) {
    const stored = await findStoredJob(store, id);
    if (!stored) continue;
    const { kind, startedAt, createdAt } = stored.row;
    count(kind, "running", Date.parse(startedAt ?? createdAt));
  }
  return [...counts.values()];
}

export async function* listOldJobs({ kv }: Store, createdBeforeMs: number): AsyncGenerator<Job> {
  const newerId = idBytes(leastIdAt(createdBeforeMs));
  const { prefix } = jobs.options;
  for (let range: Deno.KvListSelector = { prefix: [prefix] };;) {
    const owner: Deno.KvKeyPart | undefined = (await firstRow({ kv }, range))?.key[1];
    if (owner === undefined) return;
    for await (
      const { value } of kv.list<Job>({ prefix: [prefix, owner], end: [prefix, owner, newerId] })
    ) {
      yield value;
    }
    range = { prefix: [prefix], start: [prefix, owner, BEHIND_ALL] };
  }
}

function readyRow(key: Deno.KvKey): ReadyRow {
  return { workspaceId: idIn(key, 2), notBeforeMs: Number(key[3]), jobId: lastIdOf(key) };
}

/** Reads the job and its `jr` or `jl` row together, because a running job may change in between. */
async function findMissingRow(
  { workspaceId, jobId }: Job,
  { store }: WorkspaceStore,
): Promise<string | null> {
  const place = jobs.keyOf({ workspaceId }, { jobId });
  const { value: job } = await store.kv.get<Job>(place);
  const key = job && waitingKey(job);
  if (!key) return null;
  const [now, row] = await getMixedRows<[Job, unknown]>(store, [place, key]);
  const isSame = now.value !== null && isSameKey(waitingKey(now.value) ?? [], key);
  return isSame && row.versionstamp === null
    ? `Job ${jobId} lacks its row "${String(key[0])}"`
    : null;
}

export async function* findStrayRows(
  store: Store,
): AsyncGenerator<JobId & { readonly key: Deno.KvKey }> {
  for (const prefix of [["jr"], ["jl"]]) {
    for await (const { key } of store.kv.list({ prefix })) {
      const id = { workspaceId: idIn(key, 2), jobId: lastIdOf(key) };
      const [{ value: job }, { versionstamp }] = await getMixedRows<[Job, unknown]>(
        store,
        [jobs.keyOf(id, id), key],
      );
      const isRight = job !== null && isSameKey(waitingKey(job) ?? [], key);
      if (versionstamp !== null && !isRight) yield { key, ...id };
    }
  }
}

interface NewJob<Args, Stats> {
  readonly kind: string;
  readonly args: Args;
  readonly stats: Stats;
  readonly progress?: JobProgress;
  readonly notBefore?: Date;
}

type Adder = Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">;

export function addJob<Args, Stats>(
  write: Write,
  ctx: Omit<Adder, "store">,
  { kind, args, stats, progress, notBefore }: NewJob<Args, Stats>,
  jobId = ctx.newId(),
): Job<Args, never, Stats> {
  const { workspaceId, actor } = ctx;
  const at = ctx.now();
  const job = {
    jobId,
    workspaceId,
    kind,
    args,
    status: "queued" as const,
    hasErrors: false,
    phase: null,
    cursor: null,
    place: 0,
    attempts: 0,
    isSuspect: false,
    stats,
    progress: progress ?? { processed: 0, total: null },
    result: null,
    error: null,
    createdAt: at.toISOString(),
    startedAt: null,
    finishedAt: null,
    createdBy: actor,
    cancelRequested: false,
    notBeforeMs: (notBefore ?? at).getTime(),
    lease: null,
    hasTurn: false,
  };
  insertJob(write, job);
  return job;
}

/** Returns null if the workspace already has a job with this planned time (`slot`) and `name`. */
export async function addJobOnce<Args, Stats>(
  write: Write,
  ctx: Adder,
  { name, slot, ...job }: NewJob<Args, Stats> & { readonly name: string; readonly slot: Date },
): Promise<Job<Args, never, Stats> | null> {
  const jobId = idAt(slot.getTime(), `${ctx.workspaceId} ${slot.getTime()} ${name}`);
  const other = await findStoredJob(ctx.store, { workspaceId: ctx.workspaceId, jobId });
  return other ? null : addJob(write, ctx, job, jobId);
}

/** A running job is cancelled at its next commit. */
export async function cancelJob(
  write: Write,
  ctx: Context,
  kind: Pick<JobKind, "kind" | "finish">,
  jobId: string,
): Promise<Job> {
  const stored = await findStoredJob(ctx.store, { workspaceId: ctx.workspaceId, jobId });
  if (!stored || stored.row.kind !== kind.kind) throw noSuch("job", jobId);
  const { row: job } = stored;
  if (hasEnded(job)) throw new Failure("conflict", `The job has already ended: ${job.status}`);
  if (job.status === "running") {
    const next = { ...job, cancelRequested: true };
    saveJob(write, stored, next);
    return next;
  }
  const next = ended({ ...job, cancelRequested: true }, { status: "cancelled" }, ctx.now());
  await kind.finish?.(next, { ...ctx, write });
  saveJob(write, stored, next);
  // Another job of the workspace may be waiting for the end of this job.
  write.wakeUp(job.kind);
  return next;
}

const left = new WeakSet<Deno.Kv>();

/** After a call with false, `waitForJob` no longer waits, because this process runs no jobs. */
export function noteWork({ kv }: Store, isWorkedOn: boolean): void {
  if (isWorkedOn) left.delete(kv);
  else left.add(kv);
}

export function isWorthWaiting({ kv }: Store, endsAt: number): boolean {
  return performance.now() < endsAt && !left.has(kv);
}

export async function waitForJob<J extends Job = Job>(
  workspace: WorkspaceStore,
  kind: J["kind"],
  jobId: string,
  waitMs: number,
): Promise<J | null> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const job = await findJob<J>(workspace, kind, jobId);
    if (job === null || hasEnded(job) || !isWorthWaiting(workspace.store, endsAt)) return job;
    await pause(Math.min(WAIT_POLL_MS, Math.max(0, endsAt - performance.now())));
  }
}
