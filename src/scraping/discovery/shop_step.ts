/**
 * Types and functions that all steps of a discovery job use. A `PageSource` names the next request
 * and handles its answer. `walkSource` gets a permit (the right to send the shop one request)
 * before each request, and gives the permit back.
 */
import { fromKeys, sumOf } from "../../base/collections.ts";
import { TooComplex } from "../../base/failure.ts";
import type { FetchResult } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import { REDIRECTS_MAX } from "../page/visit_tools.ts";
import { type Asked, askShop, NO_VISIT, requestOf, Visits } from "../page/visit.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { COMMIT_MAX, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { type Competitor, competitors } from "../../shops/competitor_store.ts";
import {
  discoveries,
  findDiscovery,
  type StoredDiscovery,
} from "../../shops/pages/discovery_store.ts";
import { savePage, type ShopPage } from "../../shops/pages/found_page_store.ts";
import type { Candidate } from "../suggestions/product_indexes.ts";
import { type NewSuggestion, publishSuggestions, suggestPage } from "../suggestions/suggest.ts";
import {
  type KnownUrl,
  mergeUrls,
  packUrls,
  type PartChange,
  readUrlPart,
  saveUrlPart,
  type ShopPlace,
  urlPart,
} from "../../shops/pages/url_store.ts";
import {
  COUNTED,
  type DiscoveryCounts,
  type DiscoveryCursor,
  type DiscoveryDeps,
  type DiscoveryJob,
  withWork,
} from "./discovery_job.ts";

export type Tools = StepTools<DiscoveryJob>;
export type Step = StepResult<DiscoveryJob>;

export interface ShopStep {
  readonly deps: DiscoveryDeps;
  readonly job: DiscoveryJob;
  readonly cursor: DiscoveryCursor;
  readonly tools: Tools;
  readonly shop: Found<Competitor>;
  readonly discovery: StoredDiscovery;
  readonly place: ShopPlace;
}

export const URLS_MAX = 2_000_000;

export function delayOf({ deps, cursor }: Pick<ShopStep, "deps" | "cursor">): number {
  return Math.max(deps.scraper.delayMs, Math.min(cursor.crawlDelayMs, 60_000));
}

/** Makes the commit fail if the shop was changed or is being deleted. */
export function checkShop(write: Write, { tools, shop }: Pick<ShopStep, "tools" | "shop">): void {
  competitors.check(write, tools, shop.row, shop);
}

export async function noteShop(
  { tools, shop: { row: { id } } }: ShopStep,
  changed: (before: StoredDiscovery) => Partial<StoredDiscovery>,
): Promise<void> {
  const found = await findDiscovery(tools, id);
  const after = { ...found.discovery, ...changed(found.discovery) };
  discoveries.save(tools.write, tools, found.found, after);
}

/**
 * Reads `parts` of the shop's known URLs, and stores those that `merge` changes. `merge` must
 * return unchanged URLs as the same objects, so that unchanged parts are not stored again.
 */
export async function changeParts(
  step: ShopStep,
  parts: Iterable<number>,
  merge: (known: readonly KnownUrl[], part: number) => KnownUrl[] | Promise<KnownUrl[]>,
): Promise<void> {
  const { tools, place } = step;
  let changes: PartChange[] = [];
  let bytes = 0;
  const commit = async () => {
    await tools.checkpoint({}, (write) => {
      checkShop(write, step);
      for (const change of changes) saveUrlPart(write, place, change);
    });
    [changes, bytes] = [[], 0];
  };
  for (const part of parts) {
    const { urls, values: before } = await readUrlPart(place, part);
    const after = await merge(urls, part);
    await tools.beat();
    if (after.length === urls.length && after.every((one, at) => one === urls[at])) continue;
    const values = packUrls(after);
    changes.push({ part, before, values });
    bytes += sumOf(values, ({ length }) => length);
    if (bytes > COMMIT_MAX.bytes / 8) await commit();
  }
  if (changes.length > 0) await commit();
}

export interface AddedUrls {
  readonly added: number;
  readonly isFull: boolean;
}

export const NONE_ADDED: AddedUrls = { added: 0, isFull: false };

/** `before` is the number of URLs that this step has added already. */
export async function addUrls(
  step: ShopStep,
  urls: Iterable<string>,
  withFacts: (one: KnownUrl) => KnownUrl,
  before = 0,
): Promise<AddedUrls> {
  const room = Math.max(0, URLS_MAX - withWork(step.discovery.counts, step.job).urls - before);
  let [added, leftOut] = [0, 0];
  const ofParts = Map.groupBy(urls, urlPart);
  await changeParts(step, ofParts.keys(), (known, part) => {
    const merged = mergeUrls(known, new Set(ofParts.get(part)), room - added, withFacts);
    added += merged.added;
    leftOut += merged.leftOut;
    return merged.urls;
  });
  return { added, isFull: added === room || leftOut > 0 };
}

export interface PageChange {
  readonly urlHash: string;
  readonly before: ShopPage | null;
  /** New content of the page; null if the page shows no product. */
  readonly page: ShopPage | null;
  readonly candidates: readonly Candidate[];
}

/** Maximum of candidate products per commit, unless the first page alone has more. */
const PRODUCTS_MAX = 40;
/** Upper limits for what one page adds to a commit, including the events about suggestions. */
const PAGE_COST = { mutations: 90, keyBytes: 20_000, bytes: 108_000 };
/** Version checks per page: one for the job, and up to six that `suggestPage` adds. */
const CHECKS = { quiet: 1, suggesting: 7 };

