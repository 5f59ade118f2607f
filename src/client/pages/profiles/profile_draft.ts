/** Converts an import profile to the values of its form, and back. */
import { fromKeys } from "../../../base/collections.ts";
import type { XmlProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import {
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  PRICE_PATHS,
  SALE_PATHS,
  SOLD_FIELDS,
} from "../../../imports/profiles/profile_choices.ts";
import type { ProfileShape } from "../../../imports/profiles/profile_shape.ts";
import { isRecord } from "../../api/api_error.ts";
import { IMPORTED_NAMES, majorName } from "../../../catalogue/products/product_field_table.ts";

export type ProfileDraft = Record<TextName, string> & Record<FlagName, boolean>;

/** The form shows defaults for absent fields. */
type KnownProfile = Partial<Omit<XmlProfileDocument, "builtIn">>;

export function draftOf(profile: KnownProfile): ProfileDraft {
  const { prices = null, competitors = null, groups = null } = profile;
  const formats = profile.dateFormats ?? DATE_FORMATS;
  return {
    ...textsOf(profile),
    groupItems: profile.groupItems ?? false,
    zeroIsEmpty: profile.zeroIsEmpty ?? false,
    currencyInAmount: profile.currencyInAmount ?? false,
    hasPrices: prices !== null,
    "prices.firstTierCounts": prices?.firstTierCounts ?? true,
    hasLinks: competitors !== null,
    hasGroups: groups !== null,
    ...fromKeys(DATE_FLAGS, (flag) => formats.some((format) => flag === `date ${format}`)),
  };
}

function textsOf(profile: KnownProfile): Record<TextName, string> {
  return fromKeys(TEXT_NAMES, (name) => textAt(profile, name) || emptyText(name));
}

function textAt(profile: KnownProfile, name: TextName): string {
  let found: unknown = profile;
  for (const part of name.split(".")) found = isRecord(found) ? found[part] : undefined;
  return Array.isArray(found) ? found.join(", ") : typeof found === "string" ? found : "";
}

/** Requires a value for each field of `Part`, so that the compiler reports a forgotten field. */
type Whole<Part extends keyof ProfileShape> = Record<
  keyof NonNullable<ProfileShape[Part]>,
  unknown
>;

/** A part whose switch is off becomes null. */
export function bodyOf(draft: ProfileDraft) {
  const text = (name: TextName) => draft[name].trim();
  const optional = (name: TextName) => text(name) || null;
  const list = (name: TextName) => text(name).split(",").map((part) => part.trim()).filter(Boolean);
  const fields = PROFILE_FIELDS.map((name) => {
    const path = text(`fields.${name}.path`);
    const transform = optional(`fields.${name}.transform`);
    return [name, path === "" ? null : { path, transform }] as const;
  });
  return {
    id: text("id"),
    name: text("name"),
    detect: { root: text("detect.root"), namespace: optional("detect.namespace") },
    itemPath: text("itemPath"),
    groupItems: draft.groupItems,
    fields: {
      ...Object.fromEntries(fields),
      sku: { path: text("fields.sku.path"), transform: optional("fields.sku.transform") },
    },
    fileCurrency: optional("fileCurrency"),
    mode: optional("mode"),
    prices: !draft.hasPrices ? null : {
      ...fromKeys(PRICE_PATHS.required, (name) => text(`prices.${name}`)),
      ...fromKeys(PRICE_PATHS.optional, (name) => optional(`prices.${name}`)),
      current: text("prices.current"),
      defaultTier: optional("prices.defaultTier"),
      firstTierCounts: draft["prices.firstTierCounts"],
      alsoCostPrice: list("prices.alsoCostPrice"),
      alsoTargetPrice: list("prices.alsoTargetPrice"),
    } satisfies Whole<"prices">,
    competitors: !draft.hasLinks ? null : {
      ...fromKeys(LINK_PATHS.required, (name) => text(`competitors.${name}`)),
      ...fromKeys(LINK_PATHS.optional, (name) => optional(`competitors.${name}`)),
    } satisfies Whole<"competitors">,
    sale: text("sale.amount") === "" ? null : {
      ...fromKeys(SALE_PATHS.required, (name) => text(`sale.${name}`)),
      ...fromKeys(SALE_PATHS.optional, (name) => optional(`sale.${name}`)),
    } satisfies Whole<"sale">,
    currencyInAmount: draft.currencyInAmount,
    groups: !draft.hasGroups
      ? null
      : fromKeys(GROUP_PATHS.required, (name) => text(`groups.${name}`)) satisfies Whole<"groups">,
    numberFormat: text("numberFormat"),
    zeroIsEmpty: draft.zeroIsEmpty,
    dateFormats: DATE_FORMATS.filter((format) => draft[`date ${format}`]),
    openEnd: list("openEnd"),
  } satisfies Record<Exclude<keyof ProfileShape, "format">, unknown>;
}

/** Product fields that occur once in a record. */
export const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

export const PRICE_NAMES = [...PRICE_PATHS.required, ...PRICE_PATHS.optional];
export const LINK_NAMES = [...LINK_PATHS.required, ...LINK_PATHS.optional];
export const SALE_NAMES = [...SALE_PATHS.required, ...SALE_PATHS.optional];
export const GROUP_NAMES = GROUP_PATHS.required;

const DATE_FLAGS = DATE_FORMATS.map((format) => `date ${format}` as const);

type OwnFlag = "groupItems" | "zeroIsEmpty" | "currencyInAmount" | "prices.firstTierCounts";

export type FlagName =
  | OwnFlag
  | "hasPrices"
  | "hasLinks"
  | "hasGroups"
  | (typeof DATE_FLAGS)[number];

/** The path of each leaf, such as `detect.root`. */
type LeafName<Part> = {
  [Name in keyof Part & string]: NonNullable<Part[Name]> extends
    readonly unknown[] | string | boolean ? Name
    : `${Name}.${LeafName<NonNullable<Part[Name]>>}`;
}[keyof Part & string];

/** A field's path in the profile, which the service also names when it refuses the field. */
export type TextName = Exclude<LeafName<ProfileShape>, OwnFlag | "dateFormats" | "format">;

type ListedName =
  | `fields.${(typeof PROFILE_FIELDS)[number]}.${"path" | "transform"}`
  | `prices.${(typeof PRICE_NAMES)[number]}`
  | `competitors.${(typeof LINK_NAMES)[number]}`
  | `sale.${(typeof SALE_NAMES)[number]}`
  | `groups.${(typeof GROUP_NAMES)[number]}`;

type OtherName = Exclude<TextName, ListedName>;

/** All text fields that are not in `ListedName`, with their values in an empty form. */
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

const TEXT_NAMES: readonly TextName[] = [
  ...Object.keys(OTHERS).filter(isOther),
  ...PROFILE_FIELDS.flatMap((name) => [`fields.${name}.path`, `fields.${name}.transform`] as const),
  ...PRICE_NAMES.map((name) => `prices.${name}` as const),
  ...LINK_NAMES.map((name) => `competitors.${name}` as const),
  ...SALE_NAMES.map((name) => `sale.${name}` as const),
  ...GROUP_NAMES.map((name) => `groups.${name}` as const),
];

function emptyText(name: TextName): string {
  return isOther(name) ? OTHERS[name] : "";
}
