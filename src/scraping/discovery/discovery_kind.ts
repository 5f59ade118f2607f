import type { JobKind, JobTools } from "../../platform/jobs/job.ts";
import { dropBlob } from "../../platform/store/spool.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import { findDiscovery, saveDiscovery } from "../../shops/discovery/discovery_store.ts";
import { giveTurnBack, TurnMemory, unused } from "../page/take_turn.ts";
import { announceSuggestions } from "../suggestions/suggest.ts";
import { askSearch } from "./ask_search.ts";
import {
  DAY_MS,
  DISCOVERY_BEGIN,
  DISCOVERY_KIND,
  type DiscoveryDeps,
  type DiscoveryJob,
  requestsOf,
  withWork,
} from "./discovery_job.ts";
import { orderUrls, planVisits } from "./order_urls.ts";
import { readShopFeed } from "./read_feeds.ts";
import { beginReading, readFile } from "./read_files.ts";
import type { Brought, ShopStep, Step, Tools } from "./shop_step.ts";
import { BLOCKED_MAX, settleVisits, visitPage } from "./visit_pages.ts";

/** Sitemaps are read again after so long. */
const READ_AGAIN_MS = 7 * DAY_MS;
/** A job that failed is not tried again before. */
const FAILED_REST_MS = 3_600_000;
/** Shops do not begin their day at once. */
const SPREAD_MS = 2 * 3_600_000;

/** How the pages of shops are found. */
export function createDiscoveryKind(deps: DiscoveryDeps): JobKind<DiscoveryJob> {
  const memory = new TurnMemory<Brought>();
  return {
    kind: DISCOVERY_KIND,
    // It waits for its shop most of the time.
    slotsPerProcess: 16,
    slotsPerWorkspace: 8,
    isSerialPerWorkspace: false,
    waitsForOthers: true,
    step: (job, tools) => takeStep(deps, memory, job, tools),
    finish: async (job, tools) => {
      if (job.status !== "succeeded") memory.forget(job.jobId);
      await noteEnd(job, tools);
    },
  };
}

async function takeStep(
  deps: DiscoveryDeps,
  memory: ShopStep["memory"],
  job: DiscoveryJob,
  tools: Tools,
): Promise<Step> {
  const { competitorId } = job.args;
  const shop = await findCompetitor(tools, competitorId);
  const { discovery } = await findDiscovery(tools, competitorId);
  const { settings, isPaused } = discovery;
  if (!shop?.competitor.enabled || settings.mode === "off" || isPaused) {
    return { end: { status: "succeeded" } };
  }
  const { store, workspaceId } = tools;
  const place = { store, workspaceId, competitorId };
  const cursor = job.cursor ?? DISCOVERY_BEGIN;
  const step: ShopStep = { deps, memory, job, cursor, tools, shop, discovery, place };
  switch (cursor.phase) {
    case "settle":
      return await settle(step);
    case "feeds":
      return await readShopFeed(step, readSitemaps);
    case "files":
      return await readFile(step);
    case "order":
      return await orderUrls(step);
    case "search":
      return await askSearch(step);
    case "plan":
      return await planVisits(step);
    case "visits":
      return await visitPage(step);
    case "end":
      return { end: { status: "succeeded" } };
  }
}

/** Notes what a job has seen; then reads the feeds, or makes the next plan. */
async function settle(step: ShopStep): Promise<Step> {
  const { cursor, discovery } = step;
  await settleVisits(step);
  if (cursor.isRead) return { cursor: { ...cursor, phase: "plan", n: 0 } };
  // Its robots.txt is read for this with the sitemaps alone.
  const { crawlDelayMs } = discovery;
  return { cursor: { ...cursor, phase: "feeds", n: 0, crawlDelayMs } };
}

/** Behind the feeds, where it is time. */
async function readSitemaps(step: ShopStep): Promise<Step> {
  const { tools, job, cursor, discovery } = step;
  const passedMs = tools.now().getTime() - discovery.lastReadMs;
  const isTime = job.args.isFresh || passedMs >= READ_AGAIN_MS;
  if (isTime) return await beginReading(step);
  return { cursor: { ...cursor, phase: "order", n: 0, isRead: true } };
}

/** The shop's own row says what came of the day, and when the next one begins. */
async function noteEnd(job: DiscoveryJob, tools: JobTools): Promise<void> {
  const { competitorId } = job.args;
  const found = await findDiscovery(tools, competitorId);
  const { discovery } = found;
  const { feed, turn } = job.cursor ?? DISCOVERY_BEGIN;
  if (feed) await dropBlob(tools.write, tools, feed.blobId);
  // A job that is told to stop leaves its page as it was, and the shop to others.
  if (turn) await giveTurnBack(tools.write, tools, turn.domain, unused(turn));
  if (found.found === null || discovery.jobId !== job.jobId) return;
  await announceSuggestions(tools.write, tools, competitorId, job.cursor?.untold ?? []);
  const nowMs = tools.now().getTime();
  const today = Math.floor(nowMs / DAY_MS);
  const { stats } = job;
  const isBlocked = (job.cursor?.blocked ?? 0) >= BLOCKED_MAX;
  saveDiscovery(tools.write, tools.workspaceId, competitorId, found, {
    ...discovery,
    jobId: null,
    counts: withWork(discovery.counts, job),
    lastError: job.status === "failed" ? job.error?.code ?? null : stats.lastError,
    day: today,
    visitedToday: (discovery.day === today ? discovery.visitedToday : 0) + requestsOf(job),
    nextRunMs: nextRunMs(job, nowMs, isBlocked),
  });
}

function nextRunMs({ jobId, status }: DiscoveryJob, nowMs: number, isBlocked: boolean): number {
  if (isBlocked) return nowMs + DAY_MS;
  if (status === "failed") return nowMs + FAILED_REST_MS;
  const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  return midnightMs + Number.parseInt(jobId.slice(-6), 16) % SPREAD_MS;
}
