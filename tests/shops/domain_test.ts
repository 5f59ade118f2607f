import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { normaliseUrl, parseDomain, parseMatchUrl } from "../../src/shops/domain.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";
import { parseAllowList } from "../../src/platform/fetch/fetch_limits.ts";

Deno.test("parseDomain() gives one form of a shop's domain for all spellings, and accepts only plain public hosts", () => {
  const table: [string, string][] = [
    ["mediamarkt.de", "mediamarkt.de"],
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

Deno.test("normaliseUrl() gives one form for all spellings of a page", () => {
  const table: [string, string][] = [
    ["https://Shop.DE:443/p/1#top", "https://shop.de/p/1"],
    ["http://shop.de:80", "http://shop.de/"],
    ["https://shop.de/p?utm_source=x&a=1&UTM_Medium=y&gclid=z", "https://shop.de/p?a=1"],
    ["https://shop.de/p?gclid=z", "https://shop.de/p"],
    ["https://shop.de/p?", "https://shop.de/p"],
    ["https://shop.de./p", "https://shop.de/p"],
    ["https://shop.de.:8443/p", "https://shop.de:8443/p"],
    ["https://müller.de/ü?q=a+b%20c", "https://xn--mller-kva.de/%C3%BC?q=a+b%20c"],
  ];
  for (const [text, plain] of table) assertEquals(normaliseUrl(new URL(text)), plain);
});

Deno.test("normaliseUrl() does not merge URLs that may be two pages", () => {
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

Deno.test("parseMatchUrl() keeps the URL as written, and gives its normalised key", () => {
  const parsed = parseMatchUrl(" https://www.Shop.de/p/1?utm_source=erp#top ", NOTHING_ALLOWED);
  const plain = parseMatchUrl("https://www.shop.de/p/1", NOTHING_ALLOWED);
  assert("target" in parsed && "target" in plain);
  assertEquals(parsed.target, {
    url: "https://www.Shop.de/p/1?utm_source=erp#top",
    urlHash: plain.target.urlHash,
    domain: "shop.de",
  });
  assertEquals(/^[0-9a-f]{32}$/.test(plain.target.urlHash), true);
});

Deno.test("parseMatchUrl() refuses URLs that must not be stored, and accepts allowed ones", () => {
  const long = `https://shop.de/${"a".repeat(2_048)}`;
  const refused = [
    "shop.de/p/1",
    "ftp://shop.de/",
    "javascript:alert(1)",
    "https://me:pw@shop.de/",
    "http://192.168.1.10/p/1",
    "http://2130706433/",
    "http://[::ffff:10.0.0.5]/",
    "http://localhost:8000/",
    long,
    // The host is longer than any domain name.
    `https://${`${"a".repeat(63)}.`.repeat(20)}example/p/1`,
  ];
  for (const url of refused) assert("reason" in parseMatchUrl(url, NOTHING_ALLOWED), url);
  const list = parseAllowList(["127.0.0.0/8"]);
  assert("allowed" in list);
  assertEquals("target" in parseMatchUrl("http://127.0.0.1:81/p", list.allowed), true);
  assertEquals("target" in parseMatchUrl("http://192.168.1.10/p", list.allowed), false);
  assertEquals("target" in parseMatchUrl("https://shop.de:22/p", NOTHING_ALLOWED), true);
});
