import { z } from "@hono/zod-openapi";
import { currencyExponent } from "../base/currency.ts";
import { misfitOfJsonPath } from "../extraction/page/json_path.ts";
import { misfitOfSelector } from "../extraction/page/select_elements.ts";

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

const StoredText = z.string().min(1).max(SELECTOR_CHARACTERS_MAX).nullable();

/**
 * An extractor that was saved once, by this service or by another one: a selector or a path that goes
 * beyond a limit of today is kept, and the runs that use it say `too_complex`.
 */
export const StoredExtractor = Extractor.extend({
  priceSelector: StoredText,
  stockSelector: StoredText,
  jsonPath: StoredText,
});

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    // Thrown for what is no language tag: that is the answer.
    return false;
  }
}
