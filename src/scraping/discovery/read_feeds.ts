/** Downloads a shop's product feeds. */
import { type FetchedFile, fetchFile } from "../../imports/jobs/pull_kind.ts";
import { dropBlob, keepBlob } from "../../platform/store/spool.ts";
import type { ShopFeed, StoredFeed } from "../../shops/pages/discovery_store.ts";
import type { Aftermath } from "../page/visit_tools.ts";
import { type Asked, requestOf } from "../page/visit.ts";
import { checkShop, type PageSource, type ShopStep, type Step } from "./shop_step.ts";
import { FEED_MAX } from "./read_feed.ts";
import { beginReading } from "./read_files.ts";
import { forgetLeft, newFeed, noteFeed, takeFeed } from "./take_feed.ts";
import { DAY_MS } from "../../base/time.ts";

interface DueFeed {
  readonly url: string;
  readonly feed: ShopFeed;
  readonly before: StoredFeed | null;
}

const TIMEOUT_MS = 5 * 60_000;

export const FEEDS: PageSource<DueFeed, FetchedFile> = {
  timeoutMs: TIMEOUT_MS,
  async next(step) {
    const { tools, cursor, job, discovery } = step;
    const file = cursor.feed;
    const { feeds } = discovery.settings;
    const feed = feeds[cursor.n];
    if (file !== null && file.url !== feed?.url) {
      await dropBlob(tools.write, tools, file.blobId);
      return { step: { cursor: { ...cursor, feed: null } } };
    }
    if (feed === undefined) {
      if (feeds.length > 0) await forgetLeft(step, feeds);
      return { step: await beginReading(step) };
    }
    if (file !== null) return { step: await takeFeed(step, feed, file) };
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
  { url, feed, before }: DueFeed,
  fetched: FetchedFile,
): Promise<Step> {
  const { tools, cursor } = step;
  if (fetched.kind === "failed") return await failed(step, feed, before, codeOf(fetched.errorCode));
  checkShop(tools.write, step);
  const isKnown = fetched.kind === "unchanged" ||
    (isFresh(step, feed, before) && before?.sha256 === fetched.upload.sha256);
  if (isKnown && before !== null) {
    if (fetched.kind === "file") await dropBlob(tools.write, tools, fetched.upload.blobId);
    await noteFeed(step, { ...before, askedMs: tools.now().getTime(), errorCode: null });
    return { cursor: { ...cursor, n: cursor.n + 1 } };
  }
  if (fetched.kind !== "file") throw new Error("A feed was unchanged without a stored version");
  const { upload: { blobId, manifestAt, sha256 }, etag, lastModified } = fetched;
  const atMs = tools.now().getTime();
  await keepBlob(tools.write, tools, blobId, new Date(atMs + DAY_MS));
  const file = { url, blobId, manifestAt, sha256, etag, lastModified, atMs };
  return { cursor: { ...cursor, feed: file } };
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
