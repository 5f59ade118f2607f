/** How shops' pages are found, and what they may be, on both interfaces (docs/decisions/discovery.md). */
import { z } from "@hono/zod-openapi";
import { Discovery, DiscoverySettings } from "../competitors/discovery/discovery.ts";
import { answerCsv, answerWorkbook } from "../identity/answer_table.ts";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import { ignoring, jsonBody, optionalJsonBody, room, route } from "../platform/http/http.ts";
import { fileRoutes } from "../platform/http/list_file.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { CSV_CONTENT } from "../platform/tables/table_answer.ts";
import { pageAnswer, READERS, twinRoutes, WRITERS } from "../scraping/route_twins.ts";
import { changeDiscovery, readDiscovery, steerDiscovery } from "./change_discovery.ts";
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
const shopPath = "/competitors/{id}/discovery";
const listPath = "/match-suggestions";

/** One thing, of which the document says the same by key, where it is the `data` of the answer. */
const one = <T extends z.ZodType>(schema: T, words: string) => ({
  inApp: schema,
  byKey: z.object({ data: schema.meta({ description: words }) }),
  words,
});
const discovery = one(Discovery, "The settings, and how far it has come");
const suggestion = one(MatchSuggestion, "The suggestion as it is now");
const plain = { method: "post", tags, request: { params } } as const;

const read = twinRoutes(READERS, shopPath, { ...plain, method: "get" }, discovery);
const change = twinRoutes(
  WRITERS,
  shopPath,
  { method: "put", tags, request: { params, body: jsonBody(Settings) } },
  discovery,
);
const run = twinRoutes(WRITERS, `${shopPath}/run`, plain, discovery);
const pause = twinRoutes(WRITERS, `${shopPath}/pause`, plain, discovery);
const resume = twinRoutes(WRITERS, `${shopPath}/resume`, plain, discovery);

const pages = twinRoutes(
  READERS,
  `${shopPath}/pages`,
  { method: "get", tags, request: { params, query: KnownPagesQuery } },
  pageAnswer(KnownPage, "Pages that show a product, in no order"),
);
const pageFiles = fileRoutes({
  path: `/api${shopPath}/pages`,
  access: READERS.inApp,
  tags,
  params,
  query: KnownPagesFilter,
  describes: "All pages that fit, in no order",
});
const publicPagesTable = route({
  method: "get",
  path: `/api/public/v1${shopPath}/pages.csv`,
  access: READERS.byKey,
  tags,
  request: { params, query: KnownPagesTableQuery },
  responses: { 200: { description: "All pages that fit, as a table", content: CSV_CONTENT } },
});

const list = twinRoutes(
  READERS,
  listPath,
  { method: "get", tags, request: { query: SuggestionQuery } },
  pageAnswer(MatchSuggestion, "One page, the newest first"),
);
const counts = twinRoutes(
  READERS,
  `${listPath}/counts`,
  { method: "get", tags },
  one(SuggestionCounts, "How many wait, by how sure they are"),
);
const readOne = twinRoutes(READERS, `${listPath}/{id}`, { ...plain, method: "get" }, suggestion);
const accept = twinRoutes(
  WRITERS,
  `${listPath}/{id}/accept`,
  { method: "post", tags, request: { params, body: optionalJsonBody(AcceptRequest) } },
  suggestion,
);
const reject = twinRoutes(
  WRITERS,
  `${listPath}/{id}/reject`,
  { method: "post", tags, request: { params, body: optionalJsonBody(RejectRequest) } },
  suggestion,
);
const reopen = twinRoutes(WRITERS, `${listPath}/{id}/reopen`, plain, suggestion);
const bulk = twinRoutes(
  WRITERS,
  `${listPath}/bulk`,
  { method: "post", tags, request: { body: jsonBody(BulkRequest) } },
  {
    inApp: z.object({ results: z.array(BulkOutcome) }),
    byKey: z.object({ data: z.array(BulkOutcome), count: z.int() }),
    words: "What came of each",
  },
);

