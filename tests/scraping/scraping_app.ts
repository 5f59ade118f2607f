/** Starts an app that may fetch from this machine, and controls its runs. */
import type { AlertFacts } from "../../src/engine/wording/alert_facts.ts";
import type { Alert } from "../../src/messages/alert_store.ts";
import type { OutboxEvent } from "../../src/platform/events/event.ts";
import { findJob, waitForJob } from "../../src/platform/jobs/job_store.ts";
import type { Run, RunJob } from "../../src/scraping/runs/run.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../harness.ts";
import { testWith } from "../opened.ts";
import { PATIENCE_MS, until } from "../patience.ts";
import { addMatch, addProduct, checkedAfter } from "../shops/shop.ts";
import { openShop, type Page } from "./hostile_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { enqueueDue } from "../../src/scraping/runs/scrape_runs.ts";
import type { CheckLine, LinkCheck } from "../../src/scraping/link_checks/link_check.ts";
import type { Caller } from "../caller.ts";

/** No delay between requests, and a timeout that only a shop without any response exceeds. */
export const SCRAPING_ENV = {
  SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8",
  SCRAPE_DOMAIN_DELAY_MS: "0",
  SCRAPE_TIMEOUT_MS: "60000",
  SCRAPE_MAX_BYTES: "1048576",
};

export function startScrapingApp(env: Record<string, string> = {}, options: TestAppOptions = {}) {
  return startTestApp({ ...options, env: { ...SCRAPING_ENV, ...env } });
}

export const withScrapingApp = testWith(() => startScrapingApp());
/** The app uses the real clock, because its jobs wait for shops. */
export const withTickingApp = checkedAfter(
  testWith(() => startScrapingApp({}, { now: () => new Date() })),
  (app) => app,
);
export const withCheckedScrapingApp = checkedAfter(withScrapingApp, (app) => app);

export async function scrape(app: TestApp, productId: string): Promise<Run> {
  return await ended(app, await startRun(app, productId));
}

export async function startRun({ manager }: TestApp, productId: string): Promise<string> {
  return (await manager.begin(`/api/products/${productId}/scrape-now`)).runId;
}

export async function runIdsOf({ viewer }: TestApp, productId: string): Promise<string[]> {
  const { items } = await viewer.read(`/api/scrape-runs?productId=${productId}`);
  return items.map(({ id }: { id: string }) => id);
}

export async function ended(app: TestApp, runId: string): Promise<Run> {
  const job = await waitForJob(app, "scrape", runId, PATIENCE_MS);
  ok(job?.finishedAt, `The run did not end: ${JSON.stringify(job)}`);
  return await app.viewer.read<Run>(`/api/scrape-runs/${runId}`);
}

/** Waits until the run is in a shop's queue, or has ended. */
export async function untilItWaits(app: TestApp, runId: string): Promise<void> {
  await until("the run waits", async () => {
    const run = await findJob<RunJob>(app, "scrape", runId);
    return Boolean(run?.cursor?.ticket ?? run?.finishedAt);
  });
}

/** Waits until no job is running; some may still be queued. */
export async function untilNoJob({ store }: Pick<TestApp, "store">): Promise<void> {
  await until("no job is running", async () => {
    return (await Array.fromAsync(store.kv.list({ prefix: ["jl"] }))).length === 0;
  });
}

export async function addTargets(app: TestApp, ...urls: string[]): Promise<string> {
  const productId = await addProduct(app.manager, `SKU-${app.app.clock.newId()}`);
  for (const url of urls) await addMatch(app.manager, productId, url);
  return productId;
}

/** Links all pages of a shop to one product. */
export async function openShopOfOne(app: TestApp, pages: Record<string, Page>) {
  const shop = openShop(pages);
  const urls = Object.keys(pages).map((path) => shop.base + path);
  return { ...shop, productId: await addTargets(app, ...urls) };
}

interface Linked {
  readonly product?: Record<string, unknown>;
  readonly terms?: Record<string, unknown>;
  readonly pages?: Record<string, Page>;
}

/** Links a product to the page `/p/x`, which shows `page` until a test changes it. */
export async function openLink(app: TestApp, page: Page, { product, terms, pages }: Linked = {}) {
  const state = { page };
  const shop = openShop({ ...pages, "/p/x": (request) => state.page(request) });
  const productId = await addProduct(app.manager, `SKU-${app.app.clock.newId()}`, product);
  const url = `${shop.base}/p/x`;
  const { id, competitorId } = await addMatch(app.manager, productId, url, terms);
  const path = `/api/competitor-products/${id}`;
  return {
    ...shop,
    id,
    productId,
    competitorId,
    url,
    path,
    match: () => app.viewer.read<CompetitorProduct>(path),
    /** Visits the page an hour later, with the content `next`. */
    async sees(next: Page = state.page) {
      state.page = next;
      app.clock.advance(3_600_000);
      return onlyResult(await scrape(app, productId));
    },
  };
}

export function onlyResult({ results }: Run) {
  assertEquals(results.length, 1);
  return results[0]!;
}

export async function alertsOf({ viewer }: TestApp, code: AlertFacts["code"]): Promise<Alert[]> {
  const { items } = await viewer.read("/api/alerts?limit=200");
  return items.filter(({ facts }: Alert) => facts?.code === code);
}

export async function announced({ store }: Pick<TestApp, "store">): Promise<OutboxEvent[]> {
  const rows = await Array.fromAsync(store.kv.list<{ bytes?: Uint8Array }>({ prefix: ["nw"] }));
  return rows.flatMap(({ value }): OutboxEvent[] =>
    value?.bytes ? JSON.parse(new TextDecoder().decode(value.bytes)) : []
  );
}

/** Starts the runs that are due now, and returns their number. */
export function runTick({ store, app: { clock } }: TestApp, delayMs = 0): Promise<number> {
  return enqueueDue({ store, clock, delayMs });
}

/** Starts the due runs and waits for their end; fails if one is of another product. */
export async function tickAndEnd(app: TestApp, productId: string): Promise<number> {
  const before = new Set(await runIdsOf(app, productId));
  const made = await runTick(app);
  const runIds = (await runIdsOf(app, productId)).filter((id) => !before.has(id));
  assertEquals(runIds.length, made);
  for (const runId of runIds) await ended(app, runId);
  return made;
}

export const CHECKS = "/api/link-checks";

export async function begin(caller: Caller, body: unknown): Promise<string> {
  return (await caller.begin<{ jobId: string }>(CHECKS, body)).jobId;
}

export async function checked(app: TestApp, id: string): Promise<LinkCheck> {
  await waitForJob(app, "link_check", id, PATIENCE_MS);
  const check = await app.viewer.read<LinkCheck>(`${CHECKS}/${id}`);
  ok(check.status === "succeeded", JSON.stringify(check));
  return check;
}

export async function linesOf(app: TestApp, id: string, query = ""): Promise<CheckLine[]> {
  const path = `${CHECKS}/${id}/lines?limit=200${query}`;
  return (await app.viewer.read<{ items: CheckLine[] }>(path)).items;
}
