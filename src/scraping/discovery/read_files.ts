/** The sitemaps of a shop, file by file: each once, each page kept once. */

import { TooComplex } from "../../base/failure.ts";
import type { Write } from "../../platform/store/kv.ts";
import { SEARCH_PLACE } from "../../shops/discovery/discovery_store.ts";
import {
  listPlannedFiles,
  mergeListed,
  type PlannedFile,
  putPlannedFile,
  removePlan,
} from "../../shops/discovery/url_store.ts";
import { domainOf } from "../../shops/domain.ts";
import { findMatchesAt, listPlaces } from "../../shops/matches/match_store.ts";
import { findRobots, productToken, readRobotsText } from "../page/robots_file.ts";
import { readingOf, requestOf } from "../page/take_turn.ts";
import { fetchSitemap } from "./ask_shop.ts";
import { type AddedUrls, addUrls, NONE_ADDED } from "./change_parts.ts";
import { FILES_MAX, type SitemapReport, type SitemapUrl } from "./read_sitemap.ts";
import {
  askInTurn,
  checkShop,
  endTurn,
  noteRobots,
  noteShop,
  roomForUrls,
  seekTurn,
  type ShopStep,
  type Step,
  useTurn,
} from "./shop_step.ts";

/** An index in an index in an index: deeper ones are not read. */
const DEPTH_MAX = 3;
const ROBOTS = "/robots.txt";

/** Begins a reading: the first file is the robots.txt of the shop. */
export async function beginReading(step: ShopStep): Promise<Step> {
  const { tools, place, cursor } = step;
  await removePlan(place, "file");
  const origin = await originOf(step);
  checkShop(tools.write, step);
  putPlannedFile(tools.write, place, 0, { url: `${origin}${ROBOTS}`, depth: 0 });
  return { cursor: { ...cursor, phase: "files", n: 0, foreign: 0 } };
}

