/** The house rules that a machine can judge: which way imports go, and who touches what. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";

/** Low to high: a room imports from the rooms before it. A new folder takes its place here. */
const ROOMS = [
  "base",
  "platform",
  "events",
  "audit",
  "identity",
  "views",
  "reference",
  "catalogue",
  "sales",
  "competitors",
  "observations",
  "scraping",
  "imports",
  "discovery",
  "proposals",
  "alerts",
  "rules",
  "evaluation",
  "market",
  "webhooks",
  "price_export",
  "overview",
  "workspace_files",
  "client",
] as const;

/** Rooms of plain functions: `base`, zod and a parser, no effect. */
const PURE_ROOMS: Record<string, readonly string[]> = {
  extraction: ["zod", "htmlparser2", "css-select", "css-what", "json-p3"],
  xml: ["zod", "saxes"],
  matching: ["zod"],
  pricing: ["zod"],
  wording: ["zod"],
};

/** What a pure room may know of another: the shape of the facts that it makes sentences of. */
const PURE_TYPES: Record<string, readonly string[]> = { wording: ["matching", "pricing"] };

/** Where everything comes together: these may import every room, and the second the first. */
const ROOF = ["demo", "commands"];

/**
 * The folders inside a room, low to high: a folder imports from those before it alone. A new one
 * takes its place here. What lies in the room itself is either ground, which imports no folder, or
 * a face, which no folder imports.
 */
const SUB_ROOMS: Record<string, readonly string[]> = {
  platform: ["turns", "tables", "store", "spool", "jobs", "sandbox", "fetch", "http"],
  identity: ["passwords", "users", "sessions", "keys"],
  catalogue: ["prices", "products", "lists", "changes"],
  competitors: ["offers", "matches", "recipes", "discovery"],
  observations: ["quarantine", "retention", "lists", "push"],
  scraping: [
    "politeness",
    "robots",
    "page",
    "schedule",
    "health",
    "recipes",
    "runs",
    "repairs",
    "preview",
    "link_checks",
    "teaching",
  ],
  discovery: ["sitemaps", "feeds", "order", "searches", "suggestions", "jobs"],
  imports: [
    "findings",
    "files",
    "sources",
    "profiles",
    "records",
    "upload",
    "receive",
    "state",
    "import_sources",
    "apply",
    "undo",
    "jobs",
    "pull",
  ],
  extraction: ["page", "shown", "markup", "recipe", "extractors"],
  pricing: ["actions", "guards", "triggers"],
  market: ["table", "current", "past", "moves", "trends"],
};

/** The files of `src` itself, and which of them each imports: nobody but these and the roof does. */
const ROOT_FILES: Record<string, readonly string[]> = {
  config: [],
  audit_names: [],
  migrations: [],
  foreign_work: [],
  foreign_worker: ["foreign_work"],
  foreign_reader: ["foreign_work"],
  import_deps: ["config"],
  scraper: ["config"],
  maintenance: [],
  retention: ["config"],
  schedule: ["maintenance", "retention"],
  background: ["config"],
  app: [
    "audit_names",
    "background",
    "config",
    "foreign_reader",
    "import_deps",
    "maintenance",
    "retention",
    "scraper",
  ],
};

