import { readNumber } from "../../src/base/german_values.ts";
import { type PriceTextContext, readPriceText } from "../../src/base/price_text.ts";
import { testNeeding } from "../needing.ts";
import { COLLECTION, dataTest } from "../sample_data.ts";
import { FILE_NUMBERS, type FileNumberCase } from "./number_cases.ts";
import { PRICE_STRINGS, type PriceString, scoreLines } from "./price_strings_score.ts";
import { PRICE_TEXTS, type PriceTextCase } from "./price_text_cases.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

/*
 * docs/numbers.md is this table of cases and the score of the readers. To update it:
 * UPDATE_DOCS=1 deno test -A tests/base/numbers_document_test.ts
 */
const DOCUMENT = "docs/numbers.md";
const SCORE_HEADING = "## Score";
/** The score uses only the external collection, because our own price strings are too few. */
const strings = COLLECTION.has(PRICE_STRINGS)
  ? COLLECTION.json<readonly PriceString[]>(PRICE_STRINGS)
  : null;

Deno.test("readNumber() reads the numbers of files as docs/numbers.md says", () => {
  const read = FILE_NUMBERS.map(([text]): FileNumberCase => {
    const outcome = readNumber(text, { format: "de", exponent: 2, currency: "EUR" });
    if ("reason" in outcome) return [text, outcome.reason];
    return outcome.warning ? [text, outcome.value, outcome.warning] : [text, outcome.value];
  });
  assertEquals(read, FILE_NUMBERS);
});

Deno.test("readPriceText() reads the prices of pages as docs/numbers.md says", () => {
  for (const cases of Object.values(PRICE_TEXTS)) {
    const read = cases.map(([text, _, context]): PriceTextCase => {
      const price = shownPrice(text, context);
      return context ? [text, price, context] : [text, price];
    });
    assertEquals(read, cases);
  }
});

Deno.test("docs/numbers.md is up to date", () => {
  const [committedCases, committedScore] = committed();
  const score = strings ? scoreText() : committedScore;
  if (Deno.env.get("UPDATE_DOCS")) Deno.writeTextFileSync(DOCUMENT, casesText() + score);
  else assertEquals(committedCases, casesText());
});

testNeeding(strings ? null : "no test data", {
  name: "docs/numbers.md has the current score",
  fn: () => assertEquals(committed()[1], scoreText()),
});

dataTest(
  "readPriceText() reads at least 97 % of the price strings",
  PRICE_STRINGS,
  (data) => {
    const shares = scoreLines(data.json<readonly PriceString[]>(PRICE_STRINGS))
      .map(({ name, right, all }) => ({ name, right, all }));
    const [overall, euroAndFranc] = shares;
    assert(overall && overall.right / overall.all >= 0.97);
    assert(
      euroAndFranc && euroAndFranc.right === euroAndFranc.all,
      "a euro or franc price is wrong",
    );
    const hard = shares.at(-1);
    if (!data.isOwn) assert(hard && hard.right / hard.all >= 0.89, "hard strings");
  },
);

function committed(): [cases: string, score: string] {
  let text = "";
  try {
    text = Deno.readTextFileSync(DOCUMENT);
  } catch (cause) {
    // A missing document is written as a whole.
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  const at = text.indexOf(SCORE_HEADING);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

function shownPrice(text: string, context?: PriceTextContext): string {
  const price = readPriceText(text, context);
  if ("reason" in price) return price.reason;
  return price.currency ? `${price.decimal} ${price.currency}` : price.decimal;
}

function casesText(): string {
  const files = FILE_NUMBERS.map(([text, cents, warning]) =>
    `| ${code(text)} | ${typeof cents === "number" ? cents : code(cents)} | ${
      warning ? code(warning) : ""
    } |`
  );
  const pages = Object.entries(PRICE_TEXTS).flatMap(([kind, cases]) => [
    `### ${kind}`,
    "",
    "| Text | Context | Price |",
    "|---|---|---|",
    ...cases.map(([text, price, context]) =>
      `| ${code(text)} | ${context ? code(Object.values(context).join(", ")) : ""} | ${
        /^\d/.test(price) ? price : code(price)
      } |`
    ),
    "",
  ]);
  return [...OPENING, ...files, "", ...PAGES_OPENING, ...pages, ""].join("\n");
}

function scoreText(): string {
  const rows = scoreLines(strings ?? []).map(({ name, all, right, refused, wrong }) =>
    `| ${name} | ${all} | ${(right / all * 100).toFixed(1)} % | ${refused} | ${wrong} |`
  );
  return [SCORE_HEADING, "", ...SCORE_OPENING, ...rows, ""].join("\n");
}

/** Escapes every character that is invisible in the document. */
function code(text: string): string {
  if (text === "") return "(empty)";
  const visible = text.replace(
    /[^\P{C}]|[^\P{Z} ]|^ | $/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `\`${visible}\``;
}

const OPENING = [
  "<!-- deno-fmt-ignore-file -->",
  "",
  "# How numbers are read",
  "",
  "One parser reads the numbers in ERP files and the prices on web pages. If a number has",
  "different separators and the last is a dot or a comma, the last separator is the decimal sign.",
  "A number such as `1.234` or `1,234` is ambiguous, and files and pages have different rules for",
  "this case. In `0.123` and `1234.567`, the single separator can only be the decimal sign. The",
  "parser computes exactly, with integers. Surplus decimals are rounded half up. A wrong price is",
  "worse than no price, so a number that stays ambiguous is refused.",
  "",
  "## Files",
  "",
  "In this table, the numbers are amounts in euros, read in the format `de`. A refused number has a code",
  "instead of cents. A number with the warning `dot_decimal` is used. In all tables, invisible characters",
  "are written as escapes: `\\u00a0` is a no-break space.",
  "",
  "| Text | Cents, or code of the refusal | Warning |",
  "|---|---|---|",
];

const PAGES_OPENING = [
  "## Pages",
  "",
  "Prices are exact decimals in major units, such as euros. A text without a clear price has a",
  "code. The column _Context_ has further information: a currency, a text next to the price, or a",
  "language. Savings, shipping costs and deposits are not prices. An amount with a currency takes",
  "precedence over a bare number. Of several amounts, the first in the currency of the context is",
  "used, or else the first. Old prices, unit prices and monthly instalments are used only if the",
  "text has no other price.",
  "",
];

const SCORE_OPENING = [
  "The price strings and their correct prices come from scrapinghub/price-parser,",
  "microsoft/Recognizers-Text, RubyMoney/monetize and facebook/duckling. Two strings are omitted, because",
  "their prices treat a single dot before three digits as the decimal sign. The parser must refuse",
  "negative amounts. *Hard* strings are whole sentences, or are read wrongly by the project that",
  "collected them.",
  "",
  "| Strings | Count | Right | Price refused | Wrong price |",
  "|---|---|---|---|---|",
];
