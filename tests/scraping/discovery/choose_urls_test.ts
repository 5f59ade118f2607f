import fc from "fast-check";
import {
  createChooser,
  isDue,
  isWished,
  PatternCounters,
  patternOf,
  slugTitle,
} from "../../../src/scraping/discovery/order_urls.ts";
import {
  type KnownUrl,
  mergeUrls,
  packUrls,
  unpackUrls,
  URL_PARTS,
  URL_STATES,
  urlPart,
} from "../../../src/shops/pages/url_store.ts";
import { anyUrl } from "../../any_text.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const TODAY = 20_000;
const NEW = { state: "new", score: null, lastmodDay: 0, visitedDay: 0 } as const;
const known = (url: string, more: Partial<KnownUrl> = {}): KnownUrl => ({ url, ...NEW, ...more });

Deno.test("packed pages are unpacked unchanged, and fit into values of the store", () => {
  const url = fc.record({
    url: anyUrl().map((text) => new URL(text).href),
    state: fc.constantFrom(...URL_STATES),
    score: fc.option(fc.integer({ min: 0, max: 250 }).map((step) => step / 250)),
    lastmodDay: fc.integer({ min: 0, max: 65_535 }),
    visitedDay: fc.integer({ min: 0, max: 65_535 }),
  }, { noNullPrototype: true });
  fc.assert(fc.property(fc.array(url, { maxLength: 60 }), (urls) => {
    assertEquals(packUrls(urls).flatMap(unpackUrls), urls);
  }));
  const umlauts = "ü".repeat(900);
  const long = Array.from({ length: 300 }, (_, n) => known(`https://s.example/${n}/${umlauts}`));
  const values = packUrls(long);
  ok(values.length > 5 && values.every(({ length }) => length <= 60_000));
  assertEquals(values.flatMap(unpackUrls), long);
  const hosts = Array.from({ length: 700 }, (_, n) => known(`https://h${n}.example/`));
  assertEquals(packUrls(hosts).flatMap(unpackUrls), hosts);
});

Deno.test("addresses are distributed evenly", () => {
  const counts = new Array<number>(URL_PARTS).fill(0);
  for (let n = 0; n < 51_200; n++) counts[urlPart(`https://shop.example/p/${n}.html`)]! += 1;
  ok(Math.max(...counts) < 200 && Math.min(...counts) > 30, `${Math.max(...counts)}`);
});

Deno.test("a sitemap adds new pages and later dates, and missing pages stay", () => {
  const before = [
    known("https://a/1", { state: "product", visitedDay: 5, lastmodDay: 5 }),
    known("https://a/2"),
  ];
  const listing = (days: Record<string, number>, addedMax: number) =>
    mergeUrls(before, new Set(Object.keys(days)), addedMax, (one) => {
      const lastmodDay = Math.max(one.lastmodDay, days[one.url] ?? 0);
      return { ...one, lastmodDay };
    });
  const same = mergeUrls(before, new Set(["https://a/1"]), 10, (one) => one);
  assertEquals(same, { urls: null, added: 0, leftOut: 0 });
  const urls = [{ ...before[0]!, lastmodDay: 9 }, before[1], known("https://a/3")];
  const more = listing({ "https://a/1": 9, "https://a/3": 0, "https://a/4": 0 }, 1);
  assertEquals(more, { urls, added: 1, leftOut: 1 });
  assertEquals(listing({ "https://a/3": 0 }, 0), { urls: null, added: 0, leftOut: 1 });
});

Deno.test("a page is due when it is new, when it changed, or after a while", () => {
  const cases: [Partial<KnownUrl>, boolean][] = [
    [{}, true],
    [{ state: "product", visitedDay: TODAY - 59 }, false],
    [{ state: "product", visitedDay: TODAY - 60 }, true],
    [{ state: "product", visitedDay: TODAY - 1, lastmodDay: TODAY }, true],
    [{ state: "other", visitedDay: TODAY - 179, lastmodDay: TODAY }, false],
    [{ state: "gone", visitedDay: TODAY - 180 }, true],
    [{ state: "failed", visitedDay: TODAY - 7 }, true],
    [{ state: "failed", visitedDay: TODAY - 6 }, false],
  ];
  for (const [more, expected] of cases) {
    assertEquals(isDue(known("https://a/1", more), TODAY), expected, JSON.stringify(more));
  }
});

Deno.test("paths are included and excluded by prefix, and parsed into words and patterns", () => {
  const wishes = { include: ["/produkte/"], exclude: ["/produkte/alt"] };
  assertEquals(isWished("https://a.example/produkte/1", wishes), true);
  assertEquals(isWished("https://a.example/produkte/alt/1", wishes), false);
  assertEquals(isWished("https://a.example/blog", wishes), false);
  assertEquals(isWished("https://a.example/blog", { include: [], exclude: [] }), true);
  const url = "https://a.example/de/kaffee-maschinen/delonghi-ecam-22.110.b_schwarz.html?x=1";
  assertEquals(slugTitle(url), "kaffee maschinen delonghi ecam 22 110 b schwarz");
  assertEquals(slugTitle("https://a.example/k%C3%BChl%ZZ"), "k%C3%BChl%ZZ");
  assertEquals(patternOf("https://a.example/de/p12/foo-7.html?x"), "de/p#/*.html");
  assertEquals(patternOf("https://a.example/"), "*");
});

Deno.test("likely pages come first, one in ten is random, patterns without a product come last", () => {
  const patterns = new PatternCounters();
  for (let n = 0; n < 60; n++) {
    patterns.note(known(`https://a.example/blog/${n}`, { state: "other", visitedDay: 1 }));
    patterns.note(known(`https://a.example/p/x${n}`, { state: n === 0 ? "product" : "other" }));
  }
  const plan = (max: number, urls: readonly KnownUrl[]) => {
    const wishes = { include: [], exclude: ["/no"] };
    const chooser = createChooser({ max, today: TODAY, patterns, wishes });
    for (const url of urls) chooser.offer(url);
    return chooser.take();
  };
  const urls = [
    ...Array.from({ length: 500 }, (_, n) => known(`https://a.example/p/${n}`, { score: n / 500 })),
    ...Array.from({ length: 50 }, (_, n) => known(`https://a.example/blog/n${n}`, { score: 1 })),
    known("https://a.example/no/1", { score: 1 }),
  ];
  const some = plan(50, urls);
  assertEquals([some.length, new Set(some).size], [50, 50]);
  assertEquals(some.slice(0, 9), urls.slice(491, 500).toReversed().map(({ url }) => url));
  assertEquals(some.filter((url) => url.includes("/blog/")), []);
  const drawn = some.filter((_, n) => n % 10 === 9);
  ok(drawn.some((url) => Number(url.split("/").at(-1)) < 400), drawn.join(" "));
  assertEquals(plan(50, urls.toReversed()), some);
  const all = plan(10_000, urls);
  assertEquals([all.length, new Set(all).size], [550, 550]);
  ok(all.slice(-50).every((url) => url.includes("/blog/")));
});
