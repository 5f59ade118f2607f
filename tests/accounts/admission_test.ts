import fc from "fast-check";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { openMemoryStore, withStore } from "../memory_store.ts";
import { clientAddress, RateLimiter } from "../../src/accounts/admission.ts";
import { refuses } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { outcome } from "./people.ts";
import { Hono } from "hono";
import { addressBlock } from "../../src/accounts/sessions/login_throttle.ts";
import type { AppEnv } from "../../src/platform/http/http.ts";

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

Deno.test("processes on a shared store never exceed the limit together, and refuse early only what others have reserved", async () => {
  const memory = await openMemoryStore();
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
  memory.kv.close();
});

/** Sends changes without fields as the owner, which are accepted or refused. */
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
    [{ Origin: "https://evil.example" }, false],
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
