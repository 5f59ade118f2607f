/**
 * Interface between lists of products and the market facts of products. The room `market` implements it,
 * and `app` hands it in (docs/decisions/market.md).
 */

import type { JsonValue } from "../../base/collections.ts";
import { parseBound } from "../../base/time.ts";
import { MARKET_POSITIONS, MARKET_STATES } from "../../engine/pricing/market_facts.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/bound_text.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { z } from "@hono/zod-openapi";

const cents = z.int().nullable();
const pct = z.number().nullable();

/** The market of a product (docs/decisions/market.md). */
export const ProductMarket = z.object({
  state: z.enum(MARKET_STATES).meta({
    description: "Why there are no offers to compare with, and `ok` where there are",
  }),
  links: z.int().meta({
    description: "Enabled matches at enabled competitors whose offers are not ours",
  }),
  offers: z.int().meta({ description: "Those whose price counts" }),
  cheapestCents: cents.meta({
    description:
      "Of one piece of ours, on our side of VAT, in minor units of the product's currency",
  }),
  cheapestCompetitorId: z.string().nullable(),
  cheapestCompetitor: z.string().nullable().meta({ description: "Display name" }),
  cheapestMatchType: z.enum(["exact", "equivalent"]).nullable(),
  cheapestInStock: z.boolean().nullable().meta({
    description: "True, or null where the shop does not say",
  }),
  cheapestLacksShipping: z.boolean().meta({
    description: "True where delivered prices are compared, and the cheapest one counts without " +
      "its shipping, which is unknown",
  }),
  comparedCents: cents.meta({
    description: "Our price as it is compared with these: with our shipping, where delivered " +
      "prices are compared",
  }),
  cheapestCount: z.int().meta({ description: "Offers that ask as much as the cheapest" }),
  gapCents: cents.meta({ description: "Ours (`comparedCents`) − cheapest" }),
  gapPct: pct.meta({ description: "(ours − cheapest) ÷ cheapest" }),
  roomPct: pct.meta({ description: "(cheapest − ours) ÷ ours" }),
  rank: z.int().nullable().meta({ description: "1 is the cheapest; equal prices share a rank" }),
  of: z.int().meta({ description: "Offers and ours" }),
  position: z.enum(MARKET_POSITIONS).nullable(),
  medianCents: cents,
  averageCents: cents,
  indexPct: pct.meta({ description: "Ours ÷ average × 100" }),
  newestAt: z.iso.datetime().nullable().meta({ description: "When any link was seen last" }),
  marginPct: pct.meta({ description: "Of the net price, rounded down" }),
  proposal: z.object({ id: z.string(), proposedCents: z.int(), changePct: pct }).nullable()
    .meta({ description: "The open one" }),
  rule: z.object({ id: z.string(), name: z.string() }).nullable().meta({
    description: "The first enabled rule that makes a price and has the product in its scope",
  }),
}).meta({ id: "ProductMarket" });

export type ProductMarket = Readonly<z.infer<typeof ProductMarket>>;

export const MarketOffer = z.object({
  competitorProductId: z.string(),
  competitorId: z.string(),
  competitor: z.string().meta({ description: "Display name" }),
  priceCents: cents.meta({ description: "As seen, in minor units of `currency`" }),
  unitCents: cents.meta({
    description: "Of one piece of ours, on our side of VAT, with its shipping where delivered " +
      "prices are compared; null where it cannot be compared",
  }),
  shippingCents: cents.meta({
    description: "What the shop adds for a parcel, in minor units of `currency`; null: unknown",
  }),
  lacksShipping: z.boolean().meta({
    description: "True where delivered prices are compared, and it counts without its shipping",
  }),
  currency: z.string().nullable(),
  packFactor: z.number(),
  inStock: z.boolean().nullable(),
  observedAt: z.iso.datetime().nullable(),
  counts: z.boolean().meta({ description: "Whether it counts for the market" }),
  why: z.string().nullable().meta({
    description: "A code of why it does not count; `own_offer`: we are the seller",
  }),
}).meta({ id: "MarketOffer" });

export type MarketOffer = Readonly<z.infer<typeof MarketOffer>>;

/** Sort keys of lists: `null` last in both directions, ties by id. */
export const MARKET_SORTS = [
  "sku",
  "title",
  "ourPrice",
  "cheapest",
  "gapPct",
  "gapCents",
  "room",
  "rank",
  "offers",
  "median",
  "average",
  "index",
  "newestAt",
  "margin",
  "proposal",
  "rule",
] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];

const Pct = z.string().regex(
  /^-?\d{1,9}(?:\.\d{1,2})?$/,
  "Must be a number with at most 2 decimals",
)
  .transform(Number).optional();
const Rank = z.string().regex(/^[1-9]\d{0,2}$/, "Must be a whole number from 1 to 999")
  .transform(Number).optional();
const Id = z.string().regex(/^[0-9a-f]{24}$/, "Must be an id").optional();

/** Filters by the market in a request body; all must match. Values are texts, as in a query. */
export const MARKET_FILTER_TEXTS = {
  dearerThanPct: Pct,
  roomAbovePct: Pct,
  marginBelowPct: Pct,
  rankMin: Rank,
  rankMax: Rank,
  position: z.enum(MARKET_POSITIONS).optional(),
  state: z.enum(MARKET_STATES).optional(),
  hasProposal: z.enum(["true", "false"]).transform((text) => text === "true").optional(),
  competitorId: Id,
  cheapestCompetitorId: Id,
  undercutBy: Id,
  missing: z.string().regex(/^(?:any|[0-9a-f]{24})$/, "Must be an id, or any").optional(),
  ruleId: Id,
  newestBefore: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "All links were seen before this, one of them at all",
  }),
};

