/**
 * Reading a page of products costs the same in a catalogue of any size. The test counts rows,
 * because times depend on the machine's load. `CATALOGUE_PRODUCTS=1000000` makes it take an hour.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { memoryUsage, stdout } from "node:process";
import { column, everyItem } from "../api/answers.ts";
import { generateItems } from "../bench/erp_items.ts";
import { openStoreIn } from "../closing_store.ts";
import { startTestApp } from "../harness.ts";
import { IMPORT } from "../imports/import_calls.ts";
import { extent } from "../proof.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { until } from "../patience.ts";
import { watchedStore } from "../watched_store.ts";

const FEW = extent(1_000, 220);
const MANY = Number(Deno.env.get("CATALOGUE_PRODUCTS") ?? extent(20_000, 600));
const PAGE = 50;
const PATHS = [
  `/api/public/v1/products?limit=${PAGE}`,
  `/api/public/v1/products?limit=${PAGE}&brand=Nordwerk`,
  `/api/public/v1/products?limit=${PAGE}&category=Garten&tier=STANDARD`,
  "/api/public/v1/products/KS-0000200",
];
/** In a large catalogue, an index may have more levels and cost a few more rows. */
const MORE_ROWS_MAX = 2 * PAGE;

/** Returns the rows that each request reads, and whether the list's pages have all products. */
async function measure(products: number) {
  await using folder = await temporaryFolder();
  using opened = await openStoreIn(folder.path);
  let rows = 0;
  const store = watchedStore(opened, {
    reading: (name) => void (rows += name === "list" ? 0 : 1),
    listing: () => void rows++,
  });
  await using app = await startTestApp({ store, env: { RATE_LIMIT_PER_MINUTE: "1000000" } });
  const key = await app.key(["products:write"]);
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const file = ReadableStream.from(generateItems(products, 1));
  const { data: { jobId } } = await key.begin(IMPORT, file, headers);
  const path = `${IMPORT}/${jobId}`;
  const isOver = async () => (await key.read(path)).data.finishedAt !== null;
  // There is no timeout, because the import of a million products takes long.
  await until("the import is over", isOver, Infinity);
  // The first request of a path fills caches. The closed app has no background work that reads
  // rows.
  for (const each of PATHS) await key.read(each);
  await app.app.close();
  const costs: number[] = [];
  for (const each of PATHS) {
    const before = rows;
    await key.read(each);
    costs.push(rows - before);
  }
  const skus = column(await everyItem(key, "/api/public/v1/products?limit=200"), "sku");
  return { rows: costs, isWhole: new Set(skus).size === products };
}

Deno.test(`a page of ${MANY} products reads no more rows than one of ${FEW}, and the pages are complete`, async () => {
  const few = await measure(FEW);
  const many = await measure(MANY);
  const megabytes = Math.round(memoryUsage().rss / 1e6);
  stdout.write(`rows read: ${few.rows} of ${FEW}, ${many.rows} of ${MANY}; ${megabytes} MB\n`);
  assertEquals([few.isWhole, many.isWhole], [true, true]);
  for (const [n, rows] of many.rows.entries()) {
    ok(rows <= few.rows[n]! + MORE_ROWS_MAX, `${PATHS[n]} reads ${rows}, not ${few.rows[n]}`);
  }
});
