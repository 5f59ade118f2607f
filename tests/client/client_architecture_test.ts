import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";

/**
 * The order of imports: a folder of `src/client` imports only from itself and from earlier folders.
 */
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

/** The order of imports within `parts`. The empty name stands for files directly in `parts`. */
const PARTS = [
  "",
  "form",
  "table",
  "factors",
  "chart",
  "identity",
  "decision",
  "run",
  "shop",
  "import",
  "mapping",
  "audit",
];

interface ClientFile {
  /** Path relative to `src/client`. */
  readonly path: string;
  /** Paths of the imported client modules, type imports included. */
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

function refused(isAllowed: (from: string, to: string) => boolean): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} imports ${to}`)
  );
}

Deno.test("every file of the client has a place in the order", () => {
  ok(files.length > 150, `${files.length} files were read`);
  const strangers = files.filter(({ path }) =>
    placeOf(path) < 0 || (path.startsWith("parts/") && !PARTS.includes(partOf(path))) ||
    (path.startsWith("pages/") && path.split("/").length !== 3)
  );
  assertEquals(strangers.map(({ path }) => path), []);
  const empty = ORDER.filter((place) => files.every(({ path }) => path.split("/")[0] !== place));
  assertEquals(empty, []);
});

Deno.test("the folders of the client import downwards only", () => {
  assertEquals(refused((from, to) => placeOf(to) <= placeOf(from)), []);
});

Deno.test("the folders of the parts import downwards only", () => {
  const order = (path: string) => PARTS.indexOf(partOf(path));
  const isPart = (path: string) => path.startsWith("parts/");
  assertEquals(refused((from, to) => !isPart(from) || !isPart(to) || order(to) <= order(from)), []);
});

Deno.test("pages do not import each other, and only the screen tables import them", () => {
  const tables = [
    "screens.tsx",
    "data_pages.ts",
    "shop_pages.ts",
    "control_pages.ts",
    "account_pages.ts",
  ];
  const isAllowed = (from: string, to: string) =>
    pageOf(to) === null || pageOf(to) === pageOf(from) || tables.includes(from);
  assertEquals(refused(isAllowed), []);
});

Deno.test("only the frame imports the screens, nothing imports main, and paths import nothing", () => {
  const isAllowed = (from: string, to: string) =>
    (to !== "screens.tsx" || placeOf(from) === placeOf("frame")) && to !== "main.tsx" &&
    from !== "paths.ts";
  assertEquals(refused(isAllowed), []);
});

Deno.test("no key after g leads to two screens", async () => {
  const table = await Deno.readTextFile("src/client/screens.tsx");
  const keys = [...table.matchAll(/nav: \{[^}]*\bkey: "(.)"/g)].map(([, key]) => key!);
  ok(keys.length > 5, `${keys.length} keys were read`);
  assertEquals(keys.filter((key, at) => keys.indexOf(key) !== at), []);
});
