import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { rejudge } from "../platform/events/rejudge.ts";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import type { Context } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";
import { requireVersion, versionOf } from "../platform/http/http.ts";
import {
  type Competitor,
  COMPETITOR_READ_ONLY,
  type CompetitorDocument,
  type CompetitorPatch,
  toDocument,
  withCompetitorPatch,
} from "./competitor.ts";
import { competitorAudit } from "./competitor_audit.ts";
import { countTracked, findCompetitorByDomain, saveCompetitor } from "./competitor_store.ts";
import { domainTaken, requireDomain } from "./domain.ts";
import { requireCompetitor } from "./find_competitor.ts";

/** A patch that changes nothing writes nothing. Refuses with `version_conflict`, and with `conflict` when another competitor has the domain. */
export async function changeCompetitor(
  ctx: Context,
  id: string,
  patch: CompetitorPatch,
  { allowed, expected }: {
    readonly allowed: AddressAllowList;
    /** What `If-Match` asks for; null when any version may be changed. */
    readonly expected: string | null;
  },
): Promise<CompetitorDocument> {
  const competitor = await transact(ctx, async (write) => {
    const found = await requireCompetitor(ctx, id);
    const { competitor: before } = found;
    requireVersion(expected, versionOf(before, COMPETITOR_READ_ONLY));
    // A domain that stays is not judged again: it may have been let through when it was made.
    const domain = patch.domain === undefined || patch.domain === before.domain
      ? before.domain
      : requireDomain(patch.domain, allowed);
    const changed = withCompetitorPatch(before, domain, patch);
    if (JSON.stringify(changed) === JSON.stringify(before)) return before;
    const holder = domain === before.domain ? null : await findCompetitorByDomain(ctx, domain);
    if (holder) throw domainTaken(domain, holder.competitor.id);
    const after = { ...changed, updatedAt: ctx.now().toISOString() };
    saveCompetitor(write, ctx.workspaceId, found, after);
    addAuditRow(write, ctx, competitorAudit("competitor.update", before, after));
    if (shopTerms(before) !== shopTerms(after)) {
      rejudge(write, ctx, { by: "competitor", competitorId: id });
    }
    return after;
  });
  const [tracked = 0] = await countTracked(ctx, [id]);
  return toDocument(competitor, tracked);
}

/** What rules ask of a shop: with another answer what it sells is judged anew. */
export function shopTerms(
  { enabled, pricesIncludeVat, groups, isMarketplace, sellerNames }: Competitor,
): string {
  return JSON.stringify([enabled, pricesIncludeVat, groups, isMarketplace, sellerNames]);
}
