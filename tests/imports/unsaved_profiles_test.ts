import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { googleMerchant } from "../../src/imports/profiles/built_in_profiles.ts";
import { ImportProfile, type ImportProfileInput } from "../../src/imports/profiles/xml_profile.ts";
import { dataTest, type SampleData } from "../sample_data.ts";
import { codesOf, partOf, readWhole } from "./upload_reading.ts";

/** Import profiles for formats that Kurant does not know. */
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

const google: ImportProfileInput = { ...googleMerchant, sale: null, numberFormat: "auto" };

const tbcat: ImportProfileInput = {
  id: "tbcat",
  name: "TB.Cat",
  detect: { root: "TBCATALOG" },
  itemPath: "TBCATALOG/PRODUCTDATA/PRODUCT/ARTICLEDATA/ARTICLE",
  fields: {
    sku: { path: "A_NR" },
    title: { path: "../../P_NAME/VALUE[@xml:lang='de-DE']" },
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

function read(data: SampleData, path: string, profile: ImportProfileInput | null) {
  const setting = profile ? { profiles: [ImportProfile.parse(profile)] } : {};
  return readWhole([partOf(path, data.bytes(path))], setting);
}

/** For each file, the code of its refusal or the expected products. */
const CATALOGUES: Readonly<Record<string, string | readonly object[]>> = {
  "assignments": "no_items",
  "invalid-products": "malformed_xml",
  "products-deleted": [
    { sku: "PRODUCT123", isDeleted: true },
    { sku: "VARIATION123", isDeleted: true },
  ],
  "mixed": [{ sku: "PRD1", title: "Product number 1", brand: "SampleBrand™" }],
  "product-custom-attribute-value-limit": [{ sku: "PRD12340000", title: "Minimal Product" }],
  "product-xml-escaped": [
    { sku: "PRODUCT123", title: "Product number 123 &bull;", brand: "SampleBrand™" },
  ],
};

dataTest("a profile of Salesforce finds only products and deletions", "xml", async (data) => {
  for (const [name, expected] of Object.entries(CATALOGUES)) {
    const path = data.only("xml/demandware", new RegExp(`(^|__)${name}\\.xml$`));
    const { refused, records } = await read(data, path, demandware);
    assertEquals(refused?.code ?? records.map(({ patch }) => patch), expected, name);
  }
});

const HANDMADE = [
  {
    what: "a profile of a Google feed reads prices in three notations, and ignores shipping costs",
    file: "google-merchant",
    profile: google,
    encoding: "utf-8",
    items: 3,
    fields: ["sku", "title", "ourPriceCents", "brand"],
    rows: [
      ["GM-1", "Kühlschrank KS 300, weiß", 129_900, "Nordwerk"],
      ["GM-2", 'Gießkanne "Für & Wider" 10 l', 990, "Höfler & Söhne"],
      ["GM-3", "Bürostuhl", 104_900, undefined],
    ],
    firstUrl: "https://shop.example/p/gm-1?a=1&b=2",
  },
  {
    what: "a profile of TB.Cat reads the product around the article",
    file: "tbcat",
    profile: tbcat,
    encoding: "windows-1252",
    items: 2,
    fields: ["sku", "title", "ean", "costPriceCents", "ourPriceCents", "prices"],
    rows: [
      ["P-100-ROT", "Rührgerät Größe M", "4099001000016", 2_500, 4_990, ["b2b 4490", "laden 4990"]],
      ["P-100-BLAU", "Rührgerät Größe M", "4099001000023", undefined, 5_490, ["laden 5490"]],
    ],
  },
  {
    what: "a profile of NAV prices joins the rows of an article into one record",
    file: "nav-salesprice-utf16",
    profile: nav,
    encoding: "utf-16le",
    items: 4,
    fields: ["sku", "ourPriceCents", "currency"],
    rows: [["1000", 400_000, undefined], ["1964-W", 18_940, "CHF"]],
  },
  {
    what: "erp-default reads a German article master with another root",
    file: "artikelstamm-cp1252",
    profile: null,
    encoding: "windows-1252",
    items: 2,
    fields: ["sku", "title", "brand", "costPriceCents", "ourPriceCents"],
    rows: [
      ["10-4711", "Häcksler 2.500 W – „leise“", "Größmann", 21_000, 142_900],
      ["10-4712", "Schaufel", "Jägersberg", 400, 1_200],
    ],
  },
];

for (const { what, file, profile, encoding, items, fields, rows, firstUrl } of HANDMADE) {
  dataTest(what, "xml", async (data) => {
    const upload = await read(data, `xml/handmade/${file}.xml`, profile);
    const { records, files } = upload;
    assertEquals([files[0]?.encoding, files[0]?.items], [encoding, items]);
    const found = records.map(({ patch }) => {
      const prices = patch?.prices?.rows.map(({ tier, amountCents }) => `${tier} ${amountCents}`);
      const values: Readonly<Record<string, unknown>> = { ...patch, prices };
      return fields.map((name) => values[name]);
    });
    assertEquals([found, records[0]?.patch?.url], [rows, firstUrl]);
    // NAV writes an end date even for a price without an end.
    const codes = new Set(codesOf(upload).flat());
    assertEquals([...codes], profile === nav ? ["open_end_sentinel"] : []);
  });
}
