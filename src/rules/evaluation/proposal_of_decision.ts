import type { Product } from "../../catalogue/products/product.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import { marketFacts } from "../../engine/pricing/market_facts.ts";
import type { Situation } from "../../engine/pricing/situation.ts";
import { marketStandOf } from "../proposals/market_stand.ts";
import { openProposal, type StoredProposal } from "../proposals/proposal.ts";
import { readRecentUnits } from "../../catalogue/sales/read_sales.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";

interface Priced {
  readonly product: Product;
  readonly situation: Situation;
  readonly ruleName: string;
  readonly cents: number;
}

/** An open proposal of the price that a rule has decided on, with the market that it was made in. */
export async function proposalOf(
  ctx: Context,
  { ruleId, reason }: Decision,
  { product, situation, ruleName, cents }: Priced,
): Promise<StoredProposal> {
  const now = ctx.now();
  return openProposal({
    id: ctx.newId(),
    rule: { id: ruleId, name: ruleName },
    product,
    currentCents: product.ourPriceCents ?? 0,
    proposedCents: cents,
    reason: wireReason(reason),
    units30d: await readRecentUnits(ctx, product.id, now),
    marketThen: marketStandOf(marketFacts(situation)),
    now,
  });
}
