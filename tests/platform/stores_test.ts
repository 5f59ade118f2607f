import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { transact } from "../../src/platform/store/kv.ts";
import { onEveryStore } from "../stores.ts";

onEveryStore.test("transact() serialises two writers of a row", async (store) => {
  const key = ["row"];
  await Promise.all(Array.from({ length: 5 }, () =>
    transact({ store }, async (write) => {
      const { value, versionstamp } = await store.kv.get<number>(key);
      write.check(key, versionstamp);
      write.set(key, (value ?? 0) + 1);
    })));
  assertEquals((await store.kv.get(key)).value, 5);
});

onEveryStore.test("transact() subtracts by a wrapping sum", async (store) => {
  const key = ["sum"];
  await transact({ store }, (write) => Promise.resolve(write.sum(key, 5)));
  await transact({ store }, (write) => Promise.resolve(write.sum(key, -3)));
  assertEquals((await store.kv.get<Deno.KvU64>(key)).value?.value, 2n);
});
