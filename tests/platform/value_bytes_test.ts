import fc from "fast-check";
import { openBytes, sealBytes } from "../../src/platform/store/secret_store.ts";
import { packBytes, unpackBytes } from "../../src/platform/store/rows.ts";
import {
  deepStrictEqual as assertEquals,
  equal,
  notDeepStrictEqual,
  ok,
  throws,
} from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { sha256 } from "../../src/base/bytes.ts";

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

Deno.test("sealed bytes open only unchanged and with their secret", () => {
  const given = [fc.uint8Array(), fc.string(), fc.string(), fc.nat()] as const;
  fc.assert(fc.property(...given, (bytes, mine, other, place) => {
    const sealed = sealBytes(sha256(mine), bytes);
    assertEquals([...openBytes(sha256(mine), sealed)], [...bytes]);
    if (mine !== other) throws(() => openBytes(sha256(other), sealed));
    const at = place % sealed.length;
    throws(() => openBytes(sha256(mine), sealed.with(at, sealed[at]! ^ 1)), `byte ${at}`);
  }));
});

Deno.test("the same bytes are sealed differently each time", () => {
  const bytes = new Uint8Array([1, 2, 3]);
  notDeepStrictEqual(sealBytes(sha256("s"), bytes), sealBytes(sha256("s"), bytes));
});
