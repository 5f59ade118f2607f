/** Downloads a shop's product feeds, stores entries as known pages, and suggests links to them. */
import { type FetchedFile, fetchFile } from "../../imports/jobs/fetch_file.ts";
import { dropBlob, keepBlob } from "../../platform/store/spool.ts";
import type { ShopFeed, StoredFeed } from "../../shops/pages/discovery_store.ts";
import type { Aftermath } from "../page/visit_tools.ts";
import { type Asked, requestOf } from "../page/visit.ts";
import {
  addUrls,
  checkShop,
  noteShop,
  type PageSource,
  type ShopStep,
  type Step,
} from "./shop_step.ts";
import { FEED_MAX, type FeedEntry, joinedPage, readFeed } from "./read_feed.ts";
import { beginReading } from "./read_files.ts";
import { DAY_MS } from "../../base/time.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { settingOf } from "../../imports/jobs/start_import.ts";
import { createAddressCheck } from "../../imports/records/raw_record.ts";
import { readParts } from "../../imports/upload/receive_upload.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { withHeartbeat } from "../../platform/jobs/job.ts";
import { openBlob } from "../../platform/store/spool_store.ts";
import { findPages, savePage, type ShopPage } from "../../shops/pages/found_page_store.ts";
import type { KnownUrl } from "../../shops/pages/url_store.ts";
import { isWished } from "./order_urls.ts";
import type { Candidate, ProductIndex } from "../suggestions/product_indexes.ts";
import { type NewSuggestion, publishSuggestions, suggestPage } from "../suggestions/suggest.ts";

interface DueFeed {
  readonly url: string;
  readonly feed: ShopFeed;
  readonly before: StoredFeed | null;
}

const TIMEOUT_MS = 5 * 60_000;

export const FEEDS: PageSource<DueFeed, FetchedFile> = {
  isLong: true,
  timeoutMs: TIMEOUT_MS,
  async next(step) {
    const { tools, cursor, job, discovery } = step;
    const feed = discovery.settings.feeds[cursor.n];
    if (feed === undefined) return { step: await beginReading(step) };
    const before = discovery.feeds.find(({ url }) => url === feed.url) ?? null;
    const nowMs = tools.now().getTime();
    // A feed is due after 20 hours, because the daily job begins at varying times.
    const isDue = job.args.isFresh || before === null || nowMs - before.askedMs >= 20 * 3_600_000;
    return isDue
      ? { item: { url: feed.url, feed, before } }
      : { step: { cursor: { ...cursor, n: cursor.n + 1 } } };
  },
  ask: askForFeed,
  take: takeFile,
  refused: (step, { feed, before }, errorCode) => failed(step, feed, before, errorCode),
};

async function askForFeed(
  step: ShopStep,
  { url, feed, before }: DueFeed,
  signal: AbortSignal,
): Promise<Asked<FetchedFile>> {
  const { deps: { scraper, imports: { limits } }, tools } = step;
  const { origin } = new URL(url);
  const bodyBytesMax = Math.min(limits.bodyBytesMax, FEED_MAX.bodyBytes);
  const sha256 = isFresh(step, feed, before) ? before?.sha256 ?? null : null;
  const answer = await fetchFile(
    tools,
    { safeFetch: scraper.safeFetch, limits: { ...limits, bodyBytesMax } },
    {
      url,
      headers: {},
      known: before && sha256 !== null ? { ...before, asked: url, sha256 } : null,
      follows: async (to) =>
        to.origin === origin && await requestOf(scraper, tools, signal).allows(to),
      timeoutMs: TIMEOUT_MS,
      signal,
    },
  );
  return { answer, aftermath: aftermathOf(answer) };
}

function isFresh({ tools }: ShopStep, feed: ShopFeed, before: StoredFeed | null): boolean {
  return before !== null && before.format === feed.format &&
    tools.now().getTime() - before.readMs < 7 * DAY_MS;
}

async function takeFile(
  step: ShopStep,
  { feed, before }: DueFeed,
  fetched: FetchedFile,
): Promise<Step> {
  const { tools, cursor } = step;
  if (fetched.kind === "failed") return await failed(step, feed, before, codeOf(fetched.errorCode));
  const isKnown = fetched.kind === "unchanged" ||
    (isFresh(step, feed, before) && before?.sha256 === fetched.upload.sha256);
  if (isKnown && before !== null) {
    checkShop(tools.write, step);
    if (fetched.kind === "file") await dropBlob(tools.write, tools, fetched.upload.blobId);
    await noteFeed(step, { ...before, askedMs: tools.now().getTime(), errorCode: null });
    return { cursor: { ...cursor, n: cursor.n + 1 } };
  }
  if (fetched.kind !== "file") throw new Error("A feed was unchanged without a stored version");
  return await takeFeed(step, feed, fetched);
}

