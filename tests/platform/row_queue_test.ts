import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import { RowQueue, walkDue, WalkPosition } from "../../src/platform/store/row_queue_store.ts";
import { onEveryStore } from "../stores.ts";
import { workspaceNumber } from "./jobs/counting.ts";

const NOW_MS = 1_000_000;
const [FLOOD, CALM, LAST] = [workspaceNumber(1), workspaceNumber(2), workspaceNumber(3)];
const RECEIVERS = 1_000;
const receiver = (n: number) => workspaceNumber(RECEIVERS + n);

function openQueue(store: Store, partitionIds: number) {
  const queue = new RowQueue<null>("qq", partitionIds);
  const now = () => new Date(NOW_MS);
  const walking = { store, position: new WalkPosition(), now, backoffMsMax: () => 1_000 };
  let rows = 0;
  return {
    queue,
    async add(partition: readonly string[], count: number, dueMs = NOW_MS) {
      await transact({ store }, (write) => {
        for (let n = 0; n < count; n++) {
          queue.add(write, { partition, id: workspaceNumber(++rows), dueMs, value: null });
        }
      });
    },
    walkRows: (waits: (dueMs: number) => void = () => {}) => walkDue(queue, { ...walking, waits }),
    /** Takes up to `max` rows in a new walk, and returns their partitions. */
    async walk(max = Infinity): Promise<string[]> {
      const served: string[] = [];
      for await (const row of walkDue(queue, walking)) {
        await transact({ store }, async (write) => {
          const found = await queue.findAgain(store, row);
          if (found) queue.take(write, found);
        });
        const of = row.partition.map((id) =>
          Number(`0x${id}`) - (id === row.partition[0] ? 0 : RECEIVERS)
        );
        if (served.push(of.join("/")) === max) break;
      }
      return served;
    },
  };
}

onEveryStore.test("walkDue() serves workspaces in turn, however many rows one of them has", async (store) => {
  const { add, walk } = openQueue(store, 1);
  await add([FLOOD], 5);
  await add([CALM], 2);
  await add([LAST], 1);
  assertEquals(await walk(), ["1", "2", "3", "1", "2", "1", "1", "1"]);
});

onEveryStore.test("walkDue() continues after the last served partition if a walk ended early", async (store) => {
  const { add, walk } = openQueue(store, 1);
  await add([FLOOD], 9);
  await add([CALM], 2);
  await add([LAST], 2);
  const served: string[] = [];
  for (let n = 0; n < 6; n++) served.push(...await walk(1));
  assertEquals(served, ["1", "2", "3", "1", "2", "3"]);
});

onEveryStore.test("walkDue() takes a workspace's partitions in turn, and one row of a workspace per round", async (store) => {
  const { add, walk } = openQueue(store, 2);
  for (let n = 0; n < 4; n++) await add([FLOOD, receiver(n)], 2);
  await add([CALM, receiver(9)], 3);
  const served: string[] = [];
  for (let n = 0; n < 8; n++) served.push(...await walk(1));
  assertEquals(served, ["1/0", "2/9", "1/1", "2/9", "1/2", "2/9", "1/3", "1/0"]);
});

onEveryStore.test("walkDue() reports when later rows are due, and keeps rows that are not taken", async (store) => {
  const { add, walkRows } = openQueue(store, 1);
  await add([FLOOD], 2);
  await add([CALM], 1, NOW_MS + 500);
  const waits = new Set<number>();
  const served = await Array.fromAsync(walkRows((dueMs) => waits.add(dueMs)), ({ id }) => id);
  assertEquals([served, [...waits]], [[workspaceNumber(1)], [NOW_MS + 500]]);
});

onEveryStore.test("walkDue() starts after the row at which the last walk failed", async (store) => {
  const { add, walk, walkRows } = openQueue(store, 1);
  await add([FLOOD], 1);
  await add([CALM], 1);
  const breaking = Array.fromAsync(walkRows(), () => Promise.reject(new Error("poison")));
  await rejects(breaking, /poison/);
  assertEquals(await walk(1), ["2"]);
});

onEveryStore.test("listeners of a queue are notified once per commit with rows, and of no other commits", async (store) => {
  const { queue, add } = openQueue(store, 1);
  let heard = 0;
  const end = queue.onAdded(store, () => heard++);
  await add([FLOOD], 3);
  assertEquals(heard, 1);
  const row = { partition: [FLOOD], id: workspaceNumber(99), dueMs: NOW_MS, value: null };
  await rejects(transact({ store }, (write) => {
    queue.add(write, row);
    return Promise.reject(new Error("The work breaks off"));
  }));
  const others = new RowQueue<null>("qr", 1);
  await transact({ store }, (write) => others.add(write, row));
  assertEquals(heard, 1);
  end();
  await add([FLOOD], 1);
  assertEquals(heard, 1);
});
