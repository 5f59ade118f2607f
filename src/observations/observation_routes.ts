/** Observations on both interfaces (docs/decisions/competitors.md). */
import { z } from "@hono/zod-openapi";
import { dataPageOf, jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import { listObservations } from "./lists/list_observations.ts";
import { ObservationQuery } from "./lists/observation_query.ts";
import { ObservationDocument } from "./observation.ts";
import { PushBody } from "./push/pushed_row.ts";
import { type PushDeps, pushObservations, PushOutcome } from "./push/push_observations.ts";
import { viewer } from "../identity/route_access.ts";

const list = route({
  method: "get",
  path: "/api/observations",
  access: viewer,
  request: { query: ObservationQuery },
  responses: { 200: jsonAnswer(pageOf(ObservationDocument), "One page of the history") },
});

const publicList = route({
  method: "get",
  path: "/api/public/v1/observations",
  access: { by: "key", scopes: [] },
  request: { query: ObservationQuery },
  responses: { 200: jsonAnswer(dataPageOf(ObservationDocument), "One page of the history") },
});

const push = route({
  method: "post",
  path: "/api/public/v1/observations",
  access: { by: "key", scopes: ["observations:write"] },
  request: { body: jsonBody(PushBody) },
  responses: {
    200: jsonAnswer(
      z.object({ data: PushOutcome }),
      "How many rows were taken, and why the others were not",
    ),
  },
});

/** Reading for viewers and every key, pushing for keys that may. */
export function observationRoutes(deps: PushDeps) {
  return room()
    .openapi(list, async (c) => {
      return c.json(await listObservations(c.var.ctx, c.req.valid("query")), 200);
    })
    .openapi(publicList, async (c) => {
      const { items, ...page } = await listObservations(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(push, async (c) => {
      const outcome = await pushObservations(c.var.ctx, c.req.valid("json"), deps);
      return c.json({ data: outcome }, 200);
    });
}
