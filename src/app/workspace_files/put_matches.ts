import { msOrNull } from "../../base/time.ts";
import type { Context } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { saveIdentity } from "../../shops/matches/identity_store.ts";
import { type Match, termsOf } from "../../shops/matches/match.ts";
import { addMatch } from "../../shops/matches/match_store.ts";
import { urlHashOf } from "../../shops/matches/match_url.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import {
  checkOffers,
  createOfferTally,
  findOffers,
  putOffers,
  saveOfferTally,
} from "../../shops/offers/offer_store.ts";
import type { LineOf } from "./workspace_line.ts";

/** A product whose matches began in an earlier commit costs a check. */
const NEXT_PRODUCT = { ...shareOfCommit(0.5), checks: 1 };

type MatchLine = LineOf<"match">;

/** Matches with their offers, product by product: those of one product lie in one row. */
export async function putMatches(
  write: Write,
  ctx: Context,
  lines: readonly MatchLine[],
): Promise<number> {
  const tally = createOfferTally();
  let taken = 0;
  for (const group of byProduct(lines)) {
    const [{ productId: id, sku }] = group;
    const before = await findOffers(ctx, id);
    if (taken > 0 && !write.fits(NEXT_PRODUCT)) break;
    if (before.versionstamp !== null) checkOffers(write, ctx.workspaceId, before);
    const after = [...before.offers, ...group.map((line) => putMatch(write, ctx, line))];
    putOffers(write, ctx.workspaceId, { id, sku }, { before: before.offers, after }, tally);
    taken += group.length;
  }
  saveOfferTally(write, ctx.workspaceId, tally);
  return taken;
}

/** Neighbours of one product; at most 50, which a commit takes in any case. */
function byProduct(lines: readonly MatchLine[]): [MatchLine, ...MatchLine[]][] {
  const groups: [MatchLine, ...MatchLine[]][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && group[0].productId === line.productId && group.length < 50) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function putMatch(write: Write, { workspaceId }: Context, line: MatchLine): Offer {
  const { type: _, sku: _sku, offer, identity, ...rest } = line;
  const { observedAt, checkedAt, heldAt, failingSince, since, ...seen } = offer;
  const match: Match = rest;
  const urlHash = urlHashOf(new URL(match.url));
  addMatch(write, workspaceId, match, urlHash);
  if (identity) {
    const { checkedAt, ...said } = identity;
    const kept = { ...said, checkedAtMs: msOrNull(checkedAt) };
    saveIdentity(write, workspaceId, match.id, kept);
  }
  return {
    ...termsOf(match, urlHash),
    ...seen,
    observedAtMs: msOrNull(observedAt),
    checkedAtMs: msOrNull(checkedAt),
    heldAtMs: msOrNull(heldAt),
    failingSinceMs: msOrNull(failingSince),
    sinceMs: msOrNull(since),
  };
}
