/** Observations on both interfaces (docs/decisions/competitors.md). */
import { z } from "@hono/zod-openapi";
import { bothFaces, pageIn, toldPage } from "../platform/http/face.ts";
import { jsonAnswer, jsonBody, room, route } from "../platform/http/http.ts";
import { listObservations } from "./observations/list_observations.ts";
import { ObservationQuery } from "./observations/observation_query.ts";
import { ObservationDocument } from "./observations/observation.ts";
import { PushBody } from "./push/pushed_row.ts";
import { type PushDeps, pushObservations, PushOutcome } from "./push/push_observations.ts";
import { anyKey, keyWith, viewer } from "../accounts/route_access.ts";

const FACES = bothFaces({ access: viewer }, { access: anyKey });

function declared(face: (typeof FACES)[number]) {
  return route({
    method: "get",
    path: `${face.base}/observations`,
    access: face.access,
    request: { query: ObservationQuery },
    responses: { 200: jsonAnswer(pageIn(face, ObservationDocument), "One page of the history") },
  });
}

const push = route({
  method: "post",
  path: "/api/public/v1/observations",
  access: keyWith("observations:write"),
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
  const lists = FACES.map((face) =>
    room().openapi(declared(face), async (c) => {
      return c.json(toldPage(face, await listObservations(c.var.ctx, c.req.valid("query"))), 200);
    })
  );
  const pushing = room().openapi(push, async (c) => {
    return c.json({ data: await pushObservations(c.var.ctx, c.req.valid("json"), deps) }, 200);
  });
  return [...lists, pushing];
}
