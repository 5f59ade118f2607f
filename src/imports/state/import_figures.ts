/** Schemas of the counts of imports and undos, for both interfaces and for stored jobs. */
import { z } from "@hono/zod-openapi";
import { percentField } from "../../engine/pricing/field.ts";
import { HOLD_CODES, UNIT_REMEDIES } from "../files/hold_codes.ts";
import { DEFAULT_SOURCE_HOLD } from "../source_choices.ts";

const share = (name: keyof typeof DEFAULT_SOURCE_HOLD, description: string) =>
  percentField(0, 100).default(DEFAULT_SOURCE_HOLD[name]).meta({ description });

/** One exceeded limit holds the import. A product counts once, even if price and cost changed. */
export const SourceHold = z.strictObject({
  movePct: percentField(0, 10_000).default(DEFAULT_SOURCE_HOLD.movePct).describe(
    "A product counts as moved if its own price changes by more percent or is removed (`price_guard`)",
  ),
  sharePct: share(
    "sharePct",
    "Held when more of the products moved whose price or cost the file brings; of prices and " +
      "costs alike",
  ),
  costMovePct: percentField(0, 10_000).default(DEFAULT_SOURCE_HOLD.costMovePct).describe(
    "A product counts as moved if its cost changes by more percent or is removed (`cost_guard`)",
  ),
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

export const FieldChange = z.object({
  sku: z.string(),
  field: z.string(),
  date: z.iso.date().optional().describe("For `units`: the day of the sales"),
  from: z.unknown().describe("The value before"),
  to: z.unknown().describe("The value afterwards"),
  fromCurrency: z.string().optional()
    .describe("For prices: currency of `from`, which is in minor units"),
  toCurrency: z.string().optional()
    .describe("For prices: currency of `to`, which is in minor units"),
  written: z.string().optional().describe(
    "The text of the file, shortened; present if the value that was read looks " +
      "different, for example a number in another format or a converted net price",
  ),
  fromMarginPct: z.number().nullable().optional().describe(
    "For `ourPrice` and `costPrice`: the product's margin before; null if cost, " +
      "price or VAT rate is unknown",
  ),
  toMarginPct: z.number().nullable().optional()
    .describe("The margin after all changes of the file"),
});
export type FieldChange = Readonly<z.infer<typeof FieldChange>>;

export const Addition = z.object({
  sku: z.string(),
  title: z.string(),
  priceCents: z.int().nullable().describe("Our price in minor units; null: none"),
  currency: z.string(),
});

export const Removal = z.object({ sku: z.string(), productId: z.string() });

export type ReportEntry =
  | { readonly kind: "change"; readonly row: FieldChange }
  | { readonly kind: "addition"; readonly row: Readonly<z.infer<typeof Addition>> }
  | { readonly kind: "removal"; readonly row: Readonly<z.infer<typeof Removal>> };

const MoveAnswer = z.object({
  sku: z.string(),
  fromCents: z.int().describe("Our price before, in minor units"),
  toCents: z.int().describe("Our price afterwards, in minor units"),
  currency: z.string(),
  marginPct: z.number().nullable()
    .describe("The margin afterwards; null if cost or VAT rate is unknown"),
});

export type PriceMove = Readonly<z.infer<typeof MoveAnswer>>;

export const ImpactAnswer = z.object({
  priceChanges: z.int(),
  up: z.int(),
  down: z.int(),
  over20pct: z.int(),
  belowCost: z.int(),
  raisedCents: z.int().describe(
    "Sum of the increases, for one piece of each product, in the workspace's " +
      "currency; products in another currency are omitted",
  ),
  loweredCents: z.int().describe("Sum of the reductions, counted in the same way"),
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

const HOLD_CAUSES = ["price", "cost", "currency"] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

const BEFORE = "The price or cost before, in minor units";
const AFTERWARDS = "The price or cost afterwards, in minor units";

/** `fromCents` is in minor units of `fromCurrency`, `toCents` in minor units of `toCurrency`. */
const HoldSample = z.object({
  sku: z.string(),
  cause: z.enum(HOLD_CAUSES),
  fromCents: z.int().describe(BEFORE),
  fromCurrency: z.string(),
  toCents: z.int().describe(AFTERWARDS),
  toCurrency: z.string(),
});
export type HoldSample = Readonly<z.infer<typeof HoldSample>>;

const Guard = z.object({
  code: z.enum(HOLD_CODES).describe("The guard"),
  binds: z.boolean().describe("True if `count` is more than `sharePct` percent of `of`"),
  count: z.int().describe("Number of products or SKUs that violate the guard"),
  of: z.int().describe("Number of examined products or SKUs"),
  sharePct: z.number().describe("Maximum share in percent"),
  samples: z.array(z.object({
    sku: z.string(),
    fromCents: z.int().nullable().describe(BEFORE),
    fromCurrency: z.string().nullable(),
    toCents: z.int().nullable().describe(AFTERWARDS),
    toCurrency: z.string().nullable(),
  })).describe("Up to 10 per reason; with amounts if the reason is a price or a cost"),
  column: z.string().nullable()
    .describe("For `unit_guard`: the table column of the prices"),
  remedy: z.enum(UNIT_REMEDIES).nullable().describe(
    "For `unit_guard`: `minor`: amounts are in cents; `decimals`: a thousands " +
      "separator was read as a decimal sign, or the reverse",
  ),
});
export type Guard = Readonly<z.infer<typeof Guard>>;

export const ImportHeld = z.object({
  held: z.boolean().describe(
    "True if a guard binds: the import ended and nothing was applied, or for a dry run, this " +
      "would happen. `…/apply?force=true` applies it nevertheless",
  ),
  movePct: z.number().describe("A price or cost counts as moved if it changes by more percent"),
  sharePct: z.number().describe("Maximum percentage of moved products"),
  products: z.int().describe("Number of existing products whose price or cost is in the file"),
  moved: z.int().describe(
    "Number of these products whose price or cost moves by more than `movePct`, or whose currency changes",
  ),
  causes: z.object({
    price: z.int().describe("Number of moved prices"),
    cost: z.int().describe("Number of moved costs"),
    currency: z.int().describe("Number of changed currencies"),
  }).describe("Number of moved products per reason; a product may have several"),
  samples: z.array(HoldSample)
    .describe("Up to 10 per reason, largest moves first"),
  guards: z.array(Guard)
    .describe("All guards that were evaluated, including those that did not bind"),
}).meta({ id: "ImportHeld" });
export type ImportHeld = z.infer<typeof ImportHeld>;

export const Undone = z.object({
  entries: z.int().describe("Number of products of the import that were processed so far"),
  setBack: z.int().describe("Number of existing products with restored values"),
  deleted: z.int().describe("Number of new products that are deleted again"),
  restored: z.int().describe("Number of deleted products that are restored"),
  prices: z.int().describe("Number of restored own prices"),
  links: z.int().describe("Number of links that are deleted again or enabled or disabled again"),
  soldDays: z.int().describe("Number of days whose units sold are restored"),
  kept: z.int().describe(
    "Number of products with values that stay because they have changed since; see `…/errors`",
  ),
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
