import fc from "fast-check";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { allowsUrl, parseRobots, RULES_MAX } from "../../../src/scraping/page/robots_rules.ts";
import { leastCostMs } from "../../processor_time.ts";
import { dataTest } from "../../sample_data.ts";
import { HOSTILE_PATHS, hostileRobots } from "./hostile_robots.ts";
import { anyCharacter, anyUrl } from "../../any_text.ts";
import { fromKeys } from "../../../src/base/collections.ts";
import { PAGE_STATUSES } from "../../../src/engine/extraction/page_status.ts";
import { TooComplex } from "../../../src/base/failure.ts";
import { NO_FACTS } from "../../../src/engine/extraction/page_facts.ts";
import { createBodyRoom } from "../../../src/platform/fetch/fetch_limits.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { fetchPage } from "../../../src/scraping/page/visit.ts";
import { NO_LESSON, NOT_LEARNING } from "../../../src/scraping/page/visit_tools.ts";
import { judgeByRobots, saveRobots } from "../../../src/scraping/page/robots_file.ts";
import { withStore } from "../../memory_store.ts";

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

for (const [name, text] of hostileRobots()) {
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

const tooMuch = () => Promise.reject(new TooComplex("The time is up"));
/** A reader that finds every text too complex. */
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
  const nothing = { alternatives: [], facts: NO_FACTS, lesson: NO_LESSON, trace: [] };
  assertEquals(fetched, {
    answer: { kind: "failed", httpStatus: 200, errorCode: "too_complex", message, ...nothing },
    aftermath: { kind: "fine" },
  });
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
