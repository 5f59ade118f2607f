/** Declares the routes of discovery, found pages and suggestions (docs/decisions/discovery.md). */
import { z } from "@hono/zod-openapi";
import { anyKey, keyWith, manager, viewer } from "../../accounts/roles.ts";
import { gtin14 } from "../../base/codes.ts";
import { fold } from "../../base/text.ts";
import { type Columns, fields, openListTable } from "../../catalogue/lists/list_file.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import { one, page, whole } from "../../platform/http/answer.ts";
import { cursorAt, openCursor, type Page, pageQuery } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { momentCell, moneyCell } from "../../platform/tables/cell.ts";
import { Discovery, DiscoverySettings } from "../../shops/pages/discovery_store.ts";
import { type FoundPage, foundPages, ShopPage } from "../../shops/pages/found_page_store.ts";
import { placePages } from "../../shops/matches/match_store.ts";
import { requireCompetitor } from "../../shops/competitor_store.ts";
import {
  AcceptRequest,
  BulkOutcome,
  BulkRequest,
  countOpenSuggestions,
  decideSuggestion,
  decideSuggestions,
  listSuggestions,
  MatchSuggestion,
  readSuggestion,
  RejectRequest,
  SuggestionCounts,
  SuggestionQuery,
} from "../suggestions/list_suggestions.ts";
import {
  changeDiscovery,
  countSearchedShops,
  readDiscovery,
  steerDiscovery,
} from "./discovery_job.ts";

const KnownPage = ShopPage.extend({
  links: z.array(z.object({
    id: z.string().describe("Id of the link"),
    product: z.object({ id: z.string(), sku: z.string(), title: z.string() })
      .describe("Our product"),
  })).describe("Our products that are linked to the page"),
}).meta({ id: "KnownPage" });
export type KnownPage = Readonly<z.output<typeof KnownPage>>;

const filters = {
  q: z.string().max(200).optional()
    .describe("Words that must all be in title, brand, numbers or address"),
  gtin: z.string().max(20).optional().describe("Only pages with this GTIN"),
  linked: z.enum(["", "true", "false"]).optional()
    .describe("True: only linked pages; false: only unlinked ones"),
};

const KnownPagesQuery = z.strictObject({ ...filters, ...pageQuery(50, 200) });
const KnownPagesFilter = z.strictObject(filters);

type Filters = Pick<z.output<typeof KnownPagesQuery>, "q" | "gtin" | "linked">;

const READ_MAX = 20_000;
const PLACES = 1_000;

async function pageOf(
  ctx: Context,
  competitorId: string,
  links: ReadonlyMap<string, readonly Link[]>,
  { limit, cursor, ...wanted }: z.output<typeof KnownPagesQuery>,
): Promise<Page<KnownPage>> {
  const fits = fitting(wanted, links);
  const found: FoundPage[] = [];
  let after = openCursor(ctx, cursor, z.string().regex(/^[0-9a-f]{32}$/));
  let isMore = false;
  let read = 0;
  for await (const one of pagesAfter(ctx, competitorId, wanted.gtin || null, after)) {
    if (found.length === limit || read === READ_MAX) {
      isMore = true;
      break;
    }
    read++;
    after = one.urlHash;
    if (fits(one)) found.push(one);
  }
  const items = await toKnownPages(ctx, found, links);
  const nextCursor = isMore && after !== null ? cursorAt(ctx, after) : null;
  return { items, nextCursor, count: items.length };
}

async function* pagesAfter(
  workspace: WorkspaceStore,
  competitorId: string,
  gtin: string | null,
  after: string | null,
): AsyncGenerator<FoundPage> {
  const range = { within: { competitorId }, after: after === null ? null : { urlHash: after } };
  const found = gtin === null
    ? foundPages.walk(workspace, range)
    : foundPages.walkBy(workspace, "gtin", { gtin: gtin14(gtin) ?? "" }, range);
  for await (const { row } of found) yield row;
}

interface Link {
  readonly id: string;
  readonly productId: string;
}

