/**
 * The schemas of rules (docs/decisions/rules.md), and lists of all triggers, actions and fields,
 * which are made from these schemas.
 */

import { currencyExponent } from "../../base/money.ts";
import type { RefusedField } from "../../base/failure.ts";
import { atMost } from "../../base/text.ts";
import { dateIn, daysBefore } from "../../base/time.ts";
import { Action, ACTION_TYPES, formulaOf, type PriceAim, priceSourceOf } from "./actions.ts";
import { Bounds, Brake, BUDGET_MAX } from "./bounds.ts";
import { Name, orDefault, orNull, percentField } from "./field.ts";
import { Scope, ScopeAnswer } from "./scope.ts";
import { referenceFields } from "./reference.ts";
import { TRIGGERS, When } from "./triggers.ts";
import { z } from "zod";
import { hasTwoDecimals } from "./price_goal.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
type Weekday = (typeof WEEKDAYS)[number];

export const RuleSchedule = z.strictObject({
  at: z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Must be a time such as "06:00"').meta({
    description: "In the time zone of the workspace",
    example: "06:00",
  }),
  days: orDefault(z.array(z.enum(WEEKDAYS)).min(1).max(7), [...WEEKDAYS])
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    .meta({ description: "The days of the week; null: all", default: [...WEEKDAYS] }),
  only: orDefault(z.boolean(), false).describe("True: the rule is evaluated at no other time"),
});

export type RuleSchedule = Readonly<z.output<typeof RuleSchedule>>;

/** A scheduled evaluation that is over two hours late is skipped, for example after an outage. */
const LATE_MS_MAX = 2 * 3_600_000;

/** Returns the last scheduled time (`2026-11-20 06:00`), or null if it is over two hours ago. */
export function dueSlot({ at, days }: RuleSchedule, now: Date, timeZone: string): string | null {
  const today = dateIn(now, timeZone);
  for (const date of [today, daysBefore(today, 1)]) {
    const atMs = momentOf(date, at, timeZone);
    const weekday = WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "mon";
    if (atMs > now.getTime() || !days.includes(weekday)) continue;
    return now.getTime() - atMs <= LATE_MS_MAX ? `${date} ${at}` : null;
  }
  return null;
}

/**
 * If the change to summer time skips this time, returns the next minute that exists. If the time
 * occurs twice when summer time ends, returns the first occurrence.
 */
function momentOf(date: string, at: string, timeZone: string): number {
  const local = Temporal.PlainDateTime.from(`${date}T${at}`);
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  return (earlier.getTimeZoneTransition("next") ?? earlier).epochMilliseconds;
}

const Description = z.string().trim().superRefine(atMost(2_000));

const Priority = z.int().min(0).max(1_000);
const CooldownMinutes = z.int().min(0).max(10_080);
const MarginFloor = z.strictObject({ pct: percentField(0, 100) });
const Currency = z.string().trim().toUpperCase().refine(
  (code) => currencyExponent(code) !== null,
  'Must be a currency code of ISO 4217, such as "EUR"',
);
const BudgetPerDay = z.int().min(1).max(BUDGET_MAX);
const Actions = z.array(Action).min(1, "Must hold at least one action").max(20);

const PRIORITY_DEFAULT = 100;
const COOLDOWN_DEFAULT = 60;

const terms = {
  name: Name,
  description: orNull(Description).meta({ description: "A text for people" }),
  enabled: orDefault(z.boolean(), false)
    .meta({ description: "Whether the rule is evaluated automatically" }),
  priority: orDefault(Priority, PRIORITY_DEFAULT).meta({ description: "Lower numbers go first" }),
  cooldownMinutes: orDefault(CooldownMinutes, COOLDOWN_DEFAULT)
    .meta({ description: "Per product, since the rule last fired" }),
  when: When,
  scope: Scope,
  marginFloor: orNull(MarginFloor)
    .meta({ description: "Smallest margin of the rule's prices, in percent of the net price" }),
  bounds: orNull(Bounds).meta({
    description: "Limits of the price in addition to the margin floor; only together with `price`",
  }),
  brake: orNull(Brake).meta({
    description:
      "Stops price wars. Null: after 3 cuts in 7 days no more cuts for 7 days, for rules that " +
      "automatically set a `price`",
  }),
  budgetPerDay: orNull(BudgetPerDay).meta({
    description:
      "Maximum number of automatic prices of the rule per day of the workspace's calendar; " +
      "further prices are proposed. Null: no limit",
  }),
  schedule: orNull(RuleSchedule).meta({
    description: "A time of day at which the rule is evaluated for its whole scope; null: none",
  }),
  currency: orNull(Currency).meta({
    description:
      "Currency of the rule's amounts, which are in its minor units; null: that of the workspace. " +
      "A rule with amounts sets no price for products in other currencies",
  }),
  actions: Actions,
};

