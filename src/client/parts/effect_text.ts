import type { Proposal } from "../../rules/proposals/proposal.ts";
import type { Show } from "../../engine/wording/show.ts";
import type { Words } from "../words/words.ts";

/** What a proposal moves in money, and whether of one piece or of what is sold in 30 days. */
export function effectText(
  { proposals }: Words,
  show: Show,
  { effect, currency }: Pick<Proposal, "effect" | "currency">,
): string {
  if (effect === null) return "–";
  return proposals.effectOf[effect.basis](show.moneyChange(effect.cents, currency));
}
