import { hasWorkDue, stayWhileDue } from "../../../src/app/composition/schedule.ts";
import { mailQueue } from "../../../src/messages/alerts/mail_store.ts";
import { dueQueue } from "../../../src/messages/webhooks/delivery_store.ts";
import { dirtyQueue, outboxQueue } from "../../../src/platform/events/outbox_store.ts";
import { claimed } from "../../../src/platform/jobs/job.ts";
import { addJob, findStoredJob, saveJob } from "../../../src/platform/jobs/job_store.ts";
import { createClock } from "../../../src/platform/store/context.ts";
import { type Store, transact, type Write } from "../../../src/platform/store/kv.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const NOW_MS = Date.parse("2026-03-02T10:00:00Z");
const HORIZON_MS = NOW_MS + 60_000;
const LATER_MS = HORIZON_MS + 1;

interface Scene {
  readonly store: Store;
  readonly newId: () => string;
}

async function withStore(work: (scene: Scene) => Promise<void>): Promise<void> {
  const store = await openMemoryStore();
  const { newId } = await createClock(store, () => new Date(NOW_MS));
  await work({ store, newId });
  store.kv.close();
}

const isDue = ({ store }: Scene) => hasWorkDue(store, HORIZON_MS);

const put = ({ store }: Scene, rows: (write: Write) => unknown) =>
  transact({ store }, (write) => Promise.resolve(void rows(write)));

/** Functions that add a row of another workspace, due at `dueMs`. */
const ROWS: Readonly<Record<string, (scene: Scene, dueMs: number) => (write: Write) => unknown>> = {
  "an event": ({ newId }, dueMs) => (write) =>
    outboxQueue.add(write, {
      partition: [newId()],
      id: newId(),
      dueMs,
      value: { bytes: new Uint8Array(), at: "", from: 0, failures: 0 },
    }),
  "products to evaluate": ({ newId }, dueMs) => (write) =>
    dirtyQueue.add(write, {
      partition: [newId()],
      id: newId(),
      dueMs,
      value: { cause: "clock", ref: null, productIds: [], from: 0 },
    }),
  "a delivery": ({ newId }, dueMs) => (write) =>
    dueQueue.add(write, {
      partition: [newId(), newId()],
      id: newId(),
      dueMs,
      value: { failures: 1 },
    }),
  "a mail": ({ newId }, dueMs) => (write) =>
    mailQueue.add(write, {
      partition: [newId()],
      id: newId(),
      dueMs,
      value: { failures: 0, alertIds: [], to: null },
    }),
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
  Deno.test(`hasWorkDue() sees ${name} in time, behind rows that are not due`, async () => {
    await withStore(async (scene) => {
      for (let n = 0; n < 3; n++) await put(scene, row(scene, LATER_MS));
      assertEquals(await isDue(scene), false);
      await put(scene, row(scene, HORIZON_MS - 1));
      assertEquals(await isDue(scene), true);
    });
  });
}

Deno.test("hasWorkDue() sees a running job", async () => {
  await withStore(async (scene) => {
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
});

Deno.test("stayWhileDue() ends when nothing is due, and at a stop, and throws no error", async () => {
  await withStore(async (scene) => {
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
});
