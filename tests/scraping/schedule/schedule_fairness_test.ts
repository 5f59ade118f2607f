import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { idBytes } from "../../../src/base/id.ts";
import { keepSchedule, saveDue, walkDue } from "../../../src/scraping/schedule/schedule.ts";
import {
  listScheduleMarks,
  markForSchedule,
} from "../../../src/catalogue/products/product_mark_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { workspaceNumber } from "../../platform/jobs/counting.ts";
import { onEveryStore } from "../../stores.ts";

onEveryStore.test("marked products of workspaces are handled in turn, however many one of them has", async (store) => {
  const marked = [[1, 40], [2, 3], [3, 20]] as const;
  await transact({ store }, (write) => {
    for (const [workspace, products] of marked) {
      for (let n = 0; n < products; n++) {
        markForSchedule(write, workspaceNumber(workspace), workspaceNumber(n));
      }
    }
    return Promise.resolve();
  });
  const shares = async (max: number) => {
    const marks = await listScheduleMarks(store, max);
    return marked.map(([workspace]) =>
      marks.filter(({ workspaceId }) => workspaceId === workspaceNumber(workspace)).length
    );
  };
  assertEquals(await shares(30), [14, 3, 13]);
  assertEquals(await shares(6), [2, 2, 2]);
  assertEquals(await shares(1_000), [40, 3, 20]);
});

onEveryStore.test("an unreadable marked product does not block other workspaces", async (store) => {
  const [poisoned, sound] = [workspaceNumber(1), workspaceNumber(2)];
  await transact({ store }, (write) => {
    write.set(["p", idBytes(poisoned), idBytes(workspaceNumber(7))], new Uint8Array([1]));
    markForSchedule(write, poisoned, workspaceNumber(7));
    markForSchedule(write, sound, workspaceNumber(8));
    return Promise.resolve();
  });
  await keepSchedule({
    store,
    delayMs: 2_000,
    now: () => new Date("2026-03-02T09:00:00Z"),
    newId: () => workspaceNumber(9),
  });
  const left = (await listScheduleMarks(store, 10)).map(({ workspaceId }) => workspaceId);
  assertEquals(left, [poisoned]);
});

onEveryStore.test("due products of workspaces become runs in turn, however long one of them waits", async (store) => {
  const nowMs = Date.parse("2026-03-02T09:00:00Z");
  const due = { baseMs: 0, intervalHours: 24, load: { domains: {}, competitors: {} } };
  const scheduled = [[1, 300, nowMs - 9_000_000], [2, 40, nowMs - 1_000]] as const;
  for (const [workspace, products, dueAtMs] of scheduled) {
    for (let at = 0; at < products; at += 10) {
      await transact({ store }, (write) => {
        for (let n = at; n < at + 10; n++) {
          const productId = workspaceNumber(16 * n);
          const plan = { ...due, productId, dueAtMs: dueAtMs + n };
          saveDue(write, workspaceNumber(workspace), productId, null, plan);
        }
        return Promise.resolve();
      });
    }
  }
  const rows = await Array.fromAsync(walkDue(store, nowMs, 60));
  const of = (workspace: number) =>
    rows.filter(({ workspaceId }) => workspaceId === workspaceNumber(workspace));
  assertEquals([of(1).length, of(2).length], [30, 30]);
  const times = of(1).map(({ dueAtMs }) => dueAtMs - nowMs + 9_000_000);
  assertEquals(times, [...Array(30).keys()], "the oldest first");
});
