/** How shops' pages are found, and what they may be, on both interfaces (docs/decisions/discovery.md). */
import { z } from "@hono/zod-openapi";
import { Discovery, DiscoverySettings } from "../competitors/discovery/discovery.ts";
import { listFiles } from "../identity/list_files.ts";
import { manager, viewer } from "../identity/route_access.ts";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import {
  dataPageOf,
  ignoring,
  jsonAnswer,
  jsonBody,
  optionalJsonBody,
  pageOf,
  room,
  route,
} from "../platform/http/http.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { CSV_CONTENT, tableResponse } from "../platform/tables/table_answer.ts";
import {
  changeDiscovery,
  pauseDiscovery,
  readDiscovery,
  resumeDiscovery,
  runDiscovery,
} from "./change_discovery.ts";
import {
  KnownPage,
  KnownPagesFilter,
  KnownPagesQuery,
  knownPagesTable,
  KnownPagesTableQuery,
  listKnownPages,
} from "./list_pages.ts";
import {
  acceptSuggestion,
  decideSuggestions,
  rejectSuggestion,
  reopenSuggestion,
} from "./suggestions/decide_suggestion.ts";
import {
  countOpenSuggestions,
  listSuggestions,
  readSuggestion,
} from "./suggestions/list_suggestions.ts";
import {
  AcceptRequest,
  BulkOutcome,
  BulkRequest,
  MatchSuggestion,
  RejectRequest,
  SuggestionCounts,
  SuggestionQuery,
} from "./suggestions/match_suggestion.ts";
import type { DiscoveryJob } from "./jobs/discovery_job.ts";

export interface DiscoveryRouteDeps {
  readonly kind: JobKind<DiscoveryJob>;
  /** Private addresses that URLs may lead to all the same; empty in production. */
  readonly allowed: AddressAllowList;
}

const tags = ["Discovery"];
const params = z.object({ id: z.string() });
const Settings = ignoring(["state"], DiscoverySettings);
const byKey = { by: "key", scopes: [] } as const;
const byWritingKey = { by: "key", scopes: ["matches:write"] } as const;
const shopPath = "/api/competitors/{id}/discovery" as const;
const publicShopPath = "/api/public/v1/competitors/{id}/discovery" as const;
const listPath = "/api/match-suggestions" as const;
const publicListPath = "/api/public/v1/match-suggestions" as const;

const shopAnswer = { 200: jsonAnswer(Discovery, "The settings, and how far it has come") };
const publicShopAnswer = {
  200: jsonAnswer(
    z.object({ data: Discovery.meta({ description: "The settings, and how far it has come" }) }),
    "The settings, and how far it has come",
  ),
};
const one = { 200: jsonAnswer(MatchSuggestion, "The suggestion as it is now") };
const publicOne = {
  200: jsonAnswer(
    z.object({ data: MatchSuggestion.meta({ description: "The suggestion as it is now" }) }),
    "The suggestion as it is now",
  ),
};

const read = route({
  method: "get",
  path: shopPath,
  access: viewer,
  tags,
  request: { params },
  responses: shopAnswer,
});
const publicRead = route({
  method: "get",
  path: publicShopPath,
  access: byKey,
  tags,
  request: { params },
  responses: publicShopAnswer,
});
const change = route({
  method: "put",
  path: shopPath,
  access: manager,
  tags,
  request: { params, body: jsonBody(Settings) },
  responses: shopAnswer,
});
const publicChange = route({
  method: "put",
  path: publicShopPath,
  access: byWritingKey,
  tags,
  request: { params, body: jsonBody(Settings) },
  responses: publicShopAnswer,
});
const run = route({
  method: "post",
  path: `${shopPath}/run`,
  access: manager,
  tags,
  request: { params },
  responses: shopAnswer,
});
const publicRun = route({
  method: "post",
  path: `${publicShopPath}/run`,
  access: byWritingKey,
  tags,
  request: { params },
  responses: publicShopAnswer,
});
const pause = route({
  method: "post",
  path: `${shopPath}/pause`,
  access: manager,
  tags,
  request: { params },
  responses: shopAnswer,
});
const publicPause = route({
  method: "post",
  path: `${publicShopPath}/pause`,
  access: byWritingKey,
  tags,
  request: { params },
  responses: publicShopAnswer,
});
const resume = route({
  method: "post",
  path: `${shopPath}/resume`,
  access: manager,
  tags,
  request: { params },
  responses: shopAnswer,
});
const publicResume = route({
  method: "post",
  path: `${publicShopPath}/resume`,
  access: byWritingKey,
  tags,
  request: { params },
  responses: publicShopAnswer,
});

