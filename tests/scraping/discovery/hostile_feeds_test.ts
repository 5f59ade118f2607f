import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { sweepBlobs } from "../../../src/platform/store/spool.ts";
import { findUsage } from "../../../src/platform/store/spool_store.ts";
import type { Discovery } from "../../../src/shops/pages/discovery_store.ts";
import { startTestApp } from "../../harness.ts";
import { valuesOf } from "../../api/answers.ts";
import { pause, until } from "../../patience.ts";
import { extent, IS_LONG } from "../../proof.ts";
import { endless, openShop, type Page, redirect, withShop } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import {
  addShop,
  cupItem,
  discover,
  merchantFeed,
  merchantItem,
  plain,
  startDiscoveryApp,
  urlset,
  xml,
} from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { constants, createDeflateRaw } from "node:zlib";
import { FEED_MAX } from "../../../src/scraping/discovery/read_feed.ts";
import { heapBytes } from "../../collected_heap.ts";
import { processMs } from "../../processor_time.ts";

const MIB = 1024 * 1024;
/** Size of the decompressed file; the compressed one is small enough to be accepted. */
const BOMB_BYTES = extent(10_240, 256) * MIB;
const BODY_BYTES_MAX = extent(32, 8) * MIB;
const UNPACKED_BYTES_MAX = extent(48, 12) * MIB;

