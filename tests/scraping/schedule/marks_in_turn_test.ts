import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { idBytes } from "../../../src/base/id.ts";
import { keepSchedule } from "../../../src/scraping/schedule/keep_schedule.ts";
import { listScheduleMarks, markForSchedule } from "../../../src/catalogue/schedule_mark_store.ts";
import { transact } from "../../../src/platform/kv.ts";
import { workspaceNumber } from "../../platform/jobs/counting.ts";
import { testOnEveryStore } from "../../stores.ts";

testOnEveryStore(
  "marked products of workspaces are looked at in turn, however many one of them has",
  async (store) => {
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
  },
);

testOnEveryStore(
  "a marked product that cannot be read keeps no other workspace's from the schedule",
  async (store) => {
    const [poisoned, sound] = [workspaceNumber(1), workspaceNumber(2)];
    await transact({ store }, (write) => {
      write.set(["p", idBytes(poisoned), idBytes(workspaceNumber(7))], new Uint8Array([1]));
      markForSchedule(write, poisoned, workspaceNumber(7));
      markForSchedule(write, sound, workspaceNumber(8));
      return Promise.resolve();
    });
    await keepSchedule({ store, delayMs: 2_000, now: () => new Date("2026-03-02T09:00:00Z") });
    const left = (await listScheduleMarks(store, 10)).map(({ workspaceId }) => workspaceId);
    assertEquals(left, [poisoned]);
  },
);
