import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import { IS_LONG } from "../proof.ts";

/** `name` is for messages; `of(n)` makes a text of about `n` characters. */
interface HostileText {
  readonly name: string;
  readonly of: (n: number) => string;
}

export const HOSTILE_TEXTS: Readonly<Record<string, (n: number) => string>> = {
  "blanks within": (n) => `a${" ".repeat(n)}a`,
  "blanks after": (n) => `a${" ".repeat(n)}`,
  "no-break spaces": (n) => `a${"\u00a0".repeat(n / 2)}a`,
  "tabs and breaks": (n) => `a${"\t\r\n".repeat(n / 3)}a`,
  "invisible characters": (n) => `a${"\u200b".repeat(n / 3)}a`,
  "soft hyphens": (n) => `a${"\u00ad".repeat(n / 2)}a`,
  "tags beyond the first plane": (n) => `a${"\u{e0041}".repeat(n / 4)}a`,
  "one mark again and again": (n) => `a${"\u0301".repeat(n / 2)}`,
  "marks in the wrong order": (n) => `a${"\u0301\u0316".repeat(n / 4)}`,
  "composed letters": (n) => "e\u0301".repeat(n / 3),
  "Hangul in parts": (n) => "\u1100\u1161\u11a8".repeat(n / 9),
  "digits": (n) => "1".repeat(n),
  "zeros": (n) => `0.${"0".repeat(n)}1`,
  "groups": (n) => `1${".000".repeat(n / 4)}x`,
  "a percent sign far away": (n) => `19${" ".repeat(n)}x%`,
  "e-mail addresses": (n) => `${"a@".repeat(n / 2)}x`,
  "domains": (n) => `a@${"a.".repeat(n / 2)}!`,
  "hyphens": (n) => `a@${"-".repeat(n)}`,
  "slashes": (n) => `https://shop.example/${"/".repeat(n)}x`,
  "dots": (n) => `https://${"a.".repeat(n / 2)}example/`,
  "escapes": (n) => "%".repeat(n),
  "parameters": (n) => `https://shop.example/?${"a=1&".repeat(n / 4)}`,
  "quotes": (n) => '"'.repeat(n),
  "commas": (n) => '"a",'.repeat(n / 4),
  "brackets": (n) => "[".repeat(n),
  "sigmas": (n) => "Σ\u0301".repeat(n / 4),
  "letters beyond the first plane": (n) => "😀".repeat(n / 4),
};

/** One or more characters of each kind that parsers distinguish. */
const KINDS = [
  ..." \t\n\u00a0\u2009\u3000".split(""),
  ..."01aeZßé漢\u0663".split(""),
  ...["\u0301", "\u200b", "\u00ad", "\ufeff", "\u0085", "😀", "\ud800", "𝟘"],
];
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~€–".split("");
/** No regular expression in `src` expects this character. */
const END = "\u0001";
const PAIRED_MAX = 6;
const NO_SIGNS: readonly string[] = [];

/** Texts on which careless parsers are slow: one character, or a pair such as `<!--`, repeated. */
export function hostileTexts(): HostileText[] {
  const pairs = [
    ..."\u0301\u0316|\u0316\u0301|a\u0301|Σ\u0301|a |1.|1,|1 |-1|a,|a;|a=|a:|a@|a.|a-|a/|//|%2|%%|../"
      .split("|"),
    ...'<!--|<a|<a>|</|<?|<![CDATA[|&amp;|&#|{"|[[|[@a=|"a"|\'\'|$.|..|[0]|\\u|\\\\'.split("|"),
    ...'1.000|1\'000|1 000|EUR|€ |12:|2025-|31.12.|*/|/*|k=v;|W/"a",|gzip;q=|, '.split("|"),
    ..."9€99 |1 ,99 |1€ |,-|statt |von |versand |= ".split("|"),
  ];
  return [...KINDS, ...SIGNS, ...pairs].flatMap((unit) => [
    ...atTheEnd("", unit),
    run("", unit, END),
    run("a", unit, "a"),
    run("1", unit, "1"),
  ]);
}

