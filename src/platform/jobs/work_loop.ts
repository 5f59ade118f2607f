/**
 * Loops that work in the background until the process stops. A sender claims each row of a queue
 * before it sends the row's content, for example a mail. If the process dies, another process sends
 * the row after the lease ends, perhaps a second time.
 */
import { Failure } from "../../base/failure.ts";
import { roomLog } from "../log.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Tools } from "../store/context.ts";
import { transactVersioned, type Write } from "../store/kv.ts";
import { type QueueRow, type RowQueue, walkDue, WalkPosition } from "../store/row_queue_store.ts";

export interface LoopSetup {
  readonly name: string;
  /** Returns the time in ms until more work is due; null if unknown. */
  round(stopping: AbortSignal): Promise<number | null>;
  readonly sweepMs: number;
  readonly pauseMinMs?: number;
  readonly log: ReturnType<typeof roomLog>;
}

/** Calls `round` every `sweepMs`; earlier if `round` returned a shorter delay, or after `wake`. */
export class WorkLoop {
  readonly #setup: LoopSetup;
  readonly #stopping = new AbortController();
  #woken = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(setup: LoopSetup) {
    this.#setup = setup;
  }

  start(): void {
    this.#ended = this.#repeat();
  }

  wake(): void {
    this.#woken.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#ended;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopping;
    const { sweepMs, pauseMinMs = 0 } = this.#setup;
    while (!signal.aborted) {
      this.#woken = new AbortController();
      const wishMs = await this.#takeRound(signal);
      if (pauseMinMs > 0) await pauseUnless(signal, pauseMinMs);
      await pauseUnless(this.#woken.signal, Math.min(sweepMs, Math.max(0, wishMs ?? Infinity)));
    }
  }

  async #takeRound(signal: AbortSignal): Promise<number | null> {
    try {
      return await this.#setup.round(signal);
    } catch (error) {
      if (signal.aborted) return null;
      const { log, name } = this.#setup;
      log.warning("a round of work broke off, tried again soon", { loop: name, error });
      return null;
    }
  }
}

async function pauseUnless(signal: AbortSignal, delayMs: number): Promise<void> {
  await pause(delayMs, undefined, { signal }).catch(() => signal.aborted);
}

const log = roomLog("care");

/** Logs the error of an item and goes on with the next; throws if the store is unavailable. */
export async function eachApart<T>(
  name: string,
  all: Iterable<T> | AsyncIterable<T>,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for await (const one of all) {
    try {
      await work(one);
    } catch (error) {
      if (error instanceof Failure && error.code === "unavailable") throw error;
      log.error("one of several could not be done", { name, one, error });
    }
  }
}

/** A lease must be longer than an attempt to send. */
const LEASE_MS = 60_000;
const BACK_OFFS_MS = [5_000, 60_000, 600_000, 3_600_000, 10_800_000, 28_140_000, 43_200_000];
const JITTER = 0.2;

export const RETRIES_MAX = BACK_OFFS_MS.length;

/** Returns the delay before the next attempt, varied by up to 20 %; null if no attempt is left. */
export function backOffMs(failures: number, random: () => number): number | null {
  const baseMs = BACK_OFFS_MS[failures - 1];
  return baseMs === undefined ? null : Math.round(baseMs * (1 + JITTER * (2 * random() - 1)));
}

export interface Sendable {
  readonly failures: number;
  /** True while a sender has claimed the row; the row's due time is then the end of the lease. */
  readonly isInHand?: boolean;
}

export interface Ready<T> {
  readonly row: QueueRow<T>;
}

export interface SenderSetup extends Tools {
  readonly log: ReturnType<typeof roomLog>;
  readonly sweepMs: number;
  random(): number;
}

export interface Courier<T extends Sendable, R extends Ready<T>> {
  readonly name: string;
  readonly queue: RowQueue<T>;
  readonly slots: number;
  /** Returns the input of `send`; null if the row is not to be sent now. */
  prepare(row: QueueRow<T>, inFlight: readonly R[]): Promise<R | null>;
  /** Claims the row: returns its new value, or null if the row must not be sent. */
  claim(write: Write, row: QueueRow<T>): T | null | Promise<T | null>;
  send(ready: R, stopping: AbortSignal): Promise<void>;
}

