import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { glob } from "node:fs/promises";

const page = await Deno.readTextFile("docs/rooms.md");

/** The rooms (folders of `src`) in order: a room imports only from the rooms before it. */
const ROOMS = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, room]) => room!);

/**
 * The folders of all rooms, as `room/folder`, in order: a folder imports only from the folders
 * before it. A file directly in a room may import the room's folders or be imported by them, but
 * not both.
 */
const FOLDERS = [...page.matchAll(/^\| `(\w+\/\w+)`/gm)].map(([, folder]) => folder!);
const FOLDERS_MAX = 7;

/** The engine does no input or output, so its folders may import only these packages. */
const ENGINE_PACKAGES: Record<string, readonly string[]> = {
  xml: ["zod", "saxes"],
  extraction: ["zod", "htmlparser2", "entities/decode", "css-select", "css-what", "json-p3"],
  matching: ["zod"],
  pricing: ["zod"],
  wording: ["zod"],
};

/** `wording` may import types from these folders of the engine, but no code. */
const ENGINE_TYPES: Record<string, readonly string[]> = {
  wording: ["extraction", "matching", "pricing"],
};

interface SourceFile {
  readonly path: string;
  readonly room: string;
  /** The folder within `src/<room>`; empty for a file directly in `src/<room>`. */
  readonly folder: string;
  readonly text: string;
  readonly code: string;
  /** Paths of imported files of this project, also if only types are imported. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** Imported files and packages, except imports of types only. */
  readonly loads: readonly string[];
}

const IMPORT = /(?:^(?:import|export|\}) .*?\bfrom\s+|^import\s+|import\(\s*)"([^"]+)"/gm;

async function readSource(found: string): Promise<SourceFile> {
  const path = found.replaceAll("\\", "/");
  const text = await Deno.readTextFile(path);
  const [room = "", folder = ""] = path.split("/").slice(1, -1);
  const isOwn = (target: string) => target.startsWith(".");
  const resolved = (target: string) =>
    isOwn(target) ? new URL(target, `file:///${path}`).pathname.slice(1) : target;
  const targets = [...text.matchAll(IMPORT)].map(([, target]) => target!);
  return {
    path,
    room,
    folder,
    text,
    code: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""),
    imports: targets.filter(isOwn).map(resolved),
    packages: targets.filter((target) => !isOwn(target)),
    loads: loadedBy(text).map(resolved),
  };
}

function loadedBy(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export) (?!type )([^;]*?) from "([^"]+)";/gm);
  return [...statements].flatMap(([, names = "", from = ""]) => {
    const areTypes = /^\{[^}]*\}$/.test(names) &&
      names.slice(1, -1).split(",").every((name) => /^\s*(?:type |$)/.test(name));
    return areTypes ? [] : [from];
  });
}

const files = await Array.fromAsync(glob("src/**/*.{ts,tsx}"), readSource);
const placeOf = (room: string) => ROOMS.indexOf(room);
const roomOf = (path: string) => path.split("/")[1] ?? "";
const inRooms = (...rooms: string[]) => files.filter(({ room }) => rooms.includes(room));

function wrongImports(
  some: readonly SourceFile[],
  isWrong: (to: string, file: SourceFile) => boolean,
): string[] {
  return some.flatMap((file) =>
    file.imports.filter((to) => isWrong(to, file)).map((to) => `${file.path} imports ${to}`)
  );
}

function wrongFiles(isWrong: (file: SourceFile) => boolean): string[] {
  return files.filter(isWrong).map(({ path }) => path);
}

/** The server may also import this module of the client, which lists the addresses of screens. */
const SHARED_WITH_CLIENT = "src/client/paths.ts";

Deno.test("rooms import downwards only", () => {
  ok(ROOMS.length > 10);
  const isUpward = (to: string, { room }: SourceFile) =>
    to !== SHARED_WITH_CLIENT && placeOf(roomOf(to)) > placeOf(room);
  assertEquals(wrongImports(files, isUpward), []);
});

const fileOf = new Map(files.map((file) => [file.path, file]));
/** `client/client_architecture_test.ts` checks the folders of the web client instead. */
const ordered = files.filter(({ room }) => room !== "client");
const inFolders = ordered.filter(({ folder }) => folder !== "");

