/**
 * Describes a rule in a sentence, with a phrase for each field that differs from its default. In a
 * form, values may still be missing; the sentence then shows "…".
 */
import type { Language } from "../../base/codes.ts";
import {
  ABOVE,
  type ActionField,
  BELOW,
  choice,
  type Fields,
  fields,
  flag,
  given,
  list,
  OR,
  percent,
  type Say,
  sayAll,
  sayPrice,
  type SayTable,
  type SentencePart,
  type SentenceSpeaker,
  text,
  type TextContext,
} from "./price_sentence.ts";
import type { Action } from "../pricing/actions.ts";
import type { Bounds } from "../pricing/bounds.ts";
import type { ScopeField } from "../pricing/codes.ts";
import type { referenceFields } from "../pricing/reference.ts";
import type { RuleTerms } from "../pricing/rule.ts";
import { CODE_WORDS } from "./code_words.ts";
import { type InBoth, sayIn, spokenMinutes, type Table } from "./show.ts";
import { TRIGGER_ROWS } from "./trigger_words.ts";
import { isJsonObject } from "../../base/collections.ts";

interface MainTerms {
  readonly when: Fields;
  readonly scope: Fields;
  readonly actions: readonly Fields[];
  readonly marginFloor?: unknown;
  readonly bounds?: unknown;
}

type RestField = Exclude<keyof RuleTerms, keyof MainTerms | "name" | "description" | "enabled">;
type SayableRule = MainTerms & Readonly<Partial<Record<RestField, unknown>>>;

const PRIORITY_DEFAULT = 100;
const COOLDOWN_DEFAULT = 60;
const MAX_CHANGE_DEFAULT = 10;

export type RuleSentenceParts = ReturnType<typeof ruleSentenceParts>;

interface ActionSentence {
  readonly frame: (price: string, more: readonly string[]) => readonly string[];
  readonly price: readonly SentencePart[];
  readonly more: readonly SentencePart[];
  readonly act: SentencePart;
}

export function ruleSentence(rule: SayableRule, speaker: SentenceSpeaker): string {
  const { when, who, actions, scope, bounds, rest } = ruleSentenceParts(rule, speaker);
  const { language } = speaker;
  const say = sayIn(language);
  const texts = (parts: readonly SentencePart[]) => parts.map(({ text }) => text);
  const conditions = texts(when);
  const condition = conditions.length === 1
    ? conditions[0]
    : conditions.map((one) => one || say("geprüft wird", "it is checked"))
      .join(say(", oder wenn ", ", or when "));
  const filter = texts(who).join(", ");
  const seen = filter === "" ? "" : ` (${filter})`;
  const head = condition === ""
    ? say(`Bei jeder Prüfung${seen}: `, `At every check${seen}: `)
    : say(`Wenn ${condition}${seen}, dann `, `When ${condition}${seen}, `);
  const and = say(" und ", " and ");
  const then = actions.map(({ frame, price, more }, at) => {
    const parts = frame(texts(price).join(" "), texts(more));
    if (at === actions.length - 1) return parts.join(", ");
    return parts.join(", ") + (parts.length > 1 ? "," : "") + and;
  }).join("");
  const where = [texts(scope).join(and), ...texts(bounds), ...texts(rest)].join(", ");
  return `${head}${then} – ${say("für", "for")} ${where}.`;
}

export function ruleSentenceParts(rule: SayableRule, speaker: SentenceSpeaker) {
  const currency = typeof rule.currency === "string" ? rule.currency : speaker.show.currency;
  const context: TextContext = { ...speaker, currency, say: sayIn(speaker.language) };
  const whole: Fields = { ...rule };
  const { when } = rule;
  const others = Array.isArray(when.or) ? when.or.filter(isJsonObject) : [];
  return {
    when: [
      { path: "when.trigger", text: sayCondition(when, context) },
      ...others.map((one, at) => ({
        path: `when.or.${at}.trigger`,
        text: sayCondition({ reference: when.reference, ...one }, context),
      })),
    ],
    who: sayAll(FILTER, when, "when", context),
    actions: rule.actions.map((action, at) => sayAction(action, `actions.${at}`, context)),
    scope: sayScope(rule.scope, context),
    bounds: [
      ...sayAll(FLOOR, fields(whole, "marginFloor"), "marginFloor", context),
      ...sayAll(BOUNDS, fields(whole, "bounds"), "bounds", context),
    ],
    rest: sayAll(REST, whole, null, context),
  };
}

