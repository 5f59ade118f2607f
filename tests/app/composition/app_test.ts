import { bodyOf } from "../../api/answers.ts";
import { startTestApp } from "../../harness.ts";
import { closing } from "../../closing_store.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { createGate, until } from "../../patience.ts";
import { watchedStore } from "../../watched_store.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

Deno.test("drain() refuses a request that waits for the market's table, and does not load it again", async () => {
  const loading = createGate();
  let loads = 0;
  using memory = closing(await openMemoryStore());
  const store = watchedStore(memory, {
    async listed({ prefix }) {
      if (prefix?.[0] !== "p") return;
      loads++;
      await loading.passed;
    },
  });
  await using app = await startTestApp({ store });
  await app.manager.create("/api/products", { sku: "A", title: "Kettle" });
  const waiting = app.manager.get("/api/products?sort=gapPct");
  await until("the table is being loaded", () => loads > 0);
  const drained = app.app.drain();
  loading.open();
  const { error } = await bodyOf(waiting, 503);
  assertEquals(error.code, "unavailable");
  await drained;
});
