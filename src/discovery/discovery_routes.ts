/** How shops' pages are found, and what they may be, on both interfaces (docs/decisions/discovery.md). */
import { z } from "@hono/zod-openapi";
import { Discovery, DiscoverySettings } from "../competitors/discovery/discovery.ts";
import { answerCsv, answerWorkbook } from "../identity/answer_table.ts";
import type { AddressAllowList } from "../platform/fetch/address_guard.ts";
import { ignoring, jsonBody, optionalJsonBody, room, route } from "../platform/http/http.ts";
import { fileRoutes } from "../platform/http/list_file.ts";
import type { JobKind } from "../platform/jobs/job.ts";
import { CSV_CONTENT } from "../platform/tables/table_answer.ts";
import {
  type Face,
  FACES,
  pageAnswer,
  READERS,
  tellingOn,
  twinRoutes,
  WRITERS,
} from "../scraping/route_twins.ts";
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
  // The documents have the operations in this order.
  return [
    ...FACES.map((face) => lookingRoutes(face, kind)),
    tableRoutes(),
    ...FACES.map((face) => decidingRoutes(face, allowed)),
  ];
}

function lookingRoutes(face: Face, kind: JobKind<DiscoveryJob>) {
  const { tellOne, tellPage } = tellingOn(face);
  return room()
    .openapi(read[face], async (c) => {
      return tellOne(c, await readDiscovery(c.var.ctx, c.req.valid("param").id));
    })
    .openapi(change[face], async (c) => {
      const { id } = c.req.valid("param");
      return tellOne(c, await changeDiscovery(c.var.ctx, kind, id, c.req.valid("json")));
    })
    .openapi(run[face], async (c) => {
      return tellOne(c, await steerDiscovery(c.var.ctx, kind, c.req.valid("param").id, "run"));
    })
    .openapi(pause[face], async (c) => {
      return tellOne(c, await steerDiscovery(c.var.ctx, kind, c.req.valid("param").id, "pause"));
    })
    .openapi(resume[face], async (c) => {
      return tellOne(c, await steerDiscovery(c.var.ctx, kind, c.req.valid("param").id, "unpause"));
    })
    .openapi(list[face], async (c) => {
      return tellPage(c, await listSuggestions(c.var.ctx, c.req.valid("query")));
    })
    .openapi(pages[face], async (c) => {
      const { id } = c.req.valid("param");
      return tellPage(c, await listKnownPages(c.var.ctx, id, c.req.valid("query")));
    });
}

function decidingRoutes(face: Face, allowed: AddressAllowList) {
  const { tellOne } = tellingOn(face);
  return room()
    .openapi(bulk[face], async (c) => {
      const results = await decideSuggestions(c.var.ctx, c.req.valid("json"), allowed);
      return c.json(face === "inApp" ? { results } : { data: results, count: results.length }, 200);
    })
    .openapi(counts[face], async (c) => tellOne(c, await countOpenSuggestions(c.var.ctx)))
    .openapi(reopen[face], async (c) => {
      return tellOne(c, await reopenSuggestion(c.var.ctx, c.req.valid("param").id));
    })
    .openapi(readOne[face], async (c) => {
      return tellOne(c, await readSuggestion(c.var.ctx, c.req.valid("param").id));
    })
    .openapi(accept[face], async (c) => {
      const { id } = c.req.valid("param");
      return tellOne(c, await acceptSuggestion(c.var.ctx, id, c.req.valid("json"), allowed));
    })
    .openapi(reject[face], async (c) => {
      const { id } = c.req.valid("param");
      return tellOne(c, await rejectSuggestion(c.var.ctx, id, c.req.valid("json")));
    });
}

function tableRoutes() {
  return room()
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
    });
}
