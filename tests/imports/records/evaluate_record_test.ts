import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { valuesOf } from "../../api/answers.ts";
import { codesOf, partOf, readText, readWhole, SETTING } from "../upload_reading.ts";
import {
  ImportProfile,
  type ImportProfileInput,
} from "../../../src/imports/profiles/xml_profile.ts";
import { PROFILES, TABLE_TEMPLATES } from "../../../src/imports/profiles/built_in_profiles.ts";

/** A profile of `<i>` elements in a `<list>`. */
const ofList = (more: Pick<ImportProfileInput, "fields"> & Partial<ImportProfileInput>) => {
  const blank = { id: "p", name: "P", detect: { root: "list" }, itemPath: "list/i" };
  return ImportProfile.parse({ ...blank, ...more });
};

const long = (characters: number) => "ä".repeat(characters);

type Value = readonly [what: string, inner: string, patch: object | null, ...codes: string[]];

/** Records whose name does not mention the SKU have the SKU 1. */
const VALUES: readonly Value[] = [
  ["no SKU", "<TITLE>T</TITLE>", null, "missing_sku"],
  ["an empty SKU", "<SKU/>", null, "missing_sku"],
  ["a blank SKU", "<SKU> </SKU>", null, "missing_sku"],
  ["a SKU of 128 characters", `<SKU>${long(128)}</SKU>`, { sku: long(128) }],
  ["a SKU of 129 characters", `<SKU>${long(129)}</SKU>`, null, "too_long"],
  ["a SKU of two lines", "<SKU>A\nB</SKU>", null, "missing_sku"],
  ["a SKU in another normal form", "<SKU>a\u0308</SKU>", { sku: "ä" }],
  ["a title of 500 characters", `<TITLE>${long(500)}</TITLE>`, { title: long(500) }],
  ["a title of 501 characters", `<TITLE>${long(501)}</TITLE>`, {}, "too_long"],
  ["a title of two lines", "<TITLE>a\r\n\tb</TITLE>", { title: "a b" }],
  ["a brand of 201 characters", `<BRAND>${long(201)}</BRAND>`, {}, "too_long"],
  ["a wrong EAN", "<EAN>4006381333932</EAN>", {}, "invalid_ean"],
  ["a currency in small letters", "<CURRENCY> chf </CURRENCY>", { currency: "CHF" }],
  ["a currency that is none", "<CURRENCY>XXX</CURRENCY>", null, "invalid_currency"],
  ["a cost that is no number", "<EK>12,34,56</EK>", {}, "invalid_number"],
  ["a cost of foreign digits", "<EK>١٢٣,٤٥</EK>", {}, "invalid_number"],
  ["a cost of 400 digits", `<EK>${"9".repeat(400)}</EK>`, {}, "price_out_of_range"],
  [
    "a cost of 0",
    "<EK>0,00</EK><TARGETPRICE>0</TARGETPRICE>",
    { costPriceCents: 0, targetPriceCents: 0, amountsIn: "EUR" },
    "zero_price",
  ],
  [
    "a price in yen",
    "<CURRENCY>JPY</CURRENCY><EK>1.234</EK>",
    { currency: "JPY", costPriceCents: 1_234, amountsIn: "JPY" },
  ],
  [
    "a price in dinars",
    "<EK>1,2345</EK><CURRENCY>KWD</CURRENCY>",
    { currency: "KWD", costPriceCents: 1_235, amountsIn: "KWD" },
  ],
];

