import type { z } from "@hono/zod-openapi";
import { type Columns, openListTable } from "../platform/http/list_file.ts";
import type { Page } from "../platform/http/page.ts";
import { momentCell, type OutgoingTable, storedCodeCell } from "../platform/tables/cell.ts";
import type { CompetitorAnswer } from "./competitor.ts";

type Competitor = z.output<typeof CompetitorAnswer>;

const COLUMNS: Columns<Competitor> = {
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
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Competitor>>,
): Promise<OutgoingTable> {
  return await openListTable("competitors", COLUMNS, read);
}
