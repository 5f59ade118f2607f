import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { commandContext, createClock } from "../../src/platform/store/context.ts";
import { addJob } from "../../src/platform/jobs/job_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { quietMetrics } from "./quiet_metrics.ts";
import { openMemoryStore, withStore } from "../memory_store.ts";

const linesOf = (text: string, name: string) =>
  text.split("\n").filter((line) => line.startsWith(`${name}{`));

withStore.test("request metrics: unknown methods share one series, however many a client invents", async (store) => {
  const metrics = quietMetrics(store);
  metrics.count("GET", 200, 1);
  for (let n = 0; n < 1_000; n++) metrics.count(`BREW${n}`, 405, 1);
  assertEquals(linesOf(await metrics.render(), "kurant_http_requests_total"), [
    'kurant_http_requests_total{method="GET",status="200"} 1',
    'kurant_http_requests_total{method="other",status="405"} 1000',
  ]);
});

withStore.test("market metrics: figures are computed only when they are requested", async (store) => {
  const figures = {
    ...{ tableBytes: 17, movesKept: 3 },
    counters: { movesCut: 0, loads: 1, productsReadAnew: 5, trendDays: { taken: 4, skipped: 1 } },
  };
  const metrics = quietMetrics(store, figures);
  const shown = async () =>
    (await metrics.render()).split("\n").filter((line) => line.startsWith("kurant_market_"));
  const lines = (bytes: number) => [
    `kurant_market_table_bytes ${bytes}`,
    "kurant_market_loads_total 1",
    "kurant_market_products_read_total 5",
    "kurant_market_moves 3",
    "kurant_market_moves_cut_total 0",
    'kurant_market_trend_days_total{outcome="taken"} 4',
    'kurant_market_trend_days_total{outcome="skipped"} 1',
  ];
  assertEquals(await shown(), lines(17));
  // A second request for the metrics must not count anything twice.
  figures.tableBytes = 18;
  assertEquals(await shown(), lines(18));
});

Deno.test("job metrics: waiting jobs are counted by kind, and other figures work without the store", async () => {
  const store = await openMemoryStore();
  const clock = await createClock(store, () => new Date());
  const ctx = commandContext({ store, clock }, clock.newId());
  const metrics = quietMetrics(store);
  assertEquals(linesOf(await metrics.render(), "kurant_jobs"), []);
  for (const kind of ["import", "import", "scrape_run"]) {
    await transact(
      ctx,
      (write) => Promise.resolve(addJob(write, ctx, { kind, args: {}, stats: {} })),
    );
  }
  assertEquals(linesOf(await metrics.render(), "kurant_jobs"), [
    'kurant_jobs{kind="import",status="queued"} 2',
    'kurant_jobs{kind="scrape_run",status="queued"} 1',
  ]);
  store.kv.close();
  metrics.count("GET", 503, 1);
  const away = await metrics.render();
  assertEquals(linesOf(away, "kurant_jobs"), []);
  assertEquals(linesOf(away, "kurant_http_requests_total").length, 1);
});
