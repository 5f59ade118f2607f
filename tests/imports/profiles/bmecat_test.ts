import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { ImportProfile } from "../../../src/imports/profiles/xml_profile.ts";
import { bmecat } from "../../../src/imports/profiles/profiles.ts";
import { codesOf, readText } from "../upload_reading.ts";

interface Document {
  readonly header?: string;
  readonly transaction?: string;
  readonly after?: string;
  readonly tier?: string;
}

/** Reads articles inside a catalogue. The options fill the rest of the catalogue. */
function read(
  articles: string,
  { header = "", transaction = "T_NEW_CATALOG", after = "", tier }: Document = {},
) {
  return readText(
    `<BMECAT version="1.2"><HEADER><CATALOG>${header}</CATALOG></HEADER>` +
      `<${transaction}>${articles}${after}</${transaction}></BMECAT>`,
    tier === undefined ? {} : { tier },
  );
}

const article = (inner: string, attributes = "") =>
  `<ARTICLE${attributes}><SUPPLIER_AID>A</SUPPLIER_AID>${inner}</ARTICLE>`;
const price = (type: string, amount: string, more = "") =>
  `<ARTICLE_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${more}</ARTICLE_PRICE>`;
const details = (prices: string, dates = "") =>
  `<ARTICLE_PRICE_DETAILS>${dates}${prices}</ARTICLE_PRICE_DETAILS>`;
const date = (type: string, day: string) =>
  `<DATETIME type="${type}"><DATE>${day}</DATE></DATETIME>`;

Deno.test("bmecat reads all three transactions, in the element names of both versions", async () => {
  for (const transaction of ["T_NEW_CATALOG", "T_UPDATE_PRODUCTS", "T_UPDATE_PRICES"]) {
    const product = "<PRODUCT><SUPPLIER_PID>P</SUPPLIER_PID></PRODUCT>";
    const { records } = await read(article("") + product, { transaction });
    assertEquals(records.map(({ sku }) => sku), ["A", "P"], transaction);
  }
});

Deno.test("bmecat divides by PRICE_QUANTITY at any place, and rounds half up once", async () => {
  const order = (quantity: string) =>
    `<ARTICLE_ORDER_DETAILS><PRICE_QUANTITY>${quantity}</PRICE_QUANTITY></ARTICLE_ORDER_DETAILS>`;
  const cents = async (inner: string) =>
    (await read(article(inner))).records[0]?.patch?.ourPriceCents;
  assertEquals(await cents(order("100") + details(price("net_list", "10.5"))), 11);
  assertEquals(await cents(details(price("net_list", "17.5")) + order("100")), 18);
  assertEquals(await cents(order("3") + details(price("net_list", "10.00"))), 333);
  assertEquals(await cents(order("0.5") + details(price("net_list", "10.00"))), 2_000);
  assertEquals(await cents(order("1") + details(price("net_list", "17.779"))), 1_778);
  assertEquals(await cents(order("0") + details(price("net_list", "1"))), undefined);
});

Deno.test("bmecat takes prices that are valid today, each block by its own dates", async () => {
  const of = (from: string | null, until: string | null) =>
    (from === null ? "" : date("valid_start_date", from)) +
    (until === null ? "" : date("valid_end_date", until));
  const cases: [string, boolean][] = [
    [of("2026-11-20", "2026-11-20"), true],
    [of(null, "2026-11-19"), false],
    [of("2026-11-21", null), false],
    [of(null, null), true],
    [of("2020-01-01", null), true],
    [of(null, "9999-12-31"), true],
    ["<VALID_START_DATE>2020-01-01</VALID_START_DATE>", true],
    ["<VALID_END_DATE>2020-01-01</VALID_END_DATE>", false],
    ["<DATETIME><DATE>2018-01-08</DATE></DATETIME>", true],
  ];
  for (const [dates, isCurrent] of cases) {
    const { records } = await read(article(details(price("net_list", "5"), dates)));
    assertEquals(records[0]?.patch?.ourPriceCents, isCurrent ? 500 : undefined, dates);
  }
  const old = details(price("net_list", "4"), of(null, "2020-01-01"));
  const late = `<ARTICLE_PRICE_DETAILS>${price("net_list", "6")}${
    of("2026-01-01", null)
  }</ARTICLE_PRICE_DETAILS>`;
  const { records } = await read(article(old + late));
  assertEquals(
    records[0]?.patch?.prices?.rows.map(({ amountCents, validFrom }) => [amountCents, validFrom]),
    [[600, "2025-12-31T23:00:00.000Z"]],
  );
});

