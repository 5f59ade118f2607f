import { valuesOf } from "../../api/answers.ts";
import { ImportProfile } from "../../../src/imports/profiles/xml_profile.ts";
import { bmecat } from "../../../src/imports/profiles/built_in_profiles.ts";
import { codesOf, readText } from "../upload_reading.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

type Given = { readonly header?: string; readonly transaction?: string; readonly after?: string };

async function read(articles: string, given: Given & Parameters<typeof readText>[1] = {}) {
  const { header = "", transaction = "T_NEW_CATALOG", after = "", ...setting } = given;
  const upload = await readText(
    `<BMECAT version="1.2"><HEADER><CATALOG>${header}</CATALOG></HEADER>` +
      `<${transaction}>${articles}${after}</${transaction}></BMECAT>`,
    setting,
  );
  const { records } = upload;
  return { records, patch: records[0]?.patch, codes: codesOf(upload)[0] };
}

const article = (inner: string, attributes = "") =>
  `<ARTICLE${attributes}><SUPPLIER_AID>A</SUPPLIER_AID>${inner}</ARTICLE>`;
const order = (quantity: string) =>
  `<ARTICLE_ORDER_DETAILS><PRICE_QUANTITY>${quantity}</PRICE_QUANTITY></ARTICLE_ORDER_DETAILS>`;
const price = (type: string, amount: string, more = "") =>
  `<ARTICLE_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${more}</ARTICLE_PRICE>`;
const details = (prices: string, dates = "") =>
  `<ARTICLE_PRICE_DETAILS>${dates}${prices}</ARTICLE_PRICE_DETAILS>`;
const date = (type: string, day: string) =>
  `<DATETIME type="${type}"><DATE>${day}</DATE></DATETIME>`;
const from = (day: string) => date("valid_start_date", day);
const until = (day: string) => date("valid_end_date", day);
const list = (amount: string, dates = "") => details(price("net_list", amount), dates);

Deno.test("bmecat reads all three transactions, in the element names of both versions", async () => {
  for (const transaction of ["T_NEW_CATALOG", "T_UPDATE_PRODUCTS", "T_UPDATE_PRICES"]) {
    const product = "<PRODUCT><SUPPLIER_PID>P</SUPPLIER_PID></PRODUCT>";
    const { records } = await read(article("") + product, { transaction });
    assertEquals(records.map(({ sku }) => sku), ["A", "P"], transaction);
  }
});

const LISTS = details(price("net_list", "5") + price("nrp", "7"));
const UDP_AND_LIST = details(price("udp_x", "5") + price("net_list", "7"));
const OWN_TYPE = details(price("udp_einkauf", "5"));
const NONE = "no_current_price";
const BEGUN = "<VALID_START_DATE>2020-01-01</VALID_START_DATE>";
const ENDED = "<VALID_END_DATE>2020-01-01</VALID_END_DATE>";
const UNTYPED = "<DATETIME><DATE>2018-01-08</DATE></DATETIME>";
const TODAY = from("2026-11-20") + until("2026-11-20");

type OurPrice = [
  what: string,
  inner: string,
  priceType: string,
  cents: number | undefined,
  ...codes: string[],
];

const OUR_PRICES: readonly OurPrice[] = [
  ["a hundredth of the price for 100, rounded up once", order("100") + list("10.5"), "", 11],
  ["a hundredth, although the quantity comes last", list("17.5") + order("100"), "", 18],
  ["a third of the price for 3, rounded down", order("3") + list("10.00"), "", 333],
  ["twice the price of half a piece", order("0.5") + list("10.00"), "", 2_000],
  ["no price for 0 pieces", order("0") + list("1"), "", undefined, "invalid_number"],
  ["a price with a decimal point", list("17.779"), "", 1_778],
  ["a price with a decimal comma", list("17,5"), "", 1_750, "dot_decimal"],
  ["a price of 0, with a warning", list("0.00"), "", 0, "zero_price"],
  ["a price that is valid only today", list("5", TODAY), "", 500],
  ["no price that ended yesterday", list("5", until("2026-11-19")), "", undefined, NONE],
  ["no price that begins tomorrow", list("5", from("2026-11-21")), "", undefined, NONE],
  ["a price that has begun", list("5", from("2020-01-01")), "", 500],
  ["a price without an end", list("5", until("9999-12-31")), "", 500, "open_end_sentinel"],
  ["a price with dates of version 2005", list("5", BEGUN), "", 500],
  ["no price that ended, with dates of version 2005", list("5", ENDED), "", undefined, NONE],
  ["a price with a date without a type", list("5", UNTYPED), "", 500],
  ["no price if there are several types", LISTS, "", undefined, "ambiguous_tier"],
  ["the price of the requested type", LISTS, "NRP", 700],
  ["no price of a supplier's own type", OWN_TYPE, "", undefined, NONE],
  ["the price of a standard type before a supplier's own", UDP_AND_LIST, "", 700],
  ["the price of a supplier's own type if requested", OWN_TYPE, "udp_einkauf", 500],
];

