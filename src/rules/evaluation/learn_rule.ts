import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { instantOf } from "../../base/german_values.ts";
import { leastIdAt } from "../../base/id.ts";
import { dateIn, DAY_MS, daysBefore, monthsBetween } from "../../base/time.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { filterOf } from "../../catalogue/lists/product_filter.ts";
import { walkProducts } from "../../catalogue/lists/product_list.ts";
import { listPriceChanges } from "../../catalogue/products/price_changes.ts";
import { findDeletedProduct, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { thousandths } from "../../catalogue/sales/sale.ts";
import { findSalesRows, unpackMonth } from "../../catalogue/sales/sales_store.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { requireRule } from "../change_rule.ts";
import { marginTermsOf, type StoredProposal } from "../proposals/proposal.ts";
import { findTraces, listProposals } from "../proposals/proposal_store.ts";
import {
  CLEAN_DAYS,
  learnFrom,
  type LearntChange,
  RuleLearning,
  type UnitsByDate,
} from "./learning.ts";
import { z } from "zod";

export const CHANGES_MAX = 2_000;
const PROPOSALS_PER_READ = 500;
const PEERS_MAX = 200;

/** The newest month with changes whose 14 days are over. */
export const LearningQuery = z.strictObject({
  month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'Must be a month such as "2026-10"')
    .optional(),
});

/** Units and margin around a month's changes by the rule, up to 2,000. Refuses `not_found`. */
export async function learnRule(
  ctx: Context,
  cache: CatalogueCache,
  ruleId: string,
  asked: string | undefined,
): Promise<RuleLearning> {
  await requireRule(ctx, ruleId);
  const { timeZone, currency } = await requireWorkspace(ctx);
  const today = dateIn(ctx.now(), timeZone);
  const month = asked ?? daysBefore(today, CLEAN_DAYS + 1).slice(0, 7);
  const begin = Date.parse(startOf(`${month}-01`, timeZone));
  const end = Date.parse(startOf(daysBefore(`${month}-28`, -4).slice(0, 7) + "-01", timeZone));
  const applied = await appliedBetween(ctx, ruleId, begin, end);
  const traces = await findTraces(ctx, applied.map(({ id }) => id));
  const peers = createPeerUnits(ctx, cache, `${month}-01`);
  const changes: LearntChange[] = [];
  for (const proposal of applied.slice(0, CHANGES_MAX)) {
    changes.push(
      await changeOf(ctx, proposal, {
        timeZone,
        today,
        trace: traces.get(proposal.id) ?? null,
        peers,
      }),
    );
  }
  return learnFrom(changes, { month, currency, isCut: applied.length > CHANGES_MAX });
}

export type AppliedProposal = StoredProposal & { readonly appliedAt: string };

/** Prices set for the rule in `[fromMs, beforeMs)`, up to 2,001. */
export async function appliedBetween(
  workspace: WorkspaceStore,
  ruleId: string,
  fromMs: number,
  beforeMs: number,
): Promise<AppliedProposal[]> {
  const found: AppliedProposal[] = [];
  // Maximum days until a decision on a proposal, because it can be put off.
  let after = leastIdAt(fromMs - 40 * DAY_MS);
  while (found.length <= CHANGES_MAX) {
    const index = { by: "rule", id: ruleId } as const;
    const page = await listProposals(workspace, index, after, PROPOSALS_PER_READ);
    for (const proposal of page) {
      const { appliedAt } = proposal;
      const atMs = appliedAt === null ? -1 : Date.parse(appliedAt);
      if (appliedAt !== null && atMs >= fromMs && atMs < beforeMs) {
        found.push({ ...proposal, appliedAt });
      }
    }
    const last = page.at(-1);
    // Nothing is applied before it is made.
    if (!last || Date.parse(last.createdAt) >= beforeMs) break;
    after = last.id;
  }
  return found;
}

export function startOf(date: string, timeZone: string): string {
  return instantOf({ date, time: null, offset: null }, timeZone);
}

