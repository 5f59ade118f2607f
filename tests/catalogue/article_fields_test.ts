import fc from "fast-check";
import { CONDITIONS, readCondition } from "../../src/base/codes.ts";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { withApp } from "../harness.ts";
import { IMPORT, importXml, itemsXml } from "../imports/import_calls.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const NAMES = [
  "minPriceCents",
  "maxPriceCents",
  "shippingPriceCents",
  "condition",
  "stock",
] as const;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (product: Fields) => NAMES.map((name) => product[name]);
const bySku = async (caller: Caller, query = "") => {
  const { items } = await caller.read(`/api/products?limit=200&${query}`);
  return new Map<string, Fields>(items.map((product: { sku: string }) => [product.sku, product]));
};
const skusOf = async (caller: Caller, query: string) => [...(await bySku(caller, query)).keys()];

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
    const { error } = await bodyOf(app.owner.post("/api/products", body), 400);
    assertEquals(error.details.fields.map((field: { path: string }) => field.path), [path]);
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
  await importXml(
    key,
    itemsXml([{
      sku: "A",
      more: "<TITLE>A</TITLE><MINPRICE>5,00</MINPRICE><STOCK>7</STOCK><CONDITION>neu</CONDITION>",
    }]),
  );
  const { data: job } = await importXml(
    key,
    itemsXml([{
      sku: "A",
      more:
        "<TITLE>A</TITLE><MINPRICE>viel</MINPRICE><STOCK>genug</STOCK><CONDITION>wie neu?</CONDITION>",
    }]),
  );
  const { data } = await key.read(`${IMPORT}/${job.jobId}/errors`);
  assertEquals(
    data.map(({ code, field }: { code: string; field: string }) => `${field} ${code}`).toSorted(),
    [
      "CONDITION unknown_condition",
      "MINPRICE invalid_number",
      "STOCK invalid_number",
      "null no_price_column",
    ],
  );
  assertEquals(fieldsOf((await bySku(app.owner)).get("A") ?? {}), [500, null, null, "new", 7]);
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
