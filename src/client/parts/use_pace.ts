import { useRef } from "preact/hooks";

/** Fewer steps say nothing about the pace. */
const STEPS_MIN = 4;

/** Returns the minutes that are left at the pace seen on this page; null while it is unknown. */
export function useMinutesLeft(done: number, total: number): number | null {
  const begun = useRef({ done, atMs: Date.now() });
  if (done < begun.current.done) begun.current = { done, atMs: Date.now() };
  const steps = done - begun.current.done;
  if (steps < STEPS_MIN) return null;
  const minutes = (Date.now() - begun.current.atMs) / 60_000;
  return Math.max(1, Math.ceil((total - done) * minutes / steps));
}