for (const [what, inner, priceType, cents, ...codes] of OUR_PRICES) {
  Deno.test(`bmecat takes as our price ${what}`, async () => {
    const found = await read(article(inner), { tier: priceType || null });
    assertEquals([found.patch?.ourPriceCents, found.codes], [cents, codes]);
  });
}

Deno.test("bmecat names the tier of our price, and keeps prices that are not ours", async () => {
  assertEquals((await read(article(LISTS), { tier: "NRP" })).patch?.tier, "nrp");
  assertEquals((await read(article(OWN_TYPE))).patch?.prices?.rows.length, 1);
});

Deno.test("bmecat keeps the prices of each block whose dates include today", async () => {
  const old = list("4", until("2020-01-01"));
  // In this block of prices, the dates come after the price.
  const late = details(price("net_list", "6") + from("2026-01-01"));
  const { patch } = await read(article(old + late));
  const rows = valuesOf(patch?.prices?.rows ?? [], "amountCents", "validFrom");
  assertEquals(rows, [[600, "2025-12-31T23:00:00.000Z"]]);
});

Deno.test("bmecat takes the cost from net_customer and the target price from nrp, per piece", async () => {
  const bulk = price("net_customer", "2", "<LOWER_BOUND>10</LOWER_BOUND>");
  const single = price("net_customer", "3", "<LOWER_BOUND>1</LOWER_BOUND>");
  const { patch } = await read(article(details(bulk + single + price("nrp", "7.99"))));
  const { costPriceCents, targetPriceCents, amountsIn } = patch!;
  assertEquals([costPriceCents, targetPriceCents, amountsIn], [300, 799, "EUR"]);
});

Deno.test("bmecat takes the currency of the row, else of the file, and none that is unreadable", async () => {
  const row = "<PRICE_CURRENCY>CHF</PRICE_CURRENCY>";
  const rows = details(price("net_list", "5") + price("gros_list", "6", row));
  const inFile = async (currency: string) => {
    const header = `<CURRENCY>${currency}</CURRENCY>`;
    const { patch, codes } = await read(article(rows), { header });
    return [patch?.currency, patch?.prices?.rows.map(({ currency }) => currency), codes];
  };
  assertEquals(await inFile("CHF"), ["CHF", ["CHF", "CHF"], ["ambiguous_tier"]]);
  assertEquals(await inFile("DEM"), ["CHF", ["CHF"], ["invalid_currency"]]);
});

const TREE = "<CATALOG_GROUP_SYSTEM><CATALOG_STRUCTURE type='leaf'><GROUP_ID>5</GROUP_ID>" +
  "<GROUP_NAME>Hemden</GROUP_NAME></CATALOG_STRUCTURE></CATALOG_GROUP_SYSTEM>";
const inGroup = (sku: string, group = 5) =>
  `<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>${sku}</ART_ID>` +
  `<CATALOG_GROUP_ID>${group}</CATALOG_GROUP_ID></ARTICLE_TO_CATALOGGROUP_MAP>`;

Deno.test("bmecat finds the category of a group, listed before or after the articles", async () => {
  const category = async (before: string, after: string) =>
    (await read(before + article(""), { after })).patch?.category;
  assertEquals(await category(TREE, inGroup("A")), "Hemden");
  assertEquals(await category("", inGroup("A") + TREE), "Hemden");
  assertEquals(await category(TREE, inGroup("A") + inGroup("A", 6)), "Hemden");
  assertEquals(await category(TREE, inGroup("A", 6)), undefined);
});

