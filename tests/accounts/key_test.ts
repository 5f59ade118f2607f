import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { isWithin, KeyRing } from "../../src/accounts/keys/api_key.ts";
import { type TestApp, withApp } from "../harness.ts";
import { watchedStore } from "../watched_store.ts";
import { column, refusalOf, refusedField, refuses, statusOf } from "../api/answers.ts";

const AUDIT = "/api/public/v1/audit-logs";

const createKey = (app: TestApp, extra: Record<string, unknown> = {}) =>
  app.owner.create("/api/keys", { name: "ERP", scopes: ["audit:read"], ...extra });

function ask(app: TestApp, key: string) {
  return app.anyone.get(AUDIT, { Authorization: `Bearer ${key}` });
}

withApp.test("POST /api/keys shows the key once, in its documented form", async (app) => {
  const { key, ...shown } = await createKey(app);
  match(key, /^pk_live_[0-9A-Za-z]{32}$/);
  assertEquals({ ...shown, id: "" }, {
    id: "",
    name: "ERP",
    prefix: key.slice(0, 12),
    scopes: ["audit:read"],
    expiresAt: null,
    allowedAddresses: [],
    createdAt: "2026-03-02T09:00:00.000Z",
    lastUsedAt: null,
  });
  const list = await (await app.owner.get("/api/keys")).text();
  assertEquals(list.includes(key), false);
  assertEquals(JSON.parse(list), { items: [shown], nextCursor: null, count: 1 });
});

withApp.test("POST /api/keys refuses unknown scopes, a past expiry and empty names by field", async (app) => {
  const bodies: [unknown, string][] = [
    [{ name: "x", scopes: ["products:delete"] }, "scopes.0"],
    [{ name: "x", scopes: ["audit:read", "audit:read"] }, "scopes"],
    [{ name: "x", scopes: "audit:read" }, "scopes"],
    [{ name: "x" }, "scopes"],
    [{ name: " ", scopes: [] }, "name"],
    [{ name: "x", scopes: [], expiresAt: "2026-03-02T09:00:00Z" }, "expiresAt"],
    [{ name: "x", scopes: [], expiresAt: "tomorrow" }, "expiresAt"],
    [{ name: "x", scopes: [], role: "owner" }, "role"],
    [{ name: "x", scopes: [], allowedAddresses: ["10.0.0.0/33"] }, "allowedAddresses.0"],
    [{ name: "x", scopes: [], allowedAddresses: ["::1", "erp.example"] }, "allowedAddresses.1"],
  ];
  for (const [body, path] of bodies) {
    assertEquals(await refusedField(app.owner.post("/api/keys", body)), path);
  }
});

withApp.test("a key is refused from its expiry on, whatever a process has cached", async (app) => {
  const { key, expiresAt } = await createKey(app, { expiresAt: "2026-03-02T10:00:01+01:00" });
  assertEquals(expiresAt, "2026-03-02T09:00:01.000Z");
  assertEquals(await statusOf(ask(app, key)), 200);
  app.clock.advance(999);
  assertEquals(await statusOf(ask(app, key)), 200);
  app.clock.advance(1);
  await refuses(ask(app, key), "invalid_api_key");
});

withApp.test("lastUsedAt is stored within 60 s, and at most once a minute", async (app) => {
  const { key } = await createKey(app);
  const lastUsedAt = async () => {
    await statusOf(ask(app, key));
    await app.app.close();
    return (await app.owner.read("/api/keys")).items[0].lastUsedAt;
  };
  assertEquals(await lastUsedAt(), "2026-03-02T09:00:00.000Z");
  app.clock.advance(59_999);
  assertEquals(await lastUsedAt(), "2026-03-02T09:00:00.000Z");
  app.clock.advance(1);
  assertEquals(await lastUsedAt(), "2026-03-02T09:01:00.000Z");
});

