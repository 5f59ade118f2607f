import type { CompiledRule } from "./compile_rule.ts";
import type { Market } from "./market.ts";
import { lacksVat, leftOut, NO_REFERENCES, selectReferences } from "./reference.ts";
import type { LeftOut, Rest } from "./said.ts";
import { type Verdict, verdict, type View } from "./trigger.ts";

/** Simulation looks at the last 30 days. */
const WINDOW_DAYS = 30;
const WINDOW_MS = WINDOW_DAYS * 24 * 3_600_000;

/** A trigger's answer, with what it saw. */
export interface Judgement {
  readonly view: View;
  readonly verdict: Verdict;
}

const NO_OWN_PRICE = resting(() => ({ code: "no_own_price", facts: {} }));
const UNSEEN = resting(() => ({ code: "unseen", facts: { days: WINDOW_DAYS } }));

/** A rule that rests for a reason that is not its trigger's. */
export function resting(said: () => Rest): Verdict {
  return verdict(false, said);
}

/** Asks the trigger, after what every trigger needs: an own price, enough references. */
export function judgeRule(rule: CompiledRule, market: Market): Judgement {
  const { product, history, mode } = market.situation;
  const ourPriceCents = product.ourPriceCents ?? 0;
  const references = rule.needs.references ? selectReferences(rule.options, market) : NO_REFERENCES;
  const view: View = {
    market,
    references,
    options: rule.options,
    memory: history.rules[rule.id] ?? null,
    ourPriceCents,
  };
  if (mode === "simulate" && !isObserved(market)) return { view, verdict: UNSEEN };
  if (rule.needs.ownPrice && ourPriceCents <= 0) return { view, verdict: NO_OWN_PRICE };
  if (rule.needs.references && !references.areEnough) {
    return { view, verdict: resting(() => tooFew(rule, view)) };
  }
  return { view, verdict: rule.judge(view) };
}

function isObserved({ situation: { offers, nowMs } }: Market): boolean {
  return offers.some(({ observedAtMs }) =>
    observedAtMs !== null && observedAtMs >= nowMs - WINDOW_MS
  );
}

function tooFew({ options }: CompiledRule, { market, references }: View): Rest {
  const counts = new Map<LeftOut, number>();
  for (const { why } of leftOut(options, market)) counts.set(why, (counts.get(why) ?? 0) + 1);
  const facts = {
    leftOut: [...counts].map(([why, count]) => ({ why, count })),
    lacksVat: lacksVat(options, market),
  };
  if (references.offers.length === 0) return { code: "no_reference", facts };
  const { minCompetitors } = options;
  return { code: "too_few_references", facts: { minCompetitors, ...facts } };
}
