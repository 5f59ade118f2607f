/**
 * Defines the daily job that discovers pages of a shop (docs/decisions/discovery.md), including its
 * visits to the planned pages.
 */
import { type JobKind, type JobTools, withHeartbeat } from "../../platform/jobs/job.ts";
import { competitors } from "../../shops/competitor_store.ts";
import { discoveries, findDiscovery } from "../../shops/pages/discovery_store.ts";
import { dropPermit } from "../page/permit.ts";
import { DISCOVERY, linkSome } from "../suggestions/link_by_itself.ts";
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
import {
  changeParts,
  checkShop,
  goOn,
  keepPages,
  type PageSource,
  type ShopStep,
  type Step,
  type Tools,
  walkSource,
} from "./shop_step.ts";
import { FEEDS } from "./read_feeds.ts";
import { SITEMAPS } from "./read_files.ts";
import { pick } from "../../base/collections.ts";
import { DAY_MS } from "../../base/time.ts";
import type { PageFacts } from "../../engine/extraction/page_facts.ts";
import { OPEN_VARIANTS } from "../../engine/extraction/page_status.ts";
import { foundPages, type ShopPage } from "../../shops/pages/found_page_store.ts";
import {
  findPlannedPages,
  type KnownUrl,
  listPlannedPages,
  type PlannedPages,
  putPlan,
  removePlan,
  urlPart,
  type UrlState,
} from "../../shops/pages/url_store.ts";
import { domainOf, urlHashOf } from "../../shops/domain.ts";
import { fetchPage, type PageOutcome, requestOf } from "../page/visit.ts";
import { learningOf } from "../page/last_page.ts";

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
    links: linkFound,
    end: () => Promise.resolve({ end: { status: "succeeded" } }),
  };
  return {
    kind: DISCOVERY_KIND,
    slotsPerProcess: 16,
    step: (job, tools) => takeStep(deps, phases, job, tools),
    finish: async (job, tools) => {
      // Keep the fetched data of a successful job, because its last step may be repeated.
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

async function linkFound(step: ShopStep): Promise<Step> {
  const { deps: { indexes, scraper }, tools, cursor, discovery, shop } = step;
  if (discovery.settings.mode !== "automatic") return { cursor: { ...cursor, phase: "end" } };
  const { allowed } = scraper.limits;
  const ctx = { ...tools, actor: DISCOVERY, receipt: null, indexes, allowed };
  const linkedTo = await linkSome(ctx, shop.row.id, cursor.linkedTo ?? null, () => tools.beat());
  return { cursor: linkedTo === null ? { ...cursor, phase: "end" } : { ...cursor, linkedTo } };
}

async function noteEnd(job: DiscoveryJob, tools: JobTools): Promise<void> {
  const { competitorId } = job.args;
  const found = await findDiscovery(tools, competitorId);
  const { discovery } = found;
  const { turn } = job.cursor ?? DISCOVERY_BEGIN;
  // Give back the permit (the right to send the shop one request) that a cancelled job still has.
  await dropPermit(tools, { turn });
  if (found.found === null || discovery.jobId !== job.jobId) return;
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
  // The random end of the id spreads the start times over two hours after midnight (UTC).
  return midnightMs + Number.parseInt(jobId.slice(-6), 16) % (2 * 3_600_000);
}

const STATE_OF_OUTCOME: Readonly<Record<string, UrlState>> = {
  p: "product",
  o: "other",
  g: "gone",
  x: "refused",
  f: "failed",
};
const BLOCKED_MAX = 3;

interface PageInFlight {
  readonly url: string;
  readonly row: PlannedPages;
}

const VISITS: PageSource<PageInFlight, PageOutcome | null> = {
  async next(step) {
    const { cursor, place, shop: { row: competitor } } = step;
    const row = await findPlannedPages(place, cursor.n);
    const url = row?.urls[row.outcomes.length];
    if (!row) return { step: { cursor: { ...cursor, phase: "settle", n: 0 } } };
    if (url === undefined) return { step: { cursor: { ...cursor, n: cursor.n + 1 } } };
    // Skip pages of another domain: the shop's domain may have changed since the plan was made.
    const isOwn = cursor.turn !== null || domainOf(new URL(url)) === competitor.domain;
    return isOwn ? { item: { url, row } } : { step: passOver(step, row, "x") };
  },
  async ask({ deps, tools, shop: { row: competitor } }, { url }, signal) {
    const { answer, aftermath } = await fetchPage(deps.scraper, {
      ...requestOf(deps.scraper, tools, signal),
      url,
      askedUrl: url,
      extractor: competitor.extractor,
      product: null,
      learning: { ...await learningOf(tools, competitor), isLearning: false },
    });
    return { answer: answer.kind === "moved" ? null : answer, aftermath };
  },
  refused(step, { row }, lastError) {
    const letter = lastError === "robots_disallowed" ? "x" : "f";
    return passOver(step, row, letter, lastError);
  },
  take: takePage,
};

function passOver(
  step: ShopStep,
  row: PlannedPages,
  letter: string,
  lastError: string | null = null,
): Step {
  const { tools, cursor, place } = step;
  checkShop(tools.write, step);
  putPlan(tools.write, place, cursor.n, withOutcome(row, letter));
  return goOn(step, {}, { lastError });
}

async function takePage(
  step: ShopStep,
  { url, row }: PageInFlight,
  outcome: PageOutcome | null,
): Promise<Step> {
  const { tools, job, cursor, place } = step;
  checkShop(tools.write, step);
  const seen = seenOn(url, outcome, tools.now());
  // A failed visit tells nothing about the page, so keep what an earlier visit stored.
  const suggested = seen.letter === "f" ? 0 : await keepPage(step, url, seen.page);
  putPlan(tools.write, place, cursor.n, withOutcome(row, seen.letter));
  const blocked = seen.errorCode === "blocked" ? cursor.blocked + 1 : 0;
  const products = seen.page ? 1 : 0;
  const counted = { visited: 1, products, suggested, lastError: seen.errorCode };
  return {
    ...goOn(step, { blocked }, counted),
    progress: { processed: job.stats.visited + 1, total: cursor.budget },
    ...(blocked >= BLOCKED_MAX && { end: { status: "succeeded" } }),
  };
}

function withOutcome({ urls, outcomes }: PlannedPages, letter: string): PlannedPages {
  return { urls, outcomes: outcomes + letter };
}

interface Seen {
  readonly letter: string;
  readonly page: ShopPage | null;
  readonly errorCode: string | null;
}

const NO_PRODUCT: Seen = { letter: "o", page: null, errorCode: null };

/** `outcome` is null after a redirect to another origin or to a URL that robots.txt forbids. */
function seenOn(url: string, outcome: PageOutcome | null, now: Date): Seen {
  if (outcome === null || outcome.kind === "unchanged") return NO_PRODUCT;
  const { facts } = outcome;
  if (outcome.kind === "priced") return productSeen(url, facts, outcome.found, now);
  const { errorCode, httpStatus } = outcome;
  if (errorCode === "gone") return { letter: "g", page: null, errorCode: null };
  if (httpStatus === null || httpStatus >= 300) return { letter: "f", page: null, errorCode };
  const isProduct = PRODUCT_STATUSES.has(facts.pageStatus) &&
    (facts.gtins.length > 0 || facts.mpn !== null || facts.brand !== null);
  if (!isProduct) return NO_PRODUCT;
  const { availability } = facts;
  return productSeen(url, facts, { price: null, currency: null, availability }, now);
}

const PRODUCT_STATUSES: ReadonlySet<string> = new Set([
  "sold_out",
  "on_request",
  "variant_open",
  "variant_unknown",
  "unread",
]);

function productSeen(
  url: string,
  facts: PageFacts,
  priced: Pick<ShopPage, "price" | "currency" | "availability">,
  now: Date,
): Seen {
  const { title, gtins, mpn, pageStatus } = facts;
  if (title === null && gtins.length === 0 && mpn === null) return NO_PRODUCT;
  const page: ShopPage = {
    ...pick(facts, ["title", "brand", "gtin", "mpn", "sku", "condition"]),
    ...pick(priced, ["price", "currency", "availability"]),
    url,
    gtins: [...gtins],
    isOpenVariant: OPEN_VARIANTS.has(pageStatus),
    pack: null,
    foundBy: "visit",
    seenAt: now.toISOString(),
  };
  return { letter: "p", page, errorCode: null };
}

async function keepPage(step: ShopStep, url: string, page: ShopPage | null): Promise<number> {
  const { deps, tools, shop: { row: { id: competitorId } } } = step;
  const urlHash = urlHashOf(new URL(url));
  const before = (await foundPages.find(tools, { competitorId, urlHash }))?.row.page ?? null;
  if (page === null && before === null) return 0;
  const index = await withHeartbeat(tools, () => deps.indexes.of(tools));
  const candidates = index.candidatesAfter(before, page);
  const change = { urlHash, before, page, candidates };
  return (await keepPages(tools.write, step, [change])).suggested;
}

async function settleVisits(step: ShopStep): Promise<void> {
  const { tools, place } = step;
  const today = Math.floor(tools.now().getTime() / DAY_MS);
  const seen = new Map<string, UrlState>();
  for (const { urls, outcomes } of await listPlannedPages(place)) {
    for (const [at, url] of urls.entries()) {
      const state = STATE_OF_OUTCOME[outcomes[at] ?? ""];
      if (state) seen.set(url, state);
    }
  }
  await changeParts(
    step,
    new Set(Array.from(seen.keys(), urlPart)),
    (known) =>
      known.map((one): KnownUrl => {
        const state = seen.get(one.url);
        return state ? { ...one, state, visitedDay: today } : one;
      }),
  );
  await removePlan(place, "page");
}
