/**
 * Matches on the in-app interface, by their wire name competitor products
 * (docs/decisions/competitors.md).
 */
import { z } from "@hono/zod-openapi";
import {
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  room,
  route,
} from "../platform/http/http.ts";
import type { CompetitorDeps } from "./competitor_routes.ts";
import { requireUsable } from "./extractor.ts";
import { changeMatch } from "./matches/change_match.ts";
import { createMatch } from "./matches/create_match.ts";
import { deleteMatch } from "./matches/delete_match.ts";
import { readMatch } from "./matches/find_match.ts";
import { BulkLinks, linkProducts, LinkResult } from "./matches/link_products.ts";
import { listMatches } from "./matches/list_matches.ts";
import {
  CompetitorProduct,
  CompetitorProductPatch,
  MATCH_READ_ONLY,
  NewCompetitorProduct,
} from "./matches/match.ts";
import { manager, viewer } from "../identity/route_access.ts";

const Path = z.object({ id: z.string() });
const Query = z.strictObject({
  productId: z.string().optional(),
  competitorId: z.string().optional(),
  ...pageQuery(50, 200),
});

const create = route({
  method: "post",
  path: "/api/competitor-products",
  access: manager,
  request: { body: jsonBody(ignoring(MATCH_READ_ONLY, NewCompetitorProduct)) },
  responses: {
    201: jsonAnswer(CompetitorProduct, "The new match; an unknown domain is a new competitor"),
  },
});

const bulk = route({
  method: "post",
  path: "/api/competitor-products/bulk",
  access: manager,
  request: { body: jsonBody(BulkLinks) },
  responses: {
    200: jsonAnswer(z.object({ results: z.array(LinkResult) }), "A result for each link"),
  },
});

const list = route({
  method: "get",
  path: "/api/competitor-products",
  access: viewer,
  request: { query: Query },
  responses: { 200: jsonAnswer(pageOf(CompetitorProduct), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/competitor-products/{id}",
  access: viewer,
  request: { params: Path },
  responses: { 200: jsonAnswer(CompetitorProduct, "The match") },
});

const change = route({
  method: "patch",
  path: "/api/competitor-products/{id}",
  access: manager,
  request: { params: Path, body: jsonBody(ignoring(MATCH_READ_ONLY, CompetitorProductPatch)) },
  responses: { 200: jsonAnswer(CompetitorProduct, "The match as it is now") },
});

const remove = route({
  method: "delete",
  path: "/api/competitor-products/{id}",
  access: manager,
  request: { params: Path },
  responses: { 200: jsonAnswer(Ok, "Gone; its observations stay") },
});

/** Reading for viewers, the rest for managers. */
export function matchRoutes({ allowed, misfitsOf }: CompetitorDeps) {
  return room()
    .openapi(create, async (c) => {
      const body = c.req.valid("json");
      await requireUsable(c.var.ctx, misfitsOf, body.extractor);
      const made = await createMatch(c.var.ctx, body, allowed);
      return c.json(made, 201, { Location: `/api/competitor-products/${made.id}` });
    })
    .openapi(bulk, async (c) => {
      return c.json({ results: await linkProducts(c.var.ctx, c.req.valid("json"), allowed) }, 200);
    })
    .openapi(list, async (c) => {
      const { limit, cursor, ...filter } = c.req.valid("query");
      return c.json(await listMatches(c.var.ctx, filter, { limit, cursor }), 200);
    })
    .openapi(read, async (c) => {
      return c.json(await readMatch(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const body = c.req.valid("json");
      await requireUsable(c.var.ctx, misfitsOf, body.extractor);
      return c.json(await changeMatch(c.var.ctx, id, body, allowed), 200);
    })
    .openapi(remove, async (c) => {
      await deleteMatch(c.var.ctx, c.req.valid("param").id);
      return c.json({ ok: true as const }, 200);
    });
}
