import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { column, refuses, statusOf } from "../../api/answers.ts";
import { createCaller } from "../../caller.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";

const PATH = "/api/views";
const QUERY = "dearerThanPct=3&sort=gapPct&order=desc";

async function namesSeenBy(caller: TestApp["owner"]): Promise<string[]> {
  const { items } = await caller.read(PATH);
  return column(items, "name");
}

withApp.test("a view is private until it is shared; managers change shared ones, and its creator makes it private", async (app) => {
  const made = await app.viewer.create(PATH, { name: " Zu  teuer ", query: `?${QUERY}` });
  const { id, createdBy, createdAt, updatedAt, ...rest } = made;
  assertEquals(rest, { name: "Zu  teuer", query: QUERY, columns: [], isShared: false });
  assertEquals([createdAt === updatedAt, typeof id, typeof createdBy], [true, "string", "string"]);
  const body = { name: "Rang", columns: ["rank"], isShared: true };
  const shared = await app.manager.create(PATH, body);
  assertEquals(await namesSeenBy(app.viewer), ["Zu  teuer", "Rang"]);
  assertEquals(await namesSeenBy(app.owner), ["Rang"]);
  const own = `${PATH}/${id}`;
  await refuses(app.owner.get(own), "not_found");
  await refuses(app.owner.patch(own, { name: "Mine" }), "not_found");
  await refuses(app.owner.delete(own), "not_found");

  // Viewers cannot change shared views, and only the creator can make a shared view private.
  await refuses(app.viewer.post(PATH, { name: "All", isShared: true }), "forbidden");
  await refuses(app.viewer.patch(own, { isShared: true }), "forbidden");
  const path = `${PATH}/${shared.id}`;
  await refuses(app.viewer.patch(path, { name: "Mine" }), "forbidden");
  await refuses(app.viewer.delete(path), "forbidden");
  await refuses(app.owner.patch(path, { isShared: false }), "forbidden");
  const changed = await app.owner.change(path, { name: "Every" });
  assertEquals([changed.name, changed.createdBy], ["Every", shared.createdBy]);
  await app.manager.change(path, { isShared: false });
  assertEquals(await namesSeenBy(app.owner), []);
});

withApp.test("a view with an invalid name, query or column is refused", async (app) => {
  const bodies = [
    { query: "" },
    { name: " " },
    { name: "A", query: "sort=sku&cursor=abc" },
    { name: "A", query: "limit=5" },
    { name: "A", query: "q=".padEnd(2_001, "x") },
    { name: "A", query: "q=a\nb" },
    { name: "A", columns: ["rank", "rank"] },
    { name: "A", columns: ["<b>"] },
    { name: "A", columns: Array.from({ length: 51 }, (_, at) => `c${at}`) },
  ];
  for (const body of bodies) {
    await refuses(app.owner.post(PATH, body), "validation_failed", JSON.stringify(body));
  }
});

withApp.test("a workspace has at most 100 views, also when many are created at once", async (app) => {
  for (let at = 0; at < 97; at++) await app.owner.create(PATH, { name: `View ${at}` });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => app.owner.post(PATH, { name: `Late ${at}` })),
  );
  const statuses = await Promise.all(answers.map(statusOf));
  assertEquals(statuses.toSorted(), [201, 201, 201, 409, 409, 409, 409, 409]);
  const first = await app.owner.read(`${PATH}?limit=60`);
  const second = await app.owner.read(`${PATH}?limit=60&cursor=${first.nextCursor}`);
  assertEquals([first.count, second.count, second.nextCursor], [60, 40, null]);
});

withApp.test("private views are deleted with their person, shared ones stay", async (app) => {
  const Cookie = await app.newSession("manager");
  const anna = createCaller(app.base, { Cookie });
  await anna.create(PATH, { name: "Shared", isShared: true });
  await anna.create(PATH, { name: "Own", isShared: false });
  await app.owner.remove(`/api/users/${(await anna.read("/api/auth/me")).id}`);
  assertEquals(await namesSeenBy(app.owner), ["Shared"]);
  const rows = await Array.fromAsync(app.store.kv.list<{ name: string }>({ prefix: ["vw"] }));
  assertEquals(rows.map(({ value }) => value.name), ["Shared"]);
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
});
