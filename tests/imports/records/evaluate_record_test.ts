import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { codesOf, partOf, readText, readWhole, SETTING } from "../upload_reading.ts";
import {
  ImportProfile,
  type ImportProfileInput,
} from "../../../src/imports/profiles/xml_profile.ts";
import { TABLE_TEMPLATES } from "../../../src/imports/profiles/table_templates.ts";
import { PROFILES } from "../../../src/imports/profiles/profiles.ts";

/** A profile of `<i>` elements in a `<list>`. */
const ofList = (more: Pick<ImportProfileInput, "fields"> & Partial<ImportProfileInput>) =>
  ImportProfile.parse({
    ...{ id: "p", name: "P", detect: { root: "list" }, itemPath: "list/i" },
    ...more,
  });

const long = (characters: number) => "ä".repeat(characters);

const VALUES: [string, string, Record<string, unknown> | null, string[]][] = [
  ["no SKU", "<TITLE>T</TITLE>", null, ["missing_sku"]],
  ["an empty SKU", "<SKU> </SKU>", null, ["missing_sku"]],
  ["a SKU of 128 characters", `<SKU>${long(128)}</SKU>`, { sku: long(128) }, []],
  ["a SKU of 129 characters", `<SKU>${long(129)}</SKU>`, null, ["too_long"]],
  ["a SKU of two lines", "<SKU>A\nB</SKU>", null, ["missing_sku"]],
  ["a SKU in another normal form", "<SKU>a\u0308</SKU>", { sku: "ä" }, []],
  ["a title of 500 characters", `<SKU>1</SKU><TITLE>${long(500)}</TITLE>`, {
    sku: "1",
    title: long(500),
  }, []],
  ["a title of 501 characters", `<SKU>1</SKU><TITLE>${long(501)}</TITLE>`, { sku: "1" }, [
    "too_long",
  ]],
  ["a title of two lines", "<SKU>1</SKU><TITLE>a\r\n\tb</TITLE>", { sku: "1", title: "a b" }, []],
  ["a brand of 201 characters", `<SKU>1</SKU><BRAND>${long(201)}</BRAND>`, { sku: "1" }, [
    "too_long",
  ]],
  ["a wrong EAN", "<SKU>1</SKU><EAN>4006381333932</EAN>", { sku: "1" }, ["invalid_ean"]],
  ["a currency in small letters", "<SKU>1</SKU><CURRENCY> chf </CURRENCY>", {
    sku: "1",
    currency: "CHF",
  }, []],
  ["a currency that is none", "<SKU>1</SKU><CURRENCY>XXX</CURRENCY>", null, ["invalid_currency"]],
  ["a cost that is no number", "<SKU>1</SKU><EK>12,34,56</EK>", { sku: "1" }, ["invalid_number"]],
  ["a cost of foreign digits", "<SKU>1</SKU><EK>١٢٣,٤٥</EK>", { sku: "1" }, ["invalid_number"]],
  ["a cost of 400 digits", `<SKU>1</SKU><EK>${"9".repeat(400)}</EK>`, { sku: "1" }, [
    "price_out_of_range",
  ]],
  [
    "a cost of 0",
    "<SKU>1</SKU><EK>0,00</EK><TARGETPRICE>0</TARGETPRICE>",
    { sku: "1", costPriceCents: 0, targetPriceCents: 0, amountsIn: "EUR" },
    ["zero_price"],
  ],
  [
    "a price in yen",
    "<SKU>1</SKU><CURRENCY>JPY</CURRENCY><EK>1.234</EK>",
    { sku: "1", currency: "JPY", costPriceCents: 1_234, amountsIn: "JPY" },
    [],
  ],
  [
    "a price in dinars",
    "<SKU>1</SKU><EK>1,2345</EK><CURRENCY>KWD</CURRENCY>",
    { sku: "1", currency: "KWD", costPriceCents: 1_235, amountsIn: "KWD" },
    [],
  ],
];

