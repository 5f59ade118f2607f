/**
 * Scrape runs and previews on the in-app interface (docs/decisions/catalogue.md,
 * docs/decisions/competitors.md, docs/decisions/scraping.md).
 */

import { listFiles, manager, viewer } from "../accounts/route_access.ts";
import { METHODS } from "../engine/extraction/extractors.ts";
import {
  ErrorBody,
  jsonAnswer,
  jsonBody,
  pageOf,
  pageQuery,
  room,
  route,
} from "../platform/http/http.ts";
import { JOB_STATUSES, type JobKind } from "../platform/jobs/job.ts";
import type { ExtractorCheck } from "../shops/extractor.ts";
import { UnsurePage } from "./page/page_said.ts";
import { readUnsurePage } from "./page/read_unsure_page.ts";
import type { ScrapeDeps } from "./page/scrape_deps.ts";
import { cancelRun } from "./runs/cancel_run.ts";
import { pageOfRuns, readRun, type RunFilter } from "./runs/read_runs.ts";
import { MethodList, Run, type RunJob, StartedRun } from "./runs/run.ts";
import { openResultTable, openRunTable } from "./runs/run_tables.ts";
import { ASKED_RUNS_MAX, startRun } from "./runs/start_run.ts";
import { RunsRequest, StartedRuns, startRuns } from "./runs/start_runs.ts";
import { FetchDays, readFetchDays } from "./schedule/read_fetch_days.ts";
import { extractPage } from "./teaching/extract_page.ts";
import { EXTRACT_BYTES_MAX, ExtractReport, ExtractRequest } from "./teaching/extract_report.ts";
import { Preview, PreviewRequest } from "./teaching/preview.ts";
import { previewPage } from "./teaching/preview_page.ts";
import { z } from "@hono/zod-openapi";

const tags = ["Scraping"];
const RunPath = z.object({ runId: z.string() });
const Filter = z.strictObject({
  productId: z.string().optional(),
  status: z.enum(["", ...JOB_STATUSES]).optional(),
  order: z.enum(["asc", "desc"]).default("asc").meta({ description: "`desc` is newest first" }),
});
const Query = Filter.extend(pageQuery(50, 200));

const start = route({
  method: "post",
  path: "/api/products/{id}/scrape-now",
  access: manager,
  tags,
  request: { params: z.object({ id: z.string() }) },
  responses: {
    202: jsonAnswer(StartedRun, "The run, a new one or the one that has not ended"),
    429: jsonAnswer(
      ErrorBody,
      `${ASKED_RUNS_MAX} runs of the workspace that were started by hand have not ended; see \`Retry-After\``,
    ),
  },
});

const startMany = route({
  method: "post",
  path: "/api/scrape-runs",
  access: manager,
  tags,
  request: { body: jsonBody(RunsRequest) },
  responses: { 202: jsonAnswer(StartedRuns, "What became of each product") },
});

const list = route({
  method: "get",
  path: "/api/scrape-runs",
  access: viewer,
  tags,
  request: { query: Query },
  responses: { 200: jsonAnswer(pageOf(Run), "One page by id") },
});

const files = listFiles({
  path: "/api/scrape-runs",
  access: viewer,
  tags,
  query: Filter,
  describes: "Every run that fits, in the order of the list",
  open: (ctx, query) => openRunTable(ctx, filterOf(query)),
});

const resultFiles = listFiles({
  path: "/api/scrape-runs/{runId}/results",
  access: viewer,
  tags,
  params: RunPath,
  query: z.strictObject({}),
  describes: "What came of each page of the run that is done",
  open: (ctx, _all, { runId }) => openResultTable(ctx, runId),
});

const read = route({
  method: "get",
  path: "/api/scrape-runs/{runId}",
  access: viewer,
  tags,
  request: { params: RunPath },
  responses: { 200: jsonAnswer(Run, "The run") },
});

const cancel = route({
  method: "post",
  path: "/api/scrape-runs/{runId}/cancel",
  access: manager,
  tags,
  request: { params: RunPath },
  responses: { 200: jsonAnswer(Run, "The run; what it has stored stays") },
});

const methods = route({
  method: "get",
  path: "/api/scrape-methods",
  access: viewer,
  tags,
  responses: {
    200: jsonAnswer(MethodList, "The ways to a price; the first one that has it decides"),
  },
});

const preview = route({
  method: "post",
  path: "/api/competitor-products/preview",
  access: manager,
  waitsForOthers: true,
  tags,
  request: { body: jsonBody(PreviewRequest) },
  responses: { 200: jsonAnswer(Preview, "What the page says; nothing of it is stored") },
});

const unsurePage = route({
  method: "get",
  path: "/api/competitor-products/{id}/page",
  access: viewer,
  tags,
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: jsonAnswer(
      UnsurePage,
      "The last page of the link that had no price, or one below 0.9, with all prices on it",
    ),
  },
});

const fetchDays = route({
  method: "get",
  path: "/api/competitors/{id}/fetch-days",
  access: viewer,
  tags,
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: jsonAnswer(FetchDays, "How fetching from the shop went day by day") },
});

const extract = route({
  method: "post",
  path: "/api/extract",
  access: manager,
  waitsForOthers: true,
  bodyBytesMax: EXTRACT_BYTES_MAX,
  tags,
  request: { body: jsonBody(ExtractRequest) },
  responses: {
    200: jsonAnswer(ExtractReport, "Everything that the page says of its price; nothing is stored"),
  },
});

/** Reading for viewers, the rest for managers. */
export function scrapingRoutes(
  deps: ScrapeDeps,
  kind: JobKind<RunJob>,
  misfitsOf: ExtractorCheck,
) {
  return room()
    .openapi(start, async (c) => {
      const { runId, status } = await startRun(c.var.ctx, c.req.valid("param").id);
      return c.json({ runId, status }, 202, { Location: `/api/scrape-runs/${runId}` });
    })
    .openapi(startMany, async (c) => {
      return c.json(await startRuns(c.var.ctx, c.req.valid("json")), 202);
    })
    .openapi(list, async (c) => {
      const query = c.req.valid("query");
      return c.json(await pageOfRuns(c.var.ctx, filterOf(query), query), 200);
    })
    .route("/", files)
    .route("/", resultFiles)
    .openapi(read, async (c) => {
      return c.json(await readRun(c.var.ctx, c.req.valid("param").runId), 200);
    })
    .openapi(cancel, async (c) => {
      return c.json(await cancelRun(c.var.ctx, kind, c.req.valid("param").runId), 200);
    })
    .openapi(methods, (c) => {
      const data = METHODS.map(({ method, name }) => ({ value: method, label: name }));
      return c.json({ data, count: data.length }, 200);
    })
    .openapi(extract, async (c) => {
      return c.json(await extractPage(c.var.ctx, deps, c.req.valid("json"), misfitsOf), 200);
    })
    .openapi(unsurePage, async (c) => {
      return c.json(await readUnsurePage(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(fetchDays, async (c) => {
      return c.json(await readFetchDays(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(preview, async (c) => {
      return c.json(await previewPage(c.var.ctx, deps, c.req.valid("json"), misfitsOf), 200);
    });
}

/** What is empty narrows nothing. */
function filterOf({ productId, status, order }: z.output<typeof Filter>): RunFilter {
  return { productId: productId || undefined, status: status || undefined, order };
}
