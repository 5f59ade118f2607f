import { minorOfDecimal, readPriceText } from "../../src/base/price_text.ts";

export interface PriceString {
  readonly input: string | null;
  readonly hint: string | null;
  readonly amount: string | null;
  readonly currency_iso: string | null;
  readonly decimal_separator?: string;
  readonly tags: readonly string[];
}

interface ScoreLine {
  readonly name: string;
  readonly all: number;
  readonly right: number;
  readonly refused: number;
  /** Number of strings with a wrong price, including strings that have no price. */
  readonly wrong: number;
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

export const PRICE_STRINGS = "prices/price_strings.json";

/**
 * One score for all strings except the hard ones, one for each tag among them, one for their
 * currencies, and one for the hard strings. Strings that conflict with our own rule do not count.
 */
export function scoreLines(strings: readonly PriceString[]): ScoreLine[] {
  const counted = strings.filter(({ tags }) => !tags.includes("conflicts_de_house_rule"));
  const usual = counted.filter(({ tags }) => !tags.includes("hard"));
  const priced = usual.filter(({ amount, currency_iso }) => isPrice(amount) && currency_iso);
  return [
    scoreOf("All but the hard ones", usual),
    ...TAGS.map(([name, tag]) => scoreOf(name, usual.filter(({ tags }) => tags.includes(tag)))),
    {
      ...scoreOf("Currency, where the string says it", priced, (string) => {
        const price = readAs(string);
        if (!("currency" in price) || price.currency === null) return "refused";
        return price.currency === string.currency_iso ? "right" : "wrong";
      }),
    },
    scoreOf("Hard", counted.filter(({ tags }) => tags.includes("hard"))),
  ];
}

type Judgement = "right" | "refused" | "wrong";

function scoreOf(
  name: string,
  strings: readonly PriceString[],
  judge: (string: PriceString) => Judgement = judgedAmount,
): ScoreLine {
  const count = { right: 0, refused: 0, wrong: 0 };
  for (const string of strings) count[judge(string)] += 1;
  return { name, all: strings.length, ...count };
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
