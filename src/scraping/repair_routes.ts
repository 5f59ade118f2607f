/** Pages that bring no price, and what is done about them (docs/decisions/scraping.md, "Repairs"). */
import { z } from "@hono/zod-openapi";
import { manager, viewer } from "../accounts/route_access.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import {
  readRepairPages,
  readRepairs,
  RepairGroups,
  RepairPage,
  RepairPagesQuery,
  RepairsQuery,
} from "./runs/read_repairs.ts";
import { Retry, type RetryJob, RetryRequest } from "./runs/retry.ts";
import { cancelRetry, readRetry, retryPages } from "./runs/retry_pages.ts";

const tags = ["Scraping"];
const RetryPath = z.object({ retryId: z.string() });

const groups = route({
  method: "get",
  path: "/api/repairs",
  access: viewer,
  tags,
  request: { query: RepairsQuery },
  responses: { 200: jsonAnswer(RepairGroups, "By shop and cause, most pages first") },
});

const pages = route({
  method: "get",
  path: "/api/repairs/pages",
  access: viewer,
  tags,
  request: { query: RepairPagesQuery },
  responses: {
    200: jsonAnswer(pageOf(RepairPage), "The pages of a shop, those that fail longest first"),
  },
});

const retry = route({
  method: "post",
  path: "/api/repairs/retries",
  access: manager,
  tags,
  request: { body: jsonBody(RetryRequest) },
  responses: { 202: jsonAnswer(Retry, "The retry, a new one or the one that has not ended") },
});

const read = route({
  method: "get",
  path: "/api/repairs/retries/{retryId}",
  access: viewer,
  tags,
  request: { params: RetryPath },
  responses: { 200: jsonAnswer(Retry, "The retry") },
});

const cancel = route({
  method: "post",
  path: "/api/repairs/retries/{retryId}/cancel",
  access: manager,
  tags,
  request: { params: RetryPath },
  responses: { 200: jsonAnswer(Retry, "The retry; what was asked for is still fetched") },
});

/** Reading for viewers, the rest for managers. */
export function repairRoutes(kind: JobKind<RetryJob>) {
  return room()
    .openapi(groups, async (c) => c.json(await readRepairs(c.var.ctx, c.req.valid("query")), 200))
    .openapi(
      pages,
      async (c) => c.json(await readRepairPages(c.var.ctx, c.req.valid("query")), 200),
    )
    .openapi(retry, async (c) => {
      const started = await retryPages(c.var.ctx, c.req.valid("json"));
      return c.json(started, 202, { Location: `/api/repairs/retries/${started.id}` });
    })
    .openapi(read, async (c) => {
      return c.json(await readRetry(c.var.ctx, c.req.valid("param").retryId), 200);
    })
    .openapi(cancel, async (c) => {
      return c.json(await cancelRetry(c.var.ctx, kind, c.req.valid("param").retryId), 200);
    });
}
