import { isKeyText } from "../../src/accounts/admission.ts";
import { passwordTrouble } from "../../src/accounts/passwords/password.ts";
import { readNumber } from "../../src/base/german_values.ts";
import { readPriceText } from "../../src/base/price_text.ts";
import { Attributes } from "../../src/catalogue/products/product_fields.ts";
import { decideEncoding } from "../../src/base/bytes.ts";
import { XmlReader } from "../../src/engine/xml/reader.ts";
import { charsetOf } from "../../src/imports/upload/receive_upload.ts";
import { parseJson } from "../../src/platform/http/body.ts";
import { parseRetryAfter } from "../../src/platform/fetch/safe_fetch_answer.ts";
import { parseMatchUrl } from "../../src/shops/domain.ts";
import { costMs, orRefusal } from "../processor_time.ts";
import { extent } from "../proof.ts";
import { HOSTILE_TEXTS } from "./hostile_texts.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** In long test runs, about the maximum length of a JSON body or of a text in an ERP file. */
const CHARACTERS = extent(1_000_000, 200_000);
const THREAD_MS_MAX = extent(1_000, 400);
const ALLOWED = { hosts: new Set<string>(), ranges: [] };

const number = (format: "de" | "en" | "auto", currency: string | null) => (text: string) =>
  readNumber(text, { format, exponent: 2, currency });
const utf8 = (text: string) => new TextEncoder().encode(text);
const readXml = (text: string) => {
  const reader = new XmlReader(
    { open: () => {}, close: () => {}, text: () => {} },
    { depthMax: 64, textCharsMax: 1_048_576 },
  );
  return reader.write(text) ?? reader.end();
};

/**
 * Parsers of untrusted text. `every_expression_test.ts` tests exported functions whose only
 * required parameter is a text; `texts_over_http_test.ts` tests requests.
 */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  "attributes": (text) => Attributes.safeParse({ [text]: text }),
  "number, German": number("de", "EUR"),
  "number, English": number("en", "EUR"),
  "number, either": number("auto", null),
  "price text": (text) => readPriceText(text, { currencyText: text, locale: "de" }),
  "URL of a match": (text) => parseMatchUrl(text, ALLOWED),
  "password": (text) => passwordTrouble(text, [text.slice(0, 254)]),
  "API key": isKeyText,
  "charset label": charsetOf,
  "encoding": (text) => decideEncoding(utf8(`<?xml ${text}`), text),
  "XML, text": (text) => readXml(`<a>${text}</a>`),
  "XML, attribute": (text) => readXml(`<a b="${text}"/>`),
  "XML, DOCTYPE": (text) => readXml(`<!DOCTYPE ${text}><a/>`),
  "XML, markup": (text) => readXml(`<a ${text}`),
  "JSON": (text) => parseJson(utf8(text)),
  "JSON, a text": (text) => parseJson(utf8(JSON.stringify(text))),
  "Retry-After": (text) => parseRetryAfter(text, 0),
};

for (const [name, parse] of Object.entries(PARSERS)) {
  Deno.test(`${name}: no hostile text holds the thread for ${THREAD_MS_MAX} ms`, () => {
    ok(Object.keys(HOSTILE_TEXTS).length >= 20);
    const slow = Object.entries(HOSTILE_TEXTS).flatMap(([text, of]) => {
      const hostile = of(CHARACTERS);
      for (let attempt = 0; attempt < 3; attempt++) {
        if (costMs(orRefusal(() => parse(hostile))) < THREAD_MS_MAX) return [];
      }
      return [text];
    });
    assertEquals(slow, []);
  });
}
