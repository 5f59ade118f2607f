import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { column } from "../../api/answers.ts";
import type { NoPriceOutcome } from "../../../src/shops/shop_routes.ts";
import { MATCHES_PER_PRODUCT_MAX } from "../../../src/shops/matches/match.ts";
import {
  actionsOf,
  addMatch,
  addProduct,
  auditOf,
  linksOf,
  withCheckedApp,
  withProduct,
} from "../shop.ts";

const REMOVAL = "/api/competitor-products/removal";
const UNKNOWN = "0".repeat(24);

withProduct.test("POST /api/competitor-products/removal deletes many links, and links them again as they were", async ({ app, productId }) => {
  for (const [n, packFactor] of [[1, 1], [2, 6], [3, 1]] as const) {
    await addMatch(app.manager, productId, `https://shop.de/${n}`, { packFactor });
  }
  const before = await linksOf(app.viewer);
  const [first = "", second = "", third = ""] = before.map(({ id }) => id);
  const say = (ids: readonly string[], removed: boolean) =>
    app.manager.act<NoPriceOutcome>(REMOVAL, { ids, removed });

  // An unknown id does not stop the removal of the other matches.
  const missing = [UNKNOWN];
  const removed = await say([first, UNKNOWN, second, first], true);
  assertEquals(removed, { changed: [first, second], unchanged: 0, missing });
  assertEquals(column(await linksOf(app.viewer), "id"), [third]);
  assertEquals((await say([first], true)).missing, [first]);

  // The first page is already linked again, so restoring its old link changes nothing.
  const again = await addMatch(app.manager, productId, "https://shop.de/1");
  const restored = await say([first, second, UNKNOWN], false);
  assertEquals(restored, { changed: [second], unchanged: 1, missing });
  const after = await linksOf(app.viewer);
  assertEquals(column(after, "id"), [second, third, again.id]);
  assertEquals(after[0], before[1]);
  const actions = ["create", "delete", "create"].map((verb) => `competitor_product.${verb}`);
  assertEquals(await actionsOf(app.viewer, `competitor_product:${second}`), actions);
});

withProduct.test("POST /api/competitor-products/removal restores no link of a deleted product", async ({ app, productId }) => {
  const { id } = await addMatch(app.manager, productId, "https://shop.de/1");
  await app.manager.act(REMOVAL, { ids: [id], removed: true });
  await app.manager.delete(`/api/products/${productId}`);
  const { missing } = await app.manager.act(REMOVAL, { ids: [id], removed: false });
  assertEquals(missing, [id]);
});

withCheckedApp.test("POST /api/competitor-products/removal restores only links that can still be created", async (app) => {
  const full = await addProduct(app.manager, "A-1");
  const other = await addProduct(app.manager, "A-2");
  const ids = [
    (await addMatch(app.manager, full, "https://shop.de/old")).id,
    (await addMatch(app.manager, other, "https://shop.de/other")).id,
  ];
  await app.manager.act(REMOVAL, { ids, removed: true });
  const urls = Array.from({ length: MATCHES_PER_PRODUCT_MAX }, (_, n) => `https://shop.de/${n}`);
  const links = urls.map((url) => ({ sku: "A-1", url }));
  await app.manager.act("/api/competitor-products/bulk", { links });
  const restored = await app.manager.act(REMOVAL, { ids, removed: false });
  assertEquals(restored, { changed: [ids[1]], unchanged: 0, missing: [ids[0]] });
});

const NO_PRICE = "/api/competitor-products/no-price";

withCheckedApp.test("POST /api/competitor-products/no-price marks many pages, and logs only those that change", async (app) => {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const productId = await addProduct(app.manager, `A-${n}`);
    ids.push((await addMatch(app.manager, productId, `https://shop.de/${n}`)).id);
  }
  const [first = "", second = "", third = ""] = ids;
  const say = (wanted: readonly string[], noPrice: boolean) =>
    app.manager.act<NoPriceOutcome>(NO_PRICE, { ids: wanted, noPrice });
  const known = async () => column(await linksOf(app.viewer), "noPrice");

  const missing = [UNKNOWN, "no id"];
  const said = await say([first, UNKNOWN, first, "no id"], true);
  assertEquals(said, { changed: [first], unchanged: 0, missing });
  assertEquals(await say(ids, true), { changed: [second, third], unchanged: 1, missing: [] });
  assertEquals(await say(ids, true), { changed: [], unchanged: 3, missing: [] });
  assertEquals(await known(), [true, true, true]);
  const audit = await auditOf(app.viewer, `competitor_product:${first}`);
  assertEquals(audit.at(-1), ["competitor_product.update", { noPrice: null }, { noPrice: true }]);

  assertEquals((await say([second, third], false)).changed, [second, third]);
  assertEquals(await known(), [true, false, false]);
});
