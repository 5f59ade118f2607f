/**
 * Converts a rule to the values of its form, and back. Values stay as typed until the service
 * accepts them. A new rule starts empty, from a template, or with the products that a person has
 * chosen.
 */
import type { ReferenceEntry, ReferenceField } from "../../../engine/pricing/reference_list.ts";
import type { RuleDocument, RuleTerms } from "../../../engine/pricing/rule.ts";
import type { Scope } from "../../../engine/pricing/scope.ts";
import { SCOPE_FIELDS, type ScopeField, type ScopeOp } from "../../../engine/pricing/codes.ts";
import {
  aimBody,
  type AimDraft,
  aimDraftOf,
  boundsBody,
  type BoundsDraft,
  boundsDraftOf,
  brakeBody,
  NEW_AIM,
  NO_BOUNDS,
  type Writing,
} from "./aim_draft.ts";
import { numberText, readNumber } from "../../formats/decimal.ts";
import { FIRST_RULE_NAMES, FIRST_RULES } from "../../parts/reads.ts";
import type { Words } from "../../words/words.ts";

export interface References {
  readonly triggers: readonly ReferenceEntry[];
  readonly actions: readonly ReferenceEntry[];
}

export type FieldValue = string | boolean | readonly string[];
/** A missing field has the default value. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

export interface ScopeRow {
  readonly field: ScopeField;
  readonly op: ScopeOp;
  readonly value: string;
}

export interface ActionDraft {
  readonly type: string;
  readonly values: FieldValues;
  /** The price aim; null if the action has a formula. */
  readonly aim?: AimDraft | null;
}

interface AlsoDraft {
  readonly trigger: string;
  readonly values: FieldValues;
}

/** Text fields have the path that the service names when it refuses the field. */
export interface RuleDraft {
  readonly name: string;
  readonly description: string;
  readonly priority: string;
  readonly cooldown: CooldownDraft;
  readonly trigger: string;
  /** Values of all triggers, so that nothing is lost when a person switches between triggers. */
  readonly when: FieldValues;
  readonly also: readonly AlsoDraft[];
  readonly scopeMode: Scope["mode"];
  readonly scopeRows: readonly ScopeRow[];
  readonly "scope.list": string;
  readonly marginFloor: string;
  readonly bounds: BoundsDraft;
  readonly budgetPerDay: string;
  /** "" for the workspace's currency. */
  readonly currency: string;
  /** Time of day of the rule's own schedule; "" for a rule without one. */
  readonly "schedule.at": string;
  readonly scheduleDays: readonly string[];
  readonly isScheduledOnly: boolean;
  readonly actions: readonly ActionDraft[];
}

/** The trigger that fires at every check when its field `always` is set. */
export const ALWAYS_TRIGGER = "market_index";

export const EMPTY_SCOPE_ROW: ScopeRow = { field: "brand", op: "eq", value: "" };

const EMPTY_DRAFT: RuleDraft = {
  name: "",
  description: "",
  priority: "",
  cooldown: { count: "", unit: "minutes" },
  trigger: ALWAYS_TRIGGER,
  when: { always: true },
  also: [],
  scopeMode: "all",
  scopeRows: [EMPTY_SCOPE_ROW],
  "scope.list": "",
  marginFloor: "",
  bounds: NO_BOUNDS,
  budgetPerDay: "",
  currency: "",
  "schedule.at": "",
  scheduleDays: [],
  isScheduledOnly: false,
  actions: [{ type: "propose_price", values: {}, aim: NEW_AIM }],
};

/** List fields whose entries a person selects. In all other list fields, the entries are typed. */
const PICKED: ReadonlySet<string> = new Set([
  "competitorIds",
  "excludeCompetitorIds",
  "groups",
  "excludeGroups",
]);

export function isPicked({ name }: ReferenceField): boolean {
  return PICKED.has(name);
}

