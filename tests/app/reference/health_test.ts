import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { startTestApp, withApp } from "../../harness.ts";

withApp.test("GET /healthz answers while the process lives, GET /readyz until it drains", async (app) => {
  const before = await Promise.all(["/healthz", "/readyz"].map((path) => app.anyone.get(path)));
  assertEquals(await Promise.all(before.map((answer) => answer.json())), [{ ok: true }, {
    ok: true,
  }]);
  const drained = app.app.drain();
  const [alive, ready] = await Promise.all([app.anyone.get("/healthz"), app.anyone.get("/readyz")]);
  await alive.body?.cancel();
  assertEquals([alive.status, ready.status], [200, 503]);
  assertEquals((await ready.json()).error.code, "unavailable");
  await drained;
});

Deno.test("GET /readyz answers 503 when the store is gone", async () => {
  const { openMemoryStore } = await import("../../memory_store.ts");
  const store = await openMemoryStore();
  await using app = await startTestApp({ store });
  store.kv.close();
  const answer = await app.anyone.get("/readyz");
  assertEquals([answer.status, (await answer.json()).error.code], [503, "unavailable"]);
});

withApp.test("GET /metrics is 404 without METRICS_TOKEN", async (app) => {
  const answer = await app.anyone.get("/metrics", { Authorization: "Bearer " });
  assertEquals([answer.status, (await answer.json()).error.code], [404, "not_found"]);
});

Deno.test("GET /metrics counts requests, and needs the bearer METRICS_TOKEN", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "figures" } });
  const refused = await Promise.all([
    app.anyone.get("/metrics"),
    app.anyone.get("/metrics", { Authorization: "Bearer figure" }),
    app.owner.get("/metrics"),
  ]);
  assertEquals(
    await Promise.all(
      refused.map(async (answer) => [answer.status, (await answer.json()).error.code]),
    ),
    [[401, "missing_credentials"], [401, "not_authenticated"], [401, "missing_credentials"]],
  );
  const answer = await app.anyone.get("/metrics", { Authorization: "Bearer figures" });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  match(text, /^kurant_http_requests_total\{method="GET",status="401"\} 3$/m);
  match(text, /^process_resident_memory_bytes \d+$/m);
});
