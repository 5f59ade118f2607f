import { type Store, transact, transactVersioned } from "../store/kv.ts";
import { removeInBatches } from "../store/rows.ts";
import { claimed, hasEnded, type Job, type JobKind, type JobLease, reclaimed } from "./job.ts";
import {
  checkTurn,
  deleteJob,
  findStoredJob,
  findTurn,
  listLeases,
  listOldJobs,
  readyInRing,
  type ReadyRow,
  saveJob,
  type StoredJob,
} from "./job_store.ts";

export interface ClaimSetup {
  readonly store: Store;
  now(): Date;
  readonly lease: JobLease;
  /** False while the workspace uses all its slots of the kind in this process. */
  hasRoom(workspaceId: string): boolean;
  /** False while another suspect job is running. */
  readonly takesSuspects: boolean;
}

/**
 * Claims a due job of the first workspace after `afterWorkspaceId` that has room for it. Workspaces
 * are visited in a ring, so a workspace with 300 jobs waits as long for its second one as all
 * others.
 */
export async function claimNext(
  setup: ClaimSetup,
  kind: JobKind,
  afterWorkspaceId: string | null,
): Promise<StoredJob | null> {
  for await (const row of readyInRing(setup.store, kind.kind, afterWorkspaceId)) {
    const taken = await claimOf(setup, kind, row);
    // Another worker was faster. The workspace may have another job ready.
    if (taken === "gone") return await claimNext(setup, kind, afterWorkspaceId);
    if (taken) return taken;
  }
  return null;
}

async function claimOf(
  setup: ClaimSetup,
  kind: JobKind,
  row: ReadyRow,
): Promise<StoredJob | "gone" | null> {
  if (row.notBeforeMs > setup.now().getTime() || !setup.hasRoom(row.workspaceId)) return null;
  const { value, versionstamp } = await transactVersioned(setup, async (write) => {
    const turn = kind.isSerialPerWorkspace ? await findTurn(setup.store, row, kind.kind) : null;
    const jobId = turn?.jobId ?? row.jobId;
    const stored = await findStoredJob(setup.store, { ...row, jobId });
    if (stored?.job.status !== "queued") return jobId === row.jobId ? "gone" : null;
    if (!isDue(setup, stored.job)) return null;
    const next = claimed(stored.job, setup.lease, setup.now(), turn !== null);
    if (turn) checkTurn(write, next, turn.versionstamp);
    saveJob(write, stored, next);
    return next;
  });
  if (value === null || value === "gone") return value;
  return versionstamp === null ? null : { job: value, versionstamp };
}

function isDue({ now, takesSuspects }: ClaimSetup, { isSuspect, notBeforeMs }: Job): boolean {
  return notBeforeMs <= now().getTime() && (takesSuspects || !isSuspect);
}

/**
 * Puts jobs back into the queue if their lease ended before `untilMs` and `isDead` is true for
 * their owner. Returns their number. An owner that is only slow notices it at its next commit.
 */
export async function reclaimJobs(
  store: Store,
  untilMs: number,
  isDead: (lease: JobLease, job: Job) => boolean,
): Promise<number> {
  let count = 0;
  for await (const row of listLeases(store, untilMs)) {
    const value = await transact({ store }, async (write) => {
      const stored = await findStoredJob(store, row);
      // The row may be outdated, because leases are renewed while they are listed.
      const lease = stored?.job.lease;
      if (!stored || !lease || lease.untilMs >= untilMs || !isDead(lease, stored.job)) return false;
      saveJob(write, stored, reclaimed(stored.job));
      return true;
    });
    if (value) count++;
  }
  return count;
}

const BATCH_SIZE = 100;

/** Which jobs a sweep removes, and how it removes their additional rows. */
export interface JobSweep {
  takes(job: Job): boolean;
  removeRows(store: Store, job: Job): Promise<void>;
}

/**
 * Removes ended jobs that were created before `madeBefore`, and returns their number. A job's
 * additional rows are removed first, so that after a crash the next sweep finds both.
 */
export async function sweepJobs(
  store: Store,
  madeBefore: Date,
  sweep: JobSweep,
): Promise<number> {
  return await removeInBatches(store, oldJobs(store, madeBefore, sweep), BATCH_SIZE, deleteJob);
}

async function* oldJobs(
  store: Store,
  madeBefore: Date,
  { takes, removeRows }: JobSweep,
): AsyncGenerator<Job> {
  for await (const job of listOldJobs(store, madeBefore.getTime())) {
    if (!hasEnded(job) || !takes(job)) continue;
    await removeRows(store, job);
    yield job;
  }
}
