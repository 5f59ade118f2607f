/**
 * A rule as one sentence that a person would say, in both languages: a fragment for each field that is
 * not at its default. A form holds rules that are not whole yet: what is missing there is "…".
 */
import { exponentOf } from "../base/currency.ts";
import type { Action } from "../pricing/actions.ts";
import type { Language, Listener } from "./language.ts";
import { SENTENCE_WORDS, type SentenceWords } from "./sentence_words.ts";
import { triggerWordsOf } from "./trigger_words.ts";

/** Fields of a rule, as they are stored or as a form has them. */
type Fields = Readonly<Record<string, unknown>>;

/** What the sentence is made from: a stored rule is one, and what a form would send. */
export interface SayableRule {
  readonly when: Fields;
  readonly scope: Fields;
  readonly marginFloor?: unknown;
  readonly bounds?: unknown;
  readonly schedule?: unknown;
  readonly currency?: unknown;
  readonly actions: readonly Fields[];
  readonly priority?: unknown;
  readonly cooldownMinutes?: unknown;
}

export interface SentenceSpeaker extends Listener {
  /** What a competitor is called. */
  nameOf(competitorId: string): string;
}

/** What each part needs: the words, and how money and numbers are shown. */
interface Voice {
  readonly words: SentenceWords;
  readonly language: Language;
  readonly speaker: SentenceSpeaker;
  /** Of the amounts of the rule. */
  readonly currency: string;
}

const PRIORITY_DEFAULT = 100;
const COOLDOWN_DEFAULT = 60;
const MAX_CHANGE_DEFAULT = 10;

export function ruleSentence(rule: SayableRule, speaker: SentenceSpeaker): string {
  const currency = typeof rule.currency === "string" ? rule.currency : speaker.show.currency;
  const { language } = speaker;
  const voice: Voice = { words: SENTENCE_WORDS[language], language, speaker, currency };
  const { words } = voice;
  const then = rule.actions.map((action) => sayAction(action, voice)).join(words.and);
  const rest = [...sayBounds(rule, voice), ...sayRest(rule, voice)];
  return words.whole(sayWhen(rule.when, voice), sayScope(rule.scope, voice), then, rest);
}

function sayWhen(when: Fields, voice: Voice): { condition: string; filter: string } {
  const { words } = voice;
  const trigger = text(when, "trigger", voice);
  const kindOf = { reference: when.reference };
  const others = Array.isArray(when.or) ? when.or.filter(isFields) : [];
  const conditions = [when, ...others.map((one) => ({ ...kindOf, ...one }))]
    .map((one) => sayCondition(one, voice));
  const condition = conditions.length === 1
    ? conditions[0] ?? ""
    : conditions.map((one) => one === "" ? words.atAnyCheck : one).join(words.orWhen);
  const kind = text(when, "reference", voice);
  const saysKind = trigger === "competitor_undercut" || trigger === "competitor_overcut";
  const parts = [
    saysKind || kind === "" || kind === "cheapest" ? null : words.comparedWith(kind),
    named(list(when, "competitorIds"), voice, words.of),
    named(list(when, "excludeCompetitorIds"), voice, words.without),
    when.inStockOnly === false ? words.soldOutToo : null,
    when.exactOnly === true ? words.exactOnly : null,
    when.sameCondition === true ? words.sameCondition : null,
    some(when, "maxAgeHours", voice, null, words.maxAge),
    some(when, "minCompetitors", voice, 1, words.minShops),
  ];
  return { condition, filter: present(parts).join(", ") };
}

/** "" for one that always holds. */
function sayCondition(when: Fields, voice: Voice): string {
  const trigger = text(when, "trigger", voice);
  const row = triggerWordsOf(trigger);
  return row?.condition[voice.language]((name) => text(when, name, voice)) ?? trigger;
}

function named(
  ids: readonly string[],
  { speaker }: Voice,
  say: (names: string) => string,
): string | null {
  return ids.length === 0 ? null : say(ids.map((id) => speaker.nameOf(id)).join(", "));
}

/** What each action does, by its type. */
const ACTIONS: Readonly<Record<Action["type"], (action: Fields, voice: Voice) => string>> = {
  propose_price: (action, voice) => voice.words.propose(sayPrice(action, voice) ?? "…"),
  auto_apply_if_safe: (action, voice) => {
    const maxPct = some(action, "maxChangePct", voice, null, voice.words.pct) ??
      voice.words.pct(voice.speaker.show.number(MAX_CHANGE_DEFAULT));
    return voice.words.apply(sayPrice(action, voice), maxPct);
  },
  alert_inapp: (action, { words }) => words.alert + urgency(action, words),
  alert_email: (action, voice) => {
    const to = list(action, "to");
    const { words } = voice;
    return words.mail(to.length === 0 ? null : to.join(", ")) + urgency(action, words);
  },
};

