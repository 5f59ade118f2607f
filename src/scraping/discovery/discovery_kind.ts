/** Defines the daily job that discovers pages of a shop (docs/decisions/discovery.md). */
import type { JobKind, JobTools } from "../../platform/jobs/job.ts";
import { dropBlob } from "../../platform/store/spool.ts";
import { competitors } from "../../shops/competitor_store.ts";
import { discoveries, findDiscovery } from "../../shops/pages/discovery_store.ts";
import { dropPermit } from "../page/permit.ts";
import { publishSuggestions } from "../suggestions/suggest.ts";
import { SEARCH } from "./ask_search.ts";
import {
  DISCOVERY_BEGIN,
  DISCOVERY_KIND,
  type DiscoveryDeps,
  type DiscoveryJob,
  type DiscoveryPhase,
  requestsOf,
  withWork,
} from "./discovery_job.ts";
import { orderUrls, planVisits } from "./order_urls.ts";
import { type ShopStep, type Step, type Tools, walkSource } from "./shop_step.ts";
import { FEEDS } from "./read_feeds.ts";
import { SITEMAPS } from "./read_files.ts";
import { BLOCKED_MAX, settleVisits, VISITS } from "./visit_pages.ts";
import { DAY_MS } from "../../base/time.ts";

export function createDiscoveryKind(deps: DiscoveryDeps): JobKind<DiscoveryJob> {
  const sources = {
    feeds: walkSource(FEEDS),
    files: walkSource(SITEMAPS),
    search: walkSource(SEARCH),
    visits: walkSource(VISITS),
  };
  const phases: Phases = {
    settle,
    feeds: sources.feeds.step,
    files: sources.files.step,
    order: orderUrls,
    search: sources.search.step,
    plan: planVisits,
    visits: sources.visits.step,
    end: () => Promise.resolve({ end: { status: "succeeded" } }),
  };
  return {
    kind: DISCOVERY_KIND,
    slotsPerProcess: 16,
    step: (job, tools) => takeStep(deps, phases, job, tools),
    finish: async (job, tools) => {
      // The last step of a successful job may be repeated, so the fetched data are kept.
      if (job.status !== "succeeded") {
        for (const source of Object.values(sources)) source.forget(job.jobId);
      }
      await noteEnd(job, tools);
    },
  };
}

type Phases = Readonly<Record<DiscoveryPhase, (step: ShopStep) => Promise<Step>>>;

async function takeStep(
  deps: DiscoveryDeps,
  phases: Phases,
  job: DiscoveryJob,
  tools: Tools,
): Promise<Step> {
  const { competitorId } = job.args;
  const shop = await competitors.find(tools, { id: competitorId });
  const { discovery } = await findDiscovery(tools, competitorId);
  const { settings, isPaused } = discovery;
  if (!shop?.row.enabled || settings.mode === "off" || isPaused) {
    return { end: { status: "succeeded" } };
  }
  const { store, workspaceId } = tools;
  const place = { store, workspaceId, competitorId };
  const cursor = job.cursor ?? DISCOVERY_BEGIN;
  return await phases[cursor.phase]({ deps, job, cursor, tools, shop, discovery, place });
}

async function settle(step: ShopStep): Promise<Step> {
  const { cursor, discovery } = step;
  await settleVisits(step);
  if (cursor.isRead) return { cursor: { ...cursor, phase: "plan", n: 0 } };
  const { crawlDelayMs } = discovery;
  return { cursor: { ...cursor, phase: "feeds", n: 0, crawlDelayMs } };
}

async function noteEnd(job: DiscoveryJob, tools: JobTools): Promise<void> {
  const { competitorId } = job.args;
  const found = await findDiscovery(tools, competitorId);
  const { discovery } = found;
  const { feed, turn } = job.cursor ?? DISCOVERY_BEGIN;
  if (feed) await dropBlob(tools.write, tools, feed.blobId);
  // A cancelled job may still have a permit (the right to send the shop one request).
  await dropPermit(tools, { turn });
  if (found.found === null || discovery.jobId !== job.jobId) return;
  await publishSuggestions(tools.write, tools, competitorId, job.cursor?.untold ?? []);
  const nowMs = tools.now().getTime();
  const today = Math.floor(nowMs / DAY_MS);
  const { stats } = job;
  const isBlocked = (job.cursor?.blocked ?? 0) >= BLOCKED_MAX;
  discoveries.save(tools.write, tools, found.found, {
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
  if (status === "failed") return nowMs + 3_600_000;
  const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  // The random end of the id spreads the jobs over two hours after midnight (UTC).
  return midnightMs + Number.parseInt(jobId.slice(-6), 16) % (2 * 3_600_000);
}