/** Reading for viewers and keys; changing for managers, and for keys that may write links. */
export function discoveryRoutes({ kind, allowed }: DiscoveryRouteDeps) {
  return room()
    .openapi(read.inApp, async (c) => {
      return c.json(await readDiscovery(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(read.byKey, async (c) => {
      return c.json({ data: await readDiscovery(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(change.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await changeDiscovery(c.var.ctx, kind, id, c.req.valid("json")), 200);
    })
    .openapi(change.byKey, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await changeDiscovery(c.var.ctx, kind, id, c.req.valid("json")) }, 200);
    })
    .openapi(run.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await steerDiscovery(c.var.ctx, kind, id, "run"), 200);
    })
    .openapi(run.byKey, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await steerDiscovery(c.var.ctx, kind, id, "run") }, 200);
    })
    .openapi(pause.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await steerDiscovery(c.var.ctx, kind, id, "pause"), 200);
    })
    .openapi(pause.byKey, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await steerDiscovery(c.var.ctx, kind, id, "pause") }, 200);
    })
    .openapi(resume.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await steerDiscovery(c.var.ctx, kind, id, "unpause"), 200);
    })
    .openapi(resume.byKey, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await steerDiscovery(c.var.ctx, kind, id, "unpause") }, 200);
    })
    .openapi(list.inApp, async (c) => {
      return c.json(await listSuggestions(c.var.ctx, c.req.valid("query")), 200);
    })
    .openapi(list.byKey, async (c) => {
      const { items, ...page } = await listSuggestions(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(pages.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await listKnownPages(c.var.ctx, id, c.req.valid("query")), 200);
    })
    .openapi(pages.byKey, async (c) => {
      const { id } = c.req.valid("param");
      const { items, ...page } = await listKnownPages(c.var.ctx, id, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(pageFiles.csv, async (c) => {
      const { dialect, lang, ...wanted } = c.req.valid("query");
      const found = await knownPagesTable(c.var.ctx, c.req.param("id"), wanted);
      return answerCsv(found, { dialect, lang });
    })
    .openapi(pageFiles.xlsx, async (c) => {
      const { lang, ...wanted } = c.req.valid("query");
      const found = await knownPagesTable(c.var.ctx, c.req.param("id"), wanted);
      return await answerWorkbook(c.var.ctx, found, lang);
    })
    .openapi(publicPagesTable, async (c) => {
      const { dialect, ...wanted } = c.req.valid("query");
      const found = await knownPagesTable(c.var.ctx, c.req.valid("param").id, wanted);
      return answerCsv(found, { dialect });
    })
    .openapi(bulk.inApp, async (c) => {
      const results = await decideSuggestions(c.var.ctx, c.req.valid("json"), allowed);
      return c.json({ results }, 200);
    })
    .openapi(bulk.byKey, async (c) => {
      const data = await decideSuggestions(c.var.ctx, c.req.valid("json"), allowed);
      return c.json({ data, count: data.length }, 200);
    })
    .openapi(counts.inApp, async (c) => c.json(await countOpenSuggestions(c.var.ctx), 200))
    .openapi(counts.byKey, async (c) => {
      return c.json({ data: await countOpenSuggestions(c.var.ctx) }, 200);
    })
    .openapi(reopen.inApp, async (c) => {
      return c.json(await reopenSuggestion(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(reopen.byKey, async (c) => {
      return c.json({ data: await reopenSuggestion(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(readOne.inApp, async (c) => {
      return c.json(await readSuggestion(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(readOne.byKey, async (c) => {
      return c.json({ data: await readSuggestion(c.var.ctx, c.req.valid("param").id) }, 200);
    })
    .openapi(accept.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await acceptSuggestion(c.var.ctx, id, c.req.valid("json"), allowed), 200);
    })
    .openapi(accept.byKey, async (c) => {
      const { id } = c.req.valid("param");
      const data = await acceptSuggestion(c.var.ctx, id, c.req.valid("json"), allowed);
      return c.json({ data }, 200);
    })
    .openapi(reject.inApp, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await rejectSuggestion(c.var.ctx, id, c.req.valid("json")), 200);
    })
    .openapi(reject.byKey, async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ data: await rejectSuggestion(c.var.ctx, id, c.req.valid("json")) }, 200);
    });
}
