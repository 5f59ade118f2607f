import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { parseDomain } from "../../src/shops/domain.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";

Deno.test("parseDomain() gives one form of a shop's domain for all spellings", () => {
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
});

Deno.test("parseDomain() refuses everything but a plain public host", () => {
  const table = [
    "",
    "a b",
    "shop.de/p/1",
    "shop.de?x=1",
    "me@shop.de",
    "ftp://shop.de",
    "10.0.0.5",
  ];
  for (const text of [...table, "localhost", "shop", "http://", "[::1]"]) {
    assertEquals("reason" in parseDomain(text, NOTHING_ALLOWED), true, text);
  }
});