interface Knowledge {
  readonly timeZone: string;
  readonly today: string;
  readonly trace: Trace | null;
  readonly peers: PeerUnits;
}

async function changeOf(
  ctx: Context,
  { productId, sku, appliedAt, appliedCents, currentCents, proposedCents, currency }:
    AppliedProposal,
  { timeZone, today, trace, peers }: Knowledge,
): Promise<LearntChange> {
  const date = dateIn(new Date(appliedAt), timeZone);
  const days = Array.from({ length: CLEAN_DAYS }, (_, n) => n + 1);
  const before = days.map((n) => daysBefore(date, n));
  const after = days.map((n) => daysBefore(date, -n));
  const [first, last] = [daysBefore(date, CLEAN_DAYS), daysBefore(date, -CLEAN_DAYS)];
  const stretch = {
    fromMs: Date.parse(startOf(first, timeZone)),
    beforeMs: Date.parse(startOf(daysBefore(last, -1), timeZone)),
  };
  const moves = await listPriceChanges(ctx, productId, stretch, 2);
  const found = await findProduct(ctx, productId) ?? await findDeletedProduct(ctx, productId);
  const category = found?.product.category ?? null;
  const isOver = last < today;
  const hasOther = moves.some(({ at }) => at !== appliedAt);
  const isLookedAt = isOver && !hasOther;
  return {
    productId,
    sku,
    at: appliedAt,
    fromCents: currentCents,
    toCents: appliedCents ?? proposedCents,
    currency,
    terms: marginTermsOf(trace),
    before,
    after,
    isOver,
    hasOther,
    units: isLookedAt ? await unitsOf(ctx, [productId], first, last) : new Map(),
    others: isLookedAt && category !== null ? await peers(category, productId) : null,
  };
}

/** Units of products sold in a range of days, in thousandths. */
export async function unitsOf(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  from: string,
  to: string,
): Promise<Map<string, number>> {
  const months = monthsBetween(from, to);
  const places = productIds.flatMap((productId) => months.map((month) => ({ productId, month })));
  const rows = await findSalesRows(workspace, places);
  const units = new Map<string, number>();
  for (const [n, { month }] of places.entries()) {
    const bytes = rows[n];
    for (const { date, units: sold } of bytes ? unpackMonth(month, bytes) : []) {
      if (date >= from && date <= to) units.set(date, (units.get(date) ?? 0) + thousandths(sold));
    }
  }
  return units;
}

interface Peers {
  readonly ids: ReadonlySet<string>;
  readonly all: UnitsByDate;
}

/** Units sold by other products of a category; `null` beyond the maximum of categories. */
type PeerUnits = (category: string, productId: string) => Promise<UnitsByDate | null>;

/** Covers the days of all windows of the month's changes; each category is read once. */
function createPeerUnits(ctx: Context, cache: CatalogueCache, monthBegin: string): PeerUnits {
  const known = new Map<string, Promise<Peers>>();
  const range = [
    daysBefore(monthBegin, CLEAN_DAYS),
    daysBefore(monthBegin, -(31 + CLEAN_DAYS)),
  ] as const;
  const read = async (category: string): Promise<Peers> => {
    const filter = filterOf({ category });
    const request = { filter, includeDeleted: false, after: null, limit: PEERS_MAX };
    const ids: string[] = [];
    for await (const { id, bytes } of walkProducts(ctx, cache, request)) {
      // The filter finds names that hold the name, too.
      if (parseProduct(bytes).category === category && ids.push(id) === PEERS_MAX) break;
    }
    return { ids: new Set(ids), all: await unitsOf(ctx, ids, ...range) };
  };
  return async (category, productId) => {
    let found = known.get(category);
    if (!found) {
      if (known.size >= 20) return null;
      found = read(category);
      known.set(category, found);
    }
    const { ids, all } = await found;
    if (!ids.has(productId)) return all;
    const own = await unitsOf(ctx, [productId], ...range);
    return new Map(all.entries().map(([date, units]) => [date, units - (own.get(date) ?? 0)]));
  };
}
