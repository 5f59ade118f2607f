/** Declares schemas and types of the market data in product lists (docs/decisions/market.md). */
import { parseBound } from "../../base/time.ts";
import { MARKET_POSITIONS, MARKET_STATES } from "../../engine/pricing/market_facts.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/http.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { z } from "@hono/zod-openapi";

const cents = z.int().nullable();
const pct = z.number().nullable();

export const ProductMarket = z.object({
  state: z.enum(MARKET_STATES)
    .describe("`ok` if there are offers to compare with, else why there are none"),
  links: z.int()
    .describe("Number of enabled matches at enabled competitors, without our own offers"),
  offers: z.int().describe("Number of offers whose price counts"),
  cheapestCents: cents.describe(
    "Price for one of our pieces, with or without VAT like our prices, in minor units of the product's currency",
  ),
  cheapestCompetitorId: z.string().nullable(),
  cheapestCompetitor: z.string().nullable().describe("Display name"),
  cheapestMatchType: z.enum(["exact", "equivalent"]).nullable(),
  cheapestInStock: z.boolean().nullable().describe("True, or null if the shop does not say"),
  cheapestAt: z.iso.datetime().nullable().describe("When the cheapest price was observed last"),
  cheapestLacksShipping: z.boolean()
    .describe("True if delivered prices are compared and the cheapest offer's shipping is unknown"),
  comparedCents: cents
    .describe("Our price for the comparison: with our shipping if delivered prices are compared"),
  cheapestCount: z.int().describe("Number of offers with the cheapest price"),
  gapCents: cents.describe("Ours (`comparedCents`) − cheapest"),
  gapPct: pct.describe("(ours − cheapest) ÷ cheapest"),
  roomPct: pct.describe("(cheapest − ours) ÷ ours"),
  rank: z.int().nullable().describe("1 is the cheapest; equal prices share a rank"),
  of: z.int().describe("Number of compared prices, including ours"),
  position: z.enum(MARKET_POSITIONS).nullable(),
  medianCents: cents,
  averageCents: cents,
  indexPct: pct.describe("Ours ÷ average × 100"),
  newestAt: z.iso.datetime().nullable().describe("Time of the newest observation of any link"),
  marginPct: pct.describe("Share of the net price, rounded down"),
  proposal: z.object({ id: z.string(), proposedCents: z.int(), changePct: pct }).nullable()
    .describe("The open proposal"),
  rule: z.object({ id: z.string(), name: z.string() }).nullable()
    .describe("The first enabled rule that computes prices and has the product in its scope"),
}).meta({ id: "ProductMarket" });

export type ProductMarket = Readonly<z.infer<typeof ProductMarket>>;

export const MarketOffer = z.object({
  competitorProductId: z.string(),
  competitorId: z.string(),
  competitor: z.string().describe("Display name"),
  priceCents: cents.describe("As observed, in minor units of `currency`"),
  unitCents: cents.describe(
    "Price for one of our pieces, with or without VAT like our prices, with shipping " +
      "if delivered prices are compared; null if not comparable",
  ),
  shippingCents: cents.describe("Shipping cost, in minor units of `currency`; null: unknown"),
  lacksShipping: z.boolean()
    .describe("True if delivered prices are compared and the offer's shipping is unknown"),
  currency: z.string().nullable(),
  packFactor: z.number(),
  inStock: z.boolean().nullable(),
  observedAt: z.iso.datetime().nullable(),
  counts: z.boolean().describe("Whether it counts for the market"),
  why: z.string().nullable()
    .describe("Code of the reason why the offer does not count; `own_offer`: we are the seller"),
}).meta({ id: "MarketOffer" });

export type MarketOffer = Readonly<z.infer<typeof MarketOffer>>;

/** For ascending and descending order alike, null comes last and equal values are sorted by id. */
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
  "cheapestAt",
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
const HasProposal = z.enum(["true", "false"]).transform((text) => text === "true").optional();

export const MARKET_FILTER_TEXTS = {
  dearerThanPct: Pct,
  undercutAbovePct: Pct,
  roomAbovePct: Pct,
  marginBelowPct: Pct,
  rankMin: Rank,
  rankMax: Rank,
  position: z.enum(MARKET_POSITIONS).optional(),
  state: z.enum(MARKET_STATES).optional(),
  hasProposal: HasProposal,
  competitorId: Id,
  cheapestCompetitorId: Id,
  undercutBy: Id,
  missing: z.string().regex(/^(?:any|[0-9a-f]{24})$/, "Must be an id, or any").optional(),
  ruleId: Id,
  newestBefore: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description:
      "The newest observation of any link is before this time; products without an observation do not match",
  }),
};

