import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { sweepBlobs } from "../../../src/platform/store/spool.ts";
import { findUsage } from "../../../src/platform/store/spool_store.ts";
import type { Discovery } from "../../../src/shops/discovery/discovery_store.ts";
import { startTestApp } from "../../harness.ts";
import { extent } from "../../proof.ts";
import { endless, openShop, type Page, withShop } from "../hostile_shop.ts";
import { SCRAPING_ENV } from "../scraping_app.ts";
import { merchantFeed, merchantItem } from "./made_feeds.ts";
import { addShop, discover, plain, startDiscoveryApp, urlset, xml } from "./made_shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { constants, createDeflateRaw } from "node:zlib";

const MIB = 1024 * 1024;
/** Size of a decompressed bomb. The compressed file is small enough to be accepted. */
const BOMB_BYTES = extent(10_240, 256) * MIB;
const BODY_BYTES_MAX = extent(32, 8) * MIB;
const UNPACKED_BYTES_MAX = extent(48, 12) * MIB;
/** Maximum number of entries of a feed, which is more than a batch of 500 stored entries. */
const ITEMS_MAX = extent(3_000, 600);

/** Compresses a text to deflate bytes that are valid at any position of a stream. */
async function block(text: string): Promise<Uint8Array> {
  const deflate = createDeflateRaw();
  const pieces: Uint8Array[] = [];
  deflate.on("data", (piece: Uint8Array) => pieces.push(Uint8Array.from(piece)));
  deflate.write(text);
  await new Promise<void>((resolve) => deflate.flush(constants.Z_FULL_FLUSH, resolve));
  deflate.destroy();
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

/** A gzip file that repeats `filling` up to `BOMB_BYTES` when decompressed. */
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
  const item = (n: number) =>
    merchantItem({ id: `${n}`, title: `Becher ${n}`, link: `${base}/p/${n}`, price: "1 EUR" });
  const open = '<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>';
  const blanks = await bomb(open + item(1), " ".repeat(MIB));
  const many = await bomb(
    open,
    `<item><g:id>1</g:id><g:link>${base}/p/1</g:link></item>`.repeat(80_000),
  );
  const line = await bomb("id;title;link;price;availability\n", "x".repeat(MIB));
  const bytes = (body: Uint8Array<ArrayBuffer>): Page => () => new Response(body);
  Object.assign(pages, {
    "/robots.txt": plain("User-agent: *\nDisallow: /forbidden"),
    "/blanks.xml.gz": bytes(blanks),
    "/many.xml.gz": bytes(many),
    "/line.csv.gz": bytes(line),
    "/endless.xml": endless,
    "/loop.xml": () => new Response(null, { status: 302, headers: { Location: "/loop.xml" } }),
    "/elsewhere.xml": () =>
      new Response(null, { status: 302, headers: { Location: `${other.base}/feed.xml` } }),
    "/forbidden.xml": xml(merchantFeed([item(2)])),
    "/entities.xml": xml(
      `<!DOCTYPE rss [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b "${"&a;".repeat(1_000)}">]>` +
        `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><g:title>${
          "&b;".repeat(1_000)
        }</g:title><g:link>${base}/p/9</g:link></item></channel></rss>`,
    ),
    "/long.xml": xml(merchantFeed(Array.from({ length: ITEMS_MAX + 400 }, (_, n) => item(n)))),
  });
  await using app = await startDiscoveryApp({
    IMPORT_MAX_BODY_BYTES: `${BODY_BYTES_MAX}`,
    IMPORT_MAX_UNPACKED_BYTES: `${UNPACKED_BYTES_MAX}`,
    IMPORT_MAX_ITEMS: `${ITEMS_MAX}`,
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
    ["/long.xml", "too_large"],
  ];
  const feeds = cases.map(([path]) => ({
    url: base + path,
    format: path.includes(".csv") ? "csv" : "merchant_xml",
  }));
  const { state } = await discover(app, competitorId, { feeds });
  const errors = state.feeds.map(({ url, errorCode }) => [url.slice(base.length), errorCode]);
  assertEquals(errors, cases);
  // Entries before the limit are stored.
  const long = state.feeds.at(-1);
  ok(long && long.isCut && long.entries > 500 && long.entries <= ITEMS_MAX, `${long?.entries}`);
  assertEquals(other.visits, []);
  const paths = shop.visits.map(({ path }) => path);
  assertEquals(paths.filter((path) => path.startsWith("/p/") || path === "/forbidden.xml"), []);
  // No bytes of the downloaded files stay in the store.
  await sweepBlobs(app.store, new Date());
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
  assertEquals((await findUsage(app)).bytes, 0);
});

withShop.test("a request for a shop waits for a slow feed longer than for a page", async (shop) => {
  const { base, pages } = shop;
  // The permit of a page expires five seconds after this timeout.
  const TIMEOUT_MS = 300;
  const text = merchantFeed([
    merchantItem({ id: "1", title: "Becher", link: `${base}/p/1`, price: "1 EUR" }),
  ]);
  const PIECES = 13;
  const openAt: number[] = [];
  let endedAt = 0;
  pages["/feed.xml"] = () => {
    let n = 0;
    let timer: ReturnType<typeof setInterval>;
    openAt.push(performance.now());
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const size = Math.ceil(text.length / PIECES);
        timer = setInterval(() => {
          controller.enqueue(new TextEncoder().encode(text.slice(n * size, (n + 1) * size)));
          if (++n < PIECES) return;
          clearInterval(timer);
          endedAt = performance.now();
          controller.close();
        }, 450);
      },
      cancel: () => clearInterval(timer),
    });
    return new Response(body);
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
    while (openAt.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const other = await discover(two, second, { sitemaps: [`${base}/map.xml`] });
    assertEquals(other.state.lastError, null);
    const { state } = await reading;
    assertEquals(state.feeds.map(({ entries, errorCode }) => [entries, errorCode]), [[1, null]]);
  }
  ok(endedAt - (openAt[0] ?? 0) > TIMEOUT_MS + 5_000, "slower than any page may be");
  ok(mapsAt.every((at) => at >= endedAt), "no request came meanwhile");
});
