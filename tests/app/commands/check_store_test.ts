import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { openStoreIn } from "../../closing_store.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startLiveServer } from "../../program.ts";
import { inFolder, temporaryFolder } from "../../temporary_folder.ts";
import { DatabaseSync } from "node:sqlite";
import { addAuditRow, auditRows } from "../../../src/accounts/audit/audit_store.ts";
import { auditSeals } from "../../../src/accounts/audit/audit_seal_store.ts";
import { sealAuditRows } from "../../../src/accounts/audit/seal_audit.ts";
import { provideWorkspace } from "../../../src/accounts/set_up.ts";
import { createClock } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { openStore, storeFile } from "../../../src/platform/store/open_store.ts";
import { extent, IS_LONG } from "../../proof.ts";
import { refuses } from "../../api/answers.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { startTestApp } from "../../harness.ts";
import { freePort } from "../../stores.ts";

inFolder.test("check-store finds no fault in a server's store, and finds removed rows", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  {
    await using server = await startLiveServer(folder.path);
    await server.owner.create("/api/products", { sku: "4711-A", title: "Kühlschrank" });
  }
  const clean = await succeeds(kurantHere(["check-store"], settings));
  assertEquals(clean, "1 workspaces checked, 0 disagreements\n");
  {
    using store = await openStoreIn(folder.path);
    for (const table of ["ps", "jk"]) {
      const rows = await Array.fromAsync(store.kv.list({ prefix: [table] }));
      for (const { key } of rows) await store.kv.delete(key);
    }
  }
  const broken = await kurantHere(["check-store"], settings);
  assertEquals(broken.code, 1);
  match(broken.out, /^Workspace: Product [0-9a-f]{24} has no index row of its SKU "4711-A"$/m);
  match(broken.out, /^Workspace: "j" lacks [0-9]+ index rows "jk"$/m);
  match(broken.out, /^The whole store: "j" lacks [0-9]+ index rows "jk"$/m);
  match(broken.err, /^error: 1 workspaces checked, [1-9]\d* disagreements$/m);
});

const ROWS = extent(10_000, 1_000);
/**
 * Seals are hashes over audit rows, numbered in order. `NEWEST` is the newest seal, and `SEAL` is
 * the seal of the changed row. `LAST_ROWS` is the index of the newest seal's first row.
 */
const [NEWEST, SEAL, LAST_ROWS] = IS_LONG ? [22, 15, 9_901] : [4, 3, 901];
const ROWS_PER_COMMIT = 100;

type Change = (file: DatabaseSync, path: string) => void | Promise<void>;

