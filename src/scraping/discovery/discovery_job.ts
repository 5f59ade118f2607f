/**
 * Discovery finds the pages of a shop that show our products. A shop has at most one discovery job
 * at a time, not counting a job that is being cancelled.
 */
import type { ImportDeps } from "../../imports/apply/span.ts";
import { addJob, cancelJob } from "../../platform/jobs/job_store.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { competitors, requireCompetitor } from "../../shops/competitor_store.ts";
import {
  discoveries,
  Discovery,
  type DiscoverySettings,
  type FeedState,
  findDiscovery,
  SEARCH_PLACE,
  type StoredDiscovery,
  type StoredFeed,
  type UrlCounts,
} from "../../shops/pages/discovery_store.ts";
import { findInFlight } from "../asked_jobs.ts";
import type { PermitInFlight } from "../page/permit.ts";
import type { ScrapeDeps } from "../page/visit_tools.ts";
import { DISCOVERY } from "../suggestions/link_by_itself.ts";
import type { ProductIndexes } from "../suggestions/product_indexes.ts";
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import type { LinksQuestion, PageLink, SitemapQuestion, SitemapReport } from "./read_addresses.ts";
import { fromKeys } from "../../base/collections.ts";
import { changedFields } from "../../accounts/audit/audit.ts";
import type { AuditVerb } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { findLogEnd } from "../../catalogue/products/change_log_store.ts";
import { automaticShops, comparedChanges } from "../../shops/pages/found_page_store.ts";
import { domainOf } from "../../shops/domain.ts";

export const DISCOVERY_KIND = "discovery";

interface DiscoveryArgs {
  readonly competitorId: string;
  readonly isFresh: boolean;
}

/**
 * The phases in their order. `settle`, `plan` and `visits` repeat until `plan` finds no page;
 * `links` and `end` follow. Three blocked visits in a row end the job.
 */
export type DiscoveryPhase =
  | "settle"
  | "feeds"
  | "files"
  | "order"
  | "search"
  | "plan"
  | "visits"
  | "links"
  | "end";

export interface DiscoveryCursor {
  readonly phase: DiscoveryPhase;
  /** Index of the next item of the phase, for example of the next feed. */
  readonly n: number;
  readonly turn: PermitInFlight | null;
  readonly crawlDelayMs: number;
  readonly askedAtMs: number;
  readonly blocked: number;
  readonly isRead: boolean;
  readonly foreign: number;
  readonly search: { readonly productId: string; readonly url: string } | null;
  readonly counted: Pick<DiscoveryCounts, "visited" | "products" | "added">;
  readonly budget: number;
  /** Id of the last suggestion for which the job has considered an automatic link. */
  readonly linkedTo?: string | null;
}

export const COUNTED = [
  "files",
  "added",
  "visited",
  "products",
  "suggested",
  "searched",
] as const;

/** `searched` is absent in jobs of earlier versions of Kurant. */
type Counted = Exclude<(typeof COUNTED)[number], "searched">;

export interface DiscoveryCounts extends Readonly<Record<Counted, number>> {
  readonly searched?: number;
  readonly lastError: string | null;
}

export type DiscoveryJob = Job<DiscoveryArgs, DiscoveryCursor, DiscoveryCounts>;

const NO_DISCOVERY_COUNTS: DiscoveryCounts = { ...fromKeys(COUNTED, () => 0), lastError: null };

export const DISCOVERY_BEGIN: DiscoveryCursor = {
  phase: "settle",
  n: 0,
  turn: null,
  crawlDelayMs: 0,
  askedAtMs: 0,
  blocked: 0,
  isRead: false,
  search: null,
  counted: { added: 0, visited: 0, products: 0 },
  foreign: 0,
  budget: 0,
};

export function withWork(counts: UrlCounts, job: DiscoveryJob): UrlCounts {
  const { visited, products } = counts;
  const { counted } = job.cursor ?? DISCOVERY_BEGIN;
  const urls = counts.urls + job.stats.added - counted.added;
  return {
    urls,
    visited: Math.min(urls, visited + job.stats.visited - counted.visited),
    products: Math.min(urls, products + job.stats.products - counted.products),
  };
}

export function requestsOf({ stats: { visited, searched = 0 } }: DiscoveryJob): number {
  return visited + searched;
}

/** `sitemap` and `links` throw `TooComplex` if reading the text would take too much work. */
export interface DiscoveryReader {
  sitemap(question: SitemapQuestion, permit: SandboxPermit): Promise<SitemapReport>;
  links(question: LinksQuestion, permit: SandboxPermit): Promise<PageLink[]>;
}

