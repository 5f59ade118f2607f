import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { bodyOf, refuses } from "../../api/answers.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { openMemoryStore } from "../../memory_store.ts";

withApp.test("GET /healthz answers while the process lives, GET /readyz until it drains", async (app) => {
  const { anyone } = app;
  for (const path of ["/healthz", "/readyz"]) assertEquals(await anyone.read(path), { ok: true });
  const drained = app.app.drain();
  const [alive, ready] = await Promise.all([anyone.read("/healthz"), anyone.get("/readyz")]);
  assertEquals(alive, { ok: true });
  assertEquals((await bodyOf(ready, 503)).error.code, "unavailable");
  await drained;
});

Deno.test("GET /readyz answers 503 when the store is gone", async () => {
  const store = await openMemoryStore();
  await using app = await startTestApp({ store });
  store.kv.close();
  assertEquals((await bodyOf(app.anyone.get("/readyz"), 503)).error.code, "unavailable");
});

withApp.test("GET /metrics is 404 without METRICS_TOKEN", async (app) => {
  await refuses(app.anyone.get("/metrics", { Authorization: "Bearer " }), "not_found");
});

Deno.test("GET /metrics counts requests, and needs the bearer METRICS_TOKEN", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "figures" } });
  const wrong = { Authorization: "Bearer figure" };
  await refuses(app.anyone.get("/metrics"), "missing_credentials");
  await refuses(app.anyone.get("/metrics", wrong), "not_authenticated");
  await refuses(app.owner.get("/metrics"), "missing_credentials");
  const answer = await app.anyone.get("/metrics", { Authorization: "Bearer figures" });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  match(text, /^kurant_http_requests_total\{method="GET",status="401"\} 3$/m);
  match(text, /^process_resident_memory_bytes \d+$/m);
});
