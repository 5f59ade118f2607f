import fc from "fast-check";
import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
import { normaliseUrl, parseDomain, parseMatchUrl } from "../../src/shops/domain.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";
import { parseAllowList } from "../../src/platform/fetch/fetch_limits.ts";
import {
  extractorErrors,
  jsonPathError,
  selectorError,
} from "../../src/engine/extraction/extractors.ts";
import { type Match, MATCH_SOURCES, VISITS } from "../../src/shops/matches/match.ts";
import { packMatch, unpackMatch } from "../../src/shops/matches/match_store.ts";
import { MATCH_TYPES } from "../../src/shops/offers/offer.ts";
import { anyCharacter } from "../any_text.ts";
import { judgeLink } from "../../src/shops/matches/link_plan.ts";
import {
  articleHash,
  countingVerdict,
  type KeptArticle,
  NO_IDENTITY,
  packIdentity,
  unpackIdentity,
  withPage,
  withWord,
} from "../../src/shops/matches/match_identity.ts";

Deno.test("parseDomain() gives one form of a shop's domain for all spellings, and accepts only plain public hosts", () => {
  const table: [string, string][] = [
    ["  WWW.MediaMarkt.DE ", "mediamarkt.de"],
    ["https://www.mediamarkt.de/", "mediamarkt.de"],
    ["mediamarkt.de.", "mediamarkt.de"],
    ["müller-shop.de", "xn--mller-shop-9db.de"],
    ["shop.de:443", "shop.de"],
    ["shop.de:80", "shop.de"],
    ["shop.de:8443", "shop.de:8443"],
    ["http://shop.de:443", "shop.de:443"],
    ["www.de", "www.de"],
    ["www.shop.co.uk", "shop.co.uk"],
    ["www2.shop.de", "www2.shop.de"],
  ];
  for (const [text, domain] of table) {
    assertEquals(parseDomain(text, NOTHING_ALLOWED), { domain }, text);
  }
  const written = ["", "a b", "shop.de/p/1", "shop.de?x=1", "me@shop.de", "ftp://shop.de"];
  for (const text of [...written, "10.0.0.5", "localhost", "shop", "http://", "[::1]"]) {
    assert("reason" in parseDomain(text, NOTHING_ALLOWED), text);
  }
});

Deno.test("normaliseUrl() gives one form for all spellings of a page, and does not merge URLs that may be two pages", () => {
  const table: [string, string][] = [
    ["https://Shop.DE:443/p/1#top", "https://shop.de/p/1"],
    ["http://shop.de:80", "http://shop.de/"],
    ["https://shop.de/p?utm_source=x&a=1&UTM_Medium=y&gclid=z", "https://shop.de/p?a=1"],
    ["https://shop.de/p?gclid=z", "https://shop.de/p"],
    ["https://shop.de/p?", "https://shop.de/p"],
    ["https://shop.de.:8443/p", "https://shop.de:8443/p"],
    ["https://müller.de/ü?q=a+b%20c", "https://xn--mller-kva.de/%C3%BC?q=a+b%20c"],
  ];
  for (const [text, plain] of table) assertEquals(normaliseUrl(new URL(text)), plain);
  const pages = [
    "https://shop.de/p",
    "http://shop.de/p",
    "https://www.shop.de/p",
    "https://shop.de/P",
    "https://shop.de/p/",
    "https://shop.de/p?a=1&b=2",
    "https://shop.de/p?b=2&a=1",
    "https://shop.de/p?my_utm_source=1",
    "https://shop.de/p?gclidx=1",
  ];
  assertEquals(new Set(pages.map((page) => normaliseUrl(new URL(page)))).size, pages.length);
});