Deno.test("bmecat takes ourPrice from the named price type or the only one, never just the first", async () => {
  const both = article(details(price("net_list", "5") + price("nrp", "7")));
  const several = await read(both);
  assertEquals(several.records[0]?.patch?.ourPriceCents, undefined);
  assertEquals(codesOf(several), [["ambiguous_tier"]]);
  const named = await read(both, { tier: "NRP" });
  assertEquals([named.records[0]?.patch?.ourPriceCents, named.records[0]?.patch?.tier], [
    700,
    "nrp",
  ]);
  const only = await read(article(details(price("net_list", "5"))));
  assertEquals(only.records[0]?.patch?.ourPriceCents, 500);
});

Deno.test("bmecat takes a supplier's own price type only if it is named", async () => {
  const own = article(details(price("udp_einkauf", "5")));
  const alone = await read(own);
  const patch = alone.records[0]?.patch;
  assertEquals([patch?.ourPriceCents, patch?.prices?.rows.length], [undefined, 1]);
  assertEquals(codesOf(alone), [["no_current_price"]]);
  const listed = await read(article(details(price("udp_x", "5") + price("net_list", "7"))));
  assertEquals(listed.records[0]?.patch?.ourPriceCents, 700);
  const named = await read(own, { tier: "udp_einkauf" });
  assertEquals(named.records[0]?.patch?.ourPriceCents, 500);
});

Deno.test("bmecat takes the cost from net_customer and the target price from nrp, per piece", async () => {
  const bulk = price("net_customer", "2", "<LOWER_BOUND>10</LOWER_BOUND>");
  const rows = bulk + price("net_customer", "3", "<LOWER_BOUND>1</LOWER_BOUND>") +
    price("nrp", "7.99");
  const { records } = await read(article(details(rows)));
  const { costPriceCents, targetPriceCents, amountsIn } = records[0]!.patch!;
  assertEquals([costPriceCents, targetPriceCents, amountsIn], [300, 799, "EUR"]);
});

Deno.test("bmecat takes the currency of the row, else of the file, and none that is unreadable", async () => {
  const rows = price("net_list", "5") +
    price("gros_list", "6", "<PRICE_CURRENCY>CHF</PRICE_CURRENCY>");
  const swiss = await read(article(details(rows)), { header: "<CURRENCY>CHF</CURRENCY>" });
  assertEquals(swiss.records[0]?.patch?.currency, "CHF");
  assertEquals(swiss.records[0]?.patch?.prices?.rows.map(({ currency }) => currency), [
    "CHF",
    "CHF",
  ]);
  const old = await read(article(details(rows)), { header: "<CURRENCY>DEM</CURRENCY>" });
  assertEquals(codesOf(old), [["invalid_currency"]]);
  assertEquals(old.records[0]?.patch?.prices?.rows.map(({ currency }) => currency), ["CHF"]);
});

Deno.test("bmecat finds the category of a group, listed before or after the articles", async () => {
  const tree = "<CATALOG_GROUP_SYSTEM><CATALOG_STRUCTURE type='leaf'><GROUP_ID>5</GROUP_ID>" +
    "<GROUP_NAME>Hemden</GROUP_NAME></CATALOG_STRUCTURE></CATALOG_GROUP_SYSTEM>";
  const map =
    "<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>A</ART_ID><CATALOG_GROUP_ID>5</CATALOG_GROUP_ID>" +
    "</ARTICLE_TO_CATALOGGROUP_MAP>";
  const other = map.replace(">5<", ">6<");
  const category = async (before: string, after: string) =>
    (await read(before + article(""), { after })).records[0]?.patch?.category;
  assertEquals(await category(tree, map), "Hemden");
  assertEquals(await category("", map + tree), "Hemden");
  assertEquals(await category(tree, map + other), "Hemden");
  assertEquals(await category(tree, other), undefined);
});

Deno.test("bmecat takes the EAN from EAN or an INTERNATIONAL_PID of type gtin, ean or upc", async () => {
  const ean = async (inner: string) => {
    const product =
      `<PRODUCT><SUPPLIER_PID>P</SUPPLIER_PID><PRODUCT_DETAILS>${inner}</PRODUCT_DETAILS></PRODUCT>`;
    return (await read(product)).records[0]?.patch?.ean;
  };
  const id = (type: string, value: string) =>
    `<INTERNATIONAL_PID type="${type}">${value}</INTERNATIONAL_PID>`;
  assertEquals(await ean(id("gtin", "4006381333931")), "4006381333931");
  assertEquals(await ean(id("EAN", "4006381333931")), "4006381333931");
  assertEquals(await ean(id("upc", "036000291452")), "036000291452");
  assertEquals(await ean(id("isbn", "4006381333931")), undefined);
  assertEquals(await ean(id("isbn", "1") + id("ean", "4006381333931")), "4006381333931");
});

