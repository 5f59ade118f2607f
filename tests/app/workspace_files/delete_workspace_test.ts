import { listWorkspaces } from "../../../src/accounts/workspace.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import {
  deleteWorkspace,
  findWorkspaceToDelete,
} from "../../../src/app/workspace_files/delete_workspace.ts";
import { idBytes } from "../../../src/base/id.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { openStoreFile } from "../../../src/platform/store/open_store.ts";
import { domainLoads, keepSchedule, schedules } from "../../../src/scraping/schedule/schedule.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { closing } from "../../closing_store.ts";
import { openMemoryStore, withStore } from "../../memory_store.ts";
import { extent } from "../../proof.ts";
import { onEveryStore } from "../../stores.ts";
import { inFolder } from "../../temporary_folder.ts";
import { fillWorkspace } from "./full_workspace.ts";
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { watchedStore } from "../../watched_store.ts";

const BUSY_MS = 60_000;
const ITEM = "<ITEM><SKU>D-1</SKU><TITLE>Dry</TITLE></ITEM>";
/**
 * Fills a workspace, also with data that a workspace file omits: keys, webhooks, uploads, jobs,
 * invitations and due work.
 */
async function fillAll(app: TestApp): Promise<void> {
  await fillWorkspace(app);
  const { owner } = app;
  await app.newKey(["products:write"]);
  await owner.create("/api/users", { email: `${app.workspaceId}@x.example`, role: "viewer" });
  await owner.create("/api/webhooks", { url: "https://hook.example/x", events: ["price.changed"] });
  const headers = { "Content-Type": "application/xml", "Idempotency-Key": app.workspaceId };
  await owner.act("/api/imports?dryRun=true", `<ITEMS>${ITEM}</ITEMS>`, headers);
  await keepSchedule({ ...app.app.clock, store: app.store, delayMs: 2_000 });
}

/** Tests share the rows of two full workspaces, because creating them takes long. */
let made: ReturnType<typeof makeTwo> | null = null;

async function makeTwo() {
  const store = await openMemoryStore();
  const ids: string[] = [];
  for (let turn = 0; turn < 2; turn++) {
    await using app = await startTestApp({ store });
    await fillAll(app);
    ids.push(app.workspaceId);
  }
  const rows = await Array.fromAsync(store.kv.list({ prefix: [] }));
  store.kv.close();
  const [kept = "", leaving = ""] = ids;
  return { kept, leaving, rows };
}

/** Even the ten largest rows fit into one commit. */
const ROWS_PER_COMMIT = 10;

async function fillTwo(store: Store) {
  const { kept, leaving, rows } = await (made ??= makeTwo());
  for (let from = 0; from < rows.length; from += ROWS_PER_COMMIT) {
    const write = store.kv.atomic();
    for (const { key, value } of rows.slice(from, from + ROWS_PER_COMMIT)) write.set(key, value);
    await write.commit();
  }
  return { kept, leaving, before: await dump(store) };
}

/**
 * These tables may change during the test: `wsg` changes with every workspace, `rls` has rate
 * limits that expire, and `dl` has totals over all workspaces.
 */
const PASSING = ["wsg", "rls", "dl"];

type Row = Awaited<ReturnType<typeof dump>>[number];

async function dump({ kv }: Store) {
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  return rows.map(({ key, value, versionstamp }) => ({
    table: String(key[0]),
    text: textOf([key, value, versionstamp]),
    key,
    value,
  })).filter(({ table }) => !PASSING.includes(table));
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part) => {
    if (part instanceof Uint8Array) return part.toHex();
    return part instanceof Deno.KvU64 || typeof part === "bigint" ? String(part) : part;
  });
}

/** Returns the ids of the workspace, its people and its uploads, and the hashes of its keys. */
function namesOf(rows: readonly Row[], workspaceId: string): string[] {
  const bytes = idBytes(workspaceId).toHex();
  const own = rows.filter(({ key }) => key[1] instanceof Uint8Array && key[1].toHex() === bytes);
  return [workspaceId].concat(own.flatMap(({ table, key, value }) => {
    const name = table === "kw" ? value : ["uw", "bh"].includes(table) ? key[2] : null;
    return name instanceof Uint8Array ? [name.toHex()] : [];
  }));
}