for (const [what, inner, patch, ...codes] of VALUES) {
  Deno.test(`a record with ${what} is ${patch ? "taken" : "refused"}`, async () => {
    const sku = what.includes("SKU") ? "" : "<SKU>1</SKU>";
    const upload = await readText(`<ITEM>${sku}${inner}</ITEM>`);
    const expected = patch && { sku: "1", ...patch };
    assertEquals([upload.records[0]?.patch, codesOf(upload)], [expected, [codes]]);
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

Deno.test("a record has at most 200 findings, each with at most 200 characters of its value", async () => {
  const bad = `<EAN>${"x".repeat(100_000)}</EAN>` + "<SALESPRICE PRICE='x'/>".repeat(12_000);
  const [record] = (await readText(`<ITEM><SKU>1</SKU>${bad}</ITEM>`)).records;
  const values = record!.findings.map(({ value }) => value);
  assertEquals([values.length, values.includes(`${"x".repeat(200)}…`)], [200, true]);
});

Deno.test("equal records give equal JSON, whatever the order of their elements", async () => {
  const json = async (inner: string) =>
    JSON.stringify((await readText(`<ITEM>${inner}</ITEM>`)).records[0]?.patch);
  const parts = ["<SKU>1</SKU>", "<TITLE>T</TITLE>", "<EK>1</EK>", "<EAN/>"];
  parts.push("<SALESPRICE PRICE='2'/>");
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
  const item = '<i no="00042"><gtin>4 006381-333931</gtin><b>Bosch</b>' +
    "<u>https://shop.example/42</u><v>19,0 %</v></i>";
  const bad = '<i no="0"><u>javascript:alert(1)</u><v>101</v></i>';
  const upload = await readText(`<list>${item}${bad}</list>`, { ...SETTING, profile });
  const codes = { brand: "BOSCH", ean: "4006381333931" };
  assertEquals(upload.records.map(({ patch }) => patch), [
    { sku: "42", ...codes, url: "https://shop.example/42", vatRatePct: 19 },
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
  const skus = records.map(({ index, sku }) => `${index} ${sku}`);
  assertEquals(skus, ["0 1", "1 null", "2 null", "3 2"]);
  assertEquals(records[0]?.patch?.prices?.rows.map(({ amountCents }) => amountCents), [500, 400]);
  assertEquals([records[0]?.patch?.title, files[0]?.items], ["T", 5]);
});

Deno.test("names of tiers are equal in every Unicode normal form, and with a line break inside", async () => {
  const [one, other] = ["H\u00e4ndler", "Ha\u0308ndler"];
  /** The tier of the item, of its row, and of the request. */
  const cases: [string | null, string, string | null, string?][] = [
    [null, other, one],
    [one, other, null],
    [other, one, null],
    [other, other, null],
    [`${one}\nNord`, `${one}\nNord`, null, `${one} Nord`],
    [null, `${one}\r\nNord`, "h\u00e4ndler nord", `${one} Nord`],
  ];
  for (const [own, named, tier, read = one] of cases) {
    const row = `<SALESPRICE><TIER>${named}</TIER><PRICE>2,00</PRICE></SALESPRICE>`;
    const inner = (own === null ? "" : `<TIER>${own}</TIER>`) + row;
    const upload = await readText(`<ITEM><SKU>1</SKU>${inner}</ITEM>`, { tier });
    const patch = upload.records[0]?.patch;
    const found = [patch?.ourPriceCents, patch?.tier, patch?.prices?.tiers, codesOf(upload)];
    assertEquals(found, [200, read, [read], [[]]], inner);
  }
  const rows = [one, other].map((tier) => `<SALESPRICE TIER="${tier}" PRICE="2,00"/>`).join("");
  const both = await readText(`<ITEM><SKU>1</SKU>${rows}</ITEM>`);
  assertEquals(codesOf(both), [["ambiguous_current_price"]], "both rows are of one tier");
});

Deno.test("a price of 0 is stored or read as empty, as the profile says, with one warning per record", async () => {
  const [house] = PROFILES.filter(({ id }) => id === "erp-default");
  const row = (price: string, tier: string) =>
    `<SALESPRICE><TIER>${tier}</TIER><PRICE>${price}</PRICE></SALESPRICE>`;
  const items = `<ITEM><SKU>A</SKU><EK>0,00</EK>${row("0,00", "S")}${row("5,00", "B")}</ITEM>` +
    `<ITEM><SKU>B</SKU><EK>0,01</EK>${row("0,01", "S")}</ITEM><ITEM><SKU>C</SKU><EK/></ITEM>`;
  /** What is read of the first record, with zero as a price and as empty. */
  const cases = [
    [false, "zero_price", [0, 0, ["B", "S"], [500, 0]]],
    // The stored price rows of the tier stay as they are.
    [true, "zero_as_empty", [undefined, undefined, ["B"], [500]]],
  ] as const;
  for (const [zeroIsEmpty, code, first] of cases) {
    const setting = { profile: ImportProfile.parse({ ...house, zeroIsEmpty }), tier: "S" };
    const upload = await readText(`<ITEMS>${items}</ITEMS>`, setting);
    const read = upload.records.map(({ patch }) => [
      ...[patch?.costPriceCents, patch?.ourPriceCents, patch?.prices?.tiers],
      patch?.prices?.rows.map(({ amountCents }) => amountCents),
    ]);
    assertEquals(read, [first, [1, 1, ["S"], [1]], [null, undefined, undefined, undefined]]);
    assertEquals(codesOf(upload), [[code], [], ["no_current_price"]]);
    const [finding] = upload.records[0]?.findings ?? [];
    assertEquals([finding?.severity, finding?.field, finding?.value], ["warning", "EK", "0,00"]);
  }
  assertEquals(PROFILES.filter(({ zeroIsEmpty }) => zeroIsEmpty), []);
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
  const rows = valuesOf(records[0]?.patch?.prices?.rows ?? [], "tier", "currency", "amountCents");
  assertEquals(rows, [["A", "CHF", 100], ["B", "CHF", 200]]);
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
  const patches = records.map(({ patch }) => patch);
  const read = patches.map((one) => [one?.sku, one?.brand, one?.prices?.rows[0]?.currency]);
  assertEquals(read, [["1", undefined, "EUR"], ["2", undefined, "EUR"]]);
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
