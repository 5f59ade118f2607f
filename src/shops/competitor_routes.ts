/** Competitors on both interfaces (docs/decisions/competitors.md). */
import { z } from "@hono/zod-openapi";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import type { Context } from "../platform/store/context.ts";
import { pageQuery } from "../platform/http/http.ts";
import { page, removed, versioned } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { changeCompetitor, createCompetitor, deleteCompetitor } from "./change_competitor.ts";
import {
  COMPETITOR_READ_ONLY,
  CompetitorAnswer,
  type CompetitorDocument,
  CompetitorPatch,
  type HealthOf,
  NewCompetitor,
} from "./competitor_store.ts";
import { type ExtractorCheck, requireUsable } from "./extractor.ts";
import { openCompetitorTable, pageOfCompetitors, readCompetitor } from "./read_competitors.ts";
import { anyKey, keyWith, manager, viewer } from "../accounts/route_access.ts";

export interface CompetitorDeps {
  /** Private addresses that URLs may use nevertheless; empty in production. */
  readonly allowed: AddressAllowList;
  readonly healthOf: HealthOf;
  readonly misfitsOf: ExtractorCheck;
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

export function competitorRoutes({ allowed, healthOf, misfitsOf }: CompetitorDeps) {
  const healthy = async (ctx: Context, documents: readonly CompetitorDocument[]) => {
    const health = await healthOf(ctx, documents.map(({ id }) => id));
    return documents.map((document, at) => ({ ...document, health: health[at] ?? NO_HEALTH }));
  };
  const pageOf = async (ctx: Context, asked: z.output<typeof Query>) => {
    const found = await pageOfCompetitors(ctx, asked);
    return { ...found, items: await healthy(ctx, found.items) };
  };
  const one = async (ctx: Context, document: CompetitorDocument) => {
    const [answer = { ...document, health: NO_HEALTH }] = await healthy(ctx, [document]);
    return answer;
  };
  const answer = (words: string) =>
    versioned(CompetitorAnswer, words, { external: "CompetitorData" });
  return resource("/competitors", {
    look: { people: viewer, keys: anyKey },
    change: { people: manager, keys: keyWith("competitors:write") },
    readOnly: COMPETITOR_READ_ONLY,
  })
    .create({ body: NewCompetitor, answer: answer("The new competitor") }, async (asked) => {
      await requireUsable(asked.ctx, misfitsOf, asked.body.extractor);
      return await one(asked.ctx, await createCompetitor(asked.ctx, asked.body, allowed));
    })
    .list({
      query: Query,
      answer: page(CompetitorAnswer, "One page, ordered by id"),
    }, ({ ctx, query }) => pageOf(ctx, query))
    .files("", {
      words: "Every competitor by id",
      open: (ctx) => openCompetitorTable((asked) => pageOf(ctx, asked)),
    })
    .read({ answer: answer("The competitor") }, async ({ ctx, id }) => {
      return await one(ctx, await readCompetitor(ctx, id));
    })
    .change({
      body: CompetitorPatch,
      answer: answer("The competitor as it is now"),
    }, async ({ ctx, id, body, expected }) => {
      await requireUsable(ctx, misfitsOf, body.extractor);
      return await one(ctx, await changeCompetitor(ctx, id, body, { allowed, expected }));
    })
    .remove(
      { answer: removed("The competitor and its matches are deleted; observations stay") },
      async (asked) => {
        await deleteCompetitor(asked.ctx, asked.id, asked.expected);
      },
    ).routes;
}
