/** Scores a shop's addresses by the words of our products, and plans visits. */
import { TimeSlice } from "../../platform/event_loop.ts";
import { withHeartbeat } from "../../platform/jobs/job.ts";
import {
  type KnownUrl,
  packUrls,
  putPlan,
  readUrlPart,
  removePlan,
  saveUrlPart,
  URL_PARTS,
} from "../../shops/discovery/url_store.ts";
import { placePages } from "../../shops/matches/match_store.ts";
import { urlHashOf } from "../../shops/domain.ts";
import { findCompetitorLoads } from "../schedule/schedule.ts";
import { Chooser, isWished, PatternCounters, slugTitle } from "../suggestions/choose_urls.ts";
import { publishSuggestions } from "../suggestions/suggest.ts";
import { requestsOf } from "./discovery_job.ts";
import { checkShop, delayOf, noteShop, type ShopStep, type Step } from "./shop_step.ts";
import { DAY_MS } from "../../base/time.ts";

const ROW_MAX = { pages: 64, bytes: 60_000 };
/** If the number of products changes by this share, all pages are scored again. */
const RESCORE_SHARE = 0.1;
const PLACES = 1_000;
/** Outcome of a page that already has a link to a product, and is therefore not visited. */
const LINKED = "p";

export async function orderUrls(step: ShopStep): Promise<Step> {
  const { deps, tools, cursor, place, discovery } = step;
  const index = await withHeartbeat(tools, () => deps.indexes.of(tools));
  const isRescoring = cursor.n === 0
    ? Math.abs(index.size - discovery.orderedFor) >
      RESCORE_SHARE * Math.max(1, discovery.orderedFor)
    : cursor.isRescoring;
  const slice = new TimeSlice();
  const begunAt = performance.now();
  let part = cursor.n;
  let isTouched = false;
  for (; part < URL_PARTS && performance.now() - begunAt < 300; part++) {
    const before = await readUrlPart(place, part);
    // Leaves 60,000 bytes for the job's row.
    const bytes = (before.values + 1) * 60_000;
    if (isTouched && !tools.write.fits({ bytes, mutations: before.values + 2 })) break;
    const urls: KnownUrl[] = [];
    let isChanged = false;
    for (const known of before.urls) {
      const isOpen = known.score === null || (isRescoring && known.state === "new");
      if (!isOpen || !isWished(known.url, discovery.settings)) {
        urls.push(known);
        continue;
      }
      isChanged = true;
      urls.push({ ...known, score: index.scoreOf(slugTitle(known.url)) });
      await slice.yield();
    }
    if (!isChanged) continue;
    if (!isTouched) checkShop(tools.write, step);
    isTouched = true;
    saveUrlPart(tools.write, place, { part, before: before.values, values: packUrls(urls) });
  }
  const next = { ...cursor, n: part, isRescoring };
  if (part < URL_PARTS) return { cursor: next };
  if (!isTouched) checkShop(tools.write, step);
  const orderedFor = isRescoring ? index.size : discovery.orderedFor;
  await noteShop(step, () => ({ orderedFor }));
  return { cursor: { ...next, phase: "search", n: 0 } };
}

export async function budgetOf(
  step: ShopStep,
): Promise<{ readonly total: number; readonly left: number }> {
  const { tools, shop: { row: competitor }, discovery, job } = step;
  const today = Math.floor(tools.now().getTime() / DAY_MS);
  const before = discovery.day === today ? discovery.visitedToday : 0;
  const [due = 0] = await findCompetitorLoads(tools, [competitor.id]);
  const delayMs = delayOf(step);
  const perDay = delayMs === 0 ? Infinity : DAY_MS / delayMs;
  // Loads are in thousandths of a fetch.
  const share = Math.max(0, Math.floor((perDay - due / 1_000) / 2));
  const total = Math.min(discovery.settings.pagesPerDay, share);
  return { total, left: Math.max(0, total - before - requestsOf(job)) };
}

/** Estimated stored size in bytes. */
function bytesOf(urls: readonly string[]): number {
  return urls.reduce((sum, url) => sum + url.length + 16, 300);
}

function* rowsOf(pages: readonly string[]): Generator<string[]> {
  let row: string[] = [];
  for (const url of pages) {
    if (row.length === ROW_MAX.pages || bytesOf([...row, url]) > ROW_MAX.bytes) {
      yield row;
      row = [];
    }
    row.push(url);
  }
  if (row.length > 0) yield row;
}

export async function planVisits(step: ShopStep): Promise<Step> {
  const { tools, cursor, place, discovery, job, shop: { row: competitor } } = step;
  const { stats } = job;
  const { left: budget } = await budgetOf(step);
  const today = Math.floor(tools.now().getTime() / DAY_MS);
  const counts = { urls: 0, visited: 0, products: 0 };
  const [urls, linked] = await withHeartbeat(tools, async () => {
    const patterns = new PatternCounters();
    await eachUrl(step, (known) => {
      patterns.note(known);
      counts.urls += 1;
      if (known.state !== "new") counts.visited += 1;
      if (known.state === "product") counts.products += 1;
    });
    const max = Math.min(budget, 4_096);
    const hashes = new Set<string>();
    if (max === 0) return [[], hashes] as const;
    const chooser = new Chooser({ max, today, patterns, wishes: discovery.settings });
    await eachUrl(step, (known) => chooser.offer(known));
    for await (const places of placePages(tools, competitor.id, PLACES)) {
      for (const { urlHash } of places) hashes.add(urlHash);
    }
    return [chooser.take(), hashes] as const;
  });
  const counted = { added: stats.added, visited: stats.visited, products: stats.products };
  const next = { ...cursor, n: 0, budget, counted, untold: [] };
  checkShop(tools.write, step);
  await publishSuggestions(tools.write, tools, competitor.id, cursor.untold);
  await noteShop(step, () => ({ counts }));
  // This commit already writes the shop's row.
  if (urls.length === 0) return { cursor: { ...next, phase: "end" } };
  await removePlan(place, "page");
  const isLinked = (url: string) => {
    const parsed = URL.parse(url);
    return parsed !== null && linked.has(urlHashOf(parsed));
  };
  const [seen, open] = [urls.filter(isLinked), urls.filter((url) => !isLinked(url))];
  let n = 0;
  for (const [pages, letter] of [[seen, LINKED], [open, ""]] as const) {
    for (const row of rowsOf(pages)) {
      if (n > 0 && !tools.write.fits({ mutations: 4, bytes: bytesOf(row) + 20_000 })) break;
      putPlan(tools.write, place, n++, { urls: row, outcomes: letter.repeat(row.length) });
    }
  }
  return { cursor: { ...next, phase: "visits" } };
}

async function eachUrl({ place }: ShopStep, note: (known: KnownUrl) => void): Promise<void> {
  const slice = new TimeSlice();
  for (let part = 0; part < URL_PARTS; part++) {
    const { urls } = await readUrlPart(place, part);
    for (const known of urls) {
      note(known);
      await slice.yield();
    }
  }
}
