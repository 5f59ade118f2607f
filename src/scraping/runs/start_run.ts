import { noSuchProduct } from "../../catalogue/find_product.ts";
import { findProduct } from "../../catalogue/product_store.ts";
import { isId } from "../../base/id.ts";
import type { Context } from "../../platform/context.ts";
import { transact } from "../../platform/kv.ts";
import { addManualRun, findRunInHand } from "./add_run.ts";
import { runStatus, type StartedRun } from "./run.ts";

/**
 * Starts a run over every enabled match of a product, or answers the one that has not ended. Works
 * with `scrapeEnabled: false` too, which is the schedule's. Refuses with `not_found`.
 */
export async function startRun(ctx: Context, productId: string): Promise<StartedRun> {
  const { value } = await transact(ctx, async (write) => {
    const found = isId(productId) ? await findProduct(ctx, productId) : null;
    if (!found) throw noSuchProduct(productId);
    const { run, active } = await findRunInHand(ctx, productId);
    if (run) return { runId: run.jobId, status: runStatus(run) };
    const added = addManualRun(write, ctx, found.product, active);
    ctx.receipt?.put(write, `/api/scrape-runs/${added.jobId}`);
    return { runId: added.jobId, status: runStatus(added) };
  });
  return value;
}
