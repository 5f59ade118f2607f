/** Routes of competitors, for people and for API keys (docs/decisions/competitors.md). */
import { z } from "@hono/zod-openapi";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import type { Context } from "../platform/store/context.ts";
import { openCursor, pageQuery, toPage } from "../platform/http/http.ts";
import { page, removed, versioned } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { changeCompetitor, createCompetitor, deleteCompetitor } from "./change_competitor.ts";
import {
  COMPETITOR_READ_ONLY,
  CompetitorAnswer,
  type CompetitorDocument,
  CompetitorPatch,
  type HealthOf,
  listCompetitors,
  NewCompetitor,
  requireCompetitor,
  toDocument,
} from "./competitor_store.ts";
import { type ExtractorCheck, requireUsable } from "./extractor.ts";
import { anyKey, keyWith, manager, viewer } from "../accounts/roles.ts";
import { type Columns, openListTable } from "../catalogue/lists/list_file.ts";
import { storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell } from "../platform/tables/cell.ts";
import { countTracked } from "./offers/offer_store.ts";

const LIST = "competitors";

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

export interface CompetitorDeps {
  /** Private addresses that URLs may use; empty in production. */
  readonly allowed: AddressAllowList;
  readonly healthOf: HealthOf;
  readonly checkExtractor: ExtractorCheck;
}

const Query = z.strictObject(pageQuery(50, 200));

const NO_HEALTH = {
  ok24h: 0,
  failed24h: 0,
  downSince: null,
  lastError: null,
  due: 0,
  perDayMax: 0,
};

export function competitorRoutes({ allowed, healthOf, checkExtractor }: CompetitorDeps) {
  const healthy = async (ctx: Context, documents: readonly CompetitorDocument[]) => {
    const health = await healthOf(ctx, documents.map(({ id }) => id));
    return documents.map((document, at) => ({ ...document, health: health[at] ?? NO_HEALTH }));
  };
  const pageOf = async (ctx: Context, { limit, cursor }: z.output<typeof Query>) => {
    const position = openCursor(ctx, LIST, cursor);
    const after = typeof position === "string" ? position : null;
    const rows = await listCompetitors(ctx, after, limit + 1);
    const page = toPage(ctx, { list: LIST, rows, limit, positionOf: ({ id }) => id });
    const tracked = await countTracked(ctx, page.items.map(({ id }) => id));
    const items = page.items.map((one, at) => toDocument(one, tracked[at] ?? 0));
    return { ...page, items: await healthy(ctx, items) };
  };
  const one = async (ctx: Context, document: CompetitorDocument) => {
    const [answer = { ...document, health: NO_HEALTH }] = await healthy(ctx, [document]);
    return answer;
  };
  const answer = (words: string) =>
    versioned(CompetitorAnswer, words, { external: "CompetitorData" });
  return resource("/competitors", {
    read: { people: viewer, keys: anyKey },
    change: { people: manager, keys: keyWith("competitors:write") },
    readOnly: COMPETITOR_READ_ONLY,
  })
    .create({ body: NewCompetitor, answer: answer("The new competitor") }, async (asked) => {
      await requireUsable(asked.ctx, checkExtractor, asked.body.extractor);
      return await one(asked.ctx, await createCompetitor(asked.ctx, asked.body, allowed));
    })
    .list({
      query: Query,
      answer: page(CompetitorAnswer, "One page, ordered by id"),
    }, ({ ctx, query }) => pageOf(ctx, query))
    .files("", {
      words: "Every competitor by id",
      open: (ctx) => openListTable(LIST, COLUMNS, (asked) => pageOf(ctx, asked)),
    })
    .read({ answer: answer("The competitor") }, async ({ ctx, id }) => {
      const { row } = await requireCompetitor(ctx, id);
      const [tracked = 0] = await countTracked(ctx, [id]);
      return await one(ctx, toDocument(row, tracked));
    })
    .change({
      body: CompetitorPatch,
      answer: answer("The competitor as it is now"),
    }, async ({ ctx, id, body, expected }) => {
      await requireUsable(ctx, checkExtractor, body.extractor);
      return await one(ctx, await changeCompetitor(ctx, id, body, { allowed, expected }));
    })
    .remove(
      { answer: removed("The competitor and its matches are deleted; observations stay") },
      async (asked) => {
        await deleteCompetitor(asked.ctx, asked.id, asked.expected);
      },
    ).routes;
}
