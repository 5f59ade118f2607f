import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { checkObservations } from "../../../src/shops/check_observations.ts";
import {
  addThinningJobs,
  createThinningKind,
} from "../../../src/shops/observations/retention_job.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { addProduct } from "../shop.ts";
import { startTestApp } from "../../harness.ts";
import { onEveryStore } from "../../stores.ts";
import { listed, pushed } from "./history.ts";

onEveryStore.test("observations are pushed over many shards, listed and packed", async (store) => {
  await using app = await startTestApp({ store });
  const key = await app.key(["observations:write"]);
  const skus = Array.from({ length: 24 }, (_, n) => `SKU-${n}`);
  for (const sku of skus) await addProduct(app.owner, sku);
  const startMs = app.clock.now().getTime() - 35 * 86_400_000;
  const rows = Array.from({ length: 240 }, (_, n) => ({
    sku: skus[n % skus.length],
    url: `https://shop-${n % 5}.example/${n % skus.length}`,
    price: n + 1,
    currency: "EUR",
    observedAt: new Date(startMs + n * 3_600_000).toISOString(),
  }));
  assertEquals((await pushed(key, rows)).errors, []);
  const before = await listed(key, "", 50);
  assertEquals(before.length, 240);
  const { clock: clockwork } = app.app;
  await addThinningJobs({ store, clock: clockwork }, app.clock.now());
  const kinds = [createThinningKind({ retentionDays: 400 })];
  const log = roomLog("test");
  const runner = new JobRunner({ store, clock: clockwork, boot: clockwork.newId(), kinds, log });
  await runner.drain();
  await runner.stop();
  assertEquals(await listed(key, "", 50), before);
  assertEquals(await Array.fromAsync(checkObservations(store, app.workspaceId)), []);
});
