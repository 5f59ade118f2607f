import { sweepBlobs } from "../../../src/platform/store/spool.ts";
import { findUsage } from "../../../src/platform/store/spool_store.ts";
import { FEED_MAX } from "../../../src/scraping/discovery/read_feed.ts";
import type { Discovery } from "../../../src/shops/discovery/discovery_store.ts";
import { heapBytes } from "../../collected_heap.ts";
import { startTestApp } from "../../harness.ts";
import { processMs } from "../../processor_time.ts";
import { extent, IS_LONG } from "../../proof.ts";
import { withShop } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { merchantFeed, merchantItem } from "./made_feeds.ts";
import { addShop, urlset, xml } from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const MIB = 1024 * 1024;
const ENTRIES = extent(3_000_000, 3_000);
/** Maximum number of entries. Only the long form of the test uses the real maximum. */
const READ_MAX = extent(FEED_MAX.items, 1_000);
const ITEMS_AT_ONCE = 1_000;
/** Size of the batches in which entries are read. The batch that exceeds the maximum is dropped. */
const BATCH_MAX = 500;
/** Allowed growth of the heap in bytes. */
const HEAP_MAX = extent(96, 48) * MIB;
/** Allowed cost per entry, relative to a small feed. */
const TIMES_MAX = 2;
const SHORT = extent(READ_MAX / 16, 250);
const POLL_MS = extent(5_000, 1_000);

/** Streams the feed, so that it is never in memory as a whole. */
function feedOf(base: string, entries: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const [head = "", tail = ""] = merchantFeed(["|"]).split("|");
  const encoder = new TextEncoder();
  let n = -ITEMS_AT_ONCE;
  const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      n += ITEMS_AT_ONCE;
      if (n === 0) controller.enqueue(encoder.encode(head));
      const items = Array.from(
        { length: Math.min(ITEMS_AT_ONCE, entries - n) },
        (_, k) => merchantItem({ id: `${n + k}`, title: "Becher", link: `${base}/p/${n + k}` }),
      );
      controller.enqueue(encoder.encode(items.join("\n")));
      if (n + ITEMS_AT_ONCE < entries) return;
      controller.enqueue(encoder.encode(tail));
      controller.close();
    },
  });
  return plain.pipeThrough(new CompressionStream("gzip"));
}

withShop.test(`of a feed of ${ENTRIES} pages the first ${READ_MAX} are read with constant memory, and the shop shows that it was truncated`, async (shop) => {
  const { base, pages } = shop;
  pages["/sitemap.xml"] = xml(urlset([]));
  pages["/short.xml.gz"] = () => new Response(feedOf(base, SHORT));
  pages["/feed.xml.gz"] = () => new Response(feedOf(base, ENTRIES));
  const env = IS_LONG ? SCRAPING_ENV : { ...SCRAPING_ENV, IMPORT_MAX_ITEMS: `${READ_MAX}` };
  await using app = await startTestApp({ env, now: () => new Date() });
  const competitorId = await addShop(app.manager, base);
  const path = `/api/competitors/${competitorId}/discovery`;
  const before = heapBytes();
  let mostBytes = 0;
  const take = async (feed: string) => {
    const beganMs = processMs();
    const feeds = [{ url: base + feed, format: "merchant_xml" }];
    await app.manager.replace(path, { mode: "suggest", feeds });
    await app.manager.act(`${path}/run`);
    for (;;) {
      const { state } = await app.viewer.read<Discovery>(path);
      mostBytes = Math.max(mostBytes, heapBytes() - before);
      if (state.phase === "idle") return { state, ms: processMs() - beganMs };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const short = await take("/short.xml.gz");
  assertEquals(short.state.urls, SHORT);
  const { state, ms } = await take("/feed.xml.gz");
  const [feed] = state.feeds;
  assertEquals([feed?.isCut, feed?.errorCode, state.lastError], [true, "too_large", "too_large"]);
  ok(feed && feed.entries > READ_MAX - BATCH_MAX && feed.entries <= READ_MAX, `${feed?.entries}`);
  assertEquals([state.urls, state.products], [feed.entries, feed.entries]);
  // Pages of a feed are not visited.
  assertEquals(shop.asked("/p/"), []);
  ok(mostBytes < HEAP_MAX, `${Math.round(mostBytes / MIB)} MiB`);
  const times = (ms / READ_MAX) / (short.ms / SHORT);
  ok(times < TIMES_MAX, `an entry of the long feed costs ${times.toFixed(1)} times as much`);
  await sweepBlobs(app.store, new Date());
  assertEquals((await findUsage(app)).bytes, 0);
});
