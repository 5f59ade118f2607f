import { findProduct } from "../../src/catalogue/products/product_store.ts";
import { NO_FACTS } from "../../src/engine/extraction/page_facts.ts";
import type { ExtractedPrice } from "../../src/engine/extraction/reconcile_readings.ts";
import { findJob } from "../../src/platform/jobs/job_store.ts";
import { transact, type Write } from "../../src/platform/store/kv.ts";
import { NO_LESSON } from "../../src/scraping/page/visit_tools.ts";
import { completeFetched, type Target } from "../../src/scraping/runs/complete_target.ts";
import type { RunJob } from "../../src/scraping/runs/run.ts";
import { listLiveMatches } from "../../src/shops/matches/competitor_prices.ts";
import type { TestApp } from "../harness.ts";
import { listed, pushed } from "../shops/observations/history.ts";
import { openShop, priced } from "./hostile_shop.ts";
import { addTargets, announced, scrape, startScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/**
 * Creates a target with a fetched price of 10.00, and functions that store other results for it.
 */
async function startTarget() {
  const app = await startScrapingApp();
  await using shop = openShop({ "/p": priced("10.00") });
  const url = `${shop.base}/p`;
  const productId = await addTargets(app, url);
  const { id: runId } = await scrape(app, productId);
  await app.app.close();
  const job = await findJob<RunJob>(app, "scrape", runId);
  const key = await app.key(["observations:write"]);
  const [live] = await listLiveMatches(app, productId);
  const product = await findProduct(app, productId);
  ok(job?.cursor && live && product);
  const target: Target = { job, cursor: { ...job.cursor, n: 0 }, product, live };
  const completeWith = async (outcome: Parameters<typeof completeFetched>[2]) => {
    const question = { matchUrl: url, extractor: null, product: null };
    const fetched = { atMs: app.clock.now().getTime() - 1_000, durationMs: 1, question };
    await transact(
      app,
      (write) => completeFetched(toolsOf(app, job, write), target, outcome, fetched),
    );
  };
  const complete = async (price: number, more: Partial<ExtractedPrice> = {}) => {
    const known = await scrapeEvents(app);
    const found = { ...PAGE, price, ...more };
    const facts = { ...NO_FACTS, pageStatus: "priced" } as const;
    await completeWith({
      kind: "priced",
      httpStatus: 200,
      found,
      facts,
      lesson: NO_LESSON,
      trace: [],
      validators: null,
    });
    return (await scrapeEvents(app)).slice(known.length);
  };
  const push = (price: number) =>
    pushed(key, [{ sku: job.args.sku, url, price, currency: "EUR", inStock: true }]);
  return { app, key, productId, complete, completeWith, push };
}

const PAGE: ExtractedPrice = {
  price: 1_000,
  currency: "EUR",
  availability: "in_stock",
  inStock: true,
  listPrice: null,
  lowest30: null,
  shipping: null,
  method: "json_ld",
  confidence: 0.9,
  alternatives: [],
};

function toolsOf(app: TestApp, job: RunJob, write: Write) {
  return {
    store: app.store,
    workspaceId: app.workspaceId,
    ...app.app.clock,
    now: () => app.clock.now(),
    newId: () => app.app.clock.newId(),
    actor: job.createdBy,
    requestId: job.jobId,
    receipt: null,
    write,
    lastCommit: "",
    shouldYield: () => false,
    stopping: new AbortController().signal,
    checkpoint: () => Promise.resolve(),
    beat: () => Promise.resolve(),
  };
}

/** Events of fetched prices, oldest first, as `[previousPrice, price]`. */
async function scrapeEvents(app: TestApp): Promise<[number | null, number][]> {
  return (await announced(app)).flatMap((event) =>
    event.type === "observation.changed" && event.data.source === "scrape"
      ? [[event.data.previousPrice, event.data.price]]
      : []
  );
}

Deno.test("the event of a changed price contains the previous price", async () => {
  const { app, complete, push } = await startTarget();
  await using _ = app;
  await push(8);
  app.clock.advance(60_000);
  assertEquals(await complete(900), [[800, 900]]);
  assertEquals(await complete(900), []);
});

Deno.test("a fetched price older than a push is stored without an event", async () => {
  const { app, key, complete, push } = await startTarget();
  await using _ = app;
  app.clock.advance(60_000);
  await push(8);
  assertEquals(await complete(900), []);
  assertEquals((await listed(key, "")).map(({ price }) => price), [800, 900, 1_000]);
});

Deno.test("former price and lowest 30-day price stay with the observation", async () => {
  const { app, key, complete, push } = await startTarget();
  await using _ = app;
  app.clock.advance(60_000);
  await complete(900, { listPrice: 1_200, lowest30: 850 });
  const prices = (await listed(key, "")).map(({ price, listPrice, lowest30 }) => [
    price,
    listPrice,
    lowest30,
  ]);
  assertEquals(prices, [[900, 1_200, 850], [1_000, null, null]]);
  const former = async () => {
    const { items } = await app.owner.read("/api/competitor-products");
    return [items[0].currentPrice, items[0].listPrice, items[0].lowest30];
  };
  assertEquals(await former(), [900, 1_200, 850]);
  app.clock.advance(60_000);
  await push(8);
  assertEquals(await former(), [800, null, null], "a pushed price says nothing of them");
});

Deno.test("rules are evaluated once for a sold-out article without a price", async () => {
  const { app, productId, completeWith } = await startTarget();
  await using _ = app;
  const soldOut = () =>
    completeWith({
      kind: "failed",
      httpStatus: 200,
      errorCode: "sold_out",
      message: "",
      alternatives: [],
      lesson: NO_LESSON,
      trace: [],
      facts: { ...NO_FACTS, pageStatus: "sold_out", availability: "out_of_stock" },
    });
  const touched = async () =>
    (await announced(app)).flatMap((event) =>
      event.type === "products.touched" ? [event.data.productIds] : []
    );
  const before = (await touched()).length;
  await soldOut();
  await soldOut();
  assertEquals((await touched()).slice(before), [[productId]]);
});
