import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";
import { dirname, join } from "node:path/posix";

/** Low to high: a room imports from the rooms before it. */
const ROOMS = [
  "base",
  "engine",
  "platform",
  "accounts",
  "catalogue",
  "shops",
  "imports",
  "scraping",
  "messages",
  "rules",
  "market",
  "app",
  "client",
] as const;

/**
 * The folders of each room, low to high: a folder imports only from the folders before it. A file
 * next to the folders is either shared by them (it imports none of them) or uses them (none of them
 * imports it).
 */
const FOLDERS: Record<string, readonly string[]> = {
  engine: ["xml", "extraction", "matching", "pricing", "wording"],
  platform: ["tables", "store", "jobs", "events", "sandbox", "fetch", "http"],
  accounts: ["audit", "passwords", "users", "factors", "sessions", "keys", "views"],
  catalogue: ["prices", "products", "lists", "changes", "sales"],
  shops: ["offers", "matches", "recipes", "discovery", "observations", "quarantine", "push"],
  imports: ["files", "profiles", "records", "upload", "state", "apply", "jobs"],
  scraping: ["page", "schedule", "runs", "teaching", "suggestions", "link_checks", "discovery"],
  messages: ["alerts", "webhooks"],
  rules: ["proposals", "evaluation"],
  market: ["table", "current", "past", "moves", "trends", "export", "overview"],
  app: ["reference", "workspace_files", "composition", "demo", "commands"],
};
const FOLDERS_MAX = 7;

/** The engine has no effects: its folders import `base` and these packages. */
const ENGINE_PACKAGES: Record<string, readonly string[]> = {
  xml: ["zod", "saxes"],
  extraction: ["zod", "htmlparser2", "entities/decode", "css-select", "css-what", "json-p3"],
  matching: ["zod"],
  pricing: ["zod"],
  wording: ["zod"],
};

/** Folders whose types a folder of the engine may import, because it puts their facts into words. */
const ENGINE_TYPES: Record<string, readonly string[]> = {
  wording: ["extraction", "matching", "pricing"],
};

interface SourceFile {
  readonly path: string;
  /** The folder below `src`. */
  readonly room: string;
  /** The folder inside the room; empty for a file that lies in the room itself. */
  readonly folder: string;
  readonly text: string;
  /** Our own files that it imports, type imports included. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

async function readSources(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const found of glob("src/**/*.{ts,tsx}")) {
    const path = found.replaceAll("\\", "/");
    const text = await Deno.readTextFile(path);
    const targets = [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|import\(\s*)"([^"]+)"/g)]
      .map(([, target]) => target!);
    const [room = "", folder = ""] = path.split("/").slice(1, -1);
    const imports = targets.filter((target) => target.startsWith("."))
      .map((target) => new URL(target, `file:///${path}`).pathname.slice(1));
    const packages = targets.filter((target) => !target.startsWith("."));
    files.push({ path, room, folder, text, imports, packages });
  }
  return files;
}

const files = await readSources();
const placeOf = (room: string) => ROOMS.findIndex((known) => known === room);
const roomOf = (path: string) => path.split("/")[1] ?? "";
const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

Deno.test("every file of src lies in a room, and every room has a place in the order", () => {
  const strangers = new Set(files.map(({ room }) => room).filter((room) => placeOf(room) < 0));
  assertEquals([...strangers], []);
});

/** The server and the client share the table of the client's addresses. */
const SHARED_WITH_CLIENT = "src/client/paths.ts";

Deno.test("rooms import downwards only", () => {
  const upward = files.flatMap(({ path, room, imports }) =>
    imports.filter((to) => to !== SHARED_WITH_CLIENT && placeOf(roomOf(to)) > placeOf(room))
      .map((to) => `${path} imports ${to}`)
  );
  assertEquals(upward, []);
});

