/**
 * Where plain functions work on what strangers wrote: in a Worker without permissions, under a hard
 * time limit, one job at a time. The event loop stays free whatever the text is made for. Values go
 * in and come out as copies.
 */

import { Failure, TooComplex } from "../../base/failure.ts";
import { FairQueue } from "../fair_queue.ts";
import type { roomLog } from "../log.ts";
import type { SandboxAnswer, SandboxReady } from "./serve_sandbox.ts";

export interface SandboxSetup {
  /** A module that calls `serveSandbox`. */
  readonly module: URL;
  /** How long one job may take that says nothing of it. */
  readonly limitMs: number;
  readonly log: ReturnType<typeof roomLog>;
}

/** The owner of a job, and its deadline. */
export interface SandboxTurn {
  /** Lanes share the Worker's time: a workspace. */
  readonly lane: string;
  /** An abort takes a job back that waits, and forgets what comes of one in hand. */
  readonly signal?: AbortSignal;
  /** How many jobs of the lane may wait; for what callers can pile up. */
  readonly waitingMax?: number;
  /** How long this job may take, where it is larger by its nature than others. */
  readonly limitMs?: number;
  /** Buffers of the job that are given away instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

export interface Sandbox {
  /**
   * Has `job` done there; `inProcess` is the same work, for where the platform has no Workers. Throws
   * `TooComplex` when the work is over its time or its budget or killed the Worker, the reason of an
   * abort, `unavailable` when too many jobs wait, and an error for a defect of the work.
   */
  run<T>(job: unknown, turn: SandboxTurn, inProcess: () => T): Promise<T>;
  /** Starts the Worker that the first job would wait for, and says so in the log where there is none. */
  warm(): Promise<void>;
  /** Refuses waiting jobs with `unavailable`, and ends a busy Worker. */
  close(): void;
}

/** Of all lanes that pile up jobs together. */
const WAITING_MAX = 200;

/** A Worker, null where there are none, or why there is none just now. */
type Place = SandboxThread | null | ThreadLost;

interface Waiting {
  readonly turn: SandboxTurn;
  /** Never throws: the caller gets the outcome. */
  readonly work: (place: Place) => Promise<void>;
  readonly refuse: (reason: unknown) => void;
}

/** The Worker starts with the first job, and again after a job that exceeded its time. */
export function createSandbox(setup: SandboxSetup): Sandbox {
  const desk = new WorkerPool(setup);
  return {
    run<T>(job: unknown, turn: SandboxTurn, inProcess: () => T): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const work = async (place: Place) => {
        try {
          if (place instanceof ThreadLost) throw place;
          const transfer = [...turn.transfer ?? []];
          const limitMs = turn.limitMs ?? setup.limitMs;
          resolve(place ? await place.ask<T>(job, limitMs, transfer) : inProcess());
        } catch (error) {
          reject(reasonOf(error));
        }
      };
      const forget = desk.add({ turn, work, refuse: reject });
      return promise.finally(forget);
    },
    warm: async () => {
      await desk.place();
    },
    close: () => desk.close(),
  };
}

/** Work that killed its Worker was too much for it; so is a stack or a text that no engine can hold. */
function reasonOf(error: unknown): unknown {
  const isTooMuch = error instanceof ThreadLost || error instanceof RangeError;
  return isTooMuch ? new TooComplex(error.message, { cause: error }) : error;
}

const closed = () => new Failure("unavailable", "The service is shutting down");

/** Hands out the one Worker. */
class WorkerPool {
  readonly #setup: SandboxSetup;
  readonly #queue = new FairQueue<Waiting>();
  #isBusy = false;
  #isClosed = false;
  #thread: SandboxThread | null = null;
  #starting: Promise<Place> | null = null;
  /** Null until the first Worker has started, or failed to. */
  #hasWorkers: boolean | null = null;

  constructor(setup: SandboxSetup) {
    this.#setup = setup;
  }

  /** The result removes the listener from the signal, which may live as long as the process. */
  add(item: Waiting): () => void {
    const { lane, signal } = item.turn;
    const refusal = this.#refusalOf(item.turn);
    if (refusal) {
      item.refuse(refusal.reason);
      return () => {};
    }
    this.#queue.add(lane, item);
    const giveUp = () => {
      this.#queue.drop(lane, item);
      item.refuse(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp);
    if (!this.#isBusy) void this.#workOff();
    return () => signal?.removeEventListener("abort", giveUp);
  }

  #refusalOf({ lane, signal, waitingMax = Infinity }: SandboxTurn): { reason: unknown } | null {
    if (this.#isClosed) return { reason: closed() };
    if (signal?.aborted) return { reason: signal.reason };
    const isFull = this.#queue.waitingOf(lane) >= waitingMax || this.#queue.waiting >= WAITING_MAX;
    if (waitingMax === Infinity || !isFull) return null;
    return { reason: new Failure("unavailable", "Too much waits to be read: try again later") };
  }

  close(): void {
    this.#isClosed = true;
    this.#thread?.end();
    for (const item of this.#queue.clear()) item.refuse(closed());
  }

  /** Starts a Worker where there is none that can be used. */
  async place(): Promise<Place> {
    if (this.#hasWorkers === false) return null;
    if (this.#thread?.isUsable) return this.#thread;
    this.#starting ??= this.#start().finally(() => this.#starting = null);
    return await this.#starting;
  }

  /** One job after the other, until none waits. */
  async #workOff(): Promise<void> {
    this.#isBusy = true;
    for (let item = this.#queue.take(); item !== null; item = this.#queue.take()) {
      const place = await this.place();
      if (this.#isClosed) {
        item.refuse(closed());
        continue;
      }
      const startedAt = performance.now();
      await item.work(place);
      this.#queue.use(item.turn.lane, performance.now() - startedAt);
    }
    this.#isBusy = false;
  }

  async #start(): Promise<Place> {
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
        return lost;
      }
      this.#hasWorkers = false;
      log.warning(
        "What others wrote is read in this process, under step budgets alone: no Worker can be had",
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
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** A Worker without permissions that does one job at a time. */
export class SandboxThread {
  readonly #worker: Worker;
  /** The receiver of the next message. */
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

  /** Whether it can be given another job. */
  get isUsable(): boolean {
    return !this.#isLost;
  }

  /**
   * Has a job done. Throws `TooComplex` when it is over its time or its budget, `ThreadLost` when the
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