function sayCondition(when: Fields, context: TextContext): string {
  const trigger = text(when, "trigger", context);
  const row = TRIGGER_ROWS[trigger];
  return row?.condition((name) => text(when, name, context), context.say) ?? trigger;
}

const OF: InBoth = { de: "von", en: "of" };
const WITHOUT: InBoth = { de: "ohne", en: "without" };

const COMPARED = choice({
  second: {
    de: "verglichen mit dem Zweitgünstigsten",
    en: "compared with the second cheapest",
  },
  average: { de: "verglichen mit dem Schnitt", en: "compared with the mean" },
  highest: { de: "verglichen mit dem Teuersten", en: "compared with the most expensive" },
});

const FILTER: SayTable<keyof typeof referenceFields> = {
  reference(when, context, name) {
    // The words of these triggers already name the compared competitor.
    const isStated = when.trigger === "competitor_undercut" ||
      when.trigger === "competitor_overcut";
    return isStated ? null : COMPARED(when, context, name);
  },
  competitorIds: sayShops(OF),
  groups: (when, context, name) =>
    sayGroups(list(when, "competitorIds").length === 0 ? OF : null)(when, context, name),
  excludeCompetitorIds: sayShops(WITHOUT),
  excludeGroups: sayGroups(WITHOUT),
  inStockOnly: flag(false, "auch nicht lieferbar", "also out of stock"),
  exactOnly: flag(true, "gleiches Produkt", "same product"),
  sameCondition: flag(true, "gleicher Zustand", "same condition"),
  withShipping: flag(true, "mit Versand", "with shipping"),
  withoutShipping: flag(true, "ohne Versand", "without shipping"),
  marketplaces: choice({
    without: { de: "ohne Marktplätze", en: "without marketplaces" },
    only: { de: "nur Marktplätze", en: "only marketplaces" },
  }),
  maxAgeHours: given("≤ {}\u00a0h alt", "≤ {}\u00a0h old"),
  minCompetitors: given("mindestens {} Shops", "if at least {} shops offer it", 1),
};

function sayShops(before: InBoth): Say {
  return (when, { nameOf, language }, name) => {
    const names = list(when, name).map((id) => nameOf(id)).join(", ");
    return names === "" ? null : `${before[language]} ${names}`;
  };
}

function sayGroups(before: InBoth | null): Say {
  return (when, { say, language }, name) => {
    const names = list(when, name).map((one) => say(`Gruppe ${one}`, `group ${one}`)).join(", ");
    return names === "" || before === null ? names || null : `${before[language]} ${names}`;
  };
}

const ALERT_FIELDS: SayTable<ActionField<"alert_inapp" | "alert_email">> = {
  to(action, { say }) {
    const to = list(action, "to").join(", ");
    return to === "" ? null : `${say("an", "to")} ${to}`;
  },
  severity({ severity }, { say, language }) {
    if (typeof severity !== "string" || severity === "medium" || severity === "") return null;
    const name = codeNames("severities", [severity], language);
    return say(`(${name})`, `(${name} severity)`);
  },
};

const ACTS: Readonly<Record<Action["type"], InBoth>> = {
  propose_price: { de: "schlage vor", en: "propose" },
  auto_apply_if_safe: { de: "setze selbst", en: "apply by itself" },
  alert_inapp: { de: "melde es in der App", en: "alert in the app" },
  alert_email: { de: "melde es per E-Mail", en: "alert by e-mail" },
};

