import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import {
  preparingPath,
  readyStoreFile,
  rewriteFile,
} from "../../src/platform/store/file_layout.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { holdFile, replaceFile } from "../../src/platform/store/store_file.ts";
import { until } from "../patience.ts";
import { inFolder, namesIn } from "../temporary_folder.ts";
import { integrityOf, LAYOUT_OF_TODAY, layoutOf, makeEngineFile, rowsOf } from "./engine_file.ts";

const BUSY_MS = 5_000;

inFolder.test("simultaneous openings of a new store get the same file", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStoreFile(path, BUSY_MS)));
  await Promise.all(stores.map(({ kv }, n) => kv.set(["by", n], n)));
  const found = await Array.fromAsync(stores[0]!.kv.list<number>({ prefix: ["by"] }));
  for (const { kv } of stores) kv.close();
  assertEquals(found.map(({ value }) => value), [0, 1, 2, 3, 4, 5]);
  assertEquals(namesIn(folder.path).filter((name) => name.includes("preparing")), []);
});

inFolder.test("leftovers of killed preparations are removed, and a log of a deleted file is not used", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  const kv = await Deno.openKv(path);
  await kv.set(["of a file that is gone"], 1);
  const log = await Deno.readFile(`${path}-wal`);
  kv.close();
  await until("the handle is closed", () => namesIn(folder.path).length === 1);
  await Deno.remove(path);
  await Deno.writeFile(`${path}-wal`, log);
  for (const name of ["", "-wal", "-journal", ".lock"]) {
    await Deno.writeTextFile(preparingPath(path) + name, "left");
  }
  const store = await openStoreFile(path, BUSY_MS);
  const rows = await Array.fromAsync(store.kv.list({ prefix: ["of a file that is gone"] }));
  store.kv.close();
  assertEquals([rows, layoutOf(path), integrityOf(path)], [[], LAYOUT_OF_TODAY, "ok"]);
  for (const name of ["", ".lock"]) await Deno.writeTextFile(preparingPath(path) + name, "left");
  await readyStoreFile(path, BUSY_MS);
  assertEquals(namesIn(folder.path).filter((name) => name.includes("preparing")), []);
});

inFolder.test("rewriteFile() gives an older file the current layout, with every row, version and expiry", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  await makeEngineFile(path, 2_000);
  const kv = await Deno.openKv(path);
  await kv.set(["expires"], 1, { expireIn: 3_600_000 });
  await kv.enqueue("a message", { delay: 3_600_000 });
  kv.close();
  const rows = rowsOf(path);
  const { before, after, isNew } = await rewriteFile(path, `${path}.part`);
  assertEquals([isNew, after], [true, (await Deno.stat(path)).size]);
  ok(after < before, `${before} bytes before, ${after} after`);
  assertEquals([layoutOf(path), rowsOf(path), integrityOf(path)], [LAYOUT_OF_TODAY, rows, "ok"]);
  using file = new DatabaseSync(path);
  assertEquals(file.prepare("SELECT count(*) AS n FROM queue").get()?.n, 1);
  assertEquals(namesIn(folder.path), ["kurant.db"]);
});

/** Changes that make a file unknown to this program, and the expected message. */
const STRANGERS: readonly (readonly [name: string, sql: string, says: RegExp])[] = [
  ["a newer engine", "UPDATE migration_state SET version = 4", /has version 4 .* 3 is known/],
  ["an older engine", "UPDATE migration_state SET version = 2", /has version 2 .* 3 is known/],
  ["no engine", "DROP TABLE migration_state", /has none of the engine's tables/],
  ["no index", "DROP INDEX kv_expiration_ms_idx", /has no index over expiry times that/],
  [
    "another index",
    "DROP INDEX kv_expiration_ms_idx; CREATE INDEX kv_expiration_ms_idx ON kv (expiration_ms, seq)",
    /has no index over expiry times that/,
  ],
];

for (const [name, sql, says] of STRANGERS) {
  inFolder.test(`start and compact leave a file of ${name} unchanged, with a message`, async (folder) => {
    const path = `${folder.path}/kurant.db`;
    await makeEngineFile(path, 100);
    {
      using file = new DatabaseSync(path);
      file.exec(sql);
    }
    const bytes = await Deno.readFile(path);
    const notes = await readyStoreFile(path, BUSY_MS);
    assertEquals(notes.map(({ level }) => level), ["warning"]);
    match(notes[0]!.text, says);
    match(notes[0]!.text, /left as they are$/);
    await rejects(rewriteFile(path, `${path}.part`), { code: "unavailable", message: says });
    assertEquals(await Deno.readFile(path), bytes);
    assertEquals(namesIn(folder.path), ["kurant.db"]);
  });
}

inFolder.test("a process that waits for a file during its rewrite cannot write to the old one", async (folder) => {
  const path = `${folder.path}/kurant.db`;
  await makeEngineFile(path, 100);
  await Deno.copyFile(path, `${path}.new`);
  using waiting = new DatabaseSync(path, { timeout: 0 });
  {
    using _held = await holdFile(path);
    const isLocked = { message: /locked/ };
    await rejects(async () => await waiting.exec("PRAGMA journal_mode = WAL"), isLocked);
    await replaceFile(`${path}.new`, path, null);
  }
  await rejects(async () => await waiting.exec("PRAGMA journal_mode = WAL"), /readonly/);
  assertEquals(namesIn(folder.path), ["kurant.db"]);
});
