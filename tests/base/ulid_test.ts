import fc from "fast-check";
import { createUlidSource } from "../../src/base/id.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const bytes = (fill: number) => () => new Uint8Array(10).fill(fill);

Deno.test("createUlidSource() writes the time of the ULID specification's example", () => {
  match(createUlidSource(() => 1_469_918_176_385, bytes(0))(), /^01ARYZ6S41/);
});

Deno.test("createUlidSource() writes all 80 random bits", () => {
  assertEquals(createUlidSource(() => 0, bytes(0xff))(), "0".repeat(10) + "Z".repeat(16));
  assertEquals(createUlidSource(() => 0, bytes(0x08))(), "0000000000" + "1040G208".repeat(2));
});

Deno.test("createUlidSource() carries into the time when the random part is full", () => {
  const newUlid = createUlidSource(() => 7, bytes(0xff));
  assertEquals([newUlid(), newUlid()], [
    "0000000007" + "Z".repeat(16),
    "0000000008" + "0".repeat(16),
  ]);
});

Deno.test("createUlidSource() gives ever greater ULIDs, even if the clock goes back", () => {
  const drawn = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(fc.property(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), drawn), { minLength: 2, maxLength: 40 }),
    (calls) => {
      let call = -1;
      const newUlid = createUlidSource(() => calls[++call]![0], () => calls[call]![1]);
      const ulids = calls.map(() => newUlid());
      assertEquals(ulids, [...new Set(ulids)].sort());
      ulids.forEach((ulid) => match(ulid, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/));
    },
  ));
});