for (const [what, inner, patch, codes] of VALUES) {
  Deno.test(`a record with ${what} is ${patch ? "taken" : "refused"}`, async () => {
    const upload = await readText(`<ITEM>${inner}</ITEM>`);
    assertEquals([upload.records[0]?.patch, codesOf(upload)], [patch, [codes]]);
    const severity = upload.records[0]?.findings[0]?.severity;
    assertEquals(severity, codes.length === 0 ? undefined : patch ? "warning" : "error");
  });
}

Deno.test("a finding contains index, file, line, SKU, the element as written, and the value", async () => {
  const items = "<ITEM><SKU>A</SKU></ITEM>\n<ITEM>\n<SKU>B</SKU>\n<x:Ek\n>oops</x:Ek></ITEM>";
  const { records } = await readText(`<ITEMS>\n${items}</ITEMS>`);
  assertEquals(records.map(({ index, line }) => [index, line]), [[0, 2], [1, 3]]);
  assertEquals(records[1]?.findings, [{
    severity: "warning",
    index: 1,
    file: "test.xml",
    line: 6,
    sku: "B",
    field: "x:Ek",
    code: "invalid_number",
    message: '"oops" is not a price that can be used',
    value: "oops",
  }]);
});

Deno.test("a finding contains only the start of a long value", async () => {
  const { records } = await readText(`<ITEM><SKU>1</SKU><EAN>${"x".repeat(100_000)}</EAN></ITEM>`);
  assertEquals(records[0]?.findings[0]?.value, `${"x".repeat(200)}…`);
});

Deno.test("a record of ten thousand bad rows does not flood the report", async () => {
  const rows = "<SALESPRICE PRICE='x'/>".repeat(12_000);
  const { records } = await readText(`<ITEM><SKU>1</SKU>${rows}</ITEM>`);
  assertEquals(records[0]?.findings.length, 200);
});

Deno.test("equal records give equal JSON, whatever the order of their elements", async () => {
  const json = async (inner: string) =>
    JSON.stringify((await readText(`<ITEM>${inner}</ITEM>`)).records[0]?.patch);
  const parts = [
    "<SKU>1</SKU>",
    "<TITLE>T</TITLE>",
    "<EK>1</EK>",
    "<EAN/>",
    "<SALESPRICE PRICE='2'/>",
  ];
  assertEquals(await json(parts.join("")), await json(parts.toReversed().join("")));
});

Deno.test("amounts without a currency are in the workspace's, with a warning", async () => {
  const { records } = await readText("<ITEM><SKU>1</SKU><EK>1,50</EK></ITEM>", {
    workspaceCurrency: "CHF",
  });
  assertEquals(records[0]?.patch, { sku: "1", costPriceCents: 150, amountsIn: "CHF" });
});

Deno.test("a profile can transform values and read shop URL and VAT rate", async () => {
  const profile = ofList({
    fields: {
      sku: { path: "@no", transform: "strip_leading_zeros" },
      ean: { path: "gtin", transform: "digits" },
      brand: { path: "b", transform: "upper" },
      url: { path: "u" },
      vatRatePct: { path: "v" },
    },
  });
  const item =
    '<i no="00042"><gtin>4 006381-333931</gtin><b>Bosch</b><u>https://shop.example/42</u><v>19,0 %</v></i>';
  const bad = '<i no="0"><u>javascript:alert(1)</u><v>101</v></i>';
  const upload = await readText(`<list>${item}${bad}</list>`, { ...SETTING, profile });
  assertEquals(upload.records.map(({ patch }) => patch), [
    {
      sku: "42",
      brand: "BOSCH",
      ean: "4006381333931",
      url: "https://shop.example/42",
      vatRatePct: 19,
    },
    { sku: "0" },
  ]);
  assertEquals(codesOf(upload)[1], ["invalid_url", "invalid_number"]);
});

