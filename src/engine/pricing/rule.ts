/**
 * The schemas of a rule as clients write it, as it is stored and as it is evaluated
 * (docs/decisions/rules.md). Also says when its schedule is due, and which combinations of valid fields
 * are wrong.
 */

import { currencyExponent } from "../../base/currency.ts";
import type { RefusedField } from "../../base/failure.ts";
import { composed, hasControlCharacters, isLongerThan } from "../../base/text.ts";
import { dateIn, daysBefore } from "../../base/time.ts";
import { Action, formulaOf, hasTwoDecimals, priceSourceOf } from "./actions.ts";
import { Brake, BUDGET_MAX } from "./brake.ts";
import { Bounds } from "./bounds.ts";
import { orDefault, orNull, orReset, percentField } from "./field.ts";
import type { PriceAim } from "./price_aim.ts";
import { Scope, ScopeAnswer } from "./scope.ts";
import { When } from "./triggers.ts";
import { z } from "zod";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const RuleSchedule = z.strictObject({
  at: z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Must be a time such as "06:00"').meta({
    description: "On the clock of the workspace",
    example: "06:00",
  }),
  days: orDefault(z.array(z.enum(WEEKDAYS)).min(1).max(7), [...WEEKDAYS])
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    .meta({ description: "The days of the week; null: all", default: [...WEEKDAYS] }),
  only: orDefault(z.boolean(), false).meta({
    description: "True: the rule is asked at no other time",
  }),
});

export type RuleSchedule = Readonly<z.output<typeof RuleSchedule>>;

/** Slots that were missed while no process ran are caught up within this time. */
const LATE_MS_MAX = 2 * 3_600_000;

/** A time of a schedule that has come. */
export interface DueSlot {
  /** `2026-11-20 06:00`: each once. */
  readonly slot: string;
  readonly atMs: number;
}

/** The last time of the schedule that has come and is at most two hours ago; null without one. */
export function dueSlot({ at, days }: RuleSchedule, now: Date, timeZone: string): DueSlot | null {
  const today = dateIn(now, timeZone);
  for (const date of [today, daysBefore(today, 1)]) {
    const atMs = momentOf(date, at, timeZone);
    if (atMs > now.getTime() || !days.includes(weekdayOf(date))) continue;
    return now.getTime() - atMs <= LATE_MS_MAX ? { slot: `${date} ${at}`, atMs } : null;
  }
  return null;
}

function weekdayOf(date: string): Weekday {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "mon";
}

/** A time that the clock leaves out is the next minute that it has; of one that comes twice the first. */
function momentOf(date: string, at: string, timeZone: string): number {
  const local = Temporal.PlainDateTime.from(`${date}T${at}`);
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  return (earlier.getTimeZoneTransition("next") ?? earlier).epochMilliseconds;
}

const NAME_CHARACTERS_MAX = 200;
const DESCRIPTION_CHARACTERS_MAX = 2_000;
const ACTIONS_MAX = 20;

const Name = z.string().trim().overwrite(composed).min(1, "Must not be empty")
  .refine((name) => !isLongerThan(name, NAME_CHARACTERS_MAX), "Must have at most 200 characters")
  .refine((name) => !hasControlCharacters(name), "Must not hold control characters");

const Description = z.string().trim()
  .refine(
    (text) => !isLongerThan(text, DESCRIPTION_CHARACTERS_MAX),
    "Must have at most 2000 characters",
  );

const Priority = z.int().min(0).max(1_000);
const CooldownMinutes = z.int().min(0).max(10_080);
const MarginFloor = z.strictObject({ pct: percentField(0, 100) });
const Currency = z.string().trim().toUpperCase().refine(
  (code) => currencyExponent(code) !== null,
  'Must be a currency code of ISO 4217, such as "EUR"',
);
const BudgetPerDay = z.int().min(1).max(BUDGET_MAX);
const Actions = z.array(Action).min(1, "Must hold at least one action").max(ACTIONS_MAX);

const PRIORITY_DEFAULT = 100;
const COOLDOWN_DEFAULT = 60;

