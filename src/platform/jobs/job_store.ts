/**
 * Keys: `j W jobId` → job; `jk W kind jobId` → empty, for lists. By status: `jr kind W notBefore
 * jobId` → empty, queued; `jl until W jobId` → empty, running; `jx W kind` → id of the job that
 * holds the slot of a serial kind. Not declared tables, because `jr` and `jl` do not begin with a
 * workspace.
 */
import { idBytes, leastIdAt } from "../../base/id.ts";
import type { WorkspaceStore } from "../store/context.ts";
import { firstRow, getRows, idIn, idKey, lastIdOf } from "../store/rows.ts";
import { isSameKey, type Store, type Write } from "../store/kv.ts";
import { hasEnded, type Job } from "./job.ts";

const EMPTY = new Uint8Array();
/** As a key part, sorts after all numbers and bytes. */
const BEHIND_ALL = true;

const jobKey = (job: Pick<Job, "workspaceId" | "jobId">) => idKey("j", job.workspaceId, job.jobId);
const listPrefix = (workspaceId: string, kind: string) => ["jk", idBytes(workspaceId), kind];
const listKey = (job: Job) => [...listPrefix(job.workspaceId, job.kind), idBytes(job.jobId)];
const serialSlotKey = (workspaceId: string, kind: string) => ["jx", idBytes(workspaceId), kind];

/** The key of the job's index row by status; null for an ended job. */
function waitingKey(job: Job): Deno.KvKey | null {
  const owner = idBytes(job.workspaceId);
  if (job.lease) return ["jl", job.lease.untilMs, owner, idBytes(job.jobId)];
  if (hasEnded(job)) return null;
  return ["jr", job.kind, owner, job.notBeforeMs, idBytes(job.jobId)];
}

export interface StoredJob {
  readonly job: Job;
  readonly versionstamp: string;
}

/** Null also for a job of another workspace or another kind. */
export async function findJob<J extends Job = Job>(
  { store, workspaceId }: WorkspaceStore,
  kind: J["kind"],
  jobId: string,
): Promise<J | null> {
  const { value } = await store.kv.get<J>(jobKey({ workspaceId, jobId }));
  return value?.kind === kind ? value : null;
}

export async function findStoredJob(
  { kv }: Store,
  id: Pick<Job, "workspaceId" | "jobId">,
): Promise<StoredJob | null> {
  const { value, versionstamp } = await kv.get<Job>(jobKey(id));
  return value && versionstamp ? { job: value, versionstamp } : null;
}

/** `nextId` is the `afterId` of the next page; null on the last page. */
export async function listJobs<J extends Job = Job>(
  { store, workspaceId }: WorkspaceStore,
  page: {
    kind: J["kind"];
    limit: number;
    afterId: string | null;
    order: "newest" | "oldest";
  },
): Promise<{ jobs: J[]; nextId: string | null }> {
  const { kind, limit, afterId, order } = page;
  const prefix = listPrefix(workspaceId, kind);
  const after = afterId === null ? null : [...prefix, idBytes(afterId)];
  const ids: string[] = [];
  for await (
    const { key } of order === "newest"
      ? store.kv.list({ prefix, ...(after ? { end: after } : {}) }, {
        limit: limit + 1,
        reverse: true,
      })
      : store.kv.list({ prefix, ...(after ? { start: after } : {}) }, { limit: limit + 2 })
  ) {
    const id = lastIdOf(key);
    if (id !== afterId) ids.push(id);
  }
  const onPage = ids.slice(0, limit);
  const keys = onPage.map((jobId) => jobKey({ workspaceId, jobId }));
  const jobs = (await getRows<J>(store, keys)).flatMap(({ value }) =>
    value === null ? [] : [value]
  );
  return { jobs, nextId: ids.length > limit ? onPage.at(-1) ?? null : null };
}

/** The commit fails if a job with this id exists. */
export function insertJob(write: Write, job: Job): void {
  write.check(jobKey(job), null);
  write.set(jobKey(job), job);
  write.set(listKey(job), EMPTY);
  const waiting = waitingKey(job);
  if (waiting) write.set(waiting, EMPTY);
  write.wakeUp(job.kind);
}

/** The commit fails if the job has changed since it was read. */
export function saveJob(write: Write, stored: StoredJob, next: Job): void {
  write.check(jobKey(next), stored.versionstamp);
  write.set(jobKey(next), next);
  const before = waitingKey(stored.job);
  const after = waitingKey(next);
  if (before) write.delete(before);
  if (after) write.set(after, EMPTY);
  const slot = serialSlotKey(next.workspaceId, next.kind);
  if (stored.job.hasTurn && !next.hasTurn) write.delete(slot);
  if (!stored.job.hasTurn && next.hasTurn) write.set(slot, next.jobId);
}

export function deleteJob(write: Write, job: Job): void {
  write.delete(jobKey(job));
  write.delete(listKey(job));
}

export async function findSerialSlot(
  { kv }: Store,
  { workspaceId }: Pick<Job, "workspaceId">,
  kind: string,
) {
  const { value, versionstamp } = await kv.get<string>(serialSlotKey(workspaceId, kind));
  return { jobId: value, versionstamp };
}

export function checkSerialSlot(write: Write, job: Job, versionstamp: string | null): void {
  write.check(serialSlotKey(job.workspaceId, job.kind), versionstamp);
}

export interface ReadyRow {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly notBeforeMs: number;
}

/** The oldest queued job of each workspace, starting with the workspace after `lastWorkspaceId`. */
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

