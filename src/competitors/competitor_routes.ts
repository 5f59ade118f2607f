/** Competitors on both interfaces (decisions §4). */
import { z } from "@hono/zod-openapi";
import type { AddressAllowList } from "../platform/address_guard.ts";
import {
  dataPageOf,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  room,
  route,
} from "../platform/http.ts";
import { changeCompetitor } from "./change_competitor.ts";
import {
  COMPETITOR_READ_ONLY,
  CompetitorDocument,
  CompetitorPatch,
  NewCompetitor,
} from "./competitor.ts";
import { createCompetitor } from "./create_competitor.ts";
import { deleteCompetitor } from "./delete_competitor.ts";
import { pageOfCompetitors, readCompetitor } from "./read_competitors.ts";

/** What the room needs and does not keep itself. */
export interface CompetitorDeps {
  /** Private addresses that URLs may lead to all the same; empty in production. */
  readonly allowed: AddressAllowList;
}

const manager = { by: "session", role: "manager" } as const;
const viewer = { by: "session", role: "viewer" } as const;
const tags = ["Competitors"];
const Path = z.object({ id: z.string() });
const Query = z.strictObject(pageQuery(50, 200));

const create = route({
  method: "post",
  path: "/api/competitors",
  access: manager,
  tags,
  request: { body: jsonBody(ignoring(COMPETITOR_READ_ONLY, NewCompetitor)) },
  responses: { 201: jsonAnswer(CompetitorDocument, "The new competitor") },
});

const list = route({
  method: "get",
  path: "/api/competitors",
  access: viewer,
  tags,
  request: { query: Query },
  responses: { 200: jsonAnswer(pageOf(CompetitorDocument), "One page by id") },
});

const publicList = route({
  method: "get",
  path: "/api/public/v1/competitors",
  access: { by: "key", scopes: [] },
  tags,
  request: { query: Query },
  responses: { 200: jsonAnswer(dataPageOf(CompetitorDocument), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/competitors/{id}",
  access: viewer,
  tags,
  request: { params: Path },
  responses: { 200: jsonAnswer(CompetitorDocument, "The competitor") },
});

const change = route({
  method: "patch",
  path: "/api/competitors/{id}",
  access: manager,
  tags,
  request: { params: Path, body: jsonBody(ignoring(COMPETITOR_READ_ONLY, CompetitorPatch)) },
  responses: { 200: jsonAnswer(CompetitorDocument, "The competitor as it is now") },
});

const remove = route({
  method: "delete",
  path: "/api/competitors/{id}",
  access: manager,
  tags,
  request: { params: Path },
  responses: { 200: jsonAnswer(Ok, "Gone with its matches; observations stay") },
});

/** Reading for viewers and keys, the rest for managers. */
export function competitorRoutes({ allowed }: CompetitorDeps) {
  return room()
    .openapi(create, async (c) => {
      const made = await createCompetitor(c.var.ctx, c.req.valid("json"), allowed);
      return c.json(made, 201, { Location: `/api/competitors/${made.id}` });
    })
    .openapi(list, async (c) => {
      return c.json(await pageOfCompetitors(c.var.ctx, c.req.valid("query")), 200);
    })
    .openapi(publicList, async (c) => {
      const { items, ...page } = await pageOfCompetitors(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(read, async (c) => {
      return c.json(await readCompetitor(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await changeCompetitor(c.var.ctx, id, c.req.valid("json"), allowed), 200);
    })
    .openapi(remove, async (c) => {
      await deleteCompetitor(c.var.ctx, c.req.valid("param").id);
      return c.json({ ok: true as const }, 200);
    });
}
