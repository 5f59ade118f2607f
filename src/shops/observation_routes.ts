/** Observations on both interfaces (docs/decisions/competitors.md). */
import { one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { listObservations, ObservationQuery } from "./observations/list_observations.ts";
import { ObservationDocument } from "./observations/observation.ts";
import { PushBody } from "./push/pushed_row.ts";
import { type PushDeps, pushObservations, PushOutcome } from "./push/record_rows.ts";
import { anyKey, keyWith, viewer } from "../accounts/route_access.ts";

export function observationRoutes(deps: PushDeps) {
  return resource("/observations", {
    look: { people: viewer, keys: anyKey },
    change: { keys: keyWith("observations:write") },
  })
    .list({
      query: ObservationQuery,
      answer: page(ObservationDocument, "One page of the history"),
    }, ({ ctx, query }) => listObservations(ctx, query))
    .post("", {
      body: PushBody,
      answer: one(PushOutcome, "Number of accepted rows, and the errors of the others"),
    }, ({ ctx, body }) => pushObservations(ctx, body, deps)).routes;
}
