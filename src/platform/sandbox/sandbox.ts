/**
 * Runs plain functions on foreign texts in a Worker without permissions, under a hard time limit, one job at
 * a time, so that no text can hold up the event loop. Inputs and results are copies. Where the platform has
 * no Workers the functions run in the process, under the same time limit as far as `node:vm` holds it.
 */

import { Failure, TooComplex } from "../../base/failure.ts";
import { FairPermits } from "../fair_queue.ts";
import type { roomLog } from "../log.ts";
import { type SandboxAnswer, type SandboxReady, withinTime } from "./serve_sandbox.ts";

export interface SandboxSetup {
  /** A module that calls `serveSandbox`. */
  readonly module: URL;
  /** The time limit of a job without a limit of its own. */
  readonly limitMs: number;
  readonly log: ReturnType<typeof roomLog>;
}

/** The owner of a job, and its deadline. */
export interface SandboxTurn {
  /** The workspace; workspaces share the Worker's time. */
  readonly lane: string;
  /** An abort takes back a job that waits, and ignores the result of one that runs. */
  readonly signal?: AbortSignal;
  /** How many jobs of the workspace may wait, where callers can send any number. */
  readonly waitingMax?: number;
  /** How long this job may take, where it is larger by its nature than others. */
  readonly limitMs?: number;
  /** Buffers of the job that are given away instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** Of all workspaces together, where callers can send any number. */
const WAITING_MAX = 200;

const closed = () => new Failure("unavailable", "The service is shutting down");

/** Hands out the one Worker, which starts with the first job and again after one that exceeded its time. */
export class Sandbox implements Disposable {
  readonly #setup: SandboxSetup;
  readonly #permits = new FairPermits(1);
  #isClosed = false;
  #thread: SandboxThread | null = null;
  #starting: Promise<SandboxThread | null> | null = null;
  /** Null until the first Worker has started, or failed to. */
  #hasWorkers: boolean | null = null;

  constructor(setup: SandboxSetup) {
    this.#setup = setup;
  }

