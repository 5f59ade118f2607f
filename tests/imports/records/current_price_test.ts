import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { codesOf, readText, type WholeUpload } from "../upload_reading.ts";

/** Reads one item with rows of the form `price from until more`; today is 2026-11-20. */
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
/** Rows are separated by `|`. */
type Case = readonly [what: string, rows: string, cents: number | null, ...codes: string[]];
const CASES: readonly Case[] = [
  ["the row without an end", "1 01.01.2020 31.12.2025|2 01.01.2026|3 01.01.2027 31.12.2027", 200],
  ["no row with an end to come", "1 01.01.2020 31.12.2099", null, NONE],
  ["the row that began last", "1 01.01.2025|2 01.06.2026|3 01.03.2026", 200, AMBIGUOUS],
  ["a row that begins today", "1 01.01.2025|2 20.11.2026", 200, AMBIGUOUS],
  ["a row with a start, not one without", "1 01.01.2025|2", 100, AMBIGUOUS],
  ["the last of rows with equal starts", "1 01.01.2025|2 01.01.2025", 200, AMBIGUOUS],
  ["a row that has begun, not a later one", "1 01.01.2025|2 01.01.2027", 100, AMBIGUOUS],
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
  [
    "a row with a start before one that starts 00.00.0000",
    "1 00.00.0000|2 01.01.2020",
    200,
    AMBIGUOUS,
  ],
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

Deno.test("the warning about several open prices says which one is used", async () => {
  const messageOf = async (...rows: string[]) =>
    (await read(rows)).records[0]?.findings[0]?.message;
  const begun = await messageOf("1 01.01.2025", "2 01.06.2026", "3 01.01.2027");
  assertEquals(begun, "3 open prices without a tier: the newest that has begun is used");
  const future = await messageOf("1 01.01.2028", "2 01.01.2027");
  assertEquals(future, "2 open prices without a tier: the earliest is used");
});

Deno.test("the current price is that of the given day", async () => {
  const rows = "<SALESPRICE PRICE='1'/><SALESPRICE PRICE='2' VALIDFROM='21.11.2026'/>";
  const xml = `<ITEM><SKU>1</SKU>${rows}</ITEM>`;
  const on = async (today: string) => ourPriceOf(await readText(xml, { today }));
  assertEquals([await on("2026-11-20"), await on("2026-11-21")], [100, 200]);
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
