/// <reference lib="deno.worker" />
/**
 * Runs pure functions on untrusted texts in a Worker without permissions, with a hard time limit.
 * On a busy machine, the limit may stop a call that has had little processor time. If the call got
 * less than 80 % of its limit as processor time, it runs once more with a longer limit. On
 * platforms without Workers, the calls run in this thread with the time limit of `node:vm`.
 */
import { Failure, TooComplex } from "../../base/failure.ts";
import { FairQueue } from "../event_loop.ts";
import type { roomLog } from "../log.ts";
import { threadCpuUsage } from "node:process";
import { Script } from "node:vm";

interface SandboxSetup {
  readonly module: URL;
  readonly limitMs: number;
  readonly log: ReturnType<typeof roomLog>;
  loadHere?(): Promise<void>;
}

export interface SandboxPermit {
  /** Id of the workspace; workspaces share the Worker's time equally. */
  readonly partition: string;
  /** An abort removes a waiting job; a running job continues, and its result is ignored. */
  readonly signal?: AbortSignal;
  readonly waitingMax?: number;
  readonly limitMs?: number;
}

const closed = () => new Failure("unavailable", "The service is shutting down");

export class Sandbox implements Disposable {
  readonly #setup: SandboxSetup;
  readonly #permits = new FairQueue(1);
  #isClosed = false;
  #thread: SandboxThread | null = null;
  #hasWorkers: boolean | null = null;

  constructor(setup: SandboxSetup) {
    this.#setup = setup;
  }

  /** Throws `TooComplex` beyond a limit; `unavailable` if too many jobs wait, or after closing. */
  async run<T>(job: unknown, permit: SandboxPermit, inProcess: () => T): Promise<T> {
    const { partition, signal, waitingMax = Infinity } = permit;
    const { waiting } = this.#permits;
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    const isFull = this.#permits.waitingOf(partition) >= waitingMax || waiting >= 200;
    if (waitingMax < Infinity && isFull) {
      throw new Failure("unavailable", "Too many pages wait to be read: try again later");
    }
    const work = this.#permits.run(partition, () => this.#work(job, permit, inProcess), signal);
    if (!signal) return await work;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#thread?.end();
    this.#permits.refuseAll(closed());
  }

  async #work<T>(
    job: unknown,
    { limitMs = this.#setup.limitMs, signal }: SandboxPermit,
    inProcess: () => T,
  ): Promise<T> {
    const tryAgain = (error: unknown) => {
      if (!(error instanceof TooLittleProcessor) || signal?.aborted) throw error;
      return this.#ask(job, error.nextLimitMs, inProcess);
    };
    try {
      return await this.#ask(job, limitMs, inProcess).catch(tryAgain);
    } catch (error) {
      // JavaScript throws `RangeError` if the call stack or a string becomes too large.
      const isTooMuch = error instanceof ThreadLost || error instanceof RangeError;
      throw isTooMuch ? new TooComplex(error.message, { cause: error }) : error;
    }
  }

  async #ask<T>(job: unknown, limitMs: number, inProcess: () => T): Promise<T> {
    if (this.#hasWorkers !== false && !this.#thread?.isUsable) this.#thread = await this.#start();
    const thread = this.#thread;
    if (this.#isClosed) throw closed();
    return thread ? await thread.ask<T>(job, limitMs) : withinTime(limitMs, inProcess);
  }

  async #start(): Promise<SandboxThread | null> {
    const { module, log } = this.#setup;
    try {
      const thread = await SandboxThread.start(module);
      if (this.#isClosed) thread.end();
      this.#hasWorkers = true;
      return thread;
    } catch (error) {
      const lost = error instanceof ThreadLost ? error : new ThreadLost("", { cause: error });
      if (this.#hasWorkers) {
        log.error("the sandbox's Worker does not start again", { error: lost });
        throw lost;
      }
      this.#hasWorkers = false;
      await this.#setup.loadHere?.();
      log.warning(
        "Untrusted pages and texts are read in this process and may block it: no Worker can start",
        { error: lost },
      );
      return null;
    }
  }
}

class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** The time limit stopped a call that got too little processor time on a busy machine. */
class TooLittleProcessor extends TooComplex {
  readonly nextLimitMs: number;

