/** Routes for a person's own and shared views of the product list (docs/decisions/market.md). */
import { z } from "@hono/zod-openapi";
import { viewer } from "../route_access.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import { done, page, stored } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import {
  changeView,
  createView,
  deleteView,
  NewView,
  readViews,
  requireView,
  View,
  VIEW_READ_ONLY,
  ViewPatch,
  VIEWS_MAX,
} from "./view.ts";
import type { Found } from "../../platform/store/table.ts";

export function viewRoutes() {
  return resource("/views", {
    read: { people: viewer },
    change: { people: viewer },
    readOnly: VIEW_READ_ONLY,
  })
    .list({
      query: z.strictObject(pageQuery(VIEWS_MAX, VIEWS_MAX)),
      answer: page(View, "Shared views and the person's own, oldest first", { inApp: "ViewPage" }),
    }, async ({ ctx, query: { limit, cursor } }) => {
      const list = "views";
      const after = openCursor(ctx, list, cursor);
      const rows = (await readViews(ctx)).map(({ row }) => row)
        .filter(({ id }) => typeof after !== "string" || id > after);
      return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
    })
    .create({
      body: NewView,
      answer: stored(View, "The new view; only managers create shared ones"),
    }, async ({ ctx, body }) => documentOf(await createView(ctx, body)))
    .read({
      answer: stored(View, "The view"),
    }, async ({ ctx, id }) => documentOf(await requireView(ctx, id)))
    .change({
      body: ViewPatch,
      answer: stored(View, "The view after the change"),
    }, async ({ ctx, id, body, expected }) => {
      return documentOf(await changeView(ctx, id, body, expected));
    })
    .remove({ answer: done("The view was deleted") }, async ({ ctx, id, expected }) => {
      await deleteView(ctx, id, expected);
    }).routes;
}

function documentOf({ row, versionstamp }: Found<View>) {
  const bytes = new TextEncoder().encode(JSON.stringify(row));
  return { id: row.id, bytes, etag: versionstamp };
}