/** Texts that may slow one regular expression: a matching start, repetitions, a wrong end. */
export function textsAgainst(source: string, flags: string): HostileText[] {
  const modes = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  const own = new RegExpParser().parsePattern(source, undefined, undefined, modes);
  const literals = [...new Set(source.replaceAll(/\\[pP]\{\w+\}|\\./g, ""))];
  const signs = distinguishedSigns(own, flags, literals);
  const marks = literals.filter((sign) => !/\w/.test(sign)).slice(0, PAIRED_MAX);
  const pairs = marks.flatMap((one) => marks.map((other) => one + other));
  const units = [...literals, ...pairs].map((unit) => ({ before: "", unit, ends: NO_SIGNS }));
  const runs = signs.map((unit) => ({ before: "", unit, ends: signs }));
  const repeated = repetitions(own).flatMap(({ quantifier, before }) => {
    const accepted = samples(quantifier.element, flags, signs);
    const ends = signs.filter((sign) => !accepted.includes(sign));
    return accepted.flatMap((unit) => [
      { before, unit, ends },
      { before: "", unit: before + unit, ends },
    ]);
  });
  const known = new Map(
    [...units, ...repeated, ...runs].filter(({ unit }) => unit !== "")
      .map((one) => [JSON.stringify([one.before, one.unit]), one]),
  );
  return [...known.values()].flatMap(({ before, unit, ends }) => [
    ...atTheEnd(before, unit),
    ...[...ends, END].map((end) => run(before, unit, end)),
    run(`a${before}`, unit, `${END}a`),
  ]);

  function repetitions(pattern: AST.Pattern) {
    const found: { quantifier: AST.Quantifier; before: string }[] = [];
    const walk = (alternatives: readonly AST.Alternative[], lead: string): void => {
      for (const { elements } of alternatives) {
        let before = lead;
        for (const element of elements) {
          visit(element, before);
          before += samples(element, flags, signs)[0] ?? "";
        }
      }
    };
    const visit = (element: AST.Element, before: string): void => {
      if (element.type === "Quantifier") {
        if (element.max > 4) found.push({ quantifier: element, before });
        visit(element.element, before);
      } else if (
        element.type === "Group" || element.type === "CapturingGroup" ||
        (element.type === "Assertion" && "alternatives" in element)
      ) walk(element.alternatives, before);
    };
    walk(pattern.alternatives, "");
    return found;
  }
}

/** Returns one character of each group that no part of the expression tells apart. */
function distinguishedSigns(
  pattern: AST.Pattern,
  flags: string,
  literals: readonly string[],
): string[] {
  const parts = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value, parent }) => {
      const sign = String.fromCodePoint(value);
      const isRepeated = parent.type === "Quantifier" && parent.max > 4;
      const isInWord = /\p{L}/u.test(sign) && !isRepeated;
      if (!isInWord && !parent.type.startsWith("Char")) parts.add(RegExp.escape(sign));
    },
    onCharacterSetEnter: ({ raw }) => void parts.add(raw),
    onCharacterClassEnter: ({ raw }) => void parts.add(raw),
    onExpressionCharacterClassEnter: ({ raw }) => void parts.add(raw),
  });
  const tests = [...parts].map((part) => new RegExp(`^${part}$`, flags.replaceAll(/[gy]/g, "")));
  const known = new Set([...KINDS, ...SIGNS, ...literals]);
  const kinds = [...known].reverse().map((sign) =>
    [tests.map((one) => Number(one.test(sign))).join(""), sign] as const
  );
  return [...new Map(kinds).values()].reverse();
}

/** Short test runs omit texts without a mismatch at the end, because these seldom slow a parser. */
function atTheEnd(before: string, unit: string): HostileText[] {
  return IS_LONG ? [run(before, unit, "")] : [];
}

function run(before: string, unit: string, after: string): HostileText {
  return {
    name: JSON.stringify([before, unit, after]),
    of: (n) => before + unit.repeat(Math.ceil(n / unit.length)) + after,
  };
}

/** Returns texts that match `element`: one for each kind of character or each alternative. */
function samples(element: AST.Element, flags: string, signs: readonly string[]): string[] {
  switch (element.type) {
    case "Character":
      return [String.fromCodePoint(element.value)];
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass": {
      const one = new RegExp(`^${element.raw}$`, flags.replaceAll(/[gy]/g, ""));
      return signs.filter((sign) => one.test(sign));
    }
    case "Quantifier":
      return samples(element.element, flags, signs).map((text) =>
        text.repeat(Math.max(element.min, 1))
      );
    case "Group":
    case "CapturingGroup":
      return element.alternatives.map(({ elements }) =>
        elements.map((part) => samples(part, flags, signs)[0] ?? "").join("")
      );
    default:
      // An assertion matches the empty text. A reference to a group counts as empty as well.
      return [""];
  }
}