export function draftOf(rule: RuleDocument, { locale, currency }: Writing): RuleDraft {
  const writing = { locale, currency: rule.currency ?? currency };
  const { trigger, or, ...when } = rule.when;
  const { scope } = rule;
  const rows = scope.mode === "attribute" ? rowsOf(scope.matches) : [];
  return {
    name: rule.name,
    description: rule.description ?? "",
    priority: String(rule.priority),
    cooldown: cooldownDraftOf(rule.cooldownMinutes, locale),
    trigger,
    when: valuesOf(when, locale),
    also: or.map(({ trigger, ...values }) => ({ trigger, values: valuesOf(values, locale) })),
    scopeMode: scope.mode,
    scopeRows: rows.length > 0 ? rows : [EMPTY_SCOPE_ROW],
    "scope.list": scope.mode === "sku" ? scope.list.join("\n") : "",
    marginFloor: numberText(rule.marginFloor?.pct, locale),
    bounds: boundsDraftOf(rule.bounds, rule.brake, writing),
    budgetPerDay: numberText(rule.budgetPerDay, locale),
    currency: rule.currency ?? "",
    "schedule.at": rule.schedule?.at ?? "",
    scheduleDays: rule.schedule?.days ?? [],
    isScheduledOnly: rule.schedule?.only ?? false,
    actions: rule.actions.map((action) => actionDraftOf(action, writing)),
  };
}

function actionDraftOf(action: RuleDocument["actions"][number], writing: Writing): ActionDraft {
  const { type, ...rest } = action;
  if (!("price" in rest)) return { type, values: valuesOf(rest, writing.locale) };
  const { price, ...values } = rest;
  return {
    type,
    values: valuesOf(values, writing.locale),
    aim: price && aimDraftOf(price, writing),
  };
}

function rowsOf(matches: Extract<Scope, { mode: "attribute" }>["matches"]): ScopeRow[] {
  return SCOPE_FIELDS.flatMap((field) =>
    (matches[field] ?? []).map((wanted): ScopeRow =>
      typeof wanted === "string"
        ? { field, op: "eq", value: wanted }
        : { field, op: "contains", value: wanted.contains }
    )
  );
}

function valuesOf(source: Readonly<Record<string, unknown>>, locale: string): FieldValues {
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name, valueOf(name, value, locale)]),
  );
}

/** A value that is no boolean, text, number or list is shown as empty. */
export function valueOf(name: string, value: unknown, locale: string): FieldValue {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return numberText(value, locale);
  if (!Array.isArray(value)) return PICKED.has(name) ? [] : "";
  const texts = value.map(String);
  return PICKED.has(name) ? texts : texts.join(", ");
}

/** An invalid text is sent as typed, so that the service refuses it with a reason. */
export function bodyOf(draft: RuleDraft, references: References, { locale, currency }: Writing) {
  const { trigger, actions } = draft;
  const code = draft.currency.trim();
  const writing = { locale, currency: code === "" ? currency : code };
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    priority: readNumber(draft.priority, locale),
    cooldownMinutes: cooldownBody(draft.cooldown, locale),
    when: {
      trigger,
      ...readFields(references.triggers, trigger, draft.when, locale),
      or: draft.also.map(({ trigger, values }) => ({
        trigger,
        ...readFields(references.triggers, trigger, values, locale),
      })),
    },
    scope: scopeOf(draft),
    marginFloor: draft.marginFloor.trim() === ""
      ? null
      : { pct: readNumber(draft.marginFloor, locale) },
    bounds: hasAim(draft) ? boundsBody(draft.bounds, writing) : null,
    brake: hasAim(draft) ? brakeBody(draft.bounds, writing) : null,
    budgetPerDay: readNumber(draft.budgetPerDay, locale),
    schedule: draft["schedule.at"].trim() === "" ? null : {
      at: draft["schedule.at"].trim(),
      days: draft.scheduleDays.length === 0 ? null : draft.scheduleDays,
      only: draft.isScheduledOnly,
    },
    currency: code === "" ? null : code,
    actions: actions.map(({ type, values, aim }) => {
      const fields = readFields(references.actions, type, values, locale);
      if (!aim || !makesPrice(type)) return { type, ...fields };
      const { formula: _, targetMarginPct: _target, rounding: _rounding, ...kept } = fields;
      return { type, ...kept, price: aimBody(aim, writing) };
    }),
  } satisfies Readonly<Record<Exclude<keyof RuleTerms, "enabled">, unknown>>;
}

/** Only rules with a price aim have bounds. */
export function hasAim({ actions }: RuleDraft): boolean {
  return actions.some(({ type, aim }) => makesPrice(type) && aim);
}

export function makesPrice(type: string): boolean {
  return type === "propose_price" || type === "auto_apply_if_safe";
}

