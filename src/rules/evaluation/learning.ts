/**
 * Compares units sold and net margin in the 14 days before and after each price change of a rule. A
 * difference does not prove that the price change caused it.
 */
import {
  decimal,
  knownCost,
  marginPct,
  type MarginTerms,
  multiply,
  netOf,
  roundOf,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { fromKeys, sumOf } from "../../base/collections.ts";
import { compareTexts } from "../../base/text.ts";
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { dayStartMs } from "../../base/german_values.ts";
import { leastIdAt } from "../../base/id.ts";
import { dateIn, DAY_MS, daysBefore } from "../../base/time.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { filterOf, walkProducts } from "../../catalogue/lists/product_list.ts";
import { findAnyProduct, listPriceChanges } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { thousandths } from "../../catalogue/sales/sale.ts";
import { soldDays } from "../../catalogue/sales/sales.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { requireRule } from "../rule.ts";
import { marginTermsOf, type StoredProposal } from "../proposals/proposal.ts";
import { findTraces, listProposals } from "../proposals/proposal_store.ts";

/** Sales are compared for at most this number of days before and after a price change. */
export const CLEAN_DAYS = 14;
const LEAST_CHANGES = 20;
export const THOUSANDTHS = 1_000;
const LISTED_MAX = 100;

const perDay = z.object({
  units: z.number().describe("Units sold per day, of all counted products"),
  marginCents: z.int().describe("Net margin per day, with the cost at the time of the decision"),
}).meta({ id: "LearningPerDay" });

const unitsPerDay = z.number().nullable();

const listedChange = z.object({
  productId: z.string(),
  sku: z.string(),
  at: z.iso.datetime().describe("When the price was set"),
  fromCents: z.int().describe("The price before"),
  toCents: z.int().describe("The price after"),
  marginBeforePct: z.number().nullable()
    .describe("Margin of the price before, with the cost at the time of the decision"),
  marginAfterPct: z.number().nullable().describe("Margin of the price after, with the same cost"),
  unitsBefore: z.number().describe("Units sold per day in the 14 days before"),
  unitsAfter: z.number().describe("Units sold per day in the 14 days after"),
}).meta({ id: "LearningChange" });

export const LeftOutCounts = z.object({
  tooYoung: z.int().describe("Changes whose 14 following days are not over"),
  otherChange: z.int().describe("Changes with another price change within the 28 days"),
  noSales: z.int().describe("Changes without known sales in the 28 days"),
  noCost: z.int().describe("Changes without a known cost or VAT rate"),
  otherCurrency: z.int().describe("Changes in another currency than the workspace's"),
}).describe("Changes that are not counted, by the first reason that applies");

export const RuleLearning = z.object({
  month: z.string().describe("Month of the changes, in the workspace's time zone"),
  currency: z.string().describe("Currency of the margins"),
  changes: z.int().describe("Number of prices set by the rule, automatically or with approval"),
  counted: z.int().describe("Number of changes that the figures include"),
  leftOut: LeftOutCounts,
  isCut: z.boolean().describe("True if there were more changes than were examined"),
  before: perDay.nullable().describe("Null for fewer than 20 counted changes"),
  after: perDay.nullable().describe("Like `before`, for the 14 days after each change"),
  category: z.object({
    before: unitsPerDay.describe("Units per day; null if unknown"),
    after: unitsPerDay.describe("Like `before`, for the days after"),
  }).nullable().describe(
    "Sales of other products of the same categories on the same days: up to 200 products per " +
      "category, summed over the counted changes",
  ),
  items: z.array(listedChange).describe(
    `Up to ${LISTED_MAX} of the counted changes, newest first; empty if \`before\` is null`,
  ),
}).meta({ id: "RuleLearning" });

export type RuleLearning = Readonly<z.infer<typeof RuleLearning>>;

/** Units sold in thousandths, by date; dates without a sales report have no entry. */
type UnitsByDate = ReadonlyMap<string, number>;

type Side = "before" | "after";

export type LearntChange = Readonly<Awaited<ReturnType<typeof readChanges>>[number]>;

/** `end` is the last day whose sales are compared. */
interface Counting {
  readonly currency: string;
  readonly end: string;
  /** Minimum number of days before and after a change that must have no other price change. */
  readonly leastDays: number;
}

/** Returns the price changes that can be judged, each with equally many days before and after. */
export function countedAmong(changes: readonly LearntChange[], counting: Counting) {
  const leftOut = fromKeys(LeftOutCounts.keyof().options, () => 0);
  const counted = changes.flatMap((change) => {
    const why = leftOutFor(change, counting);
    if (why !== null) {
      leftOut[why]++;
      return [];
    }
    const days = Math.min(change.cleanDays, daysFrom(change.date, counting.end));
    const { before, after } = change;
    return [{ ...change, before: before.slice(0, days), after: after.slice(0, days) }];
  });
  return { counted, leftOut };
}

function leftOutFor(
  { date, cleanDays, units, terms, before, after, ...change }: LearntChange,
  { currency, end, leastDays }: Counting,
): keyof RuleLearning["leftOut"] | null {
  if (daysFrom(date, end) < leastDays) return "tooYoung";
  if (cleanDays < leastDays) return "otherChange";
  if (change.currency !== currency) return "otherCurrency";
  if (![...before, ...after].some((day) => units.has(day))) return "noSales";
  const isKnown = terms !== null && knownCost(terms) !== null && netOf(1, terms) !== null;
  return isKnown ? null : "noCost";
}

/** In `besidePeers`, the units of each change are those of the category's other products. */
export function figuresOf(
  counted: readonly LearntChange[],
  besidePeers: readonly LearntChange[],
): Pick<RuleLearning, Side | "category" | "items"> {
  if (counted.length < LEAST_CHANGES) {
    return { before: null, after: null, category: null, items: [] };
  }
  const ofPeers = (side: Side) => {
    const reported = besidePeers.filter(({ units, [side]: dates }) =>
      dates.some((date) => units.has(date))
    );
    return reported.length === 0 ? null : daily(sumsOf(reported, side).units);
  };
  return {
    before: dailySums(counted, "before"),
    after: dailySums(counted, "after"),
    category: besidePeers.length === 0
      ? null
      : { before: ofPeers("before"), after: ofPeers("after") },
    items: listed(counted),
  };
}

function listed(counted: readonly LearntChange[]): RuleLearning["items"] {
  const newest = counted.toSorted((a, b) => compareTexts(b.at, a.at));
  return newest.slice(0, LISTED_MAX).map((change) => {
    const { productId, sku, at, fromCents, toCents, terms, units, before, after } = change;
    const pctOf = (cents: number) => terms && marginPct(cents, terms);
    return {
      productId,
      sku,
      at,
      fromCents,
      toCents,
      marginBeforePct: pctOf(fromCents),
      marginAfterPct: pctOf(toCents),
      unitsBefore: daily(soldOn(before, units)),
      unitsAfter: daily(soldOn(after, units)),
    };
  });
}

/** Adds up units sold (in thousandths) and their margins; a day without a sales report adds 0. */
export function sumsOf(counted: readonly LearntChange[], side: Side) {
  let [units, marginCents] = [0, 0];
  for (const { terms, fromCents, toCents, units: sold, [side]: dates } of counted) {
    const sum = soldOn(dates, sold);
    units += sum;
    marginCents += terms ? marginOf(sum, side === "before" ? fromCents : toCents, terms) : 0;
  }
  return { units, marginCents };
}

function dailySums(counted: readonly LearntChange[], side: Side) {
  const { units, marginCents } = sumsOf(counted, side);
  return { units: daily(units), marginCents: Math.round(marginCents / CLEAN_DAYS) };
}

/** Computes exactly, and rounds only the result, half up. */
function marginOf(thousandths: number, cents: number, terms: MarginTerms): number {
  const [net, cost] = [netOf(cents, terms), knownCost(terms)];
  if (net === null || cost === null) return 0;
  return roundOf(multiply(subtract(net, whole(cost)), decimal(thousandths / THOUSANDTHS)));
}

function soldOn(dates: readonly string[], units: UnitsByDate): number {
  return sumOf(dates, (date) => units.get(date) ?? 0);
}

function daily(thousandths: number): number {
  return Math.round(thousandths / CLEAN_DAYS) / THOUSANDTHS;
}

export const CHANGES_MAX = 2_000;
const PROPOSALS_PER_READ = 500;
const PEERS_MAX = 200;
const CATEGORIES_MAX = 20;

export const LearningQuery = z.strictObject({
  month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'Must be a month such as "2026-10"')
    .optional(),
});

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
  const next = daysBefore(`${month}-28`, -4).slice(0, 7);
  const [begin, end] = [dayStartMs(`${month}-01`, timeZone), dayStartMs(`${next}-01`, timeZone)];
  const applied = await appliedBetween(ctx, ruleId, begin, end);
  const changes = await readChanges(ctx, applied.slice(0, CHANGES_MAX), timeZone);
  const counting = { currency, end: daysBefore(today, 1), leastDays: CLEAN_DAYS };
  const { counted, leftOut } = countedAmong(changes, counting);
  return {
    month,
    currency,
    changes: changes.length,
    counted: counted.length,
    leftOut,
    isCut: applied.length > CHANGES_MAX,
    ...figuresOf(counted, await besidePeers(ctx, cache, counted, `${month}-01`)),
  };
}