/** Stores as many changed pages as fit into the commit, at least one; `taken` is their number. */
export async function keepPages(
  write: Write,
  { tools, shop: { row: { id: competitorId } } }: ShopStep,
  changes: readonly PageChange[],
): Promise<{ readonly taken: number; readonly suggested: number }> {
  const suggested: NewSuggestion[] = [];
  const products = new Set<string>();
  let taken = 0;
  for (const { urlHash, before, page, candidates } of changes) {
    // Suggest a product once per commit, because `suggestPage` reads stored suggestions.
    const isApart = !candidates.some(({ productId }) => products.has(productId)) &&
      products.size + candidates.length <= PRODUCTS_MAX;
    const checks = candidates.length > 0 ? CHECKS.suggesting : CHECKS.quiet;
    if (taken > 0 && !(isApart && write.fits({ ...PAGE_COST, checks }))) break;
    for (const { productId } of candidates) products.add(productId);
    const at = { competitorId, urlHash };
    savePage(write, tools.workspaceId, at, before, page);
    suggested.push(...await suggestPage(write, tools, { ...at, page }, candidates));
    taken += 1;
  }
  await publishSuggestions(write, tools, competitorId, suggested);
  return { taken, suggested: suggested.length };
}

/** Returns a step result: `further` changes the cursor, `counted` increases the job's counts. */
export function goOn(
  { cursor, job: { stats } }: Pick<ShopStep, "cursor" | "job">,
  further: Partial<DiscoveryCursor>,
  { lastError, ...counted }: Partial<DiscoveryCounts> = {},
): Step {
  return {
    cursor: { ...cursor, ...further },
    stats: {
      ...fromKeys(COUNTED, (name) => (stats[name] ?? 0) + (counted[name] ?? 0)),
      lastError: lastError ?? stats.lastError,
    },
  };
}

export type Reading<Content> =
  | { readonly kind: "read" } & Content
  | { readonly kind: "failed"; readonly errorCode: string };

type Answered = Extract<FetchResult, { kind: "answer" }>;

export async function askFor<Content>(
  { deps: { scraper }, tools }: ShopStep,
  url: string,
  signal: AbortSignal,
  { accept, bytesMax }: { readonly accept: string; readonly bytesMax: number },
  read: (answer: Answered, permit: SandboxPermit) => Promise<Reading<Content>>,
): Promise<Asked<Reading<Content>>> {
  const wanted = { headers: { Accept: accept }, bytesMax, redirectsMax: REDIRECTS_MAX };
  const request = { ...requestOf(scraper, tools, signal), url };
  return await askShop(scraper, request, wanted, async (result): Promise<Reading<Content>> => {
    if (result.kind === "moved") return { kind: "failed", errorCode: "redirect_refused" };
    if (result.kind === "failed") return { kind: "failed", errorCode: result.errorCode };
    try {
      return await read(result, { ...request.reading, signal });
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      return { kind: "failed", errorCode: "too_complex" };
    }
  });
}

export function failureIn(
  { status }: Answered,
): Extract<Reading<unknown>, { kind: "failed" }> | null {
  if (status >= 200 && status < 300) return null;
  const isBlocked = status === 403 || status === 429;
  return { kind: "failed", errorCode: isBlocked ? "blocked" : "http_error" };
}

type Next<Item> = { readonly item: Item } | { readonly step: Step };

export interface PageSource<Item extends { readonly url: string }, Answer> {
  readonly isLong?: boolean;
  /** If `timeoutMs` is absent, the time limit for pages applies. */
  readonly timeoutMs?: number;
  next(step: ShopStep): Promise<Next<Item>>;
  ask(step: ShopStep, item: Item, signal: AbortSignal): Promise<Asked<Answer>>;
  take(step: ShopStep, item: Item, answer: Answer): Promise<Step>;
  /** Called if the URL must not be requested because of its IP address, its port or robots.txt. */
  refused(step: ShopStep, item: Item, errorCode: string): Step | Promise<Step>;
}

export function walkSource<Item extends { readonly url: string }, Answer>(
  source: PageSource<Item, Answer>,
) {
  const visits = new Visits<Answer>();
  return {
    forget: (jobId: string) => visits.forget(jobId),
    async step(step: ShopStep): Promise<Step> {
      const next = await source.next(step);
      if ("step" in next) return next.step;
      const { item, item: { url } } = next;
      const { deps: { scraper }, tools, job, cursor, cursor: { turn } } = step;
      const { isLong = false, timeoutMs = scraper.timeoutMs } = source;
      const delayMs = delayOf(step);
      const nowMs = tools.now().getTime();
      const waitMs = cursor.askedAtMs + delayMs - nowMs;
      if (turn === null && waitMs > 0 && waitMs <= delayMs && delayMs > scraper.delayMs) {
        return { cursor, notBefore: new Date(nowMs + waitMs) };
      }
      const asked = { url, lane: 2, orderMs: Date.parse(job.createdAt), isLong } as const;
      const visit = await visits.step(
        { ...scraper, timeoutMs, delayMs },
        tools,
        { ...NO_VISIT, turn },
        asked,
        (signal) => source.ask(step, item, signal),
      );
      if (visit.kind === "refused") {
        const { errorCode } = visit;
        if (errorCode !== "backing_off") return await source.refused(step, item, errorCode);
        // Kurant sends a shop no requests for some time after failures, so ask again in ten minutes.
        return { cursor, notBefore: new Date(nowMs + 10 * 60_000) };
      }
      const after = { ...cursor, turn: null, askedAtMs: visit.askedAtMs ?? cursor.askedAtMs };
      if (visit.kind === "waits") {
        return { cursor: { ...after, turn: visit.state.turn }, ...visit.rest };
      }
      const { answer, committed } = visit;
      return { ...await source.take({ ...step, cursor: after }, item, answer), committed };
    },
  };
}
