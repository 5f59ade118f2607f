/** Scores the URLs of a shop by the words of our product titles, and plans which pages to visit. */
import { TimeSlice } from "../../platform/event_loop.ts";
import { withHeartbeat } from "../../platform/jobs/job.ts";
import {
  type KnownUrl,
  putPlan,
  readUrlPart,
  removePlan,
  URL_PARTS,
} from "../../shops/pages/url_store.ts";
import { placePages } from "../../shops/matches/match_store.ts";
import { urlHashOf } from "../../shops/domain.ts";
import { findCompetitorLoads } from "../schedule/health.ts";
import { requestsOf } from "./discovery_job.ts";
import {
  changeParts,
  checkShop,
  delayOf,
  noteShop,
  type ShopStep,
  type Step,
} from "./shop_step.ts";
import { DAY_MS } from "../../base/time.ts";
import { batchesOf, TopN } from "../../base/collections.ts";
import type { DiscoverySettings } from "../../shops/pages/discovery_store.ts";

/** URLs per stored value of the plan; Deno KV allows 64 KiB per value. */
const PAGES_PER_ROW = 25;
const RESCORE_CHANGE_SHARE = 0.1;
const PLACES = 1_000;
const LINKED_OUTCOME = "p";

export async function orderUrls(step: ShopStep): Promise<Step> {
  const { deps, tools, cursor, discovery: { orderedFor, settings } } = step;
  const index = await withHeartbeat(tools, () => deps.indexes.of(tools));
  const isRescoring =
    Math.abs(index.size - orderedFor) > RESCORE_CHANGE_SHARE * Math.max(1, orderedFor);
  const slice = new TimeSlice();
  const begunAt = performance.now();
  let { n } = cursor;
  const parts = function* () {
    while (n < URL_PARTS && performance.now() - begunAt < 300) yield n++;
  };
  await changeParts(step, parts(), async (known) => {
    const scored: KnownUrl[] = [];
    for (const one of known) {
      const isOpen = one.score === null || (isRescoring && one.state === "new");
      if (!isOpen || !isWished(one.url, settings)) {
        scored.push(one);
        continue;
      }
      scored.push({ ...one, score: index.scoreOf(slugTitle(one.url)) });
      await slice.yield();
    }
    return scored;
  });
  if (n < URL_PARTS) return { cursor: { ...cursor, n } };
  checkShop(tools.write, step);
  if (isRescoring) await noteShop(step, () => ({ orderedFor: index.size }));
  return { cursor: { ...cursor, phase: "search", n: 0 } };
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
  // `due`: the shop's scheduled fetches per day, times 1,000.
  const share = Math.max(0, Math.floor((perDay - due / 1_000) / 2));
  const total = Math.min(discovery.settings.pagesPerDay, share);
  return { total, left: Math.max(0, total - before - requestsOf(job)) };
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
    const chooser = createChooser({ max, today, patterns, wishes: discovery.settings });
    await eachUrl(step, (known) => chooser.offer(known));
    for await (const places of placePages(tools, competitor.id, PLACES)) {
      for (const { urlHash } of places) hashes.add(urlHash);
    }
    return [chooser.take(), hashes] as const;
  });
  const counted = { added: stats.added, visited: stats.visited, products: stats.products };
  const next = { ...cursor, n: 0, budget, counted };
  checkShop(tools.write, step);
  await noteShop(step, () => ({ counts }));
  if (urls.length === 0) return { cursor: { ...next, phase: "links", linkedTo: null } };
  await removePlan(place, "page");
  const isLinked = (url: string) => {
    const parsed = URL.parse(url);
    return parsed !== null && linked.has(urlHashOf(parsed));
  };
  const [seen, open] = [urls.filter(isLinked), urls.filter((url) => !isLinked(url))];
  let n = 0;
  for (const [pages, letter] of [[seen, LINKED_OUTCOME], [open, ""]] as const) {
    for await (const row of batchesOf(pages, PAGES_PER_ROW)) {
      const bytes = JSON.stringify(row).length + 20_000;
      if (n > 0 && !tools.write.fits({ mutations: 4, bytes })) break;
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

const REVISIT_DAYS = { product: 60, other: 180, failed: 7 };
const BARREN_VISITS_MAX = 50;
const DRAWN_EACH = 10;

export function isDue({ state, lastmodDay, visitedDay }: KnownUrl, today: number): boolean {
  if (state === "new") return true;
  const passed = today - visitedDay;
  if (state === "failed") return passed >= REVISIT_DAYS.failed;
  if (state === "product") {
    // Ignore a `lastmod` in the future: the page would stay due, however often it is visited.
    const hasChanged = lastmodDay > visitedDay && lastmodDay <= today;
    return hasChanged || passed >= REVISIT_DAYS.product;
  }
  return passed >= REVISIT_DAYS.other;
}

type PathWishes = Readonly<Pick<DiscoverySettings, "include" | "exclude">>;

export function isWished(url: string, { include, exclude }: PathWishes): boolean {
  const path = pathOf(url);
  const begins = (paths: readonly string[]) => paths.some((one) => path.startsWith(one));
  return (include.length === 0 || begins(include)) && !begins(exclude);
}

function pathOf(url: string): string {
  const at = url.indexOf("/", 8);
  return at < 0 ? "/" : url.slice(at);
}

export function slugTitle(url: string): string {
  const path = pathOf(url).split(/[?#]/, 1)[0] ?? "";
  const segments = path.split("/").filter((segment) => segment !== "").slice(-2);
  return segments.map(wordsOf).join(" ").slice(0, 300);
}

function wordsOf(segment: string): string {
  return decoded(segment).replace(/\.(?:html?|php|aspx?|jsp)$/i, "").replace(/[-_+.,]+/g, " ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function patternOf(url: string): string {
  const segments = (pathOf(url).split(/[?#]/, 1)[0] ?? "").split("/").slice(1);
  const page = segments.pop() ?? "";
  const extension = /\.[a-z]{2,5}$/i.exec(page)?.[0] ?? "";
  const folders = segments.slice(0, 4).map((one) => one.replaceAll(/\d+/g, "#"));
  return [...folders, `*${extension}`].join("/");
}

export class PatternCounters {
  readonly #seen = new Map<string, { visited: number; products: number }>();

  note({ url, state }: KnownUrl): void {
    if (state === "new" || state === "failed") return;
    const pattern = patternOf(url);
    const known = this.#seen.get(pattern) ?? { visited: 0, products: 0 };
    if (known.visited === 0 && this.#seen.size >= 20_000) return;
    known.visited += 1;
    if (state === "product") known.products += 1;
    this.#seen.set(pattern, known);
  }

  isBarren(url: string): boolean {
    const known = this.#seen.get(patternOf(url));
    return known !== undefined && known.visited >= BARREN_VISITS_MAX && known.products === 0;
  }
}

interface Choice {
  readonly url: string;
  readonly rank: number;
}

function isLikelier(a: Choice, b: Choice): boolean {
  return a.rank === b.rank ? a.url < b.url : a.rank > b.rank;
}

export function createChooser(
  { max, today, patterns, wishes }: {
    readonly max: number;
    readonly today: number;
    readonly patterns: PatternCounters;
    readonly wishes: PathWishes;
  },
) {
  const best = new TopN(max, isLikelier);
  const drawn = new TopN(max, isLikelier);
  return {
    offer(known: KnownUrl): void {
      const { url, score } = known;
      if (!isDue(known, today) || !isWished(url, wishes)) return;
      const isBarren = patterns.isBarren(url);
      best.add({ url, rank: (score ?? 0) - (isBarren ? 2 : 0) });
      if (!isBarren) drawn.add({ url, rank: drawOf(url, today) });
    },
    take(): string[] {
      const likely = best.sorted().map(({ url }) => url);
      const known = new Set(likely);
      const others = drawn.sorted().map(({ url }) => url).filter((url) => !known.has(url));
      const next = [likely.values(), others.values()] as const;
      const plan: string[] = [];
      while (plan.length < max) {
        const isDraw = plan.length % DRAWN_EACH === DRAWN_EACH - 1;
        const [first, second] = isDraw ? next.toReversed() : next;
        const url = first?.next().value ?? second?.next().value;
        if (url === undefined) break;
        plan.push(url);
      }
      return plan;
    },
  };
}

/** Returns a pseudo-random number (FNV-1a), which stays the same for a URL all day. */
function drawOf(url: string, day: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(day, 0x9e3779b1);
  for (let at = 0; at < url.length; at++) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
}
