/** The job that visits the pages of one shop for a check, after everybody else who asks there. */
import type { JobKind } from "../../platform/jobs/job.ts";
import { dropTicket } from "../page/domain_store.ts";
import { giveTurnBack, unused } from "../page/take_turn.ts";
import type { TurnYield } from "../page/fetch_turn.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import { TurnMemory } from "../page/turn_memory.ts";
import type { RunMemory } from "../runs/run_memory.ts";
import { VISIT_KIND, type VisitJob } from "./link_check.ts";
import { takeVisitStep } from "./visit_step.ts";

/** `memory` is that of the runs of this process, before whom no visit goes. */
export function createVisitKind(deps: ScrapeDeps, memory: RunMemory): JobKind<VisitJob> {
  const visits = new TurnMemory<TurnYield>();
  return {
    kind: VISIT_KIND,
    // A visit waits for its shop most of the time.
    slotsPerProcess: 16,
    slotsPerWorkspace: 8,
    isSerialPerWorkspace: false,
    waitsForOthers: true,
    step: (job, tools) => takeVisitStep({ deps, memory, visits }, job, tools),
    finish: async ({ jobId, cursor }, tools) => {
      visits.forget(jobId);
      if (cursor?.ticket) dropTicket(tools.write, cursor.ticket);
      if (cursor?.turn) {
        await giveTurnBack(tools.write, tools, cursor.turn.domain, unused(cursor.turn));
      }
    },
  };
}