function aftermathOf(fetched: FetchedFile): Aftermath {
  if (fetched.kind !== "failed") return { kind: "fine" };
  const { errorCode } = fetched;
  const isTrouble = ["timeout", "unreachable", "http_429"].includes(errorCode) ||
    errorCode.startsWith("http_5");
  return isTrouble ? { kind: "trouble", retryAfterMs: null } : { kind: "fine" };
}

function codeOf(errorCode: string): string {
  if (errorCode === "http_403" || errorCode === "http_429") return "blocked";
  return errorCode.startsWith("http_") ? "http_error" : errorCode;
}

async function failed(
  step: ShopStep,
  feed: ShopFeed,
  before: StoredFeed | null,
  errorCode: string,
): Promise<Step> {
  const { tools, job, cursor } = step;
  checkShop(tools.write, step);
  const askedMs = tools.now().getTime();
  await noteFeed(step, { ...before ?? newFeed(feed), askedMs, errorCode });
  return {
    cursor: { ...cursor, turn: null, n: cursor.n + 1 },
    stats: { ...job.stats, lastError: errorCode },
  };
}

const BATCH = 200;
/** A commit with several pages compares the pages with at most this number of products. */
const PRODUCTS_MAX = 40;
/** Room for one more page, and for the events about all suggestions of the commit. */
const PAGE_COST = { mutations: 90, keyBytes: 20_000, bytes: 108_000 };
/** `suggestPage` adds up to six version checks, and the job adds one. */
const CHECKS = { quiet: 1, suggesting: 7 };
const URLS_AT_ONCE = 20_000;

function newFeed({ url, format }: ShopFeed): StoredFeed {
  const read = { readMs: 0, entries: 0, foreign: 0, isCut: false };
  const answer = { askedMs: 0, errorCode: null, sha256: null, etag: null, lastModified: null };
  return { url, format, ...read, ...answer };
}

async function noteFeed(step: ShopStep, feed: StoredFeed): Promise<void> {
  await noteShop(step, ({ settings, feeds }) => {
    const named = new Set(settings.feeds.map(({ url }) => url));
    const others = feeds.filter(({ url }) => url !== feed.url && named.has(url));
    return { feeds: [...others, feed] };
  });
}

type FeedFile = Extract<FetchedFile, { kind: "file" }>;

/** After a crash, the feed is fetched again. */
async function takeFeed(step: ShopStep, feed: ShopFeed, file: FeedFile): Promise<Step> {
  const { deps, tools, job, cursor, discovery, shop: { row: competitor } } = step;
  const { blobId, manifestAt } = file.upload;
  const at = tools.now();
  const keptUntil = new Date(at.getTime() + DAY_MS);
  await tools.checkpoint({}, (write) => keepBlob(write, tools, blobId, keptUntil));
  const index = await withHeartbeat(tools, () => deps.indexes.of(tools));
  const { currency, timeZone, today } = settingOf(await requireWorkspace(tools), at);
  const parts = await readParts(await openBlob(tools, blobId), manifestAt);
  const slice = new TimeSlice();
  const taking = new Taking(step, index, Math.floor(at.getTime() / DAY_MS));
  let foreign = 0;
  let errorCode: string | null = null;
  const events = readFeed(parts, {
    format: feed.format,
    domain: competitor.domain,
    currency,
    timeZone,
    today,
    at: at.toISOString(),
    acceptsAddress: createAddressCheck(deps.imports.allowed),
    limits: deps.imports.limits,
  });
  for await (const event of events) {
    tools.stopping.throwIfAborted();
    await slice.yield();
    if (event.kind === "cut") errorCode = event.errorCode;
    else {
      foreign += event.foreign;
      for (const entry of event.entries) {
        if (isWished(entry.page.url, discovery.settings)) await taking.add(entry);
      }
    }
    await tools.beat({ place: taking.entries });
  }
  await taking.end();
  checkShop(tools.write, step);
  await dropBlob(tools.write, tools, blobId);
  const { entries } = taking;
  await noteTaken(step, feed, file, { atMs: at.getTime(), entries, foreign, errorCode });
  const { stats } = job;
  return {
    cursor: { ...cursor, n: cursor.n + 1 },
    stats: {
      ...stats,
      files: stats.files + 1,
      added: stats.added + taking.added,
      suggested: stats.suggested + taking.suggested,
      lastError: errorCode ?? (taking.isFull ? "too_many_pages" : stats.lastError),
    },
    progress: { processed: taking.entries, total: null },
  };
}

