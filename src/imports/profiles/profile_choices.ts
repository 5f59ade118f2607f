/** The choices and paths of an import profile, as plain lists for the web client's form. */

export const TRANSFORMS = ["upper", "lower", "digits", "strip_leading_zeros"] as const;
export type Transform = (typeof TRANSFORMS)[number];

/** A current row has no end date (`open_end`), or its dates include today (`today`). */
export const CURRENT_ROWS = ["open_end", "today"] as const;
export type CurrentRow = (typeof CURRENT_ROWS)[number];

/** `de`: 1.234 is over a thousand; `en`: a dot is a decimal sign; `auto`: each number decides. */
export const NUMBER_FORMATS = ["de", "en", "auto"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export const AMOUNT_UNITS = ["major", "minor"] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

export const DATE_FORMATS = ["D.M.Y", "Y-M-D", "YMD"] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export const PRICE_ROLES = ["own", "cost", "target", "tier", "sale"] as const;

export const PRICE_SIDES = ["net", "gross"] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

/** Units sold of a product on a day: part of a record, but no field of the product. */
export const SOLD_FIELDS = ["units", "unitsDate"] as const;
export type SoldField = (typeof SOLD_FIELDS)[number];

export const MATCH_KEYS = ["sku", "ean"] as const;
export type MatchKey = (typeof MATCH_KEYS)[number];

/** `path` starts at the item, the others at the row. An amount is for `quantity` pieces. */
export const PRICE_PATHS = {
  required: ["path", "amount"],
  optional: ["tier", "currency", "minQty", "validFrom", "validUntil", "quantity"],
} as const;

/** Paths of a temporary price in the item; `range` has both dates in one text, separated by `/`. */
export const SALE_PATHS = { required: ["amount"], optional: ["from", "until", "range"] } as const;

/** Paths of links to competitors: `path` starts at the item, the others at the link. */
export const LINK_PATHS = {
  required: ["path", "url"],
  optional: ["name", "domain", "enabled"],
} as const;

/** A category tree and the assignments of products, anywhere in the file, from the root. */
export const GROUP_PATHS = {
  required: ["path", "id", "name", "memberPath", "memberSku", "memberGroup"],
  optional: [],
} as const;