Deno.test("consecutive items with the same SKU are one record if the profile says so", async () => {
  const profile = ofList({
    groupItems: true,
    fields: { sku: { path: "@no" }, title: { path: "@t" } },
    prices: { path: ".", amount: "@p", minQty: "@q" },
  });
  const items =
    '<i no="1" p="5"/><i no="1" t="T" p="4" q="10"/><i p="1"/><i p="1"/><i no="2" p="3"/>';
  const { records, files } = await readText(`<list>${items}</list>`, { profile });
  assertEquals(records.map(({ index, sku }) => [index, sku]), [[0, "1"], [1, null], [2, null], [
    3,
    "2",
  ]]);
  assertEquals(records[0]?.patch?.prices?.rows.map(({ amountCents }) => amountCents), [500, 400]);
  assertEquals([records[0]?.patch?.title, files[0]?.items], ["T", 5]);
});

Deno.test("names of tiers are equal in every Unicode normal form, and with a line break inside", async () => {
  const row = (tier: string, more = "") =>
    `<SALESPRICE><TIER>${tier}</TIER><PRICE>2,00</PRICE>${more}</SALESPRICE>`;
  const cases: [string, string, string | null][] = [
    ["", row("Ha\u0308ndler"), "H\u00e4ndler"],
    ["<TIER>H\u00e4ndler</TIER>", row("Ha\u0308ndler"), null],
    ["<TIER>Ha\u0308ndler</TIER>", row("H\u00e4ndler"), null],
    ["<TIER>Ha\u0308ndler</TIER>", row("Ha\u0308ndler"), null],
    ["<TIER>H\u00e4ndler\nNord</TIER>", row("H\u00e4ndler\nNord"), null],
    ["", row("H\u00e4ndler\r\nNord"), "h\u00e4ndler nord"],
  ];
  for (const [item, rows, tier] of cases) {
    const upload = await readText(`<ITEM><SKU>1</SKU>${item}${rows}</ITEM>`, { tier });
    const patch = upload.records[0]?.patch;
    const named = rows.includes("Nord") ? "H\u00e4ndler Nord" : "H\u00e4ndler";
    assertEquals(
      [patch?.ourPriceCents, patch?.tier, patch?.prices?.tiers, codesOf(upload)],
      [200, named, [named], [[]]],
      `${item}${rows}`,
    );
  }
});

Deno.test("rows whose tier is written in two Unicode normal forms belong to one tier", async () => {
  const rows = ["Ha\u0308ndler", "H\u00e4ndler"].map((tier) =>
    `<SALESPRICE TIER="${tier}" PRICE="2,00"/>`
  );
  const upload = await readText(`<ITEM><SKU>1</SKU>${rows.join("")}</ITEM>`);
  assertEquals(codesOf(upload), [["ambiguous_current_price"]]);
});

Deno.test("a price of 0 is stored or read as empty, as the profile says, with one warning per record", async () => {
  const [house] = PROFILES.filter(({ id }) => id === "erp-default");
  const row = (price: string, tier: string) =>
    `<SALESPRICE><TIER>${tier}</TIER><PRICE>${price}</PRICE></SALESPRICE>`;
  const items = [
    `<ITEM><SKU>A</SKU><EK>0,00</EK>${row("0,00", "S")}${row("5,00", "B")}</ITEM>`,
    `<ITEM><SKU>B</SKU><EK>0,01</EK>${row("0,01", "S")}</ITEM>`,
    "<ITEM><SKU>C</SKU><EK/></ITEM>",
  ].join("");
  const read = async (zeroIsEmpty: boolean) => {
    const setting = { profile: ImportProfile.parse({ ...house, zeroIsEmpty }), tier: "S" };
    const upload = await readText(`<ITEMS>${items}</ITEMS>`, setting);
    const prices = upload.records.map(({ patch }) => [
      patch?.costPriceCents,
      patch?.ourPriceCents,
      patch?.prices?.tiers,
      patch?.prices?.rows.map(({ amountCents }) => amountCents),
    ]);
    const [finding] = upload.records[0]?.findings ?? [];
    assertEquals([finding?.severity, finding?.field, finding?.value], ["warning", "EK", "0,00"]);
    return { prices, codes: codesOf(upload) };
  };
  const cent = [1, 1, ["S"], [1]];
  const cleared = [null, undefined, undefined, undefined];
  assertEquals(await read(false), {
    prices: [[0, 0, ["B", "S"], [500, 0]], cent, cleared],
    codes: [["zero_price"], [], ["no_current_price"]],
  });
  // The stored price rows of the tier stay as they are.
  assertEquals(await read(true), {
    prices: [[undefined, undefined, ["B"], [500]], cent, cleared],
    codes: [["zero_as_empty"], [], ["no_current_price"]],
  });
});