/** A new rule. Combinations of fields are checked by `refuseRule` and not by this schema. */
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

export type RuleTerms = Readonly<z.output<typeof NewRule>>;

const wordsOf = (field: z.ZodType) => ({ description: field.description });

/** Schema of a field in a patch: null sets the default, and a missing field stays unchanged. */
const patched = <T extends z.ZodType>(
  field: z.ZodType & { unwrap(): T },
) => field.unwrap().optional().meta(wordsOf(field));

/** An object in a patch, such as `scope`, replaces the whole stored object. */
export const RulePatch = z.strictObject(
  {
    name: Name.optional(),
    description: patched(terms.description),
    enabled: patched(terms.enabled),
    priority: patched(terms.priority),
    cooldownMinutes: patched(terms.cooldownMinutes),
    when: When.optional(),
    scope: Scope.optional(),
    marginFloor: patched(terms.marginFloor),
    bounds: patched(terms.bounds),
    brake: patched(terms.brake),
    budgetPerDay: patched(terms.budgetPerDay),
    schedule: patched(terms.schedule),
    currency: patched(terms.currency),
    actions: Actions.optional(),
  } satisfies Readonly<Record<keyof typeof terms, z.ZodType>>,
).meta({ id: "RulePatch" });

export type RulePatch = z.output<typeof RulePatch>;

export const READ_ONLY_RULE_FIELDS = [
  "id",
  "version",
  "createdBy",
  "createdAt",
  "updatedAt",
  "deletedAt",
  "stats",
] as const;

/** Only the service can change the fields outside `terms`, such as `version`. */
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

export const RuleAnswer = RuleDocument.extend({
  enabled: z.boolean().meta(wordsOf(terms.enabled)),
  priority: Priority.meta(wordsOf(terms.priority)),
  cooldownMinutes: CooldownMinutes.meta(wordsOf(terms.cooldownMinutes)),
  scope: ScopeAnswer,
});

export type RuleDocument = Readonly<z.output<typeof RuleDocument>>;

type Judged = Pick<RuleTerms, "when" | "scope" | "marginFloor" | "bounds" | "brake" | "actions">;

type PriceAction = Extract<Action, { type: "propose_price" | "auto_apply_if_safe" }>;

/**
 * Refuses valid fields that do not fit together (docs/decisions/rules.md). `currency` applies to a
 * rule whose scope names no currency.
 */
export function refuseRule(
  rule: Judged,
  { currency }: { readonly currency: string },
): RefusedField[] {
  return rule.actions.flatMap((action, at) => {
    if (action.type !== "propose_price" && action.type !== "auto_apply_if_safe") return [];
    const checks = action.price === null
      ? formulaChecks(action, rule, currency)
      : priceChecks(action, action.price, rule);
    return checks.flatMap(([isRefused, field, message]) =>
      isRefused ? [{ path: `actions.${at}.${field}`, message }] : []
    );
  }).concat(repeated(rule.actions), refusedBounds(rule));
}

type Check = readonly [isRefused: boolean, field: string, message: string];

function formulaChecks(
  { type, formula, targetMarginPct, rounding }: PriceAction,
  { actions, when, scope, marginFloor }: Judged,
  currency: string,
): readonly Check[] {
  const isAlone = !actions.some((one) => one.type === "propose_price");
  const hasTarget = targetMarginPct !== null || "marginPct" in when || marginFloor !== null;
  const wrong = currenciesOf(scope, currency).find((code) => !hasTwoDecimals(code));
  return [
    [
      formula === null && type === "propose_price",
      "formula",
      "Has no price to propose: give a formula or a price",
    ],
    [
      formula === null && isAlone,
      "formula",
      'Has no price to apply: give a formula, or add an action "propose_price"',
    ],
    [
      formula !== null && formulaOf(formula).needs.targetMargin && !hasTarget,
      "targetMarginPct",
      'Is needed here, because neither "when.marginPct" nor "marginFloor" is given',
    ],
    [
      rounding !== "none" && wrong !== undefined,
      "rounding",
      `Must be "none", because "${wrong}" is no currency with two decimals`,
    ],
  ];
}

function priceChecks(
  { formula, targetMarginPct, rounding }: PriceAction,
  { reference }: PriceAim,
  { when }: Judged,
): readonly Check[] {
  return [
    [formula !== null, "price", 'Must be null together with "formula"'],
    [targetMarginPct !== null, "targetMarginPct", 'Belongs to a formula, not to "price"'],
    [rounding !== "none", "rounding", 'Belongs to a formula; "price" has its own'],
    [
      reference.kind === "competitor" && when.minCompetitors > 1,
      "price.reference.kind",
      'Is one competitor, but "when.minCompetitors" asks for more',
    ],
  ];
}

