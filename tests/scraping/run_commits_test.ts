import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { z } from "zod";
import { assertFields, column } from "../api/answers.ts";
import type { TestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { heldBack, openShop, priced, type Shop } from "./hostile_shop.ts";
import { addTargets, openShopOfOne, scrape, startScrapingApp } from "./scraping_app.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import type { Caller } from "../caller.ts";
import { watchedStore } from "../watched_store.ts";

const Moved = z.object({ jobId: z.string(), status: z.string(), cursor: z.unknown() });

Deno.test("a run of five free shops takes eight commits", async () => {
  const memory = await openMemoryStore();
  const states = new Set<string>();
  const store = watchedStore(memory, {
    setting([table], value) {
      // Without the commits that only extend the lease of a job.
      if (table === "j") states.add(JSON.stringify(Moved.parse(value)));
    },
  });
  {
    await using app = await startScrapingApp({}, { store });
    const shops = Array.from({ length: 5 }, () => openShop({ "/p": priced("10.00") }));
    const productId = await addTargets(app, ...shops.map(({ base }) => `${base}/p`));
    // The first run caches the robots.txt of each shop.
    await scrape(app, productId);
    const run = await scrape(app, productId);
    assertEquals([run.status, run.counts.ok], ["succeeded", 5]);
    // Three commits request, claim and begin the run. Each of five pages needs one more commit.
    const ofRun = states.values().filter((state) => state.includes(run.id)).toArray();
    assertEquals(ofRun.length, 8, ofRun.join("\n"));
    for (const shop of shops) await shop[Symbol.asyncDispose]();
  }
  memory.kv.close();
});

/** Runs `meanwhile` while the run of a target waits for its page. */
async function scrapeWhile(meanwhile: (app: TestApp, path: string) => Promise<unknown>) {
  await using app = await startScrapingApp();
  const { page, requested, release } = heldBack(priced("10.00"));
  await using shop = await openShopOfOne(app, { "/p": page });
  const run = scrape(app, shop.productId);
  await requested;
  await meanwhile(app, `/api/products/${shop.productId}`);
  release();
  const { counts, status } = await run;
  const visits = shop.asked("/p").length;
  const seen = await Array.fromAsync(app.store.kv.list({ prefix: ["ob"] }));
  return { status, ok: counts.ok, visits, observations: seen.length };
}

Deno.test("a product that changes during its fetch gets its price, and the page is fetched once", async () => {
  const outcome = await scrapeWhile(({ manager }, path) =>
    manager.change(path, { title: "Renamed" })
  );
  assertEquals(outcome, { status: "succeeded", ok: 1, visits: 1, observations: 1 });
});

Deno.test("nothing is stored for a product that is deleted during its fetch", async () => {
  const outcome = await scrapeWhile(({ manager }, path) => manager.remove(path));
  assertFields(outcome, { visits: 1, observations: 0 });
});

/** Shops that send their pages when the test calls `answer`. */
function openSlowShops(count: number) {
  const { page, release } = heldBack(priced("9.00"));
  const shops = Array.from({ length: count }, () => openShop({ "/p": page }));
  return {
    shops,
    busy: () => shops.filter(({ visits }) => visits.some(({ path }) => path === "/p")).length,
    answer: release,
    async [Symbol.asyncDispose]() {
      release();
      for (const shop of shops) await shop[Symbol.asyncDispose]();
    },
  };
}

/** Creates a product per shop and requests a run for each; returns the ids of the runs. */
async function visitAll(caller: Caller, shops: readonly Shop[]): Promise<string[]> {
  const productIds: string[] = [];
  for (const [n, { base }] of shops.entries()) {
    productIds.push(await addProduct(caller, `SLOW-${n}`));
    await addMatch(caller, productIds[n]!, `${base}/p`);
  }
  const { started } = await caller.begin("/api/scrape-runs", { productIds });
  assertEquals(started.length, shops.length);
  return column(started, "runId");
}

async function untilDone(caller: Caller, runs: readonly string[]): Promise<void> {
  for (const runId of runs) {
    await until(`the run ${runId} has ended`, async () => {
      const run = await caller.read(`/api/scrape-runs/${runId}`);
      return run.finishedAt !== null && run.counts.ok === 1;
    });
  }
}

Deno.test("a workspace with more slow shops than slots leaves room for another workspace's", async () => {
  await using crowd = openSlowShops(45);
  await using few = openSlowShops(10);
  await using app = await startScrapingApp({ SCRAPE_TIMEOUT_MS: "120000" });
  const many = await visitAll(app.manager, crowd.shops);
  await until("the first workspace has its share", () => crowd.busy() >= 30);
  const stranger = await app.strangerOwner();
  const runs = await visitAll(stranger, few.shops);
  await until("the shops of the other workspace are visited", () => few.busy() === 10);
  ok(crowd.busy() < 45, "the first workspace has at most half of the slots");
  few.answer();
  await untilDone(stranger, runs);
  crowd.answer();
  await untilDone(app.viewer, many);
});
