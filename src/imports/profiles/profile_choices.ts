/** The choices and paths of an import profile, as plain lists. The web client imports them too. */

export const TRANSFORMS = ["upper", "lower", "digits", "strip_leading_zeros"] as const;
export type Transform = (typeof TRANSFORMS)[number];

/** A row is current if it has no end date (`open_end`), or if its dates include today (`today`). */
export const CURRENT_ROWS = ["open_end", "today"] as const;
export type CurrentRow = (typeof CURRENT_ROWS)[number];

/**
 * `de` reads `1.234` as more than a thousand, `en` as just over one. With `auto`, the signs in each
 * number decide how the number is read.
 */
export const NUMBER_FORMATS = ["de", "en", "auto"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export const AMOUNT_UNITS = ["major", "minor"] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

export const DATE_FORMATS = ["D.M.Y", "Y-M-D", "YMD"] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export const PRICE_ROLES = ["own", "cost", "target", "tier", "sale"] as const;

export const PRICE_SIDES = ["net", "gross"] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

/** Fields that a record can have, but a product does not. */
export const SOLD_FIELDS = ["units", "unitsDate"] as const;
export type SoldField = (typeof SOLD_FIELDS)[number];

export const MATCH_KEYS = ["sku", "ean"] as const;
export type MatchKey = (typeof MATCH_KEYS)[number];

/** `path` starts at the item, other paths at the row. An amount is for `quantity` pieces. */
export const PRICE_PATHS = {
  required: ["path", "amount"],
  optional: ["tier", "currency", "minQty", "validFrom", "validUntil", "quantity"],
} as const;

/** Paths start at the item. `range` is a text with both dates, separated by `/`. */
export const SALE_PATHS = { required: ["amount"], optional: ["from", "until", "range"] } as const;

/** `path` starts at the item, other paths at the link. */
export const LINK_PATHS = {
  required: ["path", "url"],
  optional: ["name", "domain", "enabled"],
} as const;

/** Categories and their products, anywhere in the file. Paths start at the root. */
export const GROUP_PATHS = {
  required: ["path", "id", "name", "memberPath", "memberSku", "memberGroup"],
  optional: [],
} as const;
