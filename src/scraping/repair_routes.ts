/** Pages that bring no price, and what is done about them (docs/decisions/scraping.md, "Repairs"). */
import { manager, viewer } from "../accounts/route_access.ts";
import { one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import {
  readRepairPages,
  readRepairs,
  RepairGroups,
  RepairPage,
  RepairPagesQuery,
  RepairsQuery,
} from "./runs/read_repairs.ts";
import { Retry, type RetryJob, RetryRequest } from "./runs/retry_kind.ts";
import { cancelRetry, readRetry, retryPages } from "./runs/retry_pages.ts";

/** Reading for viewers, the rest for managers. */
export function repairRoutes(kind: JobKind<RetryJob>) {
  return resource("/repairs", {
    look: { people: viewer },
    change: { people: manager },
    tags: ["Scraping"],
  })
    .get("", {
      query: RepairsQuery,
      answer: one(RepairGroups, "By shop and cause, most pages first"),
    }, ({ ctx, query }) => readRepairs(ctx, query))
    .get("/pages", {
      query: RepairPagesQuery,
      answer: page(RepairPage, "The pages of a shop, those that fail longest first"),
    }, ({ ctx, query }) => readRepairPages(ctx, query))
    .post("/retries", {
      body: RetryRequest,
      answer: one(Retry, "The retry, a new one or the one that has not ended"),
      status: 202,
      location: ({ id }) => `/repairs/retries/${id}`,
    }, ({ ctx, body }) => retryPages(ctx, body))
    .get("/retries/{retryId}", {
      answer: one(Retry, "The retry"),
    }, ({ ctx, retryId }) => readRetry(ctx, retryId))
    .post("/retries/{retryId}/cancel", {
      answer: one(Retry, "The retry; what was asked for is still fetched"),
    }, ({ ctx, retryId }) => cancelRetry(ctx, kind, retryId)).routes;
}
