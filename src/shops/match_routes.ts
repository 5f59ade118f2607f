/**
 * Matches, by their wire name competitor products, on the in-app interface, and many at once by key
 * (docs/decisions/competitors.md).
 */
import { z } from "@hono/zod-openapi";
import { bothFaces } from "../platform/http/face.ts";
import {
  answerVersioned,
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
import { NoPriceOutcome, NoPriceRequest, sayNoPrice } from "./matches/say_no_price.ts";
import { sayOfMatch } from "./matches/say_of_match.ts";
import { keyWith, manager, viewer } from "../accounts/route_access.ts";

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

const publicBulk = route({
  method: "post",
  path: "/api/public/v1/competitor-products/bulk",
  access: keyWith("matches:write"),
  request: { body: jsonBody(BulkLinks) },
  responses: {
    200: jsonAnswer(
      z.object({ data: z.array(LinkResult), count: z.int() }),
      "A result for each link",
    ),
  },
});

const noPrice = route({
  method: "post",
  path: "/api/competitor-products/no-price",
  access: manager,
  request: { body: jsonBody(NoPriceRequest) },
  responses: { 200: jsonAnswer(NoPriceOutcome, "What became of them") },
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
  versioned: true,
  request: { params: Path, body: jsonBody(ignoring(MATCH_READ_ONLY, CompetitorProductPatch)) },
  responses: { 200: jsonAnswer(CompetitorProduct, "The match as it is now") },
});

const remove = route({
  method: "delete",
  path: "/api/competitor-products/{id}",
  access: manager,
  versioned: true,
  request: { params: Path },
  responses: { 200: jsonAnswer(Ok, "Gone; its observations stay") },
});

/** What a person may say of a link, and what that means, in the app and by key. */
const SAYINGS = [
  ["confirm", "The page shows our product, until it says something else"],
  ["reject", "The page does not show our product: the link is off, and stays off"],
  ["reopen", "Nobody has said anything of the page"],
] as const;

const FACES = bothFaces({ access: manager, link: CompetitorProduct }, {
  access: keyWith("matches:write"),
  link: z.object({ data: CompetitorProduct }).meta({ id: "CompetitorProductData" }),
});

function sayingRoutes({ base, isEnveloped, access, link }: (typeof FACES)[number]) {
  const routes = room();
  for (const [saying, description] of SAYINGS) {
    const say = route({
      method: "post",
      path: `${base}/competitor-products/{id}/${saying}`,
      access,
      versioned: true,
      request: { params: Path },
      responses: { 200: jsonAnswer(link, description) },
    });
    routes.openapi(say, async (c) => {
      const { id } = c.req.valid("param");
      const match = await sayOfMatch(c.var.ctx, id, saying, expectedVersions(c));
      return isEnveloped
        ? c.json({ data: match }, 200)
        : answerVersioned(c, match, MATCH_READ_ONLY);
    });
  }
  return routes;
}

/** Reading for viewers, the rest for managers, and many links for keys that may write them. */
export function matchRoutes({ allowed, misfitsOf }: CompetitorDeps) {
  const routes = room()
    .openapi(create, async (c) => {
      const body = c.req.valid("json");
      await requireUsable(c.var.ctx, misfitsOf, body.extractor);
      const made = await createMatch(c.var.ctx, body, allowed);
      const headers = { Location: `/api/competitor-products/${made.id}` };
      return answerVersioned(c, made, MATCH_READ_ONLY, 201, headers);
    })
    .openapi(bulk, async (c) => {
      return c.json({ results: await linkProducts(c.var.ctx, c.req.valid("json"), allowed) }, 200);
    })
    .openapi(publicBulk, async (c) => {
      const data = await linkProducts(c.var.ctx, c.req.valid("json"), allowed);
      return c.json({ data, count: data.length }, 200);
    })
    .openapi(noPrice, async (c) => {
      return c.json(await sayNoPrice(c.var.ctx, c.req.valid("json"), allowed), 200);
    })
    .openapi(list, async (c) => {
      const { limit, cursor, ...filter } = c.req.valid("query");
      return c.json(await listMatches(c.var.ctx, filter, { limit, cursor }), 200);
    })
    .openapi(read, async (c) => {
      const match = await readMatch(c.var.ctx, c.req.valid("param").id);
      return answerVersioned(c, match, MATCH_READ_ONLY);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const body = c.req.valid("json");
      await requireUsable(c.var.ctx, misfitsOf, body.extractor);
      const expected = expectedVersions(c);
      const changed = await changeMatch(c.var.ctx, id, body, { allowed, expected });
      return answerVersioned(c, changed, MATCH_READ_ONLY);
    })
    .openapi(remove, async (c) => {
      await deleteMatch(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    });
  return [routes, ...FACES.map(sayingRoutes)];
}
