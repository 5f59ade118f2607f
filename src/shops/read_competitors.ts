import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { openCursor, type Page, toPage } from "../platform/http/page.ts";
import { type CompetitorDocument, toDocument } from "./competitor.ts";
import { countTracked, listCompetitors } from "./competitor_store.ts";
import { requireCompetitor } from "./find_competitor.ts";

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
