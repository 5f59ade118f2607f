import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { isWithin } from "../../src/accounts/keys/api_key.ts";
import { clientAddress, KeyRing, RateLimiter } from "../../src/accounts/admission.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { watchedStore } from "../watched_store.ts";
import { column, refusalOf, refusedField, refuses, statusOf } from "../api/answers.ts";
import fc from "fast-check";
import { withStore } from "../memory_store.ts";
import { extent } from "../proof.ts";
import { outcome } from "./people.ts";
import { Hono } from "hono";
import { addressBlock } from "../../src/accounts/sessions/login_throttle.ts";
import type { AppEnv } from "../../src/platform/http/http.ts";

const createKey = (app: TestApp, extra: Record<string, unknown> = {}) =>
  app.owner.create("/api/keys", { name: "ERP", scopes: ["audit:read"], ...extra });

function ask(app: TestApp, key: string) {
  return app.anyone.get("/api/public/v1/audit-logs", { Authorization: `Bearer ${key}` });
}

withApp.test("POST /api/keys shows the key once, in its documented form; GET /me tells it its rights and workspace", async (app) => {
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
  const headers = { Authorization: `Bearer ${key}` };
  const { data } = await app.anyone.read("/api/public/v1/me", headers);
  assertEquals({ ...data.key, lastUsedAt: null }, shown);
  assertEquals([data.workspace.id, data.workspace.currency], [app.workspaceId, "EUR"]);
});

withApp.test("POST /api/keys refuses unknown scopes, a past expiry and empty names by field", async (app) => {
  const bodies: [unknown, string][] = [
    [{ name: "x", scopes: ["products:delete"] }, "scopes.0"],
    [{ name: "x", scopes: ["audit:read", "audit:read"] }, "scopes"],
    [{ name: "x" }, "scopes"],
    [{ name: " ", scopes: [] }, "name"],
    [{ name: "x", scopes: [], expiresAt: "2026-03-02T09:00:00Z" }, "expiresAt"],
    [{ name: "x", scopes: [], expiresAt: "tomorrow" }, "expiresAt"],
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
  const last = await rotate(made.id, 0);
  await refuses(ask(app, made.key), "invalid_api_key");
  assertEquals(await statusOf(ask(app, last.key)), 200);
  for (const id of [made.id, "x"]) {
    await refuses(app.owner.post(`/api/keys/${id}/rotate`, {}), "not_found");
  }
  const { items } = await app.owner.read("/api/audit-logs?action=api_key.rotate");
  assertEquals(column(column(items, "resource"), "id"), [old.id, made.id]);
  const endless = await createKey(app);
  for (const overlap of [2, 2]) assertEquals((await rotate(endless.id, overlap)).expiresAt, null);
  const brief = await createKey(app, { expiresAt: "2026-03-02T12:00:00Z" });
  app.clock.advance(3 * 3_600_000);
  await refuses(app.owner.post(`/api/keys/${brief.id}/rotate`, {}), "conflict");
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

const KEY = "0123456789abcdef01234567";

function busiestMinute(times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((from) => times.filter((t) => t >= from && t < from + 60_000).length),
  );
}

withStore.test("a request is refused exactly if the limit was reached in the 60 seconds before it", async (store) => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 120 }),
    async (gaps) => {
      const limiter = new RateLimiter(store, 10);
      const accepted: number[] = [];
      let now = 1_000_000;
      for (const gap of gaps) {
        now += gap;
        const verdict = await limiter.take(KEY, now);
        const inWindow = accepted.filter((time) => now - time < 60_000).length;
        assertEquals(verdict.isAllowed, inWindow < 10);
        if (verdict.isAllowed) accepted.push(now);
        assertEquals(verdict.remaining, 10 - Math.min(10, inWindow + (verdict.isAllowed ? 1 : 0)));
      }
      ok(busiestMinute(accepted) <= 10);
    },
  ));
});

withStore.test("requests that arrive at the same moment never exceed the limit", async (store) => {
  const limiter = new RateLimiter(store, 3);
  const verdicts = await Promise.all(Array.from({ length: 9 }, () => limiter.take(KEY, 1_000)));
  assertEquals(verdicts.map(({ remaining }) => remaining), [2, 1, 0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("every response to a valid key has its limit; above it, 429 with Retry-After", async () => {
  await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: "2" } });
  const key = await app.key([]);
  const names = ["RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining"];
  const ask = async (path: string) => {
    const answer = await key.get(`/api/public/v1/${path}`);
    await answer.body?.cancel();
    return [answer.status, ...names.map((name) => answer.headers.get(name))];
  };
  const policy = '"key";q=2;w=60';
  assertEquals(await ask("me"), [200, policy, '"key";r=1;t=60', "2", "1"]);
  app.clock.advance(10_000);
  assertEquals(await ask("audit-logs"), [403, policy, '"key";r=0;t=50', "2", "0"]);
  const refused = await key.get("/api/public/v1/me");
  const resetAt = String(app.clock.now().getTime() / 1_000 + 50);
  const times = ["Retry-After", "X-RateLimit-Reset"].map((name) => refused.headers.get(name));
  assertEquals(times, ["50", resetAt]);
  await refuses(refused, "rate_limited");
  await (await app.key([])).read("/api/public/v1/me");
  app.clock.advance(50_000);
  assertEquals((await ask("me"))[0], 200);
  const unknown = await app.anyone.get("/api/public/v1/me", { Authorization: "Bearer nonsense" });
  assertEquals(unknown.headers.get("RateLimit"), null);
  await refuses(unknown, "invalid_api_key");
});

withStore.test("processes on a shared store never exceed the limit together, and refuse early only what others have reserved", async (memory) => {
  const store = { ...memory, kind: "remote" } as const;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.nat(2)), {
        minLength: 200,
        maxLength: 600,
      }),
      async (steps) => {
        const key = (++runs).toString(16).padStart(24, "0");
        const limiters = [1, 2, 3].map(() => new RateLimiter(store, 100));
        const accepted: number[] = [];
        let now = 1_000_000;
        for (const [gap, who] of steps) {
          now += gap;
          const verdict = await limiters[who]!.take(key, now);
          const recent = accepted.filter((time) => now - time < 65_000).length;
          if (verdict.isAllowed) accepted.push(now);
          else ok(recent >= 100 - 2 * 20, `refused after ${recent}`);
        }
        ok(busiestMinute(accepted) <= 100);
      },
    ),
    { numRuns: extent(20, 10) },
  );
});

