/** Reads a shop's sitemaps. */
import { TooComplex } from "../../base/failure.ts";
import type { Write } from "../../platform/store/kv.ts";
import { SEARCH_PLACE } from "../../shops/pages/discovery_store.ts";
import {
  listPlannedFiles,
  type PlannedFile,
  putPlan,
  removePlan,
} from "../../shops/pages/url_store.ts";
import { domainOf } from "../../shops/domain.ts";
import { findMatchesAt, listPlaces } from "../../shops/matches/match_store.ts";
import {
  findRobots,
  productToken,
  readRobotsText,
  type StoredRobots,
} from "../page/robots_file.ts";
import { dropPermit } from "../page/permit.ts";
import { readingOf } from "../page/visit.ts";
import {
  type AddedUrls,
  addUrls,
  askFor,
  checkShop,
  failureIn,
  goOn,
  NONE_ADDED,
  noteShop,
  type PageSource,
  type Reading,
  type ShopStep,
  type Step,
} from "./shop_step.ts";
import {
  FILES_MAX,
  SITEMAP_BYTES_MAX,
  type SitemapReport,
  type SitemapUrl,
} from "./read_addresses.ts";
import { DAY_MS } from "../../base/time.ts";

const DEPTH_MAX = 3;
const ROBOTS = "/robots.txt";

export async function beginReading(step: ShopStep): Promise<Step> {
  const { tools, place, job, cursor, discovery } = step;
  const passedMs = tools.now().getTime() - discovery.lastReadMs;
  if (!job.args.isFresh && passedMs < 7 * DAY_MS) {
    return { cursor: { ...cursor, phase: "order", n: 0, isRead: true } };
  }
  await removePlan(place, "file");
  const origin = await originOf(step);
  checkShop(tools.write, step);
  putPlan(tools.write, place, 0, { url: `${origin}${ROBOTS}`, depth: 0 });
  return { cursor: { ...cursor, phase: "files", n: 0, foreign: 0 } };
}

async function originOf(
  { tools, shop: { row: competitor }, discovery }: ShopStep,
): Promise<string> {
  const { sitemaps, feeds, searchTemplate } = discovery.settings;
  const given = [
    ...(sitemaps === "robots" ? [] : sitemaps),
    ...feeds.map(({ url }) => url),
    ...(searchTemplate === null ? [] : [searchTemplate.replace(SEARCH_PLACE, "0")]),
  ];
  const places = await listPlaces(tools, competitor.id, null, 1);
  const matches = await findMatchesAt(tools, places);
  for (const text of [...given, ...matches.map(({ match }) => match.url)]) {
    const url = URL.parse(text);
    if (url && domainOf(url) === competitor.domain) return url.origin;
  }
  return `https://${competitor.domain}`;
}

interface FileInFlight extends PlannedFile {
  readonly files: readonly PlannedFile[];
}

interface SitemapAnswer {
  readonly report: SitemapReport;
}

const ACCEPT_SITEMAPS = "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5";

export const SITEMAPS: PageSource<FileInFlight, Reading<SitemapAnswer>> = {
  isLong: true,
  async next(step) {
    const { tools, cursor, cursor: { turn: permit }, place } = step;
    const files = await listPlannedFiles(place);
    const file = files[cursor.n];
    if (!file) return { step: await endReading(step) };
    const item = { ...file, files };
    if (!file.url.endsWith(ROBOTS) || file.depth !== 0) return { item };
    const { origin } = new URL(file.url);
    const known = await findRobots(tools.store, origin, tools.now().getTime());
    if (known === null && (permit === null || permit.isForRobots)) return { item };
    await dropPermit(tools, { turn: permit });
    const after = { ...cursor, turn: null };
    if (known === null) return { step: { cursor: after } };
    return { step: await readRobots({ ...step, cursor: after }, known, files) };
  },
  ask: (step, { url }, signal) => {
    const { deps: { reader }, shop: { row: { domain, country } } } = step;
    const wanted = { accept: ACCEPT_SITEMAPS, bytesMax: SITEMAP_BYTES_MAX };
    return askFor<SitemapAnswer>(step, url, signal, wanted, async (answer, permit) => {
      const failure = failureIn(answer);
      if (failure) return failure;
      const { url: fileUrl, body } = answer;
      const report = await reader.sitemap({ body, fileUrl, domain, country }, permit);
      return report.kind === "unreadable"
        ? { kind: "failed", errorCode: "unreadable_sitemap" }
        : { kind: "read", report };
    });
  },
  async take(step, file, outcome) {
    const { tools, cursor } = step;
    const n = cursor.n + 1;
    if (outcome.kind === "failed") return goOn(step, { n }, { lastError: outcome.errorCode });
    const { report } = outcome;
    const { added, isFull } = report.urls.length > 0
      ? await keepUrls(step, report.urls)
      : NONE_ADDED;
    if (report.kind === "index") {
      addFiles(tools.write, step, file.files, filesOf(step, file, report));
    }
    const lastError = isFull ? "too_many_pages" : report.isCut ? "cut_sitemap" : null;
    const foreign = cursor.foreign + report.foreign;
    const progress = { processed: n, total: null };
    return { ...goOn(step, { n, foreign }, { files: 1, added, lastError }), progress };
  },
  refused: (step, _, lastError) => goOn(step, { n: step.cursor.n + 1 }, { lastError }),
};

