import fc from "fast-check";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import { HANG_MS } from "../../patience.ts";
import { costMs } from "../../processor_time.ts";
import { extent, IS_LONG } from "../../proof.ts";
import type { HostileLimits, Measured } from "./measure_hostile.ts";
import { anyUrl } from "../../any_text.ts";
import { extract, jsonLd, readHtml, shown } from "./reading_pages.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const MIB = 1024 * 1024;
const MEMORY_MIB = 384;
const LIMITS: HostileLimits = {
  // If a quarter takes under 30 ms, the whole page takes under 480 ms even in quadratic code.
  pages: IS_LONG
    ? { limitMs: 2_000, allowedMs: 4_000 }
    : { limitMs: 500, allowedMs: allowedMs(0), suspectFromMs: 30 },
  selectors: { limitMs: extent(2_000, 150), allowedMs: extent(4_000, 500) },
  paths: { limitMs: extent(2_000, 150), allowedMs: extent(4_000, 500) },
};
/** With 256 KiB, quadratic code takes at least 50 million steps, more than fit into 625 ms. */
const LONGEST_BYTES = extent(4 * MIB, MIB / 4);
/** Even with 32 KiB, some selectors and paths would take seconds without a limit. */
const EXPLICIT_BYTES = extent(2 * MIB, MIB / 32);

for (const [kind, { allowedMs: least, limitMs }] of Object.entries(LIMITS)) {
  Deno.test(`the work of hostile ${kind} ends within the time limit, and in little memory`, async (test) => {
    const isGrowth = kind === "pages" && !IS_LONG;
    const measured = (await allMeasured()).filter((one) => one.kind === kind);
    const byName = Map.groupBy(measured, ({ name }) => name);
    assert(byName.size >= (kind === "pages" ? 90 : 15), `${byName.size} ${kind}`);
    for (const [name, measured] of byName) {
      await test.step(name.slice(0, 60), () => {
        for (const one of measured) {
          const isCut = one.outcome === "too_complex";
          const allowed = !isGrowth ? least : isCut ? 2 * limitMs : allowedMs(one.length);
          assert(!one.outcome.startsWith("an exception") && one.ms <= allowed, JSON.stringify(one));
        }
      });
    }
  });
}

function allowedMs(characters: number): number {
  return 500 + (500 * characters) / MIB;
}

let measuring: Promise<Measured[]> | null = null;

function allMeasured(): Promise<Measured[]> {
  return measuring ??= measure();
}

/**
 * Measures all hostile inputs in a separate process with little memory. If the process dies, the
 * error names the last input that was measured.
 */
async function measure(): Promise<Measured[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      `--v8-flags=--max-old-space-size=${MEMORY_MIB}`,
      new URL("measure_hostile.ts", import.meta.url).pathname,
      String(LONGEST_BYTES),
      String(EXPLICIT_BYTES),
      JSON.stringify(LIMITS),
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines: Measured[] = [];
  let timer = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) lines.push(JSON.parse(line));
  }
  clearTimeout(timer);
  const { success, code, signal } = await child.status;
  assert(success, `The process ended by ${signal ?? code} after ${JSON.stringify(lines.at(-1))}`);
  return lines;
}

const MARKUP = '<script type="application/ld+json">{"@context":"https://schema.org","@graph":[' +
  '{"@type":"Product","@id":"#p","name":"Kaffee","sku":"A1","offers":[{"@id":"#o"},' +
  '{"@type":"AggregateOffer","lowPrice":"1.299,00","priceCurrency":"EUR"}]},' +
  '{"@type":"Offer","@id":"#o","price":12.99,"priceSpecification":[{"price":1,"priceType":"ListPrice"}],' +
  '"shippingDetails":{"shippingRate":{"value":4.95}}}]}</script>';
const page = "<!doctype html><html lang=de><head><title>Kaffee</title>" +
  '<meta property="og:price:amount" content="12.99"><link rel=canonical href="/p/1">' + MARKUP +
  '</head><body><h1>Kaffee</h1><div itemscope itemtype="https://schema.org/Product">' +
  "<b itemprop=name>Kaffee</b><p itemprop=offers itemscope itemtype=http://schema.org/Offer>" +
  '<s>14,99 €</s><span itemprop=price content="12.99">12,99 €</span></p></div>' +
  '<div id=r vocab="https://schema.org/" typeof=Product><i property=offers typeof=Offer>' +
  "<u property=price>12,99 €</u></i></div></body></html>";
const extractor = { priceSelector: "span, u", stockSelector: "p > i", jsonPath: "$..price" };

