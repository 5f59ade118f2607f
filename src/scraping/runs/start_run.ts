import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { addManualRun, findRunInHand } from "./add_run.ts";
import { runStatus, type StartedRun } from "./run.ts";
import { countAskedRuns } from "./run_store.ts";

/**
 * Runs that the people of one workspace may have asked for and that have not ended; at one shop alone
 * they take half an hour. Requests at the same time may bring some more. The schedule does not count.
 */
export const ASKED_RUNS_MAX = 1_000;

const RETRY_AFTER_SECONDS = 60;

/**
 * Starts a run over every enabled match of a product, or answers the one that has not ended. Works
 * with `scrapeEnabled: false` too, which is the schedule's. Refuses with `not_found`, and with
 * `rate_limited` while too many runs that people asked for have not ended.
 */
export async function startRun(
  ctx: Context,
  productId: string,
  /** `room`: for how many more there is room, as the caller has counted it. */
  { room }: { readonly room?: number } = {},
): Promise<StartedRun & { readonly isNew: boolean }> {
  return await transact(ctx, async (write) => {
    const found = isId(productId) ? await findProduct(ctx, productId) : null;
    if (!found) throw noSuchProduct(productId);
    const { run, active } = await findRunInHand(ctx, productId);
    if (run) return { runId: run.jobId, status: runStatus(run), isNew: false };
    if ((room ?? await roomForRuns(ctx)) <= 0) throw noRoom();
    const added = addManualRun(write, ctx, found.product, active);
    ctx.receipt?.put(write, `/api/scrape-runs/${added.jobId}`);
    return { runId: added.jobId, status: runStatus(added), isNew: true };
  });
}

/** For how many more runs there is room; counting them reads a row of each that waits. */
export async function roomForRuns(ctx: Context): Promise<number> {
  return ASKED_RUNS_MAX - await countAskedRuns(ctx, ASKED_RUNS_MAX);
}

function noRoom(): Failure {
  return new Failure(
    "rate_limited",
    `${ASKED_RUNS_MAX} scrape runs wait already: let some of them end, or cancel them`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
