/**
 * Formats numbers, money and times in German and English, and puts the results into sentences.
 * Sentences contain names of facts (values) in braces, such as `bis {until}`. The name decides the
 * format: `…Cents` is an amount, `…Pct` is a percentage, and `at`, `until`, `since` or `…At` is a
 * time.
 */
import { mapValues, memoize } from "../../base/collections.ts";
import { type Language, languageOf } from "../../base/codes.ts";
import { exponentOf, majorOf, showMoney } from "../../base/money.ts";

interface ShowSettings {
  readonly locale: string;
  readonly timeZone: string;
  readonly currency: string;
  /** Language of relative times such as "3 hours ago"; if absent, the language of `locale`. */
  readonly language?: string;
}

export type Show = ReturnType<typeof createShow>;

type Amount = number | null | undefined;
type Instant = string | Date | null | undefined;

const NONE = "–";

const COMPACT_FROM = 100_000;

export function isFar(value: number): boolean {
  return Math.abs(value) >= COMPACT_FROM;
}

export function createShow(settings: ShowSettings, nowMs: () => number) {
  const { locale, timeZone, language = locale } = settings;
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const pct = figureFormatOf(locale, { maximumFractionDigits: 2 });
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const share = figureFormatOf(locale, tenths);
  const changed = figureFormatOf(locale, { ...tenths, signDisplay: "exceptZero" });
  const percentSign = percentSignOf(locale);
  const percentOf = (format: FigureFormat, value: number) => minusOf(format(value)) + percentSign;
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "medium" });
  const time = new Intl.DateTimeFormat(locale, {
    ...DAY_CLOCK,
    timeZone,
    // English dates name the month, because British and Americans read "11/12/26" differently.
    dateStyle: languageOf(locale) === "en" ? "medium" : "short",
  });
  const clock = new Intl.DateTimeFormat(locale, { ...DAY_CLOCK, timeZone });
  return {
    ...settings,
    percentSign,
    ...moneyShow(settings),
    number: (value: Amount) => typeof value === "number" ? minusOf(plain.format(value)) : NONE,
    /** Expects percentages and not fractions: 1 becomes "1 %". */
    percent: (value: Amount) => typeof value === "number" ? percentOf(pct, value) : NONE,
    share: (value: Amount) => typeof value === "number" ? percentOf(share, value) : NONE,
    percentChange: (value: number) => percentOf(changed, value),
    tenths: (value: number) => minusOf(share(value)),
    tenthsChange: (value: number) => minusOf(changed(value)),
    bytes: (value: number) => shownBytes(value, plain),
    date: (instant: Instant) => instant ? day.format(new Date(instant)) : NONE,
    dateTime: (instant: Instant) => instant ? time.format(new Date(instant)) : NONE,
    time: (instant: Instant) => instant ? clock.format(new Date(instant)) : NONE,
    ago: (instant: string | null | undefined) =>
      instant ? shownAgo(Date.parse(instant) - nowMs(), language) : NONE,
    age: (instant: string | null | undefined) =>
      instant ? shownAge(nowMs() - Date.parse(instant), language) : NONE,
    duration: (ms: number) => shownDuration(ms, language),
  };
}

function moneyShow(settings: ShowSettings) {
  const { locale } = settings;
  const moneyFormat = memoize(
    (currency: string) => moneyFormatOf(locale, currency, exponentOf(currency)),
    3,
  );
  const shownMoney = (cents: number, currency: string) =>
    minusOf(moneyFormat(currency).format(majorOf(cents, exponentOf(currency))));
  return {
    money: (cents: Amount, currency?: string | null) =>
      typeof cents === "number" ? shownMoney(cents, currency ?? settings.currency) : NONE,
    moneyChange: (cents: number, currency?: string | null) => {
      const text = shownMoney(Math.abs(cents), currency ?? settings.currency);
      return cents === 0 ? text : `${cents > 0 ? "+" : "−"}${text}`;
    },
    decimalMoney: (decimal: string, currency?: string | null) => {
      const code = currency ?? settings.currency;
      const typed = decimal.split(".")[1]?.length ?? 0;
      const digits = Math.max(exponentOf(code), Math.min(typed, 10));
      return moneyFormatOf(locale, code, digits).format(Number(decimal));
    },
  };
}

type FigureFormat = (value: number) => string;

function figureFormatOf(locale: string, options: Intl.NumberFormatOptions): FigureFormat {
  const { signDisplay = "auto" } = options;
  const near = new Intl.NumberFormat(locale, options);
  const far = new Intl.NumberFormat(locale, {
    notation: "compact",
    maximumFractionDigits: 1,
    signDisplay,
  });
  return (value) => (isFar(value) ? far : near).format(value);
}

const DAY_CLOCK = { timeStyle: "short", hourCycle: "h23" } as const;

function percentSignOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { style: "percent" }).formatToParts(1);
  return `${parts.find(({ type }) => type === "literal")?.value ?? ""}%`;
}

/** Replaces the hyphen by a minus sign, because a line may break after a hyphen. */
function minusOf(text: string): string {
  return text.replace("-", "\u2212");
}

