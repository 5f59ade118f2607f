/** Declares the schema of profiles for XML files. A profile names the XML path of each value. */
import { foldedName } from "../../base/codes.ts";
import { fromKeys } from "../../base/collections.ts";
import {
  IMPORTED_NAMES,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import {
  CURRENT_ROWS,
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  type MatchKey,
  NUMBER_FORMATS,
  PRICE_PATHS,
  SALE_PATHS,
  SOLD_FIELDS,
  type SoldField,
  TRANSFORMS,
} from "../choices.ts";
import { z } from "@hono/zod-openapi";

/** `name` is lower case, without a namespace prefix. */
export interface PathStep {
  readonly name: string;
  readonly test: { readonly attribute: string; readonly value: string } | null;
}

export interface PathRoute {
  readonly from: "here" | "root" | "anywhere";
  readonly up: number;
  readonly steps: readonly PathStep[];
  readonly attribute: string | null;
}

const STEP = /^([^\s/|@[\]='"]+)(?:\[@([^\s/|@[\]='"]+)=(?:'([^']*)'|"([^"]*)")\])?$/;
const SEPARATORS = /\[[^\]]*(?:\]|$)|[|/]/g;

/**
 * Parses a path of an import profile (docs/decisions/imports.md): `A/B`, `A|B` (alternatives; the
 * first takes precedence), `@attr`, `A[@t='x']/B`, `.` for the element itself, `../B`, `/A/B` from
 * the root, `//A` at any depth. Case and namespace prefixes of names are ignored.
 */
export function parsePath(path: string): { routes: readonly PathRoute[] } | { reason: string } {
  const routes: PathRoute[] = [];
  for (const text of splitOutsideTests(path, "|")) {
    const route = parseRoute(text.trim());
    if (route) routes.push(route);
    else {
      const wrong = text.trim().slice(0, 80);
      return { reason: `"${wrong}" is not a path: write it like "A/B", "A|B" or "@attr"` };
    }
  }
  return { routes };
}

export function comparedName(written: string): string {
  return written.slice(written.indexOf(":") + 1).toLowerCase();
}

const ATTRIBUTE = /^@([^\s/|@[\]='"]+)$/;

function parseRoute(text: string): PathRoute | null {
  const from = text.startsWith("//") ? "anywhere" : text.startsWith("/") ? "root" : "here";
  const all = splitOutsideTests(text.replace(/^\/\/?/, ""), "/");
  const up = all.findIndex((part) => part !== "..");
  if (up === -1 || (up > 0 && from !== "here")) return null;
  const parts = all.slice(up);
  const last = parts.at(-1) ?? "";
  const attribute = ATTRIBUTE.exec(last)?.[1] ?? null;
  if (attribute !== null || (last === "." && parts.length === 1)) parts.pop();
  const steps = parts.flatMap((part) => parseStep(part) ?? []);
  if (steps.length < parts.length) return null;
  return { from, up, steps, attribute: attribute && comparedName(attribute) };
}

function parseStep(part: string): PathStep | null {
  const [, name, attribute, single, double] = STEP.exec(part) ?? [];
  if (name === undefined || name === "." || name === "..") return null;
  if (attribute === undefined) return { name: comparedName(name), test: null };
  const value = (single ?? double ?? "").toLowerCase();
  return { name: comparedName(name), test: { attribute: comparedName(attribute), value } };
}

function splitOutsideTests(text: string, separator: "|" | "/"): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SEPARATORS)) {
    if (match[0] !== separator) continue;
    parts.push(text.slice(start, match.index));
    start = match.index + 1;
  }
  parts.push(text.slice(start));
  return parts;
}

export const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

const SOLD_LABELS: Readonly<Record<SoldField, string>> = {
  units: "Units sold on the day `unitsDate`; they replace the stored units of that day",
  unitsDate: "The day on which `units` were sold",
};

const LABELS = new Map<string, string>([
  ...IMPORTED_NAMES.map((name) => [majorName(name), PRODUCT_FIELDS[name].label.en] as const),
  ...Object.entries(SOLD_LABELS),
]);

