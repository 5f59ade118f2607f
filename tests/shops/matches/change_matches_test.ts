import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { NoPriceOutcome } from "../../../src/shops/shop_routes.ts";
import { MATCHES_PER_PRODUCT_MAX } from "../../../src/shops/matches/match.ts";
import { actionsOf, addMatch, addProduct, auditOf, linksOf, withCheckedApp } from "../shop.ts";

const REMOVAL = "/api/competitor-products/removal";
const UNKNOWN = "0".repeat(24);

withCheckedApp.test("POST /api/competitor-products/removal deletes many links, and links them again as they were", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  for (const [n, packFactor] of [[1, 1], [2, 6], [3, 1]] as const) {
    await addMatch(app.manager, productId, `https://shop.de/${n}`, { packFactor });
  }
  const before = await linksOf(app.viewer);
  const [first = "", second = "", third = ""] = before.map(({ id }) => id);
  const say = (ids: readonly string[], removed: boolean) =>
    app.manager.act<NoPriceOutcome>(REMOVAL, { ids, removed });

  // An unknown id does not stop the removal of the other matches.
  assertEquals(await say([first, UNKNOWN, second, first], true), {
    changed: [first, second],
    unchanged: 0,
    missing: [UNKNOWN],
  });
  assertEquals((await linksOf(app.viewer)).map(({ id }) => id), [third]);
  assertEquals((await say([first], true)).missing, [first]);

  // The first page is already linked again, so restoring its old link changes nothing.
  const again = await addMatch(app.manager, productId, "https://shop.de/1");
  assertEquals(await say([first, second, UNKNOWN], false), {
    changed: [second],
    unchanged: 1,
    missing: [UNKNOWN],
  });
  const after = await linksOf(app.viewer);
  assertEquals(after.map(({ id }) => id), [second, third, again.id]);
  assertEquals(after[0], before[1]);
  assertEquals(
    await actionsOf(app.viewer, `competitor_product:${second}`),
    ["competitor_product.create", "competitor_product.delete", "competitor_product.create"],
  );
});

withCheckedApp.test("POST /api/competitor-products/removal restores no link of a deleted product", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const { id } = await addMatch(app.manager, productId, "https://shop.de/1");
  await app.manager.act(REMOVAL, { ids: [id], removed: true });
  await app.manager.delete(`/api/products/${productId}`);
  const { missing } = await app.manager.act(REMOVAL, { ids: [id], removed: false });
  assertEquals(missing, [id]);
});

withCheckedApp.test("POST /api/competitor-products/removal restores only links that can still be created", async (app) => {
  const full = await addProduct(app.manager, "A-1");
  const other = await addProduct(app.manager, "A-2");
  const links = [await addMatch(app.manager, full, "https://shop.de/old")];
  links.push(await addMatch(app.manager, other, "https://shop.de/other"));
  const ids = links.map(({ id }) => id);
  await app.manager.act(REMOVAL, { ids, removed: true });
  const more = Array.from({ length: MATCHES_PER_PRODUCT_MAX }, (_, n) => ({
    sku: "A-1",
    url: `https://shop.de/${n}`,
  }));
  await app.manager.act("/api/competitor-products/bulk", { links: more });
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
