import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { withApp } from "../../harness.ts";
import { METHODS } from "../../../src/engine/extraction/extractors.ts";
import { bandOf, CALIBRATION } from "../../../src/engine/extraction/page_status.ts";

const codes: readonly string[] = METHODS.map(({ method }) => method);

Deno.test("extraction methods have unique codes, and unique names in both languages", () => {
  for (const language of ["de", "en"] as const) {
    const names = METHODS.map(({ name }) => name[language]);
    ok(names.every((name) => name.trim() !== ""));
    assertEquals(new Set(names).size, names.length);
  }
  assertEquals(new Set(codes).size, codes.length);
});

Deno.test("docs/decisions names every extraction method", async () => {
  const page = await Deno.readTextFile("docs/decisions/scraping.md");
  assertEquals(codes.filter((code) => !page.includes(`\`${code}\``)), []);
});

withApp.test("GET /api/scrape-methods returns the methods with their names", async (app) => {
  const { data, count } = await app.viewer.read("/api/scrape-methods");
  const expected = METHODS.map(({ method, name }) => ({ value: method, label: name }));
  assertEquals([data, count], [expected, codes.length]);
});

Deno.test("bandOf() finds the band of every confidence by its lower bound", () => {
  ok(CALIBRATION.every(({ right, of }) => right <= of));
  const bounds = [1, 0.99, 0.9, 0.85, 0.7, 0.2].map((one) => bandOf(one)?.from);
  assertEquals(bounds, [1, 0.9, 0.9, 0.8, 0.7, 0]);
});
