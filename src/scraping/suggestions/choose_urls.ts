/** Scores the addresses of a shop. Addresses with words of our products are visited first. */
import { TopN } from "../../base/heap.ts";
import type { DiscoverySettings } from "../../shops/discovery/discovery_store.ts";
import type { KnownUrl } from "../../shops/discovery/url_store.ts";

/** Days until a page is visited again. */
const AGAIN_DAYS = { product: 60, other: 180, failed: 7 };
/** After this many visits without a product, pages with the same address pattern come last. */
const BARREN_VISITS = 50;
/** One in this many visits is chosen at random. */
const DRAWN_EACH = 10;

export function isDue({ state, lastmodDay, visitedDay }: KnownUrl, today: number): boolean {
  if (state === "new") return true;
  const passed = today - visitedDay;
  if (state === "failed") return passed >= AGAIN_DAYS.failed;
  if (state === "product") return lastmodDay > visitedDay || passed >= AGAIN_DAYS.product;
  return passed >= AGAIN_DAYS.other;
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

/** The words in the last two parts of the URL's path. */
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
    // The path is not valid UTF-8.
    return text;
  }
}

/** The address without numbers and page name. */
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
    // Limits the number of patterns.
    if (known.visited === 0 && this.#seen.size >= 20_000) return;
    known.visited += 1;
    if (state === "product") known.products += 1;
    this.#seen.set(pattern, known);
  }

  isBarren(url: string): boolean {
    const known = this.#seen.get(patternOf(url));
    return known !== undefined && known.visited >= BARREN_VISITS && known.products === 0;
  }
}

interface Choice {
  readonly url: string;
  readonly rank: number;
}

function isLikelier(a: Choice, b: Choice): boolean {
  return a.rank === b.rank ? a.url < b.url : a.rank > b.rank;
}

/** The choice does not depend on the order in which pages are offered. */
export class Chooser {
  readonly #max: number;
  readonly #today: number;
  readonly #patterns: PatternCounters;
  readonly #wishes: PathWishes;
  readonly #best: TopN<Choice>;
  readonly #drawn: TopN<Choice>;

  constructor(
    { max, today, patterns, wishes }: {
      readonly max: number;
      readonly today: number;
      readonly patterns: PatternCounters;
      readonly wishes: PathWishes;
    },
  ) {
    this.#max = max;
    this.#today = today;
    this.#patterns = patterns;
    this.#wishes = wishes;
    this.#best = new TopN(max, isLikelier);
    this.#drawn = new TopN(max, isLikelier);
  }

  offer(known: KnownUrl): void {
    const { url, score } = known;
    if (!isDue(known, this.#today) || !isWished(url, this.#wishes)) return;
    const isBarren = this.#patterns.isBarren(url);
    this.#best.add({ url, rank: (score ?? 0) - (isBarren ? 2 : 0) });
    if (!isBarren) this.#drawn.add({ url, rank: drawOf(url, this.#today) });
  }

  take(): string[] {
    const best = this.#best.sorted().map(({ url }) => url);
    const drawn = this.#drawn.sorted().map(({ url }) => url);
    const plan = new Set<string>();
    const next = (from: Iterator<string>): string | null => {
      for (let one = from.next(); !one.done; one = from.next()) {
        if (!plan.has(one.value)) return one.value;
      }
      return null;
    };
    const [likely, any] = [best.values(), drawn.values()];
    while (plan.size < this.#max) {
      const isDraw = plan.size % DRAWN_EACH === DRAWN_EACH - 1;
      const url = (isDraw ? next(any) : null) ?? next(likely) ?? next(any);
      if (url === null) break;
      plan.add(url);
    }
    return [...plan];
  }
}

/** A pseudo-random number that stays the same all day (FNV-1a). */
function drawOf(url: string, day: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(day, 0x9e3779b1);
  for (let at = 0; at < url.length; at++) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
}