const { dearerThanPct, roomAbovePct, marginBelowPct, rankMin, rankMax, hasProposal } =
  MARKET_FILTER_TEXTS;

/** The same filters in a query. */
export const MARKET_FILTER_SHAPE = {
  ...MARKET_FILTER_TEXTS,
  dearerThanPct: dearerThanPct.meta({
    type: "number",
    description: "Our gap to the cheapest is above",
  }),
  roomAbovePct: roomAbovePct.meta({
    type: "number",
    description: "The room up to the cheapest is above",
  }),
  marginBelowPct: marginBelowPct.meta({ type: "number", description: "Our margin is below" }),
  rankMin: rankMin.meta({ type: "integer", minimum: 1 }),
  rankMax: rankMax.meta({ type: "integer", minimum: 1 }),
  hasProposal: hasProposal.meta({ type: "boolean", description: "An open one" }),
  competitorId: Id.meta({ description: "Has an offer of this competitor that counts" }),
  cheapestCompetitorId: Id.meta({ description: "This competitor has the cheapest offer" }),
  undercutBy: Id.meta({ description: "This competitor asks less than we do" }),
  missing: MARKET_FILTER_TEXTS.missing.meta({
    description: "Has no linked page of this competitor, or with `any` of no competitor",
  }),
  ruleId: Id.meta({ description: "The rule that makes its price" }),
};

export const MARKET_SHAPE = {
  sort: z.enum(MARKET_SORTS).optional().meta({ description: "By id without it" }),
  order: z.enum(["asc", "desc"]).default("asc").meta({
    description: "Nulls come last both ways, equal ones by id",
  }),
  ...MARKET_FILTER_SHAPE,
};

type OutputOf<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;
export type MarketTexts = OutputOf<typeof MARKET_SHAPE>;
type FilterTexts = OutputOf<typeof MARKET_FILTER_SHAPE>;

/** The parsed filters; undefined means none. */
export interface MarketFilter extends Omit<FilterTexts, "newestBefore"> {
  readonly newestBeforeMs?: number | undefined;
}

/** True for a query that needs the market. */
export function asksForMarket({ sort, order: _order, ...filters }: MarketTexts): boolean {
  return sort !== undefined ||
    Object.values(filters).some((text) => text !== undefined && text !== "");
}

export function marketFilterOf(texts: FilterTexts): MarketFilter {
  const { newestBefore, ...filter } = texts;
  const beforeMs = newestBefore ? parseBound(newestBefore, "start") : null;
  return { ...filter, ...(beforeMs !== null && { newestBeforeMs: beforeMs }) };
}

export interface MarketQuery {
  /** Null: by id. */
  readonly sort: MarketSort | null;
  readonly order: "asc" | "desc";
  readonly filter: MarketFilter;
  /** Folded texts; brand and category must contain them. */
  readonly fields: {
    readonly brand: string | null;
    readonly category: string | null;
    readonly tier: string | null;
  };
  /** Products that were changed at this time or later; null: all. */
  readonly updatedSinceMs: number | null;
  /** Null: all; else only these. */
  readonly among: Iterable<string> | null;
  /** Excluded products; `null`: none. */
  readonly without: Iterable<string> | null;
  /** Only those whose facts have changed since; null: all. */
  readonly changedSinceMs: number | null;
}

export interface MarketPage {
  /** Up to one more than requested, each with the position after which the next page begins. */
  readonly items: readonly { readonly id: string; readonly place: JsonValue }[];
  readonly total: number;
  /** How many of them have changed since the first page. */
  readonly moved: number;
  readonly asOf: string;
  /** True when changes since that time are unknown: these are all products. */
  readonly isFull: boolean;
}

/** Products in a fixed order, whatever changes while they are read; dispose it afterwards. */
export interface MarketOrder extends Disposable {
  readonly total: number;
  /**
   * Up to this many of the next ids; empty at the end. A reader that paused for too long gets
   * `unavailable`.
   */
  take(count: number): string[];
}

type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

/** Facts of the market; the room `market` implements it. */
export interface MarketSource {
  beside(
    workspace: Reader,
    ids: readonly string[],
  ): Promise<{ readonly markets: ReadonlyMap<string, ProductMarket>; readonly asOf: string }>;
  /** The offers of products, those that count first, the cheapest before the others. */
  offersOf(
    workspace: Reader,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly MarketOffer[]>>;
  /** The products after a position (null: from the first), `limit` and one more. */
  page(
    workspace: Reader,
    query: MarketQuery,
    after: JsonValue | null,
    limit: number,
  ): Promise<MarketPage>;
  /**
   * All matching products, in the order at the time of the call. Throws `rate_limited` if the workspace
   * has several such lists open.
   */
  order(workspace: Reader, query: MarketQuery): Promise<MarketOrder>;
  /** Number of matching products; null if it is not known immediately. */
  count(workspace: Reader, query: MarketQuery): Promise<number | null>;
  warm(workspace: Reader): void;
}

/**
 * A competitor's newest price of a product, one per enabled match (docs/decisions/competitors.md).
 */
export const CompetitorPrice = z.object({
  competitor: z.string().meta({ description: "Display name" }),
  domain: z.string(),
  url: z.string(),
  price: z.int().nullable().meta({ description: "Minor units as seen; null when never observed" }),
  unitPrice: z.number().nullable().meta({ description: "`price` divided by `packFactor`" }),
  packFactor: z.number(),
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  lastCheckedAt: z.iso.datetime().nullable(),
}).meta({ id: "CompetitorPrice" });

export type CompetitorPrice = Readonly<z.infer<typeof CompetitorPrice>>;
