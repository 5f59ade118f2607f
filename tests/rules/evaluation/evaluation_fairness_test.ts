import { dirtyQueue } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { startTestApp } from "../../harness.ts";
import { withStore } from "../../memory_store.ts";
import { productId } from "../../platform/events/outbox.ts";
import { createTestClock, workspaceNumber } from "../../platform/jobs/counting.ts";
import { watchedStore } from "../../watched_store.ts";
import { judgeDue, queuePushed } from "./judge_all.ts";
import { addRule } from "./market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ROWS = 40;

withStore.test("a workspace with 4,000 dirty products takes turns with one that has a single one", async (store) => {
  const clock = createTestClock();
  let flooding = "";
  {
    await using app = await startTestApp({ store });
    await addRule(app.owner);
    flooding = app.workspaceId;
  }
  const calm = workspaceNumber(0).replace(/^0/, "f");
  await transact({ store }, (write) => {
    const add = (workspaceId: string, n: number, count: number) =>
      queuePushed(write, {
        workspaceId,
        id: workspaceNumber(n),
        productIds: Array.from({ length: count }, (_, at) => productId(n * 100 + at)),
        now: clock.now(),
      });
    for (let n = 0; n < ROWS; n++) add(flooding, n, 100);
    add(calm, ROWS, 1);
    return Promise.resolve();
  });
  const waiting = async (workspaceId: string) =>
    (await Array.fromAsync(dirtyQueue.list(store, [workspaceId]))).length;
  let left = ROWS;
  let leftWhenServed: number | null = null;
  const committed = async () => {
    left = await waiting(flooding);
    if (leftWhenServed === null && await waiting(calm) === 0) leftWhenServed = left;
  };
  await judgeDue(watchedStore(store, { committed }), clock);
  assertEquals([left, await waiting(flooding), await waiting(calm)], [0, 0, 0]);
  ok(
    leftWhenServed !== null && leftWhenServed >= ROWS - 2,
    `${leftWhenServed} of ${ROWS} were left`,
  );
});