Deno.test("imports have no cycles, type imports included", () => {
  // A file that imports no file, or that no file imports, is in no cycle and is removed.
  let left = files;
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const paths = new Set(left.map(({ path }) => path));
    const wanted = new Set(left.flatMap(({ imports }) => imports));
    left = left.filter(({ path, imports }) =>
      wanted.has(path) && imports.some((target) => paths.has(target))
    );
  }
  assertEquals(left.map(({ path }) => path), []);
});

Deno.test("docs/rooms.md explains exactly the rooms and the folders inside each room", () => {
  assertEquals(ROOMS.toSorted(), [...new Set(files.map(({ room }) => room))].sort());
  const found = new Set(inFolders.map(({ room, folder }) => `${room}/${folder}`));
  assertEquals(FOLDERS.toSorted(), [...found].sort());
  const byRoom = Map.groupBy(FOLDERS, (folder) => folder.split("/")[0]);
  const crowded = [...byRoom.values()].filter((folders) => folders.length > FOLDERS_MAX);
  assertEquals(crowded, []);
});

Deno.test("a folder inside a room imports only from the folders before it", () => {
  const placeOfFolder = ({ room, folder }: SourceFile) => FOLDERS.indexOf(`${room}/${folder}`);
  const isUpward = (path: string, file: SourceFile) => {
    const to = fileOf.get(path);
    return to?.room === file.room && to.folder !== "" && placeOfFolder(to) > placeOfFolder(file);
  };
  assertEquals(wrongImports(inFolders, isUpward), []);
});

Deno.test("a file next to the folders of a room imports none of them, or none of them imports it", () => {
  const faces = new Set<string>();
  const isFace = ({ room, imports }: SourceFile) =>
    imports.some((path) => {
      const to = fileOf.get(path);
      return to?.room === room && (to.folder !== "" || faces.has(path));
    });
  const own = ordered.filter(({ folder }) => folder === "");
  for (let before = -1; faces.size > before;) {
    before = faces.size;
    for (const { path } of own.filter(isFace)) faces.add(path);
  }
  const isUpward = (to: string, { room }: SourceFile) => roomOf(to) === room && faces.has(to);
  assertEquals(wrongImports(inFolders, isUpward), []);
});

Deno.test("the configuration imports the platform and nothing above it", () => {
  const config = files.filter(({ path }) => path === "src/app/composition/config.ts");
  assertEquals(config.length, 1);
  assertEquals(wrongImports(config, (to) => !["platform", "base"].includes(roomOf(to))), []);
});

Deno.test("no route of another room is imported below the composition root", () => {
  const isBorrowed = (to: string, { room }: SourceFile) =>
    room !== "app" && to.endsWith("_routes.ts") && roomOf(to) !== room;
  assertEquals(wrongImports(files, isBorrowed), []);
});

const PARSERS = "css-select css-what entities/decode htmlparser2 ipaddr.js json-p3 saxes"
  .split(" ");

