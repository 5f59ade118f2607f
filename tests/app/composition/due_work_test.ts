import { hasWorkDue, stayWhileDue } from "../../../src/app/composition/schedule.ts";
import { mailQueue } from "../../../src/messages/alert_store.ts";
import { dueQueue } from "../../../src/messages/delivery_store.ts";
import { dirtyQueue, outboxQueue } from "../../../src/platform/events/outbox_store.ts";
import { claimed } from "../../../src/platform/jobs/job.ts";
import { addJob, findStoredJob, saveJob } from "../../../src/platform/jobs/job_store.ts";
import { createClock } from "../../../src/platform/store/context.ts";
import { transact, type Write } from "../../../src/platform/store/kv.ts";
import type { RowQueue } from "../../../src/platform/store/row_queue_store.ts";
import { closing } from "../../closing_store.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { testWith } from "../../opened.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const NOW_MS = Date.parse("2026-03-02T10:00:00Z");
const HORIZON_MS = NOW_MS + 60_000;
const LATER_MS = HORIZON_MS + 1;

async function openScene() {
  const store = closing(await openMemoryStore());
  const { newId } = await createClock(store, () => new Date(NOW_MS));
  return { store, newId, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

const withScene = testWith(openScene);

const isDue = ({ store }: Scene) => hasWorkDue(store, HORIZON_MS);

const put = ({ store }: Scene, rows: (write: Write) => unknown) =>
  transact({ store }, (write) => Promise.resolve(void rows(write)));

/** Returns a function that adds a row of another workspace, due at `dueMs`. */
type MakeRow = (scene: Scene, dueMs: number) => (write: Write) => unknown;

const queued =
  <Value>(queue: RowQueue<Value>, value: Value, parts = 1): MakeRow => ({ newId }, dueMs) => {
    const partition = Array.from({ length: parts }, newId);
    return (write) => queue.add(write, { partition, id: newId(), dueMs, value });
  };

const ROWS: Readonly<Record<string, MakeRow>> = {
  "an event": queued(outboxQueue, { bytes: new Uint8Array(), at: "", from: 0, failures: 0 }),
  "products to evaluate": queued(
    dirtyQueue,
    { cause: "clock", ref: null, productIds: [], from: 0 },
  ),
  "a delivery": queued(dueQueue, { failures: 1 }, 2),
  "a mail": queued(mailQueue, { failures: 0, alertIds: [], to: null }),
  "a job": (scene, dueMs) => (write) =>
    addJob(write, contextOf(scene), {
      kind: `kind-${dueMs}`,
      args: {},
      stats: {},
      notBefore: new Date(dueMs),
    }),
};

function contextOf({ newId }: Scene) {
  const actor = { type: "system", id: "test", name: "Test" } as const;
  return { workspaceId: newId(), actor, now: () => new Date(NOW_MS), newId };
}

for (const [name, row] of Object.entries(ROWS)) {
  withScene.test(`hasWorkDue() sees ${name} in time, behind rows that are not due`, async (scene) => {
    for (let n = 0; n < 3; n++) await put(scene, row(scene, LATER_MS));
    assertEquals(await isDue(scene), false);
    await put(scene, row(scene, HORIZON_MS - 1));
    assertEquals(await isDue(scene), true);
  });
}

withScene.test("hasWorkDue() sees a running job", async (scene) => {
  const { store, newId } = scene;
  const ctx = contextOf(scene);
  const job = await transact({ store }, (write) => {
    const notBefore = new Date(LATER_MS);
    return Promise.resolve(addJob(write, ctx, { kind: "a", args: {}, stats: {}, notBefore }));
  });
  const stored = await findStoredJob(store, job);
  const lease = { token: newId(), boot: newId(), untilMs: LATER_MS };
  await put(scene, (write) => saveJob(write, stored!, claimed(job, lease, ctx.now(), false)));
  assertEquals(await isDue(scene), true);
});

withScene.test("stayWhileDue() ends when nothing is due, and at a stop, and throws no error", async (scene) => {
  const { store } = scene;
  const clock = await createClock(store, () => new Date(NOW_MS));
  await stayWhileDue({ store, clock }, new AbortController().signal);
  const stopping = new AbortController();
  await put(scene, ROWS["a mail"]!(scene, NOW_MS));
  const stayed = stayWhileDue({ store, clock }, stopping.signal);
  stopping.abort();
  await stayed;
  const closed = await openMemoryStore();
  closed.kv.close();
  await stayWhileDue({ store: closed, clock }, new AbortController().signal);
});
