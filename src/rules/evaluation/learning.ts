/**
 * Compares units sold and net margin in the 14 days before and after each price change of a rule. A
 * difference between before and after does not prove that the price change caused it.
 */
import {
  divide,
  knownCost,
  marginPct,
  type MarginTerms,
  multiply,
  netOf,
  roundOf,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { fromKeys } from "../../base/collections.ts";
import { compareTexts } from "../../base/text.ts";
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { instantOf } from "../../base/german_values.ts";
import { leastIdAt } from "../../base/id.ts";
import { dateIn, DAY_MS, daysBefore, monthsBetween } from "../../base/time.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { filterOf, walkProducts } from "../../catalogue/lists/product_list.ts";
import { findAnyProduct, listPriceChanges } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { thousandths, unpackMonth } from "../../catalogue/sales/sale.ts";
import { findSalesRows } from "../../catalogue/sales/sales.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { requireRule } from "../rule.ts";
import { marginTermsOf, type StoredProposal } from "../proposals/proposal.ts";
import { findTraces, listProposals } from "../proposals/proposal_store.ts";

/** A price change is ignored if the price also changed in the 14 days before or after it. */
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

export type LearntChange = Readonly<ReturnType<typeof placeChange>["change"]> & {
  readonly isOver: boolean;
  readonly hasOther: boolean;
  readonly units: UnitsByDate;
  readonly others?: UnitsByDate | null;
};

type LeftOut = keyof RuleLearning["leftOut"];

function leftOutFor(change: LearntChange, currency: string): LeftOut | null {
  const { isOver, hasOther, units, terms, before, after } = change;
  if (!isOver) return "tooYoung";
  if (hasOther) return "otherChange";
  if (change.currency !== currency) return "otherCurrency";
  if (![...before, ...after].some((date) => units.has(date))) return "noSales";
  const isKnown = terms !== null && knownCost(terms) !== null && netOf(1, terms) !== null;
  return isKnown ? null : "noCost";
}

export function countedAmong<C extends LearntChange>(changes: readonly C[], currency: string) {
  const leftOut = fromKeys(LeftOutCounts.keyof().options, () => 0);
  const counted = changes.filter((change) => {
    const why = leftOutFor(change, currency);
    if (why !== null) leftOut[why]++;
    return why === null;
  });
  return { counted, leftOut };
}

/** If a product has sales reports, a day without a report is treated as a day without sales. */
export function learnFrom(
  changes: readonly LearntChange[],
  { month, currency, isCut }: Pick<RuleLearning, "month" | "currency" | "isCut">,
): RuleLearning {
  const { counted, leftOut } = countedAmong(changes, currency);
  const isEnough = counted.length >= LEAST_CHANGES;
  const beside = counted.filter(({ others }) => others);
  const othersOf = (side: "before" | "after") => {
    const sums = beside.flatMap(({ others, [side]: dates }) =>
      others && dates.some((date) => others.has(date)) ? [sumOf(others, dates)] : []
    );
    return sums.length === 0 ? null : daily(sums.reduce((sum, one) => sum + one, 0));
  };
  return {
    month,
    currency,
    changes: changes.length,
    counted: counted.length,
    leftOut,
    isCut,
    before: isEnough ? dailySums(counted, "before") : null,
    after: isEnough ? dailySums(counted, "after") : null,
    category: isEnough && beside.length > 0
      ? { before: othersOf("before"), after: othersOf("after") }
      : null,
    items: isEnough ? listed(counted) : [],
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
      unitsBefore: daily(sumOf(units, before)),
      unitsAfter: daily(sumOf(units, after)),
    };
  });
}

/** Sums up units sold, in thousandths, and their margins. */
export function sumsOf(counted: readonly LearntChange[], side: "before" | "after") {
  let [units, marginCents] = [0, 0];
  for (const { terms, fromCents, toCents, units: sold, [side]: dates } of counted) {
    const sum = sumOf(sold, dates);
    units += sum;
    marginCents += terms ? marginOf(sum, side === "before" ? fromCents : toCents, terms) : 0;
  }
  return { units, marginCents };
}

function dailySums(counted: readonly LearntChange[], side: "before" | "after") {
  const { units, marginCents } = sumsOf(counted, side);
  return { units: daily(units), marginCents: Math.round(marginCents / CLEAN_DAYS) };
}

/** Computes exactly, and rounds only the result, half up. */
function marginOf(thousandths: number, cents: number, terms: MarginTerms): number {
  const [net, cost] = [netOf(cents, terms), knownCost(terms)];
  if (net === null || cost === null) return 0;
  const pieces = divide(whole(thousandths), whole(THOUSANDTHS));
  return roundOf(multiply(subtract(net, whole(cost)), pieces));
}

function sumOf(units: UnitsByDate, dates: readonly string[]): number {
  return dates.reduce((sum, date) => sum + (units.get(date) ?? 0), 0);
}

function daily(thousandths: number): number {
  return Math.round(thousandths / CLEAN_DAYS) / THOUSANDTHS;
}

