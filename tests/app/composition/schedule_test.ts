import {
  addMaintenanceJobs,
  addRetentionJob,
  cronEntries,
} from "../../../src/app/composition/schedule.ts";
import { idBytes } from "../../../src/base/id.ts";
import { NO_WORKSPACE } from "../../../src/platform/jobs/job.ts";
import { findJob, listJobs, waitForJob } from "../../../src/platform/jobs/job_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { competitors, leavingCompetitors } from "../../../src/shops/competitor_store.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import { addTargets, scrape, withScrapingApp } from "../../scraping/scraping_app.ts";
import { addMatch, addProduct } from "../../shops/shop.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

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

withScrapingApp.test("runs are deleted after 90 days with all their rows, fetch counts after a day", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const run = await scrape(app, await addTargets(app, `${shop.base}/p`));
  assertEquals(await countRows(app, "rr", "rp", "re", "ra", "hc"), [1, 1, 1, 0, 1]);
  app.clock.advance(26 * 3_600_000);
  await tidyUp(app);
  assertEquals(await countRows(app, "rr", "hc"), [1, 0]);
  await app.viewer.read(`/api/scrape-runs/${run.id}`);
  app.clock.advance(88 * 86_400_000);
  await tidyUp(app);
  assertEquals(await countRows(app, "rr", "hc"), [1, 0]);
  app.clock.advance(2 * 86_400_000);
  await tidyUp(app);
  assertEquals(await countRows(app, "rr", "rp", "re"), [0, 0, 0]);
  assertEquals(await findJob(app, "scrape", run.id), null);
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
