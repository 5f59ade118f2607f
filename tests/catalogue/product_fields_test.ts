import fc from "fast-check";
import { bodyOf, column, refusalOf, refusedField, valuesOf } from "../api/answers.ts";
import { withApp } from "../harness.ts";
import { IMPORT, importFile, importXml, itemsXml, XLSX } from "../imports/import_calls.ts";
import { workbookOf } from "../imports/workbook.ts";
import {
  AMOUNT_NAMES,
  BULK_NAMES,
  type BulkName,
  charsMaxOf,
  FIELD_NAMES,
  FILTERED_NAMES,
  IMPORTED_NAMES,
  majorName,
  NUMBER_NAMES,
  PRODUCT_FIELDS,
  type ProductField,
  RECORD_NAMES,
  WRITTEN_NAMES,
  type WrittenForm,
} from "../../src/catalogue/products/product_field_table.ts";
import { PRICE_FIELDS, shard } from "../../src/catalogue/products/product.ts";
import {
  Attributes,
  Ean,
  ShopUrl,
  Sku,
  textOf,
  Title,
} from "../../src/catalogue/products/product_fields.ts";
import { ProductPatch } from "../../src/catalogue/products/product_input.ts";
import { CONDITIONS, readCondition } from "../../src/base/codes.ts";
import type { Caller } from "../caller.ts";
import { madeProduct } from "./catalogue_workspace.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const TEXTS = WRITTEN_NAMES.filter((name) => PRODUCT_FIELDS[name].written === "text");

const decimal = (value: number) => String(value).replace(".", ",");
type Sample = (name: string, n: number) => readonly [value: unknown, text: string];
type Fact = "sku" | "title" | "currency" | "ean" | "address" | "rate";
/** Other tests cover these forms. */
type OtherForm = Fact | "pairs" | "flag" | "instant" | "hours";
/** For each kind of field: the n-th sample value, and its text in a German file. */
const FORMS: Partial<Record<WrittenForm, Sample>> = {
  text: (name, n) => [`Wert ${name} ${n}`, `Wert ${name} ${n}`],
  amount: (_, n) => [1_001 + n, decimal((1_001 + n) / 100)],
  quantity: (_, n) => [n - 2.5, decimal(n - 2.5)],
  condition: (_, n) => n % 2 === 0 ? ["used", "gebraucht"] : ["damaged", "B-Ware"],
} satisfies Record<Exclude<WrittenForm, OtherForm>, Sample>;
type Name = (typeof WRITTEN_NAMES)[number];
const isTried = (name: Name) => FORMS[PRODUCT_FIELDS[name].written] !== undefined;
const TRIED = WRITTEN_NAMES.filter(isTried);
const IMPORTED = IMPORTED_NAMES.filter(isTried);
// A column for `tier` would also require a column with the tier's price.
const IN_TABLES = IMPORTED.filter((name) => name !== "tier");
const sampleOf = (name: Name, n: number) => FORMS[PRODUCT_FIELDS[name].written]!(name, n);
const valueOf = (name: Name, n = 0) => sampleOf(name, n)[0];
const shownText = (name: Name, n = 0) => sampleOf(name, n)[1];

Deno.test("a product has exactly the fields of the table; import slots have no gap, and names in the house format are unique", () => {
  assertEquals(Object.keys(madeProduct()).toSorted(), FIELD_NAMES.toSorted());
  const places = IMPORTED_NAMES.map((name) => PRODUCT_FIELDS[name].import);
  assertEquals(places.map(({ slot }) => slot), places.map((_, position) => position));
  const house = places.flatMap(({ house }) => [...house]);
  assertEquals(new Set(house).size, house.length);
});

Deno.test("docs/decisions/catalogue.md explains every filter", async () => {
  const text = await Deno.readTextFile("docs/decisions/catalogue.md");
  const [, filters = ""] = /^- \*\*Filters\*\*([^]*?)^- /m.exec(text) ?? [];
  assertEquals(FILTERED_NAMES.filter((name) => !new RegExp(`\`${name}\\b`).test(filters)), []);
});