export async function appliedBetween(
  workspace: WorkspaceStore,
  ruleId: string,
  fromMs: number,
  beforeMs: number,
) {
  const found: (StoredProposal & { readonly appliedAt: string; readonly toCents: number })[] = [];
  const index = { by: "rule", id: ruleId } as const;
  // Begin 400 days earlier, because a proposal may be applied long after its creation.
  const start = leastIdAt(fromMs - 400 * DAY_MS);
  const read = (after: string | null, limit: number) =>
    listProposals(workspace, index, after, limit);
  for await (const page of pagesOf(read, idOf, PROPOSALS_PER_READ, start)) {
    for (const proposal of page) {
      // All further proposals are younger, because the list is sorted by creation.
      const isOver = Date.parse(proposal.createdAt) >= beforeMs;
      if (isOver || found.length > CHANGES_MAX) return found;
      const { appliedAt, appliedCents, proposedCents } = proposal;
      const atMs = Date.parse(appliedAt ?? "");
      if (appliedAt !== null && atMs >= fromMs && atMs < beforeMs) {
        found.push({ ...proposal, appliedAt, toCents: appliedCents ?? proposedCents });
      }
    }
  }
  return found;
}

export type AppliedProposal = Awaited<ReturnType<typeof appliedBetween>>[number];

