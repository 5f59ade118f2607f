/** Competitors on both interfaces (docs/decisions/competitors.md). */

import { anyKey, listFiles, manager, viewer } from "../accounts/route_access.ts";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import {
  answerVersioned,
  dataPageOf,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  room,
  route,
} from "../platform/http/http.ts";
import type { Context } from "../platform/store/context.ts";
import { changeCompetitor } from "./change_competitor.ts";
import {
  COMPETITOR_READ_ONLY,
  CompetitorAnswer,
  type CompetitorDocument,
  CompetitorPatch,
  type HealthOf,
  NewCompetitor,
} from "./competitor.ts";
import { openCompetitorTable } from "./competitor_table.ts";
import { createCompetitor } from "./create_competitor.ts";
import { deleteCompetitor } from "./delete_competitor.ts";
import { type ExtractorCheck, requireUsable } from "./extractor.ts";
import { pageOfCompetitors, readCompetitor } from "./read_competitors.ts";
import { z } from "@hono/zod-openapi";

/** What the room needs and does not keep itself. */
export interface CompetitorDeps {
  /** Private addresses that URLs may lead to all the same; empty in production. */
  readonly allowed: AddressAllowList;
  readonly healthOf: HealthOf;
  readonly misfitsOf: ExtractorCheck;
}

const Path = z.object({ id: z.string() });
const Query = z.strictObject(pageQuery(50, 200));

const create = route({
  method: "post",
  path: "/api/competitors",
  access: manager,
  request: { body: jsonBody(ignoring(COMPETITOR_READ_ONLY, NewCompetitor)) },
  responses: { 201: jsonAnswer(CompetitorAnswer, "The new competitor") },
});

const list = route({
  method: "get",
  path: "/api/competitors",
  access: viewer,
  request: { query: Query },
  responses: { 200: jsonAnswer(pageOf(CompetitorAnswer), "One page by id") },
});

const publicList = route({
  method: "get",
  path: "/api/public/v1/competitors",
  access: anyKey,
  request: { query: Query },
  responses: { 200: jsonAnswer(dataPageOf(CompetitorAnswer), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/competitors/{id}",
  access: viewer,
  request: { params: Path },
  responses: { 200: jsonAnswer(CompetitorAnswer, "The competitor") },
});

const change = route({
  method: "patch",
  path: "/api/competitors/{id}",
  access: manager,
  versioned: true,
  request: { params: Path, body: jsonBody(ignoring(COMPETITOR_READ_ONLY, CompetitorPatch)) },
  responses: { 200: jsonAnswer(CompetitorAnswer, "The competitor as it is now") },
});

const remove = route({
  method: "delete",
  path: "/api/competitors/{id}",
  access: manager,
  versioned: true,
  request: { params: Path },
  responses: { 200: jsonAnswer(Ok, "Gone with its matches; observations stay") },
});

/** Reading for viewers and keys, the rest for managers. */
export function competitorRoutes({ allowed, healthOf, misfitsOf }: CompetitorDeps) {
  const healthy = async (ctx: Context, documents: readonly CompetitorDocument[]) => {
    const health = await healthOf(ctx, documents.map(({ id }) => id));
    return documents.map((document, at) => ({ ...document, health: health[at] ?? NO_HEALTH }));
  };
  const pageOf = async (ctx: Context, asked: z.output<typeof Query>) => {
    const page = await pageOfCompetitors(ctx, asked);
    return { ...page, items: await healthy(ctx, page.items) };
  };
  const files = listFiles({
    path: "/api/competitors",
    access: viewer,
    query: z.strictObject({}),
    describes: "Every competitor by id",
    open: (ctx) => openCompetitorTable((asked) => pageOf(ctx, asked)),
  });
  const one = async (ctx: Context, document: CompetitorDocument) => {
    const [answer = { ...document, health: NO_HEALTH }] = await healthy(ctx, [document]);
    return answer;
  };
  return room()
    .openapi(create, async (c) => {
      const body = c.req.valid("json");
      await requireUsable(c.var.ctx, misfitsOf, body.extractor);
      const made = await createCompetitor(c.var.ctx, body, allowed);
      const answer = await one(c.var.ctx, made);
      const headers = { Location: `/api/competitors/${made.id}` };
      return answerVersioned(c, answer, COMPETITOR_READ_ONLY, 201, headers);
    })
    .openapi(list, async (c) => c.json(await pageOf(c.var.ctx, c.req.valid("query")), 200))
    .route("/", files)
    .openapi(publicList, async (c) => {
      const { items, ...page } = await pageOf(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(read, async (c) => {
      const found = await readCompetitor(c.var.ctx, c.req.valid("param").id);
      return answerVersioned(c, await one(c.var.ctx, found), COMPETITOR_READ_ONLY);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const body = c.req.valid("json");
      await requireUsable(c.var.ctx, misfitsOf, body.extractor);
      const expected = expectedVersions(c);
      const changed = await changeCompetitor(c.var.ctx, id, body, { allowed, expected });
      return answerVersioned(c, await one(c.var.ctx, changed), COMPETITOR_READ_ONLY);
    })
    .openapi(remove, async (c) => {
      await deleteCompetitor(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    });
}

/** Of a competitor that nobody fetches from. */
const NO_HEALTH = { ok24h: 0, failed24h: 0, lastError: null, due: 0, perDayMax: 0 };
