import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { openStore } from "../../src/platform/open_store.ts";
import { readRun } from "../../src/scraping/runs/read_runs.ts";
import { listResults } from "../../src/scraping/runs/run_store.ts";
import { temporaryFolder } from "../commands/kurant.ts";
import { answered } from "../competitors/shop.ts";
import { startTestApp } from "../harness.ts";
import { html, openShop, type Page, productPage } from "./hostile_shop.ts";
import { addTargets, SCRAPING_ENV } from "./scraping_app.ts";

const KILLS = 6;
const TARGETS = 12;
const PRODUCTS = 3;
const PAGE_MS = 30;

function startChild(dataDir: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-net", "--allow-env", "--allow-read", "--allow-write"]
      .concat(new URL("crash_child.ts", import.meta.url).pathname, dataDir),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function isWorking({ stdout }: Deno.ChildProcess): Promise<void> {
  const reader = stdout.getReader();
  await reader.read();
  reader.releaseLock();
}

/** A page that takes a while, so that a kill hits something. */
const slowPage: Page = async () => {
  await new Promise((resolve) => setTimeout(resolve, PAGE_MS));
  return html(productPage("10.00"));
};

Deno.test(`a run that is killed ${KILLS} times ends, and fetches nothing again that is stored`, async () => {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const store = await openStore({ kvUrl: null, dataDir }, 5_000);
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
  let kills = 0;
  for (let isDone = false; !isDone;) {
    const child = startChild(dataDir);
    await isWorking(child);
    const patience = new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), 40 + Math.random() * 200);
    });
    isDone = await Promise.race([
      child.status.then(() => true),
      kills < KILLS ? patience : new Promise<false>(() => {}),
    ]);
    if (!isDone) {
      child.kill("SIGKILL");
      kills++;
    }
    await Promise.all([child.status, child.stdout.cancel()]);
    const opened = await openStore({ kvUrl: null, dataDir }, 5_000);
    for (const runId of runIds) {
      for (const { url } of await listResults({ store: opened, workspaceId }, runId)) {
        if (!stored.has(url)) stored.set(url, visitsOf(url));
      }
    }
    opened.kv.close();
  }
  assertEquals(kills, KILLS, "the runs are too short for this machine");
  assertEquals(stored.size, TARGETS * PRODUCTS);
  for (const [url, visits] of stored) assertEquals(visitsOf(url), visits, url);

  const again = await openStore({ kvUrl: null, dataDir }, 5_000);
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
