import { codesOf, partOf, readText, readWhole, type WholeUpload } from "./upload_reading.ts";
import { valuesOf } from "../api/answers.ts";
import { ImportProfile, type ImportProfileInput } from "../../src/imports/profiles/xml_profile.ts";
import { PROFILES, TABLE_TEMPLATES } from "../../src/imports/profiles/built_in_profiles.ts";
import { decideRecord } from "../../src/imports/apply/decide_record.ts";
import type { RecordPatch } from "../../src/imports/records/record_patch.ts";
import { MADE_AT, madeProduct } from "../catalogue/catalogue_workspace.ts";
import type { Product } from "../../src/catalogue/products/product.ts";
import { amountForOne } from "../../src/imports/records/field_values.ts";
import { amountAndCurrency } from "../../src/imports/records/price_rows.ts";
import { lineOf, readWinners, seenLine } from "../../src/imports/state/import_row_store.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";

/** Each of `rows` is a price row `price from until more`; today is 2026-11-20. */
function read(rows: readonly string[], item = "", options: { tier?: string } = {}) {
  const written = rows.map((row) => {
    const [price, from = "", until = "", ...more] = row.split(" ");
    const dates = `<VALIDFROM>${from}</VALIDFROM><VALIDUNTIL>${until}</VALIDUNTIL>`;
    return `<SALESPRICE><PRICE>${price}</PRICE>${dates}${more.join(" ")}</SALESPRICE>`;
  });
  return readText(`<ITEM><SKU>1</SKU>${item}${written.join("")}</ITEM>`, options);
}

const ourPriceOf = ({ records }: WholeUpload) => records[0]?.patch?.ourPriceCents ?? null;

const AMBIGUOUS = "ambiguous_current_price";
const OPEN = "open_end_sentinel";
const NONE = "no_current_price";
const money = (currency: string) => `<CURRENCY>${currency}</CURRENCY>`;
/** `rows` are separated by `|`. */
type Case = readonly [what: string, rows: string, cents: number | null, ...codes: string[]];
const CASES: readonly Case[] = [
  ["the row without an end", "1 01.01.2020 31.12.2025|2 01.01.2026|3 01.01.2027 31.12.2027", 200],
  ["no row with an end to come", "1 01.01.2020 31.12.2099", null, NONE],
  ["the row that began last", "1 01.01.2025|2 01.06.2026|3 01.03.2026", 200, AMBIGUOUS],
  ["a row that begins today", "1 01.01.2025|2 20.11.2026", 200, AMBIGUOUS],
  ["a row that has begun, not one of tomorrow", "1 01.01.2025|2 21.11.2026", 100, AMBIGUOUS],
  ["a row with a start, not one without", "1 01.01.2025|2", 100, AMBIGUOUS],
  ["the last of rows with equal starts", "1 01.01.2025|2 01.01.2025", 200, AMBIGUOUS],
  ["a row that has begun, not a later one", "1 01.01.2025|2 01.01.2027", 100, AMBIGUOUS],
  ["a row that has begun, not a later one before it", "1 01.01.2027|2 01.01.2025", 200, AMBIGUOUS],
  ["the next row if none has begun", "1 01.01.2028|2 01.01.2027|3 01.01.2029", 200, AMBIGUOUS],
  ["the only row although it begins later", "1 01.01.2027", 100, "future_valid_from"],
  ["a row with the end 31.12.9999", "1 01.01.2025 31.12.9999", 100, OPEN],
  [
    "the newest of two rows with open-end dates",
    "1 01.01.2025 9999-12-31|2 01.01.2024 00.00.0000",
    100,
    OPEN,
    AMBIGUOUS,
  ],
  ["a row with a start, not 00.00.0000", "1 00.00.0000|2 01.01.2020", 200, AMBIGUOUS],
  ["no row with an invalid end", "1 01.01.2025 31.02.2026", null, "invalid_date"],
  ["a row with an invalid start", "1 31.02.2026", 100, "invalid_date"],
  ["no row without a price", " 01.01.2025", null, "invalid_number"],
  ["no row above the highest price", "99.999.999.999,00", null, "price_out_of_range"],
  ["no row for several pieces", "1 01.01.2025  <MINQTY>2</MINQTY>", null, NONE],
  ["a row with MINQTY 0", "1 01.01.2025  <MINQTY>0</MINQTY>", 100],
  ["no row with an invalid quantity", "1 01.01.2025  <MINQTY>x</MINQTY>", null, "invalid_number"],
  ["no row with an invalid currency", `1 01.01.2025  ${money("EURO")}`, null, "invalid_currency"],
  ["a row in EUR", `1 01.01.2025  ${money("CHF")}|2 01.01.2025  ${money("EUR")}`, 200],
];

