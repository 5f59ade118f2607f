/** A rule as clients write it, as it is stored and as it judges (docs/decisions/rules.md). */
import { z } from "zod";
import { composed, hasControlCharacters, isLongerThan } from "../../base/text.ts";
import { currencyExponent } from "../../base/currency.ts";
import { Action } from "./actions.ts";
import { Bounds } from "./bounds.ts";
import { Brake } from "./brake.ts";
import { BUDGET_MAX } from "./budget.ts";
import { orDefault, orNull, orReset, percentField } from "./field.ts";
import { Scope, ScopeAnswer } from "./scope.ts";
import { RuleSchedule } from "./rule_schedule.ts";
import { When } from "./triggers.ts";

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

/** A rule as it is sent. What follows from several fields together is judged by `refuseRule`. */
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

/** What a rule says, every default filled in. */
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
