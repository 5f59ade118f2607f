/** Simulations over the whole catalogue, and applying them, for people and keys. */
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer } from "../../accounts/route_access.ts";
import { bothFaces, documentIn, told, toldPage } from "../../platform/http/face.ts";
import { dataPageOf, jsonAnswer, jsonBody, pageOf, room, route } from "../../platform/http/http.ts";
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
const Started = CatalogueSimulation.pick({ id: true, status: true })
  .meta({ id: "SimulationStarted" });

const FACES = bothFaces({
  look: viewer,
  change: manager,
  simulation: CatalogueSimulation,
  items: pageOf(SimulationItem).meta({ id: "SimulationItemPage" }),
}, {
  look: keyWith("rules:read"),
  change: keyWith("rules:write"),
  simulation: z.object({ data: CatalogueSimulation }).meta({ id: "CatalogueSimulationData" }),
  items: dataPageOf(SimulationItem),
});

type SimulationFace = (typeof FACES)[number];

function declared(face: SimulationFace) {
  const { base, look, change, simulation, items } = face;
  return {
    start: route({
      method: "post",
      path: `${base}/simulations`,
      access: change,
      tags,
      request: { body: jsonBody(SimulationRequest) },
      responses: {
        202: jsonAnswer(
          documentIn(face, Started),
          "All products of the scope are judged in the background; see `Location`",
        ),
      },
    }),
    read: route({
      method: "get",
      path: `${base}/simulations/{id}`,
      access: look,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(simulation, "The simulation as it stands; kept for a day") },
    }),
    items: route({
      method: "get",
      path: `${base}/simulations/{id}/items`,
      access: look,
      tags,
      request: { params, query: SimulationItemsQuery },
      responses: {
        200: jsonAnswer(items, "What the rule would do with each product of its scope"),
      },
    }),
    cancel: route({
      method: "post",
      path: `${base}/simulations/{id}/cancel`,
      access: change,
      tags,
      request: { params },
      responses: { 200: jsonAnswer(simulation, "The simulation as it ends") },
    }),
    apply: route({
      method: "post",
      path: `${base}/rules/{id}/apply`,
      access: change,
      tags,
      request: { params, body: jsonBody(ApplyRequest) },
      responses: {
        202: jsonAnswer(
          documentIn(face, Applied),
          "The products of the scope are judged, whatever else happens to them",
        ),
      },
    }),
  };
}

/** Reading for viewers and keys that may read rules, the rest for managers and keys that write. */
export function simulationRoutes() {
  return FACES.map(routesOf);
}

function routesOf(face: SimulationFace) {
  const { start, read, items, cancel, apply } = declared(face);
  return room()
    .openapi(start, async (c) => {
      const started = await startSimulation(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `${face.base}/simulations/${started.id}` };
      return c.json(told(face, started), 202, headers);
    })
    .openapi(read, async (c) => {
      return c.json(told(face, await readSimulation(c.var.ctx, c.req.valid("param").id)), 200);
    })
    .openapi(items, async (c) => {
      const { id } = c.req.valid("param");
      const page = await pageOfOutcomes(c.var.ctx, id, c.req.valid("query"));
      return c.json(toldPage(face, page), 200);
    })
    .openapi(cancel, async (c) => {
      return c.json(told(face, await cancelSimulation(c.var.ctx, c.req.valid("param").id)), 200);
    })
    .openapi(apply, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(told(face, await applyRule(c.var.ctx, id, c.req.valid("json"))), 202);
    });
}
