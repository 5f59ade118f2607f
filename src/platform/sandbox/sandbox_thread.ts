/** One Worker of a sandbox, from its start to its end. */

import { TooComplex } from "../../base/failure.ts";
import type { SandboxAnswer, SandboxReady } from "./sandbox_message.ts";

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
  /** Whoever waits for the next message. */
  #waiting: { hear(message: MessageEvent): void; lose(reason: ThreadLost): void } | null = null;
  #isLost = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = (message) => this.#waiting?.hear(message);
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
    this.#waiting = { hear: ({ data }) => resolve(data), lose: reject };
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
