/**
 * Describes a rule in a sentence, with a fragment for each field that differs from its default. A
 * rule in a form may be incomplete. A missing value is shown as "…".
 */

import {
  type ActionField,
  type Fields,
  fields,
  isFields,
  list,
  money,
  type Say,
  sayAll,
  sayPrice,
  type SentencePart,
  type SentenceSpeaker,
  some,
  text,
  type TextContext,
} from "./price_sentence.ts";
import type { Action } from "../pricing/actions.ts";
import type { Bounds } from "../pricing/bounds.ts";
import type { referenceFields } from "../pricing/reference.ts";
import type { RuleTerms } from "../pricing/rule.ts";
import { SENTENCE_WORDS, type SentenceWords } from "./sentence_words.ts";
import { triggerWordsOf } from "./trigger_words.ts";

interface SayableRule {
  readonly when: Fields;
  readonly scope: Fields;
  readonly marginFloor?: unknown;
  readonly bounds?: unknown;
  readonly brake?: unknown;
  readonly budgetPerDay?: unknown;
  readonly schedule?: unknown;
  readonly currency?: unknown;
  readonly actions: readonly Fields[];
  readonly priority?: unknown;
  readonly cooldownMinutes?: unknown;
}

const PRIORITY_DEFAULT = 100;
const COOLDOWN_DEFAULT = 60;
const MAX_CHANGE_DEFAULT = 10;

export interface RuleSentenceParts {
  readonly when: readonly SentencePart[];
  readonly who: readonly SentencePart[];
  readonly actions: readonly ActionSentence[];
  readonly scope: readonly SentencePart[];
  readonly bounds: readonly SentencePart[];
  readonly rest: readonly SentencePart[];
}

interface ActionSentence {
  /** The caller joins the returned texts with commas. */
  readonly frame: (price: string, more: readonly string[]) => readonly string[];
  readonly price: readonly SentencePart[];
  readonly more: readonly SentencePart[];
  readonly act: SentencePart;
}

export function ruleSentence(rule: SayableRule, speaker: SentenceSpeaker): string {
  const { when, who, actions, scope, bounds, rest } = ruleSentenceParts(rule, speaker);
  const words = SENTENCE_WORDS[speaker.language];
  const texts = (parts: readonly SentencePart[]) => parts.map(({ text }) => text);
  const conditions = texts(when);
  const condition = conditions.length === 1
    ? conditions[0] ?? ""
    : conditions.map((one) => one === "" ? words.atAnyCheck : one).join(words.orWhen);
  const then = actions.map(({ frame, price, more }) => frame(texts(price).join(" "), texts(more)));
  const heading = { condition, filter: texts(who).join(", ") };
  return words.whole(heading, texts(scope).join(words.and), joined(then, words), [
    ...texts(bounds),
    ...texts(rest),
  ]);
}

function joined(actions: readonly (readonly string[])[], { and }: SentenceWords): string {
  return actions.map((parts, at) => {
    const isLast = at === actions.length - 1;
    return parts.join(", ") + (isLast ? "" : parts.length > 1 ? `,${and}` : and);
  }).join("");
}

