/** Sentences that compare a competitor's price with ours. */
import { changePct } from "../../base/percent.ts";
import type { TriggerFacts } from "../pricing/triggers.ts";
import type { Language } from "../../base/language.ts";
import { type Sentences, type Show, termsOf, wireMoney } from "./show.ts";

type Comparison = TriggerFacts["competitor_undercut"];

export function comparisonSentences(wanted: "less" | "more"): Sentences<Comparison> {
  return {
    text: (facts, show) => ({
      de: comparisonText(facts, wanted, "de", show),
      en: comparisonText(facts, wanted, "en", show),
    }),
    wire: (facts) => wireText(facts, wanted === "less" ? "below" : "above"),
  };
}

function comparisonText(
  facts: Comparison,
  wanted: "less" | "more",
  language: Language,
  show: Show,
): string {
  const { compared: words } = termsOf(language);
  const { kind, competitor, count, priceCents, ourPriceCents, currency, fires } = facts;
  const ours = show.money(ourPriceCents, currency);
  const price = show.money(priceCents, currency);
  const asks = kind === "average"
    ? words.mean(show.number(count), price)
    : words.asks(competitor, price);
  if (priceCents === ourPriceCents) return `${asks}, ${words.same(ours)}.`;
  const direction = priceCents < ourPriceCents ? "less" : "more";
  const pct = show.percent(Math.abs(changePct(ourPriceCents, priceCents)));
  const isShort = !fires && direction === wanted;
  return `${asks}, ${words[direction](pct, ours)}${isShort ? `; ${words.tooLittle}` : ""}.`;
}

function wireText(facts: Comparison, side: "below" | "above"): string {
  const { kind, competitor, count, priceCents, isExact, ourPriceCents, currency } = facts;
  const price = wireMoney(priceCents, currency, isExact);
  const asks = kind === "average"
    ? `the average of ${count} prices is ${price}`
    : `${competitor} asks ${price}${kind === "cheapest" ? "" : ` (${kind})`}`;
  const wanted = facts.deltaPct ? ` by at least ${facts.deltaPct} %` : "";
  const is = facts.fires ? "which is" : "which is not";
  return `${asks}, ${is} ${side} our ${wireMoney(ourPriceCents, currency)}${wanted}`;
}
