import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { readRun } from "../../src/scraping/runs/scrape_runs.ts";
import { listResults } from "../../src/scraping/runs/run.ts";
import { column } from "../api/answers.ts";
import { extent } from "../proof.ts";
import { html, openShop, type Page, productPage } from "./hostile_shop.ts";
import { timesKilled } from "../killed_process.ts";
import { killOnItsWay } from "./killed_scraping.ts";
import { addTargets } from "./scraping_app.ts";
import { pause } from "../patience.ts";

const KILLS = extent(6, 1);
const TARGETS = extent(12, 6);
const PRODUCTS = 3;
/** Each target needs at least one commit, which contains its result and the next permit. */
const COMMITS_MAX = 5;
const PAGE_MS = 30;

/** The page is slow, so that the process is killed while the page is being fetched. */
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
