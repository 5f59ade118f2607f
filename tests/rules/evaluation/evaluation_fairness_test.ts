import { changeProduct } from "../../../src/catalogue/changes/change_product.ts";
import { dirtyQueue } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { startTestApp } from "../../harness.ts";
import { withStore } from "../../memory_store.ts";
import { productId } from "../../platform/events/outbox.ts";
import { contextOf, createTestClock, workspaceNumber } from "../../platform/jobs/counting.ts";
import { watchedStore } from "../../watched_store.ts";
import { openTable } from "../../../src/rules/proposals/proposal_store.ts";
import { judgeDue, queuePushed } from "./judge_all.ts";
import { addProducts, addRule, pushJudged } from "./market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ROWS = 300;

withStore.test("a workspace with 4,000 dirty products takes turns with one that has a single one, and its rows are not all read for each of them", async (store) => {
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
    for (let n = 0; n < ROWS; n++) add(flooding, n, n < 40 ? 100 : 1);
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
  let rowsRead = 0;
  const listing = ([table]: Deno.KvKey) => void (rowsRead += table === "tq" ? 1 : 0);
  const watched = watchedStore(store, { committed });
  await judgeDue(watchedStore(watched, { listing }), clock);
  ok(rowsRead >= ROWS && rowsRead < ROWS * 8, `${rowsRead} rows read`);
  assertEquals([left, await waiting(flooding), await waiting(calm)], [0, 0, 0]);
  ok(
    leftWhenServed !== null && leftWhenServed >= ROWS - 2,
    `${leftWhenServed} of ${ROWS} were left`,
  );
});

const SAME_ROWS = 100;

withStore.test("many rows of the same few products are judged in one pass over all products, which finds the one with effects", async (store) => {
  const clock = createTestClock();
  let workspaceId = "";
  let ids: string[] = [];
  {
    await using app = await startTestApp({ store });
    await addRule(app.owner);
    const skus = Array.from({ length: 71 }, (_, n) => `S${n}`);
    ids = await addProducts(app, skus.map((sku) => ({ sku, ourPrice: 89 })));
    await pushJudged(app, [["S0", "acme", 90]]);
    workspaceId = app.workspaceId;
    clock.advance(app.clock.now().getTime() - clock.now().getTime());
  }
  const [changed = "", ...others] = ids.slice(0, 11);
  const options = { expected: null, allowsLargeChange: true };
  await changeProduct(contextOf(store, clock, workspaceId), changed, { ourPrice: 100 }, options);
  await transact({ store }, (write) => {
    for (let n = 0; n <= SAME_ROWS; n++) {
      const productIds = n === SAME_ROWS ? [changed] : others;
      queuePushed(write, { workspaceId, id: workspaceNumber(n), productIds, now: clock.now() });
    }
  });
  let commits = 0;
  await judgeDue(watchedStore(store, { committed: () => Promise.resolve(void commits++) }), clock);
  assertEquals((await Array.fromAsync(dirtyQueue.list(store, [workspaceId]))).length, 0);
  const open = await openTable.list({ store, workspaceId });
  assertEquals(open.map(({ row }) => row.productId), [changed]);
  ok(commits < SAME_ROWS / 5, `${commits} commits`);
});
