import { floorOf } from "../../base/fraction.ts";
import { type AimSource, baseOf } from "./aim_base.ts";
import { bindingBound, type Limits } from "./bounds.ts";
import type { CompiledPrice } from "./compile_rule.ts";
import type { PricedDraft } from "./draft.ts";
import { cutFacts, type Note } from "./notes.ts";
import { findGoal } from "./price_goal.ts";
import type { View } from "./trigger.ts";

/** What of a priced draft the aim decides. */
type AimedPrice =
  & Pick<PricedDraft, "wish" | "liftedCents" | "proposedCents" | "notes">
  & { readonly aimed: NonNullable<PricedDraft["aimed"]> };

/** The price that is aimed at, between the bounds; total once the source is there. */
export function aimPrice(
  { aim, goal: terms }: Extract<CompiledPrice, { kind: "aim" }>,
  source: AimSource,
  view: View,
  tight: Limits,
): AimedPrice {
  const base = baseOf(aim, source, view);
  const goal = findGoal(terms, base.wish, tight.span, {
    oursCents: view.ourPriceCents,
    dayAgoCents: view.market.situation.history.price?.dayAgoCents ?? null,
  });
  const binding = bindingBound(base.wish, tight);
  const { currency } = view.market.situation.product;
  const { goalCents, cents, isEndingDropped } = goal;
  const notes: Note[] = [];
  const cut = cutFacts(goal, terms, currency);
  if (cut !== null && cents !== null) notes.push({ code: "max_move", facts: cut });
  if (isEndingDropped) notes.push({ code: "ending_dropped", facts: {} });
  if (binding !== null) notes.push(binding.said);
  if (base.isFallback) notes.push({ code: "fallback", facts: { kind: base.kind } });
  const liftedCents = binding?.cents ?? floorOf(base.wish);
  return {
    wish: { cents: floorOf(base.wish), used: base.used },
    liftedCents,
    proposedCents: cents ?? goalCents ?? liftedCents,
    aimed: { base, goal },
    notes,
  };
}
