import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  discoveryBody,
  type DiscoverySettings,
  discoveryValues,
} from "../../src/client/pages/competitors/discovery_card.tsx";
import { anyUrl } from "../any_text.ts";

const PLAIN: DiscoverySettings = {
  mode: "suggest",
  sitemaps: "robots",
  include: [],
  exclude: [],
  pagesPerDay: 5_000,
  feeds: [],
  searchTemplate: null,
};

const path = anyUrl().map((text) => new URL(text).pathname);
const url = anyUrl(["https"]);

const settings: fc.Arbitrary<DiscoverySettings> = fc.record({
  mode: fc.constantFrom("off" as const, "suggest" as const),
  sitemaps: fc.oneof(fc.constant("robots" as const), fc.array(url, { minLength: 1, maxLength: 5 })),
  include: fc.array(path, { maxLength: 5 }),
  exclude: fc.array(path, { maxLength: 5 }),
  pagesPerDay: fc.integer({ min: 1, max: 100_000 }),
  feeds: fc.array(
    fc.record({ url, format: fc.constantFrom("merchant_xml" as const, "csv" as const) }, {
      noNullPrototype: true,
    }),
  ),
  searchTemplate: fc.option(url),
}, { noNullPrototype: true });

Deno.test("an unchanged form sends the settings that it shows", () => {
  fc.assert(fc.property(settings, (one) => {
    assertEquals(discoveryBody(discoveryValues(one), one.mode, "de-DE"), one);
  }));
});

Deno.test("a list has one entry per line, a number may have points, a feed has a format", () => {
  const typed = {
    ...discoveryValues(PLAIN),
    pagesPerDay: " 12.000 ",
    sitemaps: "\n https://shop.example/a.xml \n\nhttps://shop.example/b.xml",
    include: "/p/\n",
    feeds: "CSV https://shop.example/f.csv\nhttps://shop.example/f.xml",
    searchTemplate: "https://shop.example/s?q={query}",
  };
  assertEquals(discoveryBody(typed, "suggest", "de-DE"), {
    ...PLAIN,
    pagesPerDay: 12_000,
    sitemaps: ["https://shop.example/a.xml", "https://shop.example/b.xml"],
    include: ["/p/"],
    feeds: [
      { url: "https://shop.example/f.csv", format: "csv" },
      { url: "https://shop.example/f.xml", format: "merchant_xml" },
    ],
    searchTemplate: "https://shop.example/s?q={query}",
  });
  ok(Number.isNaN(discoveryBody({ ...typed, pagesPerDay: "" }, "suggest", "de-DE").pagesPerDay));
  ok(Number.isNaN(discoveryBody({ ...typed, pagesPerDay: "viele" }, "off", "de-DE").pagesPerDay));
});

Deno.test("an English number of pages may have commas", () => {
  const typed = { ...discoveryValues(PLAIN), pagesPerDay: "12,000" };
  assertEquals(discoveryBody(typed, "suggest", "en-GB").pagesPerDay, 12_000);
});
