/** An app that may fetch from this machine, and helpers for runs. */
import { waitForJob } from "../../src/platform/jobs/add_job.ts";
import type { Run } from "../../src/scraping/runs/run.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../harness.ts";
import { testWith } from "../opened.ts";
import { PATIENCE_MS } from "../patience.ts";
import { addMatch, addProduct, answered } from "../shops/shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { enqueueDue } from "../../src/scraping/runs/run_kind.ts";

/** Without a delay, and with a timeout that only a shop without any response exceeds. */
export const SCRAPING_ENV = {
  SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8",
  SCRAPE_DOMAIN_DELAY_MS: "0",
  SCRAPE_TIMEOUT_MS: "60000",
  SCRAPE_MAX_BYTES: "1048576",
};

export function startScrapingApp(
  env: Record<string, string> = {},
  options: TestAppOptions = {},
): Promise<TestApp> {
  return startTestApp({ ...options, env: { ...SCRAPING_ENV, ...env } });
}

export const withScrapingApp = testWith(() => startScrapingApp());

export async function scrape(app: TestApp, productId: string): Promise<Run> {
  const { runId } = await answered<{ runId: string }>(
    app.manager.post(`/api/products/${productId}/scrape-now`),
    202,
  );
  return await ended(app, runId);
}

export async function ended(app: TestApp, runId: string): Promise<Run> {
  const job = await waitForJob(app, "scrape", runId, PATIENCE_MS);
  ok(job?.finishedAt, `The run did not end: ${JSON.stringify(job)}`);
  return await answered<Run>(app.viewer.get(`/api/scrape-runs/${runId}`), 200);
}

export async function addTargets(app: TestApp, ...urls: string[]): Promise<string> {
  const productId = await addProduct(app.manager, `SKU-${app.app.clock.newId()}`);
  for (const url of urls) await addMatch(app.manager, productId, url);
  return productId;
}

export function onlyResult({ results }: Run) {
  assertEquals(results.length, 1);
  return results[0]!;
}

/** Runs one pass of the schedule at the app's time; returns the number of runs. */
export function runTick({ store, app: { clock } }: TestApp, delayMs = 0): Promise<number> {
  return enqueueDue({ store, clock, delayMs });
}
