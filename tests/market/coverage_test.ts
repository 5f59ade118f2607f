import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { TimeSlice } from "../../src/platform/event_loop.ts";
import { type Coverage, coverageOf } from "../../src/market/read_coverage.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { addProduct, answered, refused } from "../shops/shop.ts";
import { csvCells, germanTime } from "../csv_cells.ts";
import { withApp } from "../harness.ts";
import { sheetsOf } from "../read_workbook.ts";

interface Gaps {
  readonly items: readonly { readonly sku: string }[];
  readonly nextCursor: string | null;
}

withApp.test("coverage counts products by brand and shop; lists, files and answers to keys show missing links", async (app) => {
  const { manager, viewer } = app;
  const shops: string[] = [];
  for (const domain of ["one.example", "two.example", "off.example"]) {
    const body = { domain, enabled: domain !== "off.example" };
    shops.push((await answered<{ id: string }>(manager.post("/api/competitors", body), 201)).id);
  }
  const [one = "", two = ""] = shops;
  const products: Record<string, string> = {};
  for (
    const [sku, brand] of [["A-1", "Bosch"], ["A-2", "Bosch"], ["A-3", "Makita"], ["A-4", null]]
  ) {
    products[sku ?? ""] = await addProduct(manager, sku ?? "", {
      title: `Gerät ${sku}`,
      ...(brand && { brand }),
    });
  }
  const link = async (sku: string, host: string, more: Record<string, unknown> = {}) =>
    (await answered<{ id: string }>(
      manager.post("/api/competitor-products", {
        productId: products[sku],
        url: `https://${host}.example/${sku}/${Object.keys(more).length}`,
        ...more,
      }),
      201,
    )).id;
  await link("A-1", "one", { confirmed: true });
  // A second page at the same shop does not count the product again.
  await link("A-1", "one");
  await link("A-1", "two");
  const wrong = await link("A-2", "one");
  await link("A-3", "off");
  await answered(manager.post(`/api/competitor-products/${wrong}/reject`), 200);

  const read = (by = "brand") => answered<Coverage>(viewer.get(`/api/coverage?by=${by}`), 200);
  const found = await read();
  const cellsOf = ({ shops }: Pick<Coverage["groups"][number], "shops">) =>
    shops.map(({ linked, confirmed, percent }) => [linked, confirmed, percent]);
  assertEquals(found.shops.map(({ competitorId }) => competitorId), [one, two].toSorted());
  assertEquals([found.products, found.anywhere, found.atThree, found.rest], [4, 1, 0, null]);
  assertEquals(cellsOf(found), [[1, 1, 25], [1, 0, 25]]);
  assertEquals(found.groups.map((group) => [group.name, group.products, cellsOf(group)]), [
    ["Bosch", 2, [[1, 1, 50], [1, 0, 50]]],
    ["Makita", 1, [[0, 0, 0], [0, 0, 0]]],
    [null, 1, [[0, 0, 0], [0, 0, 0]]],
  ]);
  assertEquals((await read("category")).groups.map(({ name }) => name), [null]);

  const gaps = (missing: string, more = "") =>
    answered<Gaps>(viewer.get(`/api/coverage/products?missing=${missing}${more}`), 200);
  const skus = ({ items }: Gaps) => items.map(({ sku }) => sku).toSorted();
  assertEquals(skus(await gaps(one)), ["A-2", "A-3", "A-4"]);
  assertEquals(skus(await gaps(two, "&brand=bosch")), ["A-2"]);
  assertEquals(skus(await gaps("any")), ["A-2", "A-3", "A-4"]);
  const first = await gaps("any", "&limit=2");
  const second = await gaps("any", `&limit=2&cursor=${first.nextCursor}`);
  assertEquals([...skus(first), ...skus(second)].toSorted(), ["A-2", "A-3", "A-4"]);
  assertEquals(
    await refused(viewer.get("/api/coverage/products?missing=x"), 400),
    "validation_failed",
  );
  assertEquals(
    skus(await answered<Gaps>(viewer.get(`/api/products?missing=${one}`), 200)),
    ["A-2", "A-3", "A-4"],
  );
  const file = "/api/coverage/products";
  const cells = async (query: string) =>
    csvCells(await (await viewer.get(`${file}.csv?${query}`)).text(), ";");
  const [names, ...rows] = await cells(`missing=${two}`);
  const [german, ...worded] = await cells(`missing=${two}&lang=de`);
  const words = new Map([["true", "ja"], ["false", "nein"]]);
  const said = rows.map((row) => row.map((cell) => words.get(cell) ?? germanTime(cell)));
  assertEquals([rows.length, worded], [3, said]);
  const at = names?.indexOf("mpn") ?? -1;
  assertEquals([names?.length, german?.[at]], [german?.length, "Herstellernr."]);
  const workbook = await viewer.get(`${file}.xlsx?missing=${two}&lang=de`);
  const { "1": sheet = [] } = await sheetsOf(new Uint8Array(await workbook.arrayBuffer()));
  assertEquals([sheet.length, sheet[0]], [1 + 3, german]);
  for (const query of ["lang=fr", "limit=2", "missing=x"]) {
    assertEquals(await refused(viewer.get(`${file}.xlsx?${query}`), 400), "validation_failed");
  }

  const key = await app.key([]);
  const { data } = await answered<{ data: Coverage }>(key.get("/api/public/v1/coverage"), 200);
  assertEquals(data.groups, found.groups);
  const page = await answered<{ data: { sku: string }[] }>(
    key.get(`/api/public/v1/coverage/products?missing=${two}`),
    200,
  );
  assertEquals(page.data.map(({ sku }) => sku).toSorted(), ["A-2", "A-3", "A-4"]);
});

