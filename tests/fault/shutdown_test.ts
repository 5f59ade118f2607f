import { openStoreIn } from "../closing_store.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { stdout } from "node:process";
import { untilEnded } from "../caller.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { itemsXml } from "../imports/import_bench.ts";
import { until } from "../patience.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { hanging, openShop, type Page, priced } from "../scraping/hostile_shop.ts";
import { inFolder } from "../temporary_folder.ts";
import { beginImport } from "./scale_out_scene.ts";

const ITEMS = extent(30_000, 2_000);

inFolder.test("SIGTERM in the middle of an import and of a scrape: exit 0, no lease is left, both end in the next process", async (folder) => {
  const answers: { page: Page } = { page: hanging };
  await using shop = openShop({ "/p": (request) => answers.page(request) });
  const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1", SCRAPE_TIMEOUT_MS: "120000" };
  let [jobId, runId] = ["", ""];
  {
    await using live = await startLiveServer(folder.path, settings);
    const product = await addProduct(live.owner, "SCRAPED");
    await addMatch(live.owner, product, `${shop.base}/p`);
    ({ runId } = await live.owner.begin(`/api/products/${product}/scrape-now`));
    const isVisited = () => shop.visits.some(({ path }) => path === "/p");
    await until("the page is being visited", isVisited);
    const items = Array.from({ length: ITEMS }, (_, n) => ({ sku: `S-${n}`, title: "Herd" }));
    jobId = await beginImport(live.owner, itemsXml(items));
    const inserted = async () => (await live.owner.read(`/api/imports/${jobId}`)).stats.inserted;
    await until("the import is at work, too", async () => await inserted() > 0);
    const toldAt = performance.now();
    const { code, err } = await live.stop("SIGTERM");
    stdout.write(`SIGTERM to the end: ${((performance.now() - toldAt) / 1_000).toFixed(1)} s\n`);
    assertEquals(code, 0);
    const lines = err.split("\n").filter((line) => line.includes("given back"));
    assertEquals(lines.length, 1);
    const { jobs } = JSON.parse(lines[0] ?? "");
    assertEquals([jobs.import, jobs.scrape], [1, 1]);
  }
  {
    using store = await openStoreIn(folder.path);
    assertEquals(await Array.fromAsync(store.kv.list({ prefix: ["jl"] })), []);
  }
  answers.page = priced("9.00");
  {
    await using live = await startLiveServer(folder.path, settings);
    ok((await live.owner.read(`/api/imports/${jobId}`)).stats.inserted > 0);
    const job = await untilEnded(live.owner, `/api/imports/${jobId}`);
    assertEquals([job.status, job.stats.inserted, job.count], ["succeeded", ITEMS, ITEMS]);
    const run = await untilEnded(live.owner, `/api/scrape-runs/${runId}`);
    assertEquals([run.status, run.counts.ok], ["succeeded", 1]);
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});
