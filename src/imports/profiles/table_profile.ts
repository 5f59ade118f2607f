/**
 * Declares the schema of profiles for delimited text, workbooks and JSON
 * (docs/decisions/imports.md).
 */
import { z } from "@hono/zod-openapi";
import {
  FIELD_LABELS,
  ImportProfile,
  NewImportProfile,
  PROFILE_FIELDS,
  ProfileId,
} from "./xml_profile.ts";
import { columnAt } from "../../base/codes.ts";
import { fromKeys } from "../../base/collections.ts";
import { IMPORTED_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import { ReadPlan } from "../files/source_file.ts";
import { TABLE_LIMITS } from "../files/table_row.ts";
import type { SuggestedColumn } from "../files/columns.ts";
import {
  AMOUNT_UNITS,
  DATE_FORMATS,
  MATCH_KEYS,
  NUMBER_FORMATS,
  type NumberFormat,
  PRICE_ROLES,
  PRICE_SIDES,
  TRANSFORMS,
} from "../choices.ts";

const NAME_CHARS_MAX = 500;
const Name = z.string().min(1).max(NAME_CHARS_MAX);
const Constant = z.string().max(500);

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
    .describe("Transformation of the value before it is checked"),
});
export type Column = z.infer<typeof Column>;

export function placeOf(column: Column | null, names: readonly string[]): number | undefined {
  return column?.columns.map((name) => columnAt(name, names)).find((place) => place >= 0);
}

const OptionalColumn = Column.nullable().default(null);
const ColumnOrText = z.union([Constant, Column]).nullable().default(null);

const Price = z.strictObject({
  from: Column.describe("Column of the amount"),
  role: z.enum(PRICE_ROLES).describe(
    "`own` is our price, `cost` the cost, `target` the target price, `tier` the price of " +
      "a customer group, `sale` a temporary price that takes precedence over `own`",
  ),
  tier: ColumnOrText.meta({
    description: "Price tier: its name, or the column that contains it",
    examples: ["B2B"],
  }),
  side: z.enum(PRICE_SIDES).nullable().default(null)
    .describe(
      "Null: net or gross as in the workspace. Ignored for the roles `cost` (always net) and " +
        "`target`",
    ),
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
  validFrom: OptionalColumn.describe("Column of the first day"),
  validUntil: OptionalColumn.describe("Column of the last day"),
  range: OptionalColumn.describe("Column with both dates, with `/` between them"),
  per: OptionalColumn.describe("Column with the number of pieces that the amount is for"),
});

export type PriceColumns = z.infer<typeof Price>;

const Fields = z.strictObject(
  fromKeys(PROFILE_FIELDS, (name) => OptionalColumn.describe(FIELD_LABELS[name])),
).describe("Fields of the product, each with its column");

const PRICES_MAX = 100;
const COMPETITORS_MAX = 50;

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
  }).describe("Which files this profile applies to if the request names no profile"),
  read: ReadPlan.prefault({}).describe("Format of the table; null means that it is detected"),
  fields: Fields,
  attributes: z.array(z.strictObject({
    name: z.string().trim().min(1).max(64).refine((name) => name !== "__proto__", "Is not allowed")
      .meta({ description: "Name of the attribute", examples: ["supplier"] }),
    from: Column.describe("Column of the value"),
  })).max(50).default([])
    .describe("Columns that become attributes of the product, for example the supplier"),
  prices: z.array(Price).max(PRICES_MAX).default([])
    .describe("Prices; several `own` prices with different `minQty` are quantity prices"),
  competitors: z.array(z.strictObject({
    url: Column.describe("Column of the address"),
    name: ColumnOrText.describe("Name of the shop, or the column that contains it"),
  })).max(COMPETITORS_MAX).default([])
    .describe("Columns with the product's address at a competitor"),
  active: z.strictObject({
    from: Column.describe("Column of the flag"),
    yes: z.array(z.string().trim().min(1).max(40)).max(20).default([])
      .meta({
        description: "Values that mean yes, in addition to J, JA, Y, YES, 1, TRUE, X",
        examples: [["lieferbar"]],
      }),
    not: z.boolean().optional()
      .describe(
        "True: the flag means that the product is not sold, for example blocked or discontinued",
      ),
    else: z.enum(["skip", "delete"]).default("skip")
      .describe("What happens to products that are not sold"),
  }).nullable().default(null).describe("Column that says whether the product is sold"),
  matchBy: z.enum(MATCH_KEYS).default("sku")
    .describe("`ean`: a row updates the product with its EAN and never creates one"),
  groupRows: z.boolean().default(false)
    .describe("Consecutive rows with the same SKU are one record"),
  inherit: z.strictObject({
    by: Column.describe("Column whose value the rows share"),
    fields: z.array(z.string().max(40)).max(TABLE_LIMITS.columns).meta({
      description: "Fields taken from the first row; `active` is possible, too",
      examples: [["title", "brand"]],
    }),
  }).nullable().default(null)
    .describe(
      "Rows with the same value in a column fill their empty fields from the first of these rows",
    ),
  numberFormat: z.enum(NUMBER_FORMATS).default("auto").describe(
    "`de` reads 1.234 as 1234, `en` as 1.234; `auto` refuses 1.234 and 1,234. All three read " +
      "1.234,56 and 1,234.56",
  ),
  dateFormats: z.array(z.enum(DATE_FORMATS)).min(1).default([...DATE_FORMATS])
    .describe("Accepted formats of dates"),
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([])
    .meta({
      description: "Values that mean no end or no start, in addition to 31.12.9999 and 00.00.0000",
      examples: [["31.12.2099"]],
    }),
  zeroIsEmpty: z.boolean().default(true)
    .describe("A price of 0 counts as absent, and the stored one stays"),
  amounts: z.enum(AMOUNT_UNITS).default("major")
    .describe("`minor`: prices are integers in minor units; 29999 is 299.99 EUR"),
  keepsTiers: z.boolean().default(false)
    .describe("Only the own price is read; other prices of its tier stay"),
});

