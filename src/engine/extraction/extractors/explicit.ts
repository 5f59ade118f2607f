import type { Availability } from "../../../base/codes.ts";
import {
  type Amount,
  BARE_OFFER,
  type Candidate,
  compareDecimals,
  readAmount,
  UNNAMED_SUBJECT,
  type Writing,
} from "../amount.ts";
import { type TextValue, valueOfElement } from "../markup/entity.ts";
import type { ExplicitExtractor, ExtractionPage } from "../page/extraction_page.ts";
import type { HtmlPage } from "../page/html_page.ts";
import { findByPath } from "../page/json_path.ts";
import { selectElements } from "../page/select_elements.ts";
import { readAvailability } from "../shop_words.ts";

/**
 * Prices that a person pointed at: by a CSS selector in HTML, by an RFC 9535 path in JSON. The
 * first price is unsure if the selector or path also finds a different price.
 */
export function explicitCandidates(page: ExtractionPage): Candidate[] {
  const { html, json, writing, extractor } = page;
  const ownWriting = { ...writing, currency: extractor.currency ?? writing.currency };
  const values = html ? selectedPrices(html, extractor) : foundValues(json, extractor.jsonPath);
  const amount = firstAmount(values, ownWriting);
  if (amount === null) return [];
  const availability = explicitAvailability(page) ?? "unknown";
  return [{ ...BARE_OFFER, subject: UNNAMED_SUBJECT, amount, availability }];
}

/** Null without a selector. */
export function explicitAvailability({ html, extractor }: ExtractionPage): Availability | null {
  if (!html || !extractor.stockSelector) return null;
  const element = selectElements(html, extractor.stockSelector)[0];
  return readAvailability(element ? valueOfElement(element, "availability").text : "");
}

function selectedPrices(html: HtmlPage, { priceSelector, locale }: ExplicitExtractor): TextValue[] {
  if (!priceSelector) return [];
  return selectElements(html, priceSelector).map((element) => {
    const value = valueOfElement(element, "price");
    // A locale that a person set also applies to numbers in attributes.
    return locale ? { ...value, kind: "shown" } : value;
  });
}

function foundValues(json: unknown, path: string | null | undefined): TextValue[] {
  if (!path) return [];
  return findByPath(json, path).flatMap((value): TextValue[] => {
    if (typeof value === "number") return [{ text: String(value), kind: "number", shown: null }];
    return typeof value === "string" ? [{ text: value, kind: "machine", shown: null }] : [];
  });
}

function firstAmount(values: readonly TextValue[], writing: Writing): Amount | null {
  const amounts = values.map((value) => readAmount(value, writing));
  const priced = amounts.filter((amount) => "decimal" in amount);
  const first = priced[0];
  if (!first) return amounts[0] ?? null;
  const isOnly = priced.every(({ decimal }) => compareDecimals(decimal, first.decimal) === 0);
  return { ...first, isSure: first.isSure && isOnly };
}
