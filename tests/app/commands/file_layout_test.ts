import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { openStoreFile, storeFile } from "../../../src/platform/store/open_store.ts";
import { flushFile } from "../../../src/platform/store/store_file.ts";
import {
  ENGINE_LAYOUT,
  integrityOf,
  LAYOUT_OF_TODAY,
  layoutOf,
  makeEngineFile,
  rowsOf,
} from "../../platform/engine_file.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startServer } from "../../program.ts";
import { closing } from "../../closing_store.ts";
import { freePort, inFolderWithDenokv, startDenokvOn } from "../../stores.ts";
import { inFolder } from "../../temporary_folder.ts";

const PASSWORD = "vier lange deutsche Wörter";
const OWNER = ["user", "add", "--email", "eva@example.com", "--role", "owner"];

/** The file has the layout that Deno KV itself gives a new file. */
async function olderStore(dataDir: string): Promise<string> {
  const { kvPath } = storeFile(dataDir);
  await Deno.mkdir(dataDir, { recursive: true });
  await makeEngineFile(kvPath, 0);
  await succeeds(kurantHere(OWNER, { DATA_DIR: dataDir }, PASSWORD));
  const { code } = await kurantHere(["import", "docs/sample.xml"], { DATA_DIR: dataDir });
  assertEquals([code, layoutOf(kvPath)], [0, ENGINE_LAYOUT]);
  return kvPath;
}

async function logOf(dataDir: string): Promise<string[]> {
  const server = await startServer({ DATA_DIR: dataDir });
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0, err);
  return err.split("\n").filter((line) => /"event":"The store/.test(line));
}

inFolder.test("a server advises compact for an older store once per start, and compact gives it the layout of today", async (folder) => {
  const kvPath = await olderStore(folder.path);
  const [advice, ...more] = await logOf(folder.path);
  match(advice ?? "", /pages of 4096 bytes.*kurant compact/);
  assertEquals(more, []);
  assertEquals(layoutOf(kvPath), ENGINE_LAYOUT);
  const rows = rowsOf(kvPath);
  const settings = { DATA_DIR: folder.path };
  await succeeds(kurantHere(["compact"], settings), /^\d+ bytes before, \d+ bytes now\n$/);
  assertEquals([layoutOf(kvPath), rowsOf(kvPath)], [LAYOUT_OF_TODAY, rows]);
  assertEquals(await logOf(folder.path), []);
  await succeeds(kurantHere(["compact"], settings), /no space to gain/);
  await succeeds(kurantHere(["check-store"], settings));
});

inFolder.test("backup and restore keep the layout; compact is advised for a backup of an older store", async (folder) => {
  const older = `${folder.path}/older`;
  const newer = `${folder.path}/newer`;
  const backup = `${folder.path}/backup.db`;
  const { kvPath } = storeFile(newer);
  const settings = { DATA_DIR: newer };
  await olderStore(older);
  await succeeds(kurantHere(OWNER, settings, PASSWORD));
  await succeeds(kurantHere(["backup", backup], settings));
  assertEquals(layoutOf(backup), LAYOUT_OF_TODAY);
  await succeeds(kurantHere(["restore", backup], settings));
  assertEquals(layoutOf(kvPath), LAYOUT_OF_TODAY);

  await Deno.remove(backup);
  await succeeds(kurantHere(["backup", backup], { DATA_DIR: older }));
  assertEquals(layoutOf(backup), ENGINE_LAYOUT);
  const led = await kurantHere(["restore", backup], settings);
  assertEquals([led.code, layoutOf(kvPath)], [0, ENGINE_LAYOUT]);
  match(led.err, /^The store's file has pages of 4096 bytes.*compact.*\n$/);
  await succeeds(kurantHere(["compact"], settings));
  assertEquals(layoutOf(kvPath), LAYOUT_OF_TODAY);
  await succeeds(kurantHere(["check-store"], settings));
  const doctor = kurantHere(["doctor"], settings);
  await succeeds(doctor, /^The store has layout \d+; 0 problems\n$/m);
});

inFolder.test("a server works on a file of a newer engine without changing its layout, and says so; compact refuses", async (folder) => {
  const kvPath = await olderStore(folder.path);
  {
    using file = new DatabaseSync(kvPath);
    file.exec("UPDATE migration_state SET version = 4");
  }
  await flushFile(kvPath);
  const [line, ...more] = await logOf(folder.path);
  match(line ?? "", /"level":"warning".*has version 4 .* left as they are/);
  assertEquals(more, []);
  assertEquals(layoutOf(kvPath), { ...ENGINE_LAYOUT, engineVersion: 4 });
  const told = await kurantHere(["doctor"], { DATA_DIR: folder.path });
  assertEquals(told.code, 1);
  match(
    told.out,
    /^problem file: .*has version 4 .*\nproblem file: Lists are read with Deno KV, which is slower: .*not those that are known\n/m,
  );
  match(told.out, /layout \d+; 2 problems\n$/);
  const compact = kurantHere(["compact"], { DATA_DIR: folder.path });
  await fails(compact, 1, /^error: ".*" cannot be rewritten\. The store's file has version 4/);
});

inFolder.test("store prepare creates a file, converts an older one, and refuses an open one", async (folder) => {
  const path = `${folder.path}/kv.sqlite`;
  await succeeds(kurantHere(["store", "prepare", path], {}), /: a new store of \d+ bytes/);
  assertEquals(layoutOf(path), LAYOUT_OF_TODAY);
  await succeeds(kurantHere(["store", "prepare", path], {}), /: as it was\n$/);
  const older = `${folder.path}/older.sqlite`;
  await makeEngineFile(older, 1_000);
  const rows = rowsOf(older);
  {
    using _open = closing(await openStoreFile(older, 1_000));
    await fails(kurant(["store", "prepare", older], {}), 1, /^error: .*older\.sqlite" open: /);
  }
  await succeeds(kurantHere(["store", "prepare", older], {}), /: \d+ bytes before, \d+ /);
  assertEquals([layoutOf(older), integrityOf(older)], [LAYOUT_OF_TODAY, "ok"]);
  const kept: { rest: string } = JSON.parse(rows);
  ok(JSON.parse(rowsOf(older)).rest.includes(kept.rest.split(",")[0]));
});

inFolderWithDenokv.test("store prepare and a KV Connect server: a prepared file is used, an older one converted, an open one refused", async (folder) => {
  for (const isPrepared of [true, false]) {
    const path = `${folder.path}/${isPrepared}.sqlite`;
    if (isPrepared) await succeeds(kurantHere(["store", "prepare", path], {}));
    await useByDenokv(path, "first");
    assertEquals(layoutOf(path), isPrepared ? LAYOUT_OF_TODAY : ENGINE_LAYOUT);
    await succeeds(kurantHere(["store", "prepare", path], {}));
    assertEquals([layoutOf(path), integrityOf(path)], [LAYOUT_OF_TODAY, "ok"]);
    assertEquals(await useByDenokv(path, "second"), ["first", "second"]);
    assertEquals([layoutOf(path), integrityOf(path)], [LAYOUT_OF_TODAY, "ok"]);
  }
});

async function useByDenokv(path: string, name: string): Promise<unknown[]> {
  await using server = await startDenokvOn(path, freePort());
  using kv = await Deno.openKv(server.url);
  await kv.set(["row", name], new Uint8Array(3_000), { expireIn: 3_600_000 });
  await fails(kurantHere(["store", "prepare", path], {}), 1, /^error: .*\.sqlite" open: /);
  const rows = await Array.fromAsync(kv.list({ prefix: ["row"] }));
  return rows.map(({ key }) => key[1]);
}
