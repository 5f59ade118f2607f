/**
 * docs/numbers.md has cases for `readNumber` and `readPriceText`, and the score of `readPriceText`.
 * To update the score: UPDATE_DOCS=1 deno test -A tests/base/numbers_document_test.ts
 */
import { readNumber } from "../../src/base/german_values.ts";
import { minorOfDecimal, type PriceTextContext, readPriceText } from "../../src/base/price_text.ts";
import { COLLECTION, dataTest, missingInCollection } from "../sample_data.ts";
import { testNeeding } from "../needing.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const DOCUMENT = "docs/numbers.md";
const TEXT = Deno.readTextFileSync(DOCUMENT);

/** The rows of the tables between two headings. A row begins with a text or with "(empty)". */
function casesBetween(begin: string, end: string): string[][] {
  const part = TEXT.slice(TEXT.indexOf(begin), TEXT.indexOf(end));
  const rows = part.split("\n").filter((line) => /^\| [`(]/.test(line));
  assert(rows.length > 50, `${rows.length} rows after ${begin}`);
  return rows.map((row) => row.slice(2, -2).split(" | ").map(plain));
}

/** The text of a cell: invisible characters are written as escapes. */
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

/** The context is a currency, a language, or a text next to the price. */
function contextOf(context: string): PriceTextContext {
  if (/^[A-Z]{3}$/.test(context)) return { currency: context };
  return /^[a-z]{2}(?:-[A-Z]{2})?$/.test(context) ? { locale: context } : { currencyText: context };
}

const PRICE_STRINGS = "prices/price_strings.json";

/** The score uses only the external collection, because our own price strings are too few. */
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

/**
 * One score for all strings except the hard ones, one for each tag among them, one for their
 * currencies, and one for the hard strings. Strings that conflict with our own rule do not count.
 */
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

/** A string that has no price, but is read as one, counts as wrong. */
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