  /**
   * Has `job` done there; `inProcess` is the same work, for where the platform has no Workers. Throws
   * `TooComplex` when the work is over its time or killed the Worker, the reason of an
   * abort, `unavailable` when too many jobs wait, and an error for a defect of the work.
   */
  async run<T>(job: unknown, turn: SandboxTurn, inProcess: () => T): Promise<T> {
    const { lane, signal, waitingMax = Infinity } = turn;
    const { waiting } = this.#permits;
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    const isFull = this.#permits.waitingOf(lane) >= waitingMax || waiting >= WAITING_MAX;
    if (waitingMax < Infinity && isFull) {
      throw new Failure("unavailable", "Too much waits to be read: try again later");
    }
    const work = this.#permits.run(lane, () => this.#work(job, turn, inProcess), signal);
    if (!signal) return await work;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    try {
      return await Promise.race([work, aborted]);
    } finally {
      // The signal may live as long as the process.
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** Starts the Worker that the first job would wait for, and says so in the log where there is none. */
  async warm(): Promise<void> {
    await this.#place();
  }

  /** Refuses waiting jobs with `unavailable`, and ends a busy Worker. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#thread?.end();
    this.#permits.refuseAll(closed());
  }

  async #work<T>(
    job: unknown,
    { limitMs = this.#setup.limitMs, transfer = [] }: SandboxTurn,
    inProcess: () => T,
  ): Promise<T> {
    try {
      const thread = await this.#place();
      if (this.#isClosed) throw closed();
      if (!thread) return withinTime(limitMs, inProcess);
      return await thread.ask<T>(job, limitMs, [...transfer]);
    } catch (error) {
      // So is a stack or a text that no engine can hold.
      const isTooMuch = error instanceof ThreadLost || error instanceof RangeError;
      throw isTooMuch ? new TooComplex(error.message, { cause: error }) : error;
    }
  }

  /** A Worker that can be used, null if there are none; throws `ThreadLost` when none starts just now. */
  async #place(): Promise<SandboxThread | null> {
    if (this.#hasWorkers === false) return null;
    if (this.#thread?.isUsable) return this.#thread;
    this.#starting ??= this.#start().finally(() => this.#starting = null);
    return await this.#starting;
  }

  async #start(): Promise<SandboxThread | null> {
    const { module, log } = this.#setup;
    try {
      const thread = await SandboxThread.start(module);
      if (this.#isClosed) thread.end();
      this.#thread = thread;
      this.#hasWorkers = true;
      return thread;
    } catch (error) {
      const lost = error instanceof ThreadLost ? error : new ThreadLost("", { cause: error });
      if (this.#hasWorkers) {
        log.error("the sandbox's Worker does not start again", { error: lost });
        throw lost;
      }
      this.#hasWorkers = false;
      log.warning(
        "What others wrote is read in this process, and holds it up: no Worker can be had",
        { error: lost },
      );
      return null;
    }
  }
}

/** Loading a module on a busy machine takes seconds; more is a Worker that never comes. */
const START_MS_MAX = 60_000;
/** Beyond the time of a job, for what the Worker does before and after it. */
const GRACE_MS = 10_000;

/** The Worker cannot be had here, or it has died. */
class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** A Worker without permissions that does one job at a time. */
class SandboxThread {
  readonly #worker: Worker;
  #waiting: { handle(message: MessageEvent): void; lose(reason: ThreadLost): void } | null = null;
  #isLost = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = (message) => this.#waiting?.handle(message);
    worker.onerror = (event) => {
      // Unhandled, it would end the process.
      event.preventDefault();
      this.#lose(event.message);
    };
    worker.onmessageerror = () => this.#lose("Its answer cannot be read");
  }

  /** Refuses with `ThreadLost` where there are no Workers, or none that ends work in time. */
  static async start(module: URL): Promise<SandboxThread> {
    const thread = new SandboxThread(workerOf(module));
    try {
      const { hasTimeLimit } = await thread.#reply<SandboxReady>(START_MS_MAX);
      if (!hasTimeLimit) throw new ThreadLost("node:vm ends no work in time here");
      return thread;
    } catch (error) {
      thread.end();
      throw error;
    }
  }

  get isUsable(): boolean {
    return !this.#isLost;
  }

  /**
   * Has a job done. Throws `TooComplex` when it is over its time or beyond a limit, `ThreadLost` when the
   * Worker died over it, and an error with the stack of the Worker for a defect.
   */
  async ask<T>(job: unknown, limitMs: number, transfer: Transferable[]): Promise<T> {
    this.#worker.postMessage({ job, limitMs }, transfer);
    const answer = await this.#reply<SandboxAnswer<T>>(limitMs + GRACE_MS);
    switch (answer.kind) {
      case "done":
        return answer.value;
      case "too_complex":
        if (answer.isSpent) this.end();
        throw new TooComplex(answer.message);
      case "failed":
        throw new Error(`Work in the sandbox failed: ${answer.stack}`);
    }
  }

  /** Gives the Worker up; what it is busy with burns on until the end of its time. */
  end(): void {
    this.#lose("The sandbox is closed");
  }

  async #reply<T>(waitMs: number): Promise<T> {
    if (this.#isLost) throw new ThreadLost("The Worker has ended");
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting = { handle: ({ data }) => resolve(data), lose: reject };
    const timer = setTimeout(() => this.#lose(`No answer within ${waitMs} ms`), waitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }

  #lose(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#worker.terminate();
    this.#waiting?.lose(new ThreadLost(reason));
  }
}

function workerOf(module: URL): Worker {
  try {
    return new Worker(module, { type: "module", deno: { permissions: "none" } });
  } catch (cause) {
    throw new ThreadLost("There are no Workers here", { cause });
  }
}
