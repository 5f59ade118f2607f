import { openPart } from "../../../src/app/commands/part_file.ts";
import { LAYOUT, storeFile } from "../../../src/platform/store/open_store.ts";
import { flushFile } from "../../../src/platform/store/store_file.ts";
import { lockFolder, openStoreIn } from "../../closing_store.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, runProgram, startServer } from "../../program.ts";
import { inFolder, namesIn, temporaryFolder } from "../../temporary_folder.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { testWith } from "../../opened.ts";

async function backedUpStore() {
  const folder = await temporaryFolder();
  const settings = { DATA_DIR: `${folder.path}/data` };
  const path = `${folder.path}/backup.db`;
  await succeeds(kurantHere(["key", "add", "--name", "k"], settings));
  const backup = kurantHere(["backup", path], settings);
  await succeeds(backup, /^.*backup\.db: \d+ bytes, 0 disagreements\n$/);
  const { kvPath } = storeFile(settings.DATA_DIR);
  return { settings, kvPath, path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** The row `mark` lets a test recognise this store. */
async function mark(dataDir: string, layout = LAYOUT): Promise<void> {
  using store = await openStoreIn(dataDir);
  await store.kv.set(["mark"], true);
  await store.kv.set(["schema"], layout);
}

async function isMarked(dataDir: string): Promise<boolean> {
  using store = await openStoreIn(dataDir);
  return (await store.kv.get(["mark"])).value !== null;
}

const withBackup = testWith(backedUpStore);

withBackup.test("backup creates one file and never overwrites; it and restore skip the check of rows with --no-check", async (backed) => {
  const before = await Deno.readFile(backed.path);
  const again = kurantHere(["backup", backed.path], backed.settings);
  await fails(again, 1, /^error: ".*backup\.db" is there already: /);
  assertEquals(await Deno.readFile(backed.path), before);
  assertEquals(namesIn(`${backed.settings.DATA_DIR}/..`), ["backup.db", "data"]);
  const quick = `${backed.path}.quick`;
  const unchecked = kurantHere(["backup", "--no-check", quick], backed.settings);
  await succeeds(unchecked, /^.*: \d+ bytes, rows not checked\n$/);
  const restored = kurantHere(["restore", "--no-check", quick], backed.settings);
  await succeeds(restored, /^Restored: \d+ bytes, rows not checked\n/);
});

inFolder.test("backup of a folder without a store ends with 1 and creates no file", async (folder) => {
  const backup = kurantHere(["backup", `${folder.path}/b.db`], { DATA_DIR: folder.path });
  await fails(backup, 1, /^error: There is no store ".*": set DATA_DIR to its folder/);
  assertEquals(namesIn(folder.path), []);
});

withBackup.test("restore brings back the backed-up store and keeps the replaced one", async (backed) => {
  const { settings, kvPath } = backed;
  await mark(settings.DATA_DIR);
  const out = await succeeds(kurant(["restore", backed.path], settings));
  assertEquals(await isMarked(settings.DATA_DIR), false);

  const aside = /^The store before is kept as (.*)$/m.exec(out)![1]!;
  await flushFile(kvPath);
  await Deno.rename(aside, kvPath);
  assertEquals(await isMarked(settings.DATA_DIR), true);
});

withBackup.test("restore counts a missing row of a key or a workspace, and ends with 1", async ({ settings, path }) => {
  const whole = await Deno.readFile(path);
  // Keys of these tables begin with the type byte 02 (text), the text `k` or `ws`, and the byte 00.
  for (const table of ["026b00", "02777300"]) {
    await Deno.writeFile(path, whole);
    {
      using file = new DatabaseSync(path);
      const prefix = `hex(substr(k, 1, ${table.length / 2}))`;
      file.prepare(`DELETE FROM kv WHERE ${prefix} = ?`).run(table.toUpperCase());
      file.exec("PRAGMA journal_mode = DELETE");
    }
    const { code, out } = await kurantHere(["restore", path], settings);
    assertEquals(code, 1, table);
    match(out, /^Restored: \d+ bytes, 1 disagreements$/m);
  }
});

withBackup.test("restore and compact refuse while a server holds the store", async (backed) => {
  using _lock = lockFolder(backed.settings.DATA_DIR);
  for (const args of [["restore", backed.path], ["compact"]]) {
    const refused = kurantHere(args, backed.settings);
    await fails(refused, 1, /^error: The store is in use by process \d+/);
  }
});

withBackup.test("a store of a newer or unknown layout does not start; restore refuses it, a torn file and a text, and keeps the store", async ({ settings, path }) => {
  const whole = await Deno.readFile(path);
  await mark(settings.DATA_DIR);
  const files: (readonly [content: Uint8Array, refusal: RegExp])[] = [
    [whole.subarray(0, 10_000), /^error: The store file ".*" has 10000 bytes instead of \d+: /],
    [new Uint8Array(), /^error: The store file ".*" is empty: /],
    [new TextEncoder().encode("a text"), /^error: The store file ".*" is not a store: /],
  ];
  for (const [content, refusal] of files) {
    await Deno.writeFile(`${path}.bad`, content);
    await fails(kurantHere(["restore", `${path}.bad`], settings), 1, refusal);
  }
  await using newer = await temporaryFolder();
  await mark(newer.path, 999);
  await flushFile(storeFile(newer.path).kvPath);
  const serving = { DATA_DIR: newer.path, PORT: "0" };
  await using unmarked = await temporaryFolder();
  {
    using store = await openStoreIn(unmarked.path);
    await store.kv.set(["mark"], true);
    await store.kv.delete(["schema"]);
  }
  const lacking = /^error: The store has rows, but the row with its layout is missing: /;
  await flushFile(storeFile(unmarked.path).kvPath);
  await fails(kurantHere(["restore", storeFile(unmarked.path).kvPath], settings), 1, lacking);
  await fails(kurantHere(["serve"], { DATA_DIR: unmarked.path, PORT: "0" }), 1, lacking);
  const unknown = /^error: The store has layout 999, this program knows \d+: use a newer version/;
  await fails(kurantHere(["restore", storeFile(newer.path).kvPath], settings), 1, unknown);
  await fails(kurantHere(["serve"], serving), 1, unknown);
  assertEquals(await isMarked(settings.DATA_DIR), true);
  assertEquals(namesIn(settings.DATA_DIR).filter((name) => name.includes(".part")), []);
});

withBackup.test("compact keeps every row, reports the gained space, and leaves a store without any unchanged", async ({ settings, kvPath }) => {
  {
    using store = await openStoreIn(settings.DATA_DIR);
    for (let n = 0; n < 100; n++) await store.kv.set(["bulk", n], new Uint8Array(30_000));
    for (let n = 0; n < 100; n++) await store.kv.delete(["bulk", n]);
    await store.kv.set(["mark"], true);
  }
  await flushFile(kvPath);
  const { size } = await Deno.stat(kvPath);
  const out = await succeeds(kurant(["compact"], settings));
  const now = (await Deno.stat(kvPath)).size;
  assertEquals(out, `${size} bytes before, ${now} bytes now\n`);
  assertEquals([now < size / 10, await isMarked(settings.DATA_DIR)], [true, true]);
  await flushFile(kvPath);
  const before = await Deno.readFile(kvPath);
  const again = await succeeds(kurantHere(["compact"], settings));
  assertEquals(again, `${before.length} bytes, and no space to gain\n`);
  assertEquals(await Deno.readFile(kvPath), before);
});

Deno.test("backup, restore and compact refuse a KV Connect store and name the alternative", async () => {
  const settings = { KV_URL: "http://127.0.0.1:9", DENO_KV_ACCESS_TOKEN: "any" };
  const refusal = /^error: .* is for a store that is a file, .* use "workspace export"/;
  for (const args of [["backup", "b.db"], ["restore", "b.db"], ["compact"]]) {
    await fails(kurantHere(args, settings), 2, refusal);
  }
});

const KILLED = { entry: "tests/app/commands/killed_entry.ts" };

async function killed(args: readonly string[], dataDir: string): Promise<void> {
  const { signal } = await runProgram(KILLED, args, { DATA_DIR: dataDir });
  assertEquals(signal, "SIGKILL");
}

withBackup.test("the part of a killed backup or export is removed by the next backup, that of a running one stays", async (backed) => {
  const { DATA_DIR } = backed.settings;
  const folder = `${DATA_DIR}/../backups`;
  await Deno.mkdir(folder);
  await killed(["backup", `${folder}/killed.db`], DATA_DIR);
  await killed(["workspace", "export", `${folder}/killed.jsonl`], DATA_DIR);
  assertEquals(namesIn(folder).filter((name) => name.endsWith(".part")).length, 1);
  await using living = await openPart(`${folder}/living.db`);
  await Deno.writeTextFile(living.path, "");
  await succeeds(kurantHere(["backup", `${folder}/whole.db`], backed.settings));
  const part = basename(living.path);
  assertEquals(namesIn(folder), [part, `${part}.lock`, "whole.db"].sort());
});

withBackup.test("serve removes the leftovers of killed commands from its folder", async (backed) => {
  const { DATA_DIR } = backed.settings;
  await killed(["restore", backed.path], DATA_DIR);
  await killed(["backup", `${DATA_DIR}/killed.db`], DATA_DIR);
  const parts = () => namesIn(DATA_DIR).filter((name) => /\.part/.test(name));
  assertEquals(parts().length, 2);
  await using _server = await startServer(backed.settings);
  assertEquals(parts(), []);
});
