import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { checkObservations } from "../../../src/shops/check_observations.ts";
import { addProduct } from "../shop.ts";
import { startTestApp } from "../../harness.ts";
import { onEveryStore } from "../../stores.ts";
import { listed, pushed, thinningRunner } from "./history.ts";

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
  const runner = await thinningRunner(app);
  await runner.drain();
  await runner.stop();
  assertEquals(await listed(key, "", 50), before);
  assertEquals(await Array.fromAsync(checkObservations(store, app.workspaceId)), []);
});