for (const [what, rows, cents, ...codes] of CASES) {
  Deno.test(`the current price takes ${what}`, async () => {
    const upload = await read(rows.split("|"));
    assertEquals([ourPriceOf(upload), codesOf(upload)], [cents, [codes]]);
  });
}

Deno.test("a profile with `current: today` takes the price of the day, none with an unreadable date", async () => {
  const prices = {
    path: "P",
    amount: ".",
    validFrom: "@von",
    validUntil: "@bis",
    current: "today",
  } as const;
  const profile = ofList({ fields: { sku: { path: "@no" } }, prices });
  const cases: readonly (readonly [dates: string, cents: number | null, ...codes: string[]])[] = [
    ['von="20.11.2026" bis="20.11.2026"', 100],
    ['von="21.11.2026" bis="30.11.2026"', null, NONE],
    ['von="01.11.2026" bis="19.11.2026"', null, NONE],
    ['von="31.02.2026" bis="30.11.2026"', null, "invalid_date"],
    ['von="01.11.2026" bis="31.02.2026"', null, "invalid_date"],
  ];
  for (const [dates, cents, ...codes] of cases) {
    const upload = await readText(`<list><i no="1"><P ${dates}>1,00</P></i></list>`, { profile });
    assertEquals([dates, ourPriceOf(upload), codesOf(upload)], [dates, cents, [codes]]);
  }
});

Deno.test("amountAndCurrency() takes a code before or after the amount", () => {
  const [amount, currency] = ["1.234,50", "CHF"];
  for (const text of ["CHF 1.234,50", "CHF1.234,50", "1.234,50 CHF", "1.234,50CHF"]) {
    assertEquals(amountAndCurrency(text), { amount, currency }, text);
  }
  for (const text of ["1.234,50", "$ 1.234,50", "chf 1", "CHF"]) {
    assertEquals(amountAndCurrency(text), { amount: text, currency: null });
  }
});

Deno.test("the warning about several open prices says which one is used", async () => {
  const messageOf = async (...rows: string[]) =>
    (await read(rows)).records[0]?.findings[0]?.message;
  const begun = await messageOf("1 01.01.2025", "2 01.06.2026", "3 01.01.2027");
  assertEquals(begun, "3 open prices without a tier: the newest that has begun is used");
  const future = await messageOf("1 01.01.2028", "2 01.01.2027");
  assertEquals(future, "2 open prices without a tier: the earliest is used");
});

Deno.test("prices[] keeps every tier, currency and quantity, in its own order", async () => {
  const rows = [
    "3 01.01.2026  <TIER>b</TIER>",
    "2 01.01.2026  <TIER>A</TIER><MINQTY>10</MINQTY>",
    "1 01.01.2026  <TIER>a</TIER>",
    "4 01.01.2026  <TIER>a</TIER><CURRENCY>CHF</CURRENCY>",
    "9 01.01.2020 01.01.2021 <TIER>gone</TIER>",
  ];
  const pricesOf = async (written: readonly string[]) =>
    (await read(written, money("EUR"))).records[0]!.patch!.prices!;
  const one = await pricesOf(rows);
  assertEquals(one.tiers, ["A", "b", "gone"]);
  const found = one.rows.map((row) => [row.tier, row.amountCents, row.currency, row.minQty]);
  assertEquals(found, [
    ["A", 400, "CHF", 1],
    ["A", 100, "EUR", 1],
    ["A", 200, "EUR", 10],
    ["b", 300, "EUR", 1],
  ]);
  assertEquals(one.rows[3]?.validFrom, "2025-12-31T23:00:00.000Z");
  const other = await pricesOf([rows[1]!, rows[4]!, rows[0]!, rows[3]!, rows[2]!]);
  assertEquals(JSON.stringify(other), JSON.stringify(one), "the order of the file does not matter");
});