Deno.test("the Worker that reads strangers' texts loads parsers, and no store", () => {
  const loaded = new Set(["src/app/composition/foreign_worker.ts"]);
  for (const path of loaded) {
    for (const target of fileOf.get(path)?.loads ?? []) loaded.add(target);
  }
  const own = [...loaded].filter((target) => target.startsWith("src/"));
  const packages = [...loaded].filter((target) => !/^(?:src\/|node:)/.test(target));
  assertEquals(packages.filter((name) => !PARSERS.includes(name)), []);
  assertEquals(own.filter((path) => /_store\.ts$|^src\/platform\/store\//.test(path)), []);
  ok(own.length > 30 && packages.length > 3, "the Worker is read");
});

Deno.test("the engine imports base and its parsers", () => {
  const isForeign = (to: string, { folder, loads }: SourceFile) => {
    const [, room, other = ""] = to.split("/");
    if (room === "base" || room === "engine" && other === folder) return false;
    return room !== "engine" || !ENGINE_TYPES[folder]?.includes(other) || loads.includes(to);
  };
  assertEquals(wrongImports(inRooms("engine"), isForeign), []);
  const packages = inRooms("engine").flatMap(({ path, folder, packages }) =>
    packages.filter((name) => !ENGINE_PACKAGES[folder]?.includes(name))
      .map((name) => `${path} imports ${name}`)
  );
  assertEquals(packages, []);
});

Deno.test("the platform imports base and, of the engine, one list of codes", () => {
  const isForeign = (to: string) =>
    !["base", "platform"].includes(roomOf(to)) && to !== "src/engine/matching/identity_codes.ts";
  assertEquals(wrongImports(inRooms("platform"), isForeign), []);
});

Deno.test("products meet rules in one place: rules/evaluation/judge.ts", () => {
  const asks = /\b(?:decide|decideIn|decideProduct|simulateProduct)\(/;
  const others = wrongFiles(({ path, text }) =>
    /src\/(?:rules|market|app)\//.test(path) && !path.endsWith("evaluation/judge.ts") &&
    /pricing\/(?:decide|simulation)\.ts"/.test(text) && asks.test(text)
  );
  assertEquals(others, []);
});

Deno.test("only stores and the platform touch KV", () => {
  const leaks = wrongFiles(({ path, room, code }) =>
    room !== "platform" && !path.endsWith("_store.ts") &&
    /\bkv\s*\.(?!close\()\w+(?:<[^()]*>)?\(|\bDeno\.(openKv|Kv\w*)\b|\.atomic\(/.test(code)
  );
  assertEquals(leaks, []);
});

Deno.test("a commit is opened by a verb or the platform, never by a store, a route or a command", () => {
  const opened = wrongFiles(({ path, room, code }) =>
    room !== "platform" && /(_store|_routes)\.ts$|^src\/app\/commands\//.test(path) &&
    /\btransact(Versioned)?\(/.test(code)
  );
  assertEquals(opened, []);
});

/** The client may import values from these files, so they must load no other module. */
const CONSTANT_MODULES = [
  "src/accounts/audit/audit_actions.ts",
  "src/catalogue/products/product_field_table.ts",
  "src/shops/choices.ts",
  "src/platform/events/public_events.ts",
  "src/engine/extraction/page_status.ts",
  "src/imports/choices.ts",
  "src/accounts/roles.ts",
  "src/engine/pricing/codes.ts",
  "src/scraping/link_checks/check_codes.ts",
];

Deno.test("the web client takes types from other rooms, and values from base, wording and lists alone", () => {
  const isTaken = (to: string, { loads }: SourceFile) =>
    loads.includes(to) && !/^src\/(client|engine\/wording|base)\//.test(to) &&
    !CONSTANT_MODULES.includes(to);
  assertEquals(wrongImports(inRooms("client"), isTaken), []);
});

Deno.test("a list that the client shows is self-contained: it imports only types", () => {
  const impure = CONSTANT_MODULES.filter((path) => fileOf.get(path)?.loads.length !== 0);
  assertEquals(impure, []);
});

function linesWith(pattern: RegExp, some: readonly SourceFile[]): string[] {
  return some.flatMap(({ path, code }) =>
    code.split("\n").filter((line) => pattern.test(line)).map((line) => `${path}: ${line.trim()}`)
  );
}

Deno.test("only base does arithmetic with prices and percentages for the web client and the wording", () => {
  const arithmetic =
    /[/*] ?100\b|10 ?\*\*|\btoFixed\(|\bparseFloat\(|Cents\w* ?[/*] |Price ?[/*] |[/*] ?\w*Cents\b/;
  const shown = files.filter(({ room, folder }) => room === "client" || folder === "wording");
  assertEquals(linesWith(arithmetic, shown), []);
});

Deno.test("the environment is read in one place", () => {
  const readers = wrongFiles(({ path, code }) =>
    path !== "src/app/composition/config.ts" && /\bDeno\.env\b|\bprocess\.env\b/.test(code)
  );
  assertEquals(readers, []);
});

Deno.test("base and the engine use no clock, no randomness and no system call", () => {
  const effect = /\bDeno\.|\bfetch\(|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/;
  assertEquals(linesWith(effect, inRooms("base", "engine")), []);
});

Deno.test("nothing is exported by default or with *, and no file has a vague name", () => {
  assertEquals(wrongFiles(({ text }) => /^export (default|\*)/m.test(text)), []);
  const vague = /(^|[_/])(utils?|helpers?|types|common|shared|misc|service|manager)\.tsx?$/;
  assertEquals(wrongFiles(({ path }) => vague.test(path)), []);
});

Deno.test("comments cite existing pages of docs/, and no sections of unpublished documents", () => {
  const cited = files.flatMap(({ path, text }) =>
    [...text.matchAll(/docs\/[\w/]+\.md/g)].map(([page]) => [path, page] as const)
  );
  ok(cited.length > 100);
  const pages = new Set(cited.map(([, page]) => page));
  assertEquals([...pages].filter((page) => !existsSync(page)), []);
  const section = /\b(decisions|design|spec(ification)?),? ?§/;
  assertEquals(wrongFiles(({ text }) => section.test(text)), []);
});
