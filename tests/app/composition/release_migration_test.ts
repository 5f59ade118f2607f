/**
 * Stores of earlier versions are migrated without loss.
 *
 * `layout_9.db.gz` is a store from before version 1.0.0, with some rows in even older formats;
 * `layout_1.db.gz` is a store of version 1.0.0. The `.json.gz` files contain the API responses of
 * these versions.
 */

import { SESSION_COOKIE } from "../../../src/accounts/sessions/session.ts";
import { beginSession } from "../../../src/accounts/sessions/sign_in.ts";
import type { StoredUser } from "../../../src/accounts/users/user.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { type Store, transact, type Write } from "../../../src/platform/store/kv.ts";
import { findLayout, LAYOUT, storeFile } from "../../../src/platform/store/open_store.ts";
import { createCaller } from "../../caller.ts";
import { openStoreIn } from "../../closing_store.ts";
import { serveApp } from "../../harness.ts";
import { killOnTheWay, timesKilled } from "../../killed_process.ts";
import { kurantHere, succeeds } from "../../kurant_here.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { inspect } from "node:util";
import { gunzipSync } from "node:zlib";

const FIXTURES = new URL("fixtures/", import.meta.url);
const KILLS = extent(14, 2);
const decoder = new TextDecoder();
const earlier = await fixtureOf("layout_9.json.gz");
const released = await fixtureOf("layout_1.json.gz");

async function fixtureOf(name: string): Promise<{ now: string; answers: Record<string, unknown> }> {
  return JSON.parse(decoder.decode(await unpacked(name)));
}

async function unpacked(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(gunzipSync(await Deno.readFile(new URL(name, FIXTURES))));
}

/** Removes the fields that newer versions have added. */
function within(answer: unknown, expected: unknown): unknown {
  if (Array.isArray(answer) && Array.isArray(expected)) {
    return answer.map((one, at) => within(one, expected[at]));
  }
  if (answer === null || expected === null) return answer;
  if (typeof answer !== "object" || typeof expected !== "object") return answer;
  const known = Object.entries(answer).filter(([name]) => name in expected);
  return Object.fromEntries(
    known.map(([name, value]) => [name, within(value, Reflect.get(expected, name))]),
  );
}

/** Sets fields that may differ between versions to null, e.g. `nextCursor`. */
function comparable(answer: unknown): unknown {
  const passing = ["said", "facts", "asOf", "lastUsedAt", "sentence", "nextCursor"];
  return JSON.parse(JSON.stringify(answer, (name, value) => passing.includes(name) ? null : value));
}

/** Requires the current layout, consistent rows, and responses that contain all recorded values. */
async function requireAllThere(store: Store, { now, answers }: typeof earlier): Promise<void> {
  assertEquals((await findLayout(store)).layout, LAYOUT);
  assertEquals(await formerRows(store), []);
  assertEquals(await Array.fromAsync(findDisagreements(store)), []);
  await using served = await serveApp({ store, now: () => new Date(now) });
  const owner = createCaller(served.base, { Cookie: await ownerCookie(store, now) });
  for (const [path, expected] of Object.entries(answers)) {
    const answer = await (await owner.get(path)).json();
    assertEquals(comparable(within(answer, expected)), comparable(expected), path);
  }
}

/** Returns the tables that still contain rows in a format of versions before 1.0.0. */
async function formerRows({ kv }: Store): Promise<string[]> {
  const found: string[] = [];
  for await (const { key: [table], value } of kv.list({ prefix: [] })) {
    const isBytes = value instanceof Uint8Array;
    if ((table === "mi" || table === "mc") && !isBytes) found.push(table);
    if (table === "prt" && isBytes && !decoder.decode(value).includes('"said"')) found.push(table);
    if (table === "prs" && isBytes && value.length > 0) found.push(table);
  }
  return found;
}

async function ownerCookie(store: Store, now: string): Promise<string> {
  const rows = await Array.fromAsync(store.kv.list<StoredUser>({ prefix: ["u"] }));
  const owner = rows.find(({ value }) => value.role === "owner")?.value;
  if (!owner) throw new Error("The store has no owner");
  const begin = (write: Write) => Promise.resolve(beginSession(write, owner, new Date(now)));
  const token = await transact({ store }, begin);
  return `${SESSION_COOKIE}=${token}`;
}

inFolder.test(`a store from before version 1.0.0 is migrated without loss, although the migration is killed ${timesKilled(KILLS)}`, async (folder) => {
  const { kvPath } = storeFile(folder.path);
  await Deno.writeFile(kvPath, await unpacked("layout_9.db.gz"));
  await killOnTheWay({
    path: "tests/app/composition/release_migration_child.ts",
    args: [kvPath],
    kills: KILLS,
    // The first commit of each process only claims the migration; the second continues it.
    commitsMax: 2,
  });
  using store = await openStoreIn(folder.path);
  await requireAllThere(store, earlier);
});

async function rowsOf(path: string): Promise<Map<string, unknown>> {
  using kv = await Deno.openKv(path);
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  return new Map(rows.map(({ key, value }) => [inspect(key), value]));
}

inFolder.test("a store of version 1.0.0 is upgraded, restored, and upgraded again", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  const { kvPath } = storeFile(folder.path);
  await Deno.writeFile(kvPath, await unpacked("layout_1.db.gz"));
  const before = await rowsOf(kvPath);
  const upgrade = async () => {
    const { code, err } = await kurantHere(["check-store"], settings);
    assertEquals(code, 0, err);
    ok(err.includes(`The store gets layout ${LAYOUT}: `));
    using store = await openStoreIn(folder.path);
    await requireAllThere(store, released);
  };
  await upgrade();
  const copy = `${kvPath}.before-layout-${LAYOUT}`;
  await succeeds(kurantHere(["restore", copy], settings));
  assertEquals(await rowsOf(kvPath), before);
  await Deno.remove(copy);
  await upgrade();
});