function scopeOf({ scopeMode, scopeRows, "scope.list": skus }: RuleDraft) {
  if (scopeMode === "all") return { mode: scopeMode };
  if (scopeMode === "sku") {
    return {
      mode: scopeMode,
      list: skus.split("\n").map((line) => line.trim()).filter(Boolean),
    };
  }
  const matches = scopeRows.filter(({ value }) => value.trim() !== "");
  return { mode: scopeMode, matches: matches.length > 0 ? matches : {} };
}

function readFields(
  entries: readonly ReferenceEntry[],
  value: string,
  values: FieldValues,
  locale: string,
): Record<string, unknown> {
  const fields = entries.find((entry) => entry.value === value)?.fields ?? [];
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const typed = values[field.name];
      return typed === undefined ? [] : [[field.name, readField(field, typed, locale)]];
    }),
  );
}

function readField({ type }: ReferenceField, value: FieldValue, locale: string): unknown {
  if (typeof value !== "string") return value;
  if (type === "array") return value.split(/[\s,;]+/).filter((part) => part !== "");
  if (value.trim() === "") return null;
  return type === "number" || type === "integer" ? readNumber(value, locale) : value;
}

const MINUTES = { minutes: 1, hours: 60, days: 1440 } as const;

type CooldownUnit = keyof typeof MINUTES;

export const COOLDOWN_UNITS = [
  "minutes",
  "hours",
  "days",
] as const satisfies readonly CooldownUnit[];

interface CooldownDraft {
  /** The number as typed; "" for the default cooldown. */
  readonly count: string;
  readonly unit: CooldownUnit;
}

/** Uses the largest unit that gives a whole number. */
export function cooldownDraftOf(minutes: number, locale: string): CooldownDraft {
  const unit = minutes === 0
    ? "minutes"
    : COOLDOWN_UNITS.findLast((one) => minutes % MINUTES[one] === 0) ?? "minutes";
  return { count: numberText(minutes / MINUTES[unit], locale), unit };
}

/** In minutes. A text that is not a number is returned as typed. */
export function cooldownBody({ count, unit }: CooldownDraft, locale: string) {
  const read = readNumber(count, locale);
  if (typeof read !== "number") return read;
  const minutes = read * MINUTES[unit];
  const whole = Math.round(minutes);
  // In floating point, 1.1 × 1440 is not exactly 1584.
  return Math.abs(minutes - whole) < 1e-6 ? whole : minutes;
}

export const TEMPLATE_NAMES = ["follow", "margin", "stale"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** If `skus` is empty, the filters in `query` become the rule's scope. */
export function beginningOf(
  query: Readonly<Record<string, string>>,
  skus: readonly string[],
  words: Words,
): RuleDraft {
  const draft = templateOf(query.template, words);
  if (skus.length > 0) return { ...draft, scopeMode: "sku", "scope.list": skus.join("\n") };
  const scopeRows = SCOPE_FIELDS.flatMap((field): ScopeRow[] => {
    const value = query[field];
    return value ? [{ field, op: field === "tier" ? "eq" : "contains", value }] : [];
  });
  return scopeRows.length > 0 ? { ...draft, scopeMode: "attribute", scopeRows } : draft;
}

const TEMPLATES: Readonly<Record<TemplateName, Partial<RuleDraft>>> = {
  follow: {
    trigger: "competitor_undercut",
    when: { competitorDeltaPct: "1" },
    actions: [{ type: "propose_price", values: { formula: "match_cheapest" } }],
    marginFloor: "15",
  },
  margin: {
    trigger: "margin_below",
    when: { marginPct: "10" },
    actions: [{ type: "alert_inapp", values: { severity: "high" } }],
  },
  stale: {
    trigger: "scrape_stale",
    when: {},
    actions: [{ type: "alert_inapp", values: { severity: "low" } }],
  },
};

function templateOf(name: string | undefined, words: Words): RuleDraft {
  const first = FIRST_RULE_NAMES.find((known) => known === name);
  if (first) {
    const { kind, pct, direction, floorPct } = FIRST_RULES[first];
    const aim = { ...NEW_AIM, kind, by: pct === null ? "" : String(pct), direction };
    return {
      ...EMPTY_DRAFT,
      name: words.start.rules[first].name,
      marginFloor: floorPct === null ? "" : String(floorPct),
      actions: [{ type: "propose_price", values: {}, aim }],
    };
  }
  const template = TEMPLATE_NAMES.find((known) => known === name);
  if (template === undefined) return EMPTY_DRAFT;
  return { ...EMPTY_DRAFT, ...TEMPLATES[template], name: words.rules.templateNames[template] };
}
