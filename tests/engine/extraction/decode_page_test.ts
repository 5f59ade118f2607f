import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { decodePage } from "../../../src/engine/extraction/page/extraction_page.ts";
import fc from "fast-check";
import { type Grouped, rowsOf } from "../grouped.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
/** The bytes that stand for these characters, by encoding. */
const BYTES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "windows-1252": { "€": 0x80 },
  "iso-8859-15": { "€": 0xa4 },
  "windows-1250": { "š": 0x9a },
};
const encoded = (text: string, encoding: string) =>
  encoding === "utf-8"
    ? utf8(text)
    : Uint8Array.from(text, (one) => BYTES[encoding]?.[one] ?? one.charCodeAt(0));

/** Encoding → the page's text and Content-Type. */
const ENCODED: Grouped<readonly [text: string, contentType: string | null]> = {
  "utf-8": {
    "UTF-8 without a label": ["9 €", null],
    "a header against a meta element": ["<meta charset=latin1>€", "text/html; charset=utf-8"],
    "a wrong label UTF-16": ["<meta charset=utf-16>9 €", "text/html"],
    "an empty label": ["9 €", "text/html; charset="],
    "JSON that contains a charset": ['{"a":"<meta charset=latin1>€"}', "application/json"],
    "nothing": ["", null],
  },
  "windows-1252": {
    "windows-1252 without a label": ["9 €", null],
    "charset in quotes": ["9 €", 'text/html;charset="latin1"'],
    "a meta element in a comment": ["<!-- <meta charset=windows-1250> -->€", null],
    "utf-7": ["9 €", "text/html; charset=utf-7"],
    "an unknown label": ["9 €", "text/html; charset=x-foo"],
  },
  "iso-8859-15": {
    "charset of the header": ["9 €", "text/html; charset=ISO-8859-15"],
    "charset of a meta element": ["<meta charset=iso-8859-15>€", "text/html"],
  },
  "windows-1250": {
    "http-equiv": ['<META http-equiv=x content="text/html; charset=windows-1250">š', null],
  },
};
const UTF16 = [0x39, 0, 0xac, 0x20];

const PAGES: readonly (readonly [string, Iterable<number>, string | null, string])[] = [
  ...rowsOf(ENCODED).map(([name, [text, type], encoding]) =>
    [name, encoded(text, encoding), type, text] as const
  ),
  ["a byte order mark against a header", utf8("\ufeff9 €"), "x; charset=latin1", "9 €"],
  ["UTF-16 with a byte order mark", [0xff, 0xfe, ...UTF16], null, "9€"],
  ["UTF-16 by the header", UTF16, "text/html; charset=utf-16le", "9€"],
  ["broken UTF-8 that is said to be UTF-8", [0x39, 0xff], "x; charset=utf-8", "9\ufffd"],
];

for (const [name, bytes, contentType, text] of PAGES) {
  Deno.test(`decodePage() of ${name}`, () => {
    assertEquals(decodePage(Uint8Array.from(bytes), contentType), text);
  });
}

Deno.test("decodePage() never throws, whatever the bytes and the header", () => {
  fc.assert(fc.property(
    fc.uint8Array({ maxLength: 200 }),
    fc.option(fc.oneof(fc.string(), fc.string().map((label) => `text/html; charset=${label}`))),
    (page, contentType) => typeof decodePage(page, contentType) === "string",
  ));
});
