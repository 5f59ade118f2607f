import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { checkScraping } from "../../../src/scraping/check_scraping.ts";
import type { CheckOutcome } from "../../../src/scraping/link_checks/check_codes.ts";
import { CHECK_KIND, type CheckJob } from "../../../src/scraping/link_checks/link_check.ts";
import { CheckRows } from "../../../src/scraping/link_checks/link_check_store.ts";
import { findJob } from "../../../src/platform/jobs/job_store.ts";
import { addProduct } from "../../shops/shop.ts";
import { extent } from "../../proof.ts";
import { article, openShop } from "../hostile_shop.ts";
import { addShop } from "../discovery/made_shop.ts";
import { killOnItsWay, usualGapMs } from "../killed_scraping.ts";
import { begin } from "./link_check_app.ts";

const LINES = extent(1_000, 30);
const KILLS = 2;
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
    kills: KILLS,
    // Each line needs at least two commits, for its permit and for its result.
    commitsMax: Math.floor(LINES / KILLS),
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
      // Pages with a stored result are never requested again.
      for (const [path, visits] of stored) assertEquals(visitsOf(path), visits, path);
      const visited = names.map(visitsOf);
      ok(visited.every((count) => count >= 1), "a page was never asked for");
      const again = visited.reduce((sum, count) => sum + count - 1, 0);
      ok(again <= KILLS, `${again} pages were asked for again`);
      assertEquals(shop.openMax(), 1);
      ok(usualGapMs(starts) >= 0.9 * DELAY_MS, `${usualGapMs(starts)} ms`);
      const check = await findJob<CheckJob>(place, CHECK_KIND, checkId);
      assertEquals(check?.status, "succeeded");
      const sure = await Array.fromAsync(new CheckRows(place, checkId).walkLines("sure"));
      assertEquals(sure.length, LINES);
      assertEquals(await Array.fromAsync(checkScraping(place.store, place.workspaceId)), []);
    },
  });
});
