import fc from "fast-check";
import {
  instantOf,
  isOpenEnd,
  type NumberFormat,
  readDate,
  readFlag,
  readNumber,
} from "../../src/base/german_values.ts";
import {
  formatDecimalComma,
  formatGerman,
  formatMajor,
  MINOR_UNITS_MAX,
} from "../../src/base/money.ts";
import { extent } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { minorOfDecimal, type PriceTextContext, readPriceText } from "../../src/base/price_text.ts";
import { COLLECTION, dataTest, missingInCollection } from "../sample_data.ts";
import { testNeeding } from "../needing.ts";

const read = (text: string, format: NumberFormat = "de", currency: string | null = "EUR") =>
  readNumber(text, { format, exponent: 2, currency });
const minorUnits = fc.integer({ min: 0, max: 10 ** 12 });

Deno.test("readNumber() uses its format where a single separator stands before three digits", () => {
  const table: Record<string, [de: number | null, en: number | null, auto: number | null]> = {
    "1.234": [123_400, 123, null],
    "1,234": [123, 123, null],
    "1.234,56": [123_456, 123_456, 123_456],
    "1,234.56": [123_456, 123_456, 123_456],
    "17.77900": [1_778, 1_778, 1_778],
    "0.500": [50, 50, 50],
  };
  for (const [text, expected] of Object.entries(table)) {
    const outcomes = (["de", "en", "auto"] as const).map((format) => read(text, format));
    const values = outcomes.map((outcome) => "value" in outcome ? outcome.value : null);
    assertEquals([text, values], [text, expected]);
  }
});

Deno.test("readNumber() warns of a decimal comma in the format en, and of no sign in auto", () => {
  const warned = (text: string, format: NumberFormat) => {
    const outcome = read(text, format);
    return "value" in outcome ? outcome.warning : outcome.reason;
  };
  assertEquals(["17,23", "17.23"].map((text) => warned(text, "en")), ["dot_decimal", null]);
  assertEquals(["17,23", "17.23"].map((text) => warned(text, "auto")), [null, null]);
});

Deno.test("readNumber() accepts only the currency of its setting around the number", () => {
  assertEquals(read("12,50 CHF", "de", "CHF"), { value: 1_250, warning: null });
  assertEquals(read("Fr. 12,50", "de", "CHF"), { value: 1_250, warning: null });
  assertEquals(read("kr 12,50", "de", "SEK"), { value: 1_250, warning: null });
  assertEquals(read("12,50 €", "de", "CHF"), { reason: "invalid_number" });
  assertEquals(read("12,50 €", "de", null), { reason: "invalid_number" });
});

Deno.test("readNumber() rounds half up to the exponent and refuses amounts above the maximum", () => {
  const setting = { format: "de", exponent: 0, currency: "JPY" } as const;
  assertEquals(readNumber("1.234,5", setting), { value: 1_235, warning: null });
  assertEquals(readNumber("1.234,4999", setting), { value: 1_234, warning: null });
  assertEquals(readNumber("12", { ...setting, max: 11 }), { reason: "price_out_of_range" });
  assertEquals(read("10.000.000.000,005"), { reason: "price_out_of_range" });
});

Deno.test("readNumber() reads back every format in which we write money", () => {
  fc.assert(fc.property(minorUnits, fc.constantFrom(0, 2, 3), (minor, exponent) => {
    const setting = { format: "de", exponent, currency: null } as const;
    const texts = [formatGerman(minor, exponent), formatDecimalComma(minor, exponent)];
    const expected = { value: minor, warning: null };
    for (const text of texts) assertEquals(readNumber(text, setting), expected);
    const dotted = readNumber(formatMajor(minor, exponent), { ...setting, format: "en" });
    assertEquals(dotted, expected);
  }));
});

Deno.test("readNumber() never throws, and returns a whole amount or a reason", () => {
  const unit = fc.constantFrom(..."0123456789.,'’ \u00a0-–+€EURx٣");
  const signs = fc.string({ unit, maxLength: 20 });
  const property = fc.property(fc.oneof(signs, fc.string()), (text) => {
    const outcome = read(text);
    assert("reason" in outcome || (Number.isSafeInteger(outcome.value) && outcome.value >= 0));
  });
  fc.assert(property, { numRuns: extent(2_000, 700) });
});

