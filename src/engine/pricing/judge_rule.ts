import { isOfMarket } from "./aim_base.ts";
import type { CompiledRule, CompiledTrigger } from "./compile_rule.ts";
import type { Market } from "./market.ts";
import {
  lacksVat,
  leftOut,
  NO_REFERENCES,
  type References,
  selectReferences,
} from "./reference.ts";
import type { Rest } from "./said.ts";
import { type Verdict, verdict, type View } from "./trigger.ts";

/** Simulation looks at the last 30 days. */
const WINDOW_DAYS = 30;
const WINDOW_MS = WINDOW_DAYS * 24 * 3_600_000;

export interface Judgement {
  readonly view: View;
  readonly verdict: Verdict;
  readonly by: CompiledTrigger;
}

const NO_OWN_PRICE = resting(() => ({ code: "no_own_price", facts: {} }));
const UNSEEN = resting(() => ({ code: "unseen", facts: { days: WINDOW_DAYS } }));

/** A rule that rests for a reason that is not its trigger's. */
export function resting(said: () => Rest): Verdict {
  return verdict(false, said);
}

/**
 * Asks the triggers, each after what it needs: an own price, enough references. A rule whose price
 * has a fallback fires without them. The first that fires is told, else the first of all.
 */
export function judgeRule(rule: CompiledRule, market: Market): Judgement {
  const references = rule.needs.references ? selectReferences(rule.options, market) : NO_REFERENCES;
  const view = viewOf(rule, market, references);
  if (market.situation.mode === "simulate" && needsRivals(rule) && !isObserved(market)) {
    return { view, verdict: UNSEEN, by: rule.triggers[0] };
  }
  const [first, ...others] = rule.triggers;
  let told = { by: first, verdict: ask(first, rule, view) };
  let { rank } = told.verdict;
  for (const by of others) {
    const answer = ask(by, rule, view);
    rank ??= answer.rank;
    if (!told.verdict.fires && answer.fires) told = { by, verdict: answer };
  }
  return { view, by: told.by, verdict: { ...told.verdict, rank } };
}

export function viewOf(
  { id, options }: CompiledRule,
  market: Market,
  references: References,
): View {
  const { product, history } = market.situation;
  const memory = history.rules[id] ?? null;
  return { market, references, options, memory, ourPriceCents: product.ourPriceCents ?? 0 };
}

function ask({ needs, judge }: CompiledTrigger, rule: CompiledRule, view: View): Verdict {
  if (needs.ownPrice && view.ourPriceCents <= 0) return NO_OWN_PRICE;
  if (!needs.references || view.references.areEnough) return judge(view);
  const said = () => tooFew(rule, view);
  return hasFallback(rule) ? verdict(true, said) : resting(said);
}

/** False for a rule that gives a price also where no competitor was ever seen. */
function needsRivals(rule: CompiledRule): boolean {
  const { price, needs } = rule;
  if (price?.kind !== "aim") return true;
  return !hasFallback(rule) && (needs.references || isOfMarket(price.aim.reference.kind));
}

function hasFallback({ price }: CompiledRule): boolean {
  return price?.kind === "aim" && price.aim.fallback !== null;
}

function isObserved({ situation: { offers, nowMs } }: Market): boolean {
  return offers.some(({ observedAtMs }) =>
    observedAtMs !== null && observedAtMs >= nowMs - WINDOW_MS
  );
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