/** Where the shop is: as its sitemaps, its feeds, its search or its links say, else where shops are. */
async function originOf({ tools, shop: { competitor }, discovery }: ShopStep): Promise<string> {
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

/** Reads the file in hand, or ends the reading behind the last one. */
export async function readFile(step: ShopStep): Promise<Step> {
  const { cursor, place } = step;
  const files = await listPlannedFiles(place);
  const file = files[cursor.n];
  if (!file) return await endReading(step);
  return file.url.endsWith(ROBOTS) && file.depth === 0
    ? await readRobots(step, file, files)
    : await readSitemapFile(step, file, files);
}

async function endReading(step: ShopStep): Promise<Step> {
  const { tools, cursor } = step;
  const { foreign, crawlDelayMs } = cursor;
  checkShop(tools.write, step);
  await noteShop(step, () => ({ lastReadMs: tools.now().getTime(), foreign, crawlDelayMs }));
  return { cursor: { ...cursor, phase: "order", n: 0, isRead: true } };
}

async function readRobots(
  step: ShopStep,
  file: PlannedFile,
  files: readonly PlannedFile[],
): Promise<Step> {
  const { deps, tools, cursor, job, discovery, place, shop } = step;
  const { origin } = new URL(file.url);
  const { sitemaps } = discovery.settings;
  const known = await findRobots(tools.store, origin, tools.now().getTime());
  if (known === null) {
    if (cursor.turn === null) {
      const sought = await seekTurn(step, file.url);
      return sought.kind === "step" ? sought.step : failed(step, sought.errorCode);
    }
    // A turn that was taken while the file was known is for nothing here.
    const brought = cursor.turn.isForRobots ? await useTurn(step, file.url, neverAsked) : null;
    if (brought?.kind === "robots") return await noteRobots(step, file.url, brought);
    return { cursor: await endTurn(tools.write, step, null) };
  }
  const after = await endTurn(tools.write, step, null);
  const next = { ...after, n: cursor.n + 1 };
  if (known.kind === "closed") {
    const isGuess = known.errorCode !== "robots_disallowed" && origin.startsWith("https:") &&
      files.length === 1 && sitemaps === "robots";
    // Shops without a certificate are rare, but there are some.
    if (isGuess) {
      const url = `http://${shop.competitor.domain}${ROBOTS}`;
      checkShop(tools.write, step);
      putPlannedFile(tools.write, place, files.length, { url, depth: 0 });
    }
    const lastError = known.errorCode ?? "robots_disallowed";
    return { cursor: next, stats: { ...job.stats, lastError } };
  }
  const text = known.kind === "text" ? await readRobotsText(tools.store, known) : "";
  try {
    const question = { text, token: productToken(deps.scraper.userAgent) };
    const said = await deps.reader.directives(question, readingOf(tools));
    const named = said.sitemaps.length > 0 ? said.sitemaps : [`${origin}/sitemap.xml`];
    const urls = (sitemaps === "robots" ? named : sitemaps)
      .flatMap((one) => URL.parse(one, origin)?.href ?? []);
    addFiles(tools.write, step, files, urls.map((url) => ({ url, depth: 0 })));
    return { cursor: { ...next, crawlDelayMs: said.crawlDelayMs ?? 0 } };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { cursor: next, stats: { ...job.stats, lastError: "too_complex" } };
  }
}

function neverAsked(): Promise<never> {
  return Promise.reject(new Error("A turn for robots.txt asks for nothing else"));
}

async function readSitemapFile(
  step: ShopStep,
  file: PlannedFile,
  files: readonly PlannedFile[],
): Promise<Step> {
  const { deps, memory, tools, job, cursor, shop: { competitor } } = step;
  const asked = await askInTurn(step, file.url, "sitemap", async (signal) => ({
    kind: "sitemap",
    sitemap: await fetchSitemap(deps.scraper, deps.reader, {
      url: file.url,
      domain: competitor.domain,
      country: competitor.country,
      ...requestOf(deps.scraper, tools, signal),
    }),
  }));
  if (asked.kind === "step") return asked.step;
  if (asked.kind === "refused") return failed(step, asked.errorCode);
  const { sitemap } = asked;
  const { outcome } = sitemap;
  let { added, isFull } = NONE_ADDED;
  if (outcome.kind === "read" && outcome.report.urls.length > 0) {
    // The following work takes a while and needs no request to the shop.
    await tools.checkpoint({}, async (write) => {
      await endTurn(write, step, sitemap);
    });
    ({ added, isFull } = await keepUrls(step, outcome.report.urls));
  }
  const after = await endTurn(tools.write, step, sitemap);
  if (outcome.kind === "failed") return failed({ ...step, cursor: after }, outcome.errorCode);
  if (outcome.report.kind === "index") {
    addFiles(tools.write, step, files, filesOf(step, file, outcome.report));
  }
  const committed = () => memory.forget(job.jobId);
  const cut = isFull ? "too_many_pages" : outcome.report.isCut ? "cut_sitemap" : null;
  return {
    cursor: { ...after, n: cursor.n + 1, foreign: cursor.foreign + outcome.report.foreign },
    stats: {
      ...job.stats,
      files: job.stats.files + 1,
      added: job.stats.added + added,
      lastError: cut ?? job.stats.lastError,
    },
    progress: { processed: cursor.n + 1, total: null },
    committed,
  };
}

function failed({ job, cursor }: ShopStep, lastError: string): Step {
  return {
    cursor: { ...cursor, turn: null, n: cursor.n + 1 },
    stats: { ...job.stats, lastError },
  };
}

/** Files that an index may name: of the shop, and of the index's own host. */
function filesOf(
  { shop: { competitor } }: ShopStep,
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

/** Behind those that are known, each once: a file that names itself is read once. */
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
    putPlannedFile(write, place, n++, file);
  }
}

/** Puts the pages of a file to those that are known: doing it twice changes nothing. */
async function keepUrls(step: ShopStep, named: readonly SitemapUrl[]): Promise<AddedUrls> {
  const days = new Map(named.map(({ url, lastmodDay }) => [url, lastmodDay]));
  return await addUrls(
    step,
    days.keys(),
    roomForUrls(step),
    (known, listed, room) => mergeListed(known, days, listed, room),
  );
}
