import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { openMemoryStore, withStore } from "../memory_store.ts";
import { RateLimiter } from "../../src/accounts/admission.ts";
import { refuses } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { extent } from "../proof.ts";

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
