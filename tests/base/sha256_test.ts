import { sha256, sha256Hex } from "../../src/base/bytes.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

// FIPS 180-4, example of the message "abc".
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Deno.test("sha256Hex() hashes the standard's example", () => assertEquals(sha256Hex("abc"), ABC));

Deno.test("sha256() gives the same 32 bytes for text and its UTF-8", () => {
  assertEquals(sha256("abc"), Uint8Array.fromHex(ABC));
  assertEquals(sha256(new TextEncoder().encode("€")), sha256("€"));
});
