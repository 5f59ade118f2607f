/**
 * Converts an XML import profile to the values of its form, and back. The form offers the elements
 * and attributes that occur at the beginning of a sample file.
 */
import { fromKeys } from "../../../base/collections.ts";
import type { XmlProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import {
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  PRICE_PATHS,
  SALE_PATHS,
  SOLD_FIELDS,
} from "../../../imports/choices.ts";
import type { ProfileShape } from "../../../imports/profiles/xml_profile.ts";
import { isRecord } from "../../api/api_error.ts";
import { IMPORTED_NAMES, majorName } from "../../../catalogue/products/product_field_table.ts";

export type ProfileDraft = Record<TextName, string> & Record<FlagName, boolean>;

/** The form shows defaults for absent fields. */
type KnownProfile = Partial<Omit<XmlProfileDocument, "builtIn">>;

export function draftOf(profile: KnownProfile): ProfileDraft {
  const { prices = null, competitors = null, groups = null } = profile;
  const formats = profile.dateFormats ?? DATE_FORMATS;
  return {
    ...fromKeys(
      TEXT_NAMES,
      (name) => textAt(profile, name) || (isOther(name) ? OTHERS[name] : ""),
    ),
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

/** Number of bytes at the beginning of a file that are read. */
export const SAMPLE_BYTES = 400_000;
const PATHS_MAX = 500;
/** Maximum depth of elements that the service accepts. */
const DEPTH_MAX = 64;

export interface FilePaths {
  readonly root: string;
  /** Paths from the root, such as `A/B/@c`, in the order of the file. */
  readonly paths: readonly string[];
  /** Path of the element that is probably a record: the element is repeated and has children. */
  readonly itemPath: string | null;
}

/**
 * A comment, a CDATA section, or a tag with its slash, name and attributes. Values contain no `<`
 * (XML 1.0, 3.1), so a match ends at the next tag and the time is linear.
 */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)([^\s/>!?<"']+)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g;
const ATTRIBUTE = /(?<=^|\s)([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** Null for a text without tags. */
export function filePathsOf(beginning: string): FilePaths | null {
  const counts = new Map<string, number>();
  const way: string[] = [];
  let below = 0;
  for (const [, slash, written, rest = ""] of beginning.matchAll(MARKUP)) {
    if (written === undefined) continue;
    if (slash) {
      if (below > 0) below -= 1;
      else way.pop();
      continue;
    }
    const isEmpty = rest.endsWith("/");
    if (way.length === DEPTH_MAX) {
      if (!isEmpty) below += 1;
      continue;
    }
    const name = written.slice(written.indexOf(":") + 1);
    const path = [...way, name].join("/");
    count(counts, path);
    for (const [, attribute = ""] of rest.matchAll(ATTRIBUTE)) {
      if (!attribute.startsWith("xmlns")) count(counts, `${path}/@${attribute}`);
    }
    if (!isEmpty) way.push(name);
  }
  const [root] = counts.keys();
  return root === undefined ? null : { root, paths: [...counts.keys()], itemPath: itemOf(counts) };
}

function count(counts: Map<string, number>, path: string): void {
  if (counts.size < PATHS_MAX || counts.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
}

function itemOf(counts: ReadonlyMap<string, number>): string | null {
  const holders = [...counts].filter(([path, times]) =>
    times > 1 && [...counts.keys()].some((other) => other.startsWith(`${path}/`))
  );
  const depth = (path: string) => path.split("/").length;
  return holders.map(([path]) => path).toSorted((a, b) => depth(a) - depth(b))[0] ?? null;
}

/** Relative to the element. `|` separates alternative elements. */
export function pathsBelow({ paths }: FilePaths, elementPath: string): readonly string[] {
  const names = elementPath.split("|").map((route) =>
    (withoutTest(route.trim()).split("/").at(-1) ?? "").toLowerCase()
  );
  const below = paths.flatMap((path) => {
    const parts = path.split("/");
    const at = parts.findIndex((part) => names.includes(part.toLowerCase()));
    return at < 0 || at === parts.length - 1 ? [] : [parts.slice(at + 1).join("/")];
  });
  return [...new Set(below)];
}

/** For example `A` for `A[@t='x']`. */
function withoutTest(route: string): string {
  return route.endsWith("]") ? route.slice(0, Math.max(0, route.lastIndexOf("["))) : route;
}

/** The first alternative in `known` that the file contains, in the file's spelling. */
export function fittingPath(known: string, below: readonly string[]): string | null {
  for (const alternative of known.split("|")) {
    const wanted = alternative.trim().toLowerCase();
    const found = below.find((path) => path.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}