const pages = route({
  method: "get",
  path: `${shopPath}/pages`,
  access: viewer,
  tags,
  request: { params, query: KnownPagesQuery },
  responses: { 200: jsonAnswer(pageOf(KnownPage), "Pages that show a product, in no order") },
});
const publicPages = route({
  method: "get",
  path: `${publicShopPath}/pages`,
  access: byKey,
  tags,
  request: { params, query: KnownPagesQuery },
  responses: { 200: jsonAnswer(dataPageOf(KnownPage), "Pages that show a product, in no order") },
});
const pageFiles = listFiles({
  path: `${shopPath}/pages`,
  access: viewer,
  tags,
  params,
  query: KnownPagesFilter,
  describes: "All pages that fit, in no order",
  open: (ctx, wanted, { id }) => knownPagesTable(ctx, id, wanted),
});
const publicPagesTable = route({
  method: "get",
  path: `${publicShopPath}/pages.csv`,
  access: byKey,
  tags,
  request: { params, query: KnownPagesTableQuery },
  responses: { 200: { description: "All pages that fit, as a table", content: CSV_CONTENT } },
});

const list = route({
  method: "get",
  path: listPath,
  access: viewer,
  tags,
  request: { query: SuggestionQuery },
  responses: { 200: jsonAnswer(pageOf(MatchSuggestion), "One page, the newest first") },
});
const publicList = route({
  method: "get",
  path: publicListPath,
  access: byKey,
  tags,
  request: { query: SuggestionQuery },
  responses: { 200: jsonAnswer(dataPageOf(MatchSuggestion), "One page, the newest first") },
});
const COUNTS_WORDS = "How many wait, by how sure they are";
const counts = route({
  method: "get",
  path: `${listPath}/counts`,
  access: viewer,
  tags,
  responses: { 200: jsonAnswer(SuggestionCounts, COUNTS_WORDS) },
});
const publicCounts = route({
  method: "get",
  path: `${publicListPath}/counts`,
  access: byKey,
  tags,
  responses: {
    200: jsonAnswer(
      z.object({ data: SuggestionCounts.meta({ description: COUNTS_WORDS }) }),
      COUNTS_WORDS,
    ),
  },
});
const readOne = route({
  method: "get",
  path: `${listPath}/{id}`,
  access: viewer,
  tags,
  request: { params },
  responses: one,
});
const publicReadOne = route({
  method: "get",
  path: `${publicListPath}/{id}`,
  access: byKey,
  tags,
  request: { params },
  responses: publicOne,
});
const accept = route({
  method: "post",
  path: `${listPath}/{id}/accept`,
  access: manager,
  tags,
  request: { params, body: optionalJsonBody(AcceptRequest) },
  responses: one,
});
const publicAccept = route({
  method: "post",
  path: `${publicListPath}/{id}/accept`,
  access: byWritingKey,
  tags,
  request: { params, body: optionalJsonBody(AcceptRequest) },
  responses: publicOne,
});
const reject = route({
  method: "post",
  path: `${listPath}/{id}/reject`,
  access: manager,
  tags,
  request: { params, body: optionalJsonBody(RejectRequest) },
  responses: one,
});
const publicReject = route({
  method: "post",
  path: `${publicListPath}/{id}/reject`,
  access: byWritingKey,
  tags,
  request: { params, body: optionalJsonBody(RejectRequest) },
  responses: publicOne,
});
const reopen = route({
  method: "post",
  path: `${listPath}/{id}/reopen`,
  access: manager,
  tags,
  request: { params },
  responses: one,
});
const publicReopen = route({
  method: "post",
  path: `${publicListPath}/{id}/reopen`,
  access: byWritingKey,
  tags,
  request: { params },
  responses: publicOne,
});
const bulk = route({
  method: "post",
  path: `${listPath}/bulk`,
  access: manager,
  tags,
  request: { body: jsonBody(BulkRequest) },
  responses: {
    200: jsonAnswer(z.object({ results: z.array(BulkOutcome) }), "What came of each"),
  },
});
const publicBulk = route({
  method: "post",
  path: `${publicListPath}/bulk`,
  access: byWritingKey,
  tags,
  request: { body: jsonBody(BulkRequest) },
  responses: {
    200: jsonAnswer(
      z.object({ data: z.array(BulkOutcome), count: z.int() }),
      "What came of each",
    ),
  },
});

