import { addressBlock } from "../../src/accounts/client_address.ts";
import { isKeyText } from "../../src/accounts/keys/api_key.ts";
import { passwordTrouble } from "../../src/accounts/passwords/password.ts";
import { isToken } from "../../src/accounts/secret.ts";
import { Email } from "../../src/accounts/users/user.ts";
import { Name } from "../../src/engine/pricing/field.ts";
import { currencyCodes, currencyWithin } from "../../src/base/currency_text.ts";
import { createCursorSealer } from "../../src/base/cursor.ts";
import { isOpenEnd, readDate, readFlag, readNumber } from "../../src/base/german_values.ts";
import { isGtin } from "../../src/base/gtin.ts";
import { parseMajor } from "../../src/base/money.ts";
import { readPriceText } from "../../src/base/price_text.ts";
import { composed, fold, harmless, normaliseSku } from "../../src/base/text.ts";
import { parseBound } from "../../src/base/time.ts";
import {
  Attributes,
  Ean,
  ShopUrl,
  Sku,
  Title,
} from "../../src/catalogue/products/product_fields.ts";
import { decideEncoding } from "../../src/engine/xml/encoding.ts";
import { doctypeFault, XmlReader } from "../../src/engine/xml/reader.ts";
import { parsePath } from "../../src/imports/profiles/profile_path.ts";
import { withoutControls } from "../../src/imports/records/field_values.ts";
import { charsetOf, readPartHead, uploadType } from "../../src/imports/upload/multipart.ts";
import { parseJson } from "../../src/platform/http/body.ts";
import { parseRetryAfter } from "../../src/scraping/page/domain_queue.ts";
import { parseDomain } from "../../src/shops/domain.ts";
import { parseMatchUrl } from "../../src/shops/matches/match_url.ts";
import { costMs, orRefusal } from "../processor_time.ts";
import { extent } from "../proof.ts";
import { HOSTILE_TEXTS } from "./hostile_texts.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** The length of the longest JSON body, and of the longest text in an ERP file. */
const CHARACTERS = extent(1_000_000, 200_000);
const THREAD_MS_MAX = extent(1_000, 400);
const ALLOWED = { hosts: new Set<string>(), ranges: [] };

const number = (format: "de" | "en" | "auto", currency: string | null) => (text: string) =>
  readNumber(text, { format, exponent: 2, currency });
const utf8 = (text: string) => new TextEncoder().encode(text);
const cursors = createCursorSealer(new Uint8Array(32));
const readXml = (text: string) => {
  const reader = new XmlReader(
    { open: () => {}, close: () => {}, text: () => {} },
    { depthMax: 64, textCharsMax: 1_048_576 },
  );
  return reader.write(text) ?? reader.end();
};

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  "SKU": normaliseSku,
  "SKU of a body": (text) => Sku.safeParse(text),
  "normal form": composed,
  "comparison": fold,
  "title": (text) => Title.safeParse(text),
  "name": (text) => Name.safeParse(text),
  "attributes": (text) => Attributes.safeParse({ [text]: text }),
  "price of a body": (text) => parseMajor(text, 2),
  "number, German": number("de", "EUR"),
  "number, English": number("en", "EUR"),
  "number, either": number("auto", null),
  "price text": (text) => readPriceText(text, { currencyText: text, locale: "de" }),
  "currency": currencyCodes,
  "currency beside a price": currencyWithin,
  "date": readDate,
  "open end": isOpenEnd,
  "time of a query": (text) => parseBound(text, "start"),
  "flag": readFlag,
  "EAN": (text) => [isGtin(text), Ean.safeParse(text)],
  "URL": (text) => ShopUrl.safeParse(text),
  "URL of a match": (text) => parseMatchUrl(text, ALLOWED),
  "domain": (text) => parseDomain(text, ALLOWED),
  "text of an ERP file": withoutControls,
  "e-mail address": (text) => Email.safeParse(text),
  "password": (text) => passwordTrouble(text, [text.slice(0, 254)]),
  "API key": isKeyText,
  "session": isToken,
  "client address": addressBlock,
  "cursor": (text) => cursors.open("list", text),
  "charset label": charsetOf,
  "Content-Type": (text) => uploadType(`multipart/form-data; ${text}`),
  "head of a part": (text) =>
    readPartHead(`Content-Disposition: form-data; ${text}\r\nContent-Type: ${text}`),
  "encoding": (text) => decideEncoding(utf8(`<?xml ${text}`), text),
  "DOCTYPE": (text) => doctypeFault(text.slice(0, 65_536)),
  "XML, text": (text) => readXml(`<a>${text}</a>`),
  "XML, attribute": (text) => readXml(`<a b="${text}"/>`),
  "XML, markup": (text) => readXml(`<a ${text}`),
  "path of a profile": parsePath,
  "JSON": (text) => parseJson(utf8(text)),
  "JSON, a text": (text) => parseJson(utf8(JSON.stringify(text))),
  "CSV cell": harmless,
  "Retry-After": (text) => parseRetryAfter(text, 0),
};

for (const [name, parse] of Object.entries(PARSERS)) {
  Deno.test(`${name}: no hostile text holds the thread for ${THREAD_MS_MAX} ms`, () => {
    ok(Object.keys(HOSTILE_TEXTS).length >= 20);
    const slow = Object.entries(HOSTILE_TEXTS).flatMap(([text, of]) => {
      const hostile = of(CHARACTERS);
      for (let turn = 0; turn < 3; turn++) {
        if (costMs(orRefusal(() => parse(hostile))) < THREAD_MS_MAX) return [];
      }
      return [text];
    });
    assertEquals(slow, []);
  });
}