/** `Intl` shows no decimals for some currencies, such as RSD, so callers pass `digits`. */
function moneyFormatOf(locale: string, currency: string, digits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

const UNITS = ["B", "KB", "MB", "GB"] as const;

function shownBytes(value: number, format: Intl.NumberFormat): string {
  const step = value < 1
    ? 0
    : Math.min(UNITS.length - 1, Math.floor(Math.log(value) / Math.log(1_000)));
  const amount = value / 1_000 ** step;
  return `${format.format(Math.round(amount * 10) / 10)} ${UNITS[step]}`;
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

function shownAgo(ms: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, size] of STEPS) {
    if (Math.abs(ms) >= size) return format.format(Math.trunc(ms / size), unit);
  }
  return format.format(0, "second");
}

function shownAge(ms: number, language: string): string {
  const step = STEPS.find(([, size]) => ms >= size);
  if (step === undefined) return shownAgo(0, language);
  const [unit, size] = step;
  // Days have the long form ("Tage"), because the short German form is "Tg.".
  const unitDisplay = unit === "day" ? "long" : "short";
  return withPlainUnit(
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay })
      .format(Math.trunc(ms / size)),
  );
}

function withPlainUnit(text: string): string {
  return text.replace(/\s(?:(h)r|(min)|(s)ec)s?$/, "\u00a0$1$2$3");
}

function shownDuration(ms: number, language: string): string {
  const isLong = ms >= 60_000;
  const amount = isLong ? ms / 60_000 : ms / 1_000;
  const digits = amount < 10 ? 1 : 0;
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit: isLong ? "minute" : "second",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return withPlainUnit(format.format(amount));
}

export function spokenMinutes(minutes: number, shown: string, language: string): string {
  const unit = minutes % 1_440 === 0 ? "day" : minutes % 60 === 0 ? "hour" : null;
  if (unit === null) return `${shown}\u00a0min`;
  const count = minutes / (unit === "day" ? 1_440 : 60);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" })
    .format(count).replace(" ", "\u00a0");
}

export function shownMargin(marginPct: number | null, show: Pick<Show, "share">): string {
  return show.share(marginPct === null ? null : Math.floor(marginPct * 10) / 10);
}

export type InBoth = Readonly<Record<Language, string>>;

export function sayIn(language: Language) {
  return (de: string, en: string) => language === "de" ? de : en;
}

export function wordsIn<Code extends string>(
  language: Language,
  table: Readonly<Record<Code, InBoth>>,
): Record<Code, string> {
  return mapValues<Code, InBoth, string>(table, (words) => words[language]);
}

export interface Audience {
  readonly language: Language;
  readonly show: Show;
}

/** The result has no clock: its `show.ago` and `show.age` are wrong, so never use them. */
export function audienceOf(settings: ShowSettings): Audience {
  const language = languageOf(settings.locale);
  return { language, show: createShow({ ...settings, language }, () => 0) };
}

export type AnyFacts = Readonly<Record<string, unknown>>;

/** Taken from a method type, so that functions for more specific `Facts` are accepted too. */
type Chosen<Facts, Text> = { choose(facts: Facts, show: Show): Text }["choose"];
type ChosenWire<Facts> = { choose(facts: Facts): string }["choose"];

export type Text<Facts> = InBoth | Chosen<Facts, InBoth | null>;

/** The English text that API responses contain, with amounts such as "269.10 EUR". */
export type Wire<Facts> = string | ChosenWire<Facts>;

export interface Sentences<Facts> {
  readonly text: Text<Facts>;
  readonly wire: Wire<Facts>;
}

/** Decisions that another version of Kurant stored may have codes that the table lacks. */
export type Table<Row> = Readonly<Record<string, Row | undefined>>;

export function textOf(text: Text<AnyFacts>, facts: AnyFacts, { language, show }: Audience) {
  const chosen = typeof text === "function" ? text(facts, show) : text;
  if (chosen === null) return null;
  const list = (items: readonly unknown[]) => items.join(", ");
  return filled(chosen[language], facts, { ...show, list });
}

const WIRE_FORMATS = {
  money: (cents: number, currency: string) => wireMoney(cents, currency),
  percent: (pct: number) => `${pct} %`,
  number: (value: number) => String(value),
  dateTime: (instant: string) => instant,
  list: ([first]: readonly unknown[]) => String(first ?? "a competitor"),
};

export function wireOf(wire: Wire<AnyFacts>, facts: AnyFacts): string {
  return filled(typeof wire === "function" ? wire(facts) : wire, facts, WIRE_FORMATS);
}

export function wireMoney(cents: number, currency: string, isExact = true): string {
  return `${isExact ? "" : "about "}${showMoney(cents, currency)}`;
}

export function alike(text: string): Readonly<Record<Language, string>> {
  return { de: text, en: text };
}

/** Braces without a matching fact stay: a shop's name in the sentence may contain them. */
function filled(sentence: string, facts: AnyFacts, formats: typeof WIRE_FORMATS): string {
  return sentence.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const value = facts[name];
    if (value === undefined) return braces;
    if (Array.isArray(value)) return formats.list(value);
    if (typeof value === "number") {
      if (/cents$/i.test(name)) {
        return formats.money(value, typeof facts.currency === "string" ? facts.currency : "");
      }
      return /pct$/i.test(name) ? formats.percent(value) : formats.number(value);
    }
    const text = value === null ? "" : String(value);
    return text !== "" && /^(?:at|until|since)$|At$/.test(name) ? formats.dateTime(text) : text;
  });
}