Deno.test("names of amounts end in Cents, and each has a field in major units in the document", () => {
  assertEquals(AMOUNT_NAMES.filter((name) => !name.endsWith("Cents")), []);
  assertEquals(AMOUNT_NAMES.map(majorName), [...PRICE_FIELDS]);
});

Deno.test("the fields that requests write as numbers are listed", () => {
  const isNumber = (name: Name) =>
    ProductPatch.shape[name].safeParse(24).success && !name.endsWith("Cents");
  assertEquals(WRITTEN_NAMES.filter(isNumber).toSorted(), NUMBER_NAMES.toSorted());
});

Deno.test("every writable field has an input, except pairs of text and the hold of a price", () => {
  const forms = FIELD_NAMES.map((name): ProductField => PRODUCT_FIELDS[name])
    .filter(({ written }) => written !== "pairs" && written !== "instant");
  assertEquals(forms.filter(({ written, form }) => (written === null) !== (form === null)), []);
});

Deno.test("every column of its own has a cell in the web client's list", async () => {
  const columns = await Deno.readTextFile("src/client/pages/products/market_columns.tsx");
  const own = FIELD_NAMES.filter((name) => PRODUCT_FIELDS[name].column === "own").map(majorName);
  // `priceLocked` has no cell of its own, because the price column shows it.
  const missing = own.filter((name) => !columns.includes(`"${name}"`));
  assertEquals(missing, ["priceLocked"]);
});

withApp.test("every text, amount, quantity and condition is written, cleared, answered, exported, logged and found", async ({ owner }) => {
  const given = Object.fromEntries(TRIED.map((name) => [name, valueOf(name)]));
  const made = await owner.create("/api/products", { sku: "A", title: "A", ...given });
  await owner.create("/api/products", { sku: "B", title: "B" });
  const csv = await (await owner.get("/api/products.csv?dialect=excel")).text();
  const { items: [row] } = await owner.read("/api/audit-logs");
  const [head = [], cells = []] = csv.replace("\uFEFF", "").split("\r\n")
    .map((line) => line.slice(1, -1).split('";"'));
  for (const name of TRIED) {
    assertEquals(made[name], valueOf(name));
    const written = PRODUCT_FIELDS[name].written === "condition" ? valueOf(name) : shownText(name);
    assertEquals(cells[head.indexOf(majorName(name))], written, `${name} in the CSV`);
    assertEquals(row.after[name], valueOf(name), "in the audit log");
  }
  const found = async (name: string, value: string) => {
    const skus = async (more: readonly [string, string][]): Promise<string[]> => {
      const query = new URLSearchParams([[name, value], ...more]);
      const { items } = await owner.read(`/api/products?${query}`);
      return column(items, "sku");
    };
    const listed = await skus([]);
    assertEquals(await skus([["sort", "sku"]]), listed, `${name}, sorted`);
    assertEquals(await skus([["sort", "sku"], ["isHeld", "false"]]), listed, `${name}, not held`);
    const searched = await skus([["sort", "sku"], ["q", "A"]]);
    assertEquals(searched, listed.filter((sku) => sku === "A"), `${name}, searched`);
    return listed;
  };
  const ofTexts = FILTERED_NAMES.filter((name) => TEXTS.some((text) => text === name));
  for (const name of ofTexts) {
    assertEquals(await found(name, shownText(name)), ["A"], name);
    const part = PRODUCT_FIELDS[name].filter.match === "contains" ? ["A"] : [];
    assertEquals(await found(name, name.toUpperCase()), part, name);
    assertEquals(await found(name, "anderer"), [], name);
  }
  const cleared = Object.fromEntries(
    TRIED.map((name) => [name, PRODUCT_FIELDS[name].written === "text" ? "" : null]),
  );
  const after = await owner.change(`/api/products/${made.id}`, cleared);
  for (const name of TRIED) assertEquals(after[name], null);
});