const fileOf = new Map(files.map((file) => [file.path, file]));
const importsOf = ({ imports }: SourceFile) =>
  imports.map((path) => fileOf.get(path)).filter((file) => file !== undefined);
/** All rooms except the web client, whose folders have their own test. */
const ordered = files.filter(({ room }) => room !== "client");

Deno.test("imports have no cycles, type imports included", () => {
  // Removes files that import no remaining file or that no remaining file imports. Cycles stay.
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

Deno.test("FOLDERS names exactly the folders inside each room", () => {
  const found = new Set(
    ordered.filter(({ folder }) => folder !== "").map(({ room, folder }) => `${room}/${folder}`),
  );
  const placed = Object.entries(FOLDERS)
    .flatMap(([room, folders]) => folders.map((folder) => `${room}/${folder}`));
  assertEquals([...found].sort(), placed.sort());
  const crowded = Object.entries(FOLDERS).filter(([, folders]) => folders.length > FOLDERS_MAX);
  assertEquals(crowded, []);
});

Deno.test("docs/rooms.md explains the rooms and their folders in their order", async () => {
  const page = await Deno.readTextFile("docs/rooms.md");
  const rooms = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, room]) => room!);
  assertEquals(rooms, [...ROOMS]);
  const explained = [...page.matchAll(/^\| `(\w+)\/(\w+)`/gm)];
  const perRoom = Object.groupBy(explained, ([, room]) => room!);
  const folders = Object.entries(perRoom).map((
    [room, rows],
  ) => [room, rows!.map(([, , folder]) => folder)]);
  assertEquals(Object.fromEntries(folders), FOLDERS);
});

Deno.test("a folder inside a room imports only from the folders before it", () => {
  const upward = ordered.filter(({ folder }) => folder !== "").flatMap((file) => {
    const folders = FOLDERS[file.room] ?? [];
    return importsOf(file)
      .filter(({ room, folder }) => room === file.room && folder !== "")
      .filter(({ folder }) => folders.indexOf(folder) > folders.indexOf(file.folder))
      .map(({ path }) => `${file.path} imports ${path}`);
  });
  assertEquals(upward, []);
});

Deno.test("a file next to the folders of a room imports none of them, or none of them imports it", () => {
  const faces = new Set<SourceFile>();
  const isFace = (file: SourceFile) =>
    importsOf(file).some((to) => to.room === file.room && (to.folder !== "" || faces.has(to)));
  const own = ordered.filter(({ folder }) => folder === "");
  for (let before = -1; faces.size > before;) {
    before = faces.size;
    own.filter(isFace).forEach((file) => faces.add(file));
  }
  const upward = ordered.filter(({ folder }) => folder !== "").flatMap((file) =>
    importsOf(file).filter((to) => to.room === file.room && faces.has(to))
      .map(({ path }) => `${file.path} imports ${path}`)
  );
  assertEquals(upward, []);
});

Deno.test("the configuration imports the platform and nothing above it", () => {
  const config = files.find(({ path }) => path === "src/app/composition/config.ts");
  const above = config?.imports.filter((to) => !["platform", "base"].includes(roomOf(to)));
  assertEquals(above, []);
});

Deno.test("no route of another room is imported below the composition root", () => {
  const borrowed = files.filter(({ room }) => room !== "app").flatMap(({ path, room, text }) =>
    [...text.matchAll(/from "(\.\.[^"]*_routes\.ts)"/g)]
      .map(([, target]) => target!)
      .filter((target) => !new URL(target, `file:///${path}`).pathname.startsWith(`/src/${room}/`))
      .map((target) => `${path} imports ${target}`)
  );
  assertEquals(borrowed, []);
});

