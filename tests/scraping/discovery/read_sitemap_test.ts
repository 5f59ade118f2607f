import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { readSitemap, type SitemapQuestion } from "../../../src/scraping/discovery/read_sitemap.ts";
import { crawlDelayMs, parseRobots } from "../../../src/scraping/page/robots_rules.ts";
import { assertFields, column } from "../../api/answers.ts";
import { costMs, leastCostMs } from "../../processor_time.ts";
import { extent } from "../../proof.ts";

const ask = (text: string | Uint8Array<ArrayBuffer>, more: Partial<SitemapQuestion> = {}) =>
  readSitemap({
    body: typeof text === "string" ? new TextEncoder().encode(text) : text,
    fileUrl: "https://shop.example/sitemap.xml",
    domain: "shop.example",
    country: null,
    ...more,
  });
const NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ' +
  'xmlns:xhtml="http://www.w3.org/1999/xhtml" ' +
  'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
const urlset = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset ${NAMESPACES}>${entries.join("")}</urlset>`;
const SHOP = "https://shop.example";
const page = (loc: string, more = "") => `<url><loc>${loc}</loc>${more}</url>`;
const locs = (...question: Parameters<typeof ask>) => column(ask(...question).urls, "url");

Deno.test("a sitemap lists each page once, as a normalised address with its date", () => {
  const modified = (time: string) => `<lastmod>${time}</lastmod>`;
  const image = "<image:image><image:loc>https://cdn.example/3.jpg</image:loc></image:image>";
  const report = ask(urlset(
    page("https://www.shop.example/p/1?utm_source=x#top", modified("2026-02-03T10:00:00Z")),
    page("https://www.shop.example/p/1", modified("2026-02-01")),
    page(` ${SHOP}/p/2?a=1&amp;b=2 `, modified("never")),
    page(`${SHOP}/p/3`, image),
    page("https://other.example/p/4"),
    page("ftp://shop.example/p/5"),
    page("https://me:secret@shop.example/p/6"),
    page(`${SHOP}/${"x".repeat(2_100)}`),
    "<url></url>",
  ));
  assertEquals(report, {
    kind: "urls",
    files: [],
    urls: [
      { url: "https://www.shop.example/p/1", lastmodDay: 20_487 },
      { url: "https://shop.example/p/2?a=1&b=2", lastmodDay: 0 },
      { url: "https://shop.example/p/3", lastmodDay: 0 },
    ],
    foreign: 1,
    isCut: false,
  });
});

Deno.test("of several language versions of a page one counts: the country's, else German, else the default", () => {
  const alternate = (lang: string) =>
    `<xhtml:link rel="alternate" hreflang="${lang}" href="${SHOP}/${lang}/1"/>`;
  const cases: readonly [country: string | null, langs: string, chosen: string][] = [
    ["AT", "fr en-at de-at de x-default", "de-at"],
    ["AT", "fr en-AT de", "en-AT"],
    [null, "en de x-default", "de"],
    ["DE", "en x-default", "x-default"],
    ["DE", "fr it", "fr it"],
  ];
  for (const [country, langs, chosen] of cases) {
    const all = langs.split(" ");
    const alternates = all.map(alternate).join("");
    const pages = all.map((lang) => page(`${SHOP}/${lang}/1`, alternates));
    const expected = chosen.split(" ").map((lang) => `${SHOP}/${lang}/1`);
    assertEquals(locs(urlset(...pages), { country }), expected, `${country}: ${langs}`);
  }
});

Deno.test("a sitemap index lists files, and a text list its pages", () => {
  const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <sitemap><loc>https://shop.example/a.xml.gz</loc><lastmod>2026-01-01</lastmod></sitemap>
    <sitemap><loc>/b.xml</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>`;
  const files = [`${SHOP}/a.xml.gz`, `${SHOP}/b.xml`];
  assertFields(ask(index), { kind: "index", isCut: false, files });
  const lines = "https://shop.example/1\r\nhttps://shop.example/2\n\nhttps://other.example/3";
  assertFields(ask(lines), { kind: "urls", foreign: 1, isCut: false });
  assertEquals(locs(lines), [`${SHOP}/1`, `${SHOP}/2`]);
});

