/** Why a rule fires or rests, and what a guard has against a price, in the person's words. */
import type { App } from "../../frame/app.ts";
import type { Trace } from "./decision.ts";
import { shownMarginPct } from "./decision.ts";
import { knownCost } from "../../../base/margin.ts";
import { changePct, partPct } from "../../../base/percent.ts";

type Speaker = Pick<App, "words" | "show">;

const HOUR_MS = 3_600_000;
/** Simulation looks at the last 30 days. */
const WINDOW_MS = 30 * 24 * HOUR_MS;
/** What the service calls high confidence. */
const HIGH = 0.9;

/** Triggers that judge nothing without competitors' prices. */
const COMPARING = ["competitor_undercut", "competitor_overcut", "position_change", "market_index"];

/** True when the rule was not asked at all, because the product is none of its own. */
export function isOutOfScope(reason: string): boolean {
  return reason.startsWith("out of scope");
}

/** One sentence; amounts are rounded for reading, the service decides by the exact ones. */
export function reasonText(app: Speaker, trace: Trace, reason: string): string {
  const say = app.words.decision.say;
  const { trigger, inputs } = trace;
  if (isOutOfScope(reason)) return say.outOfScope;
  if (!trigger.fires && trace.mode === "simulate" && !wasSeen(trace)) return say.unseen;
  if (trigger.value !== "scrape_stale" && !(inputs.ourPriceCents ?? 0)) return say.noOwnPrice;
  if (COMPARING.includes(trigger.value) && trace.references.length === 0) return say.noReference;
  if (!trigger.fires && trigger.reason.includes("fewer than")) return say.tooFew;
  switch (trigger.value) {
    case "competitor_undercut":
      return comparisonText(app, trace, "less");
    case "competitor_overcut":
      return comparisonText(app, trace, "more");
    case "margin_below":
    case "margin_above":
      return marginText(app, trace);
    case "position_change":
      return rankText(app, trace);
    case "market_index":
      return indexText(app, trace);
    case "scrape_stale":
      return ageText(app, trace);
    default:
      return trigger.reason;
  }
}

function wasSeen({ references, leftOut, at }: Trace): boolean {
  const oldestMs = Date.parse(at) - WINDOW_MS;
  return [...references, ...leftOut].some(({ observedAt }) =>
    observedAt !== null && Date.parse(observedAt) >= oldestMs
  );
}

function comparisonText({ words, show }: Speaker, trace: Trace, wanted: "less" | "more"): string {
  const { say } = words.decision;
  const { trigger, inputs, references } = trace;
  const ours = inputs.ourPriceCents ?? 0;
  const compared = references.find(({ matchId }) => trigger.comparedWith.includes(matchId));
  if (compared === undefined) return say.noSecond;
  const isMean = trigger.reference === "average";
  const centsExact = isMean
    ? { num: sumOf(references), den: references.length }
    : { num: compared.unitCents, den: 1 };
  const cents = centsExact.num / centsExact.den;
  const money = (amount: number) => show.money(amount, inputs.currency);
  const asks = isMean
    ? say.mean(show.number(references.length), money(cents))
    : say.asks(compared.competitor, money(cents));
  if (cents === ours) return `${asks}, ${say.same(money(ours))}.`;
  const direction = cents < ours ? "less" : "more";
  const pct = show.percent(Math.abs(changePct(ours, centsExact)));
  const gap = say[direction](pct, money(ours));
  const isShort = !trigger.fires && direction === wanted;
  return `${asks}, ${gap}${isShort ? `; ${say.tooLittle}` : ""}.`;
}

function marginText({ words, show }: Speaker, trace: Trace): string {
  const { say } = words.decision;
  const { inputs, trigger } = trace;
  if (knownCost(inputs) === null) return inputs.costPriceCents === 0 ? say.zeroCost : say.noCost;
  if (inputs.pricesIncludeVat && inputs.vatRatePct === null) return say.noVat;
  const pct = show.percent(shownMarginPct(trace, inputs.ourPriceCents));
  const isBelow = trigger.value === "margin_below";
  if (trigger.fires) return isBelow ? say.marginSmall(pct) : say.marginLarge(pct);
  return isBelow ? say.marginEnough(pct) : say.marginNotLarge(pct);
}

