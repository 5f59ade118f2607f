import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";

const PATH = "/api/views";
const QUERY = "dearerThanPct=3&sort=gapPct&order=desc";

async function namesSeenBy(caller: TestApp["owner"]): Promise<string[]> {
  const { items } = await bodyOf(caller.get(PATH), 200);
  return items.map(({ name }: { name: string }) => name);
}

const auditedViews = async ({ owner }: TestApp) => {
  const { items } = await bodyOf(owner.get("/api/audit-logs?resource=view"), 200);
  return items.map(({ action }: { action: string }) => action);
};

withApp.test("a view is private until it is shared, and shared ones belong to everybody", async (app) => {
  const made = await bodyOf(
    app.viewer.post(PATH, { name: " Zu  teuer ", query: `?${QUERY}` }),
    201,
  );
  const { id, createdBy, createdAt, updatedAt, ...rest } = made;
  assertEquals(rest, { name: "Zu  teuer", query: QUERY, columns: [], isShared: false });
  assertEquals([createdAt === updatedAt, typeof id, typeof createdBy], [true, "string", "string"]);
  await bodyOf(app.manager.post(PATH, { name: "Rang", columns: ["rank"], isShared: true }), 201);

  assertEquals(await namesSeenBy(app.viewer), ["Zu  teuer", "Rang"]);
  assertEquals(await namesSeenBy(app.owner), ["Rang"]);
  await bodyOf(app.owner.get(`${PATH}/${id}`), 404);
  await bodyOf(app.owner.patch(`${PATH}/${id}`, { name: "Mine" }), 404);
  await bodyOf(app.owner.delete(`${PATH}/${id}`), 404);
});

withApp.test("only managers create, change and delete shared views, and only the creator makes one private", async (app) => {
  const refused = await bodyOf(app.viewer.post(PATH, { name: "All", isShared: true }), 403);
  assertEquals(refused.error.code, "forbidden");
  const own = await bodyOf(app.viewer.post(PATH, { name: "Own" }), 201);
  await bodyOf(app.viewer.patch(`${PATH}/${own.id}`, { isShared: true }), 403);
  const shared = await bodyOf(app.manager.post(PATH, { name: "All", isShared: true }), 201);
  await bodyOf(app.viewer.patch(`${PATH}/${shared.id}`, { name: "Mine" }), 403);
  await bodyOf(app.viewer.delete(`${PATH}/${shared.id}`), 403);
  await bodyOf(app.owner.patch(`${PATH}/${shared.id}`, { isShared: false }), 403);
  const changed = await bodyOf(app.owner.patch(`${PATH}/${shared.id}`, { name: "Every" }), 200);
  assertEquals([changed.name, changed.createdBy], ["Every", shared.createdBy]);
  await bodyOf(app.manager.patch(`${PATH}/${shared.id}`, { isShared: false }), 200);
  assertEquals(await namesSeenBy(app.owner), []);
  await bodyOf(app.manager.delete(`${PATH}/${shared.id}`), 200);
  assertEquals((await auditedViews(app)).toSorted(), [
    "view.create",
    "view.create",
    "view.delete",
    "view.update",
    "view.update",
  ]);
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
    const { error } = await bodyOf(app.owner.post(PATH, body), 400);
    assertEquals(error.code, "validation_failed", JSON.stringify(body));
  }
});

withApp.test("a workspace has at most 100 views, also when many are created at once", async (app) => {
  for (let at = 0; at < 97; at++) {
    await bodyOf(app.owner.post(PATH, { name: `View ${at}` }), 201);
  }
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => app.owner.post(PATH, { name: `Late ${at}` })),
  );
  const statuses = await Promise.all(answers.map(async (answer) => {
    await answer.body?.cancel();
    return answer.status;
  }));
  assertEquals(statuses.toSorted(), [201, 201, 201, 409, 409, 409, 409, 409]);
  const first = await bodyOf(app.owner.get(`${PATH}?limit=60`), 200);
  const second = await bodyOf(app.owner.get(`${PATH}?limit=60&cursor=${first.nextCursor}`), 200);
  assertEquals([first.count, second.count, second.nextCursor], [60, 40, null]);
});

withApp.test("private views are deleted with their person, shared ones stay", async (app) => {
  const invited = await bodyOf(
    app.owner.post("/api/users", { email: "anna@shop.example", role: "manager" }),
    201,
  );
  const token = new URL(invited.link).hash.slice("#token=".length);
  const joined = await app.anyone.post("/api/invitations/accept", {
    token,
    password: "correct horse battery",
  });
  const cookie = joined.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  await joined.body?.cancel();
  for (const isShared of [true, false]) {
    const name = isShared ? "Shared" : "Own";
    await bodyOf(app.anyone.post(PATH, { name, isShared }, { Cookie: cookie }), 201);
  }
  await bodyOf(app.owner.delete(`/api/users/${invited.id}`), 200);
  assertEquals(await namesSeenBy(app.owner), ["Shared"]);
  const rows = await Array.fromAsync(app.store.kv.list<{ name: string }>({ prefix: ["vw"] }));
  assertEquals(rows.map(({ value }) => value.name), ["Shared"]);
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);
});

withApp.test("check-store finds a view that nobody can see", async (app) => {
  const made = await bodyOf(app.owner.post(PATH, { name: "A" }), 201);
  const [row] = await Array.fromAsync(app.store.kv.list<object>({ prefix: ["vw"] }));
  if (!row) throw new Error("There is no row");
  await app.store.kv.set(row.key, { ...row.value, createdBy: "0".repeat(24) });
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), [
    `Test: View ${made.id} belongs to no person: there is no user ${"0".repeat(24)}`,
  ]);
});
