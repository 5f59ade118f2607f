import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { openStore } from "../../src/platform/store/open_store.ts";
import { readRun } from "../../src/scraping/runs/read_runs.ts";
import { listResults } from "../../src/scraping/runs/run_store.ts";
import { answered } from "../shops/shop.ts";
import { startTestApp } from "../harness.ts";
import { killOnTheWay } from "../killed_process.ts";
import { extent } from "../proof.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { html, openShop, type Page, productPage } from "./hostile_shop.ts";
import { addTargets, SCRAPING_ENV } from "./scraping_app.ts";
import { pause } from "../patience.ts";

const KILLS = extent(6, 2);
const TARGETS = extent(12, 6);
const PRODUCTS = 3;
/** Each target takes one commit at least: what came of it, with the turn for the next one. */
const COMMITS_MAX = 5;
const PAGE_MS = 30;

/** A page that takes a while, so that a kill hits something. */
const slowPage: Page = async () => {
  await pause(PAGE_MS);
  return html(productPage("10.00"));
};

Deno.test(`a run that is killed ${KILLS} times ends, and fetches nothing again that is stored`, async () => {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  const names = Array.from({ length: TARGETS }, (_, n) => `/${n}`);
  const shops = Array.from(
    { length: PRODUCTS },
    () => openShop(Object.fromEntries(names.map((name) => [name, slowPage]))),
  );
  const runIds: string[] = [];
  let workspaceId = "";
  {
    await using app = await startTestApp({ store, env: SCRAPING_ENV });
    workspaceId = app.workspaceId;
    const productIds: string[] = [];
    for (const { base } of shops) {
      productIds.push(await addTargets(app, ...names.map((name) => base + name)));
    }
    // Its own runner would do the work.
    await app.app.close();
    for (const productId of productIds) {
      const path = `/api/products/${productId}/scrape-now`;
      runIds.push((await answered<{ runId: string }>(app.manager.post(path), 202)).runId);
    }
  }
  store.kv.close();

  const visitsOf = (url: string) =>
    shops.flatMap(({ base, visits }) => visits.filter(({ path }) => base + path === url)).length;
  const stored = new Map<string, number>();
  await killOnTheWay({
    path: new URL("crash_child.ts", import.meta.url).pathname,
    args: [dataDir, "{}", "-"],
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async ended() {
      const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
      for (const runId of runIds) {
        for (const { url } of await listResults({ store: opened, workspaceId }, runId)) {
          if (!stored.has(url)) stored.set(url, visitsOf(url));
        }
      }
      opened.kv.close();
    },
  });
  assertEquals(stored.size, TARGETS * PRODUCTS);
  for (const [url, visits] of stored) assertEquals(visitsOf(url), visits, url);

  const again = await openStore({ kvUrl: null, dataDir }, 60_000);
  for (const runId of runIds) {
    const run = await readRun({ store: again, workspaceId }, runId);
    assertEquals([run.status, run.hasErrors, run.counts.ok], ["succeeded", false, TARGETS]);
    assertEquals(run.results.map(({ status }) => status), Array(TARGETS).fill("ok"));
  }
  const observations = await Array.fromAsync(again.kv.list({ prefix: ["ob"] }));
  assertEquals(observations.length, TARGETS * PRODUCTS);
  again.kv.close();
  await Promise.all(shops.map((shop) => shop[Symbol.asyncDispose]()));
});
