import { z } from "@hono/zod-openapi";
import { recordOf } from "../../base/record_of.ts";
import { IMPORTED_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import { parsePath } from "./profile_path.ts";

const NAME = /^[^\s/|@[\]='"]+$/;

/** A path of the small subset that `parsePath` reads. */
const Path = z.string().trim().min(1).max(1_000).superRefine((path, context) => {
  const parsed = parsePath(path);
  if ("reason" in parsed) context.addIssue({ code: "custom", message: parsed.reason });
});

const OptionalPath = Path.nullable().default(null);

/** What happens to a value before it is judged. */
export const Transform = z.enum(["upper", "lower", "digits", "strip_leading_zeros"]);

const Field = z.strictObject({ path: Path, transform: Transform.nullable().default(null) });
const OptionalField = Field.nullable().default(null);

/** The product fields that a record of a foreign file may fill; paths start at the item. */
const Fields = z.strictObject({
  ...recordOf(IMPORTED_NAMES.map(majorName), () => OptionalField),
  sku: Field,
});

/** Price rows; `path` starts at the item, the others at the row. */
const Prices = z.strictObject({
  path: Path,
  amount: Path,
  tier: OptionalPath,
  currency: OptionalPath,
  minQty: OptionalPath,
  validFrom: OptionalPath,
  validUntil: OptionalPath,
  /** The amount is for so many pieces. */
  quantity: OptionalPath,
  /** `open_end`: a row without an end date is current. `today`: a row whose dates hold today. */
  current: z.enum(["open_end", "today"]).default("open_end"),
  /** The tier that `ourPrice` comes from when neither the item nor the request names one. */
  defaultTier: z.string().trim().min(1).max(64).nullable().default(null),
  /** Whether the first tier of the file may stand in for `ourPrice` when nothing names one. */
  firstTierCounts: z.boolean().default(true),
  /** Tiers whose current price is also the cost or the target price. */
  alsoCostPrice: z.array(z.string().trim().toUpperCase()).max(20).default([]),
  alsoTargetPrice: z.array(z.string().trim().toUpperCase()).max(20).default([]),
});

/** Links to competitors; `path` starts at the item, the others at the link. */
const Competitors = z.strictObject({
  path: Path,
  url: Path,
  name: OptionalPath,
  domain: OptionalPath,
  enabled: OptionalPath,
});

/** A category tree and who belongs where, both anywhere in the file; their paths start at the root. */
const Groups = z.strictObject({
  path: Path,
  id: Path,
  name: Path,
  memberPath: Path,
  memberSku: Path,
  memberGroup: Path,
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
  competitors: Competitors.nullable().default(null),
  groups: Groups.nullable().default(null),
  /** `de`: 1.234 is a thousand. `en`: dots are decimal. `auto`: told from each number. */
  numberFormat: z.enum(["de", "en", "auto"]).default("de"),
  zeroIsEmpty: z.boolean().default(false).meta({
    description: "True: a price, cost or target price of 0 is none, and the stored one stays. " +
      "False: it is stored. Either way the record has a warning.",
  }),
  /** The writings of a date that count, each with an optional time. */
  dateFormats: z.array(z.enum(["D.M.Y", "Y-M-D", "YMD"])).min(1).default(["D.M.Y", "Y-M-D", "YMD"]),
  /** Dates that mean no end or no start, beside 31.12.9999 and 00.00.0000. */
  openEnd: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
});

export type ProfileShape = z.infer<typeof ProfileShape>;
export type Transform = z.infer<typeof Transform>;
