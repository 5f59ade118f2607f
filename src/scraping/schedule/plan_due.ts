import { msOrNull } from "../../base/time.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { domainOf } from "../../shops/domain.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/competitor_prices.ts";
import {
  dueAfter,
  type DueProduct,
  findDomainLoads,
  type Load,
  loadOf,
  stretchOf,
} from "./schedule_store.ts";

export interface DueQuestion {
  readonly productId: string;
  readonly before: DueProduct | null;
  readonly nowMs: number;
  readonly delayMs: number;
  /** The targets tried by a run that ends now, `null` outside of a run. */
  readonly tried: ReadonlySet<string> | null;
  /** True where a link or a shop was paused, and is no more. */
  readonly isAwaited?: boolean;
}

/** The schedule that a product ought to have by its own fields and its matches; null when it is not fetched. */
export async function planDue(
  workspace: WorkspaceStore,
  question: DueQuestion,
): Promise<DueProduct | null> {
  const { productId, before, nowMs, delayMs, tried, isAwaited = false } = question;
  const product = (await findProduct(workspace, productId))?.product;
  const live = product?.scrapeEnabled ? await listLiveMatches(workspace, productId) : [];
  if (!product || live.length === 0) return null;
  const intervalHours = product.scrapeIntervalHours;
  const load = loadOf(intervalHours, live.flatMap(targetOf));
  const baseMs = tried ? nowMs : before?.baseMs ?? lastScrapedMs(product.lastScrapedAt) ?? nowMs;
  const plan = { baseMs, intervalHours, load };
  if (isAwaited || live.some((one) => isUnseen(one, tried))) return { ...plan, dueAtMs: nowMs };
  const isAsBefore = tried === null && before?.intervalHours === intervalHours;
  if (isAsBefore) return { ...plan, dueAtMs: before.dueAtMs };
  const stretch = stretchOf(await loadsOf(workspace, before?.load ?? null, load), delayMs);
  const dueAtMs = dueAfter(productId, { baseMs, intervalHours, stretch });
  return { ...plan, dueAtMs: Math.max(dueAtMs, nowMs) };
}

function targetOf({ match, competitor }: LiveMatch) {
  const url = URL.parse(match.url);
  return url ? [{ domain: domainOf(url), competitorId: competitor.id }] : [];
}

/**
 * True for a match that was never visited, or is due out of turn, and was not tried by the run that
 * ends now.
 */
function isUnseen({ match, offer }: LiveMatch, tried: ReadonlySet<string> | null): boolean {
  return offer.status === null && match.visit === undefined && !tried?.has(match.id);
}

function lastScrapedMs(lastScrapedAt: string | null): number | null {
  return msOrNull(lastScrapedAt);
}

async function loadsOf(
  { store }: WorkspaceStore,
  before: Load | null,
  { domains }: Load,
): Promise<number[]> {
  const names = Object.keys(domains);
  const sums = await findDomainLoads(store, names);
  return names.map((name, at) =>
    (sums[at] ?? 0) - (before?.domains[name] ?? 0) + (domains[name] ?? 0)
  );
}
