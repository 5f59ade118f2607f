import fc from "fast-check";
import type { JsonValue } from "../../src/base/collections.ts";
import { createCursorSealer } from "../../src/base/cursor.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { Buffer } from "node:buffer";

const sealer = createCursorSealer(new Uint8Array(32).fill(7));

Deno.test("seal() and open() carry any position", () => {
  fc.assert(fc.property(fc.string(), fc.jsonValue(), (scope, value) => {
    const position: JsonValue = JSON.parse(JSON.stringify(value));
    assertEquals(sealer.open(scope, sealer.seal(scope, position)), position);
  }));
});

Deno.test("seal() writes a token that needs no escaping in a URL", () => {
  match(sealer.seal("w1 products ü", ["ÿ?>", 1]), /^[\w-]+$/);
});

Deno.test("open() is null for every flipped bit of the bytes", () => {
  const bytes = Buffer.from(sealer.seal("w1 products", ["0123", 7]), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assertEquals(sealer.open("w1 products", changed.toString("base64url")), null);
  }
});

Deno.test("open() is null for every other character at every place, and for other lengths", () => {
  for (const position of [[], [1], [12]]) {
    const cursor = sealer.seal("s", position);
    for (let at = 0; at < cursor.length; at++) {
      for (const other of "AQgwz09-_+/= é".replace(cursor[at]!, "")) {
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        assertEquals(sealer.open("s", changed), null);
      }
    }
    for (const changed of [cursor.slice(1), cursor.slice(0, -1), cursor + "A", cursor + "=", ""]) {
      assertEquals(sealer.open("s", changed), null);
    }
  }
});

Deno.test("open() is null for another scope and another secret", () => {
  const cursor = sealer.seal("w1 products", 1);
  assertEquals(sealer.open("w2 products", cursor), null);
  assertEquals(createCursorSealer(new Uint8Array(32)).open("w1 products", cursor), null);
});
