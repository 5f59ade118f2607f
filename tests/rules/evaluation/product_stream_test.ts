import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { streamProducts } from "../../../src/rules/evaluation/product_stream.ts";
import { readSurroundings } from "../../../src/rules/evaluation/situation_reader.ts";
import { withWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { addNumbered } from "../../catalogue/random_products.ts";
import { createGate } from "../../patience.ts";
import { watchedStore } from "../../watched_store.ts";

/** More than three pages of products. */
const MANY = 3_100;

withWorkspace.test("streamProducts() reads nothing after an early end", async (ctx) => {
  await addNumbered(ctx, 1_001);
  const surroundings = await readSurroundings(ctx);
  const ahead = createGate();
  let documentPages = 0;
  const store = watchedStore(ctx.store, {
    async listed({ prefix }) {
      // The second page stays unread until the gate is opened.
      if (prefix?.[0] === "p" && ++documentPages === 2) await ahead.passed;
    },
  });
  let hasEnded = false;
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  const readFirst = async () => {
    for await (const _ of streamProducts({ ...ctx, store }, { surroundings, moment })) break;
    hasEnded = true;
  };
  const ended = readFirst();
  for (let looks = 0; documentPages < 2 || looks < 100; looks++) {
    await ctx.store.kv.get(["anything"]);
  }
  assertEquals(hasEnded, false);
  ahead.open();
  await ended;
});

withWorkspace.test("streamProducts() reads no page before the first or after the last wanted product", async (ctx) => {
  const ids = (await addNumbered(ctx, MANY)).map(({ id }) => id);
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  let pages = 0;
  const store = watchedStore(ctx.store, {
    listed: ({ prefix }) => Promise.resolve(void (pages += prefix?.[0] === "p" ? 1 : 0)),
  });
  for (
    const [from, to, read] of [[0, 1, 1], [1_500, 2_400, 1], [MANY - 1, MANY, 1], [0, MANY, 4]]
  ) {
    pages = 0;
    const request = { surroundings, moment, wanted: new Set(ids.slice(from, to)) };
    await Array.fromAsync(streamProducts({ ...ctx, store }, request));
    assertEquals(pages, read, `${from} to ${to}`);
  }
});