export function ruleSentenceParts(rule: SayableRule, speaker: SentenceSpeaker): RuleSentenceParts {
  const currency = typeof rule.currency === "string" ? rule.currency : speaker.show.currency;
  const context: TextContext = { words: SENTENCE_WORDS[speaker.language], speaker, currency };
  const whole: Fields = { ...rule };
  const { when } = rule;
  const others = Array.isArray(when.or) ? when.or.filter(isFields) : [];
  return {
    when: [when, ...others.map((one) => ({ reference: when.reference, ...one }))].map((
      one,
      at,
    ) => ({
      path: at === 0 ? "when.trigger" : `when.or.${at - 1}.trigger`,
      text: sayCondition(one, context),
    })),
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
  const row = triggerWordsOf(trigger);
  return row?.condition((name) => text(when, name, context))[context.speaker.language] ?? trigger;
}

const FILTER: Readonly<Record<keyof typeof referenceFields, Say>> = {
  reference: (when, context) => {
    const kind = text(when, "reference", context);
    // The sentences of these triggers already name the reference.
    const isStated = when.trigger === "competitor_undercut" ||
      when.trigger === "competitor_overcut";
    return isStated || kind === "" || kind === "cheapest" ? null : context.words.comparedWith(kind);
  },
  competitorIds: (when, context) =>
    ofList(namesIn(when, "competitorIds", context), context.words.of),
  groups: (when, context) =>
    ofList(
      groupsIn(when, "groups", context),
      list(when, "competitorIds").length === 0 ? context.words.of : plain,
    ),
  excludeCompetitorIds: (when, context) =>
    ofList(namesIn(when, "excludeCompetitorIds", context), context.words.without),
  excludeGroups: (when, context) =>
    ofList(groupsIn(when, "excludeGroups", context), context.words.without),
  inStockOnly: (when, { words }) => when.inStockOnly === false ? words.soldOutToo : null,
  exactOnly: (when, { words }) => when.exactOnly === true ? words.exactOnly : null,
  sameCondition: (when, { words }) => when.sameCondition === true ? words.sameCondition : null,
  withShipping: (when, { words }) => when.withShipping === true ? words.withShipping : null,
  withoutShipping: (when, { words }) => when.withoutShipping === true ? words.noShipping : null,
  marketplaces: ({ marketplaces }, { words }) =>
    marketplaces === "without" || marketplaces === "only" ? words.marketplaces(marketplaces) : null,
  maxAgeHours: (when, context) => some(when, "maxAgeHours", context, null, context.words.maxAge),
  minCompetitors: (when, context) =>
    some(when, "minCompetitors", context, 1, context.words.minShops),
};

const plain = (names: string) => names;

function ofList(names: readonly string[], say: (names: string) => string): string | null {
  return names.length === 0 ? null : say(names.join(", "));
}

function namesIn(when: Fields, name: string, { speaker }: TextContext): string[] {
  return list(when, name).map((id) => speaker.nameOf(id));
}

function groupsIn(when: Fields, name: string, { words }: TextContext): string[] {
  return list(when, name).map((one) => words.group(one));
}

const ALERT_FIELDS: Readonly<Record<ActionField<"alert_inapp" | "alert_email">, Say>> = {
  to: (action, { words }) => {
    const to = list(action, "to");
    return to.length === 0 ? null : words.to(to.join(", "));
  },
  severity: ({ severity }, { words }) =>
    typeof severity !== "string" || severity === "medium" || severity === ""
      ? null
      : `(${words.severity(severity)})`,
};

const ACTIONS: Readonly<
  Record<
    Action["type"],
    (action: Fields, path: string, context: TextContext) => Omit<ActionSentence, "act">
  >
> = {
  propose_price: (action, path, context) => ({
    frame: (price, rest) => [context.words.propose(price === "" ? "…" : price), ...rest],
    ...sayPrice(action, path, context),
  }),
  auto_apply_if_safe: (action, path, context) => {
    const { words, speaker } = context;
    const maxPct = some(action, "maxChangePct", context, null, words.pct) ??
      words.pct(speaker.show.number(MAX_CHANGE_DEFAULT));
    const safe = words.whenSafe(maxPct);
    return {
      frame: (price, rest) => [words.apply(price === "" ? null : price), ...rest, safe],
      ...sayPrice(action, path, context),
    };
  },
  alert_inapp: ({ severity }, path, context) =>
    sayAlert("alert_inapp", { severity }, path, context),
  alert_email: (action, path, context) => sayAlert("alert_email", action, path, context),
};

function sayAlert(
  type: "alert_inapp" | "alert_email",
  fields: Fields,
  path: string,
  context: TextContext,
): Omit<ActionSentence, "act"> {
  const act = context.words.act(type);
  const frame = (price: string) => [price === "" ? act : `${act} ${price}`];
  return { frame, price: sayAll(ALERT_FIELDS, fields, path, context), more: [] };
}

const isAction = (type: unknown): type is Action["type"] =>
  typeof type === "string" && Object.hasOwn(ACTIONS, type);

function sayAction(action: Fields, path: string, context: TextContext): ActionSentence {
  const act = (text: string): SentencePart => ({ path: `${path}.type`, text });
  const { type } = action;
  if (isAction(type)) {
    return { act: act(context.words.act(type)), ...ACTIONS[type](action, path, context) };
  }
  const text = String(type);
  return { act: act(text), frame: () => [text], price: [], more: [] };
}

const FLOOR: Readonly<Record<"pct", Say>> = {
  pct: (floor, context) => some(floor, "pct", context, null, context.words.floor),
};

const BOUNDS: Readonly<Record<keyof Bounds, Say>> = {
  markupPct: (bounds, context) => some(bounds, "markupPct", context, null, context.words.markup),
  minCents: (bounds, context) => sayAmount(bounds, "minCents", context, context.words.least),
  maxCents: (bounds, context) => sayAmount(bounds, "maxCents", context, context.words.most),
  belowTargetPct: (bounds, context) => sayTarget(bounds, "below", context),
  aboveTargetPct: (bounds, context) => sayTarget(bounds, "above", context),
  noTarget: ({ noTarget }, { words }) => noTarget === "stop" ? words.noTarget : null,
  maxMovePct: (bounds, context) => some(bounds, "maxMovePct", context, null, context.words.maxMove),
  maxMovePerDayPct: (bounds, context) =>
    some(bounds, "maxMovePerDayPct", context, null, context.words.maxMovePerDay),
  maxMovesPerDay: (bounds, context) =>
    some(bounds, "maxMovesPerDay", context, null, context.words.maxMoves),
};

function sayTarget(bounds: Fields, side: "below" | "above", context: TextContext): string | null {
  const { words } = context;
  const say = (pct: string) => words.target(side, pct === "0" ? null : words.pct(pct));
  const text = some(bounds, `${side}TargetPct`, context, null, say);
  return text === null || bounds.noTarget === "stop" ? text : `${text} ${words.ifThere}`;
}

function sayAmount(
  source: Fields,
  name: string,
  context: TextContext,
  say: (amount: string) => string,
): string | null {
  const value = source[name];
  return typeof value === "number" ? say(money(value, context)) : null;
}

type Elsewhere =
  | "name"
  | "description"
  | "enabled"
  | "when"
  | "scope"
  | "marginFloor"
  | "bounds"
  | "actions";

const REST: Readonly<Record<Exclude<keyof RuleTerms, Elsewhere>, Say>> = {
  currency: ({ currency }, { words }) =>
    typeof currency === "string" && currency !== "" ? words.currency(currency) : null,
  brake: ({ brake }, context) => {
    if (!isFields(brake)) return null;
    const field = (name: string) => text(brake, name, context) || "…";
    return context.words.brake(field("restDays"), field("cuts"), field("days"));
  },
  schedule: ({ schedule }, { words }) => {
    if (!isFields(schedule) || typeof schedule.at !== "string") return null;
    const days = Array.isArray(schedule.days) ? schedule.days.map(String) : [];
    return words.schedule(schedule.at, days, schedule.only === true);
  },
  budgetPerDay: (rule, context) => some(rule, "budgetPerDay", context, null, context.words.budget),
  cooldownMinutes: (rule, context) => {
    const { words, speaker } = context;
    const minutes = rule.cooldownMinutes;
    return some(rule, "cooldownMinutes", context, COOLDOWN_DEFAULT, (shown) => {
      if (minutes === 0) return words.cooldown(null);
      return words.cooldown(spokenMinutes(Number(minutes), shown, speaker.language));
    });
  },
  priority: (rule, context) =>
    some(rule, "priority", context, PRIORITY_DEFAULT, context.words.priority),
};

export function spokenMinutes(minutes: number, shown: string, language: string): string {
  const unit = minutes % 1_440 === 0 ? "day" : minutes % 60 === 0 ? "hour" : null;
  if (unit === null) return `${shown}\u00a0min`;
  const count = minutes / (unit === "day" ? 1_440 : 60);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" })
    .format(count).replace(" ", "\u00a0");
}

function sayScope(scope: Fields, { words, speaker }: TextContext): SentencePart[] {
  switch (scope.mode) {
    case "sku": {
      const { length } = list(scope, "list");
      return [{ path: "scope.list", text: words.skus(speaker.show.number(length), length === 1) }];
    }
    case "attribute": {
      const found = wantedIn(scope.matches).map(([field, wanted], at) => ({
        path: "scope.matches",
        text: words.scopeField(
          field,
          anyOf(
            wanted.toSorted((a, b) => Number(typeof a !== "string") - Number(typeof b !== "string"))
              .map((one) => typeof one === "string" ? one : words.contains(one.contains)),
            words,
          ),
          at === 0,
          wanted.every((one) => typeof one !== "string")
            ? "some"
            : wanted.length > 1
            ? "these"
            : "one",
        ),
      }));
      return found.length === 0 ? [{ path: "scope.matches", text: "…" }] : found;
    }
    default:
      return [{ path: "scope.mode", text: words.all }];
  }
}

function anyOf(names: readonly string[], { or }: SentenceWords): string {
  return [...names.slice(0, -2).map((name) => `${name}, `), names.slice(-2).join(or)].join("");
}

type Wanted = string | { readonly contains: string };

/** A form has a list of `{field, op, value}`, a stored rule has an object of lists. */
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
