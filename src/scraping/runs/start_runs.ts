import { Failure } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import { waitForJob } from "../../platform/jobs/add_job.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { cancelAsked } from "../asked_jobs.ts";
import { ASKED_RUN, readRun } from "./read_runs.ts";
import {
  addManualRun,
  askedRuns,
  findRunInFlight,
  type Run,
  RUN_KIND,
  type RunJob,
  runStatus,
  type StartedRun,
} from "./run.ts";
import { z } from "@hono/zod-openapi";

export const RunsRequest = z.strictObject({
  productIds: z.array(z.string()).min(1).max(200),
}).meta({ id: "ScrapeRunsRequest" });

export type RunsRequest = z.infer<typeof RunsRequest>;

export const StartedRuns = z.object({
  started: z.array(z.object({ productId: z.string(), runId: z.string() })).meta({
    description: "Ids of the new runs",
  }),
  inHand: z.array(z.string()).meta({
    description: "Products with an unfinished run, which get no other one",
  }),
  missing: z.array(z.string()).meta({ description: "Ids that name no active product" }),
  noRoom: z.array(z.string()).meta({
    description: "Products without a run, because too many runs wait already",
  }),
}).meta({ id: "StartedScrapeRuns" });

export type StartedRuns = Readonly<z.infer<typeof StartedRuns>>;

/**
 * Starts runs product by product, as many as there is room for; the remaining products are listed
 * in the answer.
 */
export async function startRuns(
  ctx: Context,
  { productIds }: z.output<typeof RunsRequest>,
): Promise<StartedRuns> {
  // Only the whole answer is stored for a repeated request, not the answer for each product.
  const each = { ...ctx, receipt: null };
  const done: z.infer<typeof StartedRuns> = { started: [], inHand: [], missing: [], noRoom: [] };
  // Counted once and not per product; room that becomes free meanwhile is for the next request.
  let room = await roomForRuns(ctx);
  for (const productId of new Set(productIds)) {
    try {
      const { runId, isNew } = await startRun(each, productId, { room });
      if (isNew) {
        room -= 1;
        done.started.push({ productId, runId });
      } else done.inHand.push(productId);
    } catch (error) {
      const code = error instanceof Failure ? error.code : null;
      if (code === "rate_limited") done.noRoom.push(productId);
      else if (code === "not_found") done.missing.push(productId);
      else throw error;
    }
  }
  return done;
}

/**
 * Maximum number of unfinished requested runs per workspace; at a single shop they take half an hour.
 * Simultaneous requests may exceed it slightly. The schedule does not count.
 */
export const ASKED_RUNS_MAX = 1_000;

const RETRY_AFTER_SECONDS = 60;

/**
 * Starts a run over every enabled match of a product, or returns the unfinished one. Works with
 * `scrapeEnabled: false` too, which concerns only the schedule. Throws `not_found`, and `rate_limited`
 * while too many requested runs are unfinished.
 */
export async function startRun(
  ctx: Context,
  productId: string,
  /** `room`: how many further runs may start, counted by the caller. */
  { room }: { readonly room?: number } = {},
): Promise<StartedRun & { readonly isNew: boolean }> {
  return await transact(ctx, async (write) => {
    const found = isId(productId) ? await findProduct(ctx, productId) : null;
    if (!found) throw noSuchProduct(productId);
    const { run, active } = await findRunInFlight(ctx, productId);
    if (run) return { runId: run.jobId, status: runStatus(run), isNew: false };
    if ((room ?? await roomForRuns(ctx)) <= 0) {
      const message =
        `${ASKED_RUNS_MAX} scrape runs wait already: let some of them end, or cancel them`;
      throw new Failure("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const added = addManualRun(write, ctx, found.product, active);
    ctx.receipt?.put(write, `/api/scrape-runs/${added.jobId}`);
    return { runId: added.jobId, status: runStatus(added), isNew: true };
  });
}

/** Returns how many further runs may start; reads a row of each unfinished run. */
export async function roomForRuns(ctx: Context): Promise<number> {
  return ASKED_RUNS_MAX - (await askedRuns.list(ctx, { limit: ASKED_RUNS_MAX })).length;
}

/**
 * Cancels a run; its stored results stay. Throws `not_found`, and `conflict` if it has already
 * ended.
 */
export async function cancelRun(
  ctx: Context,
  kind: Pick<JobKind<RunJob>, "kind" | "finish">,
  id: string,
): Promise<Run> {
  await cancelAsked(ctx, ASKED_RUN, kind, id);
  // How long to wait for a cancelled run, which ends within two seconds.
  await waitForJob(ctx, RUN_KIND, id, 4_000);
  return await readRun(ctx, id);
}
