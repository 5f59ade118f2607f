/** The shared context of a discovery's steps, and how a step gets a turn at the shop. */

import type { FetchedFile } from "../../imports/jobs/fetch_file.ts";
import { beating } from "../../platform/jobs/job_timing.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { Write } from "../../platform/store/kv.ts";
import { checkCompetitor, type StoredCompetitor } from "../../shops/competitor_store.ts";
import {
  findDiscovery,
  saveDiscovery,
  type StoredDiscovery,
} from "../../shops/discovery/discovery_store.ts";
import type { ShopPlace } from "../../shops/discovery/url_store.ts";
import type { Aftermath, UsedTurn } from "../page/domain_queue.ts";
import type { FetchedPage } from "../page/fetch_page.ts";
import { type FetchedRobots, fetchRobots, saveRobots } from "../page/robots_file.ts";
import type { ScrapeDeps } from "../page/scrape_deps.ts";
import {
  giveTurnBack,
  isHeld,
  nextTurn,
  readingOf,
  type TurnMemory,
  unused,
} from "../page/take_turn.ts";
import type { Fetched, SearchAnswer } from "./ask_shop.ts";
import {
  type DiscoveryCursor,
  type DiscoveryDeps,
  type DiscoveryJob,
  withWork,
} from "./discovery_job.ts";
import type { SitemapReport } from "./read_sitemap.ts";

export type Tools = StepTools<DiscoveryJob>;
export type Step = StepResult<DiscoveryJob>;

/** A job and the shop that it is about, as both were read for this step. */
export interface ShopStep {
  readonly deps: DiscoveryDeps;
  readonly memory: TurnMemory<Brought>;
  readonly job: DiscoveryJob;
  readonly cursor: DiscoveryCursor;
  readonly tools: Tools;
  readonly shop: StoredCompetitor;
  readonly discovery: StoredDiscovery;
  readonly place: ShopPlace;
}

/** Addresses of a shop; what goes beyond is not kept. */
export const URLS_MAX = 2_000_000;

/** How many more addresses the shop has room for. */
export function roomForUrls({ discovery, job }: ShopStep): number {
  return Math.max(0, URLS_MAX - withWork(discovery.counts, job).urls);
}

/** The result of a turn. */
export type Brought =
  | { readonly kind: "robots"; readonly robots: FetchedRobots; readonly durationMs: number }
  | { readonly kind: "sitemap"; readonly sitemap: Fetched<{ readonly report: SitemapReport }> }
  | { readonly kind: "feed"; readonly fetched: FetchedFile; readonly durationMs: number }
  | { readonly kind: "search"; readonly search: Fetched<SearchAnswer> }
  | { readonly kind: "page"; readonly page: FetchedPage; readonly durationMs: number };

/** A shop that says nothing of it is looked for again after so long. */
const RESTING_MS = 10 * 60_000;
/** A shop that asks for more is asked for nothing less. */
const CRAWL_DELAY_MS_MAX = 60_000;

/** Between the starts of two requests of discovery: what everybody keeps, and what the shop asks for. */
export function delayOf({ deps, cursor }: Pick<ShopStep, "deps" | "cursor">): number {
  return Math.max(deps.scraper.delayMs, Math.min(cursor.crawlDelayMs, CRAWL_DELAY_MS_MAX));
}

/** The commit fails when the shop was changed, or goes. */
export function checkShop(write: Write, { tools, shop }: Pick<ShopStep, "tools" | "shop">): void {
  checkCompetitor(write, tools.workspaceId, shop);
}

/** Changes the shop's row in this step's commit. */
export async function noteShop(
  { tools, shop: { competitor: { id } } }: ShopStep,
  changed: (before: StoredDiscovery) => Partial<StoredDiscovery>,
): Promise<void> {
  const found = await findDiscovery(tools, id);
  const after = { ...found.discovery, ...changed(found.discovery) };
  saveDiscovery(tools.write, tools.workspaceId, id, found, after);
}

/** A turn that was taken or is waited for, or why there is none. */
export type Sought =
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "refused"; readonly errorCode: string };

