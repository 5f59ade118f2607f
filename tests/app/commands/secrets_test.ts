import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { statusOf } from "../../api/answers.ts";
import { webhooks } from "../../../src/messages/webhook.ts";
import {
  LAYOUT,
  openStore,
  openStoreFile,
  storeFile,
} from "../../../src/platform/store/open_store.ts";
import { newSecretKey, parseSecretKeys } from "../../../src/platform/store/secret_store.ts";
import { closing, openStoreIn } from "../../closing_store.ts";
import { startTestApp } from "../../harness.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startLiveServer } from "../../program.ts";
import { inFolder, namesIn } from "../../temporary_folder.ts";
import { DatabaseSync } from "node:sqlite";

const URL_OF_HOOK = "https://erp.example/hook";

async function fillStore(dataDir: string): Promise<string> {
  using store = await openStoreIn(dataDir);
  await using app = await startTestApp({ store });
  const { owner } = app;
  const webhook = { url: URL_OF_HOOK, events: ["price.changed"] };
  const { secret } = await owner.create("/api/webhooks", webhook);
  const auth = { kind: "basic", user: "erp", password: "pass-of-the-source" };
  const source = { name: "ERP", kind: "pull", pull: { url: "https://erp.example/p.csv", auth } };
  await owner.create("/api/import-sources", source);
  return secret;
}

async function contains(dataDir: string, text: string): Promise<boolean> {
  const { kvPath } = storeFile(dataDir);
  const files = [kvPath, `${kvPath}-wal`].map(async (path) => {
    const bytes = await Deno.readFile(path).catch(() => new Uint8Array());
    return new TextDecoder("latin1").decode(bytes).includes(text);
  });
  return (await Promise.all(files)).some(Boolean);
}

inFolder.test("credentials are encrypted by a key next to the store, which a backup lacks", async (folder) => {
  const DATA_DIR = `${folder.path}/data`;
  const secret = await fillStore(DATA_DIR);
  const keyPath = `${DATA_DIR}/kurant.key`;
  assertEquals(((await Deno.stat(keyPath)).mode ?? 0) & 0o777, 0o600);
  for (const text of [secret, secret.slice("whsec_".length), "pass-of-the-source"]) {
    assertEquals(await contains(DATA_DIR, text), false);
  }
  await succeeds(kurantHere(["check-store"], { DATA_DIR }));

  const copy = `${folder.path}/copy.db`;
  await succeeds(kurantHere(["backup", copy], { DATA_DIR }));
  const elsewhere = { DATA_DIR: `${folder.path}/elsewhere` };
  const restored = await kurantHere(["restore", copy], elsewhere);
  assertEquals(restored.code, 1);
  match(restored.err, /"isr .* pull.auth" does not open: its key is missing/);
  await Deno.copyFile(keyPath, `${elsewhere.DATA_DIR}/kurant.key`);
  await succeeds(kurantHere(["check-store"], elsewhere));
  assertEquals((await secretOf(elsewhere.DATA_DIR)).secret, secret);
});

/** The secret of the only webhook, and the id of the key with which it is encrypted. */
async function secretOf(dataDir: string, key?: string) {
  const secretKeys = key === undefined ? [] : parseSecretKeys(key) ?? [];
  using store = closing(await openStore({ kvUrl: null, dataDir, secretKeys }, 5_000));
  const [found] = await Array.fromAsync(webhooks.walkAll(store));
  if (!found) throw new Error("There is no webhook");
  const { row, workspaceId } = found;
  const secret = await webhooks.open({ store, workspaceId }, row, "secret");
  return { secret, key: Object(row.secret).key };
}