withApp.test("a key that was found within 5 s costs no read of the store", async (app) => {
  let reads = 0;
  const ring = new KeyRing(watchedStore(app.store, { reading: () => void reads++ }));
  const { key } = await createKey(app);
  const readsOf = async () => {
    reads = 0;
    ok(await ring.find(key, app.clock.now()));
    return reads;
  };
  assertEquals([await readsOf(), await readsOf()], [1, 0]);
  app.clock.advance(4_999);
  assertEquals(await readsOf(), 0);
  app.clock.advance(1);
  assertEquals([await readsOf(), await readsOf()], [1, 0]);
});

withApp.test("another process sees a revocation within 5 s", async (app) => {
  const { id, key } = await createKey(app);
  const elsewhere = new KeyRing(app.store);
  assertEquals((await elsewhere.find(key, app.clock.now()))?.id, id);
  await app.owner.remove(`/api/keys/${id}`);
  app.clock.advance(5_000);
  assertEquals(await elsewhere.find(key, app.clock.now()), null);
});

withApp.test("a rotated key has the same rights, and the old key ends after the overlap", async (app) => {
  const old = await createKey(app, { expiresAt: "2026-03-09T09:00:00Z" });
  const rotate = (id: string, overlapHours: number) =>
    app.owner.create(`/api/keys/${id}/rotate`, { overlapHours });
  const made = await rotate(old.id, 2);
  assertEquals([made.name, made.scopes, made.expiresAt], [old.name, old.scopes, old.expiresAt]);
  const statuses = () => Promise.all([old, made].map(({ key }) => statusOf(ask(app, key))));
  assertEquals(await statuses(), [200, 200]);
  app.clock.advance(2 * 3_600_000 - 1);
  assertEquals(await statuses(), [200, 200]);
  app.clock.advance(1);
  assertEquals(await statuses(), [401, 200]);
  // Without an overlap, the old key ends at once. An overlap never extends the validity of a key.
  const last = await rotate(made.id, 0);
  await refuses(ask(app, made.key), "invalid_api_key");
  assertEquals(await statusOf(ask(app, last.key)), 200);
  for (const id of [made.id, "x"]) {
    await refuses(app.owner.post(`/api/keys/${id}/rotate`, {}), "not_found");
  }
  const { items } = await app.owner.read("/api/audit-logs?action=api_key.rotate");
  assertEquals(column(column(items, "resource"), "id"), [old.id, made.id]);
});

withApp.test("a key with allowed addresses is refused from all others, without being counted", async (app) => {
  const near = await createKey(app, { allowedAddresses: ["127.0.0.0/8", "2001:db8::/32"] });
  const far = await createKey(app, { allowedAddresses: ["203.0.113.7"] });
  assertEquals(await statusOf(ask(app, near.key)), 200);
  const refused = await ask(app, far.key);
  assertEquals(refused.headers.get("RateLimit"), null);
  const { code, details } = await refusalOf(refused);
  assertEquals([code, details], ["forbidden", { address: "127.0.0.1" }]);
});

Deno.test("isWithin() accepts single addresses and ranges of both families", () => {
  const cases: [string[], string, boolean][] = [
    [[], "unknown", true],
    [["203.0.113.7"], "203.0.113.7", true],
    [["203.0.113.7"], "203.0.113.8", false],
    [["203.0.113.0/24", "10.0.0.0/8"], "10.255.0.1", true],
    [["203.0.113.0/24"], "203.0.114.0", false],
    [["0.0.0.0/0"], "198.51.100.9", true],
    [["0.0.0.0/0"], "2001:db8::1", false],
    [["2001:db8::/32"], "2001:db8:ffff::1", true],
    [["2001:db8::/32"], "2001:db9::1", false],
    [["2001:db8::1"], "unknown", false],
  ];
  for (const [ranges, address, expected] of cases) {
    assertEquals(isWithin(ranges, address), expected, `${ranges} ${address}`);
  }
});

withApp.test("GET /me tells a key its rights and its workspace", async (app) => {
  const { key, ...shown } = await createKey(app, { scopes: [] });
  const headers = { Authorization: `Bearer ${key}` };
  const { data } = await app.anyone.read("/api/public/v1/me", headers);
  assertEquals({ ...data.key, lastUsedAt: null }, shown);
  assertEquals([data.workspace.id, data.workspace.currency], [app.workspaceId, "EUR"]);
});