/** Yields the leases that end before `untilMs`, earliest first. */
export async function* listLeases(
  { kv }: Store,
  untilMs: number,
): AsyncGenerator<Pick<Job, "workspaceId" | "jobId">> {
  for await (const { key } of kv.list({ prefix: ["jl"], end: ["jl", untilMs] })) {
    yield { workspaceId: idIn(key, 2), jobId: lastIdOf(key) };
  }
}

/** True if a job is running, or queued for a time before `untilMs`. */
export async function hasJobDue(store: Store, untilMs: number): Promise<boolean> {
  if (await firstRow(store, { prefix: ["jl"] })) return true;
  const prefix = ["jr"];
  let row = await firstRow(store, { prefix });
  while (row && readyRow(row.key).notBeforeMs >= untilMs) {
    row = await firstRow(store, { prefix, start: [...row.key.slice(0, 3), BEHIND_ALL] });
  }
  return row !== null;
}

interface JobCount {
  readonly kind: string;
  readonly status: "queued" | "running";
  readonly count: number;
  /** When the oldest job began, or could have begun if it is still queued. */
  readonly sinceMs: number;
}

/** Counts unfinished jobs of all workspaces, but at most `queuedMax` queued jobs. */
export async function countJobs(store: Store, queuedMax: number): Promise<JobCount[]> {
  const counts = new Map<string, JobCount>();
  const count = (kind: string, status: JobCount["status"], sinceMs: number) => {
    const id = `${status} ${kind}`;
    const before = counts.get(id) ?? { kind, status, count: 0, sinceMs };
    const oldestMs = Math.min(before.sinceMs, sinceMs);
    counts.set(id, { ...before, count: before.count + 1, sinceMs: oldestMs });
  };
  const options = { limit: queuedMax, batchSize: 1_000 };
  for await (const { key } of store.kv.list({ prefix: ["jr"] }, options)) {
    count(String(key[1]), "queued", readyRow(key).notBeforeMs);
  }
  for await (const id of listLeases(store, Infinity)) {
    const stored = await findStoredJob(store, id);
    if (stored) {
      count(stored.job.kind, "running", Date.parse(stored.job.startedAt ?? stored.job.createdAt));
    }
  }
  return [...counts.values()];
}

export async function* listOldJobs({ kv }: Store, createdBeforeMs: number): AsyncGenerator<Job> {
  const newerId = idBytes(leastIdAt(createdBeforeMs));
  for (let range: Deno.KvListSelector = { prefix: ["j"] };;) {
    const owner: Deno.KvKeyPart | undefined = (await firstRow({ kv }, range))?.key[1];
    if (owner === undefined) return;
    for await (
      const { value } of kv.list<Job>({ prefix: ["j", owner], end: ["j", owner, newerId] })
    ) {
      yield value;
    }
    range = { prefix: ["j"], start: ["j", owner, BEHIND_ALL] };
  }
}

/** Changes of a store file by other processes are not noticed. */
export function watchJob({ store, workspaceId }: WorkspaceStore, jobId: string) {
  return store.kv.watch<[Job]>([jobKey({ workspaceId, jobId })]);
}

export async function* listAllJobs({ kv }: Store): AsyncGenerator<StoredJob> {
  for await (const { value, versionstamp } of kv.list<Job>({ prefix: ["j"] })) {
    yield { job: value, versionstamp };
  }
}

function rowsOf(job: Job): Deno.KvKey[] {
  const waiting = waitingKey(job);
  return [
    listKey(job),
    ...(waiting ? [waiting] : []),
    ...(job.hasTurn ? [serialSlotKey(job.workspaceId, job.kind)] : []),
  ];
}

function readyRow(key: Deno.KvKey): ReadyRow {
  return { workspaceId: idIn(key, 2), notBeforeMs: Number(key[3]), jobId: lastIdOf(key) };
}

interface JobDisagreement {
  readonly problem: "missing row" | "stray row";
  readonly key: Deno.KvKey;
  readonly workspaceId: string;
  readonly jobId: string;
}

/** A job and its index rows are read at the same moment, so jobs may run during the check. */
export async function* checkJobs(store: Store): AsyncGenerator<JobDisagreement> {
  for await (const { job, versionstamp } of listAllJobs(store)) {
    const { workspaceId, jobId } = job;
    const keys = rowsOf(job);
    const [record, ...rows] = await store.kv.getMany<unknown[]>([jobKey(job), ...keys]);
    if (record?.versionstamp !== versionstamp) continue;
    for (const [n, key] of keys.entries()) {
      if (rows[n]?.versionstamp === null) yield { problem: "missing row", key, workspaceId, jobId };
    }
  }
  for await (const row of followingRows(store)) {
    const [{ value: job }, { versionstamp }] = await store.kv.getMany<[Job, unknown]>([
      jobKey(row),
      row.key,
    ]);
    const isRight = job !== null && rowsOf(job).some((key) => isSameKey(key, row.key));
    if (versionstamp !== null && !isRight) yield { problem: "stray row", ...row };
  }
}

async function* followingRows({ kv }: Store) {
  for (const [table, ownerAt] of [["jk", 1], ["jr", 2], ["jl", 2]] as const) {
    for await (const { key } of kv.list({ prefix: [table] })) {
      yield { key, workspaceId: idIn(key, ownerAt), jobId: lastIdOf(key) };
    }
  }
  for await (const { key, value } of kv.list<string>({ prefix: ["jx"] })) {
    yield { key, workspaceId: idIn(key, 1), jobId: value };
  }
}
