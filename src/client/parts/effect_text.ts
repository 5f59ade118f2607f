import type { Proposal } from "../../rules/proposals/proposal.ts";
import type { Show } from "../../engine/wording/show.ts";
import type { Words } from "../words/words.ts";

type Effect = Pick<Proposal, "effect" | "currency" | "currentCents" | "proposedCents">;

/** The label says if the effect covers the sales of 30 days or one piece. */
export function effectLabel({ proposals }: Words, { effect }: Pick<Proposal, "effect">): string {
  return effect?.basis === "30d" ? proposals.effect30d : proposals.columns.effect;
}

export function effectText(
  { proposals }: Words,
  show: Show,
  { effect, currency, currentCents, proposedCents }: Effect,
): string {
  if (effect === null) return "–";
  // A price that changes without effect means that nothing was sold.
  if (effect.cents === 0 && effect.basis === "30d" && currentCents !== proposedCents) {
    return proposals.noSales;
  }
  return proposals.effectOf[effect.basis](show.moneyChange(effect.cents, currency));
}
