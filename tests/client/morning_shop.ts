import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import { addTrendJobs } from "../../src/market/trends/trend_job.ts";
import { listJobs, waitForJob } from "../../src/platform/jobs/job_store.ts";
import type { TestApp } from "../harness.ts";
import { PATIENCE_MS } from "../patience.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";

const CATEGORIES = ["Kaffee & Tee", "Kühlen & Gefrieren", "Waschen & Trocknen", "Fernseher"];
const SHOPS = ["sparmarkt", "technik-weber", "elektro-brandt", "kuecheneck", "haushalt24"];
const PER_CATEGORY = 6;
/** From the start of the test until trends are stored in the evening, Berlin time. */
const UNTIL_TREND_MS = 13 * HOUR_MS + 50 * 60_000;
/** From the second evening until the morning on which the first proposals expire. */
const UNTIL_MORNING_MS = 5 * DAY_MS + 6 * HOUR_MS + 10 * 60_000;

/**
 * Fills a workspace for the overview, and moves the clock on by almost seven days, to the morning
 * on which the first proposals expire. Trends are stored on two evenings. One shop was visited only
 * on the first day, and two others lowered prices this morning.
 */
export async function fillMorning(app: TestApp): Promise<void> {
  const rows: [sku: string, shop: string, price: number][] = [];
  for (const [at, category] of CATEGORIES.entries()) {
    for (let n = 0; n < PER_CATEGORY; n++) {
      const sku = `P-${at}${n}`;
      const title = `Gerät ${n} für ${category}`;
      // We sell product 0 for less than all shops.
      await addProduct(app.owner, sku, { title, category, costPrice: n === 1 ? 95 : 50 });
      for (const [shop, name] of SHOPS.entries()) {
        rows.push([sku, name, n === 0 ? 120 + shop : 92 + at * 3 + shop * 2 + n]);
      }
    }
  }
  await push(app, rows);
  await addRule(app.owner, { name: "Kaffee: günstigster Preis" });
  await push(app, [["P-01", "sparmarkt", 92]]);
  await untilJudged(app);
  // After the first decision on a proposal, the overview has no set-up steps.
  const { items: [first] } = await app.owner.read("/api/proposals?status=open&limit=1");
  await app.owner.act(`/api/proposals/${first.id}/reject`, {});
  app.clock.advance(UNTIL_TREND_MS);
  await takeTrend(app);
  app.clock.advance(DAY_MS);
  await takeTrend(app);
  app.clock.advance(UNTIL_MORNING_MS);
  await push(app, rows.filter(([, shop]) => shop !== SHOPS.at(-1)));
  app.clock.advance(HOUR_MS);
  await push(app, [
    ...["P-01", "P-02", "P-03", "P-04"].map((sku) => [sku, "sparmarkt", 85] as const),
    ["P-10", "technik-weber", 110],
  ]);
  await untilJudged(app);
}

async function takeTrend(app: TestApp): Promise<void> {
  const { store, app: { clock: appClock } } = app;
  await addTrendJobs({ store, clock: appClock }, app.clock.now());
  const page = { kind: "market_trend", limit: 10, afterId: null, order: "oldest" } as const;
  for (const { jobId } of (await listJobs(app, page)).jobs) {
    await waitForJob(app, "market_trend", jobId, PATIENCE_MS);
  }
}