const READ: [text: string, date: string, time: string | null, offset: string | null][] = [
  ["1.1.25", "2025-01-01", null, null],
  ["01.01.99", "1999-01-01", null, null],
  ["  31.12.2025\n", "2025-12-31", null, null],
  ["29.02.2000", "2000-02-29", null, null],
  ["29.02.2024", "2024-02-29", null, null],
  ["31.12.2025 23:59", "2025-12-31", "23:59:00", null],
  ["31.12.2025 8:05:09 Uhr", "2025-12-31", "08:05:09", null],
  ["2025-12-31T23:59:59.123+01:00", "2025-12-31", "23:59:59", "+01:00"],
  ["2025-12-31 10:00:00 Z", "2025-12-31", "10:00:00", "Z"],
  ["20251231 235959", "2025-12-31", "23:59:59", null],
  ["20251231T235959", "2025-12-31", "23:59:59", null],
  ["2025-12-31+01:00", "2025-12-31", null, "+01:00"],
];

const REFUSED = [
  ["31.02.2026", "29.02.2025", "29.02.1900", "31.04.2025", "32.01.2025", "0.1.2025", "1.13.2025"],
  ["1.0.2025", "00.00.0000", "1.1.0000", "20250231", "2025-13-01", "2025-1-1"],
  ["", " ", "heute", "31/12/2025", "31-12-2025", "31.12", "31.12.202", "31.12.2025x", "1.1.1"],
  ["31.12.2025 24:00", "31.12.2025 12:60", "31.12.2025 12", "31.12.2025T"],
  ["2025-12-31T10:00+25:00"],
  ["٣١.12.2025", "3 1.12.2025", "9".repeat(100_000), "1." + "1.".repeat(50_000)],
].flat();

Deno.test("readDate() reads the dates of ERP files, with and without time, and refuses those that do not exist", () => {
  for (const [text, date, time, offset] of READ) {
    assertEquals([text, readDate(text)], [text, { date, time, offset }]);
  }
  assertEquals(REFUSED.filter((text) => !("reason" in readDate(text))), []);
});

Deno.test("readDate() reads every day in every form", () => {
  const [min, max] = [new Date("0101-01-01"), new Date("9999-12-31")];
  fc.assert(fc.property(fc.date({ min, max, noInvalidDate: true }), (instant) => {
    const date = instant.toISOString().slice(0, 10);
    const [year, month, day] = date.split("-");
    for (const form of [date, `${day}.${month}.${year}`, `${year}${month}${day}`]) {
      assertEquals(readDate(form), { date, time: null, offset: null });
    }
  }));
});

Deno.test('isOpenEnd() recognises the dates that mean "no end"', () => {
  const open = ["31.12.9999", "99991231", "00.00.0000", "9999-12-31", "00000000", "0000-00-00"];
  const withTime = ["31.12.9999 23:59:59", "9999-12-31T00:00:00Z"];
  const dates = ["", "31.12.2099", "31.12.99", "01.01.9999", "30.12.9999", "00.00.00", "0", "9999"];
  assertEquals([...open, ...withTime].filter((text) => !isOpenEnd(text)), []);
  assertEquals(dates.filter(isOpenEnd), []);
});

Deno.test("instantOf() reads local time in the zone, over both changes to and from summer time", () => {
  const table: [text: string, instant: string][] = [
    ["31.12.2025", "2025-12-30T23:00:00.000Z"],
    ["01.07.2025", "2025-06-30T22:00:00.000Z"],
    ["30.03.2025 02:30", "2025-03-30T01:30:00.000Z"],
    ["26.10.2025 02:30", "2025-10-26T00:30:00.000Z"],
    ["2025-12-31T10:00:00Z", "2025-12-31T10:00:00.000Z"],
    ["2025-12-31T10:00:00+0200", "2025-12-31T08:00:00.000Z"],
  ];
  for (const [text, instant] of table) {
    const read = readDate(text);
    assertEquals("date" in read && instantOf(read, "Europe/Berlin"), instant);
  }
});

Deno.test("readFlag() reads German and English flags in any case, and no other text", () => {
  const yes = ["J", "j", "JA", "Ja", "Y", "YES", "1", "TRUE", "true", "X", "x", " J \n"];
  const no = ["N", "n", "NEIN", "Nein", "NO", "0", "FALSE", "False", "", "  "];
  assertEquals(yes.map(readFlag), yes.map(() => true));
  assertEquals(no.map(readFlag), no.map(() => false));
  const others = ["JN", "2", "-", "on", "aktiv", "constructor", "J A"];
  assertEquals(others.map(readFlag), others.map(() => null));
});

