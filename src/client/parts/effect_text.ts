import type { Proposal } from "../../rules/proposals/proposal.ts";
import type { Show } from "../../engine/wording/show.ts";
import { daysBetween, shortDay } from "../formats/day.ts";
import type { Words } from "../words/words.ts";

type Effect = Pick<Proposal, "effect" | "currency" | "currentCents" | "proposedCents">;

export function effectLabel({ proposals }: Words, { effect }: Pick<Proposal, "effect">): string {
  return effect?.basis === "30d" ? proposals.effect30d : proposals.columns.effect;
}

export function effectSumText({ proposals }: Words, show: Show, cents: number): string {
  return proposals.together(show.money(Math.abs(cents)), cents < 0);
}

export function effectText(
  { proposals }: Words,
  show: Show,
  { effect, currency, currentCents, proposedCents }: Effect,
): string {
  if (effect === null) return "–";
  // If a changed price has no effect on the profit of 30 days, nothing was sold in those days.
  if (effect.cents === 0 && effect.basis === "30d" && currentCents !== proposedCents) {
    return proposals.noSales;
  }
  return proposals.effectOf[effect.basis](show.moneyChange(effect.cents, currency));
}

type Dated = Pick<Proposal, "effect" | "createdAt">;

export function effectDay(show: Show, { effect, createdAt }: Dated): string | null {
  return effect?.basis === "30d" ? shortDay(show, createdAt) : null;
}

export function effectAsOf({ proposals }: Words, show: Show, dated: Dated): string | null {
  const day = effectDay(show, dated);
  const isOld = daysBetween(dated.createdAt, Date.now(), show.timeZone) > 0;
  return day !== null && isOld ? proposals.asOf(day) : null;
}
