/** A feed that names more pages than any shop has. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { FEED_MAX } from "../../src/discovery/feeds/read_feed.ts";
import type { Discovery } from "../../src/competitors/discovery/discovery.ts";
import { sweepBlobs } from "../../src/platform/spool/spool.ts";
import { findUsage } from "../../src/platform/spool/spool_store.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { heapBytes } from "../collected_heap.ts";
import { answered } from "../competitors/shop.ts";
import { startTestApp } from "../harness.ts";
import { processMs } from "../processor_time.ts";
import { extent, IS_LONG } from "../proof.ts";
import { openShop, type Page } from "../scraping/hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { merchantFeed, merchantItem } from "./made_feeds.ts";
import { addShop, urlset, xml } from "./made_shop.ts";

const MIB = 1024 * 1024;
const ENTRIES = extent(3_000_000, 40_000);
/** In the long form the service's own. */
const READ_MAX = extent(FEED_MAX.items, 4_000);
const ITEMS_AT_ONCE = 1_000;
/** Entries are read in pieces; the one in which a feed is cut is not taken in. */
const BATCH_MAX = 500;
/** Beside what a small feed takes. */
const HEAP_MAX = extent(96, 48) * MIB;
const MS_PER_ENTRY_MAX = 8;
const LOOK_MS = extent(5_000, 500);

/** Entry by entry, so that neither the shop nor the test ever holds all of them. */
function longFeed(base: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const [head = "", tail = ""] = merchantFeed(["|"]).split("|");
  const encoder = new TextEncoder();
  let n = -ITEMS_AT_ONCE;
  const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      n += ITEMS_AT_ONCE;
      if (n === 0) controller.enqueue(encoder.encode(head));
      const items = Array.from(
        { length: Math.min(ITEMS_AT_ONCE, ENTRIES - n) },
        (_, k) => merchantItem({ id: `${n + k}`, title: "Becher", link: `${base}/p/${n + k}` }),
      );
      controller.enqueue(encoder.encode(items.join("\n")));
      if (n + ITEMS_AT_ONCE < ENTRIES) return;
      controller.enqueue(encoder.encode(tail));
      controller.close();
    },
  });
  return plain.pipeThrough(new CompressionStream("gzip"));
}

Deno.test(`of a feed of ${ENTRIES} pages the first ${READ_MAX} are taken in, with a heap that does not grow with it, and the shop says that it was cut`, async () => {
  await using folder = await temporaryFolder();
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  const pages: Record<string, Page> = {};
  await using shop = openShop(pages);
  const { base } = shop;
  pages["/sitemap.xml"] = xml(urlset([]));
  pages["/feed.xml.gz"] = () => new Response(longFeed(base));
  {
    const env = IS_LONG ? SCRAPING_ENV : { ...SCRAPING_ENV, IMPORT_MAX_ITEMS: `${READ_MAX}` };
    await using app = await startTestApp({ store, env, now: () => new Date() });
    const competitorId = await addShop(app.manager, base);
    const path = `/api/competitors/${competitorId}/discovery`;
    const feeds = [{ url: `${base}/feed.xml.gz`, format: "merchant_xml" }];
    const before = { heap: heapBytes(), ms: processMs() };
    await answered(app.manager.put(path, { mode: "suggest", feeds }), 200);
    let mostBytes = 0;
    let state = (await answered<Discovery>(app.viewer.get(path), 200)).state;
    while (state.phase !== "idle") {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      mostBytes = Math.max(mostBytes, heapBytes() - before.heap);
      state = (await answered<Discovery>(app.viewer.get(path), 200)).state;
    }
    const perEntryMs = (processMs() - before.ms) / READ_MAX;
    const [told] = state.feeds;
    assertEquals([told?.isCut, told?.errorCode, state.lastError], [true, "too_large", "too_large"]);
    ok(told && told.entries > READ_MAX - BATCH_MAX && told.entries <= READ_MAX, `${told?.entries}`);
    assertEquals([state.urls, state.products], [told.entries, told.entries]);
    // Its pages are read from the feed: nobody visits them.
    assertEquals(shop.visits.filter((visit) => visit.path.startsWith("/p/")), []);
    ok(mostBytes < HEAP_MAX, `${Math.round(mostBytes / MIB)} MiB`);
    ok(perEntryMs < MS_PER_ENTRY_MAX, `${perEntryMs.toFixed(2)} ms per entry`);
    await sweepBlobs(app.store, new Date());
    assertEquals((await findUsage(app)).bytes, 0);
  }
  store.kv.close();
});
