/** An import survives the sudden end of its process at any moment, and counts nothing twice. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { temporaryFolder } from "../commands/kurant.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../fault/live_server.ts";
import { type Item, itemsXml } from "./import_calls.ts";

const ITEMS = 20_000;
const KILLS = 10;
const DUPLICATES = 20;
const UNTITLED = 15;

/** Prices follow from the SKU, so that each product can be checked by itself. */
function priceOf(n: number): number {
  return 100 + (n * 7_919) % 900_000;
}

function itemOf(n: number): Item {
  const cents = priceOf(n);
  const price = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;
  const link = n % 10 === 0
    ? `<COMPETITOR><URL>https://shop-${n % 3}.example/p/${n}</URL></COMPETITOR>`
    : "";
  const more = `<BRAND>Marke ${n % 40}</BRAND><CATEGORY>Gruppe ${n % 25}</CATEGORY>${link}`;
  return { sku: `S-${n}`, title: `Artikel ${n}`, price, more };
}

function fileOf(): string {
  const items = Array.from({ length: ITEMS }, (_, n) => itemOf(n));
  const early = Array.from({ length: DUPLICATES }, (_, n) => ({
    ...itemOf(n * 900),
    price: "0,01",
  }));
  const untitled = Array.from({ length: UNTITLED }, (_, n) => ({ sku: `U-${n}`, price: "1,00" }));
  return itemsXml([...early, ...items, ...untitled]);
}

interface JobState {
  readonly status: string;
  readonly phase: string;
  readonly progress: { readonly processed: number };
}

async function stateOf({ owner }: LiveServer, jobId: string): Promise<JobState> {
  return await bodyOf(owner.get(`/api/imports/${jobId}`), 200);
}

/** Kills the server when the job has come a random step further. */
async function killOnTheWay(live: LiveServer, jobId: string): Promise<string> {
  const begin = await stateOf(live, jobId);
  const further = Math.random() * (ITEMS / KILLS);
  for (;;) {
    const state = await stateOf(live, jobId);
    const isFurther = state.progress.processed - begin.progress.processed >= further;
    const isOver = state.status !== "running" && state.status !== "queued";
    if (!isFurther && !isOver && state.phase === begin.phase) continue;
    await live.server.crash();
    return state.status;
  }
}

Deno.test(`an import of ${ITEMS} records ends exact after ${KILLS} times kill -9`, async () => {
  await using folder = await temporaryFolder();
  let jobId = "";
  let kills = 0;
  for (let status = "queued"; kills < KILLS && (status === "queued" || status === "running");) {
    await using live = await startLiveServer(folder.path);
    if (jobId === "") {
      const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
      ({ jobId } = await bodyOf(live.owner.post("/api/imports", fileOf(), headers), 202));
    }
    status = await killOnTheWay(live, jobId);
    kills++;
  }
  ok(kills > KILLS / 2, `only ${kills} kills hit the import`);
  {
    await using live = await startLiveServer(folder.path);
    let job = await stateOf(live, jobId);
    while (job.status === "queued" || job.status === "running") job = await stateOf(live, jobId);
    const { stats, status, count, errorCount, warningCount } = await bodyOf(
      live.owner.get(`/api/imports/${jobId}`),
      200,
    );
    assertEquals({ status, count, errorCount, warningCount, ...stats }, {
      status: "succeeded",
      count: ITEMS + DUPLICATES + UNTITLED,
      errorCount: UNTITLED,
      warningCount: DUPLICATES,
      inserted: ITEMS,
      updated: 0,
      skipped: DUPLICATES,
      errors: UNTITLED,
      competitorsLinked: ITEMS / 10,
    });
    await requireEachProduct(live);
    assertEquals((await live.server.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});

async function requireEachProduct({ owner }: LiveServer): Promise<void> {
  const seen = new Set<string>();
  for (let cursor = "";;) {
    const page = await bodyOf(owner.get(`/api/products?limit=200&cursor=${cursor}`), 200);
    for (const { sku, ourPrice, title } of page.items) {
      const n = Number(sku.slice(2));
      assertEquals([sku, ourPrice, title], [`S-${n}`, priceOf(n), `Artikel ${n}`]);
      seen.add(sku);
    }
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  assertEquals(seen.size, ITEMS);
}
