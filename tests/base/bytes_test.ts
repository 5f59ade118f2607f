import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { JsonWriter, sha256, sha256Hex } from "../../src/base/bytes.ts";
import { anyCharacter } from "../any_text.ts";

const value = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue(),
  fc.constantFrom("", "ß", "é€🛠", '"', "\\", "\u001f", "\ud800", "x".repeat(5_000)),
);

Deno.test("JsonWriter writes every value as JSON.stringify does, whatever it wrote before", () => {
  const writer = new JsonWriter();
  fc.assert(fc.property(fc.array(value), (values) => {
    writer.begin();
    for (const one of values) {
      writer.byte(0x2c);
      writer.json(one);
    }
    const written = new TextDecoder().decode(writer.end());
    assertEquals(written, values.map((one) => `,${JSON.stringify(one)}`).join(""));
  }));
});

// FIPS 180-4, example of the message "abc".
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Deno.test("sha256Hex() hashes the standard's example", () => assertEquals(sha256Hex("abc"), ABC));

Deno.test("sha256() gives the same 32 bytes for text and its UTF-8", () => {
  assertEquals(sha256("abc"), Uint8Array.fromHex(ABC));
  assertEquals(sha256(new TextEncoder().encode("€")), sha256("€"));
});
