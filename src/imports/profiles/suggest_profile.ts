/** Builds a profile for a table without a matching profile, from the suggested columns. */

import { fromKeys } from "../../base/collections.ts";
import { IMPORTED_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import type { SuggestedColumn } from "../files/suggest_columns.ts";
import type { NumberFormat } from "./profile_choices.ts";
import { type TableProfile, type TableProfileInput, TableShape } from "./table_profile.ts";

/** Words that mean yes, in addition to those of every flag. */
const ACTIVE_WORDS = ["active", "aktiv", "publish", "published", "enabled", "verfuegbar"];
const ATTRIBUTE = /^(?:attributes?|attribute?n?|merkmale?|eigenschaften?)[.:_ ]+(.+)$/i;

/** Fields with one column; all other fields are parts of prices. */
const SINGLE_FIELDS = IMPORTED_NAMES.map((name) => majorName(name))
  .filter((field) => field !== "tier" && field !== "costPrice" && field !== "targetPrice");

type Named = (field: SuggestedColumn["field"]) => { readonly columns: string[] } | null;

/**
 * `isGrouped`: rows with the same SKU are consecutive. Without a SKU column the profile cannot be
 * used until a person chooses one.
 */
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
      // Units without a day are not imported as sales.
      units: soldOn && named("units"),
      unitsDate: named("units") && soldOn,
    },
    attributes: columns.flatMap((column) => {
      const name = ATTRIBUTE.exec(column.name)?.[1]?.trim();
      return name ? [{ name: name.slice(0, 64), from: { columns: [column.name] } }] : [];
    }).slice(0, 50),
    prices: suggestPrices(columns, named),
    competitors: columns.filter(({ field }) => field === "competitorUrl")
      .map((column) => ({ url: { columns: [nameOf(column, columns)] } })),
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
  // Dates next to a sale price belong to the sale; the own price is always valid.
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

/** Returns the name of the column, or its number if an earlier column has the same name. */
function nameOf({ name, at }: SuggestedColumn, columns: readonly SuggestedColumn[]): string {
  return columns.find((column) => column.name === name)?.at === at && name !== ""
    ? name
    : `#${at + 1}`;
}