withStore.test("parallel requests of one process on a shared store reserve only what they use", async (memory) => {
  const limiter = new RateLimiter({ ...memory, kind: "remote" }, 100);
  for (const [count, accepted] of [[30, 30], [90, 70]] as const) {
    const verdicts = await Promise.all(
      Array.from({ length: count }, () => limiter.take(KEY, 1_000_000)),
    );
    assertEquals(verdicts.filter(({ isAllowed }) => isAllowed).length, accepted);
  }
});

async function check(
  app: TestApp,
  cells: readonly [headers: Record<string, string>, isTaken: boolean][],
): Promise<void> {
  for (const [headers, isTaken] of cells) {
    const found = await outcome(app.owner.patch("/api/settings", {}, headers));
    assertEquals(found, isTaken ? [200, null] : [403, "csrf_refused"], JSON.stringify(headers));
  }
}

withApp.test("PATCH with a cookie is accepted from our origin, by Host, and from programs", async (app) => {
  await check(app, [
    [{}, true],
    [{ Origin: app.base }, true],
    [{ "Sec-Fetch-Site": "same-origin" }, true],
    [{ Origin: app.base, "Sec-Fetch-Site": "same-origin" }, true],
    [{ Origin: "null" }, false],
    [{ Origin: "" }, false],
    [{ Origin: app.base.replace(/\d+$/, "1") }, false],
    [{ "Sec-Fetch-Site": "cross-site" }, false],
    [{ "Sec-Fetch-Site": "same-site" }, false],
    [{ "Sec-Fetch-Site": "none" }, false],
    [{ Origin: app.base, "Sec-Fetch-Site": "cross-site" }, false],
    [{ Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" }, false],
  ]);
});

Deno.test("PATCH with a cookie is judged by PUBLIC_URL if it is set", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "https://kurant.example" } });
  await check(app, [
    [{ Origin: "https://kurant.example" }, true],
    [{ Origin: "http://kurant.example" }, false],
    [{ Origin: app.base }, false],
  ]);
});

withApp.test("GET with a cookie is answered for any origin; signing in, by password or invitation, is refused to other sites", async (app) => {
  for (const site of ["none", "same-site", "cross-site", "same-origin"]) {
    await app.owner.read("/api/auth/me", { "Sec-Fetch-Site": site });
  }
  const foreign = { Origin: "https://evil.example" };
  const login = { email: "eve@shop.example", password: "x" };
  await refuses(app.owner.post("/api/auth/login", login, foreign), "csrf_refused");
  const accepted = { token: "x", password: "y" };
  await refuses(app.owner.post("/api/invitations/accept", accepted, foreign), "csrf_refused");
});

async function addressOf(remote: string | null, forwarded: string | null, trusted: string[]) {
  const app = new Hono<AppEnv>().get("/", (c) => c.text(clientAddress(c, trusted)));
  const headers = new Headers(forwarded === null ? [] : [["X-Forwarded-For", forwarded]]);
  const remoteAddr = { transport: "tcp", hostname: remote ?? "", port: 4711 } as const;
  const env = remote === null ? {} : { remoteAddr };
  return await (await app.request("/", { headers }, env)).text();
}

Deno.test("clientAddress() trusts X-Forwarded-For only as far as trusted proxies wrote it", async () => {
  const cases: [string | null, string | null, string[], string][] = [
    ["203.0.113.7", null, [], "203.0.113.7"],
    ["203.0.113.7", "198.51.100.1", [], "203.0.113.7"],
    ["10.0.0.1", "198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
    ["10.0.0.1", "6.6.6.6, 198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
    ["10.0.0.1", "198.51.100.1, 10.0.0.2", ["10.0.0.1", "10.0.0.2"], "198.51.100.1"],
    ["10.0.0.1", null, ["10.0.0.1"], "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1:5123", ["10.0.0.1"], "198.51.100.1"],
    ["::ffff:10.0.0.1", "[2001:db8::1]:443", ["10.0.0.1"], "2001:db8::1"],
    [null, "198.51.100.1", [], "unknown"],
  ];
  for (const [remote, forwarded, trusted, expected] of cases) {
    assertEquals(await addressOf(remote, forwarded, trusted), expected);
  }
});

Deno.test("addressBlock() is the IPv4 address itself and the /64 of an IPv6 address", () => {
  assertEquals(addressBlock("198.51.100.1"), "198.51.100.1");
  const same = ["2001:db8::1", "2001:0DB8:0:0:ffff::", "2001:db8:0:0:1:2:3:4"].map(addressBlock);
  assertEquals(new Set(same).size, 1);
  assertEquals(addressBlock("::1"), "0:0:0:0");
});
