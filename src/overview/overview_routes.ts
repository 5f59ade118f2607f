import { jsonAnswer, room, route } from "../platform/http/http.ts";
import { Overview, type OverviewDeps, readOverview } from "./read_overview.ts";
import { viewer } from "../identity/route_access.ts";

const read = route({
  method: "get",
  path: "/api/overview",
  access: viewer,
  responses: { 200: jsonAnswer(Overview, "What happened last, and what waits for a decision") },
});

/** The first page of the web client, in one answer. */
export function overviewRoutes(deps: OverviewDeps) {
  return room().openapi(read, async (c) => c.json(await readOverview(c.var.ctx, deps), 200));
}
