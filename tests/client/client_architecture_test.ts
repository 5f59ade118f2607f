import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { PATH_NAMES, PATHS } from "../../src/client/paths.ts";
import { NAV, OPEN_SCREENS } from "../../src/client/screens.tsx";

/** A folder of `src/client` may import only from itself and from folders before it in this list. */
const ORDER = [
  "paths.ts",
  "words",
  "formats",
  "api",
  "app",
  "parts",
  "pages",
  "data_pages.ts",
  "shop_pages.ts",
  "control_pages.ts",
  "account_pages.ts",
  "screens.tsx",
  "frame",
  "main.tsx",
];

/** Like `ORDER`, for the folders of `parts`. The entry `""` is for files directly in `parts`. */
const PARTS = [
  "",
  "form",
  "table",
  "factors",
  "chart",
  "decision",
  "shop",
  "import",
  "mapping",
  "audit",
];

interface ClientFile {
  readonly path: string;
  /** Paths of imported files of the client, also if only types are imported. */
  readonly imports: readonly string[];
}

const ROOT = "/src/client/";

async function readClient(): Promise<ClientFile[]> {
  const files: ClientFile[] = [];
  for await (const found of glob("src/client/**/*.{ts,tsx}")) {
    const path = found.replaceAll("\\", "/");
    const text = await Deno.readTextFile(path);
    const imports = importsOf(path, text).filter((target) => /\.tsx?$/.test(target));
    files.push({ path: path.slice(ROOT.length - 1), imports });
  }
  return files;
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|import\(\s*)"(\.[^"]+)"/g)]
    .map(([, target]) => new URL(target!, `file:///${path}`).pathname)
    .filter((target) => target.startsWith(ROOT))
    .map((target) => target.slice(ROOT.length));
}

const files = await readClient();
const placeOf = (path: string) => ORDER.indexOf(path.split("/")[0]!);
const pageOf = (path: string) => path.startsWith("pages/") ? path.split("/")[1]! : null;
const partOf = (path: string) => path.split("/").length > 2 ? path.split("/")[1]! : "";

Deno.test("every file of the client has a place in the order", () => {
  ok(files.length > 100, `${files.length} files were read`);
  const strangers = files.filter(({ path }) =>
    placeOf(path) < 0 || (path.startsWith("parts/") && !PARTS.includes(partOf(path))) ||
    (path.startsWith("pages/") && path.split("/").length !== 3)
  );
  assertEquals(strangers.map(({ path }) => path), []);
  const empty = ORDER.filter((place) => files.every(({ path }) => path.split("/")[0] !== place));
  assertEquals(empty, []);
});

const isPart = (path: string) => path.startsWith("parts/");
const orderOfPart = (path: string) => PARTS.indexOf(partOf(path));
const isScreenTable = (path: string) => /^(screens\.tsx|\w+_pages\.ts)$/.test(path);

/** Each rule says whether file `from` may import file `to`. */
const RULES: Readonly<Record<string, (from: string, to: string) => boolean>> = {
  "folders import downwards only": (from, to) => placeOf(to) <= placeOf(from),
  "folders of the parts import downwards only": (from, to) =>
    !isPart(from) || !isPart(to) || orderOfPart(to) <= orderOfPart(from),
  "pages do not import each other, and only the screen tables import them": (from, to) =>
    pageOf(to) === null || pageOf(to) === pageOf(from) || isScreenTable(from),
  "only the frame imports the screens": (from, to) =>
    to !== "screens.tsx" || placeOf(from) === placeOf("frame"),
  "nothing imports main, and paths import nothing": (from, to) =>
    to !== "main.tsx" && from !== "paths.ts",
};

for (const [rule, isAllowed] of Object.entries(RULES)) {
  Deno.test(`imports of the client: ${rule}`, () => {
    const refused = files.flatMap(({ path, imports }) =>
      imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} imports ${to}`)
    );
    assertEquals(refused, []);
  });
}

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
  const hidden = PATH_NAMES.filter((name) => !(name in NAV) && !OPEN_SCREENS.includes(name));
  // Addresses with parameters are not searched for, because the client joins them from parts.
  const plain = hidden.filter((name) => !PATHS[name].includes(":") && name !== "login");
  assertEquals(
    plain.filter((name) => !text.includes(`PATHS.${name}`) && !isLinked(PATHS[name])),
    [],
  );
});
