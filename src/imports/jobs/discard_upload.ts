import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { transact } from "../../platform/store/kv.ts";
import { discardBlob, giveBlobUp } from "../../platform/store/spool.ts";
import { requireImport } from "./apply_import.ts";
import { keepsUpload } from "../state/import_job.ts";
import { findApplier } from "../state/import_row_store.ts";

/**
 * Deletes the file that a dry run or a waiting import keeps, so that others have its room; what the job
 * has found stays. Once more changes nothing. Refuses with `not_found`, and with `conflict` an import
 * that goes on, keeps no file, or was applied.
 */
export async function discardUpload(ctx: Context, jobId: string): Promise<void> {
  const blobId = await transact(ctx, async (write) => {
    const job = await requireImport(ctx, jobId);
    if (!hasEnded(job)) throw new Failure("conflict", "The import has not ended: cancel it");
    if (!keepsUpload(job)) {
      throw new Failure(
        "conflict",
        "Only a dry run, or an import that is held or whose prices were refused, keeps its file",
      );
    }
    const appliedBy = await findApplier(ctx, jobId);
    if (appliedBy) throw new Failure("conflict", "The import was applied", { jobId: appliedBy });
    const { blobId, label } = job.args;
    if (!await giveBlobUp(write, ctx, blobId)) return null;
    addAuditRow(write, ctx, {
      action: "import.discard",
      resource: { type: "import", id: jobId, label },
      before: null,
      after: null,
    });
    return blobId;
  });
  if (blobId !== null) await discardBlob(ctx, blobId);
}