const words = {
  description: { description: "For people" },
  enabled: { description: "Whether the rule judges by itself" },
  priority: { description: "The lower number goes first" },
  cooldownMinutes: { description: "Per product, from the last time that the rule fired" },
  marginFloor: {
    description: "No price of the rule has a smaller margin, in percent of the net price",
  },
  bounds: { description: "What the price keeps to beside the margin floor; only beside `price`" },
  brake: {
    description: "What ends a price war; null: 3 cuts in 7 days rest for 7, for rules that set a " +
      "`price` by themselves",
  },
  budgetPerDay: {
    description: "So many prices the rule sets by itself in a day of the workspace's calendar; " +
      "what is beyond is proposed. Null: as many as it likes",
  },
  schedule: { description: "A time of day at which the rule is asked of its scope; null: none" },
  currency: {
    description: "Of the amounts of the rule, in its minor units; null: that of the workspace. " +
      "Products of other currencies get no price by a rule with amounts",
  },
};

const terms = {
  name: Name,
  description: orNull(Description).meta(words.description),
  enabled: orDefault(z.boolean(), false).meta(words.enabled),
  priority: orDefault(Priority, PRIORITY_DEFAULT).meta(words.priority),
  cooldownMinutes: orDefault(CooldownMinutes, COOLDOWN_DEFAULT).meta(words.cooldownMinutes),
  when: When,
  scope: Scope,
  marginFloor: orNull(MarginFloor).meta(words.marginFloor),
  bounds: orNull(Bounds).meta(words.bounds),
  brake: orNull(Brake).meta(words.brake),
  budgetPerDay: orNull(BudgetPerDay).meta(words.budgetPerDay),
  schedule: orNull(RuleSchedule).meta(words.schedule),
  currency: orNull(Currency).meta(words.currency),
  actions: Actions,
};

/** A rule as it is sent. `refuseRule` checks combinations of fields. */
export const NewRule = z.strictObject(terms).meta({
  id: "NewRule",
  example: {
    name: "Match cheaper competitors",
    when: { trigger: "competitor_undercut", competitorDeltaPct: 1 },
    scope: { mode: "attribute", matches: { brand: ["Sony"] } },
    marginFloor: { pct: 15 },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
  },
});

/** The terms of a rule, every default filled in. */
export type RuleTerms = Readonly<z.output<typeof NewRule>>;

/**
 * A change: absent is unchanged, `null` is the default; `when`, `scope`, `bounds`, `brake` and
 * `actions` are replaced whole.
 */
export const RulePatch = z.strictObject({
  name: Name.optional(),
  description: Description.nullable().optional().meta(words.description),
  enabled: orReset(z.boolean(), false).optional().meta(words.enabled),
  priority: orReset(Priority, PRIORITY_DEFAULT).optional().meta(words.priority),
  cooldownMinutes: orReset(CooldownMinutes, COOLDOWN_DEFAULT).optional()
    .meta(words.cooldownMinutes),
  when: When.optional(),
  scope: Scope.optional(),
  marginFloor: MarginFloor.nullable().optional().meta(words.marginFloor),
  bounds: Bounds.nullable().optional().meta(words.bounds),
  brake: Brake.nullable().optional().meta(words.brake),
  budgetPerDay: BudgetPerDay.nullable().optional().meta(words.budgetPerDay),
  schedule: RuleSchedule.nullable().optional().meta(words.schedule),
  currency: Currency.nullable().optional().meta(words.currency),
  actions: Actions.optional(),
}).meta({ id: "RulePatch" });

export type RulePatch = z.output<typeof RulePatch>;

/** Fields that only the service writes; a body may hold them, as a document that was read does. */
export const READ_ONLY_RULE_FIELDS = [
  "id",
  "version",
  "createdBy",
  "createdAt",
  "updatedAt",
  "deletedAt",
  "stats",
] as const;

/** A rule with what the service says of it, as files carry it (docs/decisions/rules.md). */
export const RuleDocument = z.object({
  id: z.string(),
  ...terms,
  version: z.int(),
  createdBy: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  stats: z.object({ fires30d: z.int(), lastFiredAt: z.iso.datetime().nullable() }),
});

/** As it is answered: what `null` resets when it is sent is never null then. */
export const RuleAnswer = RuleDocument.extend({
  enabled: z.boolean().meta(words.enabled),
  priority: Priority.meta(words.priority),
  cooldownMinutes: CooldownMinutes.meta(words.cooldownMinutes),
  scope: ScopeAnswer,
});

export type RuleDocument = Readonly<z.output<typeof RuleDocument>>;