Deno.test("prices[] does not change a tier whose only row is unreadable", async () => {
  const { records } = await read(["x 01.01.2026  <TIER>a</TIER>", "1 01.01.2026  <TIER>b</TIER>"]);
  assertEquals(records[0]?.patch?.prices?.tiers, ["b"]);
});

Deno.test("prices[] has at most 100 rows, with a warning", async () => {
  const rows = Array.from({ length: 120 }, (_, n) => `1 01.01.2026  <MINQTY>${n + 1}</MINQTY>`);
  const upload = await read(rows);
  assertEquals(upload.records[0]?.patch?.prices?.rows.length, 100);
  assertEquals(codesOf(upload), [["too_long"]]);
});

const TIERS = ["1 01.01.2026  <TIER>STANDARD</TIER>", "2 01.01.2026  <TIER>B2B</TIER>"];
const [, B2B = ""] = TIERS;
const OVER = "1 01.01.2020 01.01.2021 <TIER>X</TIER>";
type Price = readonly [cents: number | null, tier: string | null | undefined];
type TierCase = readonly [
  what: string,
  rows: readonly string[],
  itemTier: string,
  requestTier: string,
  expected: Price,
  ...codes: string[],
];
const TIER_CASES: readonly TierCase[] = [
  ["the price of the item's tier", TIERS, "b2b", "STANDARD", [200, "B2B"]],
  ["else the price of the request's tier", TIERS, "", "B2B", [200, "B2B"]],
  ["else the price of the only tier", [B2B], "", "", [200, "B2B"]],
  ["the price of the only current tier", [OVER, B2B], "", "", [200, "B2B"]],
  ["else the first price of the file", TIERS, "", "", [100, "STANDARD"], "ambiguous_tier"],
  ["a price without a tier", ["1 01.01.2026"], "", "", [100, null]],
  ["nothing if the item's tier has no price", TIERS, "VIP", "", [null, "VIP"], NONE],
  ["nothing if the request's tier has no price", TIERS, "", "VIP", [null, undefined], NONE],
  ["nothing without rows, with a finding for a tier", [], "VIP", "", [null, "VIP"], NONE],
  ["nothing without rows and tier, without a finding", [], "", "", [null, undefined]],
];

for (const [what, rows, itemTier, tier, expected, ...codes] of TIER_CASES) {
  Deno.test(`ourPrice takes ${what}`, async () => {
    const item = itemTier === "" ? "" : `<TIER>${itemTier}</TIER>`;
    const upload = await read(rows, item, tier === "" ? {} : { tier });
    const found = [ourPriceOf(upload), upload.records[0]!.patch?.tier, codesOf(upload)];
    assertEquals(found, [...expected, [codes]]);
  });
}

const ofList = (more: Pick<ImportProfileInput, "fields"> & Partial<ImportProfileInput>) => {
  const blank = { id: "p", name: "P", detect: { root: "list" }, itemPath: "list/i" };
  return ImportProfile.parse({ ...blank, ...more });
};

const costOf = (currency: string, costPriceCents: number) => (
  { currency, costPriceCents, amountsIn: currency }
);
const long = (characters: number) => "ä".repeat(characters);

type Value = readonly [what: string, inner: string, patch: object | null, ...codes: string[]];

/** The tests add the SKU 1 to the XML `inner`, unless `what` contains `SKU`. */
const VALUES: readonly Value[] = [
  ["no SKU", "<TITLE>T</TITLE>", null, "missing_sku"],
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
    "a cost and a target of 0, with one warning",
    "<EK>0,00</EK><TARGETPRICE>0</TARGETPRICE>",
    { costPriceCents: 0, targetPriceCents: 0, amountsIn: "EUR" },
    "zero_price",
  ],
  ["a price in yen", `${money("JPY")}<EK>1.234</EK>`, costOf("JPY", 1_234)],
  ["a price in dinars", `<EK>1,2345</EK>${money("KWD")}`, costOf("KWD", 1_235)],
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

