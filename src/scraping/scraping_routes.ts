/**
 * Scrape runs and previews on the in-app interface (docs/decisions/catalogue.md,
 * docs/decisions/competitors.md, docs/decisions/scraping.md).
 */
import { z } from "@hono/zod-openapi";
import type { ExtractorCheck } from "../shops/extractor.ts";
import { METHODS } from "../engine/extraction/extractors.ts";
import { JOB_STATUSES, type JobKind } from "../platform/jobs/job.ts";
import { pageQuery } from "../platform/http/http.ts";
import { one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { FetchDays, readFetchDays } from "./schedule/note_health.ts";
import { UnsurePage } from "./page/page_said.ts";
import { readUnsurePage } from "./page/last_page.ts";
import {
  EXTRACT_BYTES_MAX,
  extractPage,
  ExtractReport,
  ExtractRequest,
} from "./teaching/extract_page.ts";
import { Preview, previewPage, PreviewRequest } from "./teaching/preview_page.ts";
import {
  ASKED_RUNS_MAX,
  cancelRun,
  RunsRequest,
  StartedRuns,
  startRun,
  startRuns,
} from "./runs/start_runs.ts";
import {
  openResultTable,
  openRunTable,
  pageOfRuns,
  readRun,
  type RunFilter,
} from "./runs/read_runs.ts";
import { MethodList, Run, type RunJob, StartedRun } from "./runs/run.ts";
import type { ScrapeDeps } from "./page/scrape_deps.ts";
import { manager, viewer } from "../accounts/route_access.ts";

const tags = ["Scraping"];
const Filter = z.strictObject({
  productId: z.string().optional(),
  status: z.enum(["", ...JOB_STATUSES]).optional(),
  order: z.enum(["asc", "desc"]).default("asc").meta({ description: "`desc` is newest first" }),
});
/** Reading for viewers, the rest for managers. */
export function scrapingRoutes(
  deps: ScrapeDeps,
  kind: JobKind<RunJob>,
  misfitsOf: ExtractorCheck,
) {
  return [...runRoutes(kind), ...pageRoutes(deps, misfitsOf)];
}

function runRoutes(kind: JobKind<RunJob>) {
  return resource("", { look: { people: viewer }, change: { people: manager }, tags })
    .post("/products/{id}/scrape-now", {
      answer: one(StartedRun, "The run, a new one or the one that has not ended"),
      status: 202,
      refusals: {
        429:
          `${ASKED_RUNS_MAX} runs of the workspace that were started by hand have not ended; see \`Retry-After\``,
      },
      location: ({ runId }) => `/scrape-runs/${runId}`,
    }, async ({ ctx, id }) => {
      const { runId, status } = await startRun(ctx, id);
      return { runId, status };
    })
    .post("/scrape-runs", {
      body: RunsRequest,
      answer: one(StartedRuns, "What became of each product"),
      status: 202,
    }, ({ ctx, body }) => startRuns(ctx, body))
    .get("/scrape-runs", {
      query: Filter.extend(pageQuery(50, 200)),
      answer: page(Run, "One page by id"),
    }, ({ ctx, query }) => pageOfRuns(ctx, filterOf(query), query))
    .files("/scrape-runs", {
      tags,
      query: Filter,
      words: "Every run that fits, in the order of the list",
      open: (ctx, query) => openRunTable(ctx, filterOf(query)),
    })
    .files("/scrape-runs/{runId}/results", {
      tags,
      words: "What came of each page of the run that is done",
      open: (ctx, _all, { runId }) => openResultTable(ctx, runId),
    })
    .get("/scrape-runs/{runId}", {
      answer: one(Run, "The run"),
    }, ({ ctx, runId }) => readRun(ctx, runId))
    .post("/scrape-runs/{runId}/cancel", {
      answer: one(Run, "The run; what it has stored stays"),
    }, ({ ctx, runId }) => cancelRun(ctx, kind, runId)).routes;
}

function pageRoutes(deps: ScrapeDeps, misfitsOf: ExtractorCheck) {
  return resource("", { look: { people: viewer }, change: { people: manager }, tags })
    .get("/scrape-methods", {
      answer: one(MethodList, "The ways to a price; the first one that has it decides"),
    }, () => {
      const data = METHODS.map(({ method, name }) => ({ value: method, label: name }));
      return { data, count: data.length };
    })
    .post("/extract", {
      waitsForOthers: true,
      bodyBytesMax: EXTRACT_BYTES_MAX,
      body: ExtractRequest,
      answer: one(ExtractReport, "Everything that the page says of its price; nothing is stored"),
    }, ({ ctx, body }) => extractPage(ctx, deps, body, misfitsOf))
    .get("/competitor-products/{id}/page", {
      answer: one(
        UnsurePage,
        "The last page of the link that had no price, or one below 0.9, with all prices on it",
      ),
    }, ({ ctx, id }) => readUnsurePage(ctx, id))
    .get("/competitors/{id}/fetch-days", {
      answer: one(FetchDays, "How fetching from the shop went day by day"),
    }, ({ ctx, id }) => readFetchDays(ctx, id))
    .post("/competitor-products/preview", {
      waitsForOthers: true,
      body: PreviewRequest,
      answer: one(Preview, "What the page says; nothing of it is stored"),
    }, ({ ctx, body }) => previewPage(ctx, deps, body, misfitsOf)).routes;
}

/** An empty field does not filter. */
function filterOf({ productId, status, order }: z.output<typeof Filter>): RunFilter {
  return { productId: productId || undefined, status: status || undefined, order };
}
