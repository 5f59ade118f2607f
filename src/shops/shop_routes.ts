/**
 * Routes of competitors, matches and observed prices (docs/decisions/competitors.md). A request may
 * change many matches, each in its own commit with its own audit row.
 */
import { z } from "@hono/zod-openapi";
import { pageById, pageQuery } from "../platform/http/http.ts";
import { done, one, page, removed, versioned, whole } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import {
  type Competitor,
  COMPETITOR_READ_ONLY,
  CompetitorDocument,
  CompetitorPatch,
  type ExtractorCheck,
  type HealthOf,
  listCompetitors,
  NewCompetitor,
  requireCompetitor,
  requireUsable,
} from "./competitor_store.ts";
import { changeMatch, createMatch, deleteMatch, restoreMatch } from "./matches/change_match.ts";
import { listMatches, MatchQuery, readMatch, recordStatement } from "./matches/list_matches.ts";
import { BulkLinks, linkProducts, LinkResult } from "./matches/link_products.ts";
import {
  CompetitorProduct,
  CompetitorProductPatch,
  MATCH_READ_ONLY,
  NewCompetitorProduct,
} from "./matches/match.ts";
import { anyKey, keyWith, manager, viewer } from "../accounts/roles.ts";
import { listObservations, ObservationQuery } from "./observations/read_observations.ts";
import { ObservationDocument } from "./observations/observation.ts";
import { PushBody } from "./recording/pushed_row.ts";
import { pushObservations, PushOutcome } from "./recording/record_rows.ts";
import { Failure } from "../base/failure.ts";
import type { AddressAllowList } from "../platform/fetch/fetch_limits.ts";
import type { Context } from "../platform/store/context.ts";
import { changeCompetitor, createCompetitor, deleteCompetitor } from "./change_competitor.ts";
import { type Columns, fields, moments, openListTable } from "../catalogue/lists/list_file.ts";
import { storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell } from "../platform/tables/cell.ts";
import { countTracked } from "./offers/offer_store.ts";

const COLUMNS: Columns<CompetitorDocument> = {
  ...fields("displayName", "domain", "country", "enabled", "pricesIncludeVat", "trackedProducts"),
  ok24h: ({ health }) => health.ok24h,
  failed24h: ({ health }) => health.failed24h,
  lastError: ({ health }) => storedCodeCell("scrapeErrors", health.lastError?.code ?? null),
  lastErrorAt: ({ health }) => momentCell(health.lastError?.at ?? null),
  due: ({ health }) => health.due,
  perDayMax: ({ health }) => health.perDayMax,
  ...moments("createdAt", "updatedAt"),
  id: ({ id }) => id,
};

interface CompetitorDeps {
  readonly allowed: AddressAllowList;
  readonly healthOf: HealthOf;
  readonly checkExtractor: ExtractorCheck;
}

const CompetitorQuery = z.strictObject(pageQuery(50, 200));

export function competitorRoutes({ allowed, healthOf, checkExtractor }: CompetitorDeps) {
  const toDocument = async (ctx: Context, competitor: Competitor): Promise<CompetitorDocument> => {
    const [tracked = 0] = await countTracked(ctx, [competitor.id]);
    const health = await healthOf(ctx, competitor.id);
    return { ...competitor, trackedProducts: competitor.enabled ? tracked : 0, health };
  };
  const pageOf = async (ctx: Context, asked: z.output<typeof CompetitorQuery>) => {
    const page = await pageById(ctx, asked, ({ after, limit }) => {
      return listCompetitors(ctx, after, limit);
    });
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
      query: CompetitorQuery,
      answer: page(CompetitorDocument, "One page, ordered by id"),
    }, ({ ctx, query }) => pageOf(ctx, query))
    .files("", {
      words: "Every competitor by id",
      open: (ctx) => openListTable("competitors", COLUMNS, (asked) => pageOf(ctx, asked)),
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
      (asked) => deleteCompetitor(asked.ctx, asked.id, asked.expected),
    ).routes;
}

const STATEMENTS = [
  ["confirm", "The match, confirmed until the content of the page changes"],
  ["reject", "The match, disabled because the page does not show our product"],
  ["reopen", "The match, without a person's decision about the page"],
] as const;

const answer = (words: string) =>
  versioned(CompetitorProduct, words, { external: "CompetitorProductData" });

