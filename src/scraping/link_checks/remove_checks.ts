/** Checks go as a whole, with all that their lines have left. */
import type { Job } from "../../platform/jobs/job.ts";
import type { Store } from "../../platform/store/kv.ts";
import { removeInBatches } from "../../platform/store/rows.ts";
import { ACCEPT_KIND, CHECK_KIND, VISIT_KIND } from "./link_check.ts";
import { deleteCheckRow, walkCheckRows } from "./link_check_store.ts";

/** How long a check is kept. */
export const CHECK_DAYS = 30;
const BATCH_SIZE = 500;
const KINDS: ReadonlySet<string> = new Set([CHECK_KIND, VISIT_KIND, ACCEPT_KIND]);

export function isOfCheck(job: Job): boolean {
  return KINDS.has(job.kind);
}

/** Takes away what a check keeps beside its job; for the sweep that then takes the job. */
export async function removeCheckRows(store: Store, job: Job): Promise<void> {
  if (job.kind !== CHECK_KIND) return;
  await removeInBatches(store, walkCheckRows(store, job), BATCH_SIZE, deleteCheckRow);
}