export class Sender<T extends Sendable, R extends Ready<T>> {
  readonly #setup: SenderSetup;
  readonly #courier: Courier<T, R>;
  readonly #loop: WorkLoop;
  readonly #inFlight = new Map<R, Promise<void>>();
  readonly #position = new WalkPosition();

  constructor(setup: SenderSetup, courier: Courier<T, R>) {
    this.#setup = setup;
    this.#courier = courier;
    const { sweepMs, log } = setup;
    const round = (stopping: AbortSignal) => this.round(stopping);
    this.#loop = new WorkLoop({ name: courier.name, sweepMs, log, round });
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.drain();
  }

  async drain(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  async round(stopping: AbortSignal): Promise<number | null> {
    const { store, clock } = this.#setup;
    const { queue, slots, prepare } = this.#courier;
    const now = () => clock.now();
    let nextMs = Infinity;
    const waits = (dueMs: number) => nextMs = Math.min(nextMs, dueMs);
    // Another process's clock may be `LEASE_MS` ahead, so a lease may end after `2 * LEASE_MS`.
    const backoffMsMax = ({ failures }: T) => 2 * LEASE_MS + (backOffMs(failures, () => 1) ?? 0);
    const isFull = () => stopping.aborted || this.#inFlight.size >= slots;
    if (isFull()) return null;
    const walk = { store, position: this.#position, now, waits, backoffMsMax };
    for await (const row of walkDue(queue, walk)) {
      const ready = await prepare(row, [...this.#inFlight.keys()]);
      const claimed = ready && await this.#claim(ready.row);
      if (claimed) this.#begin({ ...ready, row: claimed }, stopping);
      if (isFull()) break;
    }
    return nextMs === Infinity ? null : nextMs - now().getTime();
  }

  async #claim(row: QueueRow<T>): Promise<QueueRow<T> | null> {
    const { store, clock } = this.#setup;
    const { queue } = this.#courier;
    const untilMs = clock.now().getTime() + LEASE_MS;
    const { value, versionstamp } = await transactVersioned({ store }, async (write) => {
      const found = await queue.findAgain(store, row);
      const claimed = found && await this.#courier.claim(write, found);
      if (!claimed) return null;
      const value = { ...claimed, isInHand: true };
      queue.move(write, found, untilMs, value);
      return value;
    });
    return value && versionstamp !== null ? { ...row, dueMs: untilMs, value, versionstamp } : null;
  }

  #begin(ready: R, stopping: AbortSignal): void {
    const done = this.#courier.send(ready, stopping).catch((error: unknown) => {
      // If this process stops, the row is due again when its lease ends.
      if (stopping.aborted) return;
      const { partition, id } = ready.row;
      const facts = { queue: this.#courier.name, partition: partition.join(), id, error };
      this.#setup.log.error("a row was left unsent", facts);
    }).finally(() => {
      this.#inFlight.delete(ready);
      this.wake();
    });
    this.#inFlight.set(ready, done);
  }
}

/**
 * Call `register` while the module loads, because Deno Deploy reads cron entries only then. After
 * the store is open, `attach` sets the function that the cron entry calls.
 */
export class MinuteCron {
  readonly #stopping = new AbortController();
  readonly #attached = Promise.withResolvers<() => Promise<void>>();

  /**
   * Runs the attached work at the start of each minute, unless the previous run still continues.
   */
  register(): void {
    const { signal } = this.#stopping;
    const fire = async () => await (await this.#attached.promise)();
    Deno.cron("every minute", "* * * * *", { signal }, fire).catch((error: unknown) => {
      roomLog("schedule").warning("the minutes are no longer called", { error });
    });
  }

  /** `work` must not throw. */
  attach(work: () => Promise<void>): void {
    this.#attached.resolve(work);
  }

  stop(): void {
    this.#stopping.abort();
  }
}