Deno.test("the Worker that reads strangers' texts loads parsers, and no store", () => {
  const PARSERS = "css-select css-what entities/decode htmlparser2 ipaddr.js json-p3 saxes".split(
    " ",
  );
  const loaded = new Set(["src/app/composition/foreign_worker.ts"]);
  const packages = new Set<string>();
  for (const path of loaded) {
    for (const name of loadedBy(fileOf.get(path)?.text ?? "")) {
      if (name.startsWith(".")) loaded.add(join(dirname(path), name));
      else if (!name.startsWith("node:")) packages.add(name);
    }
  }
  assertEquals([...packages].filter((name) => !PARSERS.includes(name)), []);
  assertEquals([...loaded].filter((path) => /_store\.ts$|^src\/platform\/store\//.test(path)), []);
  ok(loaded.size > 30 && packages.size > 3, "the Worker is read");
});

/** The modules that the imports and exports of a module load at run time. Type imports load none. */
function loadedBy(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export) (?!type )([^;]*?) from "([^"]+)";/gm);
  return [...statements].flatMap(([, names = "", from = ""]) => {
    const areTypes = /^\{[^}]*\}$/.test(names) &&
      names.slice(1, -1).split(",").every((name) => /^\s*(?:type |$)/.test(name));
    return areTypes ? [] : [from];
  });
}

Deno.test("the engine imports base and its parsers", () => {
  const pure = files.filter(({ room }) => room === "engine");
  const imports = pure.flatMap(({ path, folder, text, imports, packages }) =>
    [
      ...imports.filter((to) => roomOf(to) !== "base" && !to.startsWith(`src/engine/${folder}/`))
        .filter((to) => {
          const other = to.split("/")[2]!;
          return !ENGINE_TYPES[folder]?.includes(other) || takesValues(text, other);
        }),
      ...packages.filter((name) => !ENGINE_PACKAGES[folder]?.includes(name)),
    ].map((to) => `${path} imports ${to}`)
  );
  assertEquals(imports, []);
});

Deno.test("the platform imports base and, of the engine, one list of codes", () => {
  const others = files.filter(({ room }) => room === "platform").flatMap(({ path, imports }) =>
    imports.filter((to) => !["base", "platform"].includes(roomOf(to)))
      .filter((to) => to !== "src/engine/matching/identity_codes.ts")
      .map((to) => `${path} imports ${to}`)
  );
  assertEquals(others, []);
});

/** True when a file imports more than types from a folder. */
function takesValues(text: string, folder: string): boolean {
  return [...text.matchAll(/^import (?!type\b)[^;]*?from "([^"]+)"/gm)]
    .some(([, target]) => target!.includes(`/${folder}/`));
}