function sayAction(action: Fields, path: string, context: TextContext): ActionSentence {
  const { say, language } = context;
  const { type } = action;
  const acts: Table<InBoth> = ACTS;
  const name = acts[String(type)]?.[language] ?? String(type);
  const act = { path: `${path}.type`, text: name };
  if (type === "propose_price") {
    const sayPriced = (price: string) => say(`schlage ${price} vor`, `propose ${price}`);
    return {
      act,
      frame: (price, more) => [sayPriced(price || "…"), ...more],
      ...sayPrice(action, path, context),
    };
  }
  if (type === "auto_apply_if_safe") {
    const sayPriced = (price: string) =>
      price === ""
        ? say("setze den Preis selbst", "apply the price by itself")
        : say(`setze selbst ${price} fest`, `apply ${price} by itself`);
    const shown = text(action, "maxChangePct", context) || context.show.number(MAX_CHANGE_DEFAULT);
    const most = percent(shown, context);
    const safe = say(
      `wenn es sicher ist und sich der Preis höchstens um ${most} ändert`,
      `when it is safe and the price changes by ${most} at most`,
    );
    return {
      act,
      frame: (price, more) => [sayPriced(price), ...more, safe],
      ...sayPrice(action, path, context),
    };
  }
  const { severity } = action;
  return {
    act,
    frame: (details) => [details === "" ? name : `${name} ${details}`],
    price: sayAll(ALERT_FIELDS, type === "alert_email" ? action : { severity }, path, context),
    more: [],
  };
}

const FLOOR: SayTable<"pct"> = {
  pct: given("nie unter {}\u00a0% Marge", "never below {}% margin"),
};

const BOUNDS: SayTable<keyof Bounds> = {
  markupPct: given("nie unter Einkauf + {}\u00a0%", "never below cost + {}%"),
  minCents: sayAmount(BELOW),
  maxCents: sayAmount(ABOVE),
  belowTargetPct: sayTarget(BELOW),
  aboveTargetPct: sayTarget(ABOVE),
  noTarget: choice({ stop: { de: "ohne UVP kein Preis", en: "no price without RRP" } }),
  maxMovePct: given("höchstens {}\u00a0% auf einmal", "at most {}% at once"),
  maxMovePerDayPct: given("höchstens {}\u00a0% am Tag", "at most {}% a day"),
  maxMovesPerDay: given("höchstens {}\u00a0× täglich", "at most {}\u00a0× daily"),
};

function sayTarget(way: InBoth): Say {
  const most = given(`höchstens {}\u00a0% ${way.de} der UVP`, `at most {}% ${way.en} RRP`);
  return (bounds, context, name) => {
    const said = text(bounds, name, context) === "0"
      ? context.say(`nie ${way.de} der UVP`, `never ${way.en} RRP`)
      : most(bounds, context, name);
    if (said === null || bounds.noTarget === "stop") return said;
    return `${said} ${context.say("(falls da)", "(if any)")}`;
  };
}

function sayAmount(way: InBoth): Say {
  return (bounds, { show, currency, say }, name) => {
    const cents = bounds[name];
    if (typeof cents !== "number") return null;
    return `${say(`nie ${way.de}`, `never ${way.en}`)} ${show.money(cents, currency)}`;
  };
}

const REST: SayTable<RestField> = {
  currency: given("Beträge in {}", "amounts in {}"),
  brake({ brake }, context) {
    if (!isJsonObject(brake)) return null;
    const [rest, cuts, days] = ["restDays", "cuts", "days"]
      .map((name) => text(brake, name, context) || "…");
    const counted = (count = "", one: string, many: string) =>
      `${count}${count === "1" ? one : many}`;
    return context.say(
      `${counted(rest, " Tag", " Tage")} Pause nach ${counted(cuts, " Senkung", " Senkungen")} in ${
        counted(days, "\u00a0Tag", "\u00a0Tagen")
      }`,
      `${counted(rest, " day's", " days'")} rest after ${counted(cuts, " cut", " cuts")} in ${
        counted(days, "\u00a0day", "\u00a0days")
      }`,
    );
  },
  schedule({ schedule }, context) {
    if (!isJsonObject(schedule) || typeof schedule.at !== "string") return null;
    const { at, only } = schedule;
    const days = sayDays(list(schedule, "days"), context);
    return `${only === true ? context.say("nur ", "only ") : ""}${days} ${at}`;
  },
  budgetPerDay: given("{} Preise am Tag", "{} prices a day"),
  cooldownMinutes(rule, context) {
    const shown = text(rule, "cooldownMinutes", context);
    const minutes = rule.cooldownMinutes;
    if (minutes === COOLDOWN_DEFAULT || shown === "") return null;
    if (minutes === 0) return context.say("ohne Ruhezeit", "no cooldown");
    const spoken = spokenMinutes(Number(minutes), shown, context.language);
    return context.say(`Ruhezeit ${spoken}`, `cooldown ${spoken}`);
  },
  priority: given("Vorrang {}", "priority {}", PRIORITY_DEFAULT),
};

