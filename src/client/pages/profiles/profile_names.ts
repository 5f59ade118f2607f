import { IMPORTED_NAMES, majorName } from "../../../catalogue/products/product_field_table.ts";

/** What an import profile says, by its paths in the document; the form has a field for each. */

/** What a record of a file may fill in a product. */
export const PROFILE_FIELDS = IMPORTED_NAMES.map(majorName);

export const PRICE_PATHS = [
  "path",
  "amount",
  "tier",
  "currency",
  "minQty",
  "validFrom",
  "validUntil",
  "quantity",
] as const;

export const LINK_PATHS = ["path", "url", "name", "domain", "enabled"] as const;

export const GROUP_PATHS = [
  "path",
  "id",
  "name",
  "memberPath",
  "memberSku",
  "memberGroup",
] as const;

const OTHERS = [
  "id",
  "name",
  "detect.root",
  "detect.namespace",
  "itemPath",
  "fileCurrency",
  "mode",
  "numberFormat",
  "openEnd",
  "prices.current",
  "prices.defaultTier",
  "prices.alsoCostPrice",
  "prices.alsoTargetPrice",
] as const;

export type ProductFieldName = (typeof PROFILE_FIELDS)[number];

/** The name of a text field is the path of what it holds, as the service names what it refuses. */
export type TextName =
  | (typeof OTHERS)[number]
  | `fields.${ProductFieldName}.${"path" | "transform"}`
  | `prices.${(typeof PRICE_PATHS)[number]}`
  | `competitors.${(typeof LINK_PATHS)[number]}`
  | `groups.${(typeof GROUP_PATHS)[number]}`;

export const TEXT_NAMES: readonly TextName[] = [
  ...OTHERS,
  ...PROFILE_FIELDS.flatMap((name) => [`fields.${name}.path`, `fields.${name}.transform`] as const),
  ...PRICE_PATHS.map((name) => `prices.${name}` as const),
  ...LINK_PATHS.map((name) => `competitors.${name}` as const),
  ...GROUP_PATHS.map((name) => `groups.${name}` as const),
];

export const DATE_FORMATS = ["D.M.Y", "Y-M-D", "YMD"] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

export type FlagName =
  | "groupItems"
  | "zeroIsEmpty"
  | "hasPrices"
  | "prices.firstTierCounts"
  | "hasLinks"
  | "hasGroups"
  | `date ${DateFormat}`;