Deno.test("bmecat deletes articles of mode delete without further findings", async () => {
  const { records } = await read(
    article(
      "<ARTICLE_DETAILS><DESCRIPTION_SHORT>T</DESCRIPTION_SHORT></ARTICLE_DETAILS>",
      ' mode="delete"',
    ),
  );
  assertEquals(records[0]?.patch, { sku: "A", isDeleted: true });
});

Deno.test("bmecat reads dots as decimal separators, and a single comma with a warning", async () => {
  const dots = await read(article(details(price("net_list", "17.779"))));
  assertEquals([dots.records[0]?.patch?.ourPriceCents, codesOf(dots)], [1_778, [[]]]);
  const comma = await read(article(details(price("net_list", "17,5"))));
  assertEquals([comma.records[0]?.patch?.ourPriceCents, codesOf(comma)], [1_750, [[
    "dot_decimal",
  ]]]);
});

Deno.test("bmecat does not read another root", async () => {
  const { PROFILES } = await import("../../../src/imports/profiles/profiles.ts");
  const profile = PROFILES.find(({ id }) => id === "bmecat")!;
  const { refused } = await readText("<ITEMS><ITEM><SKU>1</SKU></ITEM></ITEMS>", { profile });
  assertEquals(refused?.code, "unexpected_root");
});

Deno.test("a refused BMEcat record gives the same prices after correction in the house format", async () => {
  const order = (quantity: string) =>
    `<ARTICLE_ORDER_DETAILS><PRICE_QUANTITY>${quantity}</PRICE_QUANTITY></ARTICLE_ORDER_DETAILS>`;
  const until = (day: string) => date("valid_end_date", day);
  const from = (day: string) => date("valid_start_date", day);
  const ofNet = (amount: string, dates = "") => details(price("net", amount), dates);
  const cases: [string, string][] = [
    ["an end to come", ofNet("12.50", from("2026-01-01") + until("2026-12-31"))],
    ["an end before today", ofNet("12.50", until("2026-11-19"))],
    ["a start to come", ofNet("12.50", from("2026-11-21"))],
    ["both to come", ofNet("12.50", from("2026-11-21") + until("2026-12-31"))],
    ["a quantity", order("100") + ofNet("1050.00", until("2026-12-31"))],
    ["a quantity that is none", order("x") + ofNet("1050.00")],
    ["a quantity of zero", order("0") + ofNet("1050.00")],
    [
      "a least quantity with a dot",
      ofNet("1.5") + details(price("bulk", "1.2", "<LOWER_BOUND>10.000</LOWER_BOUND>")),
    ],
  ];
  for (const [what, inner] of cases) {
    const header = "<CURRENCY>USD</CURRENCY>";
    const { records: [good] } = await read(article(inner), { header });
    const nameless = article(inner).replace("<SUPPLIER_AID>A</SUPPLIER_AID>", "");
    const { records: [refused] } = await read(nameless, { header });
    const mended = refused!.refusedXml!.replace("<ITEM>", "<ITEM><SKU>A</SKU>");
    const { records: [again] } = await readText(`<ITEMS>${mended}</ITEMS>`);
    assertEquals(again!.patch, good!.patch, `${what}: ${mended}`);
  }
});

Deno.test("a copy of bmecat that transforms SKUs finds the categories of its products", async () => {
  const sku = { ...bmecat.fields.sku, transform: "strip_leading_zeros" as const };
  const profile = ImportProfile.parse({ ...bmecat, fields: { ...bmecat.fields, sku } });
  const articles = ["0042", "7", "a\u0308"].map((no) =>
    `<ARTICLE><SUPPLIER_AID>${no}</SUPPLIER_AID></ARTICLE>`
  );
  const map = ["0042", "007", "\u00e4"].map((no) =>
    `<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>${no}</ART_ID><CATALOG_GROUP_ID>5</CATALOG_GROUP_ID>` +
    "</ARTICLE_TO_CATALOGGROUP_MAP>"
  );
  const tree = "<CATALOG_GROUP_SYSTEM><CATALOG_STRUCTURE><GROUP_ID>5</GROUP_ID>" +
    "<GROUP_NAME>Hemden</GROUP_NAME></CATALOG_STRUCTURE></CATALOG_GROUP_SYSTEM>";
  const { records } = await readText(
    `<BMECAT><T_NEW_CATALOG>${tree}${articles.join("")}${map.join("")}</T_NEW_CATALOG></BMECAT>`,
    { profile },
  );
  assertEquals(records.map(({ patch }) => [patch?.sku, patch?.category]), [
    ["42", "Hemden"],
    ["7", "Hemden"],
    ["\u00e4", "Hemden"],
  ]);
});
