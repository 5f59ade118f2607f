/*
 * docs/keys.md is the key layout of the whole store in one place, made from what every store says at
 * its top. Write it anew with: UPDATE_DOCS=1 deno test -A tests/keys_document_test.ts
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";

const DOCUMENT = "docs/keys.md";

const INTRODUCTION = `# The key layout

Every row of the store, room by room, in the words of the file that alone knows the key. \`W\` is the
workspace's id; ids are 12 raw bytes, times are numbers of milliseconds, texts in indexes are folded
(NFC, lower case). "Empty" rows are there for their key or for their versionstamp.

All rows that one change needs are written in one atomic commit, with at most 10 checks. Who writes
one record checks that record and sets the generation of its shard; who writes many reads the
generations of their shards first and checks those. \`deno task kurant check-store\` compares the rows
with each other.
`;

interface StoreFile {
  readonly path: string;
  readonly text: string;
  /** What the file says of its keys; null where it has none of its own. */
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

function documentOf(stores: readonly StoreFile[]): string {
  const rooms = Map.groupBy(stores, ({ path }) => path.split("/")[1] ?? "");
  const parts = [...rooms].map(([room, files]) =>
    `## ${room}\n\n` +
    files.map(({ path, head }) => `${path}\n\n\`\`\`text\n${head}\n\`\`\`\n`).join("\n")
  );
  return [INTRODUCTION, ...parts].join("\n");
}

/** The first part of each key that the file builds. */
function tablesOf({ text }: StoreFile): Set<string> {
  return new Set([...text.matchAll(/\[\s*"([a-z]{1,6})"[,\]]/g)].map(([, table]) => table ?? ""));
}

const stores = await readStores();
const described = stores.filter(({ head }) => head !== null);

Deno.test("docs/keys.md says of every store what it says of itself", async () => {
  const text = documentOf(described);
  if (Deno.env.get("UPDATE_DOCS")) await Deno.writeTextFile(DOCUMENT, text);
  else assertEquals(await Deno.readTextFile(DOCUMENT), text);
});

Deno.test("every store that builds keys says which, at its top", () => {
  const silent = stores.filter((store) => store.head === null && tablesOf(store).size > 0);
  assertEquals(silent.map(({ path }) => path), []);
});

Deno.test("a table belongs to one store, unless the other one is named", () => {
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
  assertEquals(shared, []);
  ok(owners.size > 50);
});

function namesEachOther(one: StoreFile, other: StoreFile): boolean {
  const name = (path: string) => path.split("/").at(-1) ?? path;
  return [[one, other], [other, one]].some(([a, b]) => a?.head?.includes(name(b?.path ?? "")));
}
