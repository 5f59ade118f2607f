import { useRef } from "preact/hooks";

/** Fewer steps give no reliable pace. */
const STEPS_MIN = 4;

/** Estimates from the progress since the page was opened; null while that is too little. */
export function useMinutesLeft(done: number, total: number): number | null {
  const begun = useRef({ done, atMs: Date.now() });
  if (done < begun.current.done) begun.current = { done, atMs: Date.now() };
  const steps = done - begun.current.done;
  if (steps < STEPS_MIN) return null;
  const minutes = (Date.now() - begun.current.atMs) / 60_000;
  return Math.max(1, Math.ceil((total - done) * minutes / steps));
}
