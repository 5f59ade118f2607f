import type { CompiledRule } from "./compile_rule.ts";
import type { Market } from "./market.ts";
import { lacksVat, leftOut, NO_REFERENCES, selectReferences } from "./reference.ts";
import { type Verdict, verdict, type View } from "./trigger.ts";

/** Simulation looks at the last 30 days (spec §4.5). */
const WINDOW_MS = 30 * 24 * 3_600_000;

/** A trigger's answer, with what it saw. */
export interface Judgement {
  readonly view: View;
  readonly verdict: Verdict;
}

const NO_OWN_PRICE = verdict(false, () => "no_own_price: the product has no own price");
const UNSEEN = verdict(false, () => "no competitor observation in the last 30 days");

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
    return { view, verdict: verdict(false, () => sayTooFew(rule, view)) };
  }
  return { view, verdict: rule.judge(view) };
}

function isObserved({ situation: { offers, nowMs } }: Market): boolean {
  return offers.some(({ observedAtMs }) =>
    observedAtMs !== null && observedAtMs >= nowMs - WINDOW_MS
  );
}

function sayTooFew({ options }: CompiledRule, { market, references }: View): string {
  const counts = new Map<string, number>();
  for (const { why } of leftOut(options, market)) counts.set(why, (counts.get(why) ?? 0) + 1);
  const reasons = [...counts].map(([why, count]) => `${count} ${why}`).join(", ");
  const why = reasons === "" ? "" : ` (${reasons})`;
  const code = lacksVat(options, market) ? "vat_unknown: " : "";
  if (references.offers.length === 0) return `${code}no usable competitor price${why}`;
  return `${code}fewer than ${options.minCompetitors} competitors have a usable price${why}`;
}
