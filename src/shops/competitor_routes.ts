/** Routes of competitors, for people and for API keys (docs/decisions/competitors.md). */
import { z } from "@hono/zod-openapi";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import type { Context } from "../platform/store/context.ts";
import { pageById, pageQuery } from "../platform/http/http.ts";
import { page, removed, versioned } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { changeCompetitor, createCompetitor, deleteCompetitor } from "./change_competitor.ts";
import {
  type Competitor,
  COMPETITOR_READ_ONLY,
  CompetitorDocument,
  CompetitorPatch,
  type HealthOf,
  listCompetitors,
  NewCompetitor,
  requireCompetitor,
} from "./competitor_store.ts";
import { type ExtractorCheck, requireUsable } from "./extractor.ts";
import { anyKey, keyWith, manager, viewer } from "../accounts/roles.ts";
import { type Columns, openListTable } from "../catalogue/lists/list_file.ts";
import { storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell } from "../platform/tables/cell.ts";
import { countTracked } from "./offers/offer_store.ts";

const LIST = "competitors";

const COLUMNS: Columns<CompetitorDocument> = {
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

export function competitorRoutes({ allowed, healthOf, checkExtractor }: CompetitorDeps) {
  const toDocument = async (ctx: Context, competitor: Competitor): Promise<CompetitorDocument> => {
    const [tracked = 0] = await countTracked(ctx, [competitor.id]);
    const health = await healthOf(ctx, competitor.id);
    return { ...competitor, trackedProducts: competitor.enabled ? tracked : 0, health };
  };
  const pageOf = async (ctx: Context, asked: z.output<typeof Query>) => {
    const page = await pageById(
      ctx,
      LIST,
      asked,
      ({ after, limit }) => listCompetitors(ctx, after, limit),
    );
    return { ...page, items: await Promise.all(page.items.map((one) => toDocument(ctx, one))) };
  };
  const answer = (words: string) =>
    versioned(CompetitorDocument, words, { external: "CompetitorData" });
  return resource("/competitors", {
    read: { people: viewer, keys: anyKey },
    change: { people: manager, keys: keyWith("competitors:write") },
    readOnly: COMPETITOR_READ_ONLY,
  })
    .create({ body: NewCompetitor, answer: answer("The new competitor") }, async (asked) => {
      await requireUsable(asked.ctx, checkExtractor, asked.body.extractor);
      return await toDocument(asked.ctx, await createCompetitor(asked.ctx, asked.body, allowed));
    })
    .list({
      query: Query,
      answer: page(CompetitorDocument, "One page, ordered by id"),
    }, ({ ctx, query }) => pageOf(ctx, query))
    .files("", {
      words: "Every competitor by id",
      open: (ctx) => openListTable(LIST, COLUMNS, (asked) => pageOf(ctx, asked)),
    })
    .read({ answer: answer("The competitor") }, async ({ ctx, id }) => {
      return await toDocument(ctx, (await requireCompetitor(ctx, id)).row);
    })
    .change({
      body: CompetitorPatch,
      answer: answer("The competitor as it is now"),
    }, async ({ ctx, id, body, expected }) => {
      await requireUsable(ctx, checkExtractor, body.extractor);
      return await toDocument(ctx, await changeCompetitor(ctx, id, body, { allowed, expected }));
    })
    .remove(
      { answer: removed("The competitor and its matches are deleted; observations stay") },
      async (asked) => {
        await deleteCompetitor(asked.ctx, asked.id, asked.expected);
      },
    ).routes;
}
