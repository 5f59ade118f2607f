/** Turns stored rules into a form that can be evaluated quickly, and evaluates their triggers. */
import { Failure } from "../../base/failure.ts";
import { compareTexts } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  findAction,
  formulaOf,
  hasAmounts,
  isOfMarket,
  type PriceAim,
  priceSourceOf,
} from "./actions.ts";
import { brakeOf } from "./bounds.ts";
import type { Market } from "./situation.ts";
import { compileEndings } from "./price_goal.ts";
import {
  lacksVat,
  leftOut,
  NO_REFERENCES,
  readOptions,
  type ReferenceOptions,
  type References,
  selectReferences,
} from "./reference.ts";
import type { RuleTerms } from "./rule.ts";
import { compileScope } from "./scope.ts";
import { type Facts, type Rest, type Verdict, verdict, type View } from "./trigger.ts";
import { TRIGGERS } from "./triggers.ts";

export interface JudgedRule extends RuleTerms {
  readonly id: string;
  readonly createdAt: string;
}

export type CompiledPrice = NonNullable<ReturnType<typeof compilePrice>>;

export type FormulaPrice = Extract<CompiledPrice, { kind: "formula" }>;

type CompiledTrigger = ReturnType<typeof compileTrigger>;

export type CompiledRule = ReturnType<typeof compileRule>;

/** Compiles disabled rules too. `rule` must have passed the checks `NewRule` and `refuseRule`. */
export function compileRule(rule: JudgedRule) {
  const { or, ...when } = rule.when;
  const options = readOptions(when);
  const others = or.map((one) => compileTrigger(one, options));
  const conditions = [compileTrigger(when, options), ...others] as const;
  const price = compilePrice(rule);
  const aim = price?.kind === "aim" ? price.aim : null;
  return {
    id: rule.id,
    name: rule.name,
    isClockDriven: conditions.some(({ isClockDriven }) => isClockDriven),
    isScheduledOnly: rule.schedule?.only === true,
    scope: compileScope(rule.scope),
    options: optionsOf(options, aim),
    needs: { references: conditions.some(({ needs }) => needs.references) },
    triggers: conditions,
    price,
    limits: { floorPct: rule.marginFloor?.pct ?? null, bounds: aim && rule.bounds },
    brake: brakeOf(rule, aim !== null),
    budgetPerDay: rule.budgetPerDay,
    alerts: rule.actions.filter((action) =>
      action.type === "alert_inapp" || action.type === "alert_email"
    ),
    cooldownMs: rule.cooldownMinutes * 60_000,
  };
}

function compileTrigger(when: Facts, options: ReferenceOptions) {
  const trigger = TRIGGERS.find(({ value }) => value === when.trigger);
  if (!trigger) throw new Failure("internal_error", `There is no trigger "${when.trigger}"`);
  return trigger.compile(when, options);
}

function compilePrice({ actions, when, marginFloor, bounds, currency }: JudgedRule) {
  const source = priceSourceOf(actions);
  // A change above this percentage needs a person's decision; null if every change needs one.
  const maxChangePct = findAction(actions, "auto_apply_if_safe")?.maxChangePct ?? null;
  if (!source?.price) {
    if (!source?.formula) return null;
    const ofTrigger = "marginPct" in when ? when.marginPct : null;
    return {
      kind: "formula" as const,
      formula: formulaOf(source.formula),
      targetMarginPct: source.targetMarginPct ?? ofTrigger ?? marginFloor?.pct ?? null,
      rounding: source.rounding,
      maxChangePct,
    };
  }
  const { price: aim } = source;
  return {
    kind: "aim" as const,
    aim,
    goal: {
      way: aim.rounding.to,
      endings: compileEndings(aim.rounding.ranges),
      direction: aim.direction,
      deadbandPct: aim.deadbandPct,
      maxMovePct: bounds?.maxMovePct ?? null,
      maxMovePerDayPct: bounds?.maxMovePerDayPct ?? null,
    },
    /** Currency of the rule's amounts; null means the workspace's currency. */
    currency,
    hasAmounts: hasAmounts(aim) || (bounds?.minCents ?? bounds?.maxCents ?? null) !== null,
    maxChangePct,
  };
}

