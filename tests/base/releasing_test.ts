import { releasing } from "../../src/base/collections.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";

function held() {
  const state = { isHeld: true, [Symbol.dispose]: () => void (state.isHeld = false) };
  return state;
}

async function* two() {
  yield await Promise.resolve(1);
  yield 2;
}

Deno.test("releasing() releases at the end, after an error, and when the reader stops, even before the first item", async () => {
  const ended = held();
  assertEquals(await Array.fromAsync(releasing(two(), ended)), [1, 2]);
  assertEquals(ended.isHeld, false);

  const left = held();
  for await (const _ of releasing(two(), left)) {
    assertEquals(left.isHeld, true);
    break;
  }
  assertEquals(left.isHeld, false);

  const unread = held();
  await ReadableStream.from(releasing(two(), unread)).cancel();
  assertEquals(unread.isHeld, false);

  const torn = held();
  async function* failing(): AsyncGenerator<number, void> {
    yield await Promise.reject(new Error("torn"));
  }
  await rejects(Array.fromAsync(releasing(failing(), torn)), /torn/);
  assertEquals(torn.isHeld, false);
});
