import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { eachApart, WorkLoop } from "../../../src/platform/jobs/work_loop.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { createGate, nextTurn, PATIENCE_MS, until } from "../../patience.ts";
import { Failure } from "../../../src/base/failure.ts";

/** A loop that runs only when woken. Its rounds end when the test opens `gate`. */
function openLoop(pauseMinMs: number) {
  const state = { begun: 0, gate: createGate() };
  const loop = new WorkLoop({
    name: "test",
    sweepMs: PATIENCE_MS,
    pauseMinMs,
    log: roomLog("test"),
    async round() {
      state.begun++;
      await state.gate.passed;
      return null;
    },
  });
  loop.start();
  return { loop, state };
}

Deno.test("a loop that is woken several times during a round and its pause makes one more round", async () => {
  const { loop, state } = openLoop(20);
  for (let n = 0; n < 5; n++) loop.wake();
  state.gate.open();
  await nextTurn();
  for (let n = 0; n < 5; n++) loop.wake();
  await until("a second round has begun", () => state.begun === 2);
  await loop.stop();
  assertEquals(state.begun, 2);
});

Deno.test("a loop that is stopped does not finish its pause", async () => {
  const { loop, state } = openLoop(PATIENCE_MS);
  state.gate.open();
  await nextTurn();
  loop.wake();
  await loop.stop();
  assertEquals(state.begun, 1);
});

Deno.test("eachApart() continues after a failure, and stops when the store is not writable", async () => {
  const done: number[] = [];
  const work = (refusal: Error) => (n: number) => {
    if (n === 2) return Promise.reject(refusal);
    done.push(n);
    return Promise.resolve();
  };
  await eachApart("test", [1, 2, 3], work(new Error("poison")));
  assertEquals(done, [1, 3]);
  const away = new Failure("unavailable", "The store is away");
  await rejects(eachApart("test", [1, 2, 3], work(away)), away);
  assertEquals(done, [1, 3, 1]);
});
