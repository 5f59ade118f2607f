/** Simulations over the whole catalogue, and applying them, for people and keys. */
import { keyWith, manager, viewer } from "../../accounts/route_access.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { ProposalPreview } from "../proposals/preview_many.ts";
import {
  Applied,
  ApplyRequest,
  applyRule,
  cancelSimulation,
  CatalogueSimulation,
  pageOfOutcomes,
  previewSimulation,
  readSimulation,
  SimulationItem,
  SimulationItemsQuery,
  SimulationRequest,
  startSimulation,
} from "./simulations.ts";

const Started = CatalogueSimulation.pick({ id: true, status: true })
  .meta({ id: "SimulationStarted" });

const simulation = (words: string) =>
  one(CatalogueSimulation, words, { external: "CatalogueSimulationData" });

/** Reading for viewers and keys that may read rules, the rest for managers and keys that write. */
export function simulationRoutes() {
  return resource("", {
    look: { people: viewer, keys: keyWith("rules:read") },
    change: { people: manager, keys: keyWith("rules:write") },
    tags: ["Rules"],
  })
    .post("/simulations", {
      body: SimulationRequest,
      answer: one(
        Started,
        "All products of the scope are judged in the background; see `Location`",
      ),
      status: 202,
      location: ({ id }) => `/simulations/${id}`,
    }, ({ ctx, body }) => startSimulation(ctx, body))
    .get("/simulations/{id}", {
      answer: simulation("The simulation as it stands; kept for a day"),
    }, ({ ctx, id }) => readSimulation(ctx, id))
    .get("/simulations/{id}/items", {
      query: SimulationItemsQuery,
      answer: page(SimulationItem, "What the rule would do with each product of its scope", {
        inApp: "SimulationItemPage",
      }),
    }, ({ ctx, id, query }) => pageOfOutcomes(ctx, id, query))
    .get("/simulations/{id}/preview", {
      answer: one(ProposalPreview, "What applying the rule now would do, by the simulation"),
    }, ({ ctx, id }) => previewSimulation(ctx, id))
    .post("/simulations/{id}/cancel", {
      answer: simulation("The simulation as it ends"),
    }, ({ ctx, id }) => cancelSimulation(ctx, id))
    .post("/rules/{id}/apply", {
      body: ApplyRequest,
      answer: one(
        Applied,
        "The products of the scope are judged, whatever else happens to them",
      ),
      status: 202,
    }, ({ ctx, id, body }) => applyRule(ctx, id, body)).routes;
}