const DAYS = Array.from({ length: CLEAN_DAYS }, (_, n) => n + 1);

/** Adds sales to each price change, and the number of days around it without another change. */
export async function readChanges(
  ctx: Context,
  applied: readonly AppliedProposal[],
  timeZone: string,
) {
  const traces = await findTraces(ctx, applied.map(({ id }) => id));
  return await Array.fromAsync(applied, async (proposal) => {
    const { id, productId, sku, appliedAt: at, currentCents, toCents, currency } = proposal;
    const date = dateIn(new Date(at), timeZone);
    const [first, last] = [daysBefore(date, CLEAN_DAYS), daysBefore(date, -CLEAN_DAYS)];
    const stretch = {
      fromMs: dayStartMs(first, timeZone),
      beforeMs: dayStartMs(daysBefore(last, -1), timeZone),
    };
    const prices = await listPriceChanges(ctx, productId, stretch, 100);
    const others = prices.filter((other) => other.at !== at)
      .map((other) => Math.abs(daysFrom(date, dateIn(new Date(other.at), timeZone))) - 1);
    return {
      ...{ productId, sku, at, fromCents: currentCents, toCents, currency },
      terms: marginTermsOf(traces.get(id) ?? null),
      date,
      cleanDays: Math.min(CLEAN_DAYS, ...others.map((days) => Math.max(0, days))),
      before: DAYS.map((n) => daysBefore(date, n)),
      after: DAYS.map((n) => daysBefore(date, -n)),
      units: await unitsOf(ctx, [productId], first, last),
    };
  });
}

export function daysFrom(date: string, to: string): number {
  return (Date.parse(to) - Date.parse(date)) / DAY_MS;
}

async function unitsOf(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  from: string,
  to: string,
): Promise<UnitsByDate> {
  const units = new Map<string, number>();
  const sold = await soldDays(workspace, productIds, from, to);
  for (const day of [...sold.values()].flat()) {
    units.set(day.date, (units.get(day.date) ?? 0) + thousandths(day.units));
  }
  return units;
}

/** Replaces a product's sold units with those that its category's other products sold. */
async function besidePeers(
  ctx: Context,
  cache: CatalogueCache,
  counted: readonly LearntChange[],
  monthBegin: string,
): Promise<LearntChange[]> {
  const from = daysBefore(monthBegin, CLEAN_DAYS);
  const to = daysBefore(monthBegin, -(31 + CLEAN_DAYS));
  const readCategory = async (category: string) => {
    const filter = filterOf({ category });
    const request = { filter, includeDeleted: false, after: null, limit: PEERS_MAX };
    const ids: string[] = [];
    for await (const { id, bytes } of walkProducts(ctx, cache, request)) {
      // Compare again, because the filter also finds categories that only contain this name.
      if (parseProduct(bytes).category === category && ids.push(id) === PEERS_MAX) break;
    }
    return { ids: new Set(ids), all: await unitsOf(ctx, ids, from, to) };
  };
  const known = new Map<string, Awaited<ReturnType<typeof readCategory>>>();
  const found: LearntChange[] = [];
  for (const change of counted) {
    const { productId } = change;
    const category = (await findAnyProduct(ctx, productId))?.product.category ?? null;
    if (category === null) continue;
    const peers = known.get(category) ??
      (known.size < CATEGORIES_MAX ? await readCategory(category) : null);
    if (!peers) continue;
    known.set(category, peers);
    const { ids, all } = peers;
    const own = ids.has(productId) ? await unitsOf(ctx, [productId], from, to) : null;
    const units = all.entries().map(([date, sum]) => [date, sum - (own?.get(date) ?? 0)] as const);
    found.push({ ...change, units: new Map(units) });
  }
  return found;
}
