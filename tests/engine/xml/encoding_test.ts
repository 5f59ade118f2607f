import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import {
  ChunkDecoder,
  decideEncoding,
  fallbackEncoding,
  StrictCheck,
} from "../../../src/engine/xml/encoding.ts";
import { type Grouped, rowsOf } from "../grouped.ts";

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const declares = (label: string) => ascii(`<?xml version="1.0" encoding="${label}"?><a/>`);
const utf16le = (text: string) =>
  Uint8Array.from([...text].flatMap((character) => [character.charCodeAt(0), 0]));
const utf16be = (text: string) =>
  Uint8Array.from([...text].flatMap((character) => [0, character.charCodeAt(0)]));

function labelOf(head: Uint8Array, charset: string | null): string {
  const decided = decideEncoding(head, charset);
  return "unknown" in decided ? `unknown ${decided.unknown}` : decided.encoding.label;
}

/** Encoding → first bytes of the file, and the charset of its part. */
const CASES: Grouped<readonly [head: Uint8Array, charset?: string]> = {
  "utf-8": {
    "a byte order mark before everything": [ascii("\xef\xbb\xbf<?xml encoding='x'?>"), "latin1"],
    "UTF-8 where nothing is said": [ascii("<a/>")],
    "UTF-8 where the declaration names none": [ascii('<?xml version="1.0"?>')],
    "an encoding attribute of the root as no declaration": [ascii('<a encoding="x"/>')],
  },
  "utf-16le": {
    "a byte order mark of UTF-16": [ascii("\xff\xfe<\0"), "utf-8"],
    "UTF-16 by its first bytes": [utf16le("<?xml?>")],
  },
  "utf-16be": {
    "a byte order mark of UTF-16 BE": [ascii("\xfe\xff\0<")],
    "UTF-16 BE by its first bytes": [utf16be("<?xml?>")],
    "UTF-16 BE by its first bytes though only UTF-16 is named": [utf16be("<?xml?>"), "utf-16"],
  },
  "iso-8859-15": {
    "the charset of the part before the declaration": [declares("UTF-8"), "ISO-8859-15"],
    "ISO-8859-15 as itself": [declares("ISO-8859-15")],
  },
  "windows-1250": { "the declaration": [declares("windows-1250")] },
  "windows-1252": {
    "ISO-8859-1 as windows-1252": [declares("ISO-8859-1")],
    "single quotes and blanks": [ascii("<?xml version='1.0' encoding = 'latin1' ?>")],
  },
  "unknown UTF-7": { "UTF-7 as unknown": [declares("UTF-7")] },
  "unknown IBM850": { "IBM850 as unknown": [declares("IBM850")] },
  "unknown klingon": { "a charset that is none as unknown": [ascii("<a/>"), "klingon"] },
};

for (const [what, [head, charset = null], label] of rowsOf(CASES)) {
  Deno.test(`decideEncoding() recognises ${what}`, () =>
    assertEquals(labelOf(head, charset), label));
}

Deno.test("decideEncoding() ignores UTF-16 declared in ASCII, with a warning", () => {
  const decided = decideEncoding(declares("UTF-16"), null);
  assertEquals("encoding" in decided && decided.encoding, {
    label: "utf-8",
    bomBytes: 0,
    canFail: true,
    guess: 'The file says "UTF-16" but is not UTF-16',
  });
});

Deno.test("StrictCheck finds an invalid byte, also in a character across chunks", () => {
  const utf8 = { label: "utf-8", bomBytes: 0, canFail: true, guess: null };
  const whole = new StrictCheck(utf8);
  assert([ascii("a\xc3"), ascii("\xbc"), null].every((chunk) => whole.accepts(chunk)));
  const cut = new StrictCheck(utf8);
  assertEquals([ascii("a\xc3"), null].map((chunk) => cut.accepts(chunk)), [true, false]);
  assertEquals(new StrictCheck(utf8).accepts(ascii("\xc0\xbc")), false, "an overlong form");
});

Deno.test("fallbackEncoding() is windows-1252 without the byte order mark, except for UTF-16", () => {
  const failed = { label: "utf-8", bomBytes: 3, canFail: true, guess: null };
  assertEquals(fallbackEncoding(failed), {
    label: "windows-1252",
    bomBytes: 3,
    canFail: false,
    guess: "The file is not utf-8 throughout: read as windows-1252",
  });
  assertEquals(fallbackEncoding({ ...failed, label: "utf-16le" }), null);
});

Deno.test("ChunkDecoder joins characters across chunks and removes the byte order mark", () => {
  const decoder = new ChunkDecoder({ label: "utf-8", bomBytes: 3, canFail: true, guess: null });
  const chunks = [ascii("\xef"), ascii("\xbb\xbfa\xe2\x82"), ascii("\xac"), null];
  assertEquals(chunks.map((chunk) => decoder.text(chunk)), ["", "a", "€", ""]);
});

Deno.test("ChunkDecoder reads the euro sign of windows-1252 and of ISO-8859-15", () => {
  const text = (label: string, bytes: string) =>
    new ChunkDecoder({ label, bomBytes: 0, canFail: false, guess: null }).text(ascii(bytes));
  assertEquals([text("windows-1252", "\x80"), text("iso-8859-15", "\xa4")], ["€", "€"]);
});
