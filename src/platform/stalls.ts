/**
 * Stalls of the event loop: times in which the process answers nobody, because some work keeps the
 * thread. A timer that comes late is the measure. `/metrics` shows the longest stall of the last one to
 * two minutes; a stall of more than a second also has a line in the log.
 */
import { roomLog } from "./log.ts";

const log = roomLog("platform");
const LOOK_MS = 50;
const LOGGED_FROM_MS = 1_000;
const WINDOW_MS = 60_000;

let longest = { startedMs: 0, nowMs: 0, beforeMs: 0 };

/** The longest stall of the present and the last minute, in ms; 0 while nobody watches. */
export function longestStallMs(): number {
  turnWindow();
  return Math.max(longest.nowMs, longest.beforeMs);
}

function turnWindow(): void {
  const atMs = performance.now();
  const windows = Math.floor((atMs - longest.startedMs) / WINDOW_MS);
  if (windows === 0) return;
  const beforeMs = windows === 1 ? longest.nowMs : 0;
  longest = { startedMs: longest.startedMs + windows * WINDOW_MS, nowMs: 0, beforeMs };
}

/** Watches until it is disposed of; one watch per process. */
export function watchStalls(): Disposable {
  let dueMs = performance.now() + LOOK_MS;
  const look = () => {
    const stalledMs = Math.max(0, Math.round(performance.now() - dueMs));
    dueMs = performance.now() + LOOK_MS;
    turnWindow();
    longest = { ...longest, nowMs: Math.max(longest.nowMs, stalledMs) };
    if (stalledMs >= LOGGED_FROM_MS) log.warning("the event loop stalled", { stalledMs });
  };
  const timer = setInterval(look, LOOK_MS);
  Deno.unrefTimer(timer);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