export interface DiscoveryDeps {
  readonly scraper: ScrapeDeps;
  readonly reader: DiscoveryReader;
  readonly imports: Pick<ImportDeps, "limits" | "allowed">;
  readonly indexes: ProductIndexes;
}

async function jobInFlight(
  workspace: WorkspaceStore,
  { jobId }: StoredDiscovery,
): Promise<DiscoveryJob | null> {
  const job = jobId && await findInFlight<DiscoveryJob>(workspace, DISCOVERY_KIND, jobId);
  return job && !job.cancelRequested ? job : null;
}

async function withJob(
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

type Action = Extract<AuditVerb, "update" | "run" | "pause" | "unpause">;

export async function readDiscovery(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<Discovery> {
  await requireCompetitor(workspace, competitorId);
  const { discovery } = await findDiscovery(workspace, competitorId);
  const job = await jobInFlight(workspace, discovery);
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

export async function countSearchedShops(workspace: WorkspaceStore): Promise<number> {
  const jobs: Promise<DiscoveryJob | null>[] = [];
  for await (const { row } of discoveries.walk(workspace)) {
    if (row.settings.mode !== "off" && !row.isPaused) jobs.push(jobInFlight(workspace, row));
  }
  return (await Promise.all(jobs)).filter((job) => job !== null).length;
}

function feedState(url: string, known: StoredFeed | undefined): FeedState {
  if (!known) return { url, readAt: null, entries: 0, foreign: 0, isCut: false, errorCode: null };
  const { readMs, entries, foreign, isCut, errorCode } = known;
  const readAt = readMs === 0 ? null : new Date(readMs).toISOString();
  return { url, readAt, entries, foreign, isCut, errorCode };
}

function phaseOf(
  { settings, isPaused, jobId }: StoredDiscovery,
  job: DiscoveryJob | null,
): Discovery["state"]["phase"] {
  if (settings.mode === "off") return "off";
  if (isPaused) return "paused";
  // A job that has ended since `discovery` was read is shown as running until the next read.
  if (job === null) return jobId === null ? "idle" : "visiting";
  const { phase, isRead } = job.cursor ?? DISCOVERY_BEGIN;
  if (phase === "feeds" || phase === "files" || (phase === "settle" && !isRead)) return "reading";
  return phase === "order" || phase === "plan" ? "ordering" : "visiting";
}

export async function changeDiscovery(
  ctx: Context,
  competitorId: string,
  settings: DiscoverySettings,
): Promise<Discovery> {
  return await change(ctx, competitorId, "update", (before) => ({ ...before, settings }));
}

export async function steerDiscovery(
  ctx: Context,
  competitorId: string,
  action: Exclude<Action, "update">,
): Promise<Discovery> {
  return await change(ctx, competitorId, action, (before) => {
    if (before.settings.mode === "off") {
      throw new Failure("conflict", "Discovery is switched off for this competitor");
    }
    return { ...before, isPaused: action === "pause" };
  });
}

async function change(
  ctx: Context,
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
      // A search URL on another domain would send our product numbers to a third party.
      const { domain } = shop.row;
      const isOwn = domainOf(new URL(searchTemplate.replace(SEARCH_PLACE, "0"))) === domain;
      const message = `Must be an address of ${domain}`;
      if (!isOwn) throw refuseFields([{ path: "searchTemplate", message }]);
    }
    const isOn = wished.settings.mode !== "off" && !wished.isPaused;
    if (isOn && !shop.row.enabled) {
      throw new Failure("conflict", "The competitor is disabled: enable it first");
    }
    const job = await jobInFlight(ctx, found.discovery);
    const { mode } = found.discovery.settings;
    const becomesAutomatic = mode !== "automatic" && wished.settings.mode === "automatic";
    const isWanted = action !== "update" || mode === "off" || becomesAutomatic;
    const begins = isOn && job === null && isWanted;
    const after = begins
      ? await withJob(write, ctx, competitorId, wished, action === "run")
      : wished;
    competitors.check(write, ctx, shop.row, shop);
    const begun = await comparedChanges.find(ctx, {});
    if (isOn && !begun) comparedChanges.save(write, ctx, null, { position: await findLogEnd(ctx) });
    if (becomesAutomatic) automaticShops.drop(write, ctx, { competitorId });
    if (!isOn && job) {
      await cancelJob(write, ctx, { kind: DISCOVERY_KIND }, job.jobId);
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