async function linksOf(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<ReadonlyMap<string, readonly Link[]>> {
  await requireCompetitor(workspace, competitorId);
  const links = new Map<string, Link[]>();
  for await (const places of placePages(workspace, competitorId, PLACES)) {
    for (const { matchId: id, productId, urlHash } of places) {
      links.getOrInsertComputed(urlHash, () => []).push({ id, productId });
    }
  }
  return links;
}

function fitting(
  { q = "", linked }: Filters,
  links: ReadonlyMap<string, unknown>,
): (found: FoundPage) => boolean {
  const words = fold(q).split(/\s+/).filter((word) => word !== "");
  return ({ urlHash, page }) => {
    if (linked && links.has(urlHash) !== (linked === "true")) return false;
    if (words.length === 0) return true;
    const { title, brand, gtins, mpn, sku, url } = page;
    const text = fold([title, brand, ...gtins, mpn, sku, url].join("\n"));
    return words.every((word) => text.includes(word));
  };
}

async function toKnownPages(
  workspace: WorkspaceStore,
  found: readonly FoundPage[],
  links: ReadonlyMap<string, readonly Link[]>,
): Promise<KnownPage[]> {
  const ids = found.flatMap(({ urlHash }) => links.get(urlHash)?.map((one) => one.productId) ?? []);
  const documents = await findDocuments(workspace, [...new Set(ids)]);
  const products = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes)]));
  return found.map(({ urlHash, page }) => ({
    ...page,
    links: (links.get(urlHash) ?? []).flatMap(({ id, productId }) => {
      const product = products.get(productId);
      if (!product) return [];
      const { sku, title } = product;
      return [{ id, product: { id: productId, sku, title } }];
    }),
  }));
}

const COLUMNS: Columns<KnownPage> = {
  ...fields("url", "title", "brand"),
  gtins: ({ gtins }) => gtins.join(" "),
  ...fields("mpn", "sku"),
  condition: ({ condition }) => codeCell("conditions", condition),
  price: ({ price, currency }) => moneyCell(price, currency ?? ""),
  currency: ({ currency }) => currency,
  availability: ({ availability }) => codeCell("availabilities", availability),
  pack: ({ pack }) => pack,
  foundBy: ({ foundBy }) => codeCell("pageSources", foundBy),
  seenAt: ({ seenAt }) => momentCell(seenAt),
  ourSkus: ({ links }) => links.map(({ product }) => product.sku).join(" "),
};

const STEERINGS = [["run", "run"], ["pause", "pause"], ["resume", "unpause"]] as const;

const tags = ["Discovery"];
const described = <S extends z.ZodType>(schema: S, words: string) => one(schema, words, { words });

function settingsRoutes() {
  const settings = described(Discovery, "The settings, and how far it has come");
  const routes = resource("", {
    read: { people: viewer, keys: anyKey },
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
    }, ({ ctx, id, body }) => changeDiscovery(ctx, id, body));
  for (const [name, action] of STEERINGS) {
    routes.post(`/competitors/{id}/discovery/${name}`, {
      answer: settings,
    }, ({ ctx, id }) => steerDiscovery(ctx, id, action));
  }
  return routes;
}

export function discoveryRoutes(allowed: AddressAllowList) {
  const suggestion = described(MatchSuggestion, "The suggestion as it is now");
  return settingsRoutes()
    .get("/match-suggestions", {
      query: SuggestionQuery,
      answer: page(MatchSuggestion, "One page, newest first"),
    }, ({ ctx, query }) => listSuggestions(ctx, query))
    .get("/competitors/{id}/discovery/pages", {
      query: KnownPagesQuery,
      answer: page(KnownPage, "Pages that show a product, in no particular order"),
    }, async ({ ctx, id, query }) => await pageOf(ctx, id, await linksOf(ctx, id), query))
    .files("/competitors/{id}/discovery/pages", {
      tags,
      query: KnownPagesFilter,
      words: "All matching pages, in no particular order",
      external: "All matching pages as a table",
      open: async (ctx, wanted, { id }) => {
        const links = await linksOf(ctx, id);
        return await openListTable("known-pages", COLUMNS, (page) => {
          return pageOf(ctx, id, links, { ...wanted, ...page });
        });
      },
    })
    .post("/match-suggestions/bulk", {
      body: BulkRequest,
      answer: whole(BulkOutcome, "The result for each suggestion", { field: "results" }),
    }, ({ ctx, body }) => decideSuggestions(ctx, body, allowed))
    .get("/match-suggestions/counts", {
      answer: described(SuggestionCounts, "Numbers of open suggestions, by verdict"),
    }, async ({ ctx }) => ({
      ...await countOpenSuggestions(ctx),
      searching: await countSearchedShops(ctx),
    }))
    .post("/match-suggestions/{id}/reopen", {
      answer: suggestion,
    }, ({ ctx, id }) => decideSuggestion(ctx, id, { action: "reopen" }, allowed))
    .get("/match-suggestions/{id}", {
      answer: suggestion,
    }, ({ ctx, id }) => readSuggestion(ctx, id))
    .post("/match-suggestions/{id}/accept", {
      optionalBody: AcceptRequest,
      answer: suggestion,
    }, ({ ctx, id, body }) => decideSuggestion(ctx, id, { action: "accept", ...body }, allowed))
    .post("/match-suggestions/{id}/reject", {
      optionalBody: RejectRequest,
      answer: suggestion,
    }, ({ ctx, id, body }) => decideSuggestion(ctx, id, { action: "reject", ...body }, allowed))
    .routes;
}
