import { z } from "@hono/zod-openapi";
import { Failure } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { roomForRuns, startRun } from "./start_run.ts";

const PRODUCTS_MAX = 200;

export const RunsRequest = z.strictObject({
  productIds: z.array(z.string()).min(1).max(PRODUCTS_MAX),
}).meta({ id: "ScrapeRunsRequest" });

export type RunsRequest = z.infer<typeof RunsRequest>;

export const StartedRuns = z.object({
  started: z.array(z.object({ productId: z.string(), runId: z.string() })).meta({
    description: "New runs",
  }),
  inHand: z.array(z.string()).meta({
    description: "Products whose run has not ended, so that they got no other one",
  }),
  missing: z.array(z.string()).meta({ description: "Ids that name no active product" }),
  noRoom: z.array(z.string()).meta({
    description: "Products that got none, because too many runs wait already",
  }),
}).meta({ id: "StartedScrapeRuns" });

export type StartedRuns = Readonly<z.infer<typeof StartedRuns>>;

/** Starts runs product by product, as many as there is room for; the rest is named, not refused. */
export async function startRuns(
  ctx: Context,
  { productIds }: z.output<typeof RunsRequest>,
): Promise<StartedRuns> {
  // The answer is kept for a repeated request; a crash in the middle shows in the runs.
  const each = { ...ctx, receipt: null };
  const done: z.infer<typeof StartedRuns> = { started: [], inHand: [], missing: [], noRoom: [] };
  // Counted once, not for each product; what comes free meanwhile is for the next request.
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
