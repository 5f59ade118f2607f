import { type Columns, openListTable } from "../catalogue/lists/list_file.ts";
import { openCursor, type Page, toPage } from "../platform/http/page.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell, type OutgoingTable } from "../platform/tables/cell.ts";
import {
  type CompetitorAnswer,
  type CompetitorDocument,
  listCompetitors,
  toDocument,
} from "./competitor_store.ts";
import { countTracked } from "./offers/offer_store.ts";
import { requireCompetitor } from "./require_competitors.ts";
import type { z } from "@hono/zod-openapi";

const LIST = "competitors";

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

/** Throws `not_found`. */
export async function readCompetitor(
  workspace: WorkspaceStore,
  id: string,
): Promise<CompetitorDocument> {
  const { row: competitor } = await requireCompetitor(workspace, id);
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

export async function openCompetitorTable(
  read: (
    page: { readonly limit: number; readonly cursor?: string },
  ) => Promise<Page<ListedCompetitor>>,
): Promise<OutgoingTable> {
  return await openListTable("competitors", COLUMNS, read);
}
