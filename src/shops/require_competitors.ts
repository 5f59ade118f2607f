/**
 * Finds competitors by their domains, and creates missing competitors. Links from files and pasted
 * lines may name new shops.
 */
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { batchesOf } from "../base/collections.ts";
import type { Context } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import {
  checkCompetitorSet,
  type Competitor,
  competitorAudit,
  competitors,
  type CompetitorSet,
  type Creator,
  freeColours,
  newCompetitor,
  readCompetitorSet,
} from "./competitor_store.ts";

/** `name` is used only for a new competitor. */
interface WantedCompetitor {
  readonly domain: string;
  readonly name: string | null;
}

const ADDED_PER_COMMIT = 100;

/**
 * Missing competitors are created in separate commits. The caller's later commit must check that
 * the returned set of competitors is unchanged.
 */
export async function requireCompetitors(
  ctx: Creator,
  wanted: Iterable<WantedCompetitor>,
  onAdd: (write: Write, competitor: Competitor) => void,
): Promise<CompetitorSet> {
  const set = await readCompetitorSet(ctx);
  const names = new Map<string, string | null>();
  for (const { domain, name } of wanted) {
    if (!set.byDomain.has(domain)) names.set(domain, names.get(domain) ?? name);
  }
  if (names.size === 0) return set;
  for await (const missing of batchesOf(names, ADDED_PER_COMMIT)) {
    await transact(ctx, async (write) => {
      const known = await readCompetitorSet(ctx);
      checkCompetitorSet(write, ctx.workspaceId, known);
      const colours = freeColours(known.byId.values());
      for (const [domain, displayName] of missing) {
        if (known.byDomain.has(domain)) continue;
        const competitor = newCompetitor(ctx, domain, colours, { displayName });
        competitors.put(write, ctx, competitor);
        onAdd(write, competitor);
      }
    });
  }
  return await readCompetitorSet(ctx);
}

export async function requireDomains(
  ctx: Context,
  domains: Iterable<string>,
): Promise<CompetitorSet> {
  const wanted = Array.from(domains, (domain) => ({ domain, name: null }));
  return await requireCompetitors(ctx, wanted, (write, competitor) => {
    addAuditRow(write, ctx, competitorAudit("competitor.create", null, competitor));
  });
}