async function sealedStore() {
  const folder = await temporaryFolder();
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 5_000);
  let nowMs = Date.parse("2026-03-02T09:00:00.000Z");
  const clock = await createClock(store, () => new Date(nowMs));
  const ctx = await provideWorkspace({ store, clock }, undefined);
  for (let n = 0; n < ROWS - 1; n += ROWS_PER_COMMIT) {
    nowMs += 1_000;
    await transact(ctx, (write) => {
      for (let at = n; at < Math.min(n + ROWS_PER_COMMIT, ROWS - 1); at++) {
        addAuditRow(write, ctx, {
          action: "product.update",
          resource: { type: "product", id: `p${at}`, label: "Straße 12 €" },
          before: { ourPrice: at },
          after: { ourPrice: at + 1 },
        });
      }
    });
  }
  assertEquals(await sealAuditRows({ store, clock }), ROWS);
  const [head] = await auditSeals.list(ctx, { order: "desc", limit: 1 });
  const rows = await auditRows.list(ctx);
  store.kv.close();
  const { kvPath } = storeFile(folder.path);
  return {
    settings: { DATA_DIR: folder.path },
    ids: rows.map(({ row }) => row.id),
    head: head?.row.hash ?? "",
    async changed(change: Change, then: () => Promise<void>) {
      await Deno.copyFile(kvPath, `${kvPath}.kept`);
      {
        using file = new DatabaseSync(kvPath);
        await change(file, kvPath);
        file.exec("PRAGMA journal_mode = DELETE");
      }
      await then();
      await Deno.rename(`${kvPath}.kept`, kvPath);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Keys of audit rows begin with the type byte 02 (text), the text `au`, and the byte 00. */
const AUDIT = "x'02617500'";
/** Keys of seals begin with the byte 02, the text `asl`, and the byte 00. */
const SEALS = "FROM kv WHERE substr(k, 1, 5) = x'0261736c00'";

function keysIn(file: DatabaseSync): Uint8Array[] {
  const rows = file.prepare(`SELECT k FROM kv WHERE substr(k, 1, 4) = ${AUDIT} ORDER BY k`).all();
  return rows.map(({ k }) => bytesOf(k));
}

function bytesOf(value: unknown): Uint8Array {
  ok(value instanceof Uint8Array);
  return value;
}

const PLACE = extent(6_543, 543);

function flip(file: DatabaseSync, byteOf: (value: Uint8Array) => number): void {
  const key = keysIn(file)[PLACE] ?? new Uint8Array();
  const value = bytesOf(file.prepare("SELECT v FROM kv WHERE k = ?").get(key)?.v);
  const at = byteOf(value);
  value[at] = (value[at] ?? 0) ^ 1;
  file.prepare("UPDATE kv SET v = ? WHERE k = ?").run(value, key);
}

Deno.test("audit verify and check-store name a changed, a missing and an inserted row, and an unknown head", async () => {
  await using sealed = await sealedStore();
  const { settings, ids, head, changed } = sealed;
  const id = ids[PLACE] ?? "";
  assertEquals(
    await succeeds(kurant(["audit", "verify", "--head", head], settings)),
    `Workspace: ${NEWEST} seals of ${ROWS} rows, 0 rows not sealed yet, 0 disagreements, ` +
      `head ${head}\nWorkspace: the chain contains this head as seal ${NEWEST}\n`,
  );
  const unknown = await kurantHere(["audit", "verify", "--head", "0".repeat(64)], settings);
  assertEquals(unknown.code, 1);
  match(unknown.err, /^error: No seal has this head: /);
  await fails(kurantHere(["audit", "verify", "--head", "abc"], settings), 2);
  await succeeds(kurantHere(["check-store"], settings));

  const cases: [what: string, change: Change, finding: string][] = [
    [
      "a byte of a text",
      (file) => flip(file, (value) => value.length - 20),
      `${id} of 2026-\\S+ was changed after seal ${SEAL}$`,
    ],
    [
      "the first byte",
      (file) => flip(file, () => 0),
      `${id} of .* was changed after seal ${SEAL}: it cannot be read$`,
    ],
    [
      "a row is deleted",
      (file) => void file.prepare("DELETE FROM kv WHERE k = ?").run(keysIn(file)[PLACE] ?? null),
      `${id} of 2026-\\S+ is missing: seal ${SEAL} contains it$`,
    ],
    [
      "a row is inserted",
      insert,
      "f{24} of 2026-03-02T09:0[01]:[01]6\\.000Z \\(product\\.update, Command line\\) is in no seal: ",
    ],
    [
      "the newest seals are removed",
      (file) => file.exec(`DELETE ${SEALS} AND version = (SELECT max(version) ${SEALS})`),
      `${ids[LAST_ROWS]} of .* is in no seal: `,
    ],
  ];
  for (const [what, change, finding] of cases) {
    await changed(change, async () => {
      for (const command of [["audit", "verify"], ["check-store"]]) {
        const { code, out } = await kurantHere(command, settings);
        assertEquals(code, 1, what);
        match(out.split("\n")[0] ?? "", new RegExp(`^Workspace: Audit row ${finding}`));
      }
    });
  }
});

/** Copies an audit row to the highest possible id. */
async function insert(_: DatabaseSync, path: string): Promise<void> {
  using kv = await Deno.openKv(path);
  const rows = await Array.fromAsync(kv.list<object>({ prefix: ["au"] }));
  const { key, value } = rows[PLACE]!;
  const id = new Uint8Array(12).fill(0xff);
  await kv.set([...key.slice(0, -1), id], { ...value, id: id.toHex() });
}

interface Point {
  readonly name: string;
  readonly level: string;
  readonly text: string;
}

inFolder.test("doctor reports the installation in one line per point, and ends with 0", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await succeeds(kurantHere(["key", "add", "--name", "k"], settings));
  await succeeds(kurantHere(["backup", `${folder.path}/b.db`], settings));
  await succeeds(
    kurant(["doctor"], settings),
    /^ok {6}version: Kurant \S+ with Deno \S+, layout \d+$/m,
    /^ok {6}file: has the layout of this version$/m,
    /^ok {6}backup: the last checked backup is from 2\S+Z: .*\/b\.db$/m,
    /^note {4}drill: no backup has been restored as a test; kurant drill/m,
    /^note {4}mail: SMTP_URL is not set/m,
    /\nThe store has layout \d+; 0 problems\n$/,
  );
});

inFolder.test("doctor --json names an old backup, a clock set back and an unreachable mail server", async (folder) => {
  const settings = {
    DATA_DIR: folder.path,
    SMTP_URL: `smtp://127.0.0.1:${freePort()}`,
    MAIL_FROM: "prices@shop.example",
  };
  await addRowOfTomorrow(folder.path);
  const at = new Date(Date.now() - 3 * DAY_MS).toISOString();
  const mark = JSON.stringify({ at, path: "b.db", bytes: 1 });
  await Deno.writeTextFile(`${folder.path}/kurant.backup.json`, mark);
  const { code, out } = await kurantHere(["doctor", "--json"], settings);
  assertEquals(code, 1);
  const { points, problems }: { points: Point[]; problems: number } = JSON.parse(out);
  const bad = points.filter(({ level }) => level === "problem").map(({ name }) => name);
  assertEquals([bad, problems], [["backup", "clock", "mail"], 3]);
  match(points.find(({ name }) => name === "clock")?.text ?? "", /^rows are 8\d{4} s newer/);
});

async function addRowOfTomorrow(dataDir: string): Promise<void> {
  using store = await openStoreIn(dataDir);
  const clock = await createClock(store, () => new Date(Date.now() + DAY_MS));
  const ctx = await provideWorkspace({ store, clock }, undefined);
  const resource = { type: "workspace", id: ctx.workspaceId, label: "" } as const;
  const row = { action: "workspace.update", resource, before: null, after: null } as const;
  await transact(ctx, (write) => addAuditRow(write, ctx, row));
}

Deno.test("GET /readyz?verbose says the same, but only with METRICS_TOKEN", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "figures" } });
  const wrong = { Authorization: "Bearer x" };
  await refuses(app.anyone.get("/readyz?verbose"), "missing_credentials");
  await refuses(app.anyone.get("/readyz?verbose", wrong), "not_authenticated");
  assertEquals(await app.anyone.read("/readyz?verbose=false"), { ok: true });
  const authorization = { Authorization: "Bearer figures" };
  const { ok, points } = await app.anyone.read("/readyz?verbose", authorization);
  assertEquals(ok, true);
  const names = points.map(({ name }: Point) => name);
  assertEquals(names.includes("queues") && names.includes("jobs"), true);
  await using silent = await startTestApp();
  await refuses(silent.anyone.get("/readyz?verbose", authorization), "not_found");
});
