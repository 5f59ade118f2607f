import type { Context } from "../../platform/store/context.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import { cancelJob } from "../../platform/jobs/cancel_job.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireImport } from "./apply_import.ts";
import type { QueuedImport } from "../state/import_job.ts";

/**
 * Ends an import: what it has committed stays and is counted (docs/decisions/imports.md). Refuses
 * with `not_found`, and with `conflict` when it has ended.
 */
export async function cancelImport(
  ctx: Context,
  kind: JobKind<QueuedImport>,
  jobId: string,
): Promise<void> {
  await transact(ctx, async (write) => {
    await requireImport(ctx, jobId);
    await cancelJob(write, ctx, kind, jobId);
    ctx.receipt?.put(write, null);
  });
}
