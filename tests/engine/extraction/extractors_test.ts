import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { withApp } from "../../harness.ts";
import { METHODS } from "../../../src/engine/extraction/extractors.ts";

const codes: readonly string[] = METHODS.map(({ method }) => method);

Deno.test("extraction methods have unique codes, and unique names in both languages", () => {
  for (const language of ["de", "en"] as const) {
    const names = METHODS.map(({ name }) => name[language]);
    ok(names.every((name) => name.trim() !== ""));
    assertEquals(new Set(names).size, names.length);
  }
  assertEquals(new Set(codes).size, codes.length);
});

Deno.test("every file of extractors/ is used", async () => {
  const files = await Array.fromAsync(
    Deno.readDir("src/engine/extraction/extractors"),
    ({ name }) => name,
  );
  const registry = await Deno.readTextFile("src/engine/extraction/extractors.ts");
  assertEquals(files.filter((name) => !registry.includes(`"./extractors/${name}"`)), []);
});

Deno.test("docs/decisions lists the extraction methods in the order of priority", async () => {
  const place = "docs/decisions/scraping.md";
  const page = (await Deno.readTextFile(place)).replaceAll(/\s+/g, " ");
  const list = codes.join("`, `");
  ok(page.includes(`\`${list}\``), `${place} does not say: ${list}`);
});

withApp.test("GET /api/scrape-methods returns the methods with their names", async (app) => {
  const { data, count } = await bodyOf(app.viewer.get("/api/scrape-methods"), 200);
  const expected = METHODS.map(({ method, name }) => ({ value: method, label: name }));
  assertEquals([data, count], [expected, codes.length]);
});
