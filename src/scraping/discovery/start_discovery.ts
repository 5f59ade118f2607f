import { addJob } from "../../platform/jobs/add_job.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { Clockwork, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitor, findCompetitor } from "../../shops/competitor_store.ts";
import type { StoredDiscovery } from "../../shops/discovery/discovery.ts";
import {
  findDiscovery,
  saveDiscovery,
  walkAllDiscoveries,
} from "../../shops/discovery/discovery_store.ts";
import { findInHand } from "../asked_jobs.ts";
import { DISCOVERY } from "../suggestions/link_by_itself.ts";
import { DISCOVERY_KIND, type DiscoveryJob, NO_DISCOVERY_COUNTS } from "./discovery_job.ts";

/** The job that a shop's row names, while it has not ended. */
export async function jobInHand(
  workspace: WorkspaceStore,
  { jobId }: StoredDiscovery,
): Promise<DiscoveryJob | null> {
  const job = jobId && await findInHand<DiscoveryJob>(workspace, DISCOVERY_KIND, jobId);
  // One that was told to stop ends with the page in hand, whatever is said meanwhile.
  return job && !job.cancelRequested ? job : null;
}

/** The row with a new job in it, which the caller's commit adds; as it is where one is in hand. */
export async function withJob(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">,
  competitorId: string,
  discovery: StoredDiscovery,
  isFresh: boolean,
): Promise<StoredDiscovery> {
  if (await jobInHand(ctx, discovery)) return discovery;
  const args = { competitorId, isFresh };
  const job = addJob(write, ctx, { kind: DISCOVERY_KIND, args, stats: NO_DISCOVERY_COUNTS });
  return { ...discovery, jobId: job.jobId, lastError: null };
}

/** Begins the day of every shop whose pages are looked for and whose time has come; answers how many. */
export async function beginDueDiscoveries(
  { store, clockwork }: { readonly store: Store; readonly clockwork: Clockwork },
): Promise<number> {
  let count = 0;
  await eachApart("discovery", walkAllDiscoveries(store), async (row) => {
    if (!isTime(row.discovery, clockwork.now().getTime())) return;
    const { workspaceId, competitorId } = row;
    const ctx = { ...clockwork, store, workspaceId, actor: DISCOVERY };
    const begun = await transact({ store }, async (write) => {
      const found = await findDiscovery(ctx, competitorId);
      const shop = await findCompetitor(ctx, competitorId);
      if (!shop?.competitor.enabled || !isTime(found.discovery, clockwork.now().getTime())) {
        return false;
      }
      const after = await withJob(write, ctx, competitorId, found.discovery, false);
      if (after === found.discovery) return false;
      checkCompetitor(write, workspaceId, shop);
      saveDiscovery(write, workspaceId, competitorId, found, after);
      return true;
    });
    if (begun) count++;
  });
  return count;
}

function isTime({ settings, isPaused, nextRunMs }: StoredDiscovery, nowMs: number): boolean {
  return settings.mode !== "off" && !isPaused && nextRunMs <= nowMs;
}
