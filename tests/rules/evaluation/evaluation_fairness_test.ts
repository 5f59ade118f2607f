import { afterApp } from "./market.ts";
import { dirtyQueue } from "../../../src/platform/events/outbox_store.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { withStore } from "../../memory_store.ts";
import { productId } from "../../platform/events/outbox.ts";
import { workspaceNumber } from "../../platform/jobs/counting.ts";
import { watchedStore } from "../../watched_store.ts";
import { judgeDue, queuePushed } from "./judge_all.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ROWS = 300;

withStore.test("a workspace with 4,000 dirty products takes turns with one that has a single one, and its rows are not all read for each of them", async (store) => {
  const { ctx: flooding } = await afterApp({ store }, async (app) => ({ id: await app.addRule() }));
  const calm = { ...flooding, workspaceId: workspaceNumber(0).replace(/^0/, "f") };
  const idsOf = (n: number, count: number) =>
    Array.from({ length: count }, (_, at) => productId(n * 100 + at));
  await queuePushed(flooding, Array.from({ length: ROWS }, (_, n) => idsOf(n, n < 40 ? 100 : 1)));
  await queuePushed(calm, [idsOf(ROWS, 1)]);
  const waiting = async ({ workspaceId }: Context) =>
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
  await judgeDue(watchedStore(watched, { listing }), flooding);
  ok(rowsRead >= ROWS && rowsRead < ROWS * 8, `${rowsRead} rows read`);
  assertEquals([left, await waiting(flooding), await waiting(calm)], [0, 0, 0]);
  ok(
    leftWhenServed !== null && leftWhenServed >= ROWS - 2,
    `${leftWhenServed} of ${ROWS} were left`,
  );
});
