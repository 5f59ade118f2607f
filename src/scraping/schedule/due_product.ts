/**
 * When a product is fetched next, in words: every `scrapeIntervalHours`, a tenth earlier or later so
 * that products spread; at once when a match of it was never looked at; later where a shop has more
 * due fetches in a day than its delay allows (docs/decisions/scraping.md).
 */

import { sha256 } from "../../base/bytes.ts";

/** Fetches per day, in thousandths, so that sums of them are whole numbers. */
export interface Load {
  readonly domains: Readonly<Record<string, number>>;
  readonly competitors: Readonly<Record<string, number>>;
}

/** The schedule of one product. */
export interface DueProduct {
  readonly dueAtMs: number;
  /** The time that the interval is counted from. */
  readonly baseMs: number;
  readonly intervalHours: number;
  readonly load: Load;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MILLI = 1_000;
const JITTER = 0.1;

/** What one product's matches ask of their shops in a day. */
export function loadOf(
  intervalHours: number,
  targets: readonly { readonly domain: string; readonly competitorId: string }[],
): Load {
  const perTarget = Math.round(MILLI * 24 / intervalHours);
  const domains: Record<string, number> = {};
  const competitors: Record<string, number> = {};
  for (const { domain, competitorId } of targets) {
    domains[domain] = (domains[domain] ?? 0) + perTarget;
    competitors[competitorId] = (competitors[competitorId] ?? 0) + perTarget;
  }
  return { domains, competitors };
}

/** What moves in the sums when one load takes the place of another. */
export function loadChanges(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): [name: string, change: number][] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].map((name): [string, number] => [
    name,
    (after[name] ?? 0) - (before[name] ?? 0),
  ]).filter(([, change]) => change !== 0);
}

/** The most fetches that a shop's delay leaves room for in a day. */
export function perDayMax(delayMs: number): number {
  return Math.floor(DAY_MS / Math.max(delayMs, 1));
}

/** By how much intervals grow so that a shop's fetches fit into a day; 1 when they do. */
export function stretchOf(loads: readonly number[], delayMs: number): number {
  const fits = perDayMax(delayMs) * MILLI;
  return Math.max(1, ...loads.map((load) => load / fits));
}

/** The due time after `baseMs`; the same for the same product and base. */
export function dueAfter(
  productId: string,
  { baseMs, intervalHours, stretch }: {
    readonly baseMs: number;
    readonly intervalHours: number;
    readonly stretch: number;
  },
): number {
  const [byte = 0, next = 0] = sha256(`${productId} ${baseMs}`);
  const spread = ((byte * 256 + next) / 65_535 * 2 - 1) * JITTER;
  return Math.round(baseMs + intervalHours * HOUR_MS * stretch * (1 + spread));
}