export const CHANGES_MAX = 2_000;
const PROPOSALS_PER_READ = 500;
const PEERS_MAX = 200;

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
  const begin = Date.parse(startOf(`${month}-01`, timeZone));
  const end = Date.parse(startOf(daysBefore(`${month}-28`, -4).slice(0, 7) + "-01", timeZone));
  const applied = await appliedBetween(ctx, ruleId, begin, end);
  const peers = createPeerUnits(ctx, cache, `${month}-01`);
  const changes: LearntChange[] = [];
  for await (const walked of walkChanges(ctx, applied.slice(0, CHANGES_MAX), timeZone)) {
    const { change, last, cleanDays, readUnits } = walked;
    const [isOver, hasOther] = [last < today, cleanDays < CLEAN_DAYS];
    const isExamined = isOver && !hasOther;
    const found = isExamined ? await findAnyProduct(ctx, change.productId) : null;
    const category = found?.product.category ?? null;
    const units = isExamined ? await readUnits() : new Map();
    const others = category === null ? null : await peers(category, change.productId);
    changes.push({ ...change, isOver, hasOther, units, others });
  }
  return learnFrom(changes, { month, currency, isCut: applied.length > CHANGES_MAX });
}

export type AppliedProposal = StoredProposal & { readonly appliedAt: string };

export async function appliedBetween(
  workspace: WorkspaceStore,
  ruleId: string,
  fromMs: number,
  beforeMs: number,
): Promise<AppliedProposal[]> {
  const found: AppliedProposal[] = [];
  const index = { by: "rule", id: ruleId } as const;
  // A proposal may be applied long after its creation. After 400 days, its trace has expired.
  const start = leastIdAt(fromMs - 400 * DAY_MS);
  const read = (after: string | null, limit: number) =>
    listProposals(workspace, index, after, limit);
  for await (const page of pagesOf(read, idOf, PROPOSALS_PER_READ, start)) {
    for (const proposal of page) {
      const { appliedAt } = proposal;
      const atMs = appliedAt === null ? -1 : Date.parse(appliedAt);
      if (appliedAt !== null && atMs >= fromMs && atMs < beforeMs) {
        found.push({ ...proposal, appliedAt });
      }
    }
    // The remaining proposals were created after `beforeMs`, so they were also applied later.
    const isOver = Date.parse(page.at(-1)?.createdAt ?? "") >= beforeMs;
    if (isOver || found.length > CHANGES_MAX) break;
  }
  return found;
}

function startOf(date: string, timeZone: string): string {
  return instantOf({ date, time: null, offset: null }, timeZone);
}

const DAYS = Array.from({ length: CLEAN_DAYS }, (_, n) => n + 1);

export function toCentsOf({ appliedCents, proposedCents }: AppliedProposal): number {
  return appliedCents ?? proposedCents;
}

function placeChange(proposal: AppliedProposal, trace: Trace | null, timeZone: string) {
  const { productId, sku, appliedAt, currentCents, currency } = proposal;
  const date = dateIn(new Date(appliedAt), timeZone);
  const [first, last] = [daysBefore(date, CLEAN_DAYS), daysBefore(date, -CLEAN_DAYS)];
  const change = {
    productId,
    sku,
    at: appliedAt,
    fromCents: currentCents,
    toCents: toCentsOf(proposal),
    currency,
    terms: marginTermsOf(trace),
    before: DAYS.map((n) => daysBefore(date, n)),
    after: DAYS.map((n) => daysBefore(date, -n)),
  };
  const stretch = {
    fromMs: Date.parse(startOf(first, timeZone)),
    beforeMs: Date.parse(startOf(daysBefore(last, -1), timeZone)),
  };
  return { change, date, first, last, stretch };
}

/** Yields each price change with its sales, and with the days to the nearest other change. */
export async function* walkChanges(
  ctx: Context,
  applied: readonly AppliedProposal[],
  timeZone: string,
) {
  const traces = await findTraces(ctx, applied.map(({ id }) => id));
  for (const proposal of applied) {
    const placed = placeChange(proposal, traces.get(proposal.id) ?? null, timeZone);
    const { change: { productId, at }, date, first, last, stretch } = placed;
    const prices = await listPriceChanges(ctx, productId, stretch, 100);
    const others = prices.filter((other) => other.at !== at)
      .map((other) => Math.abs(daysFrom(date, dateIn(new Date(other.at), timeZone))) - 1);
    yield {
      ...placed,
      cleanDays: Math.min(CLEAN_DAYS, ...others.map((days) => Math.max(0, days))),
      readUnits: () => unitsOf(ctx, [productId], first, last),
    };
  }
}

export function daysFrom(date: string, to: string): number {
  return (Date.parse(to) - Date.parse(date)) / DAY_MS;
}

async function unitsOf(
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

type PeerUnits = (category: string, productId: string) => Promise<UnitsByDate | null>;

function createPeerUnits(ctx: Context, cache: CatalogueCache, monthBegin: string): PeerUnits {
  const range = [
    daysBefore(monthBegin, CLEAN_DAYS),
    daysBefore(monthBegin, -(31 + CLEAN_DAYS)),
  ] as const;
  const read = async (category: string) => {
    const filter = filterOf({ category });
    const request = { filter, includeDeleted: false, after: null, limit: PEERS_MAX };
    const ids: string[] = [];
    for await (const { id, bytes } of walkProducts(ctx, cache, request)) {
      // The filter also matches categories whose names only contain this category's name.
      if (parseProduct(bytes).category === category && ids.push(id) === PEERS_MAX) break;
    }
    return { ids: new Set(ids), all: await unitsOf(ctx, ids, ...range) };
  };
  const known = new Map<string, ReturnType<typeof read>>();
  return async (category, productId) => {
    if (known.size >= 20 && !known.has(category)) return null;
    const { ids, all } = await known.getOrInsertComputed(category, read);
    if (!ids.has(productId)) return all;
    const own = await unitsOf(ctx, [productId], ...range);
    return new Map(all.entries().map(([date, units]) => [date, units - (own.get(date) ?? 0)]));
  };
}
