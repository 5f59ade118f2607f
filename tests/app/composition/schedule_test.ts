import {
  addMaintenanceJobs,
  addRetentionJob,
  cronEntries,
  hasWorkDue,
  retentionTable,
  stayWhileDue,
} from "../../../src/app/composition/schedule.ts";
import { idBytes } from "../../../src/base/id.ts";
import { claimed, NO_WORKSPACE } from "../../../src/platform/jobs/job.ts";
import {
  addJob,
  findJob,
  findStoredJob,
  listJobs,
  saveJob,
  waitForJob,
} from "../../../src/platform/jobs/job_store.ts";
import { transact, type Write } from "../../../src/platform/store/kv.ts";
import { competitors, leavingCompetitors } from "../../../src/shops/competitor_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import {
  addTargets,
  begin,
  checked,
  scrape,
  startScrapingApp,
  withScrapingApp,
} from "../../scraping/scraping_app.ts";
import { importFile } from "../../imports/import_calls.ts";
import { UNDERCUT } from "../../rules/evaluation/market.ts";
import { readSucceeded } from "../../caller.ts";
import { addMatch, addProduct } from "../../shops/shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { mailQueue } from "../../../src/messages/alert_store.ts";
import { dueQueue } from "../../../src/messages/delivery_store.ts";
import { dirtyQueue, outboxQueue } from "../../../src/platform/events/outbox_store.ts";
import { createClock } from "../../../src/platform/store/context.ts";
import type { RowQueue } from "../../../src/platform/store/row_queue_store.ts";
import { closing } from "../../closing_store.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { testWith } from "../../opened.ts";
import { readConfig } from "../../../src/app/composition/config.ts";
import { glob } from "node:fs/promises";

function entriesOf({ store, app: { clock: appClock } }: TestApp) {
  return cronEntries({ store, clock: appClock, delayMs: 0 });
}

withApp.test("cronEntries() plans slots that a double trigger shares", (app) => {
  const slots = (at: string) =>
    Object.fromEntries(
      entriesOf(app).map(({ name, slotOf }) => [name, slotOf(new Date(at)).toISOString()]),
    );
  const night = slots("2026-03-02T01:40:59.999Z");
  assertEquals(night["due products"], "2026-03-02T01:40:00.000Z");
  assertEquals(night["retention"], "2026-03-02T01:10:00.000Z");
  assertEquals(night["maintenance"], "2026-03-02T01:40:00.000Z");
  const midnight = slots("2026-03-02T00:00:00.000Z");
  assertEquals(midnight["retention"], "2026-03-01T01:10:00.000Z");
  assertEquals(midnight["maintenance"], "2026-03-01T01:40:00.000Z");
});

async function tidyUp(app: TestApp): Promise<void> {
  const { store, clock, app: { clock: appClock } } = app;
  await addMaintenanceJobs({ store, clock: appClock }, clock.now());
  await addRetentionJob({ store, clock: appClock }, clock.now());
  for (const workspaceId of [NO_WORKSPACE, app.workspaceId]) {
    for (const kind of ["maintenance", "retention"]) {
      const page = { kind, limit: 100, afterId: null, order: "newest" } as const;
      const { jobs } = await listJobs({ store, workspaceId }, page);
      for (const { jobId } of jobs) {
        const job = await waitForJob({ store, workspaceId }, kind, jobId, PATIENCE_MS);
        assertEquals(job?.status, "succeeded");
      }
    }
  }
}

async function countRows({ store }: TestApp, ...tables: string[]): Promise<number[]> {
  return await Promise.all(tables.map(async (table) => {
    return (await Array.fromAsync(store.kv.list({ prefix: [table] }))).length;
  }));
}

withScrapingApp.test("runs are deleted after 90 days with all their rows, hourly fetch counts after two days", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const run = await scrape(app, await addTargets(app, `${shop.base}/p`));
  assertEquals(await countRows(app, "rr", "rp", "re", "ra", "hc"), [1, 1, 1, 0, 1]);
  app.clock.advance(50 * 3_600_000);
  await tidyUp(app);
  assertEquals(await countRows(app, "rr", "hc"), [1, 0]);
  await app.viewer.read(`/api/scrape-runs/${run.id}`);
  app.clock.advance(87 * 86_400_000);
  await tidyUp(app);
  assertEquals(await countRows(app, "rr", "hc"), [1, 0]);
  app.clock.advance(2 * 86_400_000);
  await tidyUp(app);
  assertEquals(await countRows(app, "rr", "rp", "re"), [0, 0, 0]);
  assertEquals(await findJob(app, "scrape", run.id), null);
});

/** Tables whose keys contain an id of a job. */
async function tablesWith({ store }: TestApp, jobIds: readonly string[]): Promise<string[]> {
  const ids = new Set(jobIds.map((id) => idBytes(id).toHex()));
  const found = new Set<string>();
  for await (const { key } of store.kv.list({ prefix: [] })) {
    const isOfJob = key.some((part) => part instanceof Uint8Array && ids.has(part.toHex()));
    if (isOfJob) found.add(String(key[0]));
  }
  return [...found].sort();
}

