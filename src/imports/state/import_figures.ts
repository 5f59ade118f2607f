/** The figures of imports and undoings, as both interfaces show them and as jobs keep them. */
import { z } from "@hono/zod-openapi";
import { HOLD_CODES, UNIT_REMEDIES } from "../files/hold_codes.ts";

/** As it is kept: what an earlier version did not know is absent. */
type Kept<Shown, Later extends keyof Shown> =
  & Readonly<Omit<Shown, Later>>
  & Readonly<Partial<Pick<Shown, Later>>>;

const MoveAnswer = z.object({
  sku: z.string(),
  fromCents: z.int().meta({ description: "Our price before, in minor units" }),
  toCents: z.int().meta({ description: "Our price afterwards, in minor units" }),
  currency: z.string(),
  marginPct: z.number().nullable().meta({
    description: "Of the price afterwards; null where cost or VAT rate is not known",
  }),
});

export type PriceMove = Kept<z.infer<typeof MoveAnswer>, "marginPct">;

/** What an import would do to the prices of existing products. */
export const ImpactAnswer = z.object({
  priceChanges: z.int(),
  up: z.int(),
  down: z.int(),
  over20pct: z.int(),
  belowCost: z.int(),
  raisedCents: z.int().meta({
    description: "How much dearer one piece of each product gets, together; in the workspace's " +
      "currency, products in another one left out",
  }),
  loweredCents: z.int().meta({ description: "How much cheaper, likewise" }),
  /** The greatest moves first. */
  largest: z.array(MoveAnswer),
}).meta({ id: "ImportImpact" });

type ImpactCounts = Omit<z.infer<typeof ImpactAnswer>, "largest">;

export interface ImportImpact extends Kept<ImpactCounts, "raisedCents" | "loweredCents"> {
  readonly largest: readonly PriceMove[];
}

export const NO_IMPACT: ImportImpact = {
  priceChanges: 0,
  up: 0,
  down: 0,
  over20pct: 0,
  belowCost: 0,
  raisedCents: 0,
  loweredCents: 0,
  largest: [],
};

/** Why a product counts as moved; it may have several reasons. */
const HOLD_CAUSES = ["price", "cost", "currency"] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

const BEFORE = "The price or cost before, in minor units";
const AFTERWARDS = "The price or cost afterwards, in minor units";

/** A price or cost before and after, in the smallest units of its currency then. */
const HoldSample = z.object({
  sku: z.string(),
  cause: z.enum(HOLD_CAUSES),
  fromCents: z.int().meta({ description: BEFORE }),
  fromCurrency: z.string(),
  toCents: z.int().meta({ description: AFTERWARDS }),
  toCurrency: z.string(),
});

export type HoldSample = Readonly<z.infer<typeof HoldSample>>;

/** What one guard counts, and whether that is more than it lets pass. */
const Guard = z.object({
  code: z.enum(HOLD_CODES).meta({ description: "Which guard it is" }),
  binds: z.boolean().meta({ description: "More than `sharePct` percent of `of` is counted" }),
  count: z.int().meta({ description: "How many products or SKUs the guard found" }),
  of: z.int().meta({ description: "How many it looked at" }),
  sharePct: z.number().meta({ description: "The largest share that may be found, in percent" }),
  samples: z.array(z.object({
    sku: z.string(),
    fromCents: z.int().nullable().meta({ description: BEFORE }),
    fromCurrency: z.string().nullable(),
    toCents: z.int().nullable().meta({ description: AFTERWARDS }),
    toCurrency: z.string().nullable(),
  })).meta({
    description: "Up to 10 of each reason; amounts where it is about a price or a cost",
  }),
  column: z.string().nullable()
    .meta({ description: "Of `unit_guard`: the column of a table that the prices stand in" }),
  remedy: z.enum(UNIT_REMEDIES).nullable().meta({
    description: "Of `unit_guard`: `minor` amounts in cents, `decimals` a sign of thousands that " +
      "was read as one of decimals, or the reverse",
  }),
});

export type Guard = Readonly<z.infer<typeof Guard>>;

/** What the hold is judged by. */
export const ImportHeld = z.object({
  held: z.boolean().meta({
    description:
      "Whether a guard binds. The import ended so, with nothing applied; a dry run says so of " +
      "the real thing. `…/apply?force=true` lets it through",
  }),
  movePct: z.number().meta({
    description: "A price or cost that changes by more percent than this has moved",
  }),
  sharePct: z.number().meta({
    description: "How many percent of the products may have moved",
  }),
  products: z.int().meta({
    description: "Existing products whose price or cost the file brings, each counted once",
  }),
  moved: z.int().meta({
    description:
      "Those whose price or cost moves by more than `movePct`, or whose currency changes",
  }),
  causes: z.object({
    price: z.int().meta({ description: "How many prices moved" }),
    cost: z.int().meta({ description: "How many costs moved" }),
    currency: z.int().meta({ description: "How many currencies changed" }),
  }).meta({ description: "How many of them for which reason; one product may have several" }),
  samples: z.array(HoldSample)
    .meta({ description: "Up to 10 for each reason, the greatest moves first" }),
  guards: z.array(Guard)
    .meta({ description: "Every guard that was asked, those that let the import pass included" }),
}).meta({ id: "ImportHeld" });

export type ImportHeld = z.infer<typeof ImportHeld>;

/** What was taken back so far, or would be. */
export const Undone = z.object({
  entries: z.int().meta({
    description: "Products that the import had touched, as far as looked at",
  }),
  setBack: z.int().meta({ description: "Existing products of which something goes back" }),
  deleted: z.int().meta({ description: "New products that are deleted again" }),
  restored: z.int().meta({ description: "Deleted products that are there again" }),
  prices: z.int().meta({ description: "Own prices that go back" }),
  links: z.int().meta({ description: "Links that go again, or are switched back" }),
  soldDays: z.int().meta({ description: "Days whose units sold go back" }),
  kept: z.int().meta({
    description: "Products of which something stays, as it was changed since: see `…/errors`",
  }),
}).meta({ id: "ImportUndone" });

export type UndoCounts = Kept<z.infer<typeof Undone>, "soldDays">;

export const NO_UNDO_COUNTS: UndoCounts = {
  entries: 0,
  setBack: 0,
  deleted: 0,
  restored: 0,
  prices: 0,
  links: 0,
  kept: 0,
  soldDays: 0,
};
