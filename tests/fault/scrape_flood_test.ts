import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { checkSchedules } from "../../src/scraping/schedule/schedule.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { askedRuns } from "../../src/scraping/runs/run.ts";
import { ASKED_RUNS_MAX } from "../../src/scraping/runs/scrape_runs.ts";
import type { Caller } from "../caller.ts";
import { bodyOf, refusalOf } from "../api/answers.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { withScrapingApp } from "../scraping/scraping_app.ts";

/** Number of requested runs; the test stores further runs directly, up to the limit. */
const STARTED = 12;
const PER_COMMIT = 200;

/** Stores `count` requested runs that never start; returns a function that deletes them. */
async function countRuns(app: TestApp, count: number): Promise<() => Promise<void>> {
  const rows = Array.from({ length: count }, () => ({ runId: app.app.clock.newId() }));
  const write = async (action: "put" | "drop") => {
    for (let at = 0; at < rows.length; at += PER_COMMIT) {
      await transact(app, (write) => {
        for (const row of rows.slice(at, at + PER_COMMIT)) askedRuns[action](write, app, row);
        return Promise.resolve();
      });
    }
  };
  await write("put");
  return () => write("drop");
}

async function fillCatalogue(app: TestApp, url: string): Promise<string[]> {
  const skus = Array.from({ length: STARTED + 1 }, (_, n) => `S-${n}`);
  const file = itemsXml(skus.map((sku) => ({ sku, title: "Herd", price: "1,00" })));
  assertEquals((await importXml(await app.key(["products:write"]), file)).data.status, "succeeded");
  const links = skus.map((sku) => ({ sku, url }));
  await app.manager.act("/api/competitor-products/bulk", { links });
  const { items } = await app.viewer.read("/api/products");
  return items.map(({ id }: { id: string }) => id);
}

function scrapeNow(caller: Caller, id: string | undefined, headers: HeadersInit = {}) {
  return caller.post(`/api/products/${id}/scrape-now`, undefined, headers);
}

withScrapingApp.test(`a flood of scrape-now ends with 429 at ${ASKED_RUNS_MAX} runs, and an ended run makes room`, async (app) => {
  const [first, ...others] = await fillCatalogue(app, "https://deaf.example/p");
  const tooMany = others.pop();
  const last = others.pop();
  // Closes the app, so that requested runs stay queued.
  await app.app.close();
  const { runId } = await bodyOf(scrapeNow(app.manager, first), 202);
  const { started: flood } = await app.manager.begin("/api/scrape-runs", { productIds: others });
  assertEquals(flood.length, others.length);
  const takeBack = await countRuns(app, ASKED_RUNS_MAX - STARTED);

  // The limit leaves room for one more run; the response says why other products have none.
  const nobody = "0".repeat(24);
  const wanted = { productIds: [first, last, tooMany, last, others[0], nobody] };
  const { started: made, ...left } = await app.manager.begin("/api/scrape-runs", wanted);
  assertEquals(made.map(({ productId }: { productId: string }) => productId), [last]);
  assertEquals(left, { inHand: [first, others[0]], missing: [nobody], noRoom: [tooMany] });

  const key = { "Idempotency-Key": "once" };
  const refused = await scrapeNow(app.manager, tooMany, key);
  ok(Number(refused.headers.get("Retry-After")) > 0);
  const refusal = await refusalOf(refused);
  assertEquals(refusal.code, "rate_limited");
  match(refusal.message, /cancel/);
  assertEquals((await bodyOf(scrapeNow(app.manager, first), 202)).runId, runId);

  // The same idempotency key now succeeds, because the refusal was not stored for it.
  await app.manager.act(`/api/scrape-runs/${runId}/cancel`);
  await bodyOf(scrapeNow(app.manager, tooMany, key), 202);
  assertEquals((await refusalOf(scrapeNow(app.manager, first))).code, "rate_limited");
  await takeBack();
  assertEquals(await Array.fromAsync(checkSchedules(app.store, app.workspaceId)), []);
});