export const FIELD_LABELS = fromKeys(PROFILE_FIELDS, (name) => LABELS.get(name) ?? name);

// `[` is escaped because the OpenAPI document contains this pattern, and some regex engines require
// `\[` within a character class.
const ROOTS = /^[^\s/|@\[\]='"]+(?:\|[^\s/|@\[\]='"]+)*$/;

const Path = z.string().trim().min(1).max(1_000).superRefine((path, context) => {
  const parsed = parsePath(path);
  if ("reason" in parsed) context.addIssue({ code: "custom", message: parsed.reason });
});

const OptionalPath = Path.nullable().default(null);

function pathsOf<R extends string, O extends string>(
  names: { readonly required: readonly R[]; readonly optional: readonly O[] },
  meanings: Readonly<Record<R | O, string>>,
) {
  return {
    ...fromKeys(names.required, (name) => Path.describe(meanings[name])),
    ...fromKeys(names.optional, (name) => OptionalPath.describe(meanings[name])),
  };
}

const Field = z.strictObject({
  path: Path.meta({ description: "Path from the item to the value", examples: ["ARTNR|@id"] }),
  transform: z.enum(TRANSFORMS).nullable().default(null)
    .describe("Transformation of the value before it is checked"),
});
const OptionalField = Field.nullable().default(null);

const Fields = z.strictObject({
  ...fromKeys(PROFILE_FIELDS, (name) => OptionalField.describe(FIELD_LABELS[name])),
  sku: Field.describe(FIELD_LABELS.sku),
});

const Prices = z.strictObject({
  ...pathsOf(PRICE_PATHS, {
    path: "Path from the item to a price row",
    amount: "Path from the row to the amount",
    tier: "Price tier",
    currency: "Currency, as ISO 4217 code",
    minQty: "Minimum number of pieces",
    validFrom: "First day",
    validUntil: "Last day",
    quantity: "Number of pieces that the amount is for",
  }),
  current: z.enum(CURRENT_ROWS).default("open_end").describe(
    "Which row is the current price: the one without an end, or the one that is valid today",
  ),
  defaultTier: z.string().trim().min(1).max(64).nullable().default(null).meta({
    description: "Tier of `ourPrice` if neither the item nor the request names one",
    examples: ["B2C"],
  }),
  firstTierCounts: z.boolean().default(true)
    .describe("Whether the first tier of the item is used if nothing names a tier"),
  alsoCostPrice: z.array(z.string().trim().toUpperCase()).max(20).default([])
    .describe("Tiers whose current price is also the cost"),
  alsoTargetPrice: z.array(z.string().trim().toUpperCase()).max(20).default([])
    .describe("Tiers whose current price is also the target price"),
});

export const ProfileId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/).meta({
  description: "Id of the profile, for `?profile=`; it cannot be changed",
  examples: ["erp-nachts"],
});

/** Returns `jtl-nachts` for `JTL, nachts`, or `jtl-nachts-2` if that id is taken. */
export function freeId(name: string, otherwise: string, isTaken: (id: string) => boolean): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(foldedName).filter((word) => word !== "");
  const plain = words.join("-").slice(0, 60).replace(/-$/, "") || otherwise;
  for (let id = plain, n = 2;; id = `${plain}-${n++}`) {
    if (!isTaken(id)) return id;
  }
}

