/** A field has the same path in the form as in the rule. */
import { fromKeys, mapValues } from "../../../base/collections.ts";
import { exponentOf, parseMajor } from "../../../base/money.ts";
import type { Bounds, Brake } from "../../../engine/pricing/bounds.ts";
import { SCOPE_FIELDS } from "../../../engine/pricing/codes.ts";
import type { PriceAim } from "../../../engine/pricing/actions.ts";
import type {
  ReferenceEntry,
  ReferenceField,
  RuleDocument,
  RuleTerms,
} from "../../../engine/pricing/rule.ts";
import type { Scope } from "../../../engine/pricing/scope.ts";
import { decimalText, numberText, readNumber, readSigned } from "../../formats/decimal.ts";
import {
  isOnAt,
  isValues,
  listAt,
  textAt,
  type Value,
  valueAt,
  type Values,
} from "../../parts/form/saved_form.tsx";

export interface References {
  readonly triggers: readonly ReferenceEntry[];
  readonly actions: readonly ReferenceEntry[];
}

interface Notation {
  readonly locale: string;
  readonly currency: string;
}

export const BOUND_NAMES = [
  "markupPct",
  "minCents",
  "maxCents",
  "belowTargetPct",
  "aboveTargetPct",
  "maxMovePct",
  "maxMovePerDayPct",
  "maxMovesPerDay",
] as const satisfies readonly (keyof Bounds)[];

export const BRAKE_NAMES = ["cuts", "days", "restDays"] as const satisfies readonly (keyof Brake)[];

const PICKED: ReadonlySet<string> = new Set([
  "competitorIds",
  "excludeCompetitorIds",
  "groups",
  "excludeGroups",
  "days",
]);

export function isPicked({ name }: ReferenceField): boolean {
  return PICKED.has(name);
}

/** With its field `always`, this trigger fires at every check. */
export const ALWAYS_TRIGGER = "market_index";

export const EMPTY_SCOPE_ROW = { field: "brand", op: "eq", value: "" };

export const EMPTY_RANGE = { belowCents: "", endings: "" };

export const NEW_AIM: Values = {
  reference: { kind: "cheapest", nth: "2" },
  unit: "pct",
  direction: "both",
  rounding: { to: "down", ranges: [EMPTY_RANGE] },
};

export function draftOf(rule: RuleDocument, { locale, currency }: Notation): Values {
  const { name, description, budgetPerDay, schedule, scope, bounds, brake, when } = rule;
  const notation = { locale, currency: rule.currency ?? currency };
  const cooldown = cooldownDraftOf(rule.cooldownMinutes, locale);
  return valuesOf({
    ...{ name, description, budgetPerDay, when },
    priority: rule.priority,
    cooldownMinutes: cooldown.count,
    cooldownUnit: cooldown.unit,
    scope: {
      mode: scope.mode,
      list: scope.mode === "sku" ? scope.list.join("\n") : "",
      matches: matchesOf(scope),
    },
    marginFloor: { pct: rule.marginFloor?.pct },
    bounds: {
      ...fromKeys(BOUND_NAMES, (name) => bounds?.[name]),
      noTarget: bounds?.noTarget === "stop" ? "stop" : "",
    },
    brake: fromKeys(BRAKE_NAMES, (name) => brake?.[name]),
    currency: rule.currency,
    schedule: { at: schedule?.at, days: schedule?.days, only: schedule?.only ?? false },
    actions: rule.actions.map((action) =>
      "price" in action && action.price
        ? { ...action, price: aimOf(action.price, notation) }
        : action
    ),
  }, notation);
}

function matchesOf(scope: Scope) {
  const rows = SCOPE_FIELDS.flatMap((field) =>
    (scope.mode === "attribute" ? scope.matches[field] ?? [] : []).map((wanted) =>
      typeof wanted === "string"
        ? { field, op: "eq", value: wanted }
        : { field, op: "contains", value: wanted.contains }
    )
  );
  return rows.length > 0 ? rows : [EMPTY_SCOPE_ROW];
}

function aimOf({ reference, adjust, rounding, fallback, ...aim }: PriceAim, notation: Notation) {
  const cents = adjust?.cents ?? null;
  return {
    direction: aim.direction,
    reference: { ...reference, nth: reference.nth ?? 2 },
    adjust: cents === null ? adjust?.pct : amountText(cents, notation),
    unit: cents === null ? "pct" : "money",
    rounding: {
      to: rounding.to,
      ranges: rounding.ranges.length === 0 ? [EMPTY_RANGE] : rounding.ranges,
    },
    deadbandPct: aim.deadbandPct === 0 ? null : aim.deadbandPct,
    fallback: { kind: fallback?.kind, pct: fallback?.pct },
  };
}

