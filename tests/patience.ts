/** Waiting for what comes by itself: a slow machine takes longer, and is no reason for a test to fail. */

/** Only what never comes is given up. */
export const PATIENCE_MS = 300_000;
/** For work whose time grows with the square of its input: on no machine does the linear way take as long. */
export const HANG_MS = 60_000;
const LOOK_MS = 5;
/**
 * After a long wait it looks less often, because each look may be a request that slows the awaited
 * work.
 */
const LOOK_MOST_MS = 50;
const LOOK_SHARE = 1 / 40;

/** Resolves as soon as it is so. */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const beganAt = performance.now();
  while (!await isSo()) {
    const waitedMs = performance.now() - beganAt;
    if (waitedMs > patienceMs) throw new Error(`Waited for minutes in vain until ${what}`);
    await pause(Math.min(LOOK_MOST_MS, Math.max(LOOK_MS, waitedMs * LOOK_SHARE)));
  }
}

/** Resolves when all is done that waits for nothing: promises that are settled, and what they begin. */
export function nextTurn(): Promise<void> {
  return pause(0);
}

/** For what takes a while by itself: a slow shop, a rhythm of measuring. No outcome may depend on it. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** A promise that a test settles when it is time. */
export function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: () => resolve() };
}
