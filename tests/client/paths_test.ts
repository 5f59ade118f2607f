import { glob, readFile } from "node:fs/promises";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { PATH_NAMES, PATHS } from "../../src/client/paths.ts";
import { SCREENS } from "../../src/client/screens.tsx";

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

Deno.test("a screen that is not in the navigation has a link from another page", async () => {
  const files = await Array.fromAsync(glob("src/client/{frame,pages,parts}/**/*.{ts,tsx}"));
  const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  const isLinked = (path: string) => new RegExp(`["'\`]${path}["'\`?#]`).test(text);
  const hidden = PATH_NAMES.filter((name) => SCREENS[name].nav === null && !SCREENS[name].isOpen);
  // Addresses with a parameter are composed of parts, which this test does not find.
  const plain = hidden.filter((name) => !PATHS[name].includes(":") && name !== "login");
  assertEquals(
    plain.filter((name) => !text.includes(`PATHS.${name}`) && !isLinked(PATHS[name])),
    [],
  );
});

Deno.test("no two screens of the navigation have the same key", () => {
  const keys = Object.values(SCREENS).flatMap(({ nav }) => nav?.key ?? []);
  assertEquals([...new Set(keys)], keys);
});
