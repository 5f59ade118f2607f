import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { storeFile } from "../../../src/platform/store/open_store.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startLiveServer } from "../../program.ts";
import { inFolder, namesIn } from "../../temporary_folder.ts";

inFolder.test("drill restores the newest backup while a server runs, and leaves only its result", async (folder) => {
  const settings = { DATA_DIR: `${folder.path}/data`, BACKUP_DIR: `${folder.path}/backups` };
  await Deno.mkdir(settings.BACKUP_DIR);
  await using server = await startLiveServer(settings.DATA_DIR);
  const none = kurantHere(["drill"], settings);
  await fails(none, 1, /^error: There is no backup \(\*\.db\) in ".*backups"$/m);
  await server.owner.create("/api/products", { sku: "A-1", title: "Kühlschrank" });
  const path = `${settings.BACKUP_DIR}/a.db`;
  await succeeds(kurantHere(["backup", path], settings));
  const before = namesIn(settings.DATA_DIR);
  await succeeds(
    kurant(["drill"], settings),
    /^\d+ rows, the running store has \d+\n.*\/a\.db: restored and good, [\d.]+ s\n$/,
  );
  assertEquals(namesIn(settings.DATA_DIR), before);

  const whole = await Deno.readFile(path);
  const cut = whole.subarray(0, whole.length - 20_000);
  const damaged = flipped(whole);
  const cases: [what: string, damage: () => unknown, finding: RegExp][] = [
    ["it was cut", () => Deno.writeFile(path, cut), /has \d+ bytes instead of/],
    ["a page is damaged", () => Deno.writeFile(path, damaged), /is damaged|A check ended early/],
    ["a row is missing", () => removeRow(path), /disagreements, the first: Workspace: /],
  ];
  for (const [what, damage, finding] of cases) {
    await Deno.writeFile(path, whole);
    await damage();
    const bad = await kurantHere(["drill"], settings);
    assertEquals(bad.code, 1, what);
    match(bad.err, finding);
    const { points } = JSON.parse((await kurantHere(["doctor", "--json"], settings)).out);
    const drill = points.find(({ name }: { name: string }) => name === "drill");
    assertEquals(drill.level, "problem", what);
    assertEquals(namesIn(settings.DATA_DIR), before, what);
  }
});

/** A copy of the file, in which 64 bytes at the start of the last page are overwritten. */
function flipped(whole: Uint8Array): Uint8Array {
  const page = 16_384;
  const bytes = whole.slice();
  const at = page * (Math.floor(bytes.length / page) - 1);
  return bytes.fill(0xa5, at, at + 64);
}

function removeRow(path: string): void {
  using file = new DatabaseSync(path);
  // Encoded keys begin with their first part: type 2 (text), "p", 0.
  const { changes } = file.prepare("DELETE FROM kv WHERE substr(k, 1, 3) = x'027000'").run();
  file.exec("PRAGMA journal_mode = DELETE");
  assertEquals(changes, 1);
}

inFolder.test("drill detects a backup of another store", async (folder) => {
  const [one, other] = ["one", "other"].map((name) => ({ DATA_DIR: `${folder.path}/${name}` }));
  for (const settings of [one!, other!]) {
    await succeeds(kurantHere(["key", "add", "--name", "k"], settings));
  }
  const add = ["key", "add", "--name", "more", "--workspace"];
  for (let n = 0; n < 8; n++) await kurantHere([...add, `W${n}`], one!);
  await Deno.mkdir(`${folder.path}/b`);
  await succeeds(kurantHere(["backup", `${folder.path}/b/b.db`], other!));
  const { code, err } = await kurantHere(["drill", `${folder.path}/b`], one!);
  assertEquals(code, 1);
  match(err, /^error: It has \d+ rows, the running store \d+$/m);
  ok((await Deno.stat(storeFile(one!.DATA_DIR).kvPath)).isFile);
});
