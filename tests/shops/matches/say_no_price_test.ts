import type { NoPriceOutcome } from "../../../src/shops/matches/change_matches.ts";
import { addMatch, addProduct, answered, auditOf, linksOf, withCheckedApp } from "../shop.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const PATH = "/api/competitor-products/no-price";

withCheckedApp.test("POST /api/competitor-products/no-price marks many pages, and logs only those that change", async (app) => {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const productId = await addProduct(app.manager, `A-${n}`);
    ids.push((await addMatch(app.manager, productId, `https://shop.de/${n}`)).id);
  }
  const [first = "", second = "", third = ""] = ids;
  const say = (wanted: readonly string[], noPrice: boolean) =>
    answered<NoPriceOutcome>(app.manager.post(PATH, { ids: wanted, noPrice }), 200);
  const known = async () => (await linksOf(app.viewer)).map(({ noPrice }) => noPrice);

  const unknown = "0".repeat(24);
  assertEquals(await say([first, unknown, first, "no id"], true), {
    changed: [first],
    unchanged: 0,
    missing: [unknown, "no id"],
  });
  assertEquals(await say(ids, true), { changed: [second, third], unchanged: 1, missing: [] });
  assertEquals(await say(ids, true), { changed: [], unchanged: 3, missing: [] });
  assertEquals(await known(), [true, true, true]);
  const audit = await auditOf(app.viewer, `competitor_product:${first}`);
  assertEquals(audit.at(-1), ["competitor_product.update", { noPrice: null }, { noPrice: true }]);

  assertEquals((await say([second, third], false)).changed, [second, third]);
  assertEquals(await known(), [true, false, false]);
});
