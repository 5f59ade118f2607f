import { z } from "@hono/zod-openapi";
import { compile } from "css-select";
import { parse, type Selector } from "css-what";
import { currencyExponent } from "../base/currency.ts";
import { hasControlCharacters } from "../base/text.ts";
import { misfitOfJsonPath } from "../extraction/page/json_path.ts";

const SELECTOR_CHARACTERS_MAX = 500;

const CssSelector = z.string().trim().min(1).max(SELECTOR_CHARACTERS_MAX)
  .superRefine((selector, check) => {
    const message = misfitOfSelector(selector);
    if (message) check.addIssue({ code: "custom", message });
  });

const JsonPath = z.string().trim().min(1).max(SELECTOR_CHARACTERS_MAX)
  .superRefine((path, check) => {
    const message = misfitOfJsonPath(path);
    if (message) check.addIssue({ code: "custom", message });
  });

/** How a person says where a page has its price; beats what is found by itself (decisions §4). */
export const Extractor = z.strictObject({
  priceSelector: CssSelector.nullable().default(null)
    .meta({ description: "CSS selector of the price on an HTML page", example: "#price .value" }),
  stockSelector: CssSelector.nullable().default(null),
  jsonPath: JsonPath.nullable().default(null)
    .meta({ description: "RFC 9535 path of the price in a JSON answer", example: "$.offer.price" }),
  currency: z.string().refine(
    (code) => currencyExponent(code) !== null,
    'Must be a currency code of ISO 4217 in upper case, such as "EUR"',
  ).nullable().default(null).meta({
    description: "A price in another currency is refused as `currency_mismatch`",
    example: "EUR",
  }),
  locale: z.string().refine(isLocale, 'Must be a language tag such as "de-DE"')
    .nullable().default(null)
    .meta({ description: "How numbers are written there", example: "de-DE" }),
}).meta({ id: "Extractor" });

export type Extractor = z.infer<typeof Extractor>;

/**
 * What is wrong with a selector, or null. `:has()` within `:has()` is refused as CSS does
 * (Selectors 4): it makes the work on one page quadratic and worse.
 */
export function misfitOfSelector(selector: string): string | null {
  if (hasControlCharacters(selector)) return "Must not hold control characters";
  try {
    if (nestsHas(parse(selector), 0)) return "Must not hold :has() within :has()";
    compile(selector);
    return null;
  } catch (error) {
    return `Is no CSS selector: ${error instanceof Error ? error.message : error}`;
  }
}

/** True when a selector holds a second `:has()` within a first one. */
function nestsHas(selectors: readonly (readonly Selector[])[], depth: number): boolean {
  if (depth > 1) return true;
  return selectors.flat().some((part) => {
    const isPseudo = part.type === "pseudo" && Array.isArray(part.data);
    if (!isPseudo || !Array.isArray(part.data)) return false;
    return nestsHas(part.data, part.name === "has" ? depth + 1 : depth);
  });
}

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    // Thrown for what is no language tag: that is the answer.
    return false;
  }
}