async function endReading(step: ShopStep): Promise<Step> {
  const { tools, cursor } = step;
  const { foreign, crawlDelayMs } = cursor;
  checkShop(tools.write, step);
  await noteShop(step, () => ({ lastReadMs: tools.now().getTime(), foreign, crawlDelayMs }));
  return { cursor: { ...cursor, phase: "order", n: 0, isRead: true } };
}

async function readRobots(
  step: ShopStep,
  known: StoredRobots,
  files: readonly PlannedFile[],
): Promise<Step> {
  const { deps, tools, cursor, discovery, place, shop } = step;
  const { origin } = known;
  const { sitemaps } = discovery.settings;
  const n = cursor.n + 1;
  if (known.kind === "closed") {
    const isGuess = known.errorCode !== "robots_disallowed" && origin.startsWith("https:") &&
      files.length === 1 && sitemaps === "robots";
    // `https` was a guess: if the host has no certificate, `http` may work.
    if (isGuess) {
      const url = `http://${shop.row.domain}${ROBOTS}`;
      checkShop(tools.write, step);
      putPlan(tools.write, place, files.length, { url, depth: 0 });
    }
    return goOn(step, { n }, { lastError: known.errorCode ?? "robots_disallowed" });
  }
  const text = known.kind === "text" ? await readRobotsText(tools.store, known) : "";
  try {
    const question = { text, token: productToken(deps.scraper.userAgent), url: origin };
    const report = await deps.scraper.reader.robots(question, readingOf(tools));
    const named = report.sitemaps.length > 0 ? report.sitemaps : [`${origin}/sitemap.xml`];
    const urls = (sitemaps === "robots" ? named : sitemaps)
      .flatMap((one) => URL.parse(one, origin)?.href ?? []);
    addFiles(tools.write, step, files, urls.map((url) => ({ url, depth: 0 })));
    return { cursor: { ...cursor, n, crawlDelayMs: report.crawlDelayMs ?? 0 } };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return goOn(step, { n }, { lastError: "too_complex" });
  }
}

/** Files of a sitemap index on its host or on the shop's domain; none below the third level. */
function filesOf(
  { shop: { row: competitor } }: ShopStep,
  { url, depth }: PlannedFile,
  { files }: SitemapReport,
): PlannedFile[] {
  if (depth + 1 >= DEPTH_MAX) return [];
  const { host } = new URL(url);
  return files.flatMap((file) => {
    const parsed = new URL(file);
    const isOwn = domainOf(parsed) === competitor.domain || parsed.host === host;
    return isOwn ? [{ url: file, depth: depth + 1 }] : [];
  });
}

function addFiles(
  write: Write,
  step: ShopStep,
  files: readonly PlannedFile[],
  more: readonly PlannedFile[],
): void {
  const { place } = step;
  checkShop(write, step);
  const known = new Set(files.map(({ url }) => url));
  let n = files.length;
  for (const file of more) {
    if (known.has(file.url) || n > FILES_MAX || !write.fits({ mutations: 1, bytes: 4_000 })) {
      continue;
    }
    known.add(file.url);
    putPlan(write, place, n++, file);
  }
}

async function keepUrls(step: ShopStep, named: readonly SitemapUrl[]): Promise<AddedUrls> {
  const days = new Map(named.map(({ url, lastmodDay }) => [url, lastmodDay]));
  return await addUrls(step, days.keys(), (one) => {
    const lastmodDay = days.get(one.url) ?? 0;
    return lastmodDay > one.lastmodDay ? { ...one, lastmodDay } : one;
  });
}
