import fc from "fast-check";
import { CONDITIONS, readCondition } from "../../src/base/codes.ts";
import { bodyOf, column, refusalOf, valuesOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { withApp } from "../harness.ts";
import { IMPORT, importXml, itemsXml } from "../imports/import_calls.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

type Fields = Readonly<Record<string, unknown>>;

const skusOf = async (caller: Caller, query: string) =>
  column((await caller.read(`/api/products?${query}`)).items, "sku");

const REFUSED: readonly (readonly [Fields, string])[] = [
  [{ minPrice: -1 }, "minPrice"],
  [{ maxPrice: "9.999" }, "maxPrice"],
  [{ shippingPriceCents: 1.5 }, "shippingPriceCents"],
  [{ minPrice: 5, minPriceCents: 5 }, "minPrice"],
  [{ condition: "NEW" }, "condition"],
  [{ stock: "7" }, "stock"],
  [{ stock: 0.0001 }, "stock"],
  [{ stock: 1e12 }, "stock"],
];

withApp.test("invalid values are refused with the path of their field", async (app) => {
  for (const [fields, path] of REFUSED) {
    const body = { sku: "A", title: "A", ...fields };
    const { details } = await refusalOf(app.owner.post("/api/products", body));
    assertEquals(column(details.fields, "path"), [path]);
  }
});

withApp.test("lists can be filtered by condition and stock, sorted and counted, also by a key", async ({ owner }) => {
  const products: readonly Fields[] = [
    { sku: "A", condition: "new", stock: 3 },
    { sku: "B", condition: "new", stock: 0 },
    { sku: "C", condition: "used", stock: 0.5 },
    { sku: "D", brand: "Bosch" },
    { sku: "E", condition: "new", stock: -1, brand: "Bosch" },
  ];
  for (const product of products) {
    await owner.create("/api/products", { title: `Kanne ${product.sku}`, ...product });
  }
  const wanted: readonly (readonly [string, readonly string[]])[] = [
    ["condition=new", ["A", "B", "E"]],
    ["condition=used&stock=true", ["C"]],
    ["stock=true", ["A", "C"]],
    ["stock=false", ["B", "D", "E"]],
    ["stock=false&brand=bosch", ["D", "E"]],
    ["q=kanne&condition=new&stock=true", ["A"]],
    ["sku=A&condition=used", []],
    ["isHeld=false&condition=new", ["A", "B", "E"]],
  ];
  for (const [query, skus] of wanted) {
    assertEquals(await skusOf(owner, query), skus, query);
    assertEquals(await skusOf(owner, `${query}&sort=sku&order=asc`), skus, `${query}, sorted`);
    const { total } = await owner.read(`/api/products?${query}`);
    assertEquals(total, skus.length, `${query}, counted`);
  }
  await bodyOf(owner.get("/api/products?stock=many"), 400);
});

withApp.test("an unreadable value is a warning, and the stored value stays", async (app) => {
  const key = await app.key(["products:write"]);
  const send = (price: string, stock: string, condition: string) => {
    const more = `<MINPRICE>${price}</MINPRICE><STOCK>${stock}</STOCK>`;
    const item = { sku: "A", title: "A", more: `${more}<CONDITION>${condition}</CONDITION>` };
    return importXml(key, itemsXml([item]));
  };
  await send("5,00", "7", "neu");
  const { data: job } = await send("viel", "genug", "wie neu?");
  const { data } = await key.read(`${IMPORT}/${job.jobId}/errors`);
  assertEquals(valuesOf(data, "field", "code").toSorted(), [
    [null, "no_price_column"],
    ["CONDITION", "unknown_condition"],
    ["MINPRICE", "invalid_number"],
    ["STOCK", "invalid_number"],
  ]);
  const { items } = await app.owner.read("/api/products");
  assertEquals(valuesOf(items, "minPriceCents", "condition", "stock"), [[500, "new", 7]]);
});

Deno.test("readCondition() reads every code, and nothing else that may stand in its place", () => {
  for (const condition of CONDITIONS) assertEquals(readCondition(` ${condition} `), condition);
  assertEquals(readCondition("https://schema.org/RefurbishedCondition"), "refurbished");
  assertEquals(readCondition("Generalüberholt"), "refurbished");
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const read = readCondition(text);
    ok(read === null || CONDITIONS.includes(read));
  }));
});
