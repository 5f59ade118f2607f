/** Discovery and suggestions on both interfaces (docs/decisions/discovery.md). */
import type { z } from "@hono/zod-openapi";
import { Discovery, DiscoverySettings } from "../../shops/discovery/discovery_store.ts";
import { anyKey, keyWith, manager, viewer } from "../../accounts/route_access.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import { one, page, whole } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import type { JobKind } from "../../platform/jobs/job.ts";
import { changeDiscovery, readDiscovery, steerDiscovery } from "./change_discovery.ts";
import {
  KnownPage,
  KnownPagesFilter,
  KnownPagesQuery,
  knownPagesTable,
  listKnownPages,
} from "./list_pages.ts";
import {
  acceptSuggestion,
  decideSuggestions,
  rejectSuggestion,
  reopenSuggestion,
} from "../suggestions/decide_suggestion.ts";
import {
  AcceptRequest,
  BulkOutcome,
  BulkRequest,
  countOpenSuggestions,
  listSuggestions,
  MatchSuggestion,
  readSuggestion,
  RejectRequest,
  SuggestionCounts,
  SuggestionQuery,
} from "../suggestions/list_suggestions.ts";
import type { DiscoveryJob } from "./discovery_job.ts";

interface DiscoveryRouteDeps {
  readonly kind: JobKind<DiscoveryJob>;
  /** Private addresses that URLs may use as an exception; empty in production. */
  readonly allowed: AddressAllowList;
}

/** Actions on a shop's discovery, and their names in the audit log. */
const STEERINGS = [["run", "run"], ["pause", "pause"], ["resume", "unpause"]] as const;

const tags = ["Discovery"];
const described = <S extends z.ZodType>(schema: S, words: string) => one(schema, words, { words });

export function discoveryRoutes({ kind, allowed }: DiscoveryRouteDeps) {
  const settings = described(Discovery, "The settings, and how far it has come");
  const suggestion = described(MatchSuggestion, "The suggestion as it is now");
  const routes = resource("", {
    look: { people: viewer, keys: anyKey },
    change: { people: manager, keys: keyWith("matches:write") },
    tags,
    readOnly: ["state"],
  })
    .get("/competitors/{id}/discovery", {
      answer: settings,
    }, ({ ctx, id }) => readDiscovery(ctx, id))
    .put("/competitors/{id}/discovery", {
      isDocument: true,
      body: DiscoverySettings,
      answer: settings,
    }, ({ ctx, id, body }) => changeDiscovery(ctx, kind, id, body));
  for (const [name, action] of STEERINGS) {
    routes.post(`/competitors/{id}/discovery/${name}`, {
      answer: settings,
    }, ({ ctx, id }) => steerDiscovery(ctx, kind, id, action));
  }
  return routes
    .get("/match-suggestions", {
      query: SuggestionQuery,
      answer: page(MatchSuggestion, "One page, newest first"),
    }, ({ ctx, query }) => listSuggestions(ctx, query))
    .get("/competitors/{id}/discovery/pages", {
      query: KnownPagesQuery,
      answer: page(KnownPage, "Pages that show a product, in no particular order"),
    }, ({ ctx, id, query }) => listKnownPages(ctx, id, query))
    .files("/competitors/{id}/discovery/pages", {
      tags,
      query: KnownPagesFilter,
      words: "All pages that fit, in no order",
      external: "All pages that fit, as a table",
      open: (ctx, wanted, { id }) => knownPagesTable(ctx, id, wanted),
    })
    .post("/match-suggestions/bulk", {
      body: BulkRequest,
      answer: whole(BulkOutcome, "The result for each suggestion", { field: "results" }),
    }, ({ ctx, body }) => decideSuggestions(ctx, body, allowed))
    .get("/match-suggestions/counts", {
      answer: described(SuggestionCounts, "How many wait, by how sure they are"),
    }, ({ ctx }) => countOpenSuggestions(ctx))
    .post("/match-suggestions/{id}/reopen", {
      answer: suggestion,
    }, ({ ctx, id }) => reopenSuggestion(ctx, id))
    .get("/match-suggestions/{id}", {
      answer: suggestion,
    }, ({ ctx, id }) => readSuggestion(ctx, id))
    .post("/match-suggestions/{id}/accept", {
      optionalBody: AcceptRequest,
      answer: suggestion,
    }, ({ ctx, id, body }) => acceptSuggestion(ctx, id, body, allowed))
    .post("/match-suggestions/{id}/reject", {
      optionalBody: RejectRequest,
      answer: suggestion,
    }, ({ ctx, id, body }) => rejectSuggestion(ctx, id, body)).routes;
}