Deno.test("groups beyond the largest are merged into one, and every product counts once", async () => {
  const table = new MarketTable(100_000);
  const shops = ["1", "2", "3", "4", "5"].map((digit) => digit.repeat(24));
  for (let n = 0; n < 100_000; n++) {
    const id = n.toString(16).padStart(24, "0");
    const brand = n % 2 === 0 ? "Alle" : `Marke ${n % 1_001}`;
    table.put({
      id,
      ourCents: 100,
      brand,
      category: null,
      tier: null,
      currency: "EUR",
      folded: { brand: brand.toLowerCase(), category: null, tier: null, currency: "eur" },
      facts: {
        state: "never_seen",
        links: n % 5,
        offers: [],
        cheapest: null,
        comparedCents: 100,
        own: null,
        medianCents: null,
        averageCents: null,
        newestAtMs: null,
        marginPct: null,
        changesAtMs: null,
      },
      links: shops.slice(0, n % 5).map((competitorId, at) => ({
        matchId: id.slice(1) + at,
        competitorId,
        isConfirmed: n % 3 === 0,
      })),
      proposal: null,
      ruleId: null,
      labels: { sku: id, title: "" },
      updatedAtMs: 0,
    }, 0);
  }
  const slice = new TimeSlice();
  const found = await coverageOf(table, "brand", shops, slice);
  assertEquals(found.all.products, 100_000);
  assertEquals(found.all.cells.map(({ linked }) => linked), [80_000, 60_000, 40_000, 20_000, 0]);
  assertEquals([found.anywhere, found.atThree], [80_000, 40_000]);
  assertEquals([found.groups.length, found.groups[0]?.name, found.groups[0]?.products], [
    200,
    "Alle",
    50_000,
  ]);
  const told = found.groups.reduce((sum, { products }) => sum + products, 0);
  assertEquals(told + (found.rest?.products ?? 0), 100_000);
  const linked = [...found.groups, found.rest].reduce(
    (sum, group) => sum + (group?.cells[0]?.linked ?? 0),
    0,
  );
  assertEquals(linked, 80_000);
});