async function noteTaken(
  step: ShopStep,
  feed: ShopFeed,
  { upload: { sha256 }, etag, lastModified }: FeedFile,
  { atMs, entries, foreign, errorCode }:
    & Pick<StoredFeed, "entries" | "foreign" | "errorCode">
    & { readonly atMs: number },
): Promise<void> {
  const isNothing = errorCode !== null && entries === 0;
  const before = step.discovery.feeds.find(({ url }) => url === feed.url) ?? newFeed(feed);
  await noteFeed(step, {
    ...before,
    format: feed.format,
    askedMs: atMs,
    ...(!isNothing && { readMs: atMs, entries, foreign }),
    ...(errorCode === null
      ? { sha256, etag, lastModified }
      : { sha256: null, etag: null, lastModified: null }),
    isCut: errorCode !== null,
    errorCode,
  });
}

interface Change {
  readonly urlHash: string;
  readonly before: ShopPage | null;
  readonly page: ShopPage;
  readonly candidates: readonly Candidate[];
}

class Taking {
  entries = 0;
  added = 0;
  suggested = 0;
  isFull = false;
  readonly #step: ShopStep;
  readonly #index: ProductIndex;
  readonly #day: number;
  readonly #slice = new TimeSlice();
  #pending = new Map<string, ShopPage>();
  #urls = new Set<string>();

  constructor(step: ShopStep, index: ProductIndex, day: number) {
    this.#step = step;
    this.#index = index;
    this.#day = day;
  }

  async add({ urlHash, page }: FeedEntry): Promise<void> {
    this.entries += 1;
    const known = this.#pending.get(urlHash);
    this.#pending.set(urlHash, known ? joinedPage(known, page) : page);
    if (this.#pending.size >= BATCH) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#noteUrls();
  }

  async #flush(): Promise<void> {
    const { tools, shop: { row: { id: competitorId } } } = this.#step;
    const pending = this.#pending;
    this.#pending = new Map();
    const places = Array.from(pending.keys(), (urlHash) => ({ competitorId, urlHash }));
    const found = await findPages(tools, places);
    const befores = new Map(found.map(({ urlHash, page }) => [urlHash, page]));
    const changes: Change[] = [];
    for (const [urlHash, entry] of pending) {
      this.#urls.add(entry.url);
      const before = befores.get(urlHash) ?? null;
      const page = before?.foundBy === "feed" && before.seenAt === entry.seenAt
        ? joinedPage(before, entry)
        : entry;
      const isNew = before === null || saysOther(before, page);
      if (!isNew && before.seenAt === page.seenAt) continue;
      const candidates = isNew ? this.#index.candidatesAfter(before, page) : [];
      changes.push({ urlHash, before, page, candidates });
      await this.#slice.yield();
    }
    for (let at = 0; at < changes.length;) at += await this.#commit(changes.slice(at));
    if (this.#urls.size >= URLS_AT_ONCE) await this.#noteUrls();
  }

  async #commit(changes: readonly Change[]): Promise<number> {
    const { tools, shop: { row: { id: competitorId } } } = this.#step;
    let taken = 0;
    let suggested: NewSuggestion[] = [];
    await tools.checkpoint({ place: this.entries }, async (write) => {
      [taken, suggested] = [0, []];
      const products = new Set<string>();
      checkShop(write, this.#step);
      for (const { urlHash, before, page, candidates } of changes) {
        // One commit must not suggest a product twice.
        const isApart = !candidates.some(({ productId }) => products.has(productId)) &&
          products.size + candidates.length <= PRODUCTS_MAX;
        const checks = candidates.length > 0 ? CHECKS.suggesting : CHECKS.quiet;
        if (taken > 0 && !(isApart && write.fits({ ...PAGE_COST, checks }))) break;
        for (const { productId } of candidates) products.add(productId);
        const at = { competitorId, urlHash };
        savePage(write, tools.workspaceId, at, before, page);
        if (candidates.length > 0) {
          const found = { ...at, page };
          suggested.push(...await suggestPage(write, tools, found, candidates));
        }
        taken += 1;
      }
      await publishSuggestions(write, tools, competitorId, suggested);
    });
    this.suggested += suggested.length;
    return taken;
  }

  async #noteUrls(): Promise<void> {
    const urls = this.#urls;
    this.#urls = new Set();
    const withVisit = (one: KnownUrl): KnownUrl => {
      const isKnown = one.state === "product" && one.visitedDay === this.#day;
      return isKnown ? one : { ...one, state: "product", visitedDay: this.#day };
    };
    const { added, isFull } = await addUrls(this.#step, urls, withVisit, this.added);
    this.added += added;
    this.isFull ||= isFull;
  }
}

function saysOther(before: ShopPage, page: ShopPage): boolean {
  const contentOf = ({ seenAt: _at, ...rest }: ShopPage) => JSON.stringify(rest, Object.keys(page));
  return contentOf(before) !== contentOf(page);
}
