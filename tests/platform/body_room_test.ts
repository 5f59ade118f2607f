import assert from "node:assert/strict";
import fc from "fast-check";
import { createBodyRoom } from "../../src/platform/fetch/fetch_limits.ts";

const LIMITS = { smallBytes: 100, largeAtOnce: 4 };

const flush = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

/**
 * `grow` begins a body of `bytes`. `admitted` lists the names of the bodies that may use memory.
 */
function createPlaces() {
  const room = createBodyRoom(LIMITS);
  const admitted: string[] = [];
  return {
    admitted,
    grow(partition: string, name: string, bytes = 101) {
      const place = room.begin(partition);
      void place.admit(bytes).then(() => admitted.push(name));
      return place;
    },
  };
}

Deno.test("small bodies never wait, however many there are", async () => {
  const { grow, admitted } = createPlaces();
  for (let n = 0; n < 1_000; n++) grow("a", `${n}`, 100);
  await flush();
  assert.equal(admitted.length, 1_000);
});

Deno.test("a single workspace gets at most half of the large places, so that others find some free", async () => {
  const { grow, admitted } = createPlaces();
  const held = ["a1", "a2", "a3"].map((name) => grow("a", name));
  grow("b", "b1");
  await flush();
  assert.deepEqual(admitted, ["a1", "a2", "b1"]);
  held[0]![Symbol.dispose]();
  await flush();
  assert.deepEqual(admitted, ["a1", "a2", "b1", "a3"]);
});

Deno.test("a body that is disposed of while waiting is skipped, and frees nothing", async () => {
  const { grow, admitted } = createPlaces();
  const first = grow("a", "a1");
  grow("a", "a2");
  const impatient = grow("a", "a3");
  grow("a", "a4");
  impatient[Symbol.dispose]();
  impatient[Symbol.dispose]();
  await flush();
  assert.deepEqual(admitted, ["a1", "a2"]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  grow("a", "a5");
  await flush();
  assert.deepEqual(admitted, ["a1", "a2", "a4"]);
});

Deno.test("a growing body is admitted once", async () => {
  const room = createBodyRoom(LIMITS);
  using place = room.begin("a");
  for (const bytes of [10, 100, 101, 5_000, 9_000]) await place.admit(bytes);
  using second = room.begin("a");
  await second.admit(101);
  using third = room.begin("b");
  await third.admit(101);
});

Deno.test("the limit of places is never exceeded, and everyone is served in the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("a", "b", "c")), async (partitions) => {
      const room = createBodyRoom(LIMITS);
      let held = 0;
      let served = 0;
      await Promise.all(partitions.map(async (partition) => {
        using place = room.begin(partition);
        await place.admit(200);
        assert.ok(++held <= LIMITS.largeAtOnce);
        await flush();
        held--;
        served++;
      }));
      assert.equal(served, partitions.length);
    }),
  );
});