interface SourceFile {
  readonly path: string;
  /** The folder below `src`; empty for a file that lies in `src` itself. */
  readonly room: string;
  /** The folder inside the room, with those in it; empty for a file that lies in the room itself. */
  readonly subRoom: string;
  readonly text: string;
  /** The files of ours that it imports, types included. */
  readonly imports: readonly string[];
  /** The rooms and packages that it imports. */
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

async function readSources(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const found of glob("src/**/*.{ts,tsx}")) {
    const path = found.replaceAll("\\", "/");
    const text = await Deno.readTextFile(path);
    const targets = [...text.matchAll(/(?:\bfrom\s+|\bimport\s+|import\(\s*)"([^"]+)"/g)]
      .map(([, target]) => target!);
    const room = path.split("/").length > 2 ? path.split("/")[1]! : "";
    const subRoom = path.split("/").slice(2, -1)[0] ?? "";
    const imports = targets.filter((target) => target.startsWith("."))
      .map((target) => new URL(target, `file:///${path}`).pathname.slice(1));
    const local = imports.map((target) => {
      const parts = target.split("/");
      return parts.length > 2 ? parts[1]! : parts[1]!.replace(/\.ts$/, "");
    });
    const packages = targets.filter((target) => !target.startsWith("."));
    files.push({ path, room, subRoom, text, imports, rooms: local, packages });
  }
  return files;
}

const files = await readSources();
const placeOf = (room: string) => ROOMS.findIndex((known) => known === room);
const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

Deno.test("every folder of src has a place in the order", () => {
  const known: readonly string[] = [...ROOMS, ...Object.keys(PURE_ROOMS), ...ROOF, ""];
  const strangers = new Set(files.map(({ room }) => room).filter((room) => !known.includes(room)));
  assertEquals([...strangers], []);
});

Deno.test("rooms import downwards only", () => {
  const upward = files.filter(({ room }) => placeOf(room) >= 0).flatMap(({ path, room, rooms }) =>
    rooms.filter((to) => to !== room && !(to in PURE_ROOMS))
      .filter((to) => placeOf(to) < 0 || placeOf(to) > placeOf(room))
      .map((to) => `${path} imports ${to}`)
  );
  assertEquals(upward, []);
});

const fileOf = new Map(files.map((file) => [file.path, file]));
const importsOf = ({ imports }: SourceFile) =>
  imports.map((path) => fileOf.get(path)).filter((file) => file !== undefined);
/** What lies in a room, but for the web client: its folders have a test of their own. */
const ordered = files.filter(({ room }) => room !== "" && room !== "client");

Deno.test("no file imports itself by way of others, types included", () => {
  // Away with what imports nothing that is left or is imported by nobody left: circles stay.
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

Deno.test("every folder inside a room has a place in its order, and every place a folder", () => {
  const found = new Set(
    ordered.filter(({ subRoom }) => subRoom !== "").map(({ room, subRoom }) =>
      `${room}/${subRoom}`
    ),
  );
  const placed = Object.entries(SUB_ROOMS)
    .flatMap(([room, folders]) => folders.map((folder) => `${room}/${folder}`));
  assertEquals([...found].sort(), placed.sort());
});

Deno.test("docs/rooms.md explains the folders inside rooms, room by room in their order", async () => {
  const page = await Deno.readTextFile("docs/rooms.md");
  const explained = [...page.matchAll(/^\| `(\w+)\/(\w+)`/gm)];
  const perRoom = Object.groupBy(explained, ([, room]) => room!);
  const told = Object.entries(perRoom).map((
    [room, rows],
  ) => [room, rows!.map(([, , folder]) => folder)]);
  assertEquals(Object.fromEntries(told), SUB_ROOMS);
});

Deno.test("a folder inside a room imports from the folders before it alone", () => {
  const upward = ordered.filter(({ subRoom }) => subRoom !== "").flatMap((file) => {
    const folders = SUB_ROOMS[file.room] ?? [];
    return importsOf(file)
      .filter(({ room, subRoom }) => room === file.room && subRoom !== "")
      .filter(({ subRoom }) => folders.indexOf(subRoom) > folders.indexOf(file.subRoom))
      .map(({ path }) => `${file.path} imports ${path}`);
  });
  assertEquals(upward, []);
});

Deno.test("what lies in a room itself is ground, which imports no folder, or a face, which no folder imports", () => {
  const faces = new Set<SourceFile>();
  const isFace = (file: SourceFile) =>
    importsOf(file).some((to) => to.room === file.room && (to.subRoom !== "" || faces.has(to)));
  const own = ordered.filter(({ subRoom }) => subRoom === "");
  for (let before = -1; faces.size > before;) {
    before = faces.size;
    own.filter(isFace).forEach((file) => faces.add(file));
  }
  const upward = ordered.filter(({ subRoom }) => subRoom !== "").flatMap((file) =>
    importsOf(file).filter((to) => to.room === file.room && faces.has(to))
      .map(({ path }) => `${file.path} imports ${path}`)
  );
  assertEquals(upward, []);
});

Deno.test("the files of src itself import each other as they say, and the roof imports them alone", () => {
  const nameOf = (path: string) => path.replace(/^src\/|\.ts$/g, "");
  const own = files.filter(({ room }) => room === "");
  assertEquals(own.map(({ path }) => nameOf(path)).sort(), Object.keys(ROOT_FILES).sort());
  const other = own.flatMap((file) =>
    importsOf(file)
      .filter((to) => ROOF.includes(to.room) || to.room === "")
      .filter((to) => !ROOT_FILES[nameOf(file.path)]!.includes(nameOf(to.path)))
      .map(({ path }) => `${file.path} imports ${path}`)
  );
  const borrowed = files.filter(({ room }) => room !== "" && !ROOF.includes(room)).flatMap((file) =>
    importsOf(file).filter(({ room }) => room === "" || ROOF.includes(room))
      .map(({ path }) => `${file.path} imports ${path}`)
  );
  assertEquals([...other, ...borrowed], []);
  const above = files.filter(({ room, rooms }) => room === "demo" && rooms.includes("commands"));
  assertEquals(above.map(({ path }) => path), []);
});

Deno.test("the configuration knows the platform and nothing above it", () => {
  const config = files.find(({ path }) => path === "src/app/composition/config.ts");
  assertEquals(config?.rooms.filter((room) => room !== "platform" && room !== "base"), []);
});

Deno.test("no route of another room is imported below the composition root", () => {
  const borrowed = files.filter(({ room }) => room !== "").flatMap(({ path, room, text }) =>
    [...text.matchAll(/from "(\.\.[^"]*_routes\.ts)"/g)]
      .map(([, target]) => target!)
      .filter((target) => !new URL(target, `file:///${path}`).pathname.startsWith(`/src/${room}/`))
      .map((target) => `${path} imports ${target}`)
  );
  assertEquals(borrowed, []);
});

Deno.test("pure rooms import base and their parser, and have no effect", () => {
  const pure = files.filter(({ room }) => room in PURE_ROOMS);
  const imports = pure.flatMap(({ path, room, rooms, packages, text }) =>
    [
      ...rooms.filter((to) => to !== room && to !== "base")
        .filter((to) => !PURE_TYPES[room]?.includes(to) || takesValues(text, to)),
      ...packages.filter((name) => !PURE_ROOMS[room]!.includes(name)),
    ].map((to) => `${path} imports ${to}`)
  );
  const effects = pure.flatMap(({ path, text }) =>
    [...code(text).matchAll(/\bDeno\.|\bfetch\(|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/g)]
      .map(([effect]) => `${path} has ${effect}`)
  );
  assertEquals([...imports, ...effects], []);
});

/** True when a file takes more than types of a room. */
function takesValues(text: string, room: string): boolean {
  return [...text.matchAll(/^import (?!type\b)[^;]*?from "([^"]+)"/gm)]
    .some(([, target]) => target!.includes(`/${room}/`));
}

Deno.test("only stores and the platform touch KV", () => {
  const leaks = files.filter(({ path, room, text }) =>
    room !== "platform" && !path.endsWith("_store.ts") &&
    /\bkv\.(?!close\()\w+\(|\bDeno\.(openKv|Kv\w*)\b|\.atomic\(/.test(code(text))
  );
  assertEquals(leaks.map(({ path }) => path), []);
});

Deno.test("a commit is opened by a verb or the platform, never by a store, a route or a command", () => {
  const opened = files.filter(({ path, room, text }) =>
    room !== "platform" && /(_store|_routes)\.ts$|^src\/commands\//.test(path) &&
    /\btransact(Versioned)?\(/.test(code(text))
  );
  assertEquals(opened.map(({ path }) => path), []);
});

/** Lists of the service that the client shows: a new entry stands in one of these, and nowhere else. */
const CONSTANT_MODULES = [
  "audit/audit_actions.ts",
  "catalogue/products/product_field_table.ts",
  "competitors/discovery/discovery_choices.ts",
  "events/public_events.ts",
  "extraction/page_status.ts",
  "identity/key_scopes.ts",
  "imports/findings/hold_codes.ts",
  "imports/profiles/profile_choices.ts",
  "imports/source_choices.ts",
  "identity/roles.ts",
  "pricing/bound_codes.ts",
  "pricing/scope_fields.ts",
  "proposals/proposal_status.ts",
  "scraping/link_checks/check_codes.ts",
];

Deno.test("the web client takes types from other rooms, and values from base, wording and lists alone", () => {
  const taken = files.filter(({ room }) => room === "client").flatMap(({ path, text }) =>
    [...text.matchAll(/^import (?!type\b)[^;]*?from "((?:\.\.\/)+[^"]+)"/gm)]
      .map(([, target]) => target!)
      .filter((target) => {
        const place = new URL(target, `file:///${path}`).pathname.replace("/src/", "");
        return !/^(client|wording|base)\//.test(place) && !CONSTANT_MODULES.includes(place);
      })
      .map((target) => `${path} imports ${target}`)
  );
  assertEquals(taken, []);
});

Deno.test("a list that the client shows stands by itself: it imports types alone", () => {
  const found = CONSTANT_MODULES.map((name) => files.find(({ path }) => path === `src/${name}`));
  const impure = found.filter((file) =>
    !file || /^(import|export) (?!type\b)[^;]*? from "/m.test(file.text)
  );
  assertEquals(impure.map((file) => file?.path ?? "is missing"), []);
});

Deno.test("the web client and the wording leave the arithmetic of prices and percentages to base", () => {
  const arithmetic =
    /[/*] ?100\b|10 ?\*\*|\btoFixed\(|\bparseFloat\(|Cents\w* ?[/*] |Price ?[/*] |[/*] ?\w*Cents\b/;
  const twins = files.filter(({ room }) => room === "client" || room === "wording")
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

Deno.test("base has neither a clock nor chance nor the system", () => {
  const effects = files.filter(({ room }) => room === "base").flatMap(({ path, text }) =>
    [...code(text).matchAll(/\bDeno\.|\bfetch\(|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/g)]
      .map(([effect]) => `${path} has ${effect}`)
  );
  assertEquals(effects, []);
});

Deno.test("nothing is exported by default or as a whole, nothing is named after nothing", () => {
  const exported = files.filter(({ text }) => /^export (default|\*)/m.test(text));
  const vague = /(^|[_/])(utils?|helpers?|types|common|shared|misc|service|manager)\.tsx?$/;
  const named = files.filter(({ path }) => vague.test(path));
  assertEquals([...exported, ...named].map(({ path }) => path), []);
});

Deno.test("comments cite what is here: pages of docs/decisions by their names, and public documents", async () => {
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