Deno.test("a gzipped file is unpacked once, recognised by its first bytes and not its name", () => {
  const packed = (bytes: Uint8Array | string) => Uint8Array.from(gzipSync(bytes));
  const text = urlset(page("https://shop.example/1"));
  assertEquals(locs(packed(text)), ["https://shop.example/1"]);
  assertEquals(ask(packed(packed(text))).urls, []);
});

Deno.test("a truncated file is read to its end, and is reported as truncated", () => {
  const whole = urlset(page("https://shop.example/1"), page("https://shop.example/2"));
  const cut = ask(whole.slice(0, whole.indexOf("/2</loc>")));
  assertEquals([cut.urls.length, cut.isCut, cut.kind], [1, true, "urls"]);
  const many = Array.from({ length: 5_000 }, (_, n) => page(`${SHOP}/${n}`));
  const packed = Uint8Array.from(gzipSync(urlset(...many)));
  const half = ask(packed.slice(0, packed.length / 2));
  ok(half.isCut && half.urls.length > 100 && half.urls.length < 5_000, `${half.urls.length}`);
  assertEquals(ask(urlset("<url><loc>a</loc></urk>")).isCut, true);
  const entity = `<!DOCTYPE urlset [<!ENTITY a "b">]>${urlset(page("https://shop.example/&a;"))}`;
  assertEquals(ask(entity).urls, []);
  for (const nothing of ["", "<html><body>no</body></html>", "\u0000\u0001"]) {
    assertEquals(ask(nothing).urls, [], JSON.stringify(nothing));
  }
});

Deno.test("a hostile sitemap costs no more than its beginning", () => {
  const isCheap = (work: () => unknown) => costMs(work) < 3_000 || leastCostMs(work) < 3_000;
  const bomb = Uint8Array.from(gzipSync(new Uint8Array(extent(400, 150) * 1024 * 1024)));
  assertEquals(ask(bomb).kind, "unreadable");
  ok(isCheap(() => ask(bomb)));
  const lines = Array.from({ length: 60_000 }, (_, n) => `${SHOP}/${n}?${"a".repeat(30)}\n`).join(
    "",
  );
  const many = ask(lines);
  assertEquals([many.urls.length, many.isCut], [50_000, true]);
  ok(isCheap(() => ask(lines)));
  const oneLine = "x".repeat(40 * 1024 * 1024);
  assertEquals(ask(oneLine).urls, []);
  ok(isCheap(() => ask(oneLine)));
  const deep = `<urlset>${"<a>".repeat(100_000)}`;
  assertEquals([ask(deep).urls, ask(deep).isCut], [[], true]);
  const alternates = "<xhtml:link rel='alternate' hreflang='en' href='/x'/>".repeat(50_000);
  assertEquals(locs(urlset(page(`${SHOP}/1`, alternates))), [`${SHOP}/1`]);
});

Deno.test("a robots.txt names sitemaps for all crawlers and a delay per group", () => {
  const rules = parseRobots(
    "Sitemap: https://shop.example/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /x\n" +
      "sitemap: https://shop.example/b.xml\n\nUser-agent: Kurant\nCrawl-delay: 7\nCrawl-delay: 9",
  );
  assertEquals(rules.sitemaps, ["https://shop.example/a.xml", "https://shop.example/b.xml"]);
  assertEquals([crawlDelayMs(rules, "Other"), crawlDelayMs(rules, "kurant")], [2_500, 7_000]);
  const none = parseRobots("Crawl-delay: 5\nUser-agent: *\nCrawl-delay: soon");
  assertEquals(crawlDelayMs(none, "Kurant"), null);
});