withApp.test("every field of the house format is imported and changed by each of its names, and a text cleared", async (app) => {
  const key = await app.key(["products:write"]);
  const product = async () => (await app.owner.read("/api/products")).items[0];
  const longest = Math.max(...IMPORTED.map((name) => PRODUCT_FIELDS[name].import.house.length));
  const title = "<TITLE>A</TITLE>";
  for (let at = 0; at < longest; at++) {
    const named = IMPORTED.map((name) => ({ name, element: PRODUCT_FIELDS[name].import.house[at] }))
      .filter(({ element }) => element !== undefined);
    const xml = (text: (name: (typeof IMPORTED)[number]) => string) => {
      const more = named.map(({ name, element }) => `<${element}>${text(name)}</${element}>`);
      return itemsXml([{ sku: "A", more: title + more.join("") }]);
    };
    app.clock.advance(60_000);
    await importXml(key, xml((name) => shownText(name, at)));
    const changed = await product();
    for (const { name } of named) assertEquals(changed[name], valueOf(name, at));
    app.clock.advance(60_000);
    await importXml(key, xml(() => ""), "?force=true");
    const cleared = await product();
    for (const { name } of named) assertEquals(cleared[name], null, name);
  }
});

withApp.test("every field of records is read from CSV, workbooks and NDJSON by its name in both languages, and skipped when unchanged", async (app) => {
  const key = await app.key(["products:write"]);
  for (const [n, language] of (["de", "en"] as const).entries()) {
    const labels = IN_TABLES.map((name) => PRODUCT_FIELDS[name].label[language]);
    const header = ["SKU", "Titel", ...labels];
    const files = (at: number): readonly (readonly [string, string | Uint8Array])[] => {
      const line = ["A", "A", ...IN_TABLES.map((name) => shownText(name, at))];
      const object = Object.fromEntries(header.map((name, at) => [name, line[at]]));
      return [
        ["text/csv", `${header.join(";")}\r\n${line.join(";")}\r\n`],
        [XLSX, workbookOf([header, line])],
        ["application/x-ndjson", JSON.stringify(object)],
      ];
    };
    for (const at of [0, 1, 2]) {
      const [type = "", file = ""] = files(3 * n + at)[at] ?? [];
      app.clock.advance(60_000);
      await importFile(key, file, type);
      const { items: [product] } = await app.owner.read("/api/products");
      for (const name of IN_TABLES) assertEquals(product[name], valueOf(name, 3 * n + at), type);
      const { data: again } = await importFile(key, file, type);
      assertEquals([again.stats.updated, again.stats.skipped], [0, 1], type);
    }
  }
});

withApp.test("every text field takes as many characters as its row says, from API and import, and no more", async (app) => {
  const key = await app.key(["products:write"]);
  const texts = RECORD_NAMES.filter((name) => TEXTS.some((text) => text === name));
  const ofLength = (more: number) =>
    Object.fromEntries(texts.map((name) => [name, "w".repeat(charsMaxOf(name) + more)]));
  const written = ofLength(0);
  const made = await app.owner.create("/api/products", { sku: "A", title: "A", ...written });
  for (const [name, tooLong] of Object.entries(ofLength(1))) {
    const patch = { [name]: tooLong };
    assertEquals(await refusedField(app.owner.patch(`/api/products/${made.id}`, patch)), name);
  }
  const imported = async (values: Record<string, string>) => {
    app.clock.advance(60_000);
    const header = ["SKU", "Titel", ...texts.map((name) => PRODUCT_FIELDS[name].label.de)];
    const line = ["A", "A", ...texts.map((name) => values[name])];
    await importFile(key, `${header.join(";")}\r\n${line.join(";")}\r\n`, "text/csv");
    return await app.owner.read(`/api/products/${made.id}`);
  };
  const others = Object.fromEntries(texts.map((name) => [name, "v".repeat(charsMaxOf(name))]));
  const after = await imported(others);
  const left = await imported(ofLength(1));
  for (const name of texts) {
    assertEquals([made[name], after[name]], [written[name], others[name]]);
    assertEquals(left[name], others[name]);
  }
});

