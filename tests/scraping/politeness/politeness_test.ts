import { readConfig } from "../../../src/app/composition/config.ts";
import { createForeignReader, createScraper } from "../../../src/app/composition/scraper.ts";
import type { SafeFetch } from "../../../src/platform/fetch/safe_fetch.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { waitForJob } from "../../../src/platform/jobs/job_store.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { createClock } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { askPermit, CALM, domains } from "../../../src/scraping/page/permit.ts";
import { createRunKind } from "../../../src/scraping/runs/run_kind.ts";
import { lastErrors } from "../../../src/scraping/schedule/health.ts";
import { domainOf } from "../../../src/shops/domain.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { withStore } from "../../memory_store.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { watchedStore } from "../../watched_store.ts";
import { heldBack, html, openShop, priced } from "../hostile_shop.ts";
import { usualGapMs } from "../killed_scraping.ts";
import {
  addTargets,
  ended,
  runIdsOf,
  runTick,
  scrape,
  SCRAPING_ENV,
  startRun,
  untilItWaits,
  withScrapingApp,
} from "../scraping_app.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/**
 * Starts a further process on the store, with a running clock. The process records when it sends a
 * request, because the request may arrive later.
 */
async function startWorker(
  { store }: TestApp,
  env: Record<string, string>,
  sentAtMs: number[],
): Promise<Pick<JobRunner, "stop">> {
  const reader = createForeignReader();
  const scraper = createScraper(readConfig((name) => env[name]), reader);
  const safeFetch: SafeFetch = (request) => {
    sentAtMs.push(Date.now());
    return scraper.safeFetch(request);
  };
  const appClock = await createClock(store, () => new Date());
  const kinds = [createRunKind({ ...scraper, safeFetch })];
  const boot = appClock.newId();
  const runner = new JobRunner({ store, clock: appClock, boot, kinds, log: roomLog("jobs") });
  await runner.start();
  return {
    stop: async () => {
      await runner.stop();
      reader[Symbol.dispose]();
    },
  };
}

const DELAY_MS = 150;

withStore.test("two processes fetch each target once, one at a time, with the delay between starts", async (store) => {
  const env = { ...SCRAPING_ENV, SCRAPE_DOMAIN_DELAY_MS: `${DELAY_MS}` };
  {
    // This app's clock stands still, so only the other two processes fetch pages.
    await using app = await startTestApp({ store, env });
    const pages = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`/${n}`, priced(`${n + 1}.00`)]),
    );
    await using shop = openShop(pages);
    const productIds: string[] = [];
    for (let n = 0; n < 4; n++) {
      productIds.push(await addTargets(app, `${shop.base}/${2 * n}`, `${shop.base}/${2 * n + 1}`));
    }
    await app.app.close();
    const sentAtMs: number[] = [];
    const others = await Promise.all([1, 2].map(() => startWorker(app, env, sentAtMs)));
    try {
      const runIds = await Promise.all(productIds.map((id) => startRun(app, id)));
      for (const runId of runIds) {
        const job = await waitForJob(app, "scrape", runId, PATIENCE_MS);
        assertEquals([job?.status, job?.hasErrors], ["succeeded", false]);
      }
    } finally {
      await Promise.all(others.map((other) => other.stop()));
    }
    const paths = shop.visits.map(({ path }) => path);
    assertEquals(paths.toSorted(), [...Object.keys(pages), "/robots.txt"].sort());
    assertEquals(shop.openMax(), 1);
    ok(usualGapMs(sentAtMs) >= 0.9 * DELAY_MS, String(sentAtMs));
  }
});

withScrapingApp.test("a manual run goes before due runs", async (app) => {
  const { page, requested, release } = heldBack(priced("3.00"));
  await using shop = openShop({ "/busy": page, "/due": priced("1.00"), "/manual": priced("2.00") });
  const busyRun = await startRun(app, await addTargets(app, `${shop.base}/busy`));
  await requested;
  const due = await addTargets(app, `${shop.base}/due`);
  await runTick(app);
  const [dueRun] = await runIdsOf(app, due);
  await untilItWaits(app, dueRun!);
  const manualRun = await startRun(app, await addTargets(app, `${shop.base}/manual`));
  await untilItWaits(app, manualRun);
  release();
  // Each run tries again when it is due. The clock advances only while the shop is free.
  for (const runId of [busyRun, manualRun, dueRun!]) {
    await ended(app, runId);
    app.clock.advance(5_000);
  }
  const pages = shop.asked();
  assertEquals(pages, ["/busy", "/manual", "/due"]);
});

