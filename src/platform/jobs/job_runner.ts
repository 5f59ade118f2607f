/**
 * Finds ready jobs and runs them in this process. If this process stops, its jobs continue later
 * from their last commits.
 */
import { mayTakeSlot, withTimeout } from "../event_loop.ts";
import { type RoomLog, roomLog } from "../log.ts";
import type { Tools } from "../store/context.ts";
import { listenForWakeUp } from "../store/kv.ts";
import { claimNext, HeldJob, reclaimJobs, runJob } from "./held_job.ts";
import { DEFAULT_JOB_TIMING, type JobKind, type JobLease, type JobTiming } from "./job.ts";
import { noteWork, type StoredJob } from "./job_store.ts";

interface RunnerSetup extends Tools {
  readonly kinds: readonly JobKind[];
  /** Id of this process; a store file has only one process, so leases with other ids are void. */
  readonly boot?: string;
  readonly log?: RoomLog;
  readonly timing?: JobTiming;
}

interface InFlight {
  readonly kind: JobKind;
  readonly held: HeldJob;
  readonly done: Promise<void>;
}

export class JobRunner {
  readonly #setup: Required<RunnerSetup>;
  readonly #inFlight = new Map<string, InFlight>();
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
      const count = await reclaimJobs(store, Infinity, (lease) => lease.boot !== boot);
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
    const running = [...this.#inFlight.values()];
    await withTimeout(timing.stopMs, Promise.all(running.map(({ done }) => done)));
    await Promise.all([...this.#inFlight.values()].map(({ held }) => held.abandon()));
    noteWork(store, false);
  }

  async sweep(): Promise<void> {
    const { store, kinds, clock } = this.#setup;
    if (!this.#stopping.signal.aborted) noteWork(store, true);
    // Skip jobs of this process: after a jump of the clock, their leases only seem to have ended.
    await reclaimJobs(store, clock.now().getTime(), ({ token }) => !this.#inFlight.has(token));
    for (const kind of kinds) this.#wakeUp(kind);
    await this.#filling;
  }

  async drain(): Promise<void> {
    for (;;) {
      const [wasIdle, taken] = [this.#inFlight.size === 0, this.#taken];
      await this.sweep();
      if (this.#inFlight.size > 0) {
        await Promise.race([...this.#inFlight.values()].map((one) => one.done));
      } else if (wasIdle && taken === this.#taken) return;
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

  /** Only one call runs at a time, so that two calls cannot start too many jobs. */
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
      const lease = this.#newLease();
      const stored = await this.#claim(kind, lease);
      if (!stored) return;
      this.#lastServed.set(kind, stored.row.workspaceId);
      this.#begin(kind, stored, lease);
    }
  }

  #claim(kind: JobKind, lease: JobLease): Promise<StoredJob | null> {
    const { store, clock } = this.#setup;
    const claim = {
      store,
      now: () => clock.now(),
      lease,
      hasRoom: (id: string) =>
        !this.#stopping.signal.aborted &&
        mayTakeSlot(this.#countInFlight(kind, id), this.#freeSlots(kind)),
      takesSuspects: ![...this.#inFlight.values()].some(({ held }) => held.job.isSuspect),
    };
    return claimNext(claim, kind, this.#lastServed.get(kind) ?? null);
  }

  #begin(kind: JobKind, stored: StoredJob, { token }: JobLease): void {
    const { store, clock, log, timing } = this.#setup;
    const setup = { ...this.#setup, stopping: this.#stopping.signal };
    const held = new HeldJob({
      store,
      timing,
      now: () => clock.now(),
      cleared: () => this.#setup.kinds.forEach((one) => this.#wakeUp(one)),
    }, stored);
    const { jobId } = stored.row;
    const done = runJob(setup, kind, held).catch((error: unknown) => {
      // `stop` has put the job back into the queue, and the store may be closed.
      if (this.#stopping.signal.aborted) return;
      // The job stays "running", and is claimed again when its lease ends.
      log.error("job left without a word", { jobId, kind: kind.kind, error });
    }).finally(() => {
      this.#inFlight.delete(token);
      if (!this.#stopping.signal.aborted) this.#wakeUp(kind);
    });
    this.#inFlight.set(token, { kind, held, done });
    this.#taken++;
  }

  #freeSlots(kind: JobKind): number {
    return (kind.slotsPerProcess ?? 1) - this.#countInFlight(kind);
  }

  #countInFlight(kind: JobKind, workspaceId?: string): number {
    const counted = this.#inFlight.values().filter((one) =>
      one.kind === kind && (workspaceId ?? one.held.job.workspaceId) === one.held.job.workspaceId
    );
    return counted.toArray().length;
  }

  #newLease(): JobLease {
    const { clock, boot } = this.#setup;
    const untilMs = clock.now().getTime() + this.#setup.timing.leaseMs;
    return { token: clock.newId(), boot, untilMs };
  }
}
