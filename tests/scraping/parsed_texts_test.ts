import fc from "fast-check";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import {
  allowsUrl,
  crawlDelayMs,
  parseRobots,
  RULES_MAX,
} from "../../src/scraping/page/read_answer.ts";
import { costMs, leastCostMs } from "../processor_time.ts";
import { dataTest } from "../sample_data.ts";
import { HOSTILE_PATHS, hostileRobots } from "./hostile_robots.ts";
import { anyCharacter, anyPath, anyUrl } from "../any_text.ts";
import { fromKeys } from "../../src/base/collections.ts";
import { PAGE_STATUSES } from "../../src/engine/extraction/page_status.ts";
import { TooComplex } from "../../src/base/failure.ts";
import { createBodyRoom } from "../../src/platform/fetch/fetch_limits.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { fetchPage } from "../../src/scraping/page/visit.ts";
import { NO_LESSON, NOT_LEARNING } from "../../src/scraping/page/visit_tools.ts";
import { judgeByRobots, saveRobots } from "../../src/scraping/page/robots_file.ts";
import { withStore } from "../memory_store.ts";
import { gzipSync } from "node:zlib";
import { readSitemap, type SitemapQuestion } from "../../src/scraping/discovery/read_addresses.ts";
import { assertFields, column } from "../api/answers.ts";
import { extent } from "../proof.ts";
import {
  LINES_MAX,
  readJsonLine,
  readLineText,
  TOO_MANY,
} from "../../src/scraping/link_checks/link_check.ts";

interface Case {
  readonly id: string;
  readonly robots: string;
  readonly userAgent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly allowedRfc9309?: boolean;
}

dataTest(
  "allowsUrl() gives the result of the reference matcher in every case",
  "robots/cases.json",
  (data) => {
    const { cases } = data.json<{ cases: readonly Case[] }>("robots/cases.json");
    ok(cases.length > (data.isOwn ? 20 : 100));
    const wrong = cases.filter(({ robots, userAgent, url, allowed, allowedRfc9309 }) =>
      allowsUrl(parseRobots(robots), userAgent, url) !== (allowedRfc9309 ?? allowed)
    );
    assertEquals(wrong, []);
  },
);

Deno.test("parseRobots() accepts any text", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), anyUrl(), (text, url) => {
    ok(typeof allowsUrl(parseRobots(text), "kurant", url) === "boolean");
  }));
});

/** Maximum CPU time for a whole file: ten times as much as a linear parser needs. */
const FILE_MS_MAX = 400;

for (const [name, text] of hostileRobots()) {
  Deno.test(`a robots.txt of ${name} is read and used in little time`, () => {
    const usedMs = leastCostMs(() => {
      const rules = parseRobots(text);
      for (const path of HOSTILE_PATHS) allowsUrl(rules, "kurant", `https://shop.example${path}`);
    });
    ok(usedMs < FILE_MS_MAX, `${Math.round(usedMs)} ms`);
  });
}

Deno.test("parseRobots() cuts a line where the reference matcher does, and reads as many rules as its limit", () => {
  const long = parseRobots(`User-agent: *\nDisallow: /a${" ".repeat(20_000)}b`);
  ok(!allowsUrl(long, "kurant", "https://shop.example/a1"));
  ok(allowsUrl(long, "kurant", "https://shop.example/b"));
  const lines = Array.from({ length: RULES_MAX }, (_, n) => `Disallow: /${n}/`);
  const many = parseRobots(["User-agent: *", ...lines].join("\n"));
  ok(!allowsUrl(many, "kurant", `https://shop.example/${RULES_MAX - 2}/`));
  ok(allowsUrl(many, "kurant", `https://shop.example/${RULES_MAX - 1}/`));
});

const tooMuch = () => Promise.reject(new TooComplex("The time is up"));
/** A reader of pages and robots.txt that always exceeds its time limit. */
const weary = { page: tooMuch, robots: tooMuch };
const now = () => new Date("2026-03-02T09:00:00.000Z");

Deno.test("a page that is too complex fails with a code, and causes no back-off", async () => {
  const fetched = await fetchPage({
    reader: weary,
    bodies: createBodyRoom(),
    pages: fromKeys(PAGE_STATUSES, () => 0),
    timeoutMs: 1_000,
    bytesMax: 1_000,
    safeFetch: ({ url }) =>
      Promise.resolve({
        kind: "answer",
        url,
        status: 200,
        headers: new Headers({ "Content-Type": "text/html", ETag: '"1"' }),
        body: new Uint8Array(10),
      }),
  }, {
    reading: { partition: "w" },
    url: "https://shop.example/p",
    askedUrl: "https://shop.example/p",
    extractor: null,
    product: null,
    learning: NOT_LEARNING,
    allows: () => Promise.resolve(true),
    signal: new AbortController().signal,
    now,
  });
  const message = "The page is too complex to read: The time is up";
  const code = { httpStatus: 200, errorCode: "too_complex" };
  assertFields(fetched.answer, { kind: "failed", ...code, message, lesson: NO_LESSON });
  assertEquals(fetched.aftermath, { kind: "fine" });
});