function sayDays(days: readonly string[], { say, language }: TextContext): string {
  if (days.length === 0 || days.length === 7) return say("täglich", "daily");
  const isOnWorkdays = days.length === 5 && !days.includes("sat") && !days.includes("sun");
  return isOnWorkdays ? say("werktags", "weekdays") : codeNames("days", days, language);
}

function codeNames(list: "days" | "severities", codes: readonly string[], language: Language) {
  const names: Table<string> = CODE_WORDS[language][list];
  return codes.map((code) => names[code] ?? code).join("/");
}

type ScopeWords = Readonly<Record<Language, readonly [one: string, many: string]>>;

const SCOPES: Readonly<Record<ScopeField, ScopeWords>> = {
  brand: { de: ["der Marke", "der Marken"], en: ["brand", "brands"] },
  category: { de: ["der Kategorie", "der Kategorien"], en: ["category", "categories"] },
  tier: { de: ["der Preisgruppe", "der Preisgruppen"], en: ["tier", "tiers"] },
  currency: { de: ["in der Währung", "in den Währungen"], en: ["currency", "currencies"] },
};

function sayScope(scope: Fields, context: TextContext): SentencePart[] {
  const { show, say } = context;
  if (scope.mode === "sku") {
    const { length } = list(scope, "list");
    const text = length === 1 ? "1 SKU" : `${show.number(length)} SKUs`;
    return [{ path: "scope.list", text }];
  }
  if (scope.mode !== "attribute") {
    return [{ path: "scope.mode", text: say("alle Produkte", "all products") }];
  }
  const byField = Map.groupBy(wantedIn(scope.matches), ({ field }) => field);
  const found = [...byField].map(([field, wanted], at) => ({
    path: "scope.matches",
    text: sayWanted(field, wanted, at === 0, context),
  }));
  return found.length === 0 ? [{ path: "scope.matches", text: "…" }] : found;
}

function sayWanted(
  field: string,
  wanted: readonly Wanted[],
  isFirst: boolean,
  { say, language }: TextContext,
): string {
  const names = [
    ...wanted.flatMap(({ value, isPart }) => isPart ? [] : [String(value)]),
    ...wanted.flatMap(({ value, isPart }) =>
      isPart ? [say(`mit „${value}“ im Namen`, `with “${value}” in the name`)] : []
    ),
  ];
  const all = [...names.slice(0, -2), names.slice(-2).join(OR[language])].join(", ");
  const rows: Table<ScopeWords> = SCOPES;
  const [one, many] = rows[field]?.[language] ?? [field, field];
  const isPartly = wanted.every(({ isPart }) => isPart);
  const name = wanted.length === 1 && !isPartly ? one : isPartly ? many : say(many, `the ${many}`);
  const of = say("Produkte", `products ${field === "category" ? "in" : "of"}`);
  return [...isFirst ? [of] : [], name, all].join(" ");
}

interface Wanted {
  readonly field: string;
  readonly value: unknown;
  readonly isPart: boolean;
}

/** In a form, `matches` is one list of conditions; in a stored rule, it has one list per field. */
function wantedIn(matches: unknown): Wanted[] {
  if (Array.isArray(matches)) {
    return matches.filter(isJsonObject).map(({ field, op, value }) => (
      { field: String(field), value, isPart: op === "contains" }
    ));
  }
  return Object.entries(isJsonObject(matches) ? matches : {}).flatMap(([field, wanted]) =>
    (Array.isArray(wanted) ? wanted : []).map((one: unknown) => ({
      field,
      value: isJsonObject(one) ? one.contains : one,
      isPart: isJsonObject(one),
    }))
  );
}
