import { enqueueDue } from "../../../src/scraping/runs/run_kind.ts";
import type { TestApp } from "../../harness.ts";

/** One pass of the schedule at the app's time; answers how many runs it made. */
export function runTick({ store, app: { clockwork } }: TestApp, delayMs = 0): Promise<number> {
  return enqueueDue({ store, clockwork, delayMs });
}
