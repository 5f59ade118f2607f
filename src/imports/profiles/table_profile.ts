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

/** The source of a value: the first of these columns that the file has, or the same text for all rows. */
export const Column = z.strictObject({
  columns: z.array(Name).max(50).default([]).meta({
    description:
      "Column names as written in the file; the first one that exists is used; `#3` is " +
      "the third column",
    examples: [["Artikelnummer", "Art.-Nr."], ["#3"]],
  }),
  constant: Constant.nullable().default(null).meta({
    description: "Value if the file has none of the columns",
    examples: ["CHF"],
  }),
  transform: z.enum(TRANSFORMS).nullable().default(null)
    .meta({ description: "Transformation of the value before it is checked" }),
});

export type Column = z.infer<typeof Column>;

const OptionalColumn = Column.nullable().default(null);
const ColumnOrText = z.union([Constant, Column]).nullable().default(null);

const Price = z.strictObject({
  from: Column.meta({ description: "Column of the amount" }),
  role: z.enum(PRICE_ROLES).meta({
    description:
      "`own` is our price, `cost` the cost, `target` the target price, `tier` the price of " +
      "a customer group, `sale` a temporary price that takes precedence over `own`",
  }),
  tier: ColumnOrText.meta({
    description: "Price tier: its name, or the column that contains it",
    examples: ["B2B"],
  }),
  side: z.enum(PRICE_SIDES).nullable().default(null)
    .meta({ description: "Null: net or gross as in the workspace. Costs are always net" }),
  currency: ColumnOrText.meta({
    description:
      "ISO 4217 code, or the column that contains it; a currency in the amount takes precedence",
    examples: ["EUR"],
  }),
  minQty: z.union([z.number().positive().max(1e9), Column]).default(1).meta({
    description:
      "Minimum number of pieces; a price with more than 1 does not become the product's own price",
    examples: [10],
  }),
  validFrom: OptionalColumn.meta({ description: "Column of the first day" }),
  validUntil: OptionalColumn.meta({ description: "Column of the last day" }),
  range: OptionalColumn.meta({ description: "Column with both dates, with `/` between them" }),
  per: OptionalColumn.meta({
    description: "Column with the number of pieces that the amount is for",
  }),
});

export type PriceColumns = z.infer<typeof Price>;

const Fields = z.strictObject(
  fromKeys(PROFILE_FIELDS, (name) => OptionalColumn.meta({ description: FIELD_LABELS[name] })),
).meta({ description: "Fields of the product, each with its column" });

/** A table profile, without the checks of `TableProfile` that compare its columns. */
export const TableShape = z.strictObject({
  id: ProfileId,
  name: z.string().trim().min(1).max(200)
    .meta({ description: "Name that people see", examples: ["ERP nachts"] }),
  format: z.literal("table"),
  detect: z.strictObject({
    columns: z.array(Name).max(100).default([]).meta({
      description:
        "The file must have all of these columns; of several such profiles, the one with most columns is used",
      examples: [["Artikelnummer", "VK brutto"]],
    }),
    fileName: z.string().max(200).nullable().default(null)
      .meta({ description: "Text that the file name must contain", examples: ["artikel_export"] }),
  }).meta({ description: "Which files this profile applies to if the request names no profile" }),
  read: ReadPlan.prefault({}).meta({ description: "Format of the table; null is detected" }),
  fields: Fields,
  attributes: z.array(z.strictObject({
    name: z.string().trim().min(1).max(64).refine((name) => name !== "__proto__", "Is no name")
      .meta({ description: "Name of the attribute", examples: ["supplier"] }),
    from: Column.meta({ description: "Column of the value" }),
  })).max(50).default([])
    .meta({
      description: "Columns that become attributes of the product, for example the supplier",
    }),
  prices: z.array(Price).max(100).default([]).meta({
    description: "Prices; several `own` prices with different `minQty` are quantity prices",
  }),
  competitors: z.array(z.strictObject({
    url: Column.meta({ description: "Column of the address" }),
    name: ColumnOrText.meta({ description: "Name of the shop, or the column that contains it" }),
  })).max(50).default([])
    .meta({ description: "Columns with the product's address at a competitor" }),
  active: z.strictObject({
    from: Column.meta({ description: "Column of the flag" }),
    yes: z.array(z.string().trim().min(1).max(40)).max(20).default([])
      .meta({
        description: "Values that mean yes, in addition to J, JA, Y, YES, 1, TRUE, X",
        examples: [["lieferbar"]],
      }),
    not: z.boolean().optional()
      .meta({
        description:
          "True: the flag means that the product is not sold, for example blocked or discontinued",
      }),
    else: z.enum(["skip", "delete"]).default("skip")
      .meta({ description: "What happens to products that are not sold" }),
  }).nullable().default(null).meta({ description: "Column that says whether the product is sold" }),
  matchBy: z.enum(MATCH_KEYS).default("sku").meta({
    description: "`ean`: a row updates the product with its EAN and never creates one",
  }),
  groupRows: z.boolean().default(false)
    .meta({ description: "Consecutive rows with the same SKU are one record" }),
  inherit: z.strictObject({
    by: Column.meta({ description: "Column whose value the rows share" }),
    fields: z.array(z.string().max(40)).max(TABLE_LIMITS.columns).meta({
      description: "Fields taken from the first row; `active` is possible, too",
      examples: [["title", "brand"]],
    }),
  }).nullable().default(null)
    .meta({
      description:
        "Rows with the same value in a column fill their empty fields from the first of these rows",
    }),
  numberFormat: z.enum(NUMBER_FORMATS).default("auto").meta({
    description:
      "`de` is 1.234,56 and `en` is 1,234.56; `auto` refuses numbers that the two read differently",
  }),
  dateFormats: z.array(z.enum(DATE_FORMATS)).min(1).default([...DATE_FORMATS])
    .meta({ description: "Accepted formats of dates" }),
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([])
    .meta({ description: "Other values that mean “without end”", examples: [["31.12.2099"]] }),
  zeroIsEmpty: z.boolean().default(true)
    .meta({ description: "A price of 0 counts as absent, and the stored one stays" }),
  amounts: z.enum(AMOUNT_UNITS).default("major")
    .meta({ description: "`minor`: prices are integers in minor units; 29999 is 299.99 EUR" }),
  keepsTiers: z.boolean().default(false)
    .meta({ description: "Only the own price is read; other prices of its tier stay" }),
});

export const TableProfile = TableShape.superRefine(checkKey).meta({ id: "TableProfile" });

/** A new profile; a missing id is derived from its name. */
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