function valuesOf(fields: Readonly<Record<string, unknown>>, notation: Notation): Values {
  return mapValues(fields, (value, name) => valueOf(name, value, notation));
}

export function valueOf(name: string, value: unknown, notation: Notation): Value {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") {
    return name.endsWith("Cents")
      ? amountText(value, notation)
      : numberText(value, notation.locale);
  }
  if (Array.isArray(value)) {
    const list = value.map((one: unknown) => valueOf("", one, notation));
    return PICKED.has(name) || list.some(isValues) ? list : list.join(", ");
  }
  if (typeof value === "object" && value !== null) return valuesOf({ ...value }, notation);
  return PICKED.has(name) ? [] : "";
}

/** Invalid texts are sent as typed, so that the service refuses them. */
export function bodyOf(draft: Values, references: References, { locale, currency }: Notation) {
  const code = textAt(draft, "currency").trim();
  const notation = { locale, currency: code === "" ? currency : code };
  const { text, number } = readerOf(draft, notation);
  const condition = (values: Value | undefined) => ({
    trigger: textAt(values, "trigger"),
    ...readFields(references.triggers, textAt(values, "trigger"), values, locale),
  });
  const days = listAt(draft, "schedule.days");
  const isBound = hasAim(draft);
  return {
    name: text("name"),
    description: text("description") || null,
    priority: number("priority"),
    cooldownMinutes: cooldownBody(
      { count: text("cooldownMinutes"), unit: text("cooldownUnit") },
      locale,
    ),
    when: { ...condition(draft.when), or: listAt(draft, "when.or").map(condition) },
    scope: scopeOf(draft),
    marginFloor: text("marginFloor.pct") === "" ? null : { pct: number("marginFloor.pct") },
    bounds: isBound ? boundsBody(draft, notation) : null,
    brake: isBound ? brakeBody(draft, notation) : null,
    budgetPerDay: number("budgetPerDay"),
    schedule: text("schedule.at") === "" ? null : {
      at: text("schedule.at"),
      days: days.length === 0 ? null : days.map(String),
      only: isOnAt(draft, "schedule.only"),
    },
    currency: code === "" ? null : code,
    actions: listAt(draft, "actions").map((action) => {
      const type = textAt(action, "type");
      const { price: _, ...fields } = readFields(references.actions, type, action, locale);
      if (!isAimed(action)) return { type, ...fields };
      const { formula: _formula, targetMarginPct: _target, rounding: _rounding, ...kept } = fields;
      return { type, ...kept, price: aimBody(valueAt(action, "price"), notation) };
    }),
  } satisfies Readonly<Record<Exclude<keyof RuleTerms, "enabled">, unknown>>;
}

export function hasAim(draft: Values): boolean {
  return listAt(draft, "actions").some(isAimed);
}

export function isAimed(action: Value | undefined): boolean {
  return makesPrice(textAt(action, "type")) && isValues(valueAt(action, "price"));
}

export function makesPrice(type: string): boolean {
  return type === "propose_price" || type === "auto_apply_if_safe";
}

function readerOf(values: Value | undefined, notation: Notation) {
  return {
    text: (path: string) => textAt(values, path).trim(),
    number: (path: string) => readNumber(textAt(values, path), notation.locale),
    amount: (path: string) => readAmount(textAt(values, path), notation),
  };
}

function scopeOf(draft: Values) {
  const mode = textAt(draft, "scope.mode");
  if (mode === "all") return { mode };
  if (mode === "sku") {
    const lines = textAt(draft, "scope.list").split("\n").map((line) => line.trim());
    return { mode, list: lines.filter(Boolean) };
  }
  const matches = listAt(draft, "scope.matches")
    .map((row) => fromKeys(["field", "op", "value"], (name) => textAt(row, name)))
    .filter(({ value }) => value.trim() !== "");
  return { mode, matches: matches.length > 0 ? matches : {} };
}