withStore.test("a request that finds no robots.txt just before another request stores it fetches none", async (store) => {
  using reader = createForeignReader();
  const scraper = createScraper(readConfig(() => undefined), reader);
  const clock = await createClock(store, () => new Date());
  const url = "https://shop.example/p";
  const domain = domainOf(new URL(url));
  const busy = { token: "other", busyUntilMs: Date.now() + 10_000 };
  await transact({ store }, (write) => domains.put(write, {}, { ...CALM, ...busy, domain }));
  const watched = watchedStore(store, {
    async got([key]) {
      if (key?.[0] !== "rob") return;
      await transact({ store }, (write) => domains.put(write, {}, { ...CALM, domain }));
    },
  });
  const asking = { lane: 1, orderMs: 0, id: clock.newId(), reading: { partition: "w" } } as const;
  const next = await transact({ store: watched }, (write) => {
    const caller = { write, store: watched, now: () => clock.now(), newId: () => clock.newId() };
    return askPermit(scraper, caller, url, asking);
  });
  assertEquals(next.kind, "wait");
});

withScrapingApp.test("a shop in back-off is left alone: later targets are skipped as backing_off", async (app) => {
  await using shop = openShop({
    "/a": () => html("", { "Retry-After": "3600" }, 429),
    "/b": priced("1.00"),
  });
  const productId = await addTargets(app, `${shop.base}/a`, `${shop.base}/b`);
  const run = await scrape(app, productId);
  assertEquals(run.results.map(({ status, errorCode }) => [status, errorCode]), [
    ["failed", "blocked"],
    ["skipped", "backing_off"],
  ]);
  assertEquals([run.counts, run.hasErrors], [{ targets: 2, ok: 0, failed: 1, skipped: 1 }, true]);
  app.clock.advance(3_600_000);
  await scrape(app, productId);
  assertEquals(shop.visits.map(({ path }) => path), ["/robots.txt", "/a", "/a"]);
});

withScrapingApp.test("a page without a price does not stop the visits of a shop", async (app) => {
  await using shop = openShop({ "/a": () => html("<html>nothing</html>"), "/b": priced("1.00") });
  const run = await scrape(app, await addTargets(app, `${shop.base}/a`, `${shop.base}/b`));
  assertEquals(run.results.map(({ errorCode }) => errorCode), ["no_price", null]);
});

withScrapingApp.test("a run waits for a retry after one 500, in the queue and not in a slot", async (app) => {
  await using shop = openShop({ "/a": () => html("", {}, 500), "/b": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/a`, `${shop.base}/b`);
  const runId = await startRun(app, productId);
  for (;;) {
    const run = await app.viewer.read(`/api/scrape-runs/${runId}`);
    if (run.counts.failed === 0) continue;
    assertEquals(run.status, "running");
    break;
  }
  app.clock.advance(10_000);
  const run = await ended(app, runId);
  assertEquals(run.results.map(({ status }) => status), ["failed", "ok"]);
});

withScrapingApp.test("robots.txt is requested once a day", async (app) => {
  await using shop = openShop({ "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  await scrape(app, productId);
  app.clock.advance(23 * 3_600_000);
  await scrape(app, productId);
  app.clock.advance(2 * 3_600_000);
  await scrape(app, productId);
  const asked = shop.visits.filter(({ path }) => path === "/robots.txt").length;
  assertEquals([asked, shop.visits.length], [2, 5]);
});

withScrapingApp.test("a shop with an unreachable robots.txt is reported, too; one that forbids visits is not", async (app) => {
  const state = { robots: () => html("", {}, 503) };
  await using shop = openShop({ "/robots.txt": () => state.robots(), "/p": priced("1.00") });
  const productId = await addTargets(app, `${shop.base}/p`);
  const codeOfScrape = async () => (await scrape(app, productId)).results[0]?.errorCode;
  assertEquals([await codeOfScrape(), ...await failing(app)], ["robots_disallowed", true, false]);
  app.clock.advance(25 * 3_600_000);
  assertEquals([await codeOfScrape(), ...await failing(app)], ["robots_disallowed", true, true]);
  state.robots = () => new Response("User-agent: *\nDisallow: /");
  app.clock.advance(3_600_000);
  assertEquals([await codeOfScrape(), ...await failing(app)], ["robots_disallowed", false, false]);
});

/** Returns whether the only shop is reported as failing, and whether people were notified. */
async function failing(app: TestApp): Promise<(boolean | undefined)[]> {
  const { items: [competitor] } = await app.viewer.read("/api/competitors");
  const error = (await lastErrors.find(app, { competitorId: competitor!.id }))?.row;
  return [error?.failingSince !== null, error?.isAnnounced];
}
