import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { allowsUrl, parseRobots } from "../../../src/scraping/robots/robots_rules.ts";

interface Case {
  readonly id: string;
  readonly robots: string;
  readonly userAgent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly allowedRfc9309?: boolean;
}

const folder = Deno.env.get("TEST_DATA_DIR") ?? "../shared/data";
const cases = await readCases(`${folder}/robots/cases.json`);

async function readCases(path: string): Promise<Case[] | null> {
  try {
    return JSON.parse(await Deno.readTextFile(path)).cases;
  } catch {
    // Without the test data the test below is shown as ignored.
    return null;
  }
}

Deno.test({
  name: `allowsUrl() answers every case of the reference matcher${cases ? "" : " (no test data)"}`,
  ignore: cases === null,
  fn() {
    ok(cases!.length > 100);
    const wrong = cases!.filter(({ robots, userAgent, url, allowed, allowedRfc9309 }) =>
      allowsUrl(parseRobots(robots), userAgent, url) !== (allowedRfc9309 ?? allowed)
    );
    assertEquals(wrong, []);
  },
});

Deno.test("allowsUrl() comes to an end with a file made against it", () => {
  const pattern = "/" + "*a".repeat(10_000) + "$";
  const rules = parseRobots(`user-agent: *\ndisallow: ${pattern}`);
  // Whoever tries every way to share the path out among the stars never comes to an end.
  ok(allowsUrl(rules, "kurant", `https://shop.example/${"a".repeat(2_000)}b`));
});

Deno.test("parseRobots() takes any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.webUrl(), (text, url) => {
    ok(typeof allowsUrl(parseRobots(text), "kurant", url) === "boolean");
  }));
});