/** Takes a turn for an address in this step's commit, behind everybody else who waits for the shop. */
export async function seekTurn(step: ShopStep, url: string): Promise<Sought> {
  const { deps, tools, job, cursor } = step;
  const nowMs = tools.now().getTime();
  const delayMs = delayOf(step);
  const restMs = cursor.askedAtMs + delayMs - nowMs;
  if (restMs > 0 && restMs <= delayMs && delayMs > deps.scraper.delayMs) {
    return { kind: "step", step: { cursor, notBefore: new Date(nowMs + restMs) } };
  }
  const scraper: ScrapeDeps = { ...deps.scraper, delayMs };
  const asking = { lane: 2, orderMs: Date.parse(job.createdAt), id: job.jobId } as const;
  const next = await nextTurn(tools.write, tools, scraper, url, asking, readingOf(tools));
  switch (next.kind) {
    case "taken":
      return { kind: "step", step: { cursor: { ...cursor, turn: next.turn } } };
    case "wait":
      return { kind: "step", step: { cursor, notBefore: new Date(next.untilMs) } };
    case "refused": {
      if (next.errorCode !== "backing_off") return { kind: "refused", errorCode: next.errorCode };
      return { kind: "step", step: { cursor, notBefore: new Date(nowMs + RESTING_MS) } };
    }
  }
}

type Answer<Kind> = Extract<Brought, { readonly kind: Kind }>;

/**
 * Asks for an address in a turn of the shop: the first step takes one, and its robots.txt is asked before
 * anything else. What is answered is the caller's, who ends the turn.
 */
export async function askInTurn<Kind extends "sitemap" | "feed" | "search" | "page">(
  step: ShopStep,
  url: string,
  kind: Kind,
  fetch: (signal: AbortSignal) => Promise<Answer<Kind>>,
): Promise<Sought | Answer<Kind>> {
  if (step.cursor.turn === null) return await seekTurn(step, url);
  const brought = await useTurn(step, url, fetch);
  if (brought?.kind === "robots") {
    return { kind: "step", step: await noteRobots(step, url, brought) };
  }
  if (brought !== null && isOf(brought, kind)) return brought;
  return { kind: "step", step: { cursor: await endTurn(step.tools.write, step, null) } };
}

function isOf<Kind>(brought: Brought, kind: Kind): brought is Answer<Kind> {
  return brought.kind === kind;
}

/** Uses the turn in hand; null where it is no longer this job's, which the step then says. */
export async function useTurn(
  step: ShopStep,
  url: string,
  fetch: (signal: AbortSignal) => Promise<Brought>,
): Promise<Brought | null> {
  const { deps, memory, tools, job, cursor: { turn } } = step;
  if (turn === null) return null;
  const kept = memory.broughtBy(job.jobId, turn.token);
  if (kept) return kept;
  if (!await isHeld(tools, turn, deps.scraper.timeoutMs)) return null;
  const brought = await beating(tools, async (signal): Promise<Brought> => {
    if (!turn.isForRobots) return await fetch(signal);
    const startedAt = performance.now();
    const { origin } = new URL(url);
    const robots = await fetchRobots(deps.scraper, { origin, signal, now: tools.now });
    return { kind: "robots", robots, durationMs: Math.round(performance.now() - startedAt) };
  });
  memory.note(job.jobId, turn.token, brought);
  return brought;
}

/** Gives the turn in hand back in a commit, and says so in the cursor. */
export async function endTurn(
  write: Write,
  step: ShopStep,
  brought: { readonly aftermath: Aftermath; readonly durationMs: number } | null,
): Promise<DiscoveryCursor> {
  const { tools, cursor } = step;
  const { turn } = cursor;
  if (turn === null) return cursor;
  const nowMs = tools.now().getTime();
  const askedAtMs = brought ? nowMs - brought.durationMs : cursor.askedAtMs;
  const used: UsedTurn = brought
    ? {
      token: turn.token,
      aftermath: brought.aftermath,
      nextAtMs: askedAtMs + delayOf(step),
    }
    : unused(turn);
  await giveTurnBack(write, tools, turn.domain, used);
  return { ...cursor, turn: null, askedAtMs };
}

/** Stores a robots.txt for all fetches of the shop; the address is asked for again afterwards. */
export async function noteRobots(
  step: ShopStep,
  url: string,
  { robots: { robots, aftermath }, durationMs }: Extract<Brought, { kind: "robots" }>,
): Promise<Step> {
  const { tools, cursor } = step;
  const { origin } = new URL(url);
  const after = await endTurn(tools.write, step, { aftermath, durationMs });
  saveRobots(tools.write, origin, cursor.turn?.token ?? "", robots);
  return { cursor: after };
}