Deno.test("readPriceText() reads every German, Swiss and English spelling of an amount", () => {
  fc.assert(fc.property(minorUnits, (minor) => {
    const german = formatGerman(minor, 2);
    const texts = [
      ...[`${german} €`, `ab ${german} € *`, `EUR ${german}`, `€${german}`],
      ...[`CHF ${german.replaceAll(".", "’").replace(",", ".")}`, `£${formatMajor(minor, 2)}`],
      ...[`${german.replaceAll(".", "\u00a0")} €`, `UVP 9,99 € ${german} €`],
    ];
    for (const text of texts.slice(0, minor === 0 ? -1 : undefined)) {
      const price = readPriceText(text);
      assert("decimal" in price, text);
      assertEquals([text, minorOfDecimal(price.decimal, 2)], [text, minor]);
    }
  }));
});

Deno.test("readPriceText() does not take the day and year of a date for a price", () => {
  const dates = ["July, 2004", "Juli 2004", "14 May, 2027", "4. Dez. 2027", "le 3 août 2004"];
  for (const date of dates) {
    assertEquals([date, readPriceText(date)], [date, { reason: "no_price" }]);
    const price = readPriceText(`${date} £8`);
    assertEquals([date, "decimal" in price && price.decimal], [date, "8"]);
  }
  const article = readPriceText("Marke 2000 €");
  assertEquals("decimal" in article && article.decimal, "2000");
});

Deno.test("readPriceText() never throws, and reads only unsigned decimals", () => {
  const likely = fc.string({
    unit: fc.constantFrom(..."0123456789.,'’ \n\u00a0-–+€$%EURkgstatab(/:=٣\u200b"),
    maxLength: 40,
  });
  const texts = fc.oneof(likely, fc.string());
  const property = fc.property(texts, fc.option(fc.string()), (text, beside) => {
    const price = readPriceText(text, { currencyText: beside, locale: beside });
    assert("reason" in price || /^\d+(?:\.\d+)?$/.test(price.decimal));
  });
  fc.assert(property, { numRuns: extent(3_000, 1_000) });
});

Deno.test("minorOfDecimal() rounds half up, and is null above the maximum", () => {
  const table: [string, number, number | null][] = [
    ["29.1583", 2, 2_916],
    ["29.155", 2, 2_916],
    ["29.1549", 2, 2_915],
    ["29", 2, 2_900],
    ["1999.5", 0, 2_000],
    ["10000000000", 2, MINOR_UNITS_MAX],
    ["10000000000.01", 2, null],
    ["9".repeat(1_000), 2, null],
  ];
  for (const [decimal, exponent, minor] of table) {
    assertEquals(minorOfDecimal(decimal, exponent), minor);
  }
});

/** `UPDATE_DOCS=1 deno test -A tests/base/numbers_test.ts` updates the score in this document. */
const DOCUMENT = "docs/numbers.md";
const TEXT = Deno.readTextFileSync(DOCUMENT);