withStore.test("a robots.txt that is too complex forbids all visits of its shop, with this reason", async (store) => {
  const url = new URL("https://shop.example/p");
  await transact({ store }, (write) => {
    const text = "User-agent: *\nDisallow: /q";
    const expiresAtMs = now().getTime() + 60_000;
    const robots = { kind: "text", text, expiresAtMs, errorCode: null, message: null } as const;
    saveRobots(write, url.origin, "1", robots);
  });
  const asker = { store, userAgent: "Kurant/1.0", permit: { partition: "w" } };
  const verdict = await judgeByRobots({ ...asker, reader: weary }, url, now().getTime());
  assertEquals(verdict, {
    kind: "refused",
    errorCode: "too_complex",
    message: "robots.txt of the shop is too much work to read: The time is up",
    isAnswered: true,
  });
});

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

Deno.test("a gzipped file is unpacked once, whatever its name; a truncated one is read to its end, and reported", () => {
  const packed = (bytes: Uint8Array | string) => Uint8Array.from(gzipSync(bytes));
  const text = urlset(page("https://shop.example/1"));
  assertEquals(locs(packed(text)), ["https://shop.example/1"]);
  assertEquals(ask(packed(packed(text))).urls, []);

  const whole = urlset(page("https://shop.example/1"), page("https://shop.example/2"));
  const cut = ask(whole.slice(0, whole.indexOf("/2</loc>")));
  assertEquals([cut.urls.length, cut.isCut, cut.kind], [1, true, "urls"]);
  const many = Array.from({ length: 5_000 }, (_, n) => page(`${SHOP}/${n}`));
  const long = packed(urlset(...many));
  const half = ask(long.slice(0, long.length / 2));
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
  const addresses = Array.from({ length: 60_000 }, (_, n) => `${SHOP}/${n}?${"a".repeat(30)}\n`);
  const lines = addresses.join("");
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

const URL_1 = "https://shop.de/p/1";

function linesOf(text: string) {
  const lines = readLineText(text);
  if (lines === TOO_MANY) return lines;
  return lines.map(({ sku, gtin, url, packFactor, misfit }) => {
    const number = gtin === null ? sku : `gtin ${gtin}`;
    return [number, url, packFactor, misfit];
  });
}

Deno.test("lines with product and page are read in the forms that people paste, up to the maximum of a check", () => {
  const table: readonly (readonly [string, readonly unknown[]])[] = [
    [`A-1;${URL_1}`, [["A-1", URL_1, null, null]]],
    [`A-1;${URL_1};6\r\nB;${URL_1};2,5`, [["A-1", URL_1, 6, null], ["B", URL_1, 2.5, null]]],
    [`A-1\t${URL_1}\t6`, [["A-1", URL_1, 6, null]]],
    [`\uFEFFSKU;URL;PACK\n\nA-1;${URL_1};\n`, [["A-1", URL_1, null, null]]],
    [`Artikelnummer;Adresse\nA-1;${URL_1}`, [["A-1", URL_1, null, null]]],
    [`EAN;URL\n4006381333931;${URL_1}`, [["gtin 4006381333931", URL_1, null, null]]],
    [`"A;1";"${URL_1}";"6"`, [["A;1", URL_1, 6, null]]],
    [`A-1;${URL_1};jsessionid=7`, [["A-1", `${URL_1};jsessionid=7`, null, null]]],
    [`A-1;${URL_1};jsessionid=7;3`, [["A-1", `${URL_1};jsessionid=7`, 3, null]]],
    [`SKU,URL\nA-1, ${URL_1},17`, [["A-1", `${URL_1},17`, null, null]]],
    [`A-1;${URL_1};0`, [["A-1", URL_1, null, "bad_pack"]]],
    [`A-1\t${URL_1}\tsix`, [["A-1", URL_1, null, "bad_pack"]]],
    ["just words", [[null, "just words", null, "bad_line"]]],
    [`;${URL_1}`, [[null, `;${URL_1}`, null, "bad_line"]]],
    ["", []],
  ];
  for (const [text, lines] of table) assertEquals(linesOf(text), lines, text);
  const many = `A;${URL_1}\n`.repeat(LINES_MAX);
  assertEquals(readLineText(many).length, LINES_MAX);
  assertEquals(readLineText(`${many}A;${URL_1}\n`), TOO_MANY);
  assertEquals(linesOf("x".repeat(8_000_000))?.length, 1);
});

Deno.test("a line with any number, page and pack factor is read as it was written", () => {
  const number = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 "'.;_/-]{0,20}[A-Za-z0-9]$/);
  const pack = fc.option(fc.integer({ min: 1, max: 100_000 }));
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(fc.property(number, anyPath, pack, (sku, rest, packFactor) => {
    const url = `https://shop.de/p${rest}`;
    const cells = [sku, url, ...(packFactor === null ? [] : [String(packFactor)])].map(quote);
    assertEquals(linesOf(`SKU;URL\n${cells.join(";")}`)?.at(-1), [sku, url, packFactor, null]);
  }));
});

Deno.test("a JSON line has one number, one page and a pack factor", () => {
  const table = [
    [{ sku: "A", url: URL_1 }, null],
    [{ gtin: "4006381333931", url: URL_1, packFactor: 2 }, null],
    [{ sku: "A", url: URL_1, packFactor: 0 }, "bad_pack"],
    [{ sku: "A", url: URL_1, packFactor: "2" }, null],
    [{ sku: "A", gtin: "B", url: URL_1 }, "bad_line"],
    [{ url: URL_1 }, "bad_line"],
    [{ sku: 7, url: URL_1 }, "bad_line"],
    [{ sku: "A", url: URL_1, more: 1 }, "bad_line"],
    [{ sku: "A", url: "x".repeat(6_000) }, "bad_url"],
  ] as const;
  for (const [line, validationError] of table) {
    assertEquals(readJsonLine(line).misfit, validationError);
  }
});
