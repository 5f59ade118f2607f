/** Downloads shops' product feeds, keeps entries as known pages, and suggests products for them. */
import { type FetchedFile, fetchFile } from "../../imports/jobs/fetch_file.ts";
import { dropBlob, keepBlob } from "../../platform/store/spool.ts";
import type { ShopFeed, StoredFeed } from "../../shops/pages/discovery_store.ts";
import type { Aftermath } from "../page/visit_tools.ts";
import { type Asked, requestOf } from "../page/visit.ts";
import {
  addUrls,
  checkShop,
  goOn,
  keepPages,
  noteShop,
  type PageChange,
  type PageSource,
  type ShopStep,
  type Step,
} from "./shop_step.ts";
import { FEED_MAX, type FeedEntry, joinedPage, readFeed } from "./read_feed.ts";
import { beginReading } from "./read_files.ts";
import { DAY_MS } from "../../base/time.ts";
import { settingOf } from "../../imports/jobs/start_import.ts";
import { createAddressCheck } from "../../imports/records/raw_record.ts";
import { readParts } from "../../imports/upload/receive_upload.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { withHeartbeat } from "../../platform/jobs/job.ts";
import { openBlob } from "../../platform/store/spool_store.ts";
import { findPages, type ShopPage } from "../../shops/pages/found_page_store.ts";
import { isWished } from "./order_urls.ts";
import type { ProductIndex } from "../suggestions/product_indexes.ts";
import { batchesOf, pick } from "../../base/collections.ts";

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
    // Wait 20 hours instead of 24, because the daily job begins at varying times.
    const isDue = job.args.isFresh || before === null || nowMs - before.askedMs >= 20 * 3_600_000;
    return isDue
      ? { item: { url: feed.url, feed, before } }
      : { step: { cursor: { ...cursor, n: cursor.n + 1 } } };
  },
  ask: askForFeed,
  take: takeFile,
  refused: failed,
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

