/**
 * Declares the routes of pages (docs/decisions/scraping.md), recipes (docs/decisions/recipes.md)
 * and link checks (docs/decisions/matching.md).
 */
import type { ExtractorCheck } from "../shops/competitor_store.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { done, one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { FetchDays, readFetchDays, readFetches, ShopFetches } from "./schedule/health.ts";
import { readUnsurePage, UnsurePage } from "./page/last_page.ts";
import {
  EXTRACT_BYTES_MAX,
  extractPage,
  ExtractReport,
  ExtractRequest,
  Preview,
  previewPage,
  PreviewRequest,
} from "./teaching/preview_page.ts";
import { MethodList } from "./runs/run.ts";
import type { ScrapeDeps } from "./page/visit_tools.ts";
import {
  deleteRecipe,
  readRecipe,
  RecipeAnswer,
  relearnRecipe,
  SaveRecipe,
  saveRecipe,
  Teaching,
  TeachRequest,
} from "./teaching/change_recipe.ts";
import { teachRecipe } from "./teaching/teach_recipe.ts";
import { anyKey, keyWith, manager, viewer } from "../accounts/roles.ts";
import {
  acceptLines,
  cancelCheck,
  dropLines,
  makeShops,
  readMissingShops,
  startCheck,
} from "./link_checks/change_check.ts";
import {
  AcceptedLines,
  AcceptLines,
  CHECK_BYTES_MAX,
  type CheckJob,
  CheckLine,
  DropLines,
  DroppedLines,
  LinkCheck,
  LinkCheckRequest,
  MadeShops,
  MissingShops,
  NewShops,
  StartedLinkCheck,
} from "./link_checks/link_check.ts";
import {
  CheckLinesQuery,
  ChecksQuery,
  CheckTableFilter,
  linesTable,
  pageOfChecks,
  pageOfLines,
  readCheck,
} from "./link_checks/read_check.ts";

const tags = ["Scraping"];
export function pageRoutes(deps: ScrapeDeps, errorsOf: ExtractorCheck) {
  return resource("", { read: { people: viewer }, change: { people: manager }, tags })
    .get("/scrape-methods", {
      answer: one(MethodList, "The extraction methods, in order of precedence"),
    }, async () => {
      const { METHODS } = await import("../engine/extraction/extractors.ts");
      const data = METHODS.map(({ method, name }) => ({ value: method, label: name }));
      return { data, count: data.length };
    })
    .post("/extract", {
      waitsForOthers: true,
      bodyBytesMax: EXTRACT_BYTES_MAX,
      body: ExtractRequest,
      answer: one(
        ExtractReport,
        "Everything that the page says about its price; nothing is stored",
      ),
    }, ({ ctx, body }) => extractPage(ctx, deps, body, errorsOf))
    .get("/competitor-products/{id}/page", {
      answer: one(
        UnsurePage,
        "The last page of the link without a price or with a confidence below 0.9, with all its prices",
      ),
    }, ({ ctx, id }) => readUnsurePage(ctx, id))
    .get("/competitors/{id}/fetch-days", {
      answer: one(FetchDays, "The fetches from the shop by day"),
    }, ({ ctx, id }) => readFetchDays(ctx, id))
    .get("/fetches", {
      answer: one(ShopFetches, "The fetches from all enabled shops by hour and by day"),
    }, ({ ctx }) => readFetches(ctx))
    .post("/competitor-products/preview", {
      waitsForOthers: true,
      body: PreviewRequest,
      answer: one(Preview, "The content of the page; nothing is stored"),
    }, ({ ctx, body }) => previewPage(ctx, deps, body, errorsOf)).routes;
}

