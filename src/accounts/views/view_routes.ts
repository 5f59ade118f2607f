/** Views of the list of products, own and shared (docs/decisions/market.md). */
import { z } from "@hono/zod-openapi";
import { viewer } from "../route_access.ts";
import {
  answerDocument,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  room,
  route,
} from "../../platform/http/http.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import { changeView, createView, deleteView, readViews, requireView } from "./change_views.ts";
import { NewView, View, VIEW_READ_ONLY, ViewPatch, VIEWS_MAX } from "./view.ts";
import type { Found } from "../../platform/store/table.ts";

const BASE = "/api/views";
const params = z.object({ id: z.string() });
const access = viewer;

const list = route({
  method: "get",
  path: BASE,
  access,
  request: { query: z.strictObject(pageQuery(VIEWS_MAX, VIEWS_MAX)) },
  responses: {
    200: jsonAnswer(
      pageOf(View).meta({ id: "ViewPage" }),
      "The shared ones and one's own, in the order in which they were made",
    ),
  },
});

const create = route({
  method: "post",
  path: BASE,
  access,
  request: { body: jsonBody(ignoring(VIEW_READ_ONLY, NewView)) },
  responses: { 201: jsonAnswer(View, "The new view; managers alone make a shared one") },
});

const read = route({
  method: "get",
  path: `${BASE}/{id}`,
  access,
  request: { params },
  responses: { 200: jsonAnswer(View, "The view") },
});

const change = route({
  method: "patch",
  path: `${BASE}/{id}`,
  versioned: true,
  access,
  request: { params, body: jsonBody(ignoring(VIEW_READ_ONLY, ViewPatch)) },
  responses: { 200: jsonAnswer(View, "The view after the change") },
});

const remove = route({
  method: "delete",
  path: `${BASE}/{id}`,
  versioned: true,
  access,
  request: { params },
  responses: { 200: jsonAnswer(Ok, "The view is gone") },
});

/** The routes of everybody who is signed in; shared views are changed by managers. */
export function viewRoutes() {
  return room()
    .openapi(list, async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const ctx = c.get("ctx");
      const after = openCursor(ctx, "views", cursor);
      const rows = (await readViews(ctx)).map(({ row }) => row)
        .filter(({ id }) => typeof after !== "string" || id > after);
      return c.json(
        toPage(ctx, { list: "views", rows, limit, positionOf: ({ id }) => id }),
        200,
      );
    })
    .openapi(create, async (c) => {
      const made = await createView(c.var.ctx, c.req.valid("json"));
      return answerDocument(c, documentOf(made), 201, { Location: `${BASE}/${made.row.id}` });
    })
    .openapi(
      read,
      async (c) =>
        answerDocument(c, documentOf(await requireView(c.var.ctx, c.req.valid("param").id))),
    )
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const patch = c.req.valid("json");
      return answerDocument(
        c,
        documentOf(await changeView(c.var.ctx, id, patch, expectedVersions(c))),
      );
    })
    .openapi(remove, async (c) => {
      await deleteView(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    });
}

function documentOf({ row, versionstamp }: Found<View>) {
  return { bytes: new TextEncoder().encode(JSON.stringify(row)), etag: versionstamp };
}
