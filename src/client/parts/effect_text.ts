import type { Proposal } from "../../rules/proposals/proposal.ts";
import type { Show } from "../../engine/wording/show.ts";
import type { Words } from "../words/words.ts";

type Effect = Pick<Proposal, "effect" | "currency" | "currentCents" | "proposedCents">;

/** Names the effect: for the sales of 30 days, where they are known. */
export function effectLabel({ proposals }: Words, { effect }: Pick<Proposal, "effect">): string {
  return effect?.basis === "30d" ? proposals.effect30d : proposals.columns.effect;
}

/** Returns the effect of a proposal in money, per piece or for the sales of 30 days. */
export function effectText(
  { proposals }: Words,
  show: Show,
  { effect, currency, currentCents, proposedCents }: Effect,
): string {
  if (effect === null) return "–";
  // A changed price without effect: nothing was sold.
  if (effect.cents === 0 && effect.basis === "30d" && currentCents !== proposedCents) {
    return proposals.noSales;
  }
  return proposals.effectOf[effect.basis](show.moneyChange(effect.cents, currency));
}