async function takeFile(step: ShopStep, due: DueFeed, fetched: FetchedFile): Promise<Step> {
  const { tools, cursor } = step;
  const { feed, before } = due;
  if (fetched.kind === "failed") return await failed(step, due, codeOf(fetched.errorCode));
  const isKnown = fetched.kind === "unchanged" ||
    (isFresh(step, feed, before) && before?.sha256 === fetched.upload.sha256);
  if (!isKnown) return await takeFeed(step, feed, fetched);
  checkShop(tools.write, step);
  if (fetched.kind === "file") await dropBlob(tools.write, tools, fetched.upload.blobId);
  await noteFeed(step, feed, { errorCode: null });
  return goOn(step, { n: cursor.n + 1 });
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

async function failed(step: ShopStep, { feed }: DueFeed, errorCode: string): Promise<Step> {
  checkShop(step.tools.write, step);
  await noteFeed(step, feed, { errorCode });
  return goOn(step, { n: step.cursor.n + 1 }, { lastError: errorCode });
}

const BATCH = 200;
const URLS_AT_ONCE = 20_000;

async function noteFeed(
  step: ShopStep,
  { url, format }: ShopFeed,
  changed: Partial<StoredFeed>,
): Promise<void> {
  const askedMs = step.tools.now().getTime();
  await noteShop(step, ({ settings, feeds }) => {
    const named = new Set(settings.feeds.map((feed) => feed.url));
    const before = feeds.find((feed) => feed.url === url) ?? { ...UNREAD, url, format };
    const others = feeds.filter((feed) => feed !== before && named.has(feed.url));
    return { feeds: [...others, { ...before, askedMs, ...changed }] };
  });
}

const UNREAD = {
  askedMs: 0,
  readMs: 0,
  entries: 0,
  foreign: 0,
  isCut: false,
  errorCode: null,
  sha256: null,
  etag: null,
  lastModified: null,
};

type FeedFile = Extract<FetchedFile, { kind: "file" }>;

/** Stores the entries of a downloaded feed; after a crash, the feed is downloaded again. */
async function takeFeed(step: ShopStep, { format, ...feed }: ShopFeed, file: FeedFile) {
  const { tools, cursor } = step;
  const { upload: { blobId, sha256 }, etag, lastModified } = file;
  const askedMs = tools.now().getTime();
  const keptUntil = new Date(askedMs + DAY_MS);
  await tools.checkpoint({}, (write) => keepBlob(write, tools, blobId, keptUntil));
  const taken: Taken = { entries: 0, foreign: 0, added: 0, suggested: 0, lastError: null };
  await takeEntries(step, entriesOf(step, format, file, taken), taken);
  checkShop(tools.write, step);
  await dropBlob(tools.write, tools, blobId);
  const { entries, foreign, errorCode = null, lastError, ...counted } = taken;
  const isCut = errorCode !== null;
  await noteFeed(step, { ...feed, format }, {
    format,
    askedMs,
    ...(!(isCut && entries === 0) && { readMs: askedMs, entries, foreign }),
    ...(isCut ? pick(UNREAD, ["sha256", "etag", "lastModified"]) : { sha256, etag, lastModified }),
    isCut,
    errorCode,
  });
  return {
    ...goOn(step, { n: cursor.n + 1 }, { ...counted, files: 1, lastError: errorCode ?? lastError }),
    progress: { processed: entries, total: null },
  };
}

interface Taken {
  entries: number;
  foreign: number;
  added: number;
  suggested: number;
  lastError: string | null;
  /** Error that ended the reading of the feed early; absent if the whole feed was read. */
  errorCode?: string;
}

async function* entriesOf(
  { deps: { imports }, tools, discovery: { settings }, shop: { row: { domain } } }: ShopStep,
  format: ShopFeed["format"],
  { upload: { blobId, manifestAt } }: FeedFile,
  taken: Taken,
): AsyncGenerator<FeedEntry> {
  const setting = await settingOf(tools);
  const parts = await readParts(await openBlob(tools, blobId), manifestAt);
  const events = readFeed(parts, {
    ...pick(setting, ["currency", "timeZone", "today"]),
    format,
    domain,
    at: tools.now().toISOString(),
    acceptsAddress: createAddressCheck(imports.allowed),
    limits: imports.limits,
  });
  const slice = new TimeSlice();
  for await (const event of events) {
    tools.stopping.throwIfAborted();
    await slice.yield();
    if (event.kind === "cut") taken.errorCode = event.errorCode;
    else {
      taken.foreign += event.foreign;
      yield* event.entries.filter(({ page }) => isWished(page.url, settings));
    }
    await tools.beat({ place: taken.entries });
  }
}

async function takeEntries(step: ShopStep, entries: AsyncIterable<FeedEntry>, taken: Taken) {
  const { deps, tools } = step;
  const index = await withHeartbeat(tools, () => deps.indexes.of(tools));
  const today = Math.floor(tools.now().getTime() / DAY_MS);
  const urls = new Set<string>();
  const noteUrls = async () => {
    const { added, isFull } = await addUrls(step, urls, (one) => {
      const isKnown = one.state === "product" && one.visitedDay === today;
      return isKnown ? one : { ...one, state: "product", visitedDay: today };
    }, taken.added);
    urls.clear();
    taken.added += added;
    if (isFull) taken.lastError = "too_many_pages";
  };
  for await (const batch of batchesOf(entries, BATCH)) {
    taken.entries += batch.length;
    for (const { page: { url } } of batch) urls.add(url);
    const changes = await changesBy(step, index, batch);
    for (let at = 0; at < changes.length;) {
      const kept = await keepNext(step, changes.slice(at), taken.entries);
      taken.suggested += kept.suggested;
      at += kept.taken;
    }
    if (urls.size >= URLS_AT_ONCE) await noteUrls();
  }
  await noteUrls();
}

async function changesBy(
  { tools, shop: { row: { id: competitorId } } }: ShopStep,
  index: ProductIndex,
  entries: readonly FeedEntry[],
): Promise<PageChange[]> {
  const places = entries.map(({ urlHash }) => ({ competitorId, urlHash }));
  const known = new Map<string, ShopPage>();
  for (const { urlHash, page } of await findPages(tools, places)) known.set(urlHash, page);
  const changes = new Map<string, PageChange>();
  const slice = new TimeSlice();
  for (const { urlHash, page: entry } of entries) {
    const before = known.get(urlHash) ?? null;
    const last = changes.get(urlHash)?.page ?? before;
    // True if an earlier entry of this feed had the same page.
    const isJoined = last?.foundBy === "feed" && last.seenAt === entry.seenAt;
    const page = isJoined ? joinedPage(last, entry) : entry;
    const isNew = before === null || saysOther(before, page);
    if (!isNew && before.seenAt === page.seenAt) continue;
    const candidates = isNew ? index.candidatesAfter(before, page) : [];
    changes.set(urlHash, { urlHash, before, page, candidates });
    await slice.yield();
  }
  return [...changes.values()];
}

async function keepNext(step: ShopStep, changes: readonly PageChange[], place: number) {
  let kept = { taken: 0, suggested: 0 };
  await step.tools.checkpoint({ place }, async (write) => {
    checkShop(write, step);
    kept = await keepPages(write, step, changes);
  });
  return kept;
}

function saysOther(before: ShopPage, page: ShopPage): boolean {
  const contentOf = ({ seenAt: _at, ...rest }: ShopPage) => JSON.stringify(rest, Object.keys(page));
  return contentOf(before) !== contentOf(page);
}
