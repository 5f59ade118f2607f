import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { readRun } from "../../src/scraping/runs/scrape_runs.ts";
import { listResults } from "../../src/scraping/runs/run.ts";
import { column } from "../api/answers.ts";
import { extent } from "../proof.ts";
import { article, html, openShop, type Page, productPage } from "./hostile_shop.ts";
import { timesKilled } from "../killed_process.ts";
import { killOnItsWay, usualGapMs } from "./killed_scraping.ts";
import { addTargets, begin } from "./scraping_app.ts";
import { pause } from "../patience.ts";
import { CheckRows } from "../../src/scraping/link_checks/link_check_store.ts";
import type { CheckOutcome } from "../../src/scraping/link_checks/check_codes.ts";
import { CHECK_KIND, type CheckJob } from "../../src/scraping/link_checks/link_check.ts";
import { findJob } from "../../src/platform/jobs/job_store.ts";
import { addProduct } from "../shops/shop.ts";
import { addShop } from "./discovery/made_shop.ts";

const KILLS = extent(6, 1);
const TARGETS = extent(12, 6);
const PRODUCTS = 3;
/** Maximum number of commits before a kill; storing a fetched page takes one commit. */
const COMMITS_MAX = 5;
const PAGE_MS = 30;

/** The page is so slow that kills happen during its fetch. */
const slowPage: Page = async () => {
  await pause(PAGE_MS);
  return html(productPage("10.00"));
};

Deno.test(`a run that is killed ${timesKilled(KILLS)} ends, and fetches no stored page again`, async () => {
  const names = Array.from({ length: TARGETS }, (_, n) => `/${n}`);
  const pages = Object.fromEntries(names.map((name) => [name, slowPage]));
  const shops = Array.from({ length: PRODUCTS }, () => openShop(pages));
  const visitsOf = (url: string) =>
    shops.flatMap(({ base, visits }) => visits.filter(({ path }) => base + path === url)).length;
  const stored = new Map<string, number>();
  await killOnItsWay({
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async prepare(app) {
      const productIds: string[] = [];
      for (const { base } of shops) {
        productIds.push(await addTargets(app, ...names.map((name) => base + name)));
      }
      await app.app.close();
      const { started } = await app.manager.begin("/api/scrape-runs", { productIds });
      return column(started, "runId");
    },
    async ended(place, runIds) {
      for (const runId of runIds) {
        for (const { url } of await listResults(place, runId)) {
          if (!stored.has(url)) stored.set(url, visitsOf(url));
        }
      }
    },
    async after(place, runIds) {
      assertEquals([runIds.length, stored.size], [PRODUCTS, TARGETS * PRODUCTS]);
      for (const [url, visits] of stored) assertEquals(visitsOf(url), visits, url);
      for (const runId of runIds) {
        const run = await readRun(place, runId);
        assertEquals([run.status, run.hasErrors, run.counts.ok], ["succeeded", false, TARGETS]);
        assertEquals(column(run.results, "status"), Array(TARGETS).fill("ok"));
      }
      const observations = await Array.fromAsync(place.store.kv.list({ prefix: ["ob"] }));
      assertEquals(observations.length, TARGETS * PRODUCTS);
    },
  });
  await Promise.all(shops.map((shop) => shop[Symbol.asyncDispose]()));
});

const LINES = extent(1_000, 30);
const KILLS_OF_CHECK = 2;
const DELAY_MS = 50;
const GTIN = "9521234567899";

Deno.test(`a check of ${LINES} lines that is killed twice repeats no request except the one in progress`, async () => {
  const names = Array.from({ length: LINES }, (_, n) => `/${n}`);
  await using shop = openShop(
    Object.fromEntries(names.map((name) => [name, article("Kofferradio", { gtin13: GTIN })])),
  );
  const visitsOf = (path: string) => shop.visits.filter((visit) => visit.path === path).length;
  const stored = new Map<string, number>();
  await killOnItsWay({
    kills: KILLS_OF_CHECK,
    // Each line needs at least two commits: one for the permit to fetch, one for the result.
    commitsMax: Math.floor(LINES / KILLS_OF_CHECK),
    env: { SCRAPE_DOMAIN_DELAY_MS: `${DELAY_MS}` },
    async prepare(app) {
      await addProduct(app.manager, "R-1", { ean: GTIN });
      await addShop(app.manager, shop.base);
      await app.app.close();
      const lines = names.map((name) => ({ sku: "R-1", url: shop.base + name }));
      return await begin(app.manager, { lines });
    },
    async ended(place, checkId) {
      for (const outcome of ["sure", "failed"] satisfies CheckOutcome[]) {
        for await (const { line } of new CheckRows(place, checkId).walkLines(outcome)) {
          const { pathname } = new URL(line.url);
          if (!stored.has(pathname)) stored.set(pathname, visitsOf(pathname));
        }
      }
    },
    async after(place, checkId, starts) {
      assertEquals(stored.size, LINES);
      for (const [path, visits] of stored) assertEquals(visitsOf(path), visits, path);
      const visited = names.map(visitsOf);
      ok(visited.every((count) => count >= 1), "a page was never asked for");
      const again = visited.reduce((sum, count) => sum + count - 1, 0);
      ok(again <= KILLS_OF_CHECK, `${again} pages were asked for again`);
      assertEquals(shop.openMax(), 1);
      ok(usualGapMs(starts) >= 0.9 * DELAY_MS, `${usualGapMs(starts)} ms`);
      const check = await findJob<CheckJob>(place, CHECK_KIND, checkId);
      assertEquals(check?.status, "succeeded");
      const sure = await Array.fromAsync(new CheckRows(place, checkId).walkLines("sure"));
      assertEquals(sure.length, LINES);
    },
  });
});