  constructor(message: string, spentMs: number, limitMs: number) {
    super(message);
    // `node:vm` accepts whole milliseconds only.
    this.nextLimitMs = Math.ceil(limitMs * Math.min(4, limitMs / spentMs));
  }
}

class SandboxThread {
  readonly #worker: Worker;
  #waiting: { handle(message: MessageEvent): void; lose(reason: ThreadLost): void } | null = null;
  #isLost = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = (message) => this.#waiting?.handle(message);
    worker.onerror = (event) => {
      // Without `preventDefault`, the error would end the process.
      event.preventDefault();
      this.#lose(event.message);
    };
    worker.onmessageerror = () => this.#lose("Its answer cannot be read");
  }

  /** Throws `ThreadLost` if no Worker starts within 60 s, or `node:vm` cannot stop endless code. */
  static async start(module: URL): Promise<SandboxThread> {
    const thread = new SandboxThread(workerOf(module));
    try {
      const { hasTimeLimit } = await thread.#reply<SandboxReady>(60_000);
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

  async ask<T>(job: unknown, limitMs: number): Promise<T> {
    this.#worker.postMessage({ job, limitMs });
    // Wait 10 s longer than the limit, because the Worker needs time before and after the job.
    const answer = await this.#reply<SandboxAnswer<T>>(limitMs + 10_000);
    switch (answer.kind) {
      case "done":
        return answer.value;
      case "too_complex":
        if (answer.spentMs === null) throw new TooComplex(answer.message);
        this.end();
        throw answer.spentMs < 0.8 * limitMs
          ? new TooLittleProcessor(answer.message, answer.spentMs, limitMs)
          : new TooComplex(answer.message);
      case "failed":
        throw new Error(`Work in the sandbox failed: ${answer.stack}`);
    }
  }

  /** Ends the Worker; a running job may continue until its time limit. */
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

// In the Worker, `serveSandbox` receives jobs and runs each with a time limit.

export function serveSandbox<J>(work: (job: J) => unknown): void {
  self.onmessage = ({ data }: MessageEvent<SandboxTask<J>>) => {
    self.postMessage(answerOf(data, work));
  };
  const ready: SandboxReady = { hasTimeLimit: canEndWork() };
  self.postMessage(ready);
}

function answerOf<J>(
  { job, limitMs }: SandboxTask<J>,
  work: (job: J) => unknown,
): SandboxAnswer<unknown> {
  const before = threadCpuUsage();
  try {
    return { kind: "done", value: withinTime(limitMs, () => work(job)) };
  } catch (error) {
    if (error instanceof TooComplex || error instanceof RangeError) {
      const { user, system } = threadCpuUsage(before);
      const spentMs = error instanceof TimeIsUp ? (user + system) / 1_000 : null;
      return { kind: "too_complex", message: error.message, spentMs };
    }
    return { kind: "failed", stack: error instanceof Error ? error.stack ?? "" : String(error) };
  }
}

interface SandboxReady {
  readonly hasTimeLimit: boolean;
}

interface SandboxTask<J> {
  readonly job: J;
  readonly limitMs: number;
}

type SandboxAnswer<T> =
  | { readonly kind: "done"; readonly value: T }
  /**
   * `spentMs` is the processor time of a job that the time limit stopped, otherwise null. After
   * such a stop, the Worker must not be used again.
   */
  | { readonly kind: "too_complex"; readonly message: string; readonly spentMs: number | null }
  | { readonly kind: "failed"; readonly stack: string };

/** Name of the global function that the script `call` runs; `node:vm` can stop only scripts. */
const PLACE = "__workUnderTimeLimit";
const call = new Script(`globalThis.${PLACE}()`);

/** Thrown when the time limit stopped the work in the middle; its data may be inconsistent. */
class TimeIsUp extends TooComplex {}

/** `work` must be synchronous, and its memory is not limited. */
export function withinTime<T>(limitMs: number, work: () => T): T {
  const done: T[] = [];
  Reflect.set(globalThis, PLACE, () => {
    done.push(work());
  });
  try {
    call.runInThisContext({ timeout: limitMs });
  } catch (error) {
    const isTimeout = error instanceof Error && "code" in error &&
      error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    if (!isTimeout) throw error;
    throw new TimeIsUp(`The work took longer than ${limitMs} ms`);
  } finally {
    Reflect.deleteProperty(globalThis, PLACE);
  }
  for (const value of done) return value;
  throw new Error("The work was not done");
}

export function canEndWork(): boolean {
  const tryMs = 10_000;
  try {
    withinTime(1, () => {
      const endsAt = performance.now() + tryMs;
      while (performance.now() < endsAt);
    });
    return false;
  } catch (error) {
    return error instanceof TimeIsUp;
  }
}
