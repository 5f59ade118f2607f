/*
 * docs/keys.md describes all keys of the store. It is generated from the declared tables and the
 * head comments of `*_store.ts`. To update the document: UPDATE_DOCS=1 deno test -A
 * tests/keys_document_test.ts
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";
import "../src/app/composition/tables.ts";
import { type DeclaredTable, TABLES } from "../src/platform/store/table.ts";

const DOCUMENT = "docs/keys.md";

const INTRODUCTION = `# The key layout

This page lists all rows of the store, grouped by [room](rooms.md) (a folder of \`src/\`). The entries
are generated from the code that builds the keys. \`W\` is the id of the workspace. Ids are 12 raw
bytes, times are milliseconds, and texts in indexes are in NFC (e-mail addresses, domains and part
numbers also in lower case). An "empty" row has no value: only its key or its version matters. A row
that is "packed" is stored as bytes, in a shorter form than JSON.

One atomic commit writes all rows of an object, such as a product and its index rows. A commit
checks the versions of at most 10 rows ([rules for all rows](decisions/keys.md)).
\`deno task kurant check-store\` finds rows that contradict each other.
`;

interface StoreFile {
  readonly path: string;
  readonly text: string;
  /** The comment at the top of the file if it describes keys, otherwise null. */
  readonly head: string | null;
}

async function readStores(): Promise<StoreFile[]> {
  const paths = await Array.fromAsync(glob("src/**/*_store.ts"));
  return await Promise.all(
    paths.sort().map(async (found) => {
      const path = found.replaceAll("\\", "/");
      const text = await Deno.readTextFile(path);
      const [, comment = ""] = /\/\*\*([^]*?)\*\//.exec(text) ?? [];
      const words = comment.split("\n").map((line) => line.replace(/^ \* ?/, "")).join("\n").trim();
      return { path, text, head: /^Keys\b/.test(words) ? words : null };
    }),
  );
}

const roomOf = (path: string) => path.split("/")[1] ?? "";

function documentOf(stores: readonly StoreFile[]): string {
  const byRoom = Map.groupBy(stores, ({ path }) => roomOf(path));
  const tablesOf = Map.groupBy(TABLES, ({ options }) => rooms.get(options.prefix) ?? "");
  const parts = [...new Set([...byRoom.keys(), ...tablesOf.keys()])].sort().map((room) => {
    const tables = (tablesOf.get(room) ?? []).map(describe).sort();
    const declared = tables.length === 0 ? [] : [`\`\`\`text\n${tables.join("\n")}\n\`\`\`\n`];
    const files = (byRoom.get(room) ?? []).map(({ path, head }) =>
      `${path}\n\n\`\`\`text\n${head}\n\`\`\`\n`
    );
    return `## ${room}\n\n${[...declared, ...files].join("\n")}`;
  });
  return [INTRODUCTION, ...parts].join("\n");
}

function describe({ options, isOfStore }: DeclaredTable): string {
  const { prefix, about, version, indexes = {} } = options;
  const owner = isOfStore ? [] : ["W"];
  const own = Object.keys(options.key);
  const named = (...parts: string[]) => `\`${parts.join(" ")}\``;
  const counts = Object.values(indexes).flatMap(({ prefix, count }) =>
    count === undefined ? [] : `; ${named(count, ...owner)} → u64, rows of \`${prefix}\``
  );
  const rows = Object.values(indexes).map(({ prefix, key, unique }) =>
    unique
      ? `${named(prefix, ...owner, ...Object.keys(key))} → ${own.join(" ")}`
      : named(prefix, ...owner, ...Object.keys(key), ...own)
  );
  const found = rows.length === 0 ? "" : `; found by ${rows.join(", ")}`;
  const changes = version === undefined
    ? ""
    : `; ${named(version, ...owner)} changes with these rows`;
  return `${named(prefix, ...owner, ...own)} → ${about}${found}${changes}${counts.join("")}`;
}

function prefixesOf({ options }: DeclaredTable): string[] {
  const { prefix, version, indexes = {} } = options;
  return [
    prefix,
    ...Object.values(indexes).flatMap(({ prefix, count }) => count ? [prefix, count] : [prefix]),
    ...version === undefined ? [] : [version],
  ];
}

/** Returns the first element of each key that is built by hand, without a declared table. */
function tablesOf({ text }: StoreFile): Set<string> {
  if (!/\bkv\.(?!ts)|\bwrite\.set\(/.test(text)) return new Set();
  return new Set([...text.matchAll(/\[\s*"([a-z]{1,6})"[,\]]/g)].map(([, table]) => table ?? ""));
}

/** Maps the prefix of each table to the room that declares the table. */
const rooms = new Map<string, string>();
for await (const found of glob("src/**/*.ts")) {
  const path = found.replaceAll("\\", "/");
  if (path.endsWith("store/table.ts")) continue;
  const [, ...declarations] = (await Deno.readTextFile(path)).split(/\bdefine(?:Store)?Table[<(]/);
  for (const one of declarations) {
    rooms.set(/\bprefix: "(\w+)"/.exec(one)?.[1] ?? path, roomOf(path));
  }
}
const stores = await readStores();
const described = stores.filter(({ head }) => head !== null);

Deno.test("docs/keys.md contains the key map of every store", async () => {
  const text = documentOf(described);
  if (Deno.env.get("UPDATE_DOCS")) await Deno.writeTextFile(DOCUMENT, text);
  else assertEquals(await Deno.readTextFile(DOCUMENT), text);
});

Deno.test("every store that builds keys lists them in its head", () => {
  const silent = stores.filter((store) => store.head === null && tablesOf(store).size > 0);
  assertEquals(silent.map(({ path }) => path), []);
});

Deno.test("a table belongs to one store, unless the other store is named", () => {
  const owners = new Map<string, StoreFile>();
  const shared: string[] = [];
  for (const store of stores) {
    for (const table of tablesOf(store)) {
      const other = owners.get(table);
      owners.set(table, other ?? store);
      if (other && !namesEachOther(store, other)) {
        shared.push(`"${table}" of ${store.path} and ${other.path}`);
      }
    }
  }
  const declared = TABLES.flatMap(prefixesOf);
  shared.push(...declared.filter((one, at) => owners.has(one) || declared.indexOf(one) !== at));
  assertEquals(shared, []);
  ok(owners.size > 10);
});

Deno.test("the composition loads every module with a table", () => {
  const loaded = TABLES.map(({ options }) => options.prefix);
  assertEquals([...rooms.keys()].sort(), loaded.sort());
});

function namesEachOther(one: StoreFile, other: StoreFile): boolean {
  const name = (path: string) => path.split("/").at(-1) ?? path;
  return [[one, other], [other, one]].some(([a, b]) => a?.head?.includes(name(b?.path ?? "")));
}
