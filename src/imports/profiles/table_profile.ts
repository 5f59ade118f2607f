/** The schema of a profile of tables: delimited text, workbooks, JSON (docs/decisions/imports.md). */

import { fromKeys } from "../../base/collections.ts";
import { ReadPlan } from "../files/byte_source.ts";
import { TABLE_LIMITS } from "../files/json_row.ts";
import {
  AMOUNT_UNITS,
  DATE_FORMATS,
  MATCH_KEYS,
  NUMBER_FORMATS,
  PRICE_ROLES,
  PRICE_SIDES,
  TRANSFORMS,
} from "./profile_choices.ts";
import { FIELD_LABELS, PROFILE_FIELDS, ProfileId } from "./profile_shape.ts";
import { z } from "@hono/zod-openapi";

const Name = z.string().min(1).max(500);
const Constant = z.string().max(500);

/** Where a value stands: the first of these columns that the file has, or the same text for all rows. */
export const Column = z.strictObject({
  columns: z.array(Name).max(50).default([]).meta({
    description: "Names as the file writes them, the first that is there counts; `#3` is the " +
      "third column",
    examples: [["Artikelnummer", "Art.-Nr."], ["#3"]],
  }),
  constant: Constant.nullable().default(null).meta({
    description: "Stands in each row that has none of the columns",
    examples: ["CHF"],
  }),
  transform: z.enum(TRANSFORMS).nullable().default(null)
    .meta({ description: "What happens to the value before it is judged" }),
});

export type Column = z.infer<typeof Column>;

const OptionalColumn = Column.nullable().default(null);
const ColumnOrText = z.union([Constant, Column]).nullable().default(null);

const Price = z.strictObject({
  from: Column.meta({ description: "Where the amount stands" }),
  role: z.enum(PRICE_ROLES).meta({
    description: "`own` our price, `cost` and `target` those of the product, `tier` the price of " +
      "a group of customers, `sale` a price for a time, which goes before `own`",
  }),
  tier: ColumnOrText.meta({
    description: "Price group: a name, or the column that has it",
    examples: ["B2B"],
  }),
  side: z.enum(PRICE_SIDES).nullable().default(null)
    .meta({ description: "Null: as the workspace keeps its prices. Costs are net" }),
  currency: ColumnOrText.meta({
    description: "ISO 4217, or the column that has it; what stands beside the amount goes before",
    examples: ["EUR"],
  }),
  minQty: z.union([z.number().positive().max(1e9), Column]).default(1).meta({
    description: "From how many pieces on; for more than one it is no price of the product itself",
    examples: [10],
  }),
  validFrom: OptionalColumn.meta({ description: "The first day" }),
  validUntil: OptionalColumn.meta({ description: "The last day" }),
  range: OptionalColumn.meta({ description: "Both dates in one text, parted by `/`" }),
  per: OptionalColumn.meta({ description: "The pieces that the amount is for" }),
});

export type PriceColumns = z.infer<typeof Price>;

const Fields = z.strictObject(
  fromKeys(PROFILE_FIELDS, (name) => OptionalColumn.meta({ description: FIELD_LABELS[name] })),
).meta({ description: "What a product has, by the column that it stands in" });

