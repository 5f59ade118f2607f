import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { decodePage } from "../../../src/engine/extraction/page/extraction_page.ts";
import fc from "fast-check";

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => typeof part === "string" ? [...utf8(part)] : part));
const EURO_1252 = [0x80];

const PAGES: readonly (readonly [string, Uint8Array, string | null, string, string])[] = [
  ["UTF-8 without a word", bytes("9 €"), null, "9 €", "utf-8"],
  ["windows-1252 without a word", bytes("9 ", EURO_1252), null, "9 €", "windows-1252"],
  [
    "charset of the header",
    bytes("9 ", [0xa4]),
    "text/html; charset=ISO-8859-15",
    "9 €",
    "iso-8859-15",
  ],
  [
    "charset in quotes",
    bytes("9 ", EURO_1252),
    'text/html;charset="latin1"',
    "9 €",
    "windows-1252",
  ],
  [
    "charset of a meta element",
    bytes("<meta charset=iso-8859-15>", [0xa4]),
    "text/html",
    "<meta charset=iso-8859-15>€",
    "iso-8859-15",
  ],
  [
    "http-equiv",
    bytes('<META http-equiv=x content="text/html; charset=windows-1250">', [0x9a]),
    null,
    '<META http-equiv=x content="text/html; charset=windows-1250">š',
    "windows-1250",
  ],
  [
    "a meta element in a comment",
    bytes("<!-- <meta charset=windows-1250> -->", EURO_1252),
    null,
    "<!-- <meta charset=windows-1250> -->€",
    "windows-1252",
  ],
  [
    "a header against a meta element",
    bytes("<meta charset=latin1>€"),
    "text/html; charset=utf-8",
    "<meta charset=latin1>€",
    "utf-8",
  ],
  [
    "a byte order mark against a header",
    bytes([0xef, 0xbb, 0xbf], "9 €"),
    "text/html; charset=latin1",
    "9 €",
    "utf-8",
  ],
  [
    "UTF-16 with a byte order mark",
    bytes([0xff, 0xfe, 0x39, 0, 0xac, 0x20]),
    null,
    "9€",
    "utf-16le",
  ],
  [
    "UTF-16 by the header",
    bytes([0x39, 0, 0xac, 0x20]),
    "text/html; charset=utf-16le",
    "9€",
    "utf-16le",
  ],
  [
    "UTF-16 that is a lie",
    bytes("<meta charset=utf-16>9 €"),
    "text/html",
    "<meta charset=utf-16>9 €",
    "utf-8",
  ],
  ["utf-7", bytes("9 ", EURO_1252), "text/html; charset=utf-7", "9 €", "windows-1252"],
  ["an unknown label", bytes("9 ", EURO_1252), "text/html; charset=x-foo", "9 €", "windows-1252"],
  ["a label of nothing", bytes("9 €"), "text/html; charset=", "9 €", "utf-8"],
  [
    "broken UTF-8 that is said to be UTF-8",
    bytes("9", [0xff]),
    "text/html; charset=utf-8",
    "9\ufffd",
    "utf-8",
  ],
  [
    "JSON that speaks of a charset",
    bytes('{"a":"<meta charset=latin1>€"}'),
    "application/json",
    '{"a":"<meta charset=latin1>€"}',
    "utf-8",
  ],
  ["nothing", bytes(), null, "", "utf-8"],
];

for (const [name, page, contentType, text, encoding] of PAGES) {
  Deno.test(`decodePage() of ${name}`, () => {
    assertEquals(decodePage(page, contentType), { text, encoding });
  });
}

Deno.test("decodePage() never throws, whatever the bytes and the header", () => {
  fc.assert(fc.property(
    fc.uint8Array({ maxLength: 200 }),
    fc.option(fc.oneof(fc.string(), fc.string().map((label) => `text/html; charset=${label}`))),
    (page, contentType) => typeof decodePage(page, contentType).text === "string",
  ));
});
