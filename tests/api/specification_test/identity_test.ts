import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf, row, SAMPLE } from "./rows.ts";

row("§5 external paths take a key that starts with pk_live_, as bearer", async (app) => {
  const { text } = await app.newKey([]);
  match(text, /^pk_live_[0-9A-Za-z]{32}$/);
  const list = "/api/public/v1/products";
  await bodyOf(app.anyone.get(list, { Authorization: `Bearer ${text}` }), 200);
  const { error } = await bodyOf(app.anyone.get(list), 401);
  assertEquals(error.code, "missing_credentials");
});

row("§5 in-app paths take the cookie pr_session", async (app) => {
  match(app.ownerCookie, /^pr_session=/);
  await bodyOf(app.anyone.get("/api/products", { Cookie: app.ownerCookie }), 200);
  const { error } = await bodyOf(app.anyone.get("/api/products"), 401);
  assertEquals(error.code, "not_authenticated");
});

row("§5 a credential of one interface does not open the other", async (app) => {
  const { text } = await app.newKey([]);
  const byKey = await bodyOf(
    app.anyone.get("/api/products", { Authorization: `Bearer ${text}` }),
    401,
  );
  assertEquals(byKey.error.code, "not_authenticated");
  const byCookie = await bodyOf(
    app.anyone.get("/api/public/v1/products", { Cookie: app.ownerCookie }),
    401,
  );
  assertEquals(byCookie.error.code, "missing_credentials");
});

row("§5 an invalid key is answered with invalid_api_key", async (app) => {
  for (const text of ["pk_live_" + "x".repeat(32), "pk_live_short", "nonsense"]) {
    const answer = app.anyone.get("/api/public/v1/products", { Authorization: `Bearer ${text}` });
    assertEquals((await bodyOf(answer, 401)).error.code, "invalid_api_key");
  }
});

row("§5 a revoked key is answered with invalid_api_key", async (app) => {
  const { text, id } = await app.newKey([]);
  const headers = { Authorization: `Bearer ${text}` };
  await bodyOf(app.anyone.get("/api/public/v1/products", headers), 200);
  await bodyOf(app.owner.delete(`/api/keys/${id}`), 200);
  const { error } = await bodyOf(app.anyone.get("/api/public/v1/products", headers), 401);
  assertEquals(error.code, "invalid_api_key");
});

row("§7 every refusal has error.code, error.message and error.requestId", async (app) => {
  const key = await app.key([]);
  const answers = [
    app.owner.post("/api/products", { sku: "" }),
    app.anyone.get("/api/products"),
    app.owner.get("/api/products/0123456789abcdef01234567"),
    app.owner.send("PUT", "/api/products", "{}"),
    app.owner.send("POST", "/api/products", "{", { "Content-Type": "application/json" }),
    app.anyone.get("/nowhere"),
    key.get("/api/public/v1/products?cursor=forged"),
  ];
  for (const pending of answers) {
    const answer = await pending;
    const { error } = JSON.parse(await answer.text());
    assertEquals([typeof error.code, typeof error.message], ["string", "string"]);
    match(error.requestId, /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
    assertEquals(answer.headers.get("X-Request-Id"), error.requestId);
    match(answer.headers.get("Content-Type") ?? "", /^application\/json/);
  }
});

row("§7 the code of an invalid or revoked key is invalid_api_key", async (app) => {
  const answer = await app.anyone.get("/api/public/v1/products", {
    Authorization: "Bearer pk_live_",
  });
  assertEquals((await bodyOf(answer, 401)).error.code, "invalid_api_key");
});

row("§8 600 requests per minute and key on the external interface", async (app) => {
  const { text } = await app.newKey([]);
  const headers = { Authorization: `Bearer ${text}` };
  const statuses = new Map<number, number>();
  for (let batch = 0; batch < 13; batch++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.anyone.get("/api/public/v1/products?limit=1", headers)),
    );
    for (const answer of answers) {
      await answer.body?.cancel();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  }
  assertEquals(Object.fromEntries(statuses), { 200: 600, 429: 50 });
  const other = await app.newKey([]);
  const free = app.anyone.get("/api/public/v1/products", { Authorization: `Bearer ${other.text}` });
  await bodyOf(free, 200);
});

row(
  "§9 the external interface has its version in the path, the in-app one has none",
  async (app) => {
    const external = await bodyOf(app.anyone.get("/api/public/v1/openapi.json"), 200);
    const inApp = await bodyOf(app.anyone.get("/api/openapi.json"), 200);
    for (const path of Object.keys(external.paths)) match(path, /^\/api\/public\/v1\//);
    for (const path of Object.keys(inApp.paths)) assertEquals(/\/v\d+\//.test(path), false, path);
  },
);

row("§4.2 products of another workspace are not found", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const stranger = await app.strangerOwner();
  await bodyOf(stranger.get(`/api/products/${id}`), 404);
  await bodyOf(stranger.patch(`/api/products/${id}`, { title: "mine" }), 404);
  await bodyOf(stranger.delete(`/api/products/${id}`), 404);
  assertEquals((await bodyOf(stranger.get("/api/products"), 200)).count, 0);
});