function boundsBody(draft: Values, notation: Notation) {
  const { text, number, amount } = readerOf(draft.bounds, notation);
  const isStopped = text("noTarget") === "stop";
  if (!isStopped && BOUND_NAMES.every((name) => text(name) === "")) return null;
  return {
    ...fromKeys(BOUND_NAMES, (name) => name.endsWith("Cents") ? amount(name) : number(name)),
    noTarget: isStopped ? "stop" : "ignore",
  } satisfies Readonly<Record<keyof Bounds, unknown>>;
}

function brakeBody(draft: Values, notation: Notation) {
  const { cuts, days, restDays } = fromKeys(BRAKE_NAMES, readerOf(draft.brake, notation).number);
  if (cuts === null && days === null && restDays === null) return null;
  return { cuts: cuts ?? 3, days: days ?? 7, restDays: restDays ?? days ?? 7 };
}

function aimBody(price: Value | undefined, notation: Notation) {
  const { text, number, amount } = readerOf(price, notation);
  const kind = text("reference.kind");
  const fallback = text("fallback.kind");
  const ranges = listAt(price, "rounding.ranges").map((range) => readerOf(range, notation));
  const hasEndings = ranges.some(({ text }) => text("belowCents") + text("endings") !== "");
  const adjust = text("unit") === "pct" ? { pct: number("adjust") } : { cents: amount("adjust") };
  return {
    reference: {
      kind,
      nth: kind === "nth" ? number("reference.nth") : null,
      competitorId: kind === "competitor" ? text("reference.competitorId") || null : null,
    },
    adjust: text("adjust") === "" ? null : adjust,
    direction: text("direction"),
    rounding: {
      to: text("rounding.to"),
      ranges: hasEndings
        ? ranges.map(({ text, amount }) => ({
          belowCents: amount("belowCents"),
          endings: text("endings").split(/[\s;,]+/).filter((one) => one !== ""),
        }))
        : [],
    },
    deadbandPct: number("deadbandPct"),
    fallback: fallback === "" ? null : { kind: fallback, pct: number("fallback.pct") },
  } satisfies Readonly<Record<keyof PriceAim, unknown>>;
}

function readFields(
  entries: readonly ReferenceEntry[],
  value: string,
  values: Value | undefined,
  locale: string,
): Record<string, unknown> {
  const fields = entries.find((entry) => entry.value === value)?.fields ?? [];
  return Object.fromEntries(
    fields.filter(({ name }) => !name.includes(".")).flatMap((field): [string, unknown][] => {
      const typed = valueAt(values, field.name);
      return typed === undefined ? [] : [[field.name, readField(field, typed, locale)]];
    }),
  );
}

function readField({ type }: ReferenceField, value: Value, locale: string): unknown {
  if (typeof value !== "string") return value;
  if (type === "array") return value.split(/[\s,;]+/).filter((part) => part !== "");
  if (value.trim() === "") return null;
  return type === "number" || type === "integer" ? readNumber(value, locale) : value;
}

function amountText(cents: number, { currency, locale }: Notation): string {
  return (cents < 0 ? "-" : "") + decimalText(Math.abs(cents), currency, locale);
}

/** Returns minor units, null for an empty text, or an invalid text as typed. */
function readAmount(text: string, { currency, locale }: Notation): number | string | null {
  if (text.trim() === "") return null;
  const read = readSigned(text, locale);
  const parsed = read && parseMajor(read.decimal, exponentOf(currency));
  if (!parsed || !("minor" in parsed)) return text;
  return read.isNegative ? -parsed.minor : parsed.minor;
}

const MINUTES = { minutes: 1, hours: 60, days: 1440 } as const;

const COOLDOWN_UNITS = ["minutes", "hours", "days"] as const satisfies readonly (
  keyof typeof MINUTES
)[];

export function cooldownDraftOf(minutes: number, locale: string) {
  const unit = minutes === 0
    ? "minutes"
    : COOLDOWN_UNITS.findLast((one) => minutes % MINUTES[one] === 0) ?? "minutes";
  return { count: numberText(minutes / MINUTES[unit], locale), unit };
}

/** Returns a cooldown in minutes, null for the default, or an invalid text as typed. */
export function cooldownBody(
  { count, unit }: { readonly count: string; readonly unit: string },
  locale: string,
) {
  const read = readNumber(count, locale);
  if (typeof read !== "number") return read;
  const minutes = read * MINUTES[COOLDOWN_UNITS.find((one) => one === unit) ?? "minutes"];
  const whole = Math.round(minutes);
  // Corrects errors of floating point: 1.1 × 1440 is not exactly 1584.
  return Math.abs(minutes - whole) < 1e-6 ? whole : minutes;
}