function optionsOf(options: ReferenceOptions, aim: PriceAim | null): ReferenceOptions {
  const competitorId = aim?.reference.competitorId ?? null;
  return competitorId === null ? options : {
    ...options,
    only: new Set([competitorId]),
    without: null,
    groups: null,
    withoutGroups: null,
  };
}

export function compileRules(rules: readonly JudgedRule[]): CompiledRule[] {
  return rules.filter(({ enabled }) => enabled).toSorted(byPriority).map(compileRule);
}

function byPriority(a: JudgedRule, b: JudgedRule): number {
  return a.priority - b.priority || compareTexts(a.createdAt, b.createdAt) ||
    compareTexts(a.id, b.id);
}

const WINDOW_DAYS = 30;

export type Judgement = ReturnType<typeof judgeRule>;

const NO_OWN_PRICE = verdict(false, () => ({ code: "no_own_price", facts: {} }));
const UNSEEN = verdict(false, () => ({ code: "unseen", facts: { days: WINDOW_DAYS } }));

export function judgeRule(
  rule: CompiledRule,
  market: Market,
  references = rule.needs.references ? selectReferences(rule.options, market) : NO_REFERENCES,
) {
  const view = viewOf(rule, market, references);
  if (market.situation.mode === "simulate" && needsRivals(rule) && !isObserved(market)) {
    return { view, verdict: UNSEEN, by: rule.triggers[0] };
  }
  const [first, ...others] = rule.triggers;
  let decisive = { by: first, verdict: ask(first, rule, view) };
  let { rank } = decisive.verdict;
  for (const by of others) {
    const answer = ask(by, rule, view);
    rank ??= answer.rank;
    if (!decisive.verdict.fires && answer.fires) decisive = { by, verdict: answer };
  }
  return { view, by: decisive.by, verdict: { ...decisive.verdict, rank } };
}

export function viewOf({ id, options }: CompiledRule, market: Market, references: References) {
  const { product, history } = market.situation;
  const past = history.rules[id] ?? null;
  return { market, references, options, past, ourPriceCents: product.ourPriceCents ?? 0 };
}

export function isCoolingDown({ cooldownMs }: CompiledRule, { past, market }: View): boolean {
  const lastMs = past?.lastFiredAtMs ?? null;
  return lastMs !== null && market.situation.nowMs < lastMs + cooldownMs;
}

export function honoursCooldown(rule: CompiledRule, view: View): boolean {
  const { mode } = view.market.situation;
  return mode !== "simulate" && mode !== "preview" && isCoolingDown(rule, view);
}

function ask({ needs, judge }: CompiledTrigger, rule: CompiledRule, view: View): Verdict {
  if (needs.ownPrice && view.ourPriceCents <= 0) return NO_OWN_PRICE;
  if (!needs.references || view.references.areEnough) return judge(view);
  const said = () => tooFew(rule, view);
  return verdict(hasFallback(rule), said);
}

function needsRivals(rule: CompiledRule): boolean {
  const { price, needs } = rule;
  if (price?.kind !== "aim") return true;
  return !hasFallback(rule) && (needs.references || isOfMarket(price.aim.reference.kind));
}

function hasFallback({ price }: CompiledRule): boolean {
  return price?.kind === "aim" && price.aim.fallback !== null;
}

function isObserved({ situation: { offers, nowMs } }: Market): boolean {
  const oldestMs = nowMs - WINDOW_DAYS * DAY_MS;
  return offers.some(({ observedAtMs }) => observedAtMs !== null && observedAtMs >= oldestMs);
}

function tooFew({ options }: CompiledRule, { market, references }: View): Rest {
  const groups = Map.groupBy(leftOut(options, market), ({ why }) => why);
  const facts = {
    leftOut: [...groups].map(([why, { length: count }]) => ({ why, count })),
    lacksVat: lacksVat(options, market),
  };
  if (references.offers.length === 0) return { code: "no_reference", facts };
  const { minCompetitors } = options;
  return { code: "too_few_references", facts: { minCompetitors, ...facts } };
}