export const TableProfile = TableShape.superRefine(checkKey).meta({ id: "TableProfile" });

const NewTableProfile = TableShape.extend({ id: ProfileId.optional() })
  .superRefine(checkKey).meta({ id: "NewTableProfile" });

function checkKey(
  { matchBy, fields }: Pick<z.infer<typeof TableShape>, "matchBy" | "fields">,
  context: z.RefinementCtx,
): void {
  if (fields[matchBy] !== null) return;
  const message = "Needs a column, because rows are identified by it";
  context.addIssue({ code: "custom", path: ["fields", matchBy], message });
}

export type TableProfile = z.infer<typeof TableProfile>;
export type TableProfileInput = z.input<typeof TableProfile>;

export const AnyProfile = z.discriminatedUnion("format", [ImportProfile, TableProfile]);
export type AnyProfile = ImportProfile | TableProfile;

export const NewProfile = z.discriminatedUnion("format", [NewImportProfile, NewTableProfile]);
export type NewProfile = z.infer<typeof NewProfile>;

export function isTable(profile: AnyProfile): profile is TableProfile {
  return profile.format === "table";
}

export function isOfXml(profile: AnyProfile): profile is ImportProfile {
  return !isTable(profile);
}

const ACTIVE_WORDS = ["active", "aktiv", "publish", "published", "enabled", "verfuegbar"];
const ATTRIBUTE = /^(?:attributes?|attribute?n?|merkmale?|eigenschaften?)[.:_ ]+([^.:_ ].*)$/i;

const SINGLE_FIELDS = IMPORTED_NAMES.map((name) => majorName(name))
  .filter((field) => field !== "tier" && field !== "costPrice" && field !== "targetPrice");

type Named = (field: SuggestedColumn["field"]) => { readonly columns: string[] } | null;

export function suggestProfile(
  columns: readonly SuggestedColumn[],
  numberFormat: NumberFormat,
  isGrouped: boolean,
): TableProfile {
  const named: Named = (field) => {
    const found = columns.find((column) => column.field === field);
    return found ? { columns: [nameOf(found, columns)] } : null;
  };
  const active = named("active");
  const inactive = named("inactive");
  const soldOn = named("unitsDate");
  return TableShape.parse({
    id: "suggested",
    name: "Suggested",
    format: "table",
    detect: {},
    fields: {
      ...fromKeys(SINGLE_FIELDS, named),
      units: soldOn && named("units"),
      unitsDate: named("units") && soldOn,
    },
    attributes: columns.flatMap((column) => {
      const name = ATTRIBUTE.exec(column.name)?.[1]?.trim();
      const from = { columns: [nameOf(column, columns)] };
      return name ? [{ name: name.slice(0, 64), from }] : [];
    }).slice(0, 50),
    prices: suggestPrices(columns, named).slice(0, PRICES_MAX),
    competitors: columns.filter(({ field }) => field === "competitorUrl")
      .map((column) => ({ url: { columns: [nameOf(column, columns)] } }))
      .slice(0, COMPETITORS_MAX),
    active: active
      ? { from: active, yes: ACTIVE_WORDS }
      : inactive && { from: inactive, not: true },
    groupRows: isGrouped &&
      [named("minQty"), named("tier"), soldOn].some((column) => column !== null),
    numberFormat,
  });
}

function suggestPrices(
  columns: readonly SuggestedColumn[],
  named: Named,
): NonNullable<TableProfileInput["prices"]> {
  const dates = { validFrom: named("validFrom"), validUntil: named("validUntil") };
  const saleDates = {
    validFrom: named("saleFrom") ?? dates.validFrom,
    validUntil: named("saleUntil") ?? dates.validUntil,
    range: named("saleRange"),
  };
  // If the table has a sale price, the columns with dates apply only to the sale price.
  const common = { ...(named("sale") === null && dates), per: named("per") };
  return columns.flatMap((column): NonNullable<TableProfileInput["prices"]> => {
    const { side, currency } = column;
    const price = { from: { columns: [nameOf(column, columns)] }, side, currency };
    switch (column.field) {
      case "price": {
        const role = column.tier === null ? "own" : "tier";
        const minQty = column.minQty ?? named("minQty") ?? 1;
        return [{ ...price, role, ...common, tier: column.tier ?? named("tier"), minQty }];
      }
      case "costPrice":
        return [{ ...price, role: "cost" }];
      case "targetPrice":
        return [{ ...price, role: "target" }];
      case "sale":
        return [{ ...price, role: "sale", ...saleDates }];
      default:
        return [];
    }
  });
}

function nameOf({ name, at }: SuggestedColumn, columns: readonly SuggestedColumn[]): string {
  const isUsable = name !== "" && name.length <= NAME_CHARS_MAX;
  return isUsable && columns.find((column) => column.name === name)?.at === at
    ? name
    : `#${at + 1}`;
}