Deno.test("the built-in profiles store a price of 0 and warn of it", async () => {
  assertEquals(PROFILES.filter(({ zeroIsEmpty }) => zeroIsEmpty), []);
  const article = "<ARTICLE><SUPPLIER_AID>1</SUPPLIER_AID><ARTICLE_PRICE_DETAILS>" +
    '<ARTICLE_PRICE price_type="net_customer"><PRICE_AMOUNT>0.00</PRICE_AMOUNT></ARTICLE_PRICE>' +
    "</ARTICLE_PRICE_DETAILS></ARTICLE>";
  const upload = await readText(`<BMECAT><T_NEW_CATALOG>${article}</T_NEW_CATALOG></BMECAT>`);
  assertEquals(upload.records[0]?.patch?.costPriceCents, 0);
  assertEquals(codesOf(upload), [["zero_price"]]);
});

Deno.test("price rows take values of the elements around them, near and far", async () => {
  const profile = ofList({
    fields: { sku: { path: "@no" } },
    prices: { path: "all/block/row", amount: ".", tier: "../@tier", currency: "../../money" },
  });
  const block = (tier: string, amount: string) =>
    `<block tier="${tier}"><row>${amount}</row></block>`;
  const item = `<i no="1"><all><money>CHF</money>${block("A", "1")}${block("B", "2")}</all></i>`;
  const { records } = await readText(`<list>${item}</list>`, { profile });
  assertEquals(
    records[0]?.patch?.prices?.rows.map((row) => [row.tier, row.currency, row.amountCents]),
    [["A", "CHF", 100], ["B", "CHF", 200]],
  );
});

Deno.test("paths from the root read nothing of items, of which each would get the first one's value", async () => {
  const profile = ofList({
    fields: { sku: { path: "@no" }, brand: { path: "/list/i/@brand" } },
    fileCurrency: "/list/i/@cur",
    prices: { path: "row", amount: "." },
  });
  const item = (no: number, more: string) => `<i no="${no}" ${more}><row>1</row></i>`;
  const items = item(1, 'cur="CHF" brand="Acme"') + item(2, 'cur="USD"');
  const { records } = await readText(`<list>${items}</list>`, { profile });
  assertEquals(
    records.map(({ patch }) => [patch?.sku, patch?.brand, patch?.prices?.rows[0]?.currency]),
    [["1", undefined, "EUR"], ["2", undefined, "EUR"]],
  );
});

Deno.test("a refused record with amounts in cents gives the same values after correction in the house format", async () => {
  const profile = TABLE_TEMPLATES.find(({ id }) => id === "kurant-documents")!;
  const recordOf = async (sku: string | null) => {
    const row = { sku, title: "T", currency: "EUR", stock: 7, costPriceCents: 1_250 };
    const bytes = new TextEncoder().encode(JSON.stringify([row]));
    return (await readWhole([partOf("a.json", bytes)], { profile })).records[0]!;
  };
  const { patch } = await recordOf("A");
  const { refusedXml } = await recordOf(null);
  const mended = refusedXml!.replace("<ITEM>", "<ITEM><SKU>A</SKU>");
  const { records: [again] } = await readText(`<ITEMS>${mended}</ITEMS>`);
  assertEquals([patch?.stock, patch?.costPriceCents], [7, 1_250]);
  assertEquals(again!.patch, patch, mended);
});
