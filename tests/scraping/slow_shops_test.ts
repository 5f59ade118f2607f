import { ok } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { until } from "../patience.ts";
import { heldBack, openShop, priced } from "./hostile_shop.ts";
import { startScrapingApp } from "./scraping_app.ts";

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
async function visitAll(caller: Caller, shops: readonly { readonly base: string }[]) {
  const runs: string[] = [];
  for (const [n, { base }] of shops.entries()) {
    const product = await addProduct(caller, `SLOW-${n}`);
    await addMatch(caller, product, `${base}/p`);
    const { runId } = await bodyOf(caller.post(`/api/products/${product}/scrape-now`), 202);
    runs.push(runId);
  }
  return runs;
}

async function untilDone(caller: Caller, runs: readonly string[]): Promise<void> {
  for (const runId of runs) {
    await until(`the run ${runId} has ended`, async () => {
      const run = await bodyOf(caller.get(`/api/scrape-runs/${runId}`), 200);
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