Deno.test("parseMatchUrl() keeps the URL as written with its normalised key, and refuses URLs that must not be stored", () => {
  const parsed = parseMatchUrl(" https://www.Shop.de/p/1?utm_source=erp#top ", NOTHING_ALLOWED);
  const plain = parseMatchUrl("https://www.shop.de/p/1", NOTHING_ALLOWED);
  assert("target" in parsed && "target" in plain);
  assertEquals(parsed.target, {
    url: "https://www.Shop.de/p/1?utm_source=erp#top",
    urlHash: plain.target.urlHash,
    domain: "shop.de",
  });
  assertEquals(/^[0-9a-f]{32}$/.test(plain.target.urlHash), true);
  const long = `https://shop.de/${"a".repeat(2_048)}`;
  const refused = [
    "shop.de/p/1",
    "ftp://shop.de/",
    "javascript:alert(1)",
    "https://me:pw@shop.de/",
    "http://2130706433/",
    "http://[::ffff:10.0.0.5]/",
    "http://localhost:8000/",
    long,
    // The host is longer than a domain name may be.
    `https://${`${"a".repeat(63)}.`.repeat(20)}example/p/1`,
  ];
  for (const url of refused) assert("reason" in parseMatchUrl(url, NOTHING_ALLOWED), url);
  const list = parseAllowList(["127.0.0.0/8"]);
  assert("allowed" in list);
  assertEquals("target" in parseMatchUrl("http://127.0.0.1:81/p", list.allowed), true);
  assertEquals("target" in parseMatchUrl("http://192.168.1.10/p", list.allowed), false);
  assertEquals("target" in parseMatchUrl("https://shop.de:22/p", NOTHING_ALLOWED), true);
});

Deno.test("selectorError() accepts what the selector engine supports, and says why not", () => {
  const accepted = [
    "#price .value",
    "[itemprop=price]",
    "div:nth-child(2n+1) > b",
    "p:has(b), i:not(u)",
    "p:not(:has(> b)):is(.a, .b) ~ i",
    "li:nth-child(2 of .offer) .price",
  ];
  for (const selector of accepted) assertEquals(selectorError(selector), null, selector);
  for (const selector of ["div[", "a,,b", "div:unknown-thing", "p::before"]) {
    match(selectorError(selector) ?? "", /not a CSS selector/, selector);
  }
});

Deno.test("jsonPathError() accepts RFC 9535 without regular expressions, and extractorErrors() names the wrong part", () => {
  for (const path of ["$.price", "$..offers[0].price", "$.a[?@.b > 1].c", "$['x y']"]) {
    assertEquals(jsonPathError(path), null, path);
  }
  const refused = ["price", "$.", "$..[?(@.a=~/(a+)+$/)]", "$[?match(@.a, '(a+)+$')]"];
  for (const path of [...refused, "$[?search(@.a, 'a')]"]) {
    match(jsonPathError(path) ?? "", /not a JSON path/, path);
  }
  const parts = extractorErrors({ priceSelector: "b[", stockSelector: "i", jsonPath: "price" });
  assertEquals(parts.map(({ part }) => part), ["priceSelector", "jsonPath"]);
});

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => each.toHex());
const text = fc.option(fc.string({ unit: "grapheme" }));
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom("2026-08-01T09:00:00Z", "2026-08-01T09:00:00.1234Z"),
);
const anyMatch: fc.Arbitrary<Match> = fc.record({
  id: hex(12),
  productId: hex(12),
  competitorId: hex(12),
  url: fc.string({ unit: anyCharacter }).filter((each) => each.isWellFormed()),
  enabled: fc.boolean(),
  disabledBy: fc.option(fc.constantFrom("person", "import")),
  matchType: fc.constantFrom(...MATCH_TYPES),
  packFactor: fc.oneof(fc.constant(1), fc.double({ noNaN: true, min: 0.001, max: 1e6 })),
  source: fc.constantFrom(...MATCH_SOURCES),
  extractor: fc.option(fc.record({
    priceSelector: text,
    stockSelector: text,
    jsonPath: text,
    currency: text,
    locale: text,
  }, { noNullPrototype: true })),
  createdAt: time,
  updatedAt: time,
  noPrice: fc.boolean(),
  visit: fc.constantFrom(...VISITS),
}, { noNullPrototype: true })
  // Stored links omit `noPrice` if it is false, and `visit` if it is `now`.
  .map(({ noPrice, visit, ...others }) => ({
    ...others,
    ...(noPrice && { noPrice }),
    ...(visit !== "now" && { visit }),
  }));

Deno.test("unpackMatch() reverses packMatch()", () => {
  fc.assert(fc.property(anyMatch, (given) => {
    assertEquals(unpackMatch(given.productId, packMatch(given)), given);
  }));
});