function rankText({ words, show }: Speaker, { references, inputs }: Trace): string {
  const { say } = words.decision;
  const ours = inputs.ourPriceCents ?? 0;
  const rank = references.filter(({ unitCents }) => unitCents < ours).length + 1;
  const now = say.rank(show.number(rank), show.number(references.length + 1));
  return inputs.lastRank === null
    ? `${now}, ${say.noRankBefore}.`
    : `${now}, ${say.rankBefore(show.number(inputs.lastRank))}.`;
}

function indexText({ words, show }: Speaker, { references, inputs, trigger }: Trace): string {
  const { say } = words.decision;
  const sum = sumOf(references);
  if (sum === 0) return trigger.reason;
  const shown = show.number(partPct((inputs.ourPriceCents ?? 0) * references.length, sum));
  return trigger.fires ? say.indexOff(shown) : say.indexFine(shown);
}

function sumOf(references: Trace["references"]): number {
  return references.reduce((sum, { unitCents }) => sum + unitCents, 0);
}

function ageText({ words, show }: Speaker, trace: Trace): string {
  const { say } = words.decision;
  const offers = [...trace.references, ...trace.leftOut];
  if (offers.length === 0) return say.noMatch;
  const times = offers.flatMap(({ observedAt }) => observedAt ? [Date.parse(observedAt)] : []);
  if (times.length === 0) return say.neverSeen;
  const hours = Math.floor((Date.parse(trace.at) - Math.max(...times)) / HOUR_MS);
  return say.newestAge(show.number(hours));
}

/** What a guard has against the price beyond its name, as far as there is more to say. */
export function guardText({ words, show }: Speaker, guard: string, trace: Trace): string | null {
  const { say } = words.decision;
  const { inputs, price, references } = trace;
  const used = references.filter(({ isUsed }) => isUsed);
  const names = (offers: typeof used) => offers.map(({ competitor }) => competitor).join(", ");
  const change = (fromCents: number | null) =>
    fromCents && price ? show.percentChange(changePct(fromCents, price.proposedCents)) : null;
  switch (guard) {
    case "change_too_large":
      return change(inputs.ourPriceCents);
    case "daily_change_too_large": {
      const pct = change(inputs.dayAgoCents);
      return pct && say.sinceDayAgo(pct, show.money(inputs.dayAgoCents, inputs.currency));
    }
    case "floor_above_current":
      return price && say.lowestAllowed(show.money(price.proposedCents, inputs.currency));
    case "cost_unknown":
      return inputs.costPriceCents === 0 ? say.zeroCost : null;
    case "outlier": {
      const ours = inputs.ourPriceCents ?? 0;
      const newAndFar = used.filter(({ previousPriceCents, unitCents }) =>
        previousPriceCents === null && Math.abs(unitCents - ours) * 2 > ours
      );
      return newAndFar.length > 0
        ? say.newAndFar(names(newAndFar), show.money(ours, inputs.currency))
        : names(used) || null;
    }
    case "low_confidence":
      return names(used.filter(({ confidence }) => (confidence ?? 0) < HIGH)) || null;
    case "stale_reference": {
      const oldestMs = Date.parse(trace.at) - 24 * HOUR_MS;
      const isOld = (at: string | null) => at !== null && Date.parse(at) < oldestMs;
      return names(used.filter(({ observedAt }) => isOld(observedAt))) || names(used) || null;
    }
    case "manual_price":
      return inputs.setByPersonAt && show.dateTime(inputs.setByPersonAt);
    case "cooldown":
      return inputs.lastFiredAt && show.dateTime(inputs.lastFiredAt);
    default:
      return null;
  }
}
