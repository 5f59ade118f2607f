import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { createAdmission, RateLimiter } from "../../src/accounts/admission.ts";
import { Visits } from "../../src/accounts/sessions/session.ts";
import { KEY_SCOPE_NAMES } from "../../src/accounts/roles.ts";
import { KeyRing } from "../../src/accounts/keys/api_key.ts";
import { BodyMemory, DEFAULT_BODY_PACE } from "../../src/platform/http/body.ts";
import type { Access } from "../../src/platform/http/app_context.ts";
import { jsonAnswer, Ok } from "../../src/platform/http/http.ts";
import { route } from "../../src/platform/http/route.ts";
import { createHttpApp, DrainGate } from "../../src/platform/http/http_app.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { type TestApp, withApp } from "../harness.ts";
import { outcome, toolsOf } from "./people.ts";
import { FairQueue } from "../../src/platform/event_loop.ts";
import { watchedStore } from "../watched_store.ts";

/** Starts an app that has a route per kind of access, and the people and keys of `app`. */
function startGates(app: TestApp, store: Store = app.store, limit = 600) {
  const { clock: appClock } = toolsOf(app);
  const keyRing = new KeyRing(store);
  const http = createHttpApp({
    gate: {
      admit: createAdmission({
        store,
        clock: appClock,
        keyRing,
        limiter: new RateLimiter(store, limit),
        visits: new Visits(),
        trustedProxies: [],
        publicUrl: null,
      }),
      dispatch: () => Promise.reject(new Error("Nothing is asked again here")),
      timeZoneOf: () => Promise.resolve("UTC"),
      bodyPace: DEFAULT_BODY_PACE,
      requests: new FairQueue(16),
      bodyMemory: { strangers: new BodyMemory(1e6), admitted: new BodyMemory(1e6) },
    },
    drainGate: new DrainGate(),
    newRequestId: () => "req_test",
    isHttps: false,
    metrics: null,
  });
  const add = (path: string, access: Access) =>
    route(
      { method: "get", path, access, responses: () => ({ 200: jsonAnswer(Ok, "In") }) },
      (c) => c.json({ ok: true }),
    ).addTo(http);
  add("/api/public/v1/any", { by: "key", scopes: [] });
  add("/api/public/v1/audit-read", { by: "key", scopes: ["audit:read"] });
  add("/api/viewer", { by: "session", role: "viewer" });
  add("/api/nobody", { by: "session", role: "nobody" });
  add("/api/either", { by: "either", role: "viewer" });
  add("/api/public/v1/either", { by: "either", role: "viewer" });
  return {
    async get(path: string, headers: Record<string, string>) {
      return await outcome(await http.request(path, { headers }));
    },
    answer: async (path: string, headers: Record<string, string>) =>
      await http.request(path, { headers }),
    drain: () => keyRing.drain(),
  };
}

const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

withApp.test("a route that demands a nonexistent role admits nobody", async (app) => {
  const gates = startGates(app);
  const cookie = { Cookie: app.ownerCookie };
  assertEquals(await gates.get("/api/nobody", cookie), [403, "forbidden"]);
  assertEquals(await gates.get("/api/nobody", {}), [401, "not_authenticated"]);
});

withApp.test("credentials work on their own interface only, and reference lists take both kinds", async (app) => {
  const gates = startGates(app);
  const { text } = await app.newKey([...KEY_SCOPE_NAMES]);
  const key = bearer(text);
  const cookie = { Cookie: app.ownerCookie };
  const cases: [string, Record<string, string>, [number, string | null]][] = [
    ["/api/public/v1/any", {}, [401, "missing_credentials"]],
    ["/api/public/v1/any", cookie, [401, "missing_credentials"]],
    ["/api/public/v1/any", { ...cookie, ...key }, [200, null]],
    ["/api/public/v1/any", { Authorization: "Basic YTpi" }, [401, "missing_credentials"]],
    ["/api/public/v1/any", { Authorization: "Bearer" }, [401, "missing_credentials"]],
    ["/api/public/v1/any", { Authorization: `bearer ${text}` }, [200, null]],
    ["/api/public/v1/any", bearer("pk_live_short"), [401, "invalid_api_key"]],
    ["/api/public/v1/any", bearer(`${text}x`), [401, "invalid_api_key"]],
    ["/api/public/v1/any", bearer("a b c"), [401, "invalid_api_key"]],
    ["/api/public/v1/any", bearer(`pk_live_${"0".repeat(32)}`), [401, "invalid_api_key"]],
    ["/api/viewer", {}, [401, "not_authenticated"]],
    ["/api/viewer", key, [401, "not_authenticated"]],
    ["/api/viewer", { Cookie: "pr_session=x" }, [401, "not_authenticated"]],
    ["/api/viewer", { Cookie: `pr_session=${"A".repeat(43)}` }, [401, "not_authenticated"]],
    ["/api/either", {}, [401, "not_authenticated"]],
    ["/api/either", key, [200, null]],
    ["/api/either", cookie, [200, null]],
    ["/api/public/v1/either", {}, [401, "missing_credentials"]],
    ["/api/public/v1/either", cookie, [200, null]],
    ["/api/public/v1/either", bearer("nonsense"), [401, "invalid_api_key"]],
  ];
  for (const [path, headers, expected] of cases) {
    assertEquals([path, headers, await gates.get(path, headers)], [path, headers, expected]);
  }
  await gates.drain();
});

withApp.test("every response to a valid key has its limit; above it, 429 with Retry-After", async (app) => {
  const gates = startGates(app, app.store, 2);
  const { text } = await app.newKey([]);
  const ask = async (path: string) => {
    const answer = await gates.answer(path, bearer(text));
    const names = ["RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining"];
    await answer.body?.cancel();
    return [answer.status, ...names.map((name) => answer.headers.get(name))];
  };
  const policy = '"key";q=2;w=60';
  assertEquals(await ask("/api/public/v1/any"), [200, policy, '"key";r=1;t=60', "2", "1"]);
  app.clock.advance(10_000);
  assertEquals(await ask("/api/public/v1/audit-read"), [403, policy, '"key";r=0;t=50', "2", "0"]);
  const refused = await gates.answer("/api/public/v1/any", bearer(text));
  assertEquals(refused.headers.get("Retry-After"), "50");
  assertEquals(
    refused.headers.get("X-RateLimit-Reset"),
    String(app.clock.now().getTime() / 1000 + 50),
  );
  assertEquals(await outcome(refused), [429, "rate_limited"]);
  app.clock.advance(50_000);
  assertEquals((await ask("/api/public/v1/any"))[0], 200);
  const unknown = await gates.answer("/api/public/v1/any", bearer("nonsense"));
  await unknown.body?.cancel();
  assertEquals(unknown.headers.get("RateLimit"), null);
  await gates.drain();
});

withApp.test("a valid key that was checked within 5 s costs no read of the store", async (app) => {
  let reads = 0;
  const gates = startGates(app, watchedStore(app.store, { reading: () => void reads++ }));
  const { text } = await app.newKey([]);
  const readsOf = async () => {
    reads = 0;
    assertEquals(await gates.get("/api/public/v1/any", bearer(text)), [200, null]);
    return reads;
  };
  assertEquals([await readsOf(), await readsOf()], [1, 0]);
  app.clock.advance(4_999);
  assertEquals(await readsOf(), 0);
  app.clock.advance(1);
  assertEquals([await readsOf(), await readsOf()], [1, 0]);
  await gates.drain();
});
