/** Units and net margin 14 days before and after a rule's changes. It claims no cause. */

import { divide, multiply, roundOf, subtract, whole } from "../../base/fraction.ts";
import { knownCost, marginPct, type MarginTerms, netOf } from "../../base/percent.ts";
import { compareTexts } from "../../base/text.ts";
import { z } from "@hono/zod-openapi";

/** Days on each side of a change in which nothing else may have moved its price. */
export const CLEAN_DAYS = 14;
const LEAST_CHANGES = 20;
export const THOUSANDTHS = 1_000;
/** Changes that are listed one by one, the newest first. */
const LISTED_MAX = 100;

const perDay = z.object({
  units: z.number().meta({ description: "Sold a day, of all products that were counted" }),
  marginCents: z.int().meta({ description: "Net margin a day, by the cost of the decision" }),
}).meta({ id: "LearningPerDay" });

const unitsPerDay = z.number().nullable();

const listedChange = z.object({
  productId: z.string(),
  sku: z.string(),
  at: z.iso.datetime().meta({ description: "When the price was set" }),
  fromCents: z.int().meta({ description: "The price before" }),
  toCents: z.int().meta({ description: "The price after" }),
  marginBeforePct: z.number().nullable().meta({
    description: "Of the price before, by the cost of the decision",
  }),
  marginAfterPct: z.number().nullable().meta({ description: "Of the price after, by the same" }),
  unitsBefore: z.number().meta({ description: "Sold a day, in the 14 days before" }),
  unitsAfter: z.number().meta({ description: "Sold a day, in the 14 days after" }),
}).meta({ id: "LearningChange" });

export const LeftOutCounts = z.object({
  tooYoung: z.int().meta({ description: "The 14 days after it are not over" }),
  otherChange: z.int().meta({ description: "The price changed once more within the 28 days" }),
  noSales: z.int().meta({ description: "Nobody said what was sold on any of the 28 days" }),
  noCost: z.int().meta({ description: "Cost or VAT of then are not known" }),
  otherCurrency: z.int().meta({ description: "It was not in the currency of the workspace" }),
}).meta({ description: "Changes that are not counted, each for the first reason that holds" });

export const RuleLearning = z.object({
  month: z.string().meta({ description: "In which the changes were, on the workspace's calendar" }),
  currency: z.string().meta({ description: "Of the margins" }),
  changes: z.int().meta({
    description: "Prices that were set for the rule, by itself or approved",
  }),
  counted: z.int().meta({ description: "Of these the ones that the figures are of" }),
  leftOut: LeftOutCounts,
  isCut: z.boolean().meta({ description: "There were more changes than are looked at" }),
  before: perDay.nullable().meta({ description: "Null from fewer than 20 counted changes" }),
  after: perDay.nullable().meta({ description: "The same of the 14 days after each" }),
  category: z.object({
    before: unitsPerDay.meta({ description: "Units a day, null where nobody said any" }),
    after: unitsPerDay.meta({ description: "The same of the days after" }),
  }).nullable().meta({
    description:
      "What others of the categories sold on the same days: up to 200 products of each, summed over " +
      "the counted changes",
  }),
  items: z.array(listedChange).meta({
    description:
      `Up to ${LISTED_MAX} of the counted changes, the newest first; none where nothing is said`,
  }),
}).meta({ id: "RuleLearning" });

export type RuleLearning = Readonly<z.infer<typeof RuleLearning>>;

/** Units per day in thousandths, by date; a missing date was not reported. */
export type UnitsByDate = ReadonlyMap<string, number>;

export interface LearntChange {
  readonly productId: string;
  readonly sku: string;
  /** When it was set, as ISO 8601 in UTC. */
  readonly at: string;
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
  /** By which the decision was made; null if that is not kept. */
  readonly terms: MarginTerms | null;
  /** The dates of the 14 days before the day of the change, and of the 14 after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly isOver: boolean;
  /** The price has changed once more between the first of the days and the last. */
  readonly hasOther: boolean;
  readonly units: UnitsByDate;
  /** Units of the other products of its category; `null` when there are none. */
  readonly others: UnitsByDate | null;
}

interface LearningTerms {
  readonly month: string;
  readonly currency: string;
  readonly isCut: boolean;
}

type LeftOut = keyof RuleLearning["leftOut"];

export const NONE_LEFT_OUT = {
  tooYoung: 0,
  otherChange: 0,
  noSales: 0,
  noCost: 0,
  otherCurrency: 0,
} as const satisfies Record<LeftOut, number>;

export function leftOutFor(change: LearntChange, currency: string): LeftOut | null {
  const { isOver, hasOther, units, terms, before, after } = change;
  if (!isOver) return "tooYoung";
  if (hasOther) return "otherChange";
  if (change.currency !== currency) return "otherCurrency";
  if (![...before, ...after].some((date) => units.has(date))) return "noSales";
  const isKnown = terms !== null && knownCost(terms) !== null && netOf(1, terms) !== null;
  return isKnown ? null : "noCost";
}

/** For a product with sales, a day without a report counts as no sale. */
export function learnFrom(
  changes: readonly LearntChange[],
  { month, currency, isCut }: LearningTerms,
): RuleLearning {
  const leftOut: Record<LeftOut, number> = { ...NONE_LEFT_OUT };
  const counted = changes.filter((change) => {
    const why = leftOutFor(change, currency);
    if (why !== null) leftOut[why]++;
    return why === null;
  });
  const isSaid = counted.length >= LEAST_CHANGES;
  const beside = counted.filter(({ others }) => others !== null);
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
    before: isSaid ? sideOf(counted, "before") : null,
    after: isSaid ? sideOf(counted, "after") : null,
    category: isSaid && beside.length > 0
      ? { before: othersOf("before"), after: othersOf("after") }
      : null,
    items: isSaid ? listed(counted) : [],
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

function sideOf(counted: readonly LearntChange[], side: "before" | "after") {
  let [units, marginCents] = [0, 0];
  for (const { terms, fromCents, toCents, units: sold, [side]: dates } of counted) {
    const sum = sumOf(sold, dates);
    units += sum;
    marginCents += terms ? marginOf(sum, side === "before" ? fromCents : toCents, terms) : 0;
  }
  return { units: daily(units), marginCents: Math.round(marginCents / CLEAN_DAYS) };
}

/** Margin of the units in minor units, rounded half up once per product. */
export function marginOf(thousandths: number, cents: number, terms: MarginTerms): number {
  const [net, cost] = [netOf(cents, terms), knownCost(terms)];
  if (net === null || cost === null) return 0;
  const pieces = divide(whole(thousandths), whole(THOUSANDTHS));
  return roundOf(multiply(subtract(net, whole(cost)), pieces));
}

export function sumOf(units: UnitsByDate, dates: readonly string[]): number {
  return dates.reduce((sum, date) => sum + (units.get(date) ?? 0), 0);
}

/** Units a day, with 3 decimals. */
function daily(thousandths: number): number {
  return Math.round(thousandths / CLEAN_DAYS) / THOUSANDTHS;
}
