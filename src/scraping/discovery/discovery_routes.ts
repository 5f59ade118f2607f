/** How shops' pages are found, and what they may be, on both interfaces (docs/decisions/discovery.md). */

import { anyKey, keyWith, listFiles, manager, viewer } from "../../accounts/route_access.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import {
  bothFaces,
  documentIn,
  type Face,
  pageIn,
  told,
  toldPage,
} from "../../platform/http/face.ts";
import {
  ignoring,
  jsonAnswer,
  jsonBody,
  optionalJsonBody,
  room,
  route,
} from "../../platform/http/http.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import { CSV_CONTENT, tableResponse } from "../../platform/tables/table_answer.ts";
import { Discovery, DiscoverySettings } from "../../shops/discovery/discovery.ts";
import {
  acceptSuggestion,
  decideSuggestions,
  rejectSuggestion,
  reopenSuggestion,
} from "../suggestions/decide_suggestion.ts";
import {
  countOpenSuggestions,
  listSuggestions,
  readSuggestion,
} from "../suggestions/list_suggestions.ts";
import {
  AcceptRequest,
  BulkOutcome,
  BulkRequest,
  MatchSuggestion,
  RejectRequest,
  SuggestionCounts,
  SuggestionQuery,
} from "../suggestions/match_suggestion.ts";
import { changeDiscovery, readDiscovery, steerDiscovery } from "./change_discovery.ts";
import type { DiscoveryJob } from "./discovery_job.ts";
import {
  KnownPage,
  KnownPagesFilter,
  KnownPagesQuery,
  knownPagesTable,
  KnownPagesTableQuery,
  listKnownPages,
} from "./list_pages.ts";
import { z } from "@hono/zod-openapi";

export interface DiscoveryRouteDeps {
  readonly kind: JobKind<DiscoveryJob>;
  /** Private addresses that URLs may lead to all the same; empty in production. */
  readonly allowed: AddressAllowList;
}

const tags = ["Discovery"];
const params = z.object({ id: z.string() });

const pageFiles = listFiles({
  path: "/api/competitors/{id}/discovery/pages",
  access: viewer,
  tags,
  params,
  query: KnownPagesFilter,
  describes: "All pages that fit, in no order",
  open: (ctx, wanted, { id }) => knownPagesTable(ctx, id, wanted),
});

const publicPagesTable = route({
  method: "get",
  path: "/api/public/v1/competitors/{id}/discovery/pages.csv",
  access: anyKey,
  tags,
  request: { params, query: KnownPagesTableQuery },
  responses: { 200: { description: "All pages that fit, as a table", content: CSV_CONTENT } },
});

const publicPageFile = room().openapi(publicPagesTable, async (c) => {
  const { dialect, ...wanted } = c.req.valid("query");
  const found = await knownPagesTable(c.var.ctx, c.req.valid("param").id, wanted);
  return tableResponse(found, { format: "csv", dialect });
});

const FACES = bothFaces({
  look: viewer,
  change: manager,
  pageFiles,
  outcomes: z.object({ results: z.array(BulkOutcome) }),
}, {
  look: anyKey,
  change: keyWith("matches:write"),
  pageFiles: publicPageFile,
  outcomes: z.object({ data: z.array(BulkOutcome), count: z.int() }),
});

type DiscoveryFace = (typeof FACES)[number];

function described<T extends z.ZodType>(face: Face, schema: T, words: string) {
  return { 200: jsonAnswer(documentIn(face, schema, words), words) };
}

/** What a shop's discovery is told to do, and what that is called where it is noted. */
const STEERINGS = [["run", "run"], ["pause", "pause"], ["resume", "unpause"]] as const;
type Steering = (typeof STEERINGS)[number][0];

/** Of the shop. */
function declaredOfShop(face: DiscoveryFace) {
  const { look, change } = face;
  const path = `${face.base}/competitors/{id}/discovery` as const;
  const responses = described(face, Discovery, "The settings, and how far it has come");
  return {
    read: route({ method: "get", path, access: look, tags, request: { params }, responses }),
    change: route({
      method: "put",
      path,
      access: change,
      tags,
      request: { params, body: jsonBody(ignoring(["state"], DiscoverySettings)) },
      responses,
    }),
    steer: (name: Steering) =>
      route({
        method: "post",
        path: `${path}/${name}`,
        access: change,
        tags,
        request: { params },
        responses,
      }),
    pages: route({
      method: "get",
      path: `${path}/pages`,
      access: look,
      tags,
      request: { params, query: KnownPagesQuery },
      responses: {
        200: jsonAnswer(pageIn(face, KnownPage), "Pages that show a product, in no order"),
      },
    }),
  };
}