inFolder.test("secret rotate encrypts all by the first key while a server runs, and a second run nothing", async (folder) => {
  const DATA_DIR = folder.path;
  const secret = await fillStore(DATA_DIR);
  const made = await succeeds(kurantHere(["secret", "new"], { DATA_DIR }));
  const key = made.trim();
  assertEquals(key.length, 44);
  const path = `${folder.path}/next.key`;
  await Deno.writeTextFile(path, made);
  const next = { DATA_DIR, SECRET_KEY_FILE: path };
  {
    // Before a rotation, every server must get the new key as its second key (docs/operations.md).
    const own = (await Deno.readTextFile(`${DATA_DIR}/kurant.key`)).trim();
    await using server = await startLiveServer(DATA_DIR, { SECRET_KEY: `${own},${key}` });
    const rotated = kurant(["secret", "rotate"], next);
    await succeeds(rotated, /^Sealed 2 credentials under the key [0-9a-f]{8}\n$/);
    const { items: [hook] } = await server.owner.read("/api/webhooks");
    assertEquals(await statusOf(server.owner.post(`/api/webhooks/${hook.id}/rotate`)), 201);
  }
  // The running server still encrypts with the old key, which is its first one.
  await succeeds(kurantHere(["secret", "rotate"], next), /^Sealed 2 credentials/);
  await succeeds(kurantHere(["secret", "rotate"], next), /^Sealed 0 credentials/);
  await Deno.remove(`${DATA_DIR}/kurant.key`);
  const now = await secretOf(DATA_DIR, key);
  assertEquals([now.secret === secret, now.key], [false, parseSecretKeys(key)?.[0]?.id]);
});

inFolder.test("a server names credentials that it cannot decrypt, and runs; a malformed key stops the start", async (folder) => {
  const DATA_DIR = folder.path;
  await fillStore(DATA_DIR);
  await Deno.remove(`${DATA_DIR}/kurant.key`);
  const server = await startLiveServer(DATA_DIR, { SECRET_KEY: newSecretKey() });
  await server.logged(/wh .* secret\\?" does not open: its key is missing/);
  assertEquals(await statusOf(server.owner.get("/api/webhooks")), 200);
  await server.stop("SIGTERM");
  const refused = kurantHere(["check-store"], { DATA_DIR, SECRET_KEY: "abc" });
  const message = /^error: SECRET_KEY must be 32 bytes in base64 \(`kurant secret new`\)/;
  ok(!(await fails(refused, 2, message)).includes("abc"));
});

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

/** Returns the file with 64 wrong bytes at the start of its last page. */
function flipped(whole: Uint8Array): Uint8Array {
  const page = 16_384;
  const bytes = whole.slice();
  const at = page * (Math.floor(bytes.length / page) - 1);
  return bytes.fill(0xa5, at, at + 64);
}

function removeRow(path: string): void {
  using file = new DatabaseSync(path);
  // Keys of products begin with the type byte 02 (text), the text `p`, and the byte 00.
  const { changes } = file.prepare("DELETE FROM kv WHERE substr(k, 1, 3) = x'027000'").run();
  file.exec("PRAGMA journal_mode = DELETE");
  assertEquals(changes, 1);
}

inFolder.test("drill accepts the backup from before an upgrade, and detects one of another store", async (folder) => {
  const [one, other] = ["one", "other"].map((name) => ({ DATA_DIR: `${folder.path}/${name}` }));
  for (const settings of [one!, other!]) {
    await succeeds(kurantHere(["key", "add", "--name", "k"], settings));
    await Deno.mkdir(`${settings.DATA_DIR}/backups`);
    await succeeds(kurantHere(["backup", `${settings.DATA_DIR}/backups/a.db`], settings));
  }
  {
    using store = closing(await openStoreFile(`${one!.DATA_DIR}/backups/a.db`, 5_000));
    await store.kv.set(["schema"], LAYOUT - 1);
  }
  const drill = (dataDir: string) => kurantHere(["drill", `${dataDir}/backups`], one!);
  await succeeds(drill(one!.DATA_DIR), /a\.db: restored and good/);
  const add = ["key", "add", "--name", "more", "--workspace"];
  for (let n = 0; n < 8; n++) await kurantHere([...add, `W${n}`], one!);
  const { code, err } = await drill(other!.DATA_DIR);
  assertEquals(code, 1);
  match(err, /^error: It has \d+ rows, the running store \d+$/m);
  ok((await Deno.stat(storeFile(one!.DATA_DIR).kvPath)).isFile);
});
