/** The schema of a profile of XML files. */

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
  NUMBER_FORMATS,
  PRICE_PATHS,
  SALE_PATHS,
  SOLD_FIELDS,
  type SoldField,
  TRANSFORMS,
} from "./profile_choices.ts";
import { parsePath } from "./profile_path.ts";
import { z } from "@hono/zod-openapi";

export const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

const SOLD_LABELS: Readonly<Record<SoldField, string>> = {
  units: "Units sold on the day of `unitsDate`; they take the place of what was known of it",
  unitsDate: "The day on which `units` were sold",
};

const LABELS = new Map<string, string>([
  ...IMPORTED_NAMES.map((name) => [majorName(name), PRODUCT_FIELDS[name].label.en] as const),
  ...Object.entries(SOLD_LABELS),
]);

export const FIELD_LABELS = fromKeys(PROFILE_FIELDS, (name) => LABELS.get(name) ?? name);

// The expression is in the documents: other engines take a bare `[` for a class within the class.
const ROOTS = /^[^\s/|@\[\]='"]+(?:\|[^\s/|@\[\]='"]+)*$/;

/** A path of the small subset that `parsePath` reads. */
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
    ...fromKeys(names.required, (name) => Path.meta({ description: meanings[name] })),
    ...fromKeys(names.optional, (name) => OptionalPath.meta({ description: meanings[name] })),
  };
}

const Field = z.strictObject({
  path: Path.meta({ description: "From the item to the value", examples: ["ARTNR|@id"] }),
  transform: z.enum(TRANSFORMS).nullable().default(null)
    .meta({ description: "What happens to the value before it is judged" }),
});
const OptionalField = Field.nullable().default(null);

/** The product fields that a record of a foreign file may fill; paths start at the item. */
const Fields = z.strictObject({
  ...fromKeys(PROFILE_FIELDS, (name) => OptionalField.meta({ description: FIELD_LABELS[name] })),
  sku: Field.meta({ description: FIELD_LABELS.sku }),
});

const Prices = z.strictObject({
  ...pathsOf(PRICE_PATHS, {
    path: "A price row, from the item",
    amount: "What it costs, from the row",
    tier: "Price group",
    currency: "ISO 4217",
    minQty: "From how many pieces on",
    validFrom: "The first day",
    validUntil: "The last day",
    quantity: "The pieces that the amount is for",
  }),
  current: z.enum(CURRENT_ROWS).default("open_end").meta({
    description: "Which row counts: the one without an end, or the one whose dates hold today",
  }),
  defaultTier: z.string().trim().min(1).max(64).nullable().default(null).meta({
    description: "The tier of `ourPrice` when neither the item nor the request names one",
    examples: ["B2C"],
  }),
  firstTierCounts: z.boolean().default(true).meta({
    description: "Whether the first tier of the file may stand in when nothing names one",
  }),
  alsoCostPrice: z.array(z.string().trim().toUpperCase()).max(20).default([])
    .meta({ description: "Tiers whose current price is the cost, too" }),
  alsoTargetPrice: z.array(z.string().trim().toUpperCase()).max(20).default([])
    .meta({ description: "Tiers whose current price is the target price, too" }),
});

export const ProfileId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/).meta({
  description: "By what `?profile=` names it; it stays as it is",
  examples: ["erp-nachts"],
});

const ID_CHARS_MAX = 60;

/**
 * An id that is made of a name and not taken: `JTL, nachts` is `jtl-nachts`, then `jtl-nachts-2`; of a
 * name without Latin letters it is made of `otherwise`.
 */
export function freeId(
  name: string,
  otherwise: string,
  isTaken: (id: string) => boolean,
): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(foldedName).filter((word) => word !== "");
  const plain = words.join("-").slice(0, ID_CHARS_MAX).replace(/-$/, "") || otherwise;
  for (let id = plain, n = 2;; id = `${plain}-${n++}`) {
    if (!isTaken(id)) return id;
  }
}

/** An import profile, but for what `ImportProfile` asks of its paths as a whole. */
export const ProfileShape = z.strictObject({
  id: ProfileId,
  name: z.string().trim().min(1).max(200)
    .meta({ description: "What people call it", examples: ["ERP nachts"] }),
  format: z.literal("xml").optional().meta({ description: "Absent means `xml`, too" }),
  detect: z.strictObject({
    root: z.string().regex(ROOTS).meta({
      description: "The root element picks the profile, one of several parted by `|`; `*` is any",
      examples: ["KATALOG|CATALOG"],
    }),
    namespace: z.string().min(1).max(500).nullable().default(null)
      .meta({ description: "Must be the root's own" }),
  }).meta({ description: "Which files are read so when a request names no profile" }),
  itemPath: Path.meta({
    description: "From the root to the record",
    examples: ["KATALOG/ARTIKEL", "//ITEM"],
  }),
  groupItems: z.boolean().default(false)
    .meta({ description: "Items that follow each other with the same SKU are one record" }),
  fields: Fields.meta({ description: "What a product has, by the path to it from the item" }),
  fileCurrency: OptionalPath
    .meta({ description: "The currency of rows and records that name none" }),
  mode: OptionalPath.meta({ description: "An item whose text here is `delete` is deleted" }),
  prices: Prices.nullable().default(null)
    .meta({ description: "`path` leads from the item to a price row, the others start there" }),
  sale: z.strictObject(pathsOf(SALE_PATHS, {
    amount: "What it costs then, from the item",
    from: "The first day",
    until: "The last day",
    range: "Both days in one text, parted by `/`",
  })).nullable().default(null).meta({
    description: "A price for a time: tier SALE, which goes before the others while it holds",
  }),
  currencyInAmount: z.boolean().default(false).meta({
    description: "True: an amount may be written with its currency, `12.50 EUR`",
  }),
  competitors: z.strictObject(pathsOf(LINK_PATHS, {
    path: "A link, from the item",
    url: "Its address, from the link",
    name: "Name of the shop",
    domain: "Its domain; else that of the address",
    enabled: "Whether it is to be fetched; absent means yes, empty no",
  })).nullable().default(null)
    .meta({ description: "Links to pages of other shops, each with its address" }),
  groups: z.strictObject(pathsOf(GROUP_PATHS, {
    path: "A category, from the root",
    id: "Its id, from there",
    name: "Its name, from there",
    memberPath: "Who belongs to one, from the root",
    memberSku: "The SKU, from there",
    memberGroup: "The id of the category, from there",
  })).nullable().default(null)
    .meta({ description: "A category tree, and which SKU belongs where, anywhere in the file" }),
  numberFormat: z.enum(NUMBER_FORMATS).default("de").meta({
    description: "`de` 1.234,56, `en` 1,234.56; `auto` is told from each number",
  }),
  zeroIsEmpty: z.boolean().default(false).meta({
    description: "True: a price, cost or target price of 0 is none, and the stored one stays. " +
      "False: it is stored. Either way the record has a warning.",
  }),
  dateFormats: z.array(z.enum(DATE_FORMATS)).min(1).default([...DATE_FORMATS])
    .meta({ description: "The writings of a date that may count" }),
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([]).meta({
    description: "Dates that mean no end or no start, beside 31.12.9999 and 00.00.0000",
    examples: [["31.12.2099"]],
  }),
});

export type ProfileShape = z.infer<typeof ProfileShape>;
