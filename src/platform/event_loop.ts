/** Functions that yield to the event loop, limit waiting times, and log stalls. */
import { roomLog } from "./log.ts";

let lastYield: Promise<void> = Promise.resolve();

/** Waits with a timer, because `setImmediate` would delay the network's sockets. */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return lastYield;
}

export class TimeSlice {
  readonly #limitMs: number;
  #beganMs = performance.now();
  #yielding: Promise<void> | null = null;

  constructor(limitMs = 8) {
    this.#limitMs = limitMs;
  }

  begin(): void {
    this.#beganMs = performance.now();
  }

  async yield(): Promise<void> {
    if (performance.now() - this.#beganMs <= this.#limitMs) return;
    this.#yielding ??= yieldToEventLoop().then(() => {
      this.#yielding = null;
      this.begin();
    });
    await this.#yielding;
  }
}

export async function withTimeout(delayMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), delayMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

const log = roomLog("platform");
const POLL_MS = 50;
const WINDOW_MS = 60_000;

let longest = { startedMs: 0, nowMs: 0, beforeMs: 0 };

/** The longest time that the event loop was blocked, in the current and the previous minute. */
export function longestStallMs(): number {
  rotateWindow();
  return Math.max(longest.nowMs, longest.beforeMs);
}

function rotateWindow(): void {
  const atMs = performance.now();
  const windows = Math.floor((atMs - longest.startedMs) / WINDOW_MS);
  if (windows === 0) return;
  const beforeMs = windows === 1 ? longest.nowMs : 0;
  longest = { startedMs: longest.startedMs + windows * WINDOW_MS, nowMs: 0, beforeMs };
}

export function watchStalls(): Disposable {
  let dueMs = performance.now() + POLL_MS;
  const look = () => {
    const stalledMs = Math.max(0, Math.round(performance.now() - dueMs));
    dueMs = performance.now() + POLL_MS;
    rotateWindow();
    longest = { ...longest, nowMs: Math.max(longest.nowMs, stalledMs) };
    if (stalledMs >= 1_000) log.warning("the event loop stalled", { stalledMs });
  };
  const timer = setInterval(look, POLL_MS);
  Deno.unrefTimer(timer);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
