import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { WorkLoop } from "../../../src/platform/jobs/work_loop.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { createGate, nextTurn, PATIENCE_MS, until } from "../../patience.ts";

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
