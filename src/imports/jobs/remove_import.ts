import { removeArrival } from "../../catalogue/prices/awaited_price_store.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { IMPORT_KIND } from "../state/import_job.ts";
import { clearImport } from "../state/clear_import.ts";

/** Takes away everything that an import keeps beside its job; for the sweep that then takes the job. */
export async function removeImport(store: Store, job: Job): Promise<void> {
  if (job.kind !== IMPORT_KIND) return;
  const { workspaceId, jobId } = job;
  await clearImport({ store, workspaceId }, jobId, "whole", async (effects) => {
    await transact({ store }, effects);
  });
  await transact({ store }, (write) => removeArrival(write, workspaceId, jobId));
}
