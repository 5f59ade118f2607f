/**
 * Finds competitors by their domains, and creates missing competitors. Links from files and pasted
 * lines may name new shops.
 */
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import {
  blankCompetitor,
  checkCompetitorSet,
  type Competitor,
  competitorAudit,
  competitors,
  type CompetitorSet,
  freeColours,
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
  ctx: WorkspaceStore & Pick<Context, "now" | "newId">,
  wanted: Iterable<WantedCompetitor>,
  onAdd: (write: Write, competitor: Competitor) => void,
): Promise<CompetitorSet> {
  const set = await readCompetitorSet(ctx);
  const byDomain = new Map<string, WantedCompetitor>();
  for (const one of wanted) {
    if (set.byDomain.has(one.domain)) continue;
    const name = byDomain.get(one.domain)?.name ?? one.name;
    byDomain.set(one.domain, { domain: one.domain, name });
  }
  const missing = [...byDomain.values()];
  if (missing.length === 0) return set;
  for (let at = 0; at < missing.length; at += ADDED_PER_COMMIT) {
    await addMissing(ctx, missing.slice(at, at + ADDED_PER_COMMIT), onAdd);
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

async function addMissing(
  ctx: WorkspaceStore & Pick<Context, "now" | "newId">,
  missing: readonly WantedCompetitor[],
  onAdd: (write: Write, competitor: Competitor) => void,
): Promise<void> {
  await transact(ctx, async (write) => {
    const set = await readCompetitorSet(ctx);
    const colours = freeColours(set.byId.values());
    checkCompetitorSet(write, ctx.workspaceId, set);
    for (const { domain, name } of missing) {
      if (set.byDomain.has(domain)) continue;
      const createdAt = ctx.now().toISOString();
      const colour = colours.next().value;
      const blank = blankCompetitor({ id: ctx.newId(), domain, colour, createdAt });
      const competitor = { ...blank, displayName: name ?? domain };
      competitors.put(write, ctx, competitor);
      onAdd(write, competitor);
    }
  });
}
