/**
 * The fields of an import profile by their paths in the document; the form has a field for each.
 */
import { IMPORTED_NAMES, majorName } from "../../../catalogue/products/product_field_table.ts";
import {
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  PRICE_PATHS,
  SALE_PATHS,
  SOLD_FIELDS,
} from "../../../imports/profiles/profile_choices.ts";
import type { ProfileShape } from "../../../imports/profiles/profile_shape.ts";

/** Product fields that a record sets by single values. */
export const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

export const PRICE_NAMES = [...PRICE_PATHS.required, ...PRICE_PATHS.optional];
export const LINK_NAMES = [...LINK_PATHS.required, ...LINK_PATHS.optional];
export const SALE_NAMES = [...SALE_PATHS.required, ...SALE_PATHS.optional];
export const GROUP_NAMES = GROUP_PATHS.required;

/** A switch for every writing of a date. */
export const DATE_FLAGS = DATE_FORMATS.map((format) => `date ${format}` as const);

/** Boolean fields of the document. */
type OwnFlag = "groupItems" | "zeroIsEmpty" | "currencyInAmount" | "prices.firstTierCounts";

export type FlagName =
  | OwnFlag
  | "hasPrices"
  | "hasLinks"
  | "hasGroups"
  | (typeof DATE_FLAGS)[number];

/** The paths of everything in a document, as `detect.root`; those of parts that may be null, too. */
type LeafName<Part> = {
  [Name in keyof Part & string]: NonNullable<Part[Name]> extends
    readonly unknown[] | string | boolean ? Name
    : `${Name}.${LeafName<NonNullable<Part[Name]>>}`;
}[keyof Part & string];

/** The name of a text field is the path of what it holds, as the service names what it refuses. */
export type TextName = Exclude<LeafName<ProfileShape>, OwnFlag | "dateFormats" | "format">;

type ListedName =
  | `fields.${(typeof PROFILE_FIELDS)[number]}.${"path" | "transform"}`
  | `prices.${(typeof PRICE_NAMES)[number]}`
  | `competitors.${(typeof LINK_NAMES)[number]}`
  | `sale.${(typeof SALE_NAMES)[number]}`
  | `groups.${(typeof GROUP_NAMES)[number]}`;

type OtherName = Exclude<TextName, ListedName>;

/** The texts that are in no list, with what an empty form has there. */
const OTHERS: Readonly<Record<OtherName, string>> = {
  id: "",
  name: "",
  "detect.root": "",
  "detect.namespace": "",
  itemPath: "",
  fileCurrency: "",
  mode: "",
  numberFormat: "de",
  openEnd: "",
  "prices.current": "open_end",
  "prices.defaultTier": "",
  "prices.alsoCostPrice": "",
  "prices.alsoTargetPrice": "",
};

const isOther = (name: string): name is OtherName => name in OTHERS;

export const TEXT_NAMES: readonly TextName[] = [
  ...Object.keys(OTHERS).filter(isOther),
  ...PROFILE_FIELDS.flatMap((name) => [`fields.${name}.path`, `fields.${name}.transform`] as const),
  ...PRICE_NAMES.map((name) => `prices.${name}` as const),
  ...LINK_NAMES.map((name) => `competitors.${name}` as const),
  ...SALE_NAMES.map((name) => `sale.${name}` as const),
  ...GROUP_NAMES.map((name) => `groups.${name}` as const),
];

/** The initial value of a field. */
export function emptyText(name: TextName): string {
  return isOther(name) ? OTHERS[name] : "";
}