Deno.test("bmecat takes the EAN from EAN or an INTERNATIONAL_PID of type gtin, ean or upc", async () => {
  const id = (type: string, value = "4006381333931") =>
    `<INTERNATIONAL_PID type="${type}">${value}</INTERNATIONAL_PID>`;
  const cases: [inner: string, ean: string | undefined][] = [
    [id("gtin"), "4006381333931"],
    [id("EAN"), "4006381333931"],
    [id("upc", "036000291452"), "036000291452"],
    [id("isbn"), undefined],
    [id("isbn", "1") + id("ean"), "4006381333931"],
  ];
  for (const [inner, ean] of cases) {
    const inside = `<SUPPLIER_PID>P</SUPPLIER_PID><PRODUCT_DETAILS>${inner}</PRODUCT_DETAILS>`;
    assertEquals((await read(`<PRODUCT>${inside}</PRODUCT>`)).patch?.ean, ean, inner);
  }
});

Deno.test("bmecat deletes articles of mode delete without further findings", async () => {
  const title = "<ARTICLE_DETAILS><DESCRIPTION_SHORT>T</DESCRIPTION_SHORT></ARTICLE_DETAILS>";
  const { patch } = await read(article(title, ' mode="delete"'));
  assertEquals(patch, { sku: "A", isDeleted: true });
});

Deno.test("a refused BMEcat record gives the same prices after correction in the house format", async () => {
  const ofNet = (amount: string, dates = "") => details(price("net", amount), dates);
  const bulk = details(price("bulk", "1.2", "<LOWER_BOUND>10.000</LOWER_BOUND>"));
  const cases: [what: string, inner: string][] = [
    ["an end to come", ofNet("12.50", from("2026-01-01") + until("2026-12-31"))],
    ["an end before today", ofNet("12.50", until("2026-11-19"))],
    ["a start to come", ofNet("12.50", from("2026-11-21"))],
    ["both to come", ofNet("12.50", from("2026-11-21") + until("2026-12-31"))],
    ["a quantity", order("100") + ofNet("1050.00", until("2026-12-31"))],
    ["a quantity that is none", order("x") + ofNet("1050.00")],
    ["a quantity of zero", order("0") + ofNet("1050.00")],
    ["a least quantity with a dot", ofNet("1.5") + bulk],
  ];
  for (const [what, inner] of cases) {
    const header = "<CURRENCY>USD</CURRENCY>";
    const good = await read(article(inner), { header });
    const nameless = article(inner).replace("<SUPPLIER_AID>A</SUPPLIER_AID>", "");
    const { records: [refused] } = await read(nameless, { header });
    const mended = refused!.refusedXml!.replace("<ITEM>", "<ITEM><SKU>A</SKU>");
    const { records: [again] } = await readText(`<ITEMS>${mended}</ITEMS>`);
    assertEquals(again!.patch, good.patch, `${what}: ${mended}`);
  }
});

Deno.test("a copy of bmecat that transforms SKUs finds the categories of its products", async () => {
  const sku = { ...bmecat.fields.sku, transform: "strip_leading_zeros" as const };
  const profile = ImportProfile.parse({ ...bmecat, fields: { ...bmecat.fields, sku } });
  const articles = ["0042", "7", "a\u0308"].map((no) => article("").replace(">A<", `>${no}<`));
  const after = ["0042", "007", "\u00e4"].map((no) => inGroup(no)).join("");
  const { records } = await read(TREE + articles.join(""), { after, profile });
  const found = records.map(({ patch }) => [patch?.sku, patch?.category]);
  assertEquals(found, ["42", "7", "\u00e4"].map((sku) => [sku, "Hemden"]));
});

async function patchOf(item: string) {
  const { records, refused } = await readText(`<ITEMS>${item}</ITEMS>`);
  assertEquals(refused, null);
  return records[0]?.patch;
}