export const ProfileShape = z.strictObject({
  id: ProfileId,
  name: z.string().trim().min(1).max(200)
    .meta({ description: "Name that people see", examples: ["ERP nachts"] }),
  format: z.literal("xml").optional().describe("`xml`, also if absent"),
  detect: z.strictObject({
    root: z.string().regex(ROOTS).meta({
      description: "Root element of the files; several names with `|` between them; `*` is any",
      examples: ["KATALOG|CATALOG"],
    }),
    namespace: z.string().min(1).max(500).nullable().default(null)
      .describe("Namespace that the root element must have"),
  }).describe("Which files this profile applies to if the request names no profile"),
  itemPath: Path.meta({
    description: "Path from the root to the item",
    examples: ["KATALOG/ARTIKEL", "//ITEM"],
  }),
  groupItems: z.boolean().default(false)
    .describe("Consecutive items with the same SKU are one record"),
  fields: Fields.describe("Fields of the product, each with its path from the item"),
  fileCurrency: OptionalPath
    .describe("Currency of price rows and items that name none"),
  mode: OptionalPath.describe("Path to a text; if it is `delete`, the product is deleted"),
  prices: Prices.nullable().default(null)
    .describe(
      "Prices: `path` leads from the item to a price row, the other paths start at the row",
    ),
  sale: z.strictObject(pathsOf(SALE_PATHS, {
    amount: "Path from the item to the amount",
    from: "First day",
    until: "Last day",
    range: "Both days in one text, with `/` between them",
  })).nullable().default(null)
    .describe("Temporary price: tier SALE, which takes precedence while it is valid"),
  currencyInAmount: z.boolean().default(false)
    .describe("True: amounts may contain their currency, as in `12.50 EUR`"),
  competitors: z.strictObject(pathsOf(LINK_PATHS, {
    path: "Path from the item to a link",
    url: "Path from the link to the address",
    name: "Path from the link to the name of the shop",
    domain: "Path from the link to the domain of the shop; else the domain of the address",
    enabled: "Whether the page is to be visited; absent means yes, empty means no",
  })).nullable().default(null)
    .describe("Links to pages of competitors"),
  groups: z.strictObject(pathsOf(GROUP_PATHS, {
    path: "Path from the root to a category",
    id: "Path from the category to its id",
    name: "Path from the category to its name",
    memberPath: "Path from the root to an assignment of an item to a category",
    memberSku: "Path from the assignment to the SKU",
    memberGroup: "Path from the assignment to the id of the category",
  })).nullable().default(null)
    .describe("Category tree and assignments of SKUs to categories, anywhere in the file"),
  numberFormat: z.enum(NUMBER_FORMATS).default("de")
    .describe(
      "`de` reads 1.234 as 1234, `en` as 1.234; `auto` refuses 1.234 and 1,234. All three read " +
        "1.234,56 and 1,234.56",
    ),
  zeroIsEmpty: z.boolean().default(false).describe(
    "True: a price, cost or target price of 0 counts as absent, and the stored one stays. " +
      "False: 0 is stored. In both cases the record gets a warning.",
  ),
  dateFormats: z.array(z.enum(DATE_FORMATS)).min(1).default([...DATE_FORMATS])
    .describe("Accepted formats of dates"),
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([]).meta({
    description: "Dates that mean no end or no start, in addition to 31.12.9999 and 00.00.0000",
    examples: [["31.12.2099"]],
  }),
});
export type ProfileShape = z.infer<typeof ProfileShape>;

export const ImportProfile = ProfileShape.meta({ id: "ImportProfile" });

export const NewImportProfile = ProfileShape.extend({ id: ProfileId.optional() })
  .meta({ id: "NewImportProfile" });

export type ImportProfile = z.infer<typeof ImportProfile>;
export type ImportProfileInput = z.input<typeof ImportProfile>;
export type FieldName = keyof ImportProfile["fields"];

export interface RecordTerms
  extends Pick<ImportProfile, "numberFormat" | "zeroIsEmpty" | "dateFormats" | "openEnd"> {
  readonly fields: ImportProfile["fields"];
  readonly prices: PriceTerms | null;
  readonly isMinor?: true;
  readonly matchBy?: MatchKey;
}

export interface PriceTerms extends
  Pick<
    NonNullable<ImportProfile["prices"]>,
    "current" | "defaultTier" | "firstTierCounts" | "alsoCostPrice" | "alsoTargetPrice"
  > {
  /** Takes precedence over `defaultTier`, but not over a tier in the record or the request. */
  readonly firstTier?: string;
  /** Prices of these tiers become ours only if record, request or `defaultTier` names the tier. */
  readonly otherTiers?: readonly string[];
  readonly keepsTiers?: true;
}

export function routesOf(path: string | null): readonly PathRoute[] {
  if (path === null) return [];
  const parsed = parsePath(path);
  return "routes" in parsed ? parsed.routes : [];
}
