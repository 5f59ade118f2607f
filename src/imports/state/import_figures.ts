/** The counts of imports and undos, as both interfaces show them and as jobs store them. */
import { z } from "@hono/zod-openapi";
import { percent } from "../../accounts/workspace.ts";
import { HOLD_CODES, UNIT_REMEDIES } from "../files/hold_codes.ts";
import { DEFAULT_SOURCE_HOLD } from "../source_choices.ts";

const share = (name: keyof typeof DEFAULT_SOURCE_HOLD, description: string) =>
  percent(100).default(DEFAULT_SOURCE_HOLD[name]).meta({ description });

/**
 * When an import of a named source is held (docs/decisions/imports.md, "Sources"): each bound by
 * itself, over products of which each counts once.
 */
export const SourceHold = z.strictObject({
  movePct: percent(10_000).default(DEFAULT_SOURCE_HOLD.movePct).meta({
    description: "A product whose own price moves by more, or goes, has moved (`price_guard`)",
  }),
  sharePct: share(
    "sharePct",
    "Held when more of the products moved whose price or cost the file brings; of prices and " +
      "costs alike",
  ),
  costMovePct: percent(10_000).default(DEFAULT_SOURCE_HOLD.costMovePct).meta({
    description: "A product whose cost moves by more, or goes, has moved (`cost_guard`)",
  }),
  changedPct: share(
    "changedPct",
    "Held when more of the SKUs of the file change anything of their product; from the second " +
      "import on (`change_guard`). 100 for files that bring changes alone",
  ),
  deletedPct: share(
    "deletedPct",
    "`replace`: held when more of the products of this source would go (`replace_guard`)",
  ),
  newPct: share(
    "newPct",
    "Held when more of the SKUs of the file are new; from the second import on (`new_guard`)",
  ),
  currencyPct: share(
    "currencyPct",
    "Held when more of the products whose price or cost the file brings change their currency " +
      "(`currency_guard`)",
  ),
}).meta({ id: "ImportSourceHold" });

export type SourceHold = Readonly<z.infer<typeof SourceHold>>;

/** A field of an existing product that an import would change, named and valued as on read. */
export const FieldChange = z.object({
  sku: z.string(),
  field: z.string(),
  date: z.iso.date().optional().meta({ description: "Of `units`: the day they were sold on" }),
  from: z.unknown().meta({ description: "The value before" }),
  to: z.unknown().meta({ description: "The value afterwards" }),
  fromCurrency: z.string().optional()
    .meta({ description: "Of a price: `from` is in its minor units" }),
  toCurrency: z.string().optional().meta({
    description: "Of a price: `to` is in its minor units",
  }),
  written: z.string().optional().meta({
    description: "What the file says, shortened; there where the value that was read from it " +
      "reads otherwise: a number written in another way, a price from the other side of VAT",
  }),
  fromMarginPct: z.number().nullable().optional().meta({
    description: "Of `ourPrice` and `costPrice`: the product's margin before; null where cost, " +
      "price or VAT rate is not known",
  }),
  toMarginPct: z.number().nullable().optional().meta({
    description: "Likewise afterwards, by all that the file changes of the product",
  }),
});

export type FieldChange = Readonly<z.infer<typeof FieldChange>>;

export const Addition = z.object({
  sku: z.string(),
  title: z.string(),
  priceCents: z.int().nullable().meta({
    description: "Our price in minor units; null: it would have none",
  }),
  currency: z.string(),
});

export const Removal = z.object({ sku: z.string(), productId: z.string() });

export type ReportEntry =
  | { readonly kind: "change"; readonly row: FieldChange }
  | { readonly kind: "addition"; readonly row: Readonly<z.infer<typeof Addition>> }
  | { readonly kind: "removal"; readonly row: Readonly<z.infer<typeof Removal>> };

const MoveAnswer = z.object({
  sku: z.string(),
  fromCents: z.int().meta({ description: "Our price before, in minor units" }),
  toCents: z.int().meta({ description: "Our price afterwards, in minor units" }),
  currency: z.string(),
  marginPct: z.number().nullable().meta({
    description: "Of the price afterwards; null where cost or VAT rate is not known",
  }),
});

export type PriceMove = Readonly<z.infer<typeof MoveAnswer>>;

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
  largest: z.array(MoveAnswer),
}).meta({ id: "ImportImpact" });

export interface ImportImpact extends Readonly<Omit<z.infer<typeof ImpactAnswer>, "largest">> {
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

export type UndoCounts = Readonly<z.infer<typeof Undone>>;

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