const isAction = (type: unknown): type is Action["type"] =>
  typeof type === "string" && Object.hasOwn(ACTIONS, type);

function sayAction(action: Fields, voice: Voice): string {
  return isAction(action.type) ? ACTIONS[action.type](action, voice) : String(action.type);
}

function urgency({ severity }: Fields, words: SentenceWords): string {
  return typeof severity !== "string" || severity === "medium" || severity === ""
    ? ""
    : ` (${words.severity(severity)})`;
}

/** Null for an action that takes the price of another one. */
function sayPrice(action: Fields, voice: Voice): string | null {
  const { words } = voice;
  if (isFields(action.price)) return sayAim(action.price, voice);
  const formula = text(action, "formula", voice);
  const target = some(action, "targetMarginPct", voice, null, words.pct);
  const rounding = text(action, "rounding", voice);
  const parts = present([
    formula === "" ? null : words.formula(formula, target),
    target === null || formula === "target_margin_pct" ? null : words.targetMargin(target),
    rounding === "" || rounding === "none" ? null : words.rounded(rounding),
  ]);
  return parts.length === 0 ? null : parts.join(", ");
}

function sayAim(aim: Fields, voice: Voice): string {
  const { words } = voice;
  const reference = fields(aim, "reference");
  const rounding = fields(aim, "rounding");
  const direction = text(aim, "direction", voice);
  return present([
    sayAdjusted(reference, fields(aim, "adjust"), voice),
    direction === "lower" ? words.lowerOnly : direction === "raise" ? words.raiseOnly : null,
    sayRounding(rounding, voice),
    some(aim, "deadbandPct", voice, 0, words.deadband),
    sayFallback(aim.fallback, voice),
  ]).join(", ");
}

function sayAdjusted(reference: Fields, adjust: Fields, voice: Voice): string {
  const { words, speaker } = voice;
  const kind = text(reference, "kind", voice) || "cheapest";
  const id = text(reference, "competitorId", voice);
  const who = words.reference(
    kind,
    text(reference, "nth", voice) || "…",
    id === "" ? "…" : speaker.nameOf(id),
  );
  const { pct, cents } = adjust;
  if (typeof pct === "number" && pct !== 0) {
    return words.adjusted(who, words.pct(speaker.show.number(Math.abs(pct))), pct < 0);
  }
  if (typeof cents === "number" && cents !== 0) {
    return words.adjusted(who, money(Math.abs(cents), voice), cents < 0);
  }
  const typed = text(adjust, "pct", voice) || text(adjust, "cents", voice);
  return typed === "" || typed === "0" ? words.as(who) : words.adjusted(who, typed, false);
}

function sayRounding(rounding: Fields, voice: Voice): string | null {
  const { words } = voice;
  const way = text(rounding, "to", voice) || "down";
  const ranges = Array.isArray(rounding.ranges) ? rounding.ranges.filter(isFields) : [];
  if (ranges.length === 0) return way === "down" ? null : words.roundedBare(way);
  const parts = ranges.map((range, at) => {
    const endings = list(range, "endings").map((digits) => sayEnding(digits, voice));
    const said = endings.length === 0 ? words.anyEnding : endings.join(words.or);
    const { belowCents } = range;
    if (typeof belowCents === "number") return words.below(money(belowCents, voice), said);
    if (at < ranges.length - 1) return words.below("…", said);
    return ranges.length === 1 ? said : words.above(said);
  });
  return words.roundedTo(way, parts.join(", "));
}

/** "99" as …,99 and "990" as …9,90, with the decimals of the currency. */
function sayEnding(digits: string, { words, currency }: Voice): string {
  const decimals = exponentOf(currency);
  const at = digits.length - decimals;
  if (at < 0 || decimals === 0) return `…${digits}`;
  return `…${digits.slice(0, at)}${words.decimalMark}${digits.slice(at)}`;
}

function sayFallback(fallback: unknown, voice: Voice): string | null {
  if (!isFields(fallback)) return null;
  const { words, speaker } = voice;
  const who = words.reference(text(fallback, "kind", voice), "", "");
  const { pct } = fallback;
  return words.otherwise(
    typeof pct === "number" && pct !== 0
      ? words.adjusted(who, words.pct(speaker.show.number(Math.abs(pct))), pct < 0)
      : who.name,
  );
}

