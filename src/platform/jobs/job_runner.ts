/**
 * Claims ready jobs and runs them in this process. If this process stops, its jobs continue later
 * from their last commits.
 */
import { mayTakeSlot, withTimeout } from "../event_loop.ts";
import { type RoomLog, roomLog } from "../log.ts";
import type { Tools } from "../store/context.ts";
import { listenForWakeUp, transact, transactVersioned } from "../store/kv.ts";
import { HeldJob } from "./held_job.ts";
import {
  claimed,
  DEFAULT_JOB_TIMING,
  type JobKind,
  type JobLease,
  type JobTiming,
  requeued,
} from "./job.ts";
import {
  findStoredJob,
  jobs,
  listLeases,
  noteWork,
  readyRoundRobin,
  type ReadyRow,
  saveJob,
  type StoredJob,
} from "./job_store.ts";

/** If a process dies during this attempt of a job or a later one, the job becomes suspect. */
const SUSPECT_FROM = 3;

interface RunnerSetup extends Tools {
  readonly kinds: readonly JobKind[];
  /** Id of this process. In a local store, leases with another id belong to a dead process. */
  readonly boot?: string;
  readonly log?: RoomLog;
  readonly timing?: JobTiming;
}

export class JobRunner {
  readonly #setup: Required<RunnerSetup>;
  readonly #inFlight = new Map<HeldJob, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #woken = new Set<JobKind>();
  readonly #lastServed = new Map<JobKind, string>();
  #filling: Promise<void> | null = null;
  #taken = 0;
  #sweeping: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(setup: RunnerSetup) {
    const boot = setup.clock.newId();
    this.#setup = { boot, log: roomLog("jobs"), timing: DEFAULT_JOB_TIMING, ...setup };
  }

  async start(): Promise<void> {
    const { store, boot, log } = this.#setup;
    if (store.kind !== "remote") {
      const count = await this.#reclaim(Infinity, (lease) => lease.boot !== boot);
      if (count > 0) log.info("jobs of a dead process are queued again", { count });
      listenForWakeUp(store.kv, (kind) => this.wake(kind)).catch((error: unknown) => {
        log.warning("wake-ups do not arrive, the sweep goes on", { error });
      });
    }
    await this.#sweepSafely();
    this.#setTimer();
  }

  /** Puts the running jobs back into the queue, so that the store may then be closed. */
  async stop(): Promise<void> {
    const { store, timing } = this.#setup;
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#sweeping;
    await this.#filling;
    await withTimeout(timing.stopMs, Promise.all(this.#inFlight.values()));
    await Promise.all(this.#inFlight.keys().map((held) => held.abandon()));
    noteWork(store, false);
  }

  async sweep(): Promise<void> {
    const { store, kinds, clock } = this.#setup;
    if (!this.#stopping.signal.aborted) noteWork(store, true);
    // After a jump of the clock, this process's own leases may seem to have ended, so skip them.
    const isForeign = (lease: JobLease) =>
      !this.#inFlight.keys().some(({ token }) => token === lease.token);
    await this.#reclaim(clock.now().getTime(), isForeign);
    for (const kind of kinds) this.#wakeUp(kind);
    await this.#filling;
  }

  async drain(): Promise<void> {
    for (;;) {
      const [wasIdle, taken] = [this.#inFlight.size === 0, this.#taken];
      await this.sweep();
      if (this.#inFlight.size > 0) await Promise.race(this.#inFlight.values());
      else if (wasIdle && taken === this.#taken) return;
    }
  }

  wake(kind: string): void {
    const known = this.#setup.kinds.find((one) => one.kind === kind);
    if (known) this.#wakeUp(known);
  }

  #setTimer(): void {
    if (this.#stopping.signal.aborted) return;
    const { local, remote } = this.#setup.timing.sweepMs;
    const delayMs = this.#setup.store.kind === "remote"
      ? remote * (0.8 + 0.4 * Math.random())
      : local;
    this.#timer = setTimeout(async () => {
      this.#sweeping = this.#sweepSafely();
      await this.#sweeping;
      this.#setTimer();
    }, delayMs);
  }

  async #sweepSafely(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.#setup.log.warning("jobs could not be looked for, tried again soon", { error });
    }
  }

  #wakeUp(kind: JobKind): void {
    this.#woken.add(kind);
    this.#filling ??= this.#fill();
  }

  /** `#fill` never runs twice at the same time, so that it cannot start too many jobs. */
  async #fill(): Promise<void> {
    try {
      for (const kind of this.#woken) {
        this.#woken.delete(kind);
        await this.#fillKind(kind);
      }
    } catch (error) {
      this.#setup.log.warning("no jobs could be taken, tried again soon", { error });
    } finally {
      this.#filling = null;
    }
  }

  async #fillKind(kind: JobKind): Promise<void> {
    while (!this.#stopping.signal.aborted && this.#freeSlots(kind) > 0) {
      const stored = await this.#claim(kind);
      if (!stored) return;
      this.#lastServed.set(kind, stored.row.workspaceId);
      this.#begin(kind, stored);
    }
  }

  async #claim(kind: JobKind): Promise<StoredJob | null> {
    const last = this.#lastServed.get(kind) ?? null;
    for await (const row of readyRoundRobin(this.#setup.store, kind.kind, last)) {
      const taken = await this.#claimRow(kind, row);
      // Another process has claimed the job, but its workspace may have more due jobs.
      if (taken === "gone") return await this.#claim(kind);
      if (taken) return taken;
    }
    return null;
  }

  async #claimRow(kind: JobKind, row: ReadyRow): Promise<StoredJob | "gone" | null> {
    const { store, clock } = this.#setup;
    const { workspaceId } = row;
    const isFull = this.#stopping.signal.aborted ||
      !mayTakeSlot(this.#countInFlight(kind, workspaceId), this.#freeSlots(kind));
    if (isFull || row.notBeforeMs > clock.now().getTime()) return null;
    const { value, versionstamp } = await transactVersioned(this.#setup, async (write) => {
      const { isSerialPerWorkspace = false } = kind;
      const place = { store, workspaceId };
      const holder = isSerialPerWorkspace ? await jobs.findBy(place, "turn", kind) : null;
      const stored = holder ?? await jobs.find(place, row);
      if (stored?.row.status !== "queued") {
        return holder && holder.row.jobId !== row.jobId ? null : "gone";
      }
      const { isSuspect, notBeforeMs } = stored.row;
      const isBarred = isSuspect && this.#inFlight.keys().some(({ job }) => job.isSuspect);
      if (isBarred || notBeforeMs > clock.now().getTime()) return null;
      const next = claimed(stored.row, this.#newLease(), clock.now(), isSerialPerWorkspace);
      saveJob(write, stored, next);
      return next;
    });
    if (value === null || value === "gone") return value;
    return versionstamp === null ? null : { row: value, versionstamp };
  }

  async #reclaim(untilMs: number, isDead: (lease: JobLease) => boolean): Promise<number> {
    const { store } = this.#setup;
    let count = 0;
    for await (const row of listLeases(store, untilMs)) {
      count += await transact({ store }, async (write) => {
        const stored = await findStoredJob(store, row);
        // Read the lease again, because it may have been renewed since it was listed.
        const lease = stored?.row.lease;
        if (!stored || !lease || lease.untilMs >= untilMs || !isDead(lease)) return 0;
        const isSuspect = stored.row.attempts >= SUSPECT_FROM;
        saveJob(write, stored, requeued(stored.row, { isSuspect }));
        return 1;
      });
    }
    return count;
  }

  #begin(kind: JobKind, stored: StoredJob): void {
    const held = new HeldJob({ ...this.#setup, stopping: this.#stopping.signal }, kind, stored);
    const done = held.run().catch((error: unknown) => {
      // After `stop`, the job is already back in the queue, and the store may be closed.
      if (this.#stopping.signal.aborted) return;
      // The job's new state could not be stored. The job is queued again when its lease ends.
      const { jobId } = held.job;
      this.#setup.log.error("job left without a word", { jobId, kind: kind.kind, error });
    }).finally(() => {
      this.#inFlight.delete(held);
      if (!this.#stopping.signal.aborted) this.#wakeUp(kind);
    });
    this.#inFlight.set(held, done);
    this.#taken++;
  }

  #freeSlots(kind: JobKind): number {
    return (kind.slotsPerProcess ?? 1) - this.#countInFlight(kind);
  }

  #countInFlight(kind: JobKind, workspaceId?: string): number {
    const counted = this.#inFlight.keys().filter((one) =>
      one.kind === kind && (workspaceId ?? one.job.workspaceId) === one.job.workspaceId
    );
    return counted.toArray().length;
  }

  #newLease(): JobLease {
    const { clock, boot, timing } = this.#setup;
    return { token: clock.newId(), boot, untilMs: clock.now().getTime() + timing.leaseMs };
  }
}
