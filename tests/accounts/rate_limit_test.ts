import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { openMemoryStore, withStore } from "../memory_store.ts";
import { RateLimiter } from "../../src/accounts/admission.ts";
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

withStore.test("the reset time is when the oldest counted request leaves the window", async (store) => {
  const limiter = new RateLimiter(store, 2);
  assertEquals((await limiter.take(KEY, 1_000)).resetSeconds, 60);
  assertEquals((await limiter.take(KEY, 31_000)).resetSeconds, 30);
  const refused = await limiter.take(KEY, 41_000);
  assertEquals([refused.isAllowed, refused.remaining, refused.resetSeconds], [false, 0, 20]);
  assertEquals((await limiter.take(KEY, 61_000)).isAllowed, true);
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
