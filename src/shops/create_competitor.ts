import { addAuditRow } from "../accounts/audit/audit_store.ts";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import type { Context } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";
import {
  blankCompetitor,
  type CompetitorDocument,
  freeColours,
  type NewCompetitor,
  toDocument,
  withCompetitorPatch,
} from "./competitor.ts";
import { competitorAudit } from "./competitor_audit.ts";
import { addCompetitor, checkCompetitorSet, readCompetitorSet } from "./competitor_store.ts";
import { domainTaken, requireDomain } from "./domain.ts";

/** Refuses with `conflict` when another competitor has the domain. */
export async function createCompetitor(
  ctx: Context,
  input: NewCompetitor,
  allowed: AddressAllowList,
): Promise<CompetitorDocument> {
  const domain = requireDomain(input.domain, allowed);
  const plain = { id: ctx.newId(), domain, createdAt: ctx.now().toISOString() };
  const made = await transact(ctx, async (write) => {
    const set = await readCompetitorSet(ctx);
    const holder = set.byDomain.get(domain);
    if (holder) throw domainTaken(domain, holder.id);
    const colour = freeColours(set.byId.values()).next().value;
    const blank = blankCompetitor({ ...plain, colour });
    const competitor = withCompetitorPatch(blank, domain, input);
    checkCompetitorSet(write, ctx.workspaceId, set);
    addCompetitor(write, ctx.workspaceId, competitor);
    addAuditRow(write, ctx, competitorAudit("competitor.create", null, competitor));
    ctx.receipt?.put(write, `/api/competitors/${competitor.id}`);
    return competitor;
  });
  return toDocument(made, 0);
}
