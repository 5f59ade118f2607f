import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { glob } from "node:fs/promises";
import fc from "fast-check";
import {
  addCosts,
  COMMIT_MAX,
  MeasuredWrite,
  shareOfCommit,
  transact,
  type Write,
} from "../../src/platform/store/kv.ts";
import { withStore } from "../memory_store.ts";

const ROW_KEY_BYTES = 15;
const LIMITS = ["checks", "mutations", "keyBytes", "bytes"] as const;

withStore.test("a commit filled to its predicted limits is accepted by the store, and holds the full limits", async (store) => {
  const longKey = (n: number) => ["row", n, "x".repeat(490)];
  const longKeyBytes = ROW_KEY_BYTES + 3 * 490 + 2;
  const value = new Uint8Array(60_000);
  const cases: [limit: typeof LIMITS[number], cost: number, (write: Write, n: number) => void][] = [
    ["checks", 1, (write, n) => write.check(["row", n], null)],
    ["mutations", 1, (write, n) => write.sum(["row", n], 1)],
    ["keyBytes", longKeyBytes, (write, n) => write.delete(longKey(n))],
    ["bytes", 60_000 + ROW_KEY_BYTES, (write, n) => write.set(["row", n], value)],
  ];
  for (const [limit, cost, add] of cases) {
    const added = await transact({ store }, (write) => {
      if (limit === "checks") write.set(["row"], 1);
      let n = 0;
      while (write.fits({ [limit]: cost })) add(write, n++);
      return Promise.resolve(n);
    });
    assertEquals([limit, added], [limit, Math.floor(COMMIT_MAX[limit] / cost)]);
  }
});

withStore.test("what fits with a reserve also fits without it, and a reserve needs no checks", (store) => {
  const cost = fc.record({
    checks: fc.nat(12),
    mutations: fc.nat(1_200),
    keyBytes: fc.nat(90_000),
    bytes: fc.nat(900_000),
  });
  fc.assert(fc.property(cost, fc.double({ min: 0, max: 1, noNaN: true }), (one, share) => {
    const write = new MeasuredWrite(store);
    const reserved = addCosts(one, shareOfCommit(share));
    assertEquals(reserved.checks, one.checks);
    const isWithin = LIMITS.every((name) => one[name] <= COMMIT_MAX[name]);
    assertEquals(write.fits(one), isWithin);
    if (write.fits(reserved)) assertEquals(write.fits(one), true);
  }));
});

Deno.test("commit limits are defined in a single file", async () => {
  const copies: string[] = [];
  const limits = /\b(950|75_?000|750_?000)\b|\bwrite\.fill\b|\b(MUTATIONS|KEY_BYTES|FILL)_MAX\b/;
  for await (const path of glob("src/**/*.ts")) {
    if (path === "src/platform/store/kv.ts") continue;
    const lines = (await Deno.readTextFile(path)).split("\n");
    for (const [n, line] of lines.entries()) {
      if (limits.test(line)) copies.push(`${path}:${n + 1} ${line.trim()}`);
    }
  }
  assertEquals(copies, []);
});