export function recipeRoutes(deps: ScrapeDeps) {
  return resource("/competitors/{id}/recipe", {
    read: { people: viewer },
    change: { people: manager },
    tags,
  })
    .get("", {
      answer: one(RecipeAnswer, "The recipe, and the progress of learning"),
    }, ({ ctx, id }) => readRecipe(ctx, id))
    .post("/teach", {
      waitsForOthers: true,
      body: TeachRequest,
      answer: one(Teaching, "The place, tried on further pages; not saved yet"),
    }, ({ ctx, id, body }) => teachRecipe(ctx, deps, id, body))
    .put("", {
      body: SaveRecipe,
      answer: one(RecipeAnswer, "The current recipe"),
    }, ({ ctx, id, body }) => saveRecipe(ctx, id, body))
    .post("/relearn", {
      answer: one(RecipeAnswer, "The learned recipe; further pages are used as they are visited"),
      status: 202,
    }, ({ ctx, id }) => relearnRecipe(ctx, id))
    .delete("", {
      answer: done("The recipe and the pages that taught it are deleted"),
    }, ({ ctx, id }) => deleteRecipe(ctx, id)).routes;
}

const START_WORDS = "The lines are checked in the background, with the usual delays at each shop";
const ACCEPT_WORDS = "The result so far; the remaining lines are linked in the background";
const TABLE_WORDS = "All checked lines as a table";

export function linkCheckRoutes({ delayMs }: ScrapeDeps, kind: JobKind<CheckJob>) {
  const tags = ["Link checks"];
  const location = ({ jobId }: { readonly jobId: string }) => `/link-checks/${jobId}`;
  return resource("/link-checks", {
    read: { people: viewer, keys: anyKey },
    change: { people: manager, keys: keyWith("matches:write") },
    tags,
  })
    .post("", {
      takesText: true,
      bodyBytesMax: CHECK_BYTES_MAX,
      description:
        `${START_WORDS}. As \`text/csv\` or \`text/plain\` the body is the value of \`text\``,
      body: LinkCheckRequest,
      answer: one(StartedLinkCheck, START_WORDS),
      status: 202,
      location,
    }, async ({ ctx, body }) => ({ jobId: await startCheck(ctx, body) }))
    .list({
      query: ChecksQuery,
      answer: page(LinkCheck, "Checks, newest first"),
    }, ({ ctx, query }) => pageOfChecks(ctx, query, delayMs))
    .get("/{jobId}", {
      answer: one(LinkCheck, "The check"),
    }, ({ ctx, jobId }) => readCheck(ctx, jobId, delayMs))
    .get("/{jobId}/lines", {
      query: CheckLinesQuery,
      answer: page(CheckLine, "Checked lines, by outcome and number"),
    }, ({ ctx, jobId, query }) => pageOfLines(ctx, jobId, query))
    .files("/{jobId}/lines", {
      tags,
      query: CheckTableFilter,
      words: TABLE_WORDS,
      external: TABLE_WORDS,
      open: (ctx, filter, { jobId }) => linesTable(ctx, jobId, filter),
    })
    .post("/{jobId}/accept", {
      waitsForOthers: true,
      body: AcceptLines,
      answer: one(AcceptedLines, ACCEPT_WORDS),
    }, ({ ctx, jobId, body }) => acceptLines(ctx, jobId, body))
    .post("/{jobId}/drop", {
      body: DropLines,
      answer: one(DroppedLines, "Number of dropped or restored lines"),
    }, async ({ ctx, jobId, body }) => ({ changed: await dropLines(ctx, jobId, body) }))
    .get("/{jobId}/shops", {
      answer: one(MissingShops, "Unknown shops of open lines"),
    }, ({ ctx, jobId }) => readMissingShops(ctx, jobId))
    .post("/{jobId}/shops", {
      optionalBody: NewShops,
      answer: one(MadeShops, "The new shops, and the new check of their lines"),
      status: 202,
      location,
    }, ({ ctx, jobId, body }) => makeShops(ctx, jobId, body))
    .post("/{jobId}/cancel", {
      waitsForOthers: true,
      answer: one(LinkCheck, "The check; its results so far stay"),
    }, ({ ctx, jobId }) => cancelCheck(ctx, kind, jobId, delayMs)).routes;
}
