import type { JobStatus } from "../../platform/jobs/job.ts";
import { codeCell, type Said } from "../../platform/tables/cell.ts";
import { isHoldCode } from "./hold_codes.ts";

/** How an import stands: one that is held waits for a person, though its job has failed. */
export function importStateCell(status: JobStatus, errorCode: string | null): Said {
  const shown = isHoldCode(errorCode)
    ? codeCell("importHolds", "held")
    : codeCell("jobStates", status);
  return { ...shown, plain: status };
}
