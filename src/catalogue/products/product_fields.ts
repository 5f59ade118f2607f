/** Schemas for the fields of a product in requests (docs/decisions/http.md, catalogue.md). */
import { CONDITIONS, isGtin } from "../../base/codes.ts";
import { memoize } from "../../base/collections.ts";
import { currencyExponent, MINOR_UNITS_MAX } from "../../base/money.ts";
import {
  atMost,
  fold,
  hasControlCharacters,
  isLongerThan,
  normaliseSku,
  utf8Bytes,
} from "../../base/text.ts";
import {
  charsMaxOf,
  type FieldFilter,
  type FilteredName,
  PRODUCT_FIELDS,
} from "./product_field_table.ts";
import { z } from "@hono/zod-openapi";

const SKU_CHARACTERS_MAX = 128;
/** A SKU is part of store keys, which may have at most 2,048 bytes. */
const SKU_BYTES_MAX = 1_024;
const URL_BYTES_MAX = 2_048;
const ATTRIBUTES_MAX = 50;
const ATTRIBUTES_BYTES_MAX = 16 * 1_024;

export function skuError(sku: string): string | null {
  if (sku === "") return "Must not be empty";
  if (isLongerThan(sku, SKU_CHARACTERS_MAX)) {
    return `Must have at most ${SKU_CHARACTERS_MAX} characters`;
  }
  if (utf8Bytes(sku) > SKU_BYTES_MAX) return `Must have at most ${SKU_BYTES_MAX} bytes of UTF-8`;
  return hasControlCharacters(sku) ? "Must not contain control characters" : null;
}

export const Sku = z.string().transform(normaliseSku)
  .superRefine((sku, check) => {
    const message = skuError(sku);
    if (message) check.addIssue({ code: "custom", message });
  })
  .meta({
    type: "string",
    minLength: 1,
    maxLength: SKU_CHARACTERS_MAX,
    description: "Unique among active and deleted products; case-sensitive",
    example: "SKU-1",
  });

export function oneLine(text: string): string {
  return text.replace(/[\t\r\n]+/g, " ").trim();
}

function lineOf(charactersMax: number) {
  return z.string().transform(oneLine)
    .refine((text) => !hasControlCharacters(text), "Must not contain control characters")
    .superRefine(atMost(charactersMax));
}

const TITLE_CHARACTERS_MAX = charsMaxOf("title");

export const Title = lineOf(TITLE_CHARACTERS_MAX)
  .refine((text) => text !== "", "Must not be empty")
  .meta({
    type: "string",
    minLength: 1,
    maxLength: TITLE_CHARACTERS_MAX,
    example: "Kühlschrank KS 300",
  });

function clearable<T extends z.ZodType<string>>(schema: T, words: Record<string, unknown>) {
  return schema.transform((text) => text === "" ? null : text).nullable()
    .meta({ type: ["string", "null"], ...words });
}

export function textOf(charactersMax: number) {
  return clearable(lineOf(charactersMax), { maxLength: charactersMax });
}

export const Ean = clearable(
  z.string().trim().refine(
    (text) => text === "" || isGtin(text),
    "Must be a GTIN of 8, 12, 13 or 14 digits with a valid check digit",
  ),
  { example: "4006381333931", description: "GTIN-8, -12, -13 or -14" },
);

export const ShopUrl = clearable(
  z.string().trim()
    .refine((text) => !hasControlCharacters(text), "Must not contain control characters")
    .refine((text) => utf8Bytes(text) <= URL_BYTES_MAX, `Must have at most ${URL_BYTES_MAX} bytes`)
    .refine((text) => text === "" || isWebAddress(text), "Must be an http or https URL"),
  { format: "uri", maxLength: URL_BYTES_MAX, description: "The product's page in our own shop" },
);

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "";
}

export const Currency = z.string().refine(
  (code) => currencyExponent(code) !== null,
  'Must be a currency code of ISO 4217 in upper case, such as "EUR"',
).meta({ example: "EUR", pattern: "^[A-Z]{3}$" });

/** The number of decimals depends on the currency, so the schema does not check it. */
export const MajorUnits = z.union([z.number(), z.string().max(40)]).nullable().meta({
  description: 'Major units: 299.99 or "299.99"; null removes the price',
  example: 299.99,
});

export const MinorUnits = z.int().min(0).max(MINOR_UNITS_MAX).nullable().meta({
  description: "Minor units: 29999; if the field in major units is present too, both must agree",
  example: 29999,
});

export const VatRatePct = z.number().min(0).max(100)
  .refine((pct) => /^\d+(?:\.\d{1,4})?$/.test(String(pct)), "Must have at most 4 decimals")
  .nullable();

export const STOCK_DECIMALS = 3;
export const STOCK_MAX = 1_000_000_000;

export const Stock = z.number().min(-STOCK_MAX).max(STOCK_MAX)
  .refine((stock) => /^-?\d+(?:\.\d{1,3})?$/.test(String(stock)), "Must have at most 3 decimals")
  .nullable().meta({ example: 12 });

export const ConditionCode = z.enum(CONDITIONS).nullable();

const attributeText = (charactersMax: number) =>
  z.string().max(charactersMax * 2).refine(
    (text) => !isLongerThan(text, charactersMax) && !hasControlCharacters(text),
    `Must have at most ${charactersMax} characters and no control characters`,
  );

/**
 * Null removes all attributes. The name `__proto__` is refused, because it would set an object's
 * prototype.
 */
export const Attributes = z.preprocess(
  (value, check) => {
    const isObject = typeof value === "object" && value !== null;
    if (isObject && Object.hasOwn(value, "__proto__")) {
      check.addIssue({ code: "custom", message: "Unknown field", path: ["__proto__"] });
    }
    return value;
  },
  z.record(attributeText(64).min(1), attributeText(1_000))
    .refine(
      (pairs) => Object.keys(pairs).length <= ATTRIBUTES_MAX,
      `Must have at most ${ATTRIBUTES_MAX} pairs`,
    )
    .refine(
      (pairs) => utf8Bytes(JSON.stringify(pairs)) <= ATTRIBUTES_BYTES_MAX,
      `Must have at most ${ATTRIBUTES_BYTES_MAX} bytes of JSON`,
    )
    .nullable(),
).meta({
  type: ["object", "null"],
  additionalProperties: { type: "string" },
  description: "Up to 50 pairs of name and value",
});

/** Rules do not change a product's price before `HeldUntil`; null lets rules change the price. */
export const HeldUntil = z.iso.datetime({
  offset: true,
  error: 'Must be an instant such as "2026-12-01T00:00:00Z"',
})
  .transform((text) => new Date(text).toISOString())
  .nullable()
  .meta({ type: ["string", "null"], format: "date-time", example: "2026-12-01T00:00:00Z" });

export const ScrapeIntervalHours = z.int().min(1).max(720);

type Match = FieldFilter["match"];

export function matchOf(name: FilteredName): Match {
  return PRODUCT_FIELDS[name].filter.match;
}

const foldName = memoize(fold, 64);

export function comparedValue(value: string | number | null, match: Match): string | null {
  if (match === "positive") return typeof value === "number" && value > 0 ? "true" : "false";
  if (value === null) return null;
  return match === "equals" ? String(value) : foldName(String(value));
}