const SAME = { sku: "S-1", title: "T", tier: "B2B", ourPriceCents: 1_250 };
const NAMED = "<SKU>S-1</SKU><TITLE>T</TITLE>";
const PRICE = "<TIER>B2B</TIER><PRICE>12,50</PRICE>";
const FORMS: Readonly<Record<string, string>> = {
  "children": `<ITEM>${NAMED}<SALESPRICE>${PRICE}</SALESPRICE></ITEM>`,
  "attributes":
    '<ITEM SKU="S-1" TITLE="T"><SALESPRICE TIER="B2B" PRICE="12,50" VALIDUNTIL=""/></ITEM>',
  "a price as the text of its element":
    '<ITEM SKU="S-1" TITLE="T"><SALESPRICE TIER="B2B">12,50</SALESPRICE></ITEM>',
  "price rows in a list":
    `<ITEM>${NAMED}<SALESPRICES><SALESPRICE>${PRICE}</SALESPRICE></SALESPRICES></ITEM>`,
  "names in any case": "<item><sku>S-1</sku><Title>T</Title>" +
    "<salesPrice><Tier>B2B</Tier><price>12,50</price></salesPrice></item>",
  "prefixes": "<e:ITEM xmlns:e='u'><e:SKU>S-1</e:SKU><e:TITLE>T</e:TITLE>" +
    "<e:SALESPRICE e:TIER='B2B'>12,50</e:SALESPRICE></e:ITEM>",
  "German names": "<ARTIKEL><ARTIKELNR>S-1</ARTIKELNR><BEZEICHNUNG>T</BEZEICHNUNG><PREISE><PREIS>" +
    "<PREISGRUPPE>B2B</PREISGRUPPE><VK>12,50</VK><GUELTIGBIS/></PREIS></PREISE></ARTIKEL>",
  "other names": "<PRODUCT><NUMBER>S-1</NUMBER><NAME>T</NAME>" +
    "<VKPREIS><PRICELIST>B2B</PRICELIST><AMOUNT>12,50</AMOUNT></VKPREIS></PRODUCT>",
  "items at another depth":
    "<a><b><ARTICLE><ARTICLENO>S-1</ARTICLENO><DESCRIPTION>T</DESCRIPTION>" +
    "<PREIS><PRICEGROUP>B2B</PRICEGROUP><BETRAG>12,50</BETRAG></PREIS></ARTICLE></b></a>",
  "texts in pieces": "<ITEM><SKU>S<!-- x -->-1</SKU><TITLE><![CDATA[T]]></TITLE>" +
    "<SALESPRICE><TIER>&#66;2B</TIER><PRICE>12<?pi?>,50</PRICE></SALESPRICE></ITEM>",
};

for (const [form, item] of Object.entries(FORMS)) {
  Deno.test(`erp-default reads ${form}`, async () => {
    const { sku, title, tier, ourPriceCents } = (await patchOf(item))!;
    assertEquals({ sku, title, tier, ourPriceCents }, SAME);
  });
}

Deno.test("erp-default takes the first name of a list that has a value", async () => {
  const names = "<DESCRIPTION>long</DESCRIPTION><NUMBER>2</NUMBER><TITLE>short</TITLE><SKU>1</SKU>";
  assertEquals(await patchOf(`<ITEM>${names}</ITEM>`), { sku: "1", title: "short" });
  const empty = "<SKU>1</SKU><TITLE/><NAME>T</NAME>";
  assertEquals(await patchOf(`<ITEM>${empty}</ITEM>`), { sku: "1", title: "T" });
});

Deno.test("erp-default keeps absent fields, and clears empty ones", async () => {
  assertEquals(await patchOf("<ITEM><SKU>1</SKU></ITEM>"), { sku: "1" });
  const empty =
    "<TITLE/><BRAND/><CATEGORY/><EAN/><MPN> </MPN><CURRENCY/><COSTPRICE/><TARGETPRICE/><TIER/>";
  const texts = { brand: null, category: null, ean: null, mpn: null, tier: null };
  const amounts = { costPriceCents: null, targetPriceCents: null, amountsIn: "EUR" };
  const cleared = await patchOf(`<ITEM><SKU>1</SKU>${empty}</ITEM>`);
  assertEquals(cleared, { sku: "1", ...texts, ...amounts });
});

Deno.test("erp-default reads links, whose ENABLED is yes when absent and no when empty", async () => {
  const page = { url: "https://shop.example/1", name: "A", domain: "shop.example" };
  const names = "<NAME>A</NAME><DOMAIN>Shop.example</DOMAIN><URL>https://shop.example/1</URL>";
  const flags = ["", "<ENABLED/>", ...["J", "nein", "?"].map((is) => `<ENABLED>${is}</ENABLED>`)];
  const links = flags.map((flag) => `<COMPETITOR>${names}${flag}</COMPETITOR>`).join("");
  const patch = await patchOf(`<ITEM><SKU>1</SKU><COMPETITORS>${links}</COMPETITORS></ITEM>`);
  const enabled = [true, false, true, false, true];
  assertEquals(patch?.links, enabled.map((enabled) => ({ ...page, enabled })));
});

Deno.test("erp-default is not misled by names of object properties", async () => {
  const names = "<__proto__><admin>1</admin></__proto__><constructor/>";
  const title = "<TITLE>a<![CDATA[<script>]]></TITLE>";
  const patch = await patchOf(`<ITEM><SKU>X4</SKU>${title}${names}</ITEM>`);
  assertEquals(patch, { sku: "X4", title: "a<script>" });
});