Deno.test("simulations, link checks, imports and undos are deleted with all their rows", async () => {
  let laterMs = 0;
  const now = () => new Date(Date.now() + laterMs);
  await using app = await startScrapingApp({}, { now });
  await using shop = openShop({ "/p": priced("1.00") });
  await addTargets(app, `${shop.base}/p`);
  const { manager } = app;
  const key = await app.key(["products:write"]);
  const file = "sku;title;price\nR-1;Radio;1,00\n;ohne SKU;2,00\nR-2;Tuner;teuer\n";
  const { jobId: importId } = (await importFile(key, file, "text/csv")).data;
  const lines = ["R-1", "R-9"].map((sku) => ({ sku, url: `${shop.base}/p` }));
  const checkId = await begin(manager, { lines });
  await checked(app, checkId);
  const { id: simulationId } = await manager.begin("/api/simulations", { rule: UNDERCUT });
  await readSucceeded(app.viewer, `/api/simulations/${simulationId}`);
  const { jobId: undoId } = await manager.act(`/api/imports/${importId}/undo`);
  const jobIds = [simulationId, checkId, importId, undoId];
  const tables = ["j", "jf", "ji", "jk", "ju", "jv", "jw", "jy", "lc", "phi", "sm"];
  assertEquals(await tablesWith(app, jobIds), tables);
  laterMs = 402 * 86_400_000;
  await tidyUp(app);
  // The history of prices keeps who sent the import.
  assertEquals(await tablesWith(app, jobIds), ["phi"]);
});

withApp.test("maintenance finishes the deletion of a competitor that a dead process has begun", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { competitorId } = await addMatch(app.manager, productId, "https://gone.de/1");
  const found = await competitors.find(app, { id: competitorId });
  await transact(app, (write) => {
    competitors.remove(write, app, found!);
    leavingCompetitors.put(write, app, found!.row);
    return Promise.resolve();
  });
  assertEquals(await countRows(app, "cx", "m"), [1, 1]);
  await tidyUp(app);
  assertEquals(await countRows(app, "cx", "m"), [0, 0]);
});

withApp.test("copies that earlier versions stored are deleted at night", async (app) => {
  const workspace = idBytes(app.workspaceId);
  const generation = app.app.clock.newId();
  await app.store.kv.set(["mkh", workspace], { generation });
  await app.store.kv.set(["mkp", workspace, idBytes(generation), 0], new Uint8Array(9));
  for (const table of ["pst", "pq"]) {
    await app.store.kv.set([table, workspace, 7, 0], new Uint8Array(9));
  }
  await app.store.kv.set(["pf", workspace, 7, new Uint8Array()], new Uint8Array(9));
  for (const part of [[], [7]]) await app.store.kv.set(["pfv", workspace, ...part], "");
  const tables = ["mkh", "mkp", "pst", "pq", "pf", "pfv"];
  assertEquals(await countRows(app, ...tables), [1, 1, 1, 1, 1, 2]);
  await tidyUp(app);
  assertEquals(await countRows(app, ...tables), [0, 0, 0, 0, 0, 0]);
});

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

/** Returns a function that adds a row of a new workspace, with work that is due at `dueMs`. */
type MakeRow = (scene: Scene, dueMs: number) => (write: Write) => unknown;

const queued =
  <Value>(queue: RowQueue<Value>, value: Value, parts = 1): MakeRow => ({ newId }, dueMs) => {
    const partition = Array.from({ length: parts }, newId);
    return (write) => queue.add(write, { partition, id: newId(), dueMs, value });
  };

const jobAt = (dueMs: number) => {
  const notBefore = new Date(dueMs);
  return { kind: `kind-${dueMs}`, args: {}, stats: {}, notBefore };
};

const NO_PRODUCTS = { cause: "clock", ref: null, productIds: [], from: 0 } as const;

const ROWS: Readonly<Record<string, MakeRow>> = {
  "an event": queued(outboxQueue, { bytes: new Uint8Array(), at: "", from: 0, failures: 0 }),
  "products to evaluate": queued(dirtyQueue, NO_PRODUCTS),
  "a delivery": queued(dueQueue, { failures: 1 }, 2),
  "a mail": queued(mailQueue, { failures: 0, alertIds: [], to: null }),
  "a job": (scene, dueMs) => (write) => addJob(write, contextOf(scene), jobAt(dueMs)),
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
  const add = (write: Write) => Promise.resolve(addJob(write, ctx, jobAt(LATER_MS)));
  const job = await transact({ store }, add);
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

Deno.test("docs/operations.md shows the retention table line by line", async () => {
  const text = await Deno.readTextFile("docs/operations.md");
  for (const { what, days, setting } of retentionTable(readConfig(() => undefined))) {
    const line = text.split("\n").find((row) => row.startsWith(`| ${what} `));
    ok(line, `there is no line for ${what}`);
    const cells = line.split("|").map((cell) => cell.trim());
    assertEquals(cells[2], String(days), what);
    assertEquals(cells[3], setting === undefined ? "" : `\`${setting}\``, what);
  }
});

Deno.test("every sweep of a room is in the retention table or in the schedule", async () => {
  const planned = await Deno.readTextFile("src/app/composition/schedule.ts");
  const sweeps: string[] = [];
  for await (const path of glob("src/**/*.ts")) {
    const text = await Deno.readTextFile(path);
    const found = text.matchAll(/^export async function (sweep\w+)\(store: Store,/gm);
    sweeps.push(...[...found].map(([, name = ""]) => name));
  }
  ok(sweeps.length > 2);
  assertEquals(sweeps.filter((name) => !planned.includes(name)), []);
});
