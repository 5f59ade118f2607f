/** People change, start and pause the discovery of a shop. */
import { changedFields } from "../../accounts/audit/audit.ts";
import type { AuditDeed } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { findLogEnd } from "../../catalogue/products/change_log_store.ts";
import { cancelJob } from "../../platform/jobs/add_job.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { dropBlob } from "../../platform/store/spool.ts";
import { competitors } from "../../shops/competitor_store.ts";
import { automaticShops, metChanges } from "../../shops/discovery/suggestion_store.ts";
import {
  discoveries,
  Discovery,
  type DiscoverySettings,
  type FeedState,
  findDiscovery,
  SEARCH_PLACE,
  type StoredDiscovery,
  type StoredFeed,
} from "../../shops/discovery/discovery_store.ts";
import { domainOf } from "../../shops/domain.ts";
import { requireCompetitor } from "../../shops/require_competitors.ts";
import { publishSuggestions } from "../suggestions/suggest.ts";
import { type DiscoveryJob, jobInFlight, withJob, withWork } from "./discovery_job.ts";

type Kind = Pick<JobKind<DiscoveryJob>, "kind" | "finish">;
type Action = Extract<AuditDeed, "update" | "run" | "pause" | "unpause">;

export async function readDiscovery(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<Discovery> {
  await requireCompetitor(workspace, competitorId);
  const { discovery, job } = await findInFlight(workspace, competitorId);
  const { settings, lastReadMs, lastError, search } = discovery;
  const feeds = settings.feeds.map(({ url }) =>
    feedState(url, discovery.feeds.find((one) => one.url === url))
  );
  const { urls, visited, products } = job ? withWork(discovery.counts, job) : discovery.counts;
  return {
    ...settings,
    state: {
      phase: phaseOf(discovery, job),
      urls,
      visited,
      products,
      foreign: feeds.reduce((sum, feed) => sum + feed.foreign, 0) +
        (job?.cursor?.phase === "files" ? job.cursor.foreign : discovery.foreign),
      etaDays: urls === 0 ? null : Math.ceil(Math.max(0, urls - visited) / settings.pagesPerDay),
      feeds,
      searched: search.asked,
      lastReadAt: lastReadMs === 0 ? null : new Date(lastReadMs).toISOString(),
      lastError: job?.stats.lastError ?? lastError,
    },
  };
}

/** Reads the row and its job so that both agree, although the end of a job changes the row. */
async function findInFlight(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<{ readonly discovery: StoredDiscovery; readonly job: DiscoveryJob | null }> {
  for (let asked: string | null = null;;) {
    const { discovery } = await findDiscovery(workspace, competitorId);
    const job = await jobInFlight(workspace, discovery);
    // If the job has just ended, the row is read again.
    if (job !== null || discovery.jobId === asked) return { discovery, job };
    asked = discovery.jobId;
  }
}

function feedState(url: string, known: StoredFeed | undefined): FeedState {
  if (!known) return { url, readAt: null, entries: 0, foreign: 0, isCut: false, errorCode: null };
  const { readMs, entries, foreign, isCut, errorCode } = known;
  const readAt = readMs === 0 ? null : new Date(readMs).toISOString();
  return { url, readAt, entries, foreign, isCut, errorCode };
}

function phaseOf(
  { settings, isPaused }: StoredDiscovery,
  job: DiscoveryJob | null,
): Discovery["state"]["phase"] {
  if (settings.mode === "off") return "off";
  if (isPaused) return "paused";
  if (job === null) return "idle";
  switch (job.cursor?.phase ?? "settle") {
    case "settle":
      return job.cursor?.isRead ? "visiting" : "reading";
    case "feeds":
    case "files":
      return "reading";
    case "order":
    case "plan":
      return "ordering";
    case "search":
    case "visits":
    case "end":
      return "visiting";
  }
}

/** Enabling discovery starts it. Throws `not_found`, and `conflict` for a disabled shop. */
export async function changeDiscovery(
  ctx: Context,
  kind: Kind,
  competitorId: string,
  settings: DiscoverySettings,
): Promise<Discovery> {
  return await change(ctx, kind, competitorId, "update", (before) => ({ ...before, settings }));
}

/** `pause` stops discovery until `unpause`. Throws `not_found` and `conflict`. */
export async function steerDiscovery(
  ctx: Context,
  kind: Kind,
  competitorId: string,
  action: Exclude<Action, "update">,
): Promise<Discovery> {
  return await change(ctx, kind, competitorId, action, (before) => {
    if (before.settings.mode === "off") {
      throw new Failure("conflict", "Discovery is switched off for this competitor");
    }
    return { ...before, isPaused: action === "pause" };
  });
}

async function change(
  ctx: Context,
  kind: Kind,
  competitorId: string,
  action: Action,
  changed: (before: StoredDiscovery) => StoredDiscovery,
): Promise<Discovery> {
  await transact(ctx, async (write) => {
    const shop = await requireCompetitor(ctx, competitorId);
    const found = await findDiscovery(ctx, competitorId);
    const wished = changed(found.discovery);
    const { searchTemplate } = wished.settings;
    if (action === "update" && searchTemplate !== null) {
      requireOwnSearch(searchTemplate, shop.row.domain);
    }
    const isOn = wished.settings.mode !== "off" && !wished.isPaused;
    if (isOn && !shop.row.enabled) {
      throw new Failure("conflict", "The competitor is switched off: nobody fetches from it");
    }
    const job = await jobInFlight(ctx, found.discovery);
    const begins = isOn && job === null && isBegun(action, found.discovery, wished);
    const after = begins
      ? await withJob(write, ctx, competitorId, wished, action === "run")
      : wished;
    competitors.check(write, ctx, shop.row, shop);
    const met = await metChanges.find(ctx, {});
    // From now on, changed products are compared with known pages.
    if (isOn && !met) metChanges.save(write, ctx, null, { position: await findLogEnd(ctx) });
    const { mode } = found.discovery.settings;
    if (mode !== "automatic" && after.settings.mode === "automatic") {
      // Corrections from an earlier automatic mode no longer count.
      automaticShops.drop(write, ctx, { competitorId });
    }
    if (!isOn && job) {
      await cancelJob(write, ctx, cancelled(kind), job.jobId);
      const feed = job.cursor?.feed;
      if (feed) await dropBlob(write, ctx, feed.blobId);
    }
    discoveries.save(write, ctx, found.found, after);
    addAuditRow(write, ctx, {
      action: `discovery.${action}`,
      resource: { type: "discovery", id: competitorId, label: shop.row.displayName },
      ...changedFields(
        { ...found.discovery.settings, isPaused: found.discovery.isPaused },
        { ...after.settings, isPaused: after.isPaused },
      ),
    });
    ctx.receipt?.put(write, `/api/competitors/${competitorId}/discovery`);
  });
  return await readDiscovery(ctx, competitorId);
}

/** The names of our products must not go to another site. */
function requireOwnSearch(template: string, domain: string): void {
  if (domainOf(new URL(template.replace(SEARCH_PLACE, "0"))) === domain) return;
  throw refuseFields([{ path: "searchTemplate", message: `Must be an address of ${domain}` }]);
}

/** True if a person starts discovery, or enables it in the settings. */
function isBegun(action: Action, before: StoredDiscovery, after: StoredDiscovery): boolean {
  return action !== "update" || (before.settings.mode === "off" && after.settings.mode !== "off");
}

/** The kind for a cancellation. It announces new suggestions; the caller changes the shop's row. */
function cancelled({ kind }: Kind): Kind {
  return {
    kind,
    async finish({ args, cursor }, tools) {
      await publishSuggestions(tools.write, tools, args.competitorId, cursor?.untold ?? []);
    },
  };
}