/** A table profile, but for what `TableProfile` asks of its columns as a whole. */
export const TableShape = z.strictObject({
  id: ProfileId,
  name: z.string().trim().min(1).max(200)
    .meta({ description: "What people call it", examples: ["ERP nachts"] }),
  format: z.literal("table"),
  detect: z.strictObject({
    columns: z.array(Name).max(100).default([]).meta({
      description: "A file that has all of them is read so; most columns win",
      examples: [["Artikelnummer", "VK brutto"]],
    }),
    fileName: z.string().max(200).nullable().default(null)
      .meta({ description: "Must be part of the name of the file", examples: ["artikel_export"] }),
  }).meta({ description: "Which files are read so when a request names no profile" }),
  read: ReadPlan.prefault({}).meta({ description: "How the table is written; null is found out" }),
  fields: Fields,
  attributes: z.array(z.strictObject({
    name: z.string().trim().min(1).max(64).refine((name) => name !== "__proto__", "Is no name")
      .meta({ description: "What products call it", examples: ["supplier"] }),
    from: Column.meta({ description: "Where its value stands" }),
  })).max(50).default([])
    .meta({ description: "Columns that products keep as attributes, the supplier for example" }),
  prices: z.array(Price).max(100).default([]).meta({
    description: "Several own prices with a `minQty` each are quantity breaks",
  }),
  competitors: z.array(z.strictObject({
    url: Column.meta({ description: "Where the address stands" }),
    name: ColumnOrText.meta({ description: "Name of the shop, or the column that has it" }),
  })).max(50).default([])
    .meta({ description: "Columns with the address of the product at a competitor" }),
  active: z.strictObject({
    from: Column.meta({ description: "Where the flag stands" }),
    yes: z.array(z.string().trim().min(1).max(40)).max(20).default([])
      .meta({ description: "Beside J, JA, Y, YES, 1, TRUE, X", examples: [["lieferbar"]] }),
    not: z.boolean().optional()
      .meta({ description: "The flag says that the product is not sold: blocked, discontinued" }),
    else: z.enum(["skip", "delete"]).default("skip")
      .meta({ description: "What becomes of the product otherwise" }),
  }).nullable().default(null).meta({ description: "The column that says whether it is sold" }),
  matchBy: z.enum(MATCH_KEYS).default("sku").meta({
    description: "`ean`: rows find the product that has their EAN, and make none",
  }),
  groupRows: z.boolean().default(false)
    .meta({ description: "Rows behind each other with the same SKU are one record" }),
  inherit: z.strictObject({
    by: Column.meta({ description: "What such rows have in common" }),
    fields: z.array(z.string().max(40)).max(TABLE_LIMITS.columns).meta({
      description: "Which fields they take from the first; `active` is one, too",
      examples: [["title", "brand"]],
    }),
  }).nullable().default(null)
    .meta({ description: "Rows that share this value take empty fields from the first of them" }),
  numberFormat: z.enum(NUMBER_FORMATS).default("auto").meta({
    description: "`de` 1.234,56, `en` 1,234.56; `auto` refuses what both would read differently",
  }),
  dateFormats: z.array(z.enum(DATE_FORMATS)).min(1).default([...DATE_FORMATS])
    .meta({ description: "The writings of a date that may count" }),
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([])
    .meta({ description: "What else means “without end”", examples: [["31.12.2099"]] }),
  zeroIsEmpty: z.boolean().default(true)
    .meta({ description: "A price of 0 is none, and the stored one stays" }),
  amounts: z.enum(AMOUNT_UNITS).default("major")
    .meta({ description: "`minor`: prices are whole minor units, 29999 is 299.99 EUR" }),
  keepsTiers: z.boolean().default(false)
    .meta({ description: "The own price alone is read: other prices of its tier stay" }),
});

export const TableProfile = TableShape.superRefine(checkKey).meta({ id: "TableProfile" });

/** One that is to be made; without an id it gets one of its name. */
export const NewTableProfile = TableShape.extend({ id: ProfileId.optional() })
  .superRefine(checkKey).meta({ id: "NewTableProfile" });

function checkKey(
  { matchBy, fields }: Pick<z.infer<typeof TableShape>, "matchBy" | "fields">,
  context: z.RefinementCtx,
): void {
  if (fields[matchBy] !== null) return;
  const message = "Needs a column: rows are told apart by it";
  context.addIssue({ code: "custom", path: ["fields", matchBy], message });
}

export type TableProfile = z.infer<typeof TableProfile>;
export type TableProfileInput = z.input<typeof TableProfile>;