/** Reading for viewers and keys; changing for managers, and for keys that may write links. */
export function discoveryRoutes({ kind, allowed }: DiscoveryRouteDeps) {
  return room()
    .openapi(read, async (c) => {
      return c.json(await readDiscovery(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(publicRead, async (c) => {
      return c.json({ data: await readDiscovery(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await changeDiscovery(c.var.ctx, kind, id, c.req.valid("json")), 200);
    })
    .openapi(publicChange, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await changeDiscovery(c.var.ctx, kind, id, c.req.valid("json")) }, 200);
    })
    .openapi(run, async (c) => {
      return c.json(await runDiscovery(c.var.ctx, kind, c.req.valid("param").id), 200);
    })
    .openapi(publicRun, async (c) => {
      return c.json({ data: await runDiscovery(c.var.ctx, kind, c.req.valid("param").id) }, 200);
    })
    .openapi(pause, async (c) => {
      return c.json(await pauseDiscovery(c.var.ctx, kind, c.req.valid("param").id), 200);
    })
    .openapi(publicPause, async (c) => {
      return c.json({ data: await pauseDiscovery(c.var.ctx, kind, c.req.valid("param").id) }, 200);
    })
    .openapi(resume, async (c) => {
      return c.json(await resumeDiscovery(c.var.ctx, kind, c.req.valid("param").id), 200);
    })
    .openapi(publicResume, async (c) => {
      return c.json({ data: await resumeDiscovery(c.var.ctx, kind, c.req.valid("param").id) }, 200);
    })
    .openapi(list, async (c) => {
      return c.json(await listSuggestions(c.var.ctx, c.req.valid("query")), 200);
    })
    .openapi(publicList, async (c) => {
      const { items, ...page } = await listSuggestions(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(pages, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await listKnownPages(c.var.ctx, id, c.req.valid("query")), 200);
    })
    .openapi(publicPages, async (c) => {
      const { id } = c.req.valid("param");
      const { items, ...page } = await listKnownPages(c.var.ctx, id, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .route("/", pageFiles)
    .openapi(publicPagesTable, async (c) => {
      const { dialect, ...wanted } = c.req.valid("query");
      const found = await knownPagesTable(c.var.ctx, c.req.valid("param").id, wanted);
      return tableResponse(found, { format: "csv", dialect });
    })
    .openapi(bulk, async (c) => {
      const results = await decideSuggestions(c.var.ctx, c.req.valid("json"), allowed);
      return c.json({ results }, 200);
    })
    .openapi(publicBulk, async (c) => {
      const data = await decideSuggestions(c.var.ctx, c.req.valid("json"), allowed);
      return c.json({ data, count: data.length }, 200);
    })
    .openapi(counts, async (c) => c.json(await countOpenSuggestions(c.var.ctx), 200))
    .openapi(publicCounts, async (c) => {
      return c.json({ data: await countOpenSuggestions(c.var.ctx) }, 200);
    })
    .openapi(reopen, async (c) => {
      return c.json(await reopenSuggestion(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(publicReopen, async (c) => {
      return c.json({ data: await reopenSuggestion(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(readOne, async (c) => {
      return c.json(await readSuggestion(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(publicReadOne, async (c) => {
      return c.json({ data: await readSuggestion(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(accept, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await acceptSuggestion(c.var.ctx, id, c.req.valid("json"), allowed), 200);
    })
    .openapi(publicAccept, async (c) => {
      const { id } = c.req.valid("param");
      const data = await acceptSuggestion(c.var.ctx, id, c.req.valid("json"), allowed);
      return c.json({ data }, 200);
    })
    .openapi(reject, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await rejectSuggestion(c.var.ctx, id, c.req.valid("json")), 200);
    })
    .openapi(publicReject, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await rejectSuggestion(c.var.ctx, id, c.req.valid("json")) }, 200);
    });
}