/** Returns deflate bytes that are valid anywhere in a compressed stream. */
async function block(text: string): Promise<Uint8Array> {
  const deflate = createDeflateRaw();
  const pieces: Uint8Array[] = [];
  deflate.on("data", (piece: Uint8Array) => pieces.push(Uint8Array.from(piece)));
  deflate.write(text);
  await new Promise<void>((resolve) => deflate.flush(constants.Z_FULL_FLUSH, resolve));
  deflate.destroy();
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

/** A gzip file that repeats `filling`, up to `BOMB_BYTES` in decompressed form. */
async function bomb(begin: string, filling: string): Promise<Uint8Array<ArrayBuffer>> {
  const head = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const [first, more] = [await block(begin), await block(filling)];
  const times = Math.ceil(BOMB_BYTES / filling.length);
  const bytes = new Uint8Array(head.length + first.length + times * more.length);
  bytes.set(head);
  bytes.set(first, head.length);
  for (let n = 0; n < times; n++) bytes.set(more, head.length + first.length + n * more.length);
  return bytes;
}

withShop.test("feeds that are bombs, endless, broken, refused or redirected are refused or truncated", async (shop) => {
  await using other = openShop({ "/feed.xml": xml(merchantFeed([])) });
  const { base, pages } = shop;
  const item = (n: number) => cupItem(base, n);
  const open = '<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>';
  const blanks = await bomb(open + item(1), " ".repeat(MIB));
  const small = merchantItem({ id: "1", link: `${base}/p/1` });
  const many = await bomb(open, small.repeat(80_000));
  const line = await bomb("id;title;link;price;availability\n", "x".repeat(MIB));
  const bytes = (body: Uint8Array<ArrayBuffer>): Page => () => new Response(body);
  Object.assign(pages, {
    "/robots.txt": plain("User-agent: *\nDisallow: /forbidden"),
    "/blanks.xml.gz": bytes(blanks),
    "/many.xml.gz": bytes(many),
    "/line.csv.gz": bytes(line),
    "/endless.xml": endless,
    "/loop.xml": redirect("/loop.xml"),
    "/elsewhere.xml": redirect(`${other.base}/feed.xml`),
    "/forbidden.xml": xml(merchantFeed([item(2)])),
    "/entities.xml": xml(
      `<!DOCTYPE rss [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b "${"&a;".repeat(1_000)}">]>` +
        `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><g:title>${
          "&b;".repeat(1_000)
        }</g:title><g:link>${base}/p/9</g:link></item></channel></rss>`,
    ),
  });
  await using app = await startDiscoveryApp({
    IMPORT_MAX_BODY_BYTES: `${BODY_BYTES_MAX}`,
    IMPORT_MAX_UNPACKED_BYTES: `${UNPACKED_BYTES_MAX}`,
  });
  const competitorId = await addShop(app.manager, base);
  const cases: [string, string][] = [
    ["/blanks.xml.gz", "too_large"],
    ["/many.xml.gz", "too_large"],
    ["/line.csv.gz", "too_large"],
    ["/endless.xml", "too_large"],
    ["/loop.xml", "redirect_refused"],
    ["/elsewhere.xml", "redirect_refused"],
    ["/forbidden.xml", "robots_disallowed"],
    ["/entities.xml", "forbidden_doctype"],
    ["/dead.xml", "http_error"],
  ];
  const feeds = cases.map(([path]) => ({
    url: base + path,
    format: path.includes(".csv") ? "csv" : "merchant_xml",
  }));
  const { state } = await discover(app, competitorId, { feeds });
  const errors = state.feeds.map(({ url, errorCode }) => [url.slice(base.length), errorCode]);
  assertEquals(errors, cases);
  assertEquals(other.visits, []);
  assertEquals([...shop.asked("/p/"), ...shop.asked("/forbidden.xml")], []);
  await sweepBlobs(app.store, new Date());
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
  assertEquals((await findUsage(app)).bytes, 0);
});

withShop.test("a request for a shop waits for a slow feed longer than for a page", async (shop) => {
  const { base, pages } = shop;
  // A permit for a page ends five seconds after this timeout; reading the feed takes longer.
  const TIMEOUT_MS = 300;
  const text = merchantFeed([cupItem(base, 1)]);
  const PIECES = 13;
  const openAt: number[] = [];
  let endedAt = 0;
  const size = Math.ceil(text.length / PIECES);
  async function* slowly() {
    for (let at = 0; at < text.length; at += size) {
      await pause(450);
      yield new TextEncoder().encode(text.slice(at, at + size));
    }
    endedAt = performance.now();
  }
  pages["/feed.xml"] = () => {
    openAt.push(performance.now());
    return new Response(ReadableStream.from(slowly()));
  };
  const mapsAt: number[] = [];
  pages["/map.xml"] = (request) => {
    mapsAt.push(performance.now());
    return xml(urlset([]))(request);
  };
  {
    const env = { ...SCRAPING_ENV, SCRAPE_TIMEOUT_MS: `${TIMEOUT_MS}` };
    await using one = await startDiscoveryApp(env);
    await using two = await startTestApp({ store: one.store, env, now: () => new Date() });
    const [first, second] = [await addShop(one.manager, base), await addShop(two.manager, base)];
    const feeds = [{ url: `${base}/feed.xml`, format: "merchant_xml" }];
    const reading: Promise<Discovery> = discover(one, first, { feeds });
    await until("the feed is requested", () => openAt.length > 0);
    const other = await discover(two, second, { sitemaps: [`${base}/map.xml`] });
    assertEquals(other.state.lastError, null);
    const { state } = await reading;
    assertEquals(valuesOf(state.feeds, "entries", "errorCode"), [[1, null]]);
  }
  ok(endedAt - (openAt[0] ?? 0) > TIMEOUT_MS + 5_000, "slower than any page may be");
  ok(mapsAt.every((at) => at >= endedAt), "no request came meanwhile");
});

const ENTRIES = extent(3_000_000, 3_000);
/** Maximum number of entries that are read; in long test runs, the real maximum. */
const READ_MAX = extent(FEED_MAX.items, 1_000);
const ITEMS_AT_ONCE = 1_000;
/** Upper bound for the entries of a feed's chunk. A chunk that exceeds `READ_MAX` is dropped. */
const BATCH_MAX = 500;
const HEAP_MAX = extent(96, 48) * MIB;
/** How much more an entry of a large feed may cost than one of a small feed. */
const TIMES_MAX = 2;
const SHORT = extent(READ_MAX / 16, 250);
const POLL_MS = extent(5_000, 1_000);

function feedOf(base: string, entries: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const [head = "", tail = ""] = merchantFeed(["|"]).split("|");
  async function* parts() {
    yield head;
    for (let n = 0; n < entries; n += ITEMS_AT_ONCE) {
      const count = Math.min(ITEMS_AT_ONCE, entries - n);
      const items = Array.from(
        { length: count },
        (_, k) => merchantItem({ id: `${n + k}`, title: "Becher", link: `${base}/p/${n + k}` }),
      );
      yield items.join("\n");
    }
    yield tail;
  }
  return ReadableStream.from(parts())
    .pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip"));
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
      await pause(POLL_MS);
    }
  };
  const short = await take("/short.xml.gz");
  assertEquals(short.state.urls, SHORT);
  const { state, ms } = await take("/feed.xml.gz");
  const [feed] = state.feeds;
  assertEquals([feed?.isCut, feed?.errorCode, state.lastError], [true, "too_large", "too_large"]);
  ok(feed && feed.entries > READ_MAX - BATCH_MAX && feed.entries <= READ_MAX, `${feed?.entries}`);
  assertEquals([state.urls, state.products], [feed.entries, feed.entries]);
  assertEquals(shop.asked("/p/"), []);
  ok(mostBytes < HEAP_MAX, `${Math.round(mostBytes / MIB)} MiB`);
  const times = (ms / READ_MAX) / (short.ms / SHORT);
  ok(times < TIMES_MAX, `an entry of the long feed costs ${times.toFixed(1)} times as much`);
  await sweepBlobs(app.store, new Date());
  assertEquals((await findUsage(app)).bytes, 0);
});
