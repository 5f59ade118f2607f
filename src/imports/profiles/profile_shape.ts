import { z } from "@hono/zod-openapi";
import { recordOf } from "../../base/record_of.ts";
import { IMPORTED_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import {
  CURRENT_ROWS,
  DATE_FORMATS,
  GROUP_PATHS,
  LINK_PATHS,
  NUMBER_FORMATS,
  PRICE_PATHS,
  TRANSFORMS,
} from "./profile_choices.ts";
import { parsePath } from "./profile_path.ts";

const NAME = /^[^\s/|@[\]='"]+$/;

/** A path of the small subset that `parsePath` reads. */
const Path = z.string().trim().min(1).max(1_000).superRefine((path, context) => {
  const parsed = parsePath(path);
  if ("reason" in parsed) context.addIssue({ code: "custom", message: parsed.reason });
});

const OptionalPath = Path.nullable().default(null);

function pathsOf<R extends string, O extends string>(
  names: { readonly required: readonly R[]; readonly optional: readonly O[] },
) {
  return {
    ...recordOf(names.required, () => Path),
    ...recordOf(names.optional, () => OptionalPath),
  };
}

const Field = z.strictObject({
  path: Path,
  transform: z.enum(TRANSFORMS).nullable().default(null),
});
const OptionalField = Field.nullable().default(null);

/** The product fields that a record of a foreign file may fill; paths start at the item. */
const Fields = z.strictObject({
  ...recordOf(IMPORTED_NAMES.map(majorName), () => OptionalField),
  sku: Field,
});

const Prices = z.strictObject({
  ...pathsOf(PRICE_PATHS),
  current: z.enum(CURRENT_ROWS).default("open_end"),
  /** The tier that `ourPrice` comes from when neither the item nor the request names one. */
  defaultTier: z.string().trim().min(1).max(64).nullable().default(null),
  /** Whether the first tier of the file may stand in for `ourPrice` when nothing names one. */
  firstTierCounts: z.boolean().default(true),
  /** Tiers whose current price is also the cost or the target price. */
  alsoCostPrice: z.array(z.string().trim().toUpperCase()).max(20).default([]),
  alsoTargetPrice: z.array(z.string().trim().toUpperCase()).max(20).default([]),
});

/** The id of an import profile. */
export const ProfileId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

/** An import profile, but for what `ImportProfile` asks of its paths as a whole. */
export const ProfileShape = z.strictObject({
  id: ProfileId,
  name: z.string().trim().min(1).max(200),
  /** The root element picks the profile; `*` is any. A namespace must then be the root's own. */
  detect: z.strictObject({
    root: z.string().regex(NAME),
    namespace: z.string().min(1).max(500).nullable().default(null),
  }),
  itemPath: Path,
  /** Items that follow each other with the same SKU are one record. */
  groupItems: z.boolean().default(false),
  fields: Fields,
  /** The currency of rows and records that name none. */
  fileCurrency: OptionalPath,
  /** An item whose text here is `delete` is deleted. */
  mode: OptionalPath,
  prices: Prices.nullable().default(null),
  competitors: z.strictObject(pathsOf(LINK_PATHS)).nullable().default(null),
  groups: z.strictObject(pathsOf(GROUP_PATHS)).nullable().default(null),
  numberFormat: z.enum(NUMBER_FORMATS).default("de"),
  zeroIsEmpty: z.boolean().default(false).meta({
    description: "True: a price, cost or target price of 0 is none, and the stored one stays. " +
      "False: it is stored. Either way the record has a warning.",
  }),
  dateFormats: z.array(z.enum(DATE_FORMATS)).min(1).default([...DATE_FORMATS]),
  /** Dates that mean no end or no start, beside 31.12.9999 and 00.00.0000. */
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
});

export type ProfileShape = z.infer<typeof ProfileShape>;
