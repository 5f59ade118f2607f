/** Waits for conditions, so that tests take longer on a slow machine instead of failing. */

/** Default time limit for a condition that never becomes true. */
export const PATIENCE_MS = 300_000;
/** Long enough for linear work on hostile input on any machine, too short for quadratic work. */
export const HANG_MS = 60_000;
const POLL_MS = 5;
/** Delays grow with the waiting time, because frequent checks slow down the awaited work. */
const POLL_MOST_MS = 250;
const POLL_SHARE = 1 / 10;

export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const beganAt = performance.now();
  while (!await isSo()) {
    const waitedMs = performance.now() - beganAt;
    if (waitedMs > patienceMs) throw new Error(`Waited for minutes in vain until ${what}`);
    await pause(Math.min(POLL_MOST_MS, Math.max(POLL_MS, waitedMs * POLL_SHARE)));
  }
}

export async function readUntil<T>(
  what: string,
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
): Promise<T> {
  let value = await read();
  await until(what, async () => isWanted(value) || isWanted(value = await read()));
  return value;
}

export function nextTurn(): Promise<void> {
  return pause(0);
}

/** No test result may depend on this delay. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** Calls `work` again and again; disposal waits until the last call has ended. */
export function repeatedly(work: () => Promise<unknown>): AsyncDisposable {
  let isOver = false;
  const working = (async () => {
    while (!isOver) await work();
  })();
  // Prevents an unhandled rejection; disposal still throws the error.
  working.catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await working;
    },
  };
}

export function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: () => resolve() };
}