/** Of the pages that may show products. */
function declaredOfSuggestions(face: DiscoveryFace) {
  const { look, change, outcomes } = face;
  const path = `${face.base}/match-suggestions` as const;
  const responses = described(face, MatchSuggestion, "The suggestion as it is now");
  return {
    list: route({
      method: "get",
      path,
      access: look,
      tags,
      request: { query: SuggestionQuery },
      responses: { 200: jsonAnswer(pageIn(face, MatchSuggestion), "One page, the newest first") },
    }),
    counts: route({
      method: "get",
      path: `${path}/counts`,
      access: look,
      tags,
      responses: described(face, SuggestionCounts, "How many wait, by how sure they are"),
    }),
    readOne: route({
      method: "get",
      path: `${path}/{id}`,
      access: look,
      tags,
      request: { params },
      responses,
    }),
    accept: route({
      method: "post",
      path: `${path}/{id}/accept`,
      access: change,
      tags,
      request: { params, body: optionalJsonBody(AcceptRequest) },
      responses,
    }),
    reject: route({
      method: "post",
      path: `${path}/{id}/reject`,
      access: change,
      tags,
      request: { params, body: optionalJsonBody(RejectRequest) },
      responses,
    }),
    reopen: route({
      method: "post",
      path: `${path}/{id}/reopen`,
      access: change,
      tags,
      request: { params },
      responses,
    }),
    bulk: route({
      method: "post",
      path: `${path}/bulk`,
      access: change,
      tags,
      request: { body: jsonBody(BulkRequest) },
      responses: { 200: jsonAnswer(outcomes, "What came of each") },
    }),
  };
}

/** Reading for viewers and keys; changing for managers, and for keys that may write links. */
export function discoveryRoutes(deps: DiscoveryRouteDeps) {
  return FACES.map((face) => routesOf(face, deps));
}

function routesOf(face: DiscoveryFace, { kind, allowed }: DiscoveryRouteDeps) {
  const { read, change, steer, pages } = declaredOfShop(face);
  const { list, counts, readOne, accept, reject, reopen, bulk } = declaredOfSuggestions(face);
  const routes = room()
    .openapi(read, async (c) => {
      return c.json(told(face, await readDiscovery(c.var.ctx, c.req.valid("param").id)), 200);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const changed = await changeDiscovery(c.var.ctx, kind, id, c.req.valid("json"));
      return c.json(told(face, changed), 200);
    });
  for (const [name, deed] of STEERINGS) {
    routes.openapi(steer(name), async (c) => {
      const { id } = c.req.valid("param");
      return c.json(told(face, await steerDiscovery(c.var.ctx, kind, id, deed)), 200);
    });
  }
  return routes
    .openapi(list, async (c) => {
      return c.json(toldPage(face, await listSuggestions(c.var.ctx, c.req.valid("query"))), 200);
    })
    .openapi(pages, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(toldPage(face, await listKnownPages(c.var.ctx, id, c.req.valid("query"))), 200);
    })
    .route("/", face.pageFiles)
    .openapi(bulk, async (c) => {
      const results = await decideSuggestions(c.var.ctx, c.req.valid("json"), allowed);
      return c.json(face.isEnveloped ? { data: results, count: results.length } : { results }, 200);
    })
    .openapi(counts, async (c) => c.json(told(face, await countOpenSuggestions(c.var.ctx)), 200))
    .openapi(reopen, async (c) => {
      return c.json(told(face, await reopenSuggestion(c.var.ctx, c.req.valid("param").id)), 200);
    })
    .openapi(readOne, async (c) => {
      return c.json(told(face, await readSuggestion(c.var.ctx, c.req.valid("param").id)), 200);
    })
    .openapi(accept, async (c) => {
      const { id } = c.req.valid("param");
      const accepted = await acceptSuggestion(c.var.ctx, id, c.req.valid("json"), allowed);
      return c.json(told(face, accepted), 200);
    })
    .openapi(reject, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(told(face, await rejectSuggestion(c.var.ctx, id, c.req.valid("json"))), 200);
    });
}
