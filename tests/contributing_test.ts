/** Files that CONTRIBUTING.md names exist, and contain the declarations that it names with them. */
import { glob, readFile } from "node:fs/promises";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const guide = await readFile("CONTRIBUTING.md", "utf8");
const paths = await Array.fromAsync(glob("{src,tests,docs,scripts}/**/*.{ts,tsx,md,css,toml}"));

/** The guide shortens paths: it may leave out the first folders. */
function filesNamed(name: string): string[] {
  return paths.filter((path) => path === name || path.endsWith(`/${name}`));
}

const words = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
const FILE = /^[\w./]+\.(?:tsx?|css|toml)$/;

Deno.test("CONTRIBUTING.md names only files that exist", () => {
  const named = words.filter((word) => FILE.test(word));
  ok(named.length > 50);
  assertEquals(named.filter((word) => filesNamed(word).length === 0), []);
});

Deno.test("CONTRIBUTING.md names declarations that are in the file beside them", async () => {
  const text = guide.replace(/\s+/g, " ");
  const pairs = [
    ...text.matchAll(/`(#?\w+)` \(`([^`]+\.tsx?)`[),]/g),
    ...text.matchAll(/`(#?\w+)` (?:in|of) `([\w./]+\.tsx?)`/g),
  ].map(([, name = "", file = ""]) => ({ name, file }));
  ok(pairs.length > 20);
  const missing: string[] = [];
  for (const { name, file } of pairs) {
    const texts = await Promise.all(filesNamed(file).map((path) => readFile(path, "utf8")));
    if (!texts.some((one) => one.includes(name))) missing.push(`${name} in ${file}`);
  }
  assertEquals(missing, []);
});
