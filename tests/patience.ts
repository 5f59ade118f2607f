/** Waits for conditions. A slow machine makes a test slower, but never fails it. */

/** So long that only a condition that never becomes true is given up. */
export const PATIENCE_MS = 300_000;
/** Limits work that might be quadratic. Linear work takes less on any machine. */
export const HANG_MS = 60_000;
const POLL_MS = 5;
/** The longest interval between two checks. It grows with the wait, as a check may slow the awaited work. */
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

/** Resolves after all pending microtasks, including those they start. */
export function nextTurn(): Promise<void> {
  return pause(0);
}

/** For tests with a slow shop or a measuring interval. No outcome may depend on the time. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** A promise that the test resolves. */
export function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: () => resolve() };
}