function sayBounds({ marginFloor, bounds, currency }: SayableRule, voice: Voice): string[] {
  const { words } = voice;
  const given = isFields(bounds) ? bounds : {};
  const target = (name: string, side: "below" | "above") =>
    some(
      given,
      name,
      voice,
      null,
      (pct) => words.target(side, pct === "0" ? null : words.pct(pct)),
    );
  const ofTarget = present([target("belowTargetPct", "below"), target("aboveTargetPct", "above")]);
  const isStop = given.noTarget === "stop";
  return present([
    isFields(marginFloor) ? some(marginFloor, "pct", voice, null, words.floor) : null,
    some(given, "markupPct", voice, null, words.markup),
    sayAmount(given, "minCents", voice, words.least),
    sayAmount(given, "maxCents", voice, words.most),
    ...ofTarget.map((said) => isStop ? said : `${said} ${words.ifThere}`),
    isStop ? words.noTarget : null,
    some(given, "maxMovePct", voice, null, words.maxMove),
    some(given, "maxMovePerDayPct", voice, null, words.maxMovePerDay),
    some(given, "maxMovesPerDay", voice, null, words.maxMoves),
    typeof currency === "string" && currency !== "" ? words.currency(currency) : null,
  ]);
}

function sayAmount(
  source: Fields,
  name: string,
  voice: Voice,
  say: (amount: string) => string,
): string | null {
  const value = source[name];
  return typeof value === "number" ? say(money(value, voice)) : null;
}

function saySchedule(schedule: unknown, { words }: Voice): string | null {
  if (!isFields(schedule) || typeof schedule.at !== "string") return null;
  const days = Array.isArray(schedule.days) ? schedule.days.map(String) : [];
  return words.schedule(schedule.at, days, schedule.only === true);
}

function sayRest(
  { priority, cooldownMinutes, schedule }: SayableRule,
  voice: Voice,
): string[] {
  const { words } = voice;
  return present([
    saySchedule(schedule, voice),
    some({ cooldownMinutes }, "cooldownMinutes", voice, COOLDOWN_DEFAULT, words.cooldown),
    some({ priority }, "priority", voice, PRIORITY_DEFAULT, words.priority),
  ]);
}

function sayScope(scope: Fields, voice: Voice): string {
  const { words, speaker } = voice;
  switch (scope.mode) {
    case "sku":
      return words.skus(speaker.show.number(list(scope, "list").length));
    case "attribute": {
      const found = wantedIn(scope.matches).map(([field, wanted]) =>
        words.scopeField(
          field,
          wanted.map((one) => typeof one === "string" ? one : words.contains(one.contains))
            .join(words.or),
        )
      );
      return found.length === 0 ? "…" : found.join(words.and);
    }
    default:
      return words.all;
  }
}

type Wanted = string | { readonly contains: string };

/** By field; a form writes a list of `{field, op, value}`, the store an object of lists. */
function wantedIn(matches: unknown): [field: string, wanted: Wanted[]][] {
  const found = new Map<string, Wanted[]>();
  const note = (field: string, wanted: Wanted) =>
    found.set(field, [...found.get(field) ?? [], wanted]);
  if (Array.isArray(matches)) {
    for (const { field, op, value } of matches.filter(isFields)) {
      note(String(field), op === "contains" ? { contains: String(value) } : String(value));
    }
  } else if (isFields(matches)) {
    for (const [field, wanted] of Object.entries(matches)) {
      for (const one of Array.isArray(wanted) ? wanted : []) {
        note(field, isFields(one) ? { contains: String(one.contains) } : String(one));
      }
    }
  }
  return [...found];
}

/** A field in words; null at its default and where it is missing. */
function some(
  source: Fields,
  name: string,
  voice: Voice,
  fallback: number | null,
  say: (shown: string) => string,
): string | null {
  const value = source[name];
  if (value === fallback) return null;
  const shown = text(source, name, voice);
  return shown === "" ? null : say(shown);
}

/** What a field holds, as people write it; "" where it is missing. */
function text(source: Fields, name: string, { speaker }: Voice): string {
  const value = source[name];
  if (typeof value === "number") return speaker.show.number(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value).trim() : "";
}

function money(cents: number, { speaker, currency }: Voice): string {
  return speaker.show.money(cents, currency);
}

function list(source: Fields, name: string): string[] {
  const value = source[name];
  return Array.isArray(value) ? value.map(String) : [];
}

function fields(source: Fields, name: string): Fields {
  const value = source[name];
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function present(parts: readonly (string | null)[]): string[] {
  return parts.filter((part) => part !== null);
}
