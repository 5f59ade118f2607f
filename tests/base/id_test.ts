import { deepStrictEqual as assertEquals, match, ok as assert, throws } from "node:assert/strict";
import { createIdSource, createUlidSource, idBytes, idText, isId } from "../../src/base/id.ts";
import { isGtin } from "../../src/base/codes.ts";
import fc from "fast-check";

Deno.test("createIdSource() writes seconds, the source's bytes and a counter", () => {
  const seed = new Uint8Array([1, 2, 3, 4, 5, 0, 0, 0x0a]);
  const newId = createIdSource(() => 0x68c0ffee * 1000 + 999, () => seed);
  assertEquals([newId(), newId()], ["68c0ffee010203040500000b", "68c0ffee010203040500000c"]);
});

Deno.test("createIdSource() gives ever greater ids, even if the clock goes back or the counter wraps", () => {
  const instants = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 2, maxLength: 50 });
  const eightBytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
  fc.assert(fc.property(instants, eightBytes, (times, bytes) => {
    bytes.set([0xff, 0xff], 5);
    let call = 0;
    const newId = createIdSource(() => times[call++]!, () => bytes);
    const ids = times.map(() => newId());
    assertEquals(ids, [...new Set(ids)].sort());
    assert(ids.every(isId));
  }));
});

Deno.test("idBytes() and idText() are inverse, and assert their input", () => {
  const twelve = fc.uint8Array({ minLength: 12, maxLength: 12 });
  fc.assert(fc.property(twelve, (bytes) => assertEquals(idBytes(idText(bytes)), bytes)));
  throws(() => idBytes("0".repeat(23) + "g"), { name: "AssertionError" });
  throws(() => idText(new Uint8Array(11)), { name: "AssertionError" });
});

Deno.test("isId() is true only for 24 lower-case hex digits", () => {
  const hex = "0123456789abcdef01234567";
  assertEquals(
    [hex, hex.toUpperCase(), hex + "0", hex.slice(1), hex + "\n", "", "g" + hex.slice(1)].map(isId),
    [true, false, false, false, false, false, false],
  );
});

const bytes = (fill: number) => () => new Uint8Array(10).fill(fill);

Deno.test("createUlidSource() writes the time of the ULID specification's example, and all 80 random bits", () => {
  match(createUlidSource(() => 1_469_918_176_385, bytes(0))(), /^01ARYZ6S41/);
  assertEquals(createUlidSource(() => 0, bytes(0xff))(), "0".repeat(10) + "Z".repeat(16));
  assertEquals(createUlidSource(() => 0, bytes(0x08))(), "0000000000" + "1040G208".repeat(2));
});

Deno.test("createUlidSource() carries into the time when the random part is full", () => {
  const newUlid = createUlidSource(() => 7, bytes(0xff));
  assertEquals(newUlid(), "0000000007" + "Z".repeat(16));
  assertEquals(newUlid(), "0000000008" + "0".repeat(16));
});

Deno.test("createUlidSource() gives ever greater ULIDs, even if the clock goes back", () => {
  const drawn = fc.uint8Array({ minLength: 10, maxLength: 10 });
  const asked = fc.tuple(fc.integer({ min: 0, max: 20 }), drawn);
  fc.assert(fc.property(fc.array(asked, { minLength: 2, maxLength: 40 }), (calls) => {
    let call = -1;
    const newUlid = createUlidSource(() => calls[++call]![0], () => calls[call]![1]);
    const ulids = calls.map(() => newUlid());
    assertEquals(ulids, [...new Set(ulids)].sort());
    ulids.forEach((ulid) => match(ulid, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/));
  }));
});

const GOOD = ["4006381333931", "73513537", "036000291452", "10614141000415", "00000000000000"];

Deno.test("isGtin() accepts GTIN-8, -12, -13 and -14, and refuses other lengths and characters", () => {
  const bad = ["", "4", " 4006381333931", "400638133393X", "４００６３８１３３３９３１"]
    .concat(["400638133393", "40063813339310"]);
  assertEquals([...GOOD, ...bad].filter(isGtin), GOOD);
});

Deno.test("isGtin() detects every single wrong digit", () => {
  const pick = fc.tuple(fc.constantFrom(...GOOD), fc.nat(13), fc.integer({ min: 1, max: 9 }));
  fc.assert(fc.property(pick, ([gtin, position, by]) => {
    const at = position % gtin.length;
    const wrong = gtin.slice(0, at) + ((Number(gtin[at]) + by) % 10) + gtin.slice(at + 1);
    assertEquals(isGtin(wrong), false);
  }));
});