/** The table rows between two headings of the document, without header rows. */
function casesBetween(begin: string, end: string): string[][] {
  const part = TEXT.slice(TEXT.indexOf(begin), TEXT.indexOf(end));
  const rows = part.split("\n").filter((line) => /^\| [`(]/.test(line));
  assert(rows.length > 50, `${rows.length} rows after ${begin}`);
  return rows.map((row) => row.slice(2, -2).split(" | ").map(plain));
}

/** Cells write invisible characters as escapes such as `\u00a0`. */
function plain(cell: string): string {
  return cell === "(empty)" ? "" : cell.replaceAll("`", "").replaceAll(
    /\\u([0-9a-f]{4})/g,
    (_, code) => String.fromCharCode(parseInt(code, 16)),
  );
}

Deno.test("readNumber() reads the numbers of files as docs/numbers.md says", () => {
  for (const [text = "", ...expected] of casesBetween("## Files", "## Pages")) {
    const outcome = readNumber(text, { format: "de", exponent: 2, currency: "EUR" });
    const read = "reason" in outcome
      ? [outcome.reason, ""]
      : [`${outcome.value}`, outcome.warning ?? ""];
    assertEquals([text, ...read], [text, ...expected]);
  }
});

Deno.test("readPriceText() reads the prices of pages as docs/numbers.md says", () => {
  for (const [text = "", context = "", expected] of casesBetween("## Pages", "## Score")) {
    const price = readPriceText(text, contextOf(context));
    const read = "reason" in price
      ? price.reason
      : [price.decimal, price.currency].filter(Boolean).join(" ");
    assertEquals([text, context, read], [text, context, expected]);
  }
});

function contextOf(context: string): PriceTextContext {
  if (/^[A-Z]{3}$/.test(context)) return { currency: context };
  return /^[a-z]{2}(?:-[A-Z]{2})?$/.test(context) ? { locale: context } : { currencyText: context };
}

const PRICE_STRINGS = "prices/price_strings.json";

/** `tests/fixtures` has too few price strings for a score, so this test needs `TEST_DATA_DIR`. */
testNeeding(missingInCollection(PRICE_STRINGS), {
  name: "docs/numbers.md has the current score",
  fn() {
    const committed = TEXT.slice(TEXT.lastIndexOf("|---|\n") + "|---|\n".length);
    const score = scoreLines(COLLECTION.json(PRICE_STRINGS)).map((line) => {
      const percent = (line.right / line.all * 100).toFixed(1);
      return `| ${line.name} | ${line.all} | ${percent} % | ${line.refused} | ${line.wrong} |\n`;
    }).join("");
    if (!Deno.env.get("UPDATE_DOCS")) return assertEquals(committed, score);
    Deno.writeTextFileSync(DOCUMENT, TEXT.slice(0, TEXT.length - committed.length) + score);
  },
});

dataTest("readPriceText() reads at least 97 % of the price strings", PRICE_STRINGS, (data) => {
  const [overall, euroAndFranc, ...others] = scoreLines(data.json(PRICE_STRINGS));
  assert(overall && overall.right / overall.all >= 0.97);
  assert(euroAndFranc);
  assertEquals(euroAndFranc.right, euroAndFranc.all, "a euro or franc price is wrong");
  const hard = others.at(-1);
  if (!data.isOwn) assert(hard && hard.right / hard.all >= 0.89, "hard strings");
});

interface PriceString {
  readonly input: string | null;
  readonly hint: string | null;
  readonly amount: string | null;
  readonly currency_iso: string | null;
  readonly decimal_separator?: string;
  readonly tags: readonly string[];
}

const TAGS = [
  ["Euro and franc", "eur_chf"],
  ["European currencies", "european"],
  ["Decimal comma", "comma_dec"],
  ["Dots between thousands, decimal comma", "dot_group_comma_dec"],
  ["Blanks between thousands", "space_group"],
  ["A single separator before three digits", "single_sep_3_digits"],
  ["Several numbers", "several_numbers"],
  ["No price", "no_price"],
  ["Negative", "negative"],
] as const;

/** Ignores strings that Kurant deliberately reads differently from the collection. */
function scoreLines(strings: readonly PriceString[]) {
  const counted = strings.filter(({ tags }) => !tags.includes("conflicts_de_house_rule"));
  const usual = counted.filter(({ tags }) => !tags.includes("hard"));
  const priced = usual.filter(({ amount, currency_iso }) => isPrice(amount) && currency_iso);
  return [
    scoreOf("All but the hard ones", usual),
    ...TAGS.map(([name, tag]) => scoreOf(name, usual.filter(({ tags }) => tags.includes(tag)))),
    scoreOf("Currency, where the string says it", priced, judgedCurrency),
    scoreOf("Hard", counted.filter(({ tags }) => tags.includes("hard"))),
  ];
}

type Judgement = "right" | "refused" | "wrong";

function scoreOf(
  name: string,
  strings: readonly PriceString[],
  judge: (string: PriceString) => Judgement = judgedAmount,
) {
  const count = { right: 0, refused: 0, wrong: 0 };
  for (const string of strings) count[judge(string)] += 1;
  return { name, all: strings.length, ...count };
}

function judgedCurrency(string: PriceString): Judgement {
  const price = readAs(string);
  if (!("currency" in price) || price.currency === null) return "refused";
  return price.currency === string.currency_iso ? "right" : "wrong";
}

function judgedAmount(string: PriceString): Judgement {
  const price = readAs(string);
  if (!isPrice(string.amount)) return "reason" in price ? "right" : "wrong";
  if ("reason" in price) return "refused";
  const exponent = string.tags.includes("rounded_by_source") ? 2 : 6;
  const [read, right] = [price.decimal, string.amount].map((decimal) =>
    minorOfDecimal(decimal, exponent) ?? decimal
  );
  return read === right ? "right" : "wrong";
}

function readAs({ input, hint, decimal_separator: sign }: PriceString) {
  const locale = sign === "." ? "en" : sign === "," ? "de" : null;
  return readPriceText(input ?? "", { currencyText: hint, locale });
}

function isPrice(amount: string | null): amount is string {
  return amount !== null && !amount.startsWith("-");
}