type Judged = Pick<
  RuleTerms,
  "when" | "scope" | "marginFloor" | "bounds" | "brake" | "actions"
>;

type PriceAction = Extract<Action, { type: "propose_price" | "auto_apply_if_safe" }>;

/**
 * Refusals of a rule whose fields are each valid (docs/decisions/rules.md): an automatic price
 * without a source, a target margin that nothing names, an ending that the currency does not have,
 * a price given in two ways, bounds without a price. Empty when it may be saved. `currency` is the
 * workspace's; a scope that names its own is judged by it.
 */
export function refuseRule(
  rule: Judged,
  { currency }: { readonly currency: string },
): RefusedField[] {
  return rule.actions.flatMap((action, index) =>
    errorsOf(action, rule, currency).map(({ path, message }) => ({
      path: `actions.${index}.${path}`,
      message,
    }))
  ).concat(repeated(rule.actions), refusedBounds(rule));
}

function errorsOf(action: Action, rule: Judged, currency: string): RefusedField[] {
  if (action.type !== "propose_price" && action.type !== "auto_apply_if_safe") return [];
  return action.price === null
    ? formulaErrors(action, rule, currency)
    : priceErrors(action, action.price, rule);
}

function formulaErrors(
  { type, formula, targetMarginPct, rounding }: PriceAction,
  rule: Judged,
  currency: string,
): RefusedField[] {
  const proposes = rule.actions.some((one) => one.type === "propose_price");
  const hasTarget = targetMarginPct !== null || "marginPct" in rule.when ||
    rule.marginFloor !== null;
  const wrong = rounding === "none" ? undefined : currenciesOf(rule.scope, currency)
    .find((code) => !hasTwoDecimals(code));
  return thoseThatHold([
    [
      formula === null && type === "propose_price",
      "formula",
      "Has no price to propose: give a formula or a price",
    ],
    [
      formula === null && !proposes,
      "formula",
      'Has no price to apply: give a formula, or add an action "propose_price"',
    ],
    [
      formula !== null && formulaOf(formula).needs.targetMargin && !hasTarget,
      "targetMarginPct",
      'Is needed here, because neither "when.marginPct" nor "marginFloor" is given',
    ],
    [
      wrong !== undefined,
      "rounding",
      `Must be "none", because "${wrong}" is no currency with two decimals`,
    ],
  ]);
}

/** A price is given once: fields of formulas have no place next to it. */
function priceErrors(
  { formula, targetMarginPct, rounding }: PriceAction,
  { reference }: PriceAim,
  { when }: Judged,
): RefusedField[] {
  return thoseThatHold([
    [formula !== null, "price", 'Must be null beside "formula"'],
    [targetMarginPct !== null, "targetMarginPct", 'Belongs to a formula, not to "price"'],
    [rounding !== "none", "rounding", 'Belongs to a formula; "price" has its own'],
    [
      reference.kind === "competitor" && when.minCompetitors > 1,
      "price.reference.kind",
      'Is one competitor, but "when.minCompetitors" asks for more',
    ],
  ]);
}

function thoseThatHold(
  validationErrors: readonly (readonly [holds: boolean, path: string, message: string])[],
): RefusedField[] {
  return validationErrors.flatMap(([holds, path, message]) => holds ? [{ path, message }] : []);
}

/** Bounds without such a price would not bind, so they are refused. */
function refusedBounds(rule: Judged): RefusedField[] {
  if (priceSourceOf(rule.actions)?.price) return [];
  return (["bounds", "brake"] as const).filter((path) => rule[path] !== null).map((path) => ({
    path,
    message: 'Must be null, because the rule has no "price" to keep to them',
  }));
}

function repeated(actions: readonly Action[]): RefusedField[] {
  return (["propose_price", "auto_apply_if_safe"] as const).flatMap((type) => {
    const indexes = actions.flatMap((action, index) => action.type === type ? [index] : []);
    return indexes.slice(1).map((index) => ({
      path: `actions.${index}.type`,
      message: `"${type}" stands here twice: a rule makes one price`,
    }));
  });
}

function currenciesOf(scope: RuleTerms["scope"], currency: string): string[] {
  const named = scope.mode === "attribute" ? scope.matches.currency ?? [] : [];
  const codes = named.filter((value) => typeof value === "string");
  return codes.length === 0 ? [currency] : codes.map((code) => code.toUpperCase());
}
