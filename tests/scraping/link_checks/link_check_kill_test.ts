import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { checkScraping } from "../../../src/scraping/check_scraping.ts";
import type { CheckOutcome } from "../../../src/scraping/link_checks/check_codes.ts";
import { CHECK_KIND, type CheckJob } from "../../../src/scraping/link_checks/link_check.ts";
import { CheckRows } from "../../../src/scraping/link_checks/link_check_store.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { addProduct, answered } from "../../shops/shop.ts";
import { startTestApp } from "../../harness.ts";
import { killOnTheWay } from "../../killed_process.ts";
import { extent } from "../../proof.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { openShop } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { article, begin } from "./link_check_app.ts";

const LINES = extent(1_000, 30);
const KILLS = 2;
const DELAY_MS = 50;
const GTIN = "9521234567899";
/** The pause counts from before the request is made, which a busy machine does some milliseconds later. */
const LATE_MS = 10;

Deno.test(`a check of ${LINES} lines that is killed twice asks for no page again but the one in flight`, async () => {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const startsPath = `${dataDir}/starts.txt`;
  const names = Array.from({ length: LINES }, (_, n) => `/${n}`);
  await using shop = openShop(
    Object.fromEntries(names.map((name) => [name, article("Kofferradio", { gtin13: GTIN })])),
  );
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  let workspaceId = "";
  let checkId = "";
  {
    await using app = await startTestApp({ store, env: SCRAPING_ENV });
    workspaceId = app.workspaceId;
    await addProduct(app.manager, "R-1", { ean: GTIN });
    await answered(app.manager.post("/api/competitors", { domain: `127.0.0.1:${shop.port}` }), 201);
    // Its own runner would do the work.
    await app.app.close();
    const lines = names.map((name) => ({ sku: "R-1", url: shop.base + name }));
    checkId = await begin(app.manager, { lines });
  }
  store.kv.close();

  const visitsOf = (path: string) => shop.visits.filter((visit) => visit.path === path).length;
  const stored = new Map<string, number>();
  await killOnTheWay({
    path: new URL("../crash_child.ts", import.meta.url).pathname,
    args: [dataDir, JSON.stringify({ SCRAPE_DOMAIN_DELAY_MS: `${DELAY_MS}` }), startsPath],
    kills: KILLS,
    // Each line takes two at least: its turn, and what came of it.
    commitsMax: Math.floor(LINES / KILLS),
    async ended() {
      const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
      const at = { store: opened, workspaceId };
      for (const outcome of ["sure", "failed"] satisfies CheckOutcome[]) {
        for await (const { line } of new CheckRows(at, checkId).walkLines(outcome)) {
          const { pathname } = new URL(line.url);
          if (!stored.has(pathname)) stored.set(pathname, visitsOf(pathname));
        }
      }
      opened.kv.close();
    },
  });
  assertEquals(stored.size, LINES);
  // What is stored is never asked for again; what was in flight was asked for once more at most.
  for (const [path, visits] of stored) assertEquals(visitsOf(path), visits, path);
  const visited = names.map(visitsOf);
  ok(visited.every((count) => count >= 1), "a page was never asked for");
  const again = visited.reduce((sum, count) => sum + count - 1, 0);
  ok(again <= KILLS, `${again} pages were asked for again`);
  assertEquals(shop.openMax(), 1);

  const starts = (await Deno.readTextFile(startsPath)).trim().split("\n").map(Number);
  const gaps = starts.slice(1).map((at, n) => at - (starts[n] ?? at));
  const short = gaps.filter((gap) => gap < DELAY_MS - LATE_MS);
  assertEquals(short, []);

  const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
  const at = { store: opened, workspaceId };
  const check = await findJob<CheckJob>(at, CHECK_KIND, checkId);
  assertEquals(check?.status, "succeeded");
  assertEquals((await Array.fromAsync(new CheckRows(at, checkId).walkLines("sure"))).length, LINES);
  assertEquals(await Array.fromAsync(checkScraping(opened, workspaceId)), []);
  opened.kv.close();
});