function rowsOf(rows: readonly Row[], workspaceId: string): string[] {
  const names = namesOf(rows, workspaceId);
  return rows
    .filter(({ text }) => names.some((name) => text.includes(name)))
    .map(({ text }) => text);
}

async function assertGone(
  store: Store,
  { before, leaving, kept }: Awaited<ReturnType<typeof fillTwo>>,
): Promise<void> {
  const after = await dump(store);
  const left = new Set(after.map(({ text }) => text));
  const gone = before.filter(({ text }) => !left.has(text)).map(({ text }) => text);
  assertEquals(gone, rowsOf(before, leaving));
  assertEquals(rowsOf(after, kept), rowsOf(before, kept));
  assertEquals(after.length, before.length - gone.length);
  assertEquals((await listWorkspaces(store)).map(({ id }) => id), [kept]);
  const due = await schedules.list({ store, workspaceId: kept });
  for await (const { row: { domain, load } } of domainLoads.walk({ store })) {
    assertEquals(load, due.reduce((sum, { row }) => sum + (row.load.domains[domain] ?? 0), 0));
  }
}

onEveryStore.test("deleteWorkspace() removes all rows of its workspace and no others", async (store) => {
  const filled = await fillTwo(store);
  const { before, leaving } = filled;
  const tables = new Set(before.map(({ table }) => table));
  const needed = ["b", "k", "il", "due", "jk", "bx", "prx", "idm", "wh", "ob", "ph"];
  assertEquals(needed.filter((table) => !tables.has(table)), []);
  ok(await deleteWorkspace({ store, workspaceId: leaving }) > 300);
  await assertGone(store, filled);
  assertEquals(await Array.fromAsync(findDisagreements(store)), []);
});

inFolder.test("deleteWorkspace() continues after a kill behind any commit", async (folder) => {
  const file = `${folder.path}/full.db`;
  const full = await openStoreFile(file, BUSY_MS);
  const filled = await fillTwo(full);
  const { leaving } = filled;
  full.kv.close();
  // Short test runs kill the deletion only after the first commits and after every tenth one.
  const step = extent(1, 10);
  for (let commits = 0, isDone = false; !isDone; commits += commits < 3 ? 1 : step) {
    const copy = `${folder.path}/${commits}.db`;
    await Deno.copyFile(file, copy);
    using store = closing(await openStoreFile(copy, BUSY_MS));
    try {
      await deleteWorkspace({ store: breakAfter(store, commits), workspaceId: leaving });
      isDone = true;
    } catch (error) {
      assertEquals(error instanceof Error && error.message, "killed");
      const { name } = await findWorkspaceToDelete(store, leaving);
      assertEquals(name.endsWith(" (being deleted)"), commits > 0);
      await deleteWorkspace({ store, workspaceId: leaving });
    }
    await assertGone(store, filled);
  }
});

/** Makes every commit after the first `commits` fail, as if the process had been killed. */
function breakAfter(store: Store, commits: number): Store {
  let done = 0;
  const committing = () => {
    if (done++ >= commits) throw new Error("killed");
  };
  return watchedStore(store, { committing });
}

withStore.test("findWorkspaceToDelete() finds by name and id, and refuses an ambiguous name", async (store) => {
  await using app = await startTestApp({ store });
  const { workspaceId } = app;
  assertEquals((await findWorkspaceToDelete(store, "Test")).id, workspaceId);
  await rejects(findWorkspaceToDelete(store, "Tes"), /There is no workspace "Tes"/);
  await using _other = await startTestApp({ store });
  await rejects(findWorkspaceToDelete(store, "Test"), /2 workspaces are called "Test"/);
  assertEquals((await findWorkspaceToDelete(store, workspaceId)).id, workspaceId);
});