withApp.test("every field that can be set in bulk is set", async (app) => {
  const { id, ...before } = await app.owner.create("/api/products", { sku: "A", title: "A" });
  const others = {
    priceLocked: !before.priceLocked,
    heldUntil: "2036-12-01T00:00:00.000Z",
    scrapeEnabled: !before.scrapeEnabled,
    scrapeIntervalHours: 48,
    condition: "used",
  } satisfies Record<BulkName, unknown>;
  const set = Object.fromEntries(BULK_NAMES.map((name) => [name, others[name]]));
  await app.owner.act("/api/products/bulk", { ids: [id], set });
  const after = await app.owner.read(`/api/products/${id}`);
  for (const name of BULK_NAMES) assertEquals(after[name], set[name]);
});

const table: [string, { safeParse(value: unknown): { data?: unknown } }, unknown, unknown][] = [
  ["sku", Sku, " \u200BABC\u200B ", "ABC"],
  ["sku", Sku, "A\u0308-1", "Ä-1"],
  ["sku", Sku, "__proto__", "__proto__"],
  ["sku", Sku, "a/b?c=d#e%2F", "a/b?c=d#e%2F"],
  ["sku", Sku, "📦".repeat(128), "📦".repeat(128)],
  ["sku", Sku, "x".repeat(129), undefined],
  ["sku", Sku, "a\tb", undefined],
  ["sku", Sku, "  ", undefined],
  ["sku", Sku, "lone \ud800", undefined],
  ["title", Title, "Kabel\r\nzwei\tdrei", "Kabel zwei drei"],
  ["title", Title, "   ", undefined],
  ["title", Title, "\u0000Kabel", undefined],
  ["title", Title, "x".repeat(500), "x".repeat(500)],
  ["title", Title, "x".repeat(501), undefined],
  ["title", Title, "👩‍👩‍👧".repeat(200), undefined],
  ["brand", textOf(200), "", null],
  ["brand", textOf(200), null, null],
  ["ean", Ean, "4006381333931", "4006381333931"],
  ["ean", Ean, " 40063812 ", "40063812"],
  ["ean", Ean, "4006381333932", undefined],
  ["ean", Ean, "", null],
  ["url", ShopUrl, "https://shop.example/p/1?a=b", "https://shop.example/p/1?a=b"],
  ["url", ShopUrl, "javascript:alert(1)", undefined],
  ["url", ShopUrl, "ftp://shop.example", undefined],
  ["url", ShopUrl, "shop.example", undefined],
  ["url", ShopUrl, `https://shop.example/${"x".repeat(2_048)}`, undefined],
  ["attributes", Attributes, { colour: "rot" }, { colour: "rot" }],
  ["attributes", Attributes, { "": "rot" }, undefined],
  ["attributes", Attributes, { a: 1 }, undefined],
  ["attributes", Attributes, { ["k".repeat(65)]: "v" }, undefined],
  ["attributes", Attributes, { k: "v".repeat(1_001) }, undefined],
  ["attributes", Attributes, [], undefined],
];

Deno.test("each field accepts the documented values, in one normal form, and attributes hold 50 pairs and 16 KiB of JSON", () => {
  for (const [field, schema, value, expected] of table) {
    assertEquals(schema.safeParse(value).data, expected, `${field} ${JSON.stringify(value)}`);
  }
  const pairs = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v".repeat(length)]));
  const isTaken = (count: number, length: number) =>
    Attributes.safeParse(pairs(count, length)).success;
  assertEquals([isTaken(50, 1), isTaken(51, 1)], [true, false]);
  assertEquals([isTaken(16, 900), isTaken(20, 900)], [true, false]);
});

Deno.test("shard() is frozen: stored keys contain it", () => {
  const shards = ["", "A", "SKU-1", "4711-A", "Ä-1", "📦", "x".repeat(128)].map(shard);
  assertEquals(shards, [60, 27, 59, 23, 5, 23, 56]);
  const used = new Set(Array.from({ length: 2_000 }, (_, n) => shard(`SKU-${n}`)));
  assertEquals([used.size, Math.min(...used), Math.max(...used)], [64, 0, 63]);
});

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
