/**
 * Declares the choices of imports, such as modes, and the names of XML paths in profiles. The web
 * client imports this module, so the module itself imports nothing.
 */

export const HOLD_CODES = [
  "price_guard",
  "cost_guard",
  "change_guard",
  "replace_guard",
  "new_guard",
  "currency_guard",
  "unit_guard",
] as const;

/**
 * For this many hours, a dry run, an import that a guard stopped, or one whose prices were refused
 * can be applied.
 */
export const KEPT_HOURS = 24;

export const PRICES_REFUSED = "prices_refused";

/** `minor` reads the amounts as cents; `decimals` swaps decimal and thousands separators. */
export const UNIT_REMEDIES = ["minor", "decimals"] as const;
export type UnitRemedy = (typeof UNIT_REMEDIES)[number];

export type HoldCode = (typeof HOLD_CODES)[number];

export function isHoldCode(code: string | null | undefined): code is HoldCode {
  return HOLD_CODES.some((known) => known === code);
}

/** `replace` also deletes products that the source once imported and that are not in the file. */
export const IMPORT_MODES = ["upsert", "insert", "update", "replace"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export const SOURCE_KINDS = ["api", "upload", "pull"] as const;

export const PULL_OUTCOMES = ["running", "imported", "unchanged", "waiting", "failed"] as const;

export const AUTH_KINDS = ["basic", "bearer", "header"] as const;

export const PULL_PERIODS = ["15m", "1h", "24h"] as const;

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

export const DEFAULT_SOURCE_HOLD = {
  movePct: 50,
  sharePct: 20,
  costMovePct: 50,
  changedPct: 60,
  deletedPct: 20,
  newPct: 50,
  currencyPct: 1,
} as const;

export const HOLD_BOUNDS = [
  "movePct",
  "costMovePct",
  "sharePct",
  "changedPct",
  "newPct",
  "deletedPct",
  "currencyPct",
] as const satisfies readonly (keyof typeof DEFAULT_SOURCE_HOLD)[];

export const TRANSFORMS = ["upper", "lower", "digits", "strip_leading_zeros"] as const;
export type Transform = (typeof TRANSFORMS)[number];

export const CURRENT_ROWS = ["open_end", "today"] as const;
export type CurrentRow = (typeof CURRENT_ROWS)[number];

/** `de` reads `1.234` as 1234, `en` reads `1.234` as 1.234. */
export const NUMBER_FORMATS = ["de", "en", "auto"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export const AMOUNT_UNITS = ["major", "minor"] as const;
export type AmountUnit = (typeof AMOUNT_UNITS)[number];

export const DATE_FORMATS = ["D.M.Y", "Y-M-D", "YMD"] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export const PRICE_ROLES = ["own", "cost", "target", "tier", "sale"] as const;

export const PRICE_SIDES = ["net", "gross"] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

export const SOLD_FIELDS = ["units", "unitsDate"] as const;
export type SoldField = (typeof SOLD_FIELDS)[number];

export const MATCH_KEYS = ["sku", "ean"] as const;
export type MatchKey = (typeof MATCH_KEYS)[number];

/**
 * `path` leads from the XML element of a product to the element of a price. The other paths begin
 * at the price element. `quantity` leads to the number of pieces that the price is for.
 */
export const PRICE_PATHS = {
  required: ["path", "amount"],
  optional: ["tier", "currency", "minQty", "validFrom", "validUntil", "quantity"],
} as const;

/** `range` is the path of a text with both dates of the sale price, separated by `/`. */
export const SALE_PATHS = { required: ["amount"], optional: ["from", "until", "range"] } as const;

/** `path` starts at the product's XML element, and all other paths at the link's element. */
export const LINK_PATHS = {
  required: ["path", "url"],
  optional: ["name", "domain", "enabled"],
} as const;

export const GROUP_PATHS = {
  required: ["path", "id", "name", "memberPath", "memberSku", "memberGroup"],
  optional: [],
} as const;
