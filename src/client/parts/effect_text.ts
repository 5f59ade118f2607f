import type { Proposal } from "../../rules/proposals/proposal.ts";
import type { Show } from "../../engine/wording/show.ts";
import type { Words } from "../words/words.ts";

/** Returns the effect of a proposal in money, per piece or for the sales of 30 days. */
export function effectText(
  { proposals }: Words,
  show: Show,
  { effect, currency }: Pick<Proposal, "effect" | "currency">,
): string {
  if (effect === null) return "–";
  return proposals.effectOf[effect.basis](show.moneyChange(effect.cents, currency));
}