Deno.test("amounts without a currency are in the workspace's", async () => {
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
  const upload = await readText(`<list>${item}${bad}</list>`, { profile });
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
  /** Tier names in the item, in its price row and in the request, and the name that is stored. */
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
  const cases = [
    [false, "zero_price", [0, 0, ["B", "S"], [500, 0]]],
    // The patch omits tier S, so its stored price stays.
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

const BLANK = madeProduct();

Deno.test("decideRecord() keeps both bounds if the minimum would exceed the maximum, with a warning", () => {
  const workspace = { timeZone: "Europe/Berlin", currency: "EUR" };
  const setting = { ...workspace, mode: "upsert" as const, now: new Date(MADE_AT) };
  const before = { ...BLANK, minPriceCents: 500, maxPriceCents: 900 };
  const patch: RecordPatch = { sku: "S-1", title: "U", minPriceCents: 1_000, amountsIn: "EUR" };
  const boundsAfter = (patch: RecordPatch, before: Product | null) => {
    const { kind, after, notes } = decideRecord(patch, before, setting, () => BLANK.id);
    return [kind, after?.title, after?.minPriceCents, after?.maxPriceCents, ...notes.map(codeOf)];
  };
  const codeOf = ({ code }: { readonly code: string }) => code;
  assertEquals(boundsAfter(patch, before), ["updated", "U", 500, 900, "bounds_crossed"]);
  const made = ["inserted", "U", null, null, "bounds_crossed"];
  assertEquals(boundsAfter({ ...patch, maxPriceCents: 900 }, null), made);
});

Deno.test("the lines of a shard are read however their bytes are cut, and an incomplete last line is an error", async () => {
  const bare = { file: 0, rows: "", sold: [], written: undefined };
  const lines = ["0815 🧊", "Ä-1", "Ä-1"].map((sku, index) =>
    lineOf({ sku, title: `Kühlschrank ${index}` }, { ...bare, index, line: index + 2 })
  );
  const bytes = new TextEncoder().encode(lines.join("") + seenLine("ß", 3));
  const { records, mentioned } = await readWinners([bytes], true);
  const read = records.map(({ sku, index, losers }) => [sku, index, losers]);
  assertEquals(read, [["0815 🧊", 0, 0], ["Ä-1", 2, 1]]);
  assertEquals([...mentioned], ["0815 🧊", "Ä-1", "ß"]);
  for (let cut = 0; cut < bytes.length; cut++) {
    const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
    assertEquals(await readWinners(parts, true), { records, mentioned }, `${cut}`);
    const isWhole = cut === 0 || bytes[cut - 1] === 10;
    if (!isWhole) await rejects(readWinners(parts.slice(0, 1), false), /breaks off/);
  }
});

Deno.test("amountForOne() divides exactly, rounds half up, and refuses what is no number", () => {
  const setting = { format: "de", exponent: 2, currency: "EUR" } as const;
  const cases: readonly (readonly [text: string, quantity: string, expected: number | string])[] = [
    ["10,00", "1", 1_000],
    ["10,00", "3", 333],
    ["1,00", "8", 13],
    ["10,00", "0,5", 2_000],
    ["10,00", "0", "invalid_number"],
    ["10,00", "x", "invalid_number"],
    ["zehn", "2", "invalid_number"],
  ];
  for (const [text, quantity, expected] of cases) {
    const read = amountForOne(text, quantity, setting);
    assertEquals([text, quantity, "value" in read ? read.value : read.reason], [
      text,
      quantity,
      expected,
    ]);
  }
  const gross = amountForOne("119,00", "2", setting, { side: "net", ratePct: 19 });
  assertEquals(gross, amountForOne("50,00", "1", setting));
});

Deno.test("a VAT rate may be written as a fraction, but not with a percent sign", async () => {
  const profile = ofList({ fields: { sku: { path: "@no" }, vatRatePct: { path: "v" } } });
  for (const [written, rate] of [["19", 19], ["0,19", 19], ["19 %", 19], ["0,19 %", undefined]]) {
    const { records } = await readText(`<list><i no="1"><v>${written}</v></i></list>`, { profile });
    assertEquals([written, records[0]?.patch?.vatRatePct], [written, rate]);
  }
});
