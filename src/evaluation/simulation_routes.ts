/** What a rule would do with the whole catalogue, and doing it now. */
import { z } from "@hono/zod-openapi";
import { manager, viewer } from "../identity/route_access.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import {
  Applied,
  ApplyRequest,
  applyRule,
  cancelSimulation,
  CatalogueSimulation,
  pageOfOutcomes,
  readSimulation,
  SimulationItem,
  SimulationItemsQuery,
  SimulationRequest,
  startSimulation,
} from "./simulations.ts";

const tags = ["Rules"];
const params = z.object({ id: z.string() });

const start = route({
  method: "post",
  path: "/api/simulations",
  access: manager,
  tags,
  request: { body: jsonBody(SimulationRequest) },
  responses: {
    202: jsonAnswer(
      CatalogueSimulation.pick({ id: true, status: true }).meta({ id: "SimulationStarted" }),
      "All products of the scope are judged in the background; see `Location`",
    ),
  },
});

const read = route({
  method: "get",
  path: "/api/simulations/{id}",
  access: viewer,
  tags,
  request: { params },
  responses: {
    200: jsonAnswer(CatalogueSimulation, "The simulation as it stands; kept for a day"),
  },
});

const items = route({
  method: "get",
  path: "/api/simulations/{id}/items",
  access: viewer,
  tags,
  request: { params, query: SimulationItemsQuery },
  responses: {
    200: jsonAnswer(
      pageOf(SimulationItem).meta({ id: "SimulationItemPage" }),
      "What the rule would do with each product of its scope",
    ),
  },
});

const cancel = route({
  method: "post",
  path: "/api/simulations/{id}/cancel",
  access: manager,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(CatalogueSimulation, "The simulation as it ends") },
});

const apply = route({
  method: "post",
  path: "/api/rules/{id}/apply",
  access: manager,
  tags,
  request: { params, body: jsonBody(ApplyRequest) },
  responses: {
    202: jsonAnswer(Applied, "The products of the scope are judged, whatever else happens to them"),
  },
});

export function simulationRoutes() {
  return room()
    .openapi(start, async (c) => {
      const started = await startSimulation(c.var.ctx, c.req.valid("json"));
      return c.json(started, 202, { Location: `/api/simulations/${started.id}` });
    })
    .openapi(
      read,
      async (c) => c.json(await readSimulation(c.var.ctx, c.req.valid("param").id), 200),
    )
    .openapi(items, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await pageOfOutcomes(c.var.ctx, id, c.req.valid("query")), 200);
    })
    .openapi(
      cancel,
      async (c) => c.json(await cancelSimulation(c.var.ctx, c.req.valid("param").id), 200),
    )
    .openapi(apply, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await applyRule(c.var.ctx, id, c.req.valid("json")), 202);
    });
}