Deno.test("products meet rules in one place: rules/evaluation/judge.ts", () => {
  const asks = /\b(?:decide|decideIn|decideProduct|simulateProduct)\(/;
  const others = files.filter(({ path, text }) =>
    /src\/(?:rules|market|app)\//.test(path) && !path.endsWith("evaluation/judge.ts") &&
    /pricing\/(?:decide|simulation)\.ts"/.test(text) && asks.test(text)
  );
  assertEquals(others.map(({ path }) => path), []);
});

Deno.test("only stores and the platform touch KV", () => {
  const leaks = files.filter(({ path, room, text }) =>
    room !== "platform" && !path.endsWith("_store.ts") &&
    /\bkv\s*\.(?!close\()\w+(?:<[^()]*>)?\(|\bDeno\.(openKv|Kv\w*)\b|\.atomic\(/.test(code(text))
  );
  assertEquals(leaks.map(({ path }) => path), []);
});

Deno.test("a commit is opened by a verb or the platform, never by a store, a route or a command", () => {
  const opened = files.filter(({ path, room, text }) =>
    room !== "platform" && /(_store|_routes)\.ts$|^src\/app\/commands\//.test(path) &&
    /\btransact(Versioned)?\(/.test(code(text))
  );
  assertEquals(opened.map(({ path }) => path), []);
});

/** Lists of the service that the client shows. The test below requires that they import only types. */
const CONSTANT_MODULES = [
  "accounts/audit/audit_actions.ts",
  "catalogue/products/product_field_table.ts",
  "shops/discovery/discovery_choices.ts",
  "shops/quarantine/suspicion.ts",
  "platform/events/public_events.ts",
  "engine/extraction/page_status.ts",
  "imports/choices.ts",
  "accounts/roles.ts",
  "engine/pricing/codes.ts",
  "scraping/link_checks/check_codes.ts",
];

Deno.test("the web client takes types from other rooms, and values from base, wording and lists alone", () => {
  const taken = files.filter(({ room }) => room === "client").flatMap(({ path, text }) =>
    [...text.matchAll(/^import (?!type\b)[^;]*?from "((?:\.\.\/)+[^"]+)"/gm)]
      .map(([, target]) => target!)
      .filter((target) => {
        const place = new URL(target, `file:///${path}`).pathname.replace("/src/", "");
        return !/^(client|engine\/wording|base)\//.test(place) && !CONSTANT_MODULES.includes(place);
      })
      .map((target) => `${path} imports ${target}`)
  );
  assertEquals(taken, []);
});

Deno.test("a list that the client shows is self-contained: it imports only types", () => {
  const found = CONSTANT_MODULES.map((name) => files.find(({ path }) => path === `src/${name}`));
  const impure = found.filter((file) =>
    !file || /^(import|export) (?!type\b)[^;]*? from "/m.test(file.text)
  );
  assertEquals(impure.map((file) => file?.path ?? "is missing"), []);
});

Deno.test("only base does arithmetic with prices and percentages for the web client and the wording", () => {
  const arithmetic =
    /[/*] ?100\b|10 ?\*\*|\btoFixed\(|\bparseFloat\(|Cents\w* ?[/*] |Price ?[/*] |[/*] ?\w*Cents\b/;
  const twins = files.filter(({ room, folder }) => room === "client" || folder === "wording")
    .flatMap(({ path, text }) =>
      code(text).split("\n").filter((line) => arithmetic.test(line))
        .map((line) => `${path}: ${line.trim()}`)
    );
  assertEquals(twins, []);
});

Deno.test("the environment is read in one place", () => {
  const readers = files.filter(({ path, text }) =>
    path !== "src/app/composition/config.ts" && /\bDeno\.env\b|\bprocess\.env\b/.test(code(text))
  );
  assertEquals(readers.map(({ path }) => path), []);
});

Deno.test("base and the engine use no clock, no randomness and no system call", () => {
  const pure = files.filter(({ room }) => room === "base" || room === "engine");
  const effects = pure.flatMap(({ path, text }) =>
    [...code(text).matchAll(/\bDeno\.|\bfetch\(|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/g)]
      .map(([effect]) => `${path} has ${effect}`)
  );
  assertEquals(effects, []);
});

Deno.test("nothing is exported by default or with *, and no file has a vague name", () => {
  const exported = files.filter(({ text }) => /^export (default|\*)/m.test(text));
  const vague = /(^|[_/])(utils?|helpers?|types|common|shared|misc|service|manager)\.tsx?$/;
  const named = files.filter(({ path }) => vague.test(path));
  assertEquals([...exported, ...named].map(({ path }) => path), []);
});

Deno.test("comments cite existing pages of docs/, and no sections of unpublished documents", async () => {
  const cited = files.flatMap(({ path, text }) =>
    [...text.matchAll(/docs\/[\w/]+\.md/g)].map(([page]) => [path, page] as const)
  );
  ok(cited.length > 100);
  const pages = new Set(cited.map(([, page]) => page));
  const gone = await Promise.all(
    [...pages].map(async (page) => await Deno.stat(page).then(() => null, () => page)),
  );
  assertEquals(gone.filter((page) => page !== null), []);
  const foreign = files.flatMap(({ path, text }) =>
    text.split("\n").filter((line) => /\b(decisions|design|spec(ification)?),? ?§/.test(line))
      .map((line) => `${path}: ${line.trim()}`)
  );
  assertEquals(foreign, []);
});
