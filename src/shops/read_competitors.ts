import { noSuch } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { type Columns, openListTable } from "../platform/http/list_file.ts";
import { openCursor, type Page, toPage } from "../platform/http/page.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { COMMIT_MAX, transact, type Write } from "../platform/store/kv.ts";
import { momentCell, type OutgoingTable, storedCodeCell } from "../platform/tables/cell.ts";
import {
  blankCompetitor,
  type Competitor,
  type CompetitorAnswer,
  type CompetitorDocument,
  freeColours,
  toDocument,
} from "./competitor.ts";
import {
  addCompetitor,
  checkCompetitorSet,
  type CompetitorSet,
  countTracked,
  findCompetitor,
  listCompetitors,
  readCompetitorSet,
  type StoredCompetitor,
} from "./competitor_store.ts";
import type { z } from "@hono/zod-openapi";

const LIST = "competitors";

/** One page by id. */
export async function pageOfCompetitors(
  ctx: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CompetitorDocument>> {
  const position = openCursor(ctx, LIST, cursor);
  const after = typeof position === "string" ? position : null;
  const rows = await listCompetitors(ctx, after, limit + 1);
  const page = toPage(ctx, { list: LIST, rows, limit, positionOf: ({ id }) => id });
  const tracked = await countTracked(ctx, page.items.map(({ id }) => id));
  const items = page.items.map((one, position) => toDocument(one, tracked[position] ?? 0));
  return { ...page, items };
}

/** Refuses with `not_found`. */
export async function readCompetitor(
  workspace: WorkspaceStore,
  id: string,
): Promise<CompetitorDocument> {
  const { competitor } = await requireCompetitor(workspace, id);
  const [tracked = 0] = await countTracked(workspace, [id]);
  return toDocument(competitor, tracked);
}

type ListedCompetitor = z.output<typeof CompetitorAnswer>;

const COLUMNS: Columns<ListedCompetitor> = {
  displayName: ({ displayName }) => displayName,
  domain: ({ domain }) => domain,
  country: ({ country }) => country,
  enabled: ({ enabled }) => enabled,
  pricesIncludeVat: ({ pricesIncludeVat }) => pricesIncludeVat,
  trackedProducts: ({ trackedProducts }) => trackedProducts,
  ok24h: ({ health }) => health.ok24h,
  failed24h: ({ health }) => health.failed24h,
  lastError: ({ health }) => storedCodeCell("scrapeErrors", health.lastError?.code ?? null),
  lastErrorAt: ({ health }) => momentCell(health.lastError?.at ?? null),
  due: ({ health }) => health.due,
  perDayMax: ({ health }) => health.perDayMax,
  createdAt: ({ createdAt }) => momentCell(createdAt),
  updatedAt: ({ updatedAt }) => momentCell(updatedAt),
  id: ({ id }) => id,
};

/** Every competitor by id. */
export async function openCompetitorTable(
  read: (
    page: { readonly limit: number; readonly cursor?: string },
  ) => Promise<Page<ListedCompetitor>>,
): Promise<OutgoingTable> {
  return await openListTable("competitors", COLUMNS, read);
}

/** Refuses with `not_found` an id that is malformed, unknown, deleted or of another workspace. */
export async function requireCompetitor(
  workspace: WorkspaceStore,
  id: string,
): Promise<StoredCompetitor> {
  const found = isId(id) ? await findCompetitor(workspace, id) : null;
  if (!found) throw noSuch("competitor", id);
  return found;
}

/** A competitor that a batch needs; the name is only for a new one. */
export interface WantedCompetitor {
  /** Normalised. */
  readonly domain: string;
  readonly name: string | null;
}

/** One check each, and one of the set. */
const ADDED_PER_COMMIT = COMMIT_MAX.checks - 3;

/**
 * Creates missing competitors in commits of their own, before the batch that needs them; `onAdd`
 * may add to such a commit, for example an audit row. Answers the set with all of them; the batch
 * checks the set in case one is deleted meanwhile.
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
      addCompetitor(write, ctx.workspaceId, competitor);
      onAdd(write, competitor);
    }
  });
}