export const MARKET_FILTER_SHAPE = {
  ...MARKET_FILTER_TEXTS,
  dearerThanPct: Pct.meta({
    type: "number",
    description: "Our gap to the cheapest is above this percentage of the cheapest price",
  }),
  undercutAbovePct: Pct.meta({
    type: "number",
    description: "The cheapest is below our price by more than this percentage of our price",
  }),
  roomAbovePct: Pct.meta({
    type: "number",
    description: "The room up to the cheapest is above this percentage",
  }),
  marginBelowPct: Pct.meta({
    type: "number",
    description: "Our margin is below this percentage",
  }),
  rankMin: Rank.meta({ type: "integer", minimum: 1 }),
  rankMax: Rank.meta({ type: "integer", minimum: 1 }),
  hasProposal: HasProposal.meta({ type: "boolean", description: "Has an open proposal" }),
  competitorId: Id.describe("Has an offer of this competitor that counts"),
  cheapestCompetitorId: Id.describe("This competitor has the cheapest offer"),
  undercutBy: Id.describe("This competitor asks less than we do"),
  missing: MARKET_FILTER_TEXTS.missing
    .describe("Has no linked page of this competitor; `any`: has no linked page at all"),
  ruleId: Id.describe("The rule that computes its price"),
};

export const MARKET_SHAPE = {
  sort: z.enum(MARKET_SORTS).optional().describe("Default: by id"),
  order: z.enum(["asc", "desc"]).default("asc")
    .describe("Null comes last in both directions; ties are ordered by id"),
  ...MARKET_FILTER_SHAPE,
};

type OutputOf<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;
export type MarketTexts = Partial<OutputOf<typeof MARKET_SHAPE>>;
type FilterTexts = OutputOf<typeof MARKET_FILTER_SHAPE>;

export interface MarketFilter extends Omit<FilterTexts, "newestBefore"> {
  readonly newestBeforeMs?: number | undefined;
}

export function asksForMarket(texts: MarketTexts): boolean {
  return texts.sort !== undefined || Object.keys(marketFilterOf(texts)).length > 0;
}

export function marketFilterOf({ newestBefore, ...texts }: MarketTexts): MarketFilter {
  const filters = Object.entries(texts).filter(([name, text]) =>
    name in MARKET_FILTER_SHAPE && text !== undefined
  );
  const newestBeforeMs = newestBefore ? parseBound(newestBefore, "start") : null;
  return { ...Object.fromEntries(filters), ...(newestBeforeMs !== null && { newestBeforeMs }) };
}

export interface MarketQuery {
  readonly sort: MarketSort | null;
  readonly order: "asc" | "desc";
  readonly filter: MarketFilter;
  readonly among: Iterable<string> | null;
  readonly changedSinceMs: number | null;
}

/** A product's position in a sorted list: sorted value, product id, time of the first page. */
export const MarketPlace = z.tuple([
  z.union([z.number(), z.string(), z.null()]),
  Id.unwrap(),
  z.number(),
]);
export type MarketPlace = z.infer<typeof MarketPlace>;

export interface MarketPage {
  /** The products of the page, plus one more product if another page follows. */
  readonly items: readonly { readonly id: string; readonly place: MarketPlace }[];
  readonly total: number;
  readonly moved: number;
  readonly asOf: string;
  readonly isFull: boolean;
  /**
   * Ids of products deleted since `changedSinceMs`, even if the filters exclude them. Only the
   * first page has such ids.
   */
  readonly gone: readonly string[];
}

export interface MarketOrder extends Disposable {
  readonly total: number;
  take(count: number): string[];
}

type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

export interface MarketSource {
  beside(
    workspace: Reader,
    ids: readonly string[],
  ): Promise<{ readonly markets: ReadonlyMap<string, ProductMarket>; readonly asOfMs: number }>;
  /** The offers that determine our market position come first, cheapest first. */
  offersOf(
    workspace: Reader,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly MarketOffer[]>>;
  page(
    workspace: Reader,
    query: MarketQuery,
    after: MarketPlace | null,
    limit: number,
  ): Promise<MarketPage>;
  /** Throws `rate_limited` if too many sorted lists are open. */
  order(workspace: Reader, query: MarketQuery): Promise<MarketOrder>;
  warm(workspace: Reader): void;
}

export const CompetitorPrice = z.object({
  competitor: z.string().describe("Display name"),
  domain: z.string(),
  url: z.string(),
  price: z.int().nullable().describe("Minor units as observed; null if never observed"),
  unitPrice: z.number().nullable().describe("`price` divided by `packFactor`"),
  packFactor: z.number(),
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  lastCheckedAt: z.iso.datetime().nullable(),
}).meta({ id: "CompetitorPrice" });

export type CompetitorPrice = Readonly<z.infer<typeof CompetitorPrice>>;
