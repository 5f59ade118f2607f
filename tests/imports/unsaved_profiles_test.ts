import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { ImportProfile, type ImportProfileInput } from "../../src/imports/profiles/xml_profile.ts";
import { dataTest, type SampleData } from "../sample_data.ts";
import { partOf, readWhole, type WholeUpload } from "./upload_reading.ts";

/** Profiles for formats that the product does not know. They are pure data. */
const demandware: ImportProfileInput = {
  id: "demandware",
  name: "Salesforce catalogue",
  detect: { root: "catalog", namespace: "http://www.demandware.com/xml/impex/catalog/2006-10-31" },
  itemPath: "catalog/product",
  fields: {
    sku: { path: "@product-id" },
    title: { path: "display-name" },
    brand: { path: "brand" },
    ean: { path: "upc" },
  },
  mode: "@mode",
};

const google: ImportProfileInput = {
  id: "google-merchant",
  name: "Google Merchant feed",
  detect: { root: "rss" },
  itemPath: "rss/channel/item",
  fields: {
    sku: { path: "g:id" },
    title: { path: "title" },
    brand: { path: "g:brand" },
    ean: { path: "g:gtin" },
    mpn: { path: "g:mpn" },
    url: { path: "link" },
  },
  prices: { path: "g:price", amount: "." },
  numberFormat: "auto",
};

const tbcat: ImportProfileInput = {
  id: "tbcat",
  name: "TB.Cat",
  detect: { root: "TBCATALOG" },
  itemPath: "TBCATALOG/PRODUCTDATA/PRODUCT/ARTICLEDATA/ARTICLE",
  fields: {
    sku: { path: "A_NR" },
    title: { path: "../../P_NAME/VALUE[@xml:lang='de-DE']" },
    brand: { path: "../../P_BRAND" },
    ean: { path: "A_EAN" },
    costPrice: { path: "A_PRICEDATA/A_PRICE/A_EK" },
  },
  prices: {
    path: "A_PRICEDATA/A_PRICE",
    tier: "@channel",
    currency: "@currency",
    amount: "A_VK",
    defaultTier: "laden",
  },
  numberFormat: "en",
};

const nav: ImportProfileInput = {
  id: "nav",
  name: "NAV sales prices",
  detect: { root: "SalesPrices" },
  itemPath: "SalesPrices/SalesPrice",
  groupItems: true,
  fields: { sku: { path: "ItemNo" } },
  prices: {
    path: ".",
    tier: "SalesCode",
    currency: "CurrencyCode",
    amount: "UnitPrice",
    minQty: "MinimumQuantity",
    validFrom: "StartingDate",
    validUntil: "EndingDate",
  },
  numberFormat: "en",
  openEnd: ["0001-01-01"],
};

function read(
  data: SampleData,
  path: string,
  profile: ImportProfileInput | null,
): Promise<WholeUpload> {
  const setting = profile ? { profiles: [ImportProfile.parse(profile)] } : {};
  return readWhole([partOf(path, data.bytes(path))], setting);
}

dataTest(
  "a profile of Salesforce catalogues finds only products and deletions",
  "xml",
  async (data) => {
    const summary = async (name: string) => {
      const { refused, records } = await read(
        data,
        data.only("xml/demandware", new RegExp(`(^|__)${name}\\.xml$`)),
        demandware,
      );
      return refused?.code ?? records.map(({ patch }) => patch);
    };
    assertEquals(await summary("assignments"), "no_items");
    assertEquals(await summary("invalid-products"), "malformed_xml");
    assertEquals(await summary("products-deleted"), [
      { sku: "PRODUCT123", isDeleted: true },
      { sku: "VARIATION123", isDeleted: true },
    ]);
    assertEquals(await summary("mixed"), [
      { sku: "PRD1", title: "Product number 1", brand: "SampleBrand™" },
    ]);
    assertEquals(await summary("product-custom-attribute-value-limit"), [
      { sku: "PRD12340000", title: "Minimal Product" },
    ]);
    assertEquals(await summary("product-xml-escaped"), [
      { sku: "PRODUCT123", title: "Product number 123 &bull;", brand: "SampleBrand™" },
    ]);
  },
);

dataTest(
  "a profile of a Google feed reads prices in three notations, and ignores shipping costs",
  "xml",
  async (data) => {
    const { records } = await read(data, "xml/handmade/google-merchant.xml", google);
    assertEquals(
      records.map(({ patch }) => [patch?.sku, patch?.title, patch?.ourPriceCents, patch?.brand]),
      [
        ["GM-1", "Kühlschrank KS 300, weiß", 129_900, "Nordwerk"],
        ["GM-2", 'Gießkanne "Für & Wider" 10 l', 990, "Höfler & Söhne"],
        ["GM-3", "Bürostuhl", 104_900, undefined],
      ],
    );
    assertEquals(records[0]?.patch?.url, "https://shop.example/p/gm-1?a=1&b=2");
    assertEquals(records.flatMap(({ findings }) => findings), []);
  },
);

dataTest(
  "a profile of TB.Cat reads the product around the article",
  "xml",
  async (data) => {
    const { records, files } = await read(data, "xml/handmade/tbcat.xml", tbcat);
    const rows = records.map(({ patch }) => [
      patch?.sku,
      patch?.title,
      patch?.ean,
      patch?.costPriceCents,
      patch?.prices?.rows.map(({ tier, amountCents }) => [tier, amountCents]),
      patch?.ourPriceCents,
    ]);
    assertEquals(files[0]?.encoding, "windows-1252");
    assertEquals(rows, [
      [
        "P-100-ROT",
        "Rührgerät Größe M",
        "4099001000016",
        2_500,
        [["b2b", 4_490], ["laden", 4_990]],
        4_990,
      ],
      ["P-100-BLAU", "Rührgerät Größe M", "4099001000023", undefined, [["laden", 5_490]], 5_490],
    ]);
  },
);

dataTest(
  "a profile of NAV prices joins the rows of an article into one record",
  "xml",
  async (data) => {
    const { records, files } = await read(data, "xml/handmade/nav-salesprice-utf16.xml", nav);
    assertEquals([files[0]?.encoding, files[0]?.items, records.length], ["utf-16le", 4, 2]);
    assertEquals(
      records.map(({ patch }) => [patch?.sku, patch?.ourPriceCents, patch?.currency]),
      [["1000", 400_000, undefined], ["1964-W", 18_940, "CHF"]],
    );
  },
);

dataTest("erp-default reads a German article master with another root", "xml", async (data) => {
  const { records, files } = await read(data, "xml/handmade/artikelstamm-cp1252.xml", null);
  assertEquals(files[0]?.encoding, "windows-1252");
  const rows = records.map(({ patch }) => [
    patch?.sku,
    patch?.title,
    patch?.brand,
    patch?.costPriceCents,
    patch?.ourPriceCents,
  ]);
  assertEquals(rows, [
    ["10-4711", "Häcksler 2.500 W – „leise“", "Größmann", 21_000, 142_900],
    ["10-4712", "Schaufel", "Jägersberg", 400, 1_200],
  ]);
});
