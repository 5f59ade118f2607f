import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { streamProducts } from "../../../src/rules/evaluation/situation_reader.ts";
import { readSurroundings } from "../../../src/rules/proposals/priced_product.ts";
import { addNumbered, withWorkspace } from "../../catalogue/catalogue_workspace.ts";
import { watchedStore } from "../../watched_store.ts";

/** More than three pages of products. */
const MANY = 3_100;

withWorkspace.test("streamProducts() visits the wanted products, and reads no page before the first or after the last", async (ctx) => {
  const ids = (await addNumbered(ctx, MANY)).map(({ id }) => id);
  const surroundings = await readSurroundings(ctx);
  const nowMs = ctx.now().getTime();
  let pages = 0;
  const store = watchedStore(ctx.store, {
    listed: ({ prefix }) => Promise.resolve(void (pages += prefix?.[0] === "p" ? 1 : 0)),
  });
  const places = [...ids.keys()];
  const cases: readonly (readonly [readonly number[], number])[] = [
    [[0], 1],
    [places.slice(1_500, 2_400), 1],
    [[5, 2_500], 3],
    [[MANY - 1], 1],
    [places, 4],
  ];
  for (const [of, read] of cases) {
    pages = 0;
    const wanted = of.map((place) => ids[place] ?? "");
    const request = { surroundings, nowMs, wanted: new Set(wanted) };
    const found = await Array.fromAsync(streamProducts({ ...ctx, store }, request));
    assertEquals(found.map(({ situation }) => situation.product.id), wanted);
    assertEquals(pages, read, `${of.length} from ${of[0]} on`);
  }
});
