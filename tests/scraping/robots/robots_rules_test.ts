import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { allowsUrl, parseRobots, RULES_MAX } from "../../../src/scraping/page/robots_rules.ts";
import { leastCostMs } from "../../processor_time.ts";
import { dataTest } from "../../sample_data.ts";
import { HOSTILE_PATHS, hostileRobots } from "./hostile_robots.ts";
import { anyCharacter, anyUrl } from "../../any_text.ts";

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

Deno.test("allowsUrl() takes linear time for a hostile pattern", () => {
  const pattern = "/" + "*a".repeat(10_000) + "$";
  const rules = parseRobots(`user-agent: *\ndisallow: ${pattern}`);
  // A matcher with backtracking would need exponential time for this pattern.
  ok(allowsUrl(rules, "kurant", `https://shop.example/${"a".repeat(2_000)}b`));
});

Deno.test("parseRobots() accepts any text", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), anyUrl(), (text, url) => {
    ok(typeof allowsUrl(parseRobots(text), "kurant", url) === "boolean");
  }));
});

/** Allowed CPU time for a whole file. A linear parser needs a tenth of this time. */
const FILE_MS_MAX = 400;

for (const { name, text } of hostileRobots()) {
  Deno.test(`a robots.txt of ${name} is read and used in little time`, () => {
    const usedMs = leastCostMs(() => {
      const rules = parseRobots(text);
      for (const path of HOSTILE_PATHS) allowsUrl(rules, "kurant", `https://shop.example${path}`);
    });
    ok(usedMs < FILE_MS_MAX, `${Math.round(usedMs)} ms`);
  });
}

Deno.test("parseRobots() cuts a line where the reference matcher does", () => {
  const rules = parseRobots(`User-agent: *\nDisallow: /a${" ".repeat(20_000)}b`);
  ok(!allowsUrl(rules, "kurant", "https://shop.example/a1"));
  ok(allowsUrl(rules, "kurant", "https://shop.example/b"));
});

Deno.test("parseRobots() reads as many rules as its limit, and no more", () => {
  const lines = Array.from({ length: RULES_MAX }, (_, n) => `Disallow: /${n}/`);
  const rules = parseRobots(["User-agent: *", ...lines].join("\n"));
  ok(!allowsUrl(rules, "kurant", `https://shop.example/${RULES_MAX - 2}/`));
  ok(allowsUrl(rules, "kurant", `https://shop.example/${RULES_MAX - 1}/`));
});