/** Random changes of a page: parts are cut, doubled, moved or damaged. */
const mutation = fc.array(
  fc.record({
    at: fc.nat(page.length),
    length: fc.nat(60),
    text: fc.oneof(
      fc.constantFrom(...'< > " & \0 { ] <script> </script> <!-- itemscope'.split(" ")),
      fc.constantFrom(..."- e9 , . 0 € \ud800 <svg> <template> @id".split(" ")),
      fc.string({ maxLength: 5 }),
      fc.nat(page.length).map((from) => page.slice(from, from + 80)),
    ),
  }),
  { minLength: 1, maxLength: 12 },
).map((edits) =>
  edits.reduce(
    (text, { at, length, text: put }) => text.slice(0, at) + put + text.slice(at + length),
    page,
  )
);

Deno.test("extractPrice() never throws on a damaged page, and is deterministic", () => {
  const property = fc.property(mutation, (text) => {
    const read = () => extract(text, { extractor });
    const first = read();
    assertEquals(read(), first);
    const { result } = first;
    if ("errorCode" in result) return;
    assert(Number.isSafeInteger(result.price) && result.price > 0);
    assert(result.confidence > 0 && result.confidence <= 1);
  });
  fc.assert(property, { numRuns: extent(500, 50) });
});

Deno.test("extractPrice() never throws on any text, address, type or JSON", () => {
  fc.assert(fc.property(
    fc.oneof(fc.string(), fc.json()),
    fc.oneof(fc.string(), anyUrl()),
    fc.constantFrom(null, "", "text/html", "application/json", "x"),
    (text, url, contentType) => {
      extractPrice({ url, contentType, text }, { extractor, currencyHint: "EUR" });
    },
  ));
});

Deno.test("extractPrice() never throws on any JSON-LD", () => {
  const key = fc.constantFrom(
    ..."@id @type @graph @value offers price priceCurrency name hasVariant".split(" "),
  );
  const text = fc.constantFrom(
    ..."Product Offer AggregateOffer #a #b EUR".split(" "),
    "12,99 €",
    "",
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.double(),
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(key, tie("node"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(fc.property(node, (json) => void readHtml(jsonLd(JSON.stringify(json)))));
});

Deno.test("extractPrice() reads the beginning of a page that is nested too deeply, with low confidence", () => {
  assertEquals(shown(readHtml(MARKUP + "<div>".repeat(600))), "129900 EUR json_ld 0.7 unknown");
});

const NAMED = "<div typeof=Product><u property='name price offers'>";
const REFERRING = "<p itemprop=offers itemscope itemtype=Offer>";
const REFERRED = "<b id=r itemprop=price content=1,5>";
const piece = fc.constantFrom(
  ...[NAMED, REFERRING, REFERRED, "<h1>Kaffee 300", "</div>", "</i></p>", "<b></b>", "1 "],
  '<div itemscope itemtype="https://schema.org/Product">',
  ...["<i itemprop=name>", "<i itemprop=price>", "-1,00 €", "nicht auf lager ", "<sup>99</sup>1"],
  "<s class='old-price'>12,99 €</s>",
  "<meta property=og:price content='1,00 EUR'>",
  '<script type="application/ld+json">{"@id":"a","@type":"Product","offers":[{"@id":"a"},{"price":"1 €"}]}</script>',
);

/**
 * Deeply nested elements with many numbers, which are slow if code visits all ancestors of each
 * number.
 */
const FOUND: [string[], number][] = [
  [["<h1>Kaffee 300", "1 "], 6],
  [[REFERRING, "nicht auf lager ", "<sup>99</sup>1"], 400],
  [[NAMED, REFERRED], 400],
];

const ONE_TO_FOUR = { minLength: 1, maxLength: 4 };

Deno.test("extractPrice() takes linear time for mixed markup", () => {
  const msOf = (text: string) => {
    let ms = Infinity;
    for (let n = 0; n < 3 && ms > 100; n++) ms = Math.min(ms, costMs(() => extract(text)));
    return ms;
  };
  const repeated = fc.array(fc.tuple(fc.array(piece, ONE_TO_FOUR), fc.nat(400)), ONE_TO_FOUR);
  const property = fc.property(repeated, (parts) => {
    const page = (times: number) =>
      parts.map(([pieces, count]) => pieces.join("").repeat(count * times)).join("");
    const [small, large] = [page(1), page(4)].map((text) => text.slice(0, 4 * MIB));
    const [smallMs, largeMs] = [msOf(small ?? ""), msOf(large ?? "")];
    const message = `${smallMs} ms of ${small?.length}, ${largeMs} ms of ${large?.length}`;
    assert(largeMs <= Math.min(8 * smallMs + 500, allowedMs(large?.length ?? 0)), message);
  });
  fc.assert(property, { numRuns: extent(20, 2), examples: [[FOUND]] });
});
