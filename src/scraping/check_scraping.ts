import type { Store } from "../platform/store/kv.ts";
import { findInHand } from "./asked_jobs.ts";
import { checkLinkChecks } from "./link_checks/check_rows.ts";
import { RETRY_KIND } from "./runs/retry.ts";
import { walkLastRetries } from "./runs/retry_store.ts";
import { RUN_KIND } from "./runs/run.ts";
import { walkActiveProducts, walkAskedRuns } from "./runs/run_store.ts";
import { findCompetitorLoads, walkSchedules } from "./schedule/schedule_store.ts";

/**
 * Looks for disagreements between the rows of runs and schedule of one workspace
 * (docs/decisions/keys.md).
 */
export async function* checkScraping(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  for await (const { productId, runId } of walkActiveProducts(workspace)) {
    if (await findInHand(workspace, RUN_KIND, runId)) continue;
    yield `Product ${productId} waits for the scrape run ${runId}, which has ended`;
  }
  for await (const runId of walkAskedRuns(workspace)) {
    if (await findInHand(workspace, RUN_KIND, runId)) continue;
    yield `The scrape run ${runId} counts among those that wait, and has ended`;
  }
  for await (const { competitorId, retryId } of walkLastRetries(workspace)) {
    if (await findInHand(workspace, RETRY_KIND, retryId)) continue;
    yield `Competitor ${competitorId} waits for the retry ${retryId}, which has ended`;
  }
  yield* checkLinkChecks(workspace);
  const loads = new Map<string, number>();
  for await (const { productId, due, hasRow } of walkSchedules(workspace)) {
    if (!hasRow) yield `Product ${productId} is never found to be due`;
    for (const [id, load] of Object.entries(due.load.competitors)) {
      loads.set(id, (loads.get(id) ?? 0) + load);
    }
  }
  const ids = [...loads.keys()];
  const sums = await findCompetitorLoads(workspace, ids);
  for (const [at, id] of ids.entries()) {
    if (sums[at] === loads.get(id)) continue;
    yield `Competitor ${id} counts ${sums[at]} due fetches, there are ${loads.get(id)}`;
  }
}
