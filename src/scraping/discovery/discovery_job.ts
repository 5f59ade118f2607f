import type { ImportDeps } from "../../imports/apply/batch.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { competitors } from "../../shops/competitor_store.ts";
import {
  discoveries,
  findDiscovery,
  type StoredDiscovery,
  type UrlCounts,
} from "../../shops/discovery/discovery_store.ts";
import { findInFlight } from "../asked_jobs.ts";
import type { PermitInFlight } from "../page/domain_queue.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import { DISCOVERY } from "../suggestions/link_by_itself.ts";
import type { ProductIndexes } from "../suggestions/product_indexes.ts";
import type { NewSuggestion } from "../suggestions/suggest.ts";
import type { LinkReader, SitemapReader } from "./ask_shop.ts";

export const DISCOVERY_KIND = "discovery";

interface DiscoveryArgs {
  readonly competitorId: string;
  /** True to read the sitemaps even if they were read recently. */
  readonly isFresh: boolean;
}

/**
 * The phases of a job, in order: `settle` stores the results of earlier visits; `feeds` and `files`
 * read feeds and sitemaps; `order` scores new addresses; `search` uses the shop's search; `plan`
 * chooses pages, and `visits` visits them. Then it settles and plans again until the day's share is
 * used (`end`).
 */
export type DiscoveryPhase =
  | "settle"
  | "feeds"
  | "files"
  | "order"
  | "search"
  | "plan"
  | "visits"
  | "end";

/** A feed in the spool whose entries are not processed yet. */
export interface FeedInFlight {
  readonly url: string;
  readonly blobId: string;
  readonly manifestAt: number;
  readonly sha256: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly atMs: number;
}

export interface DiscoveryCursor {
  readonly phase: DiscoveryPhase;
  /** Index of the current feed, file, part of the addresses, or row of the plan. */
  readonly n: number;
  readonly turn: PermitInFlight | null;
  /** From the shop's robots.txt; 0 without one. */
  readonly crawlDelayMs: number;
  readonly askedAtMs: number;
  readonly blocked: number;
  readonly isRead: boolean;
  readonly isRescoring: boolean;
  readonly foreign: number;
  /** Absent in jobs from before feeds and searches existed. */
  readonly feed?: FeedInFlight | null;
  readonly search?: { readonly productId: string; readonly url: string } | null;
  /** Work of this job that the shop's counts already contain. `added` is absent in older jobs. */
  readonly counted:
    & Pick<DiscoveryCounts, "visited" | "products">
    & Partial<Pick<DiscoveryCounts, "added">>;
  /** New suggestions that are not yet announced; absent in older jobs. */
  readonly untold?: readonly NewSuggestion[];
  readonly budget: number;
}

interface DiscoveryCounts {
  readonly files: number;
  readonly added: number;
  readonly visited: number;
  readonly products: number;
  readonly suggested: number;
  /** Requests to the shop's search; absent in older jobs. */
  readonly searched?: number;
  readonly lastError: string | null;
}

export type DiscoveryJob = Job<DiscoveryArgs, DiscoveryCursor, DiscoveryCounts>;

const NO_DISCOVERY_COUNTS: DiscoveryCounts = {
  files: 0,
  added: 0,
  visited: 0,
  products: 0,
  suggested: 0,
  searched: 0,
  lastError: null,
};

export const DISCOVERY_BEGIN: DiscoveryCursor = {
  phase: "settle",
  n: 0,
  turn: null,
  crawlDelayMs: 0,
  askedAtMs: 0,
  blocked: 0,
  isRead: false,
  isRescoring: false,
  counted: { added: 0, visited: 0, products: 0 },
  foreign: 0,
  budget: 0,
};

/** The counts of a shop's pages, with the work of the running job that they do not contain yet. */
export function withWork(counts: UrlCounts, job: DiscoveryJob): UrlCounts {
  const { visited, products } = counts;
  const { counted, isRead } = job.cursor ?? DISCOVERY_BEGIN;
  const urls = counts.urls + job.stats.added - (counted.added ?? (isRead ? job.stats.added : 0));
  return {
    urls,
    visited: Math.min(urls, visited + job.stats.visited - counted.visited),
    products: Math.min(urls, products + job.stats.products - counted.products),
  };
}

/** Visits and searches. Both count towards the shop's daily share. */
export function requestsOf({ stats: { visited, searched = 0 } }: DiscoveryJob): number {
  return visited + searched;
}

export interface DiscoveryDeps {
  readonly scraper: ScrapeDeps;
  readonly reader: SitemapReader & LinkReader;
  /** Feeds are read with the readers of imports. */
  readonly imports: Pick<ImportDeps, "limits" | "allowed">;
  readonly indexes: ProductIndexes;
}

export async function jobInFlight(
  workspace: WorkspaceStore,
  { jobId }: StoredDiscovery,
): Promise<DiscoveryJob | null> {
  const job = jobId && await findInFlight<DiscoveryJob>(workspace, DISCOVERY_KIND, jobId);
  // A cancelled job ends after its current page, so it does not count as running.
  return job && !job.cancelRequested ? job : null;
}

/** Adds a job in the caller's commit, unless the row's job is running. Returns the row. */
export async function withJob(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "actor" | "now" | "newId">,
  competitorId: string,
  discovery: StoredDiscovery,
  isFresh: boolean,
): Promise<StoredDiscovery> {
  if (await jobInFlight(ctx, discovery)) return discovery;
  const args = { competitorId, isFresh };
  const job = addJob(write, ctx, { kind: DISCOVERY_KIND, args, stats: NO_DISCOVERY_COUNTS });
  return { ...discovery, jobId: job.jobId, lastError: null };
}

/** Starts the daily job of each due shop. Returns the number of started jobs. */
export async function beginDueDiscoveries(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
): Promise<number> {
  let count = 0;
  await eachApart("discovery", discoveries.walkAll(store), async ({ workspaceId, row }) => {
    if (!isTime(row, clock.now().getTime())) return;
    const { competitorId } = row;
    const ctx = { ...clock, store, workspaceId, actor: DISCOVERY };
    const begun = await transact({ store }, async (write) => {
      const found = await findDiscovery(ctx, competitorId);
      const shop = await competitors.find(ctx, { id: competitorId });
      if (!shop?.row.enabled || !isTime(found.discovery, clock.now().getTime())) return false;
      const after = await withJob(write, ctx, competitorId, found.discovery, false);
      if (after === found.discovery) return false;
      competitors.check(write, ctx, shop.row, shop);
      discoveries.save(write, ctx, found.found, after);
      return true;
    });
    if (begun) count++;
  });
  return count;
}

function isTime({ settings, isPaused, nextRunMs }: StoredDiscovery, nowMs: number): boolean {
  return settings.mode !== "off" && !isPaused && nextRunMs <= nowMs;
}
