/** What a rule would do with the whole catalogue, and doing it now; by people and by keys. */
import { z } from "@hono/zod-openapi";
import { manager, viewer } from "../identity/route_access.ts";
import { dataPageOf, jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
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
const IN_APP = "/api/simulations";
const PUBLIC = "/api/public/v1/simulations";
const reading = { by: "key", scopes: ["rules:read"] } as const;
const writing = { by: "key", scopes: ["rules:write"] } as const;
const data = <T extends z.ZodType>(schema: T) => z.object({ data: schema });
const Started = CatalogueSimulation.pick({ id: true, status: true })
  .meta({ id: "SimulationStarted" });
const SimulationData = data(CatalogueSimulation).meta({ id: "CatalogueSimulationData" });
const WORDS = {
  start: "All products of the scope are judged in the background; see `Location`",
  read: "The simulation as it stands; kept for a day",
  items: "What the rule would do with each product of its scope",
  cancel: "The simulation as it ends",
  apply: "The products of the scope are judged, whatever else happens to them",
};

const start = route({
  method: "post",
  path: IN_APP,
  access: manager,
  tags,
  request: { body: jsonBody(SimulationRequest) },
  responses: { 202: jsonAnswer(Started, WORDS.start) },
});

const publicStart = route({
  method: "post",
  path: PUBLIC,
  access: writing,
  tags,
  request: { body: jsonBody(SimulationRequest) },
  responses: { 202: jsonAnswer(data(Started), WORDS.start) },
});

const read = route({
  method: "get",
  path: `${IN_APP}/{id}`,
  access: viewer,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(CatalogueSimulation, WORDS.read) },
});

const publicRead = route({
  method: "get",
  path: `${PUBLIC}/{id}`,
  access: reading,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(SimulationData, WORDS.read) },
});

const items = route({
  method: "get",
  path: `${IN_APP}/{id}/items`,
  access: viewer,
  tags,
  request: { params, query: SimulationItemsQuery },
  responses: {
    200: jsonAnswer(pageOf(SimulationItem).meta({ id: "SimulationItemPage" }), WORDS.items),
  },
});

const publicItems = route({
  method: "get",
  path: `${PUBLIC}/{id}/items`,
  access: reading,
  tags,
  request: { params, query: SimulationItemsQuery },
  responses: { 200: jsonAnswer(dataPageOf(SimulationItem), WORDS.items) },
});

const cancel = route({
  method: "post",
  path: `${IN_APP}/{id}/cancel`,
  access: manager,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(CatalogueSimulation, WORDS.cancel) },
});

const publicCancel = route({
  method: "post",
  path: `${PUBLIC}/{id}/cancel`,
  access: writing,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(SimulationData, WORDS.cancel) },
});

const apply = route({
  method: "post",
  path: "/api/rules/{id}/apply",
  access: manager,
  tags,
  request: { params, body: jsonBody(ApplyRequest) },
  responses: { 202: jsonAnswer(Applied, WORDS.apply) },
});

const publicApply = route({
  method: "post",
  path: "/api/public/v1/rules/{id}/apply",
  access: writing,
  tags,
  request: { params, body: jsonBody(ApplyRequest) },
  responses: { 202: jsonAnswer(data(Applied), WORDS.apply) },
});

/** Reading for viewers and keys that may read rules, the rest for managers and keys that write. */
export function simulationRoutes() {
  return [inAppRoutes(), publicRoutes()];
}

function inAppRoutes() {
  return room()
    .openapi(start, async (c) => {
      const started = await startSimulation(c.var.ctx, c.req.valid("json"));
      return c.json(started, 202, { Location: `${IN_APP}/${started.id}` });
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

function publicRoutes() {
  return room()
    .openapi(publicStart, async (c) => {
      const started = await startSimulation(c.var.ctx, c.req.valid("json"));
      return c.json({ data: started }, 202, { Location: `${PUBLIC}/${started.id}` });
    })
    .openapi(publicRead, async (c) => {
      return c.json({ data: await readSimulation(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(publicItems, async (c) => {
      const { id } = c.req.valid("param");
      const page = await pageOfOutcomes(c.var.ctx, id, c.req.valid("query"));
      return c.json({ data: page.items, nextCursor: page.nextCursor, count: page.count }, 200);
    })
    .openapi(publicCancel, async (c) => {
      return c.json({ data: await cancelSimulation(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(publicApply, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await applyRule(c.var.ctx, id, c.req.valid("json")) }, 202);
    });
}
