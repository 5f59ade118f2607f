import fc from "fast-check";
import { packBytes, unpackBytes } from "../../src/platform/store/value_bytes.ts";
import { deepStrictEqual as assertEquals, equal, ok, throws } from "node:assert/strict";
import { randomBytes } from "node:crypto";

const MAX = 65_536;

Deno.test("unpackBytes() reverses packBytes()", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(200)).map(([part, times]) =>
      Uint8Array.from({ length: part.length * times }, (_, n) => part[n % part.length] ?? 0)
    ),
    fc.integer({ min: MAX - 2, max: MAX }).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(fc.property(bytes, (given) => {
    assertEquals(unpackBytes(packBytes(given), MAX), given);
  }));
});

Deno.test("text is packed to a fraction, and bytes that cannot shrink stay as they are", () => {
  const lines = Array.from(
    { length: 900 },
    (_, n) => `<ITEM><SKU>K-${n}</SKU><PRICE>1.0${n}</PRICE>`,
  );
  const text = new TextEncoder().encode(lines.join("\n")).subarray(0, MAX);
  const packed = packBytes(text);
  ok(!(packed instanceof Uint8Array) && packed.zstd.length < text.length / 4);
  equal(packed.zstd.buffer.byteLength, packed.zstd.length, "all that a store keeps of it");
  const noise = new Uint8Array(randomBytes(MAX));
  assertEquals(packBytes(noise), noise);
  assertEquals(unpackBytes(noise, MAX), noise);
});

Deno.test("unpackBytes() unpacks no more than the given maximum", () => {
  const packed = packBytes(new Uint8Array(MAX));
  throws(() => unpackBytes(packed, MAX - 1), RangeError);
});
