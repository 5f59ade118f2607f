import type { Job, JobKind } from "../../platform/jobs/job.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import { finishRun } from "./finish_run.ts";
import { RUN_KIND, type RunJob } from "./run.ts";
import { deleteRunRows } from "./run_store.ts";
import { RunMemory } from "./run_memory.ts";
import { takeRunStep } from "./run_step.ts";

/** How runs are done. `memory` is shared with whoever else visits shops in this process. */
export function createRunKind(deps: ScrapeDeps, memory = new RunMemory()): JobKind<RunJob> {
  return {
    kind: RUN_KIND,
    // A run waits for its shops most of the time; what it holds meanwhile is bounded by itself.
    slotsPerProcess: 64,
    slotsPerWorkspace: 32,
    isSerialPerWorkspace: false,
    waitsForOthers: true,
    step: (run, tools) => takeRunStep({ deps, memory, tools }, run),
    finish: async (run, tools) => {
      // A step that ends its run forgets when it is committed: what was brought must outlive a lost race.
      if (run.status !== "succeeded") memory.forget(run.jobId);
      await finishRun(deps, run, tools);
    },
  };
}

/** Takes away what a run keeps beside its job; for the sweep that then takes the job. */
export async function removeRunRows(store: Store, job: Job): Promise<void> {
  if (!isRun(job)) return;
  await transact({ store }, (write) => deleteRunRows(write, store, job));
}

export function isRun(job: Job): job is RunJob {
  return job.kind === RUN_KIND;
}
