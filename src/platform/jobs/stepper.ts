import {
  advanced,
  hasEnded,
  type Job,
  type JobKind,
  type StepResult,
  type StepTools,
} from "./job.ts";
import { beginWrite, type BegunWrite, type Write } from "../store/kv.ts";
import type { HeldJob } from "./held_job.ts";
import { contextOf, type RunSetup } from "./job_context.ts";

/** A step that was taken while the commit before it was on its way. */
interface Ahead {
  readonly write: BegunWrite;
  readonly result: StepResult;
}

/**
 * The steps of one turn. A store works on a commit beside the process, so the next step is taken
 * meanwhile where a kind allows it: it is committed after the one before, or never.
 */
export class Stepper {
  readonly #setup: RunSetup;
  readonly #kind: JobKind;
  readonly #held: HeldJob;
  readonly #shouldYield: () => boolean;
  #ahead: Promise<Ahead | null> = Promise.resolve(null);

  constructor(setup: RunSetup, kind: JobKind, held: HeldJob, shouldYield: () => boolean) {
    this.#setup = setup;
    this.#kind = kind;
    this.#held = held;
    this.#shouldYield = shouldYield;
  }

  /** Takes a step and commits it. */
  async take(): Promise<void> {
    const ahead = await this.#takeAhead();
    let isNextIndependent = false;
    let committed: StepResult["committed"];
    await this.#held.commit(async (write, lastCommit) => {
      const { job } = this.#held;
      const result = write === ahead?.write ? ahead.result : await this.#takeAgain(job, write);
      // What a step made of a store that was taken away is no outcome of it.
      this.#setup.store.ended?.throwIfAborted();
      result.checks?.(lastCommit);
      isNextIndependent = result.isNextIndependent === true;
      committed = result.committed;
      const next = advanced(job, result, this.#setup.clockwork.now());
      const ctx = contextOf(this.#setup, job);
      if (hasEnded(next)) await this.#kind.finish?.(next, { ...ctx, write });
      return next;
    }, {
      ...(ahead ? { begun: ahead.write } : {}),
      committing: (next) => {
        if (!isNextIndependent || hasEnded(next) || this.#shouldYield()) return;
        this.#ahead = this.#workAhead(next);
      },
    });
    committed?.();
  }

  /** Resolves when nothing is read any more. */
  async drain(): Promise<void> {
    await this.#ahead;
  }

  async #takeAhead(): Promise<Ahead | null> {
    const ahead = await this.#ahead;
    this.#ahead = Promise.resolve(null);
    return ahead;
  }

  /** In its turn; what was built on a commit that failed is dropped first. */
  async #takeAgain(job: Job, write: Write): Promise<StepResult> {
    await this.#takeAhead();
    return await this.#kind.step(job, this.#tools(job, write, this.#held));
  }

  /** Null when the step cannot be taken before its turn: it is taken again then, and says why itself. */
  async #workAhead(job: Job): Promise<Ahead | null> {
    const write = beginWrite(this.#setup);
    try {
      return { write, result: await this.#kind.step(job, this.#tools(job, write, NOT_YET)) };
    } catch {
      return null;
    }
  }

  #tools(job: Job, write: Write, commits: Pick<HeldJob, "checkpoint" | "beat">): StepTools {
    return {
      ...contextOf(this.#setup, job),
      write,
      shouldYield: this.#shouldYield,
      stopping: this.#setup.stopping,
      checkpoint: (moved = {}, effects) =>
        this.#unlessGone(() => commits.checkpoint(moved, effects)),
      beat: (moved = {}) => this.#unlessGone(() => commits.beat(moved)),
    };
  }

  /** Work that reads nothing for long meets the stop here. */
  async #unlessGone(work: () => Promise<void>): Promise<void> {
    this.#setup.store.ended?.throwIfAborted();
    await work();
  }
}

/** Nothing is committed out of turn. */
const NOT_YET: Pick<HeldJob, "checkpoint" | "beat"> = {
  checkpoint: () => Promise.reject(new Error("A step that is taken ahead has no checkpoints")),
  beat: () => Promise.resolve(),
};
