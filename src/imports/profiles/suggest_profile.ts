/** A profile for a table that no profile knows, from its columns (docs/decisions/imports.md, "Tables"). */

import { recordOf } from "../../base/collections.ts";
import { IMPORTED_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import type { SuggestedColumn } from "../files/suggest_columns.ts";
import type { NumberFormat } from "./profile_choices.ts";
import { type TableProfile, type TableProfileInput, TableShape } from "./table_profile.ts";

export const SUGGESTED_ID = "suggested";

/** Words of a flag that mean yes, in addition to those of every flag. */
const ACTIVE_WORDS = ["active", "aktiv", "publish", "published", "enabled", "verfuegbar"];
const ATTRIBUTE = /^(?:attributes?|attribute?n?|merkmale?|eigenschaften?)[.:_ ]+(.+)$/i;
const ATTRIBUTES_MAX = 50;
const ATTRIBUTE_CHARS_MAX = 64;

/** Fields of one column; the others are parts of prices. */
const SINGLE_FIELDS = IMPORTED_NAMES.map((name) => majorName(name))
  .filter((field) => field !== "tier" && field !== "costPrice" && field !== "targetPrice");

type PriceInput = NonNullable<TableProfileInput["prices"]>[number];

/**
 * `isGrouped` says that rows of one SKU stand behind each other. Without a column for the SKU nothing
 * can be imported by it before one is named.
 */
export function suggestProfile(
  columns: readonly SuggestedColumn[],
  numberFormat: NumberFormat,
  isGrouped: boolean,
): TableProfile {
  const named = (field: SuggestedColumn["field"]) => {
    const found = columns.find((column) => column.field === field);
    return found ? { columns: [nameOf(found, columns)] } : null;
  };
  const minQty = named("minQty");
  const dates = { validFrom: named("validFrom"), validUntil: named("validUntil") };
  // Dates next to a sale price are those of the sale: the own price holds at all times.
  const hasSale = named("sale") !== null;
  const common = { ...(hasSale ? {} : dates), per: named("per") };
  const saleDates = {
    validFrom: named("saleFrom") ?? dates.validFrom,
    validUntil: named("saleUntil") ?? dates.validUntil,
  };
  const priced = (column: SuggestedColumn, role: PriceInput["role"]): PriceInput => ({
    from: { columns: [nameOf(column, columns)] },
    role,
    side: column.side,
    currency: column.currency,
  });
  const prices = columns.flatMap((column): PriceInput[] => {
    switch (column.field) {
      case "price": {
        const tier = column.tier ?? named("tier");
        const role = column.tier === null ? "own" : "tier";
        const quantity = column.minQty ?? minQty ?? 1;
        return [{ ...priced(column, role), ...common, tier, minQty: quantity }];
      }
      case "costPrice":
        return [priced(column, "cost")];
      case "targetPrice":
        return [priced(column, "target")];
      case "sale":
        return [{ ...priced(column, "sale"), ...saleDates, range: named("saleRange") }];
      default:
        return [];
    }
  });
  const active = named("active");
  const inactive = named("inactive");
  const soldOn = named("unitsDate");
  return TableShape.parse({
    id: SUGGESTED_ID,
    name: "Suggested",
    format: "table",
    detect: {},
    fields: {
      ...recordOf(SINGLE_FIELDS, named),
      // Units without a known day are no sales of a day.
      units: soldOn && named("units"),
      unitsDate: named("units") && soldOn,
    },
    attributes: columns.flatMap((column) => {
      const name = ATTRIBUTE.exec(column.name)?.[1]?.trim();
      return name
        ? [{ name: name.slice(0, ATTRIBUTE_CHARS_MAX), from: { columns: [column.name] } }]
        : [];
    }).slice(0, ATTRIBUTES_MAX),
    prices,
    competitors: columns.filter(({ field }) => field === "competitorUrl")
      .map((column) => ({ url: { columns: [nameOf(column, columns)] } })),
    active: active
      ? { from: active, yes: ACTIVE_WORDS }
      : inactive && { from: inactive, not: true },
    groupRows: isGrouped &&
      [minQty, named("tier"), soldOn].some((column) => column !== null),
    numberFormat,
  });
}

/** By number where another column before it has the same name. */
function nameOf({ name, at }: SuggestedColumn, columns: readonly SuggestedColumn[]): string {
  return columns.find((column) => column.name === name)?.at === at && name !== ""
    ? name
    : `#${at + 1}`;
}
