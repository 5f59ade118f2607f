/** The open proposals of a workspace that a filter finds, as briefs. */

import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import type { Context } from "../../platform/store/context.ts";
import type { ProposalBrief } from "./proposal_brief.ts";
import { fitsFilter, type OpenFilter } from "./proposal_filter.ts";
import { walkOpenBriefs } from "./proposal_store.ts";
import { hasMoved } from "./priced_product.ts";

/** By id; a filter by moves uses the passed market. */
export async function findOpenBriefs(
  ctx: Context,
  filter: OpenFilter,
  market: MarketSource | null,
): Promise<ProposalBrief[]> {
  return (await Array.fromAsync(walkOpenFound(ctx, filter, market))).flat();
}

/** Like `findOpenBriefs`, in batches, without a limit. */
export async function* walkOpenFound(
  ctx: Context,
  filter: OpenFilter,
  market: MarketSource | null,
): AsyncGenerator<readonly ProposalBrief[]> {
  const nowMs = ctx.now().getTime();
  const { hasMarketMoved } = filter;
  for await (const briefs of walkOpenBriefs(ctx)) {
    const found = briefs.filter((brief) => fitsFilter(brief, filter, nowMs));
    if (hasMarketMoved === undefined) {
      yield found;
      continue;
    }
    if (market === null) throw new Error("Nobody said who knows the market");
    const moved = await movedAmong(ctx, market, found);
    yield found.filter(({ id }) => moved.has(id) === hasMarketMoved);
  }
}

/** The ids of those whose competitors have moved since they were made. */
export async function movedAmong(
  ctx: Context,
  market: MarketSource,
  briefs: readonly ProposalBrief[],
): Promise<ReadonlySet<string>> {
  const known = briefs.filter(({ rivals }) => rivals !== null);
  const { markets } = await market.beside(ctx, known.map(({ productId }) => productId));
  const moved = known.filter(({ productId, rivals }) => {
    const now = markets.get(productId);
    return rivals !== null && now !== undefined && hasMoved(rivals, now);
  });
  return new Set(moved.map(({ id }) => id));
}