function refusedBounds(rule: Judged): RefusedField[] {
  if (priceSourceOf(rule.actions)?.price) return [];
  return (["bounds", "brake"] as const).filter((path) => rule[path] !== null).map((path) => ({
    path,
    message: 'Must be null, because only a rule with "price" has bounds and a brake',
  }));
}

function repeated(actions: readonly Action[]): RefusedField[] {
  return (["propose_price", "auto_apply_if_safe"] as const).flatMap((type) => {
    const indexes = actions.flatMap((action, index) => action.type === type ? [index] : []);
    return indexes.slice(1).map((index) => ({
      path: `actions.${index}.type`,
      message: `"${type}" is used twice, but a rule sets one price: remove one of the two`,
    }));
  });
}

function currenciesOf(scope: RuleTerms["scope"], currency: string): string[] {
  const named = scope.mode === "attribute" ? scope.matches.currency ?? [] : [];
  const codes = named.filter((value) => typeof value === "string");
  return codes.length === 0 ? [currency] : codes.map((code) => code.toUpperCase());
}

const Words = z.object({
  value: z.string().describe("The value as it is written in rules"),
  label: z.string(),
  description: z.string(),
});

export const ReferenceField = z.object({
  name: z.string().describe(
    "The path of the field in a rule: dots separate the fields of objects, `[]` marks a list",
  ),
  label: z.string(),
  description: z.string(),
  type: z.enum(["number", "integer", "boolean", "string", "array", "object"]),
  required: z.boolean(),
  nullable: z.boolean().describe("Whether null has a meaning of its own"),
  default: z.unknown(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  values: z.array(Words).nullable().describe("The allowed values; null: any"),
}).meta({ id: "ReferenceField" });

export type ReferenceField = Readonly<z.output<typeof ReferenceField>>;

export const ReferenceEntry = Words.extend({
  fields: z.array(ReferenceField).describe("The fields that can be set with it"),
})
  .meta({ id: "ReferenceEntry" });

export type ReferenceEntry = Readonly<z.output<typeof ReferenceEntry>>;

export function listTriggers(): ReferenceEntry[] {
  return TRIGGERS.map((trigger) => {
    const fields = { ...trigger.own.shape, ...referenceFields };
    return { ...Words.parse(trigger), fields: fieldsOf(fields) };
  });
}

export function listActions(): ReferenceEntry[] {
  return ACTION_TYPES.map((type) => ({
    ...Words.parse(type),
    fields: fieldsOf(type.fields.shape),
  }));
}

const Form = z.object({
  type: z.union([z.string(), z.array(z.string())]).transform((type) => [type].flat()).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  "x-words": z.array(Words).optional(),
});
const Property = Form.extend({
  title: z.string().default(""),
  description: z.string().default(""),
  anyOf: z.array(Form).optional(),
});
const FieldType = ReferenceField.shape.type;

function fieldsOf(shape: z.ZodObject["shape"], before = ""): ReferenceField[] {
  return Object.entries(shape).filter(([, field]) => !(field instanceof z.ZodLiteral))
    .flatMap(([own, field]) => {
      const property = Property.parse(z.toJSONSchema(field, { io: "input" }));
      const form = property.anyOf?.find(({ type }) => type?.[0] !== "null") ?? property;
      const absent = z.safeParse(field, undefined);
      const values = form.enum?.map((value) => ({ value, label: value, description: "" }));
      const object = objectIn(field);
      const name = before + own;
      const shown = {
        name,
        label: property.title,
        description: property.description,
        type: FieldType.parse(form.type?.[0] ?? (object && "object")),
        required: !absent.success,
        nullable: z.safeParse(field, null).data === null,
        default: absent.data ?? null,
        minimum: form.minimum ?? null,
        maximum: form.maximum ?? null,
        values: form["x-words"] ?? values ?? null,
      };
      if (object === null) return [shown];
      return [shown, ...fieldsOf(object.shape, `${name}${shown.type === "array" ? "[]" : ""}.`)];
    });
}

function objectIn(field: unknown): z.ZodObject | null {
  if (field instanceof z.ZodObject) return field;
  if (field instanceof z.ZodArray) return objectIn(field.element);
  if (field instanceof z.ZodPipe) return objectIn(field.in);
  const isWrapped = field instanceof z.ZodNullable || field instanceof z.ZodOptional ||
    field instanceof z.ZodDefault || field instanceof z.ZodPrefault;
  return isWrapped ? objectIn(field.unwrap()) : null;
}
