import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { PATHS } from "../../src/client/paths.ts";

Deno.test("no path is listed after one whose parameter would match it", () => {
  const paths = Object.values(PATHS).map((path) => path.split("/"));
  const takes = (pattern: readonly string[], path: readonly string[]) =>
    pattern.length === path.length &&
    pattern.every((part, at) => part.startsWith(":") || part === path[at]);
  const hidden = paths.filter((path, at) =>
    paths.slice(0, at).some((pattern) => takes(pattern, path))
  );
  assertEquals(hidden.map((path) => path.join("/")), []);
});
