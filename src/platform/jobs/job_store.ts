/** Stores jobs, and the rows with which processes find the unfinished jobs. */
import { Failure, noSuch } from "../../base/failure.ts";
import { idAt, idBytes, leastIdAt } from "../../base/id.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Context, WorkspaceStore } from "../store/context.ts";
import { isSameKey, type Store, type Write } from "../store/kv.ts";
import type { PlainKey } from "../store/direct_reads.ts";
import {
  byGroup,
  firstRow,
  getMixedRows,
  getRows,
  idIn,
  removeInBatches,
  selectorAfter,
} from "../store/rows.ts";
import { defineStoreTable, defineTable, type Found } from "../store/table.ts";
import { ended, hasEnded, type Job, type JobKind, type JobProgress } from "./job.ts";

const EMPTY = new Uint8Array();
const WAIT_POLL_MS = 50;

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

export interface ReadyRow extends JobId {
  readonly kind: string;
  readonly notBeforeMs: number;
}

const EMPTY_ROW = { codec: { encode: () => EMPTY, decode: () => ({}) } } as const;

const readyJobs = defineStoreTable<ReadyRow, keyof ReadyRow>({
  prefix: "jr",
  about: "a queued job",
  key: { kind: "text", workspaceId: "id", notBeforeMs: "number", jobId: "id" },
  ...EMPTY_ROW,
});

const leases = defineStoreTable<
  JobId & { readonly untilMs: number },
  keyof JobId | "untilMs"
>({
  prefix: "jl",
  about: "a running job, by the end of its lease",
  key: { untilMs: "number", workspaceId: "id", jobId: "id" },
  ...EMPTY_ROW,
});

function waitingKey(job: Job): PlainKey | null {
  if (job.lease) return leases.keyOf({}, { ...job, untilMs: job.lease.untilMs });
  return hasEnded(job) ? null : readyJobs.keyOf({}, job);
}

export async function findJob<J extends Job = Job>(
  workspace: WorkspaceStore,
  kind: string,
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
    kind: string;
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

/** The commit fails if the job has changed, or if another job has the turn (`hasTurn`). */
export function saveJob(write: Write, stored: StoredJob | null, next: Job): void {
  jobs.save(write, next, stored, next);
  const before = stored && waitingKey(stored.row);
  const after = waitingKey(next);
  if (before) write.delete(before);
  if (after) write.set(after, EMPTY);
}

/** Yields each workspace's earliest queued job, beginning after `lastWorkspaceId`. */
export function readyRoundRobin(
  store: Store,
  kind: string,
  lastWorkspaceId: string | null,
): AsyncGenerator<ReadyRow> {
  return byGroup(
    (workspaceId) => firstReady(store, { kind }, workspaceId === null ? null : { workspaceId }),
    ({ workspaceId }) => workspaceId,
    lastWorkspaceId,
  );
}

async function firstReady(
  store: Store,
  within: Partial<ReadyRow>,
  after: Partial<ReadyRow> | null,
): Promise<ReadyRow | null> {
  const [found] = await readyJobs.list({ store }, { within, after, limit: 1 });
  return found?.row ?? null;
}

export async function* listLeases(store: Store, untilMs: number): AsyncGenerator<JobId> {
  for await (const { row } of leases.walk({ store })) {
    if (row.untilMs >= untilMs) return;
    yield row;
  }
}

export async function hasJobDue(store: Store, untilMs: number): Promise<boolean> {
  for await (const _ of listLeases(store, Infinity)) return true;
  let row = await firstReady(store, {}, null);
  while (row && row.notBeforeMs >= untilMs) {
    const { kind, workspaceId } = row;
    row = await firstReady(store, {}, { kind, workspaceId });
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
  for await (const { row } of readyJobs.walk({ store }, { limit: queuedMax })) {
    count(row.kind, "queued", row.notBeforeMs);
  }
  for await (const id of listLeases(store, Infinity)) {
    const stored = await findStoredJob(store, id);
    if (!stored) continue;
    const { kind, startedAt, createdAt } = stored.row;
    count(kind, "running", Date.parse(startedAt ?? createdAt));
  }
  return [...counts.values()];
}

interface JobSweep {
  takes(job: Job): boolean;
  removeRows(store: Store, job: Job): Promise<void>;
}

/** Deletes a job's rows before the job, so that the next call continues an interrupted deletion. */
export async function sweepJobs(store: Store, madeBefore: Date, sweep: JobSweep): Promise<number> {
  const old = oldJobs(store, madeBefore.getTime(), sweep);
  return await removeInBatches(store, old, 100, (write, job) => jobs.drop(write, job, job));
}

async function* oldJobs(
  store: Store,
  createdBeforeMs: number,
  { takes, removeRows }: JobSweep,
): AsyncGenerator<Job> {
  const newerId = idBytes(leastIdAt(createdBeforeMs));
  const { prefix } = jobs.options;
  const firstBehind = (workspaceId: string | null) =>
    firstRow<Job>(store, selectorAfter([prefix], workspaceId));
  for await (const { key: [, owner = ""] } of byGroup(firstBehind, ({ key }) => idIn(key, 1))) {
    const old = { prefix: [prefix, owner], end: [prefix, owner, newerId] };
    for await (const { value: job } of store.kv.list<Job>(old)) {
      if (!hasEnded(job) || !takes(job)) continue;
      await removeRows(store, job);
      yield job;
    }
  }
}

/** Reads the job and its row of `readyJobs` or `leases` in one call, because both may change. */
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
  for (const { options: { prefix } } of [readyJobs, leases]) {
    for await (const { key } of store.kv.list({ prefix: [prefix] })) {
      const id = { workspaceId: idIn(key, 2), jobId: idIn(key, -1) };
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
  saveJob(write, null, job);
  write.wakeUp(kind);
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

/** The job runner passes false when it stops; `waitForJob` then returns at once. */
export function noteWork({ kv }: Store, isWorkedOn: boolean): void {
  if (isWorkedOn) left.delete(kv);
  else left.add(kv);
}

export function isWorthWaiting({ kv }: Store, endsAt: number): boolean {
  return performance.now() < endsAt && !left.has(kv);
}

export async function waitForJob<J extends Job = Job>(
  workspace: WorkspaceStore,
  kind: string,
  jobId: string,
  waitMs: number,
): Promise<J | null> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const isLast = !isWorthWaiting(workspace.store, endsAt);
    const job = await findJob<J>(workspace, kind, jobId);
    if (job === null || hasEnded(job) || isLast) return job;
    await pause(Math.min(WAIT_POLL_MS, Math.max(0, endsAt - performance.now())));
  }
}