const SILENT: KeptArticle = {
  title: null,
  brand: null,
  gtin: null,
  mpn: null,
  sku: null,
  condition: null,
  isOtherVariant: false,
};

Deno.test("judgeLink() compares each fact of the page with ours, and a pack factor ignores a different GTIN, and nothing else", () => {
  const ours = { title: "Bosch GSR 18", brand: "Bosch", ean: "4006381333931", mpn: "GSR-18" };
  const rows: readonly (readonly [Partial<KeptArticle>, string])[] = [
    [{ gtin: "04006381333931" }, "same"],
    [{ gtin: null, gtins: ["4005556050178", "4006381333931"] }, "same"],
    [{ title: "Puzzle Burg für Kinder" }, "different"],
    [{ title: "Puzzle Burg für Kinder", mpn: "gsr18" }, "probably"],
    [{ title: "Puzzle Burg für Kinder", brand: "Bosch", mpn: "gsr18" }, "same"],
    [{ title: "Bosch GSR 18", condition: "used" }, "different"],
    [{ isOtherVariant: true, gtin: "4006381333931" }, "probably"],
  ];
  for (const [page, verdict] of rows) {
    const { verdict: found } = judgeLink({ ...ours, condition: null }, 1, { ...SILENT, ...page });
    assertEquals(found, verdict, JSON.stringify(page));
  }
  const title = "Bosch Bohrer 5 mm";
  const drill = { title, brand: null, ean: "4006381333931", mpn: null, condition: null };
  for (const gtin of ["14006381333938", "4005556050178"]) {
    const pack = { ...SILENT, title, gtin };
    assertEquals(judgeLink(drill, 1, pack).verdict, "different");
    assertEquals(judgeLink(drill, 6, pack).verdict === "different", false);
  }
  const used = { ...SILENT, title, condition: "used" } as const;
  assertEquals(judgeLink(drill, 6, used).verdict, "different");
});

const person = { type: "user", id: "u", name: "Jana", at: "2026-11-21T10:00:00.000Z" } as const;
const article = fc.record<KeptArticle>({
  title: fc.option(fc.constantFrom("Bosch GSR", "Puzzle", "bosch  gsr!")),
  brand: fc.option(fc.constantFrom("Bosch", "Bosch GmbH", "Makita")),
  gtin: fc.option(fc.constantFrom("4006381333931", "04006381333931", "4005556050178")),
  mpn: fc.option(fc.constantFrom("GSR-18", "gsr18", "X9")),
  sku: fc.option(fc.constantFrom("1", "2")),
  condition: fc.option(fc.constantFrom("new", "used")),
  isOtherVariant: fc.boolean(),
}, { noNullPrototype: true });

Deno.test("a person's statement counts until the page changes in more than spelling", () => {
  const words = fc.constantFrom("confirmed", "rejected");
  fc.assert(fc.property(article, article, words, (one, two, kind) => {
    const first = withPage(NO_IDENTITY, one, { verdict: "different", reasons: [] }, 1);
    const decided = withWord(first, { kind, by: person });
    const won = kind === "confirmed" ? "same" : "different";
    assertEquals(countingVerdict(decided), won);
    const later = withPage(decided, two, { verdict: "unknown", reasons: [] }, 2);
    const holds = articleHash(one) === articleHash(two);
    assertEquals(countingVerdict(later), holds ? won : "unknown");
    assertEquals(countingVerdict(withWord(later, null)), "unknown");
    assertEquals(unpackIdentity(packIdentity(later)), later);
  }));
  const page = { ...SILENT, title: "Bosch GSR 18", gtin: "4006381333931", mpn: "GSR-18" };
  const written = { ...page, title: "BOSCH, GSR  18", gtin: "04006381333931", mpn: "gsr18" };
  assertEquals(articleHash(page), articleHash({ ...written, condition: "new" }));
  // A confirmation before the first fetch applies to the content that this fetch finds.
  const early = withWord(NO_IDENTITY, { kind: "confirmed", by: person });
  const seen = withPage(early, page, { verdict: "different", reasons: [] }, 1);
  assertEquals(countingVerdict(seen), "same");
  const other = { ...page, gtin: "4005556050178" };
  const judged = withPage(seen, other, { verdict: "different", reasons: [] }, 2);
  assertEquals(countingVerdict(judged), "different");
});
