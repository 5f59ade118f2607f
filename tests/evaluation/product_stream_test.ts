import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { streamProducts } from "../../src/evaluation/product_stream.ts";
import { readSurroundings } from "../../src/evaluation/situation_reader.ts";
import { openTestWorkspace } from "../catalogue/catalogue_workspace.ts";
import { addProducts, productOf } from "../catalogue/random_products.ts";
import { createGate } from "../patience.ts";
import { watchedStore } from "../watched_store.ts";

Deno.test("streamProducts() reads nothing any more when it has ended early", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  await addProducts(ctx, Array.from({ length: 1_001 }, (_, n) => productOf(ctx, n)));
  const surroundings = await readSurroundings(ctx);
  const ahead = createGate();
  let documentPages = 0;
  const store = watchedStore(ctx.store, {
    async listed({ prefix }) {
      // The second page of products is on its way when the first product is visited.
      if (prefix?.[0] === "p" && ++documentPages === 2) await ahead.passed;
    },
  });
  let hasEnded = false;
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  const ended = streamProducts({ ...ctx, store }, { surroundings, moment, wanted: null }, () => {
    return false;
  }).then(() => hasEnded = true);
  for (let looks = 0; documentPages < 2 || looks < 100; looks++) {
    await ctx.store.kv.get(["anything"]);
  }
  assertEquals(hasEnded, false);
  ahead.open();
  await ended;
});

Deno.test("streamProducts() visits the wanted ones, beyond pages in which nobody is wanted", async () => {
  using workspace = await openTestWorkspace();
  const { ctx } = workspace;
  await addProducts(ctx, Array.from({ length: 3_100 }, (_, n) => productOf(ctx, n)));
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  const visited = async (wanted: ReadonlySet<string> | null) => {
    const ids: string[] = [];
    await streamProducts(ctx, { surroundings, moment, wanted }, ({ situation }) => {
      ids.push(situation.product.id);
    });
    return ids;
  };
  const all = await visited(null);
  assertEquals(all.length, 3_100);
  for (const places of [[0], [3_099], [5, 2_500], [999, 1_000, 3_000], []]) {
    const wanted = places.map((place) => all[place] ?? "");
    assertEquals(await visited(new Set([...wanted, "f".repeat(24)])), wanted);
  }
});