export function matchRoutes({ allowed, checkExtractor }: CompetitorDeps) {
  const writers = { people: manager, keys: keyWith("matches:write") };
  const matches = resource("/competitor-products", {
    read: { people: viewer },
    change: { people: manager },
    readOnly: MATCH_READ_ONLY,
  })
    .create({
      body: NewCompetitorProduct,
      answer: answer("The new match; an unknown domain is a new competitor"),
    }, async ({ ctx, body }) => {
      await requireUsable(ctx, checkExtractor, body.extractor);
      return await createMatch(ctx, body, allowed);
    })
    .post("/bulk", {
      callers: writers,
      body: BulkLinks,
      answer: whole(LinkResult, "A result for each link", { field: "results" }),
    }, ({ ctx, body }) => linkProducts(ctx, body, allowed))
    .post("/no-price", {
      body: NoPriceRequest,
      answer: one(NoPriceOutcome, "The changed, unchanged and missing products"),
    }, ({ ctx, body: { ids, noPrice } }) =>
      changeEach(ctx, ids, async (each, id) => {
        if ((await readMatch(each, id)).noPrice === noPrice) return false;
        await changeMatch(each, id, { noPrice }, { allowed, expected: null });
        return true;
      }))
    .post("/removal", {
      body: RemovalRequest,
      answer: one(NoPriceOutcome, "The deleted or linked, the unchanged and the missing products"),
    }, ({ ctx, body }) => removeOrRestore(ctx, body, allowed))
    .list(
      { query: MatchQuery, answer: page(CompetitorProduct, "One page, ordered by id") },
      ({ ctx, query }) => listMatches(ctx, query),
    )
    .read({ answer: answer("The match") }, ({ ctx, id }) => readMatch(ctx, id))
    .change({
      body: CompetitorProductPatch,
      answer: answer("The match as it is now"),
    }, async ({ ctx, id, body, expected }) => {
      await requireUsable(ctx, checkExtractor, body.extractor);
      return await changeMatch(ctx, id, body, { allowed, expected });
    })
    .remove(
      { answer: done("The competitor product is deleted; its observations stay") },
      ({ ctx, id, expected }) => deleteMatch(ctx, id, expected),
    );
  for (const [statement, words] of STATEMENTS) {
    matches.post(
      `/{id}/${statement}`,
      { callers: writers, versioned: true, answer: answer(words) },
      ({ ctx, id, expected }) => recordStatement(ctx, id, statement, expected),
    );
  }
  return matches.routes;
}

function removeOrRestore(
  ctx: Context,
  { ids, removed }: z.infer<typeof RemovalRequest>,
  allowed: AddressAllowList,
) {
  return changeEach(ctx, ids, async (each, id) => {
    if (!removed) return await restoreMatch(each, id, allowed);
    await deleteMatch(each, id);
    return true;
  });
}

export function observationRoutes({ allowed }: Pick<CompetitorDeps, "allowed">) {
  return resource("/observations", {
    read: { people: viewer, keys: anyKey },
    change: { keys: keyWith("observations:write") },
  })
    .list({
      query: ObservationQuery,
      answer: page(ObservationDocument, "One page of the history"),
    }, ({ ctx, query }) => listObservations(ctx, query))
    .post("", {
      body: PushBody,
      answer: one(PushOutcome, "Number of accepted rows, and the errors of the others"),
    }, ({ ctx, body }) => pushObservations(ctx, body, allowed)).routes;
}

const ids = z.array(z.string()).min(1).max(200).describe("Competitor products");

const NoPriceRequest = z.strictObject({
  ids,
  noPrice: z.boolean().describe(
    "True: their pages show no price, which is then no failure; false revokes that",
  ),
}).meta({ id: "NoPriceRequest" });

const RemovalRequest = z.strictObject({
  ids,
  removed: z.boolean().describe(
    "True: they are deleted; false: deleted ones are linked again, with their settings, but without " +
      "price and confirmation",
  ),
}).meta({ id: "RemovalRequest" });

export const NoPriceOutcome = z.object({
  changed: z.array(z.string()).describe("Ids of the competitor products that were changed"),
  unchanged: z.int().describe("Number of competitor products that had the value already"),
  missing: z.array(z.string()).describe(
    "Ids that name no competitor product, or a deleted one that can no longer be linked",
  ),
}).meta({ id: "NoPriceOutcome" });
export type NoPriceOutcome = z.infer<typeof NoPriceOutcome>;

async function changeEach(
  ctx: Context,
  ids: readonly string[],
  change: (each: Context, id: string) => Promise<boolean>,
): Promise<NoPriceOutcome> {
  const each: Context = { ...ctx, receipt: null };
  const changed: string[] = [];
  const missing: string[] = [];
  const wanted = new Set(ids);
  for (const id of wanted) {
    try {
      if (await change(each, id)) changed.push(id);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "not_found") throw error;
      missing.push(id);
    }
  }
  return { changed, unchanged: wanted.size - changed.length - missing.length, missing };
}
