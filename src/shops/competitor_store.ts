/**
 * A competitor is a shop whose prices are compared with ours. A commit that links one page fails if
 * the page's competitor has changed meanwhile. A commit that creates a competitor or links many
 * pages fails if any competitor of the workspace has changed. If a workspace has at most 1,000
 * competitors, they are cached.
 */
import { keepNewest, withPatch } from "../base/collections.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { defineTable, type Found } from "../platform/store/table.ts";
import { Name, Names } from "../engine/pricing/field.ts";
import { z } from "@hono/zod-openapi";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { refuseFields, requireById } from "../base/failure.ts";
import { auditOf } from "../accounts/audit/audit.ts";
import { currencyExponent } from "../base/money.ts";
import { hasControlCharacters } from "../base/text.ts";
import type { ExtractorError, ExtractorPrograms } from "../engine/extraction/extractors.ts";

const Program = z.string().trim().min(1).max(500)
  .refine((text) => !hasControlCharacters(text), "Must not contain control characters");

export const Extractor = z.strictObject({
  priceSelector: Program.nullable().default(null)
    .meta({ description: "CSS selector of the price on an HTML page", example: "#price .value" }),
  stockSelector: Program.nullable().default(null),
  jsonPath: Program.nullable().default(null)
    .meta({ description: "RFC 9535 path of the price in a JSON answer", example: "$.offer.price" }),
  currency: z.string().refine(
    (code) => currencyExponent(code) !== null,
    'Must be a currency code of ISO 4217 in upper case, such as "EUR"',
  ).nullable().default(null).meta({
    description: "Expected currency; a price in another currency fails with `currency_mismatch`",
    example: "EUR",
  }),
  locale: z.string().refine(isLocale, 'Must be a language tag such as "de-DE"')
    .nullable().default(null)
    .meta({ description: "Language tag that says how the page writes numbers", example: "de-DE" }),
}).meta({ id: "Extractor" });
export type Extractor = z.infer<typeof Extractor>;

export type ExtractorCheck = (
  partition: string,
  extractor: ExtractorPrograms,
) => Promise<readonly ExtractorError[]>;

export async function requireUsable(
  { workspaceId }: Pick<WorkspaceStore, "workspaceId">,
  errorsOf: ExtractorCheck,
  extractor: Extractor | null | undefined,
): Promise<void> {
  if (!extractor) return;
  const validationErrors = await errorsOf(workspaceId, extractor);
  if (validationErrors.length === 0) return;
  throw refuseFields(
    validationErrors.map(({ part, message }) => ({ path: `extractor.${part}`, message })),
  );
}

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

const Country = z.string().trim().toUpperCase().regex(
  /^[A-Z]{2}$/,
  'Must be a country code of two letters, such as "DE"',
).meta({ example: "DE" });

const terms = {
  groups: { description: "Names of the groups that the shop belongs to, for the filters of rules" },
  isMarketplace: { description: "Whether other sellers offer products there too" },
  sellerNames: {
    description: "Names under which the marketplace itself sells; empty: it sells nothing " +
      "itself, so every offer belongs to another seller",
  },
  ownSellerNames: {
    description:
      "Names under which we sell at the shop, in addition to those of the settings. Offers of " +
      "these sellers are ours and never count",
  },
};

export const Competitor = z.object({
  id: z.string(),
  domain: z.string().meta({ example: "mediamarkt.de" }),
  displayName: z.string(),
  country: z.string().nullable(),
  enabled: z.boolean().describe("When false, all its matches count as disabled"),
  pricesIncludeVat: z.boolean().nullable().describe("Null: as set in the workspace"),
  extractor: Extractor.nullable(),
  groups: z.array(z.string()).meta(terms.groups),
  isMarketplace: z.boolean().meta(terms.isMarketplace),
  sellerNames: z.array(z.string()).meta(terms.sellerNames),
  ownSellerNames: z.array(z.string()).meta(terms.ownSellerNames),
  colour: z.int().min(1).describe("Number of its colour in charts; unique per competitor"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Competitor = Readonly<z.infer<typeof Competitor>>;

export const CompetitorHealth = z.object({
  ok24h: z.int().describe("Fetches of the last 24 hours that found a price"),
  failed24h: z.int(),
  downSince: z.iso.datetime().nullable().describe(
    "Start of the outage: the first failed fetch after the last successful one; " +
      "null unless all fetches of the last 24 hours failed",
  ),
  lastError: z.object({ code: z.string(), message: z.string().nullable(), at: z.iso.datetime() })
    .nullable().describe("The last failed fetch; null if none failed recently"),
  due: z.int().describe("Fetches per day that the intervals of the products require"),
  perDayMax: z.int().describe("Fetches per day that the delay between requests allows"),
}).meta({ id: "CompetitorHealth" });
export type CompetitorHealth = z.infer<typeof CompetitorHealth>;

export type HealthOf = (
  ctx: Pick<Context, "store" | "workspaceId" | "now">,
  id: string,
) => Promise<CompetitorHealth>;

export const CompetitorDocument = Competitor.extend({
  trackedProducts: z.int().describe("Products with an enabled match here"),
  health: CompetitorHealth,
}).meta({ id: "Competitor" });
export type CompetitorDocument = z.infer<typeof CompetitorDocument>;

const Domain = z.string().min(1).max(255).meta({
  description: "The host without `www.`, with its port if that is not the default of the scheme",
  example: "mediamarkt.de",
});

/** An absent field is unchanged; null clears or resets the field (docs/decisions/http.md). */
export const CompetitorPatch = z.strictObject({
  domain: Domain.optional(),
  displayName: Name.nullish().describe("Null: the domain is shown"),
  country: Country.nullish(),
  enabled: z.boolean().nullish(),
  pricesIncludeVat: z.boolean().nullish(),
  extractor: Extractor.nullish(),
  groups: Names.nullish().meta(terms.groups),
  isMarketplace: z.boolean().nullish().meta(terms.isMarketplace),
  sellerNames: Names.nullish().meta(terms.sellerNames),
  ownSellerNames: Names.nullish().meta(terms.ownSellerNames),
}).meta({ id: "CompetitorPatch" });
export type CompetitorPatch = z.infer<typeof CompetitorPatch>;

/** Fields that are ignored in requests, so that clients can send back a whole document. */
export const COMPETITOR_READ_ONLY = Object.keys(CompetitorDocument.shape)
  .filter((name) => !(name in CompetitorPatch.shape));

export const NewCompetitor = CompetitorPatch.extend({ domain: Domain })
  .meta({ id: "NewCompetitor", example: { domain: "mediamarkt.de", displayName: "MediaMarkt" } });
export type NewCompetitor = z.infer<typeof NewCompetitor>;

const NO_TERMS = { groups: [], isMarketplace: false, sellerNames: [], ownSellerNames: [] };

export function blankCompetitor(
  { id, domain, colour, createdAt }: Pick<Competitor, "id" | "domain" | "colour" | "createdAt">,
): Competitor {
  return {
    id,
    domain,
    displayName: domain,
    country: null,
    enabled: true,
    pricesIncludeVat: null,
    extractor: null,
    ...NO_TERMS,
    colour,
    createdAt,
    updatedAt: createdAt,
  };
}

/** The caller's commit must fail if any competitor has changed, so that colours stay different. */
export function* freeColours(
  competitors: Iterable<Pick<Competitor, "colour">>,
): Generator<number, never> {
  const taken = new Set(Array.from(competitors, ({ colour }) => colour));
  for (let colour = 1;; colour++) {
    if (!taken.has(colour)) yield colour;
  }
}

export function withCompetitorPatch(
  competitor: Competitor,
  domain: string,
  patch: CompetitorPatch,
): Competitor {
  const { displayName } = competitor;
  const named = {
    ...competitor,
    displayName: displayName === competitor.domain ? domain : displayName,
  };
  const defaults = { ...NO_TERMS, displayName: domain, enabled: true };
  return withPatch(named, { ...patch, domain }, defaults);
}

export const competitorAudit = auditOf(
  "competitor",
  ({ displayName }: Competitor) => displayName,
  { hidden: ["createdAt", "updatedAt", "colour"] },
);

const withTerms = {
  decode: (stored: Partial<Competitor>) => ({ ...NO_TERMS, ...stored }),
};

export const competitors = defineTable<Competitor, "id", "domain">({
  prefix: "c",
  about: "a shop whose prices are compared with ours",
  key: { id: "id" },
  valueHasKey: true,
  version: "cv",
  codec: withTerms,
  indexes: { domain: { prefix: "cd", key: { domain: "text" }, unique: true } },
});

export const leavingCompetitors = defineTable<Competitor, "id">({
  prefix: "cx",
  about: "a competitor that is being deleted and still has matches",
  key: { id: "id" },
  valueHasKey: true,
  codec: withTerms,
});

export const switchedCompetitors = defineTable<{ readonly id: string }, "id">({
  prefix: "cs",
  about:
    "a competitor that was enabled or disabled, so that the schedule of its products must be updated",
  key: { id: "id" },
});

export async function listCompetitors(
  workspace: WorkspaceStore,
  after: string | null,
  limit: number | null,
): Promise<Competitor[]> {
  const found = await competitors.list(workspace, {
    after: after === null ? null : { id: after },
    limit,
  });
  return found.map(({ row }) => row);
}

/** Callers must not modify the set, because it is cached. */
export interface CompetitorSet {
  readonly version: string | null;
  readonly byId: ReadonlyMap<string, Competitor>;
  readonly byDomain: ReadonlyMap<string, Competitor>;
}

const sets = new WeakMap<Deno.Kv, Map<string, CompetitorSet>>();

export async function readCompetitorSet(workspace: WorkspaceStore): Promise<CompetitorSet> {
  const version = await competitors.version(workspace);
  const cache = sets.getOrInsertComputed(workspace.store.kv, () => new Map());
  const known = cache.get(workspace.workspaceId);
  if (version !== null && known?.version === version) return known;
  const all = await listCompetitors(workspace, null, null);
  const byId = new Map(all.map((competitor) => [competitor.id, competitor]));
  const byDomain = new Map(all.map((competitor) => [competitor.domain, competitor]));
  const set = { version, byId, byDomain };
  if (all.length <= 1_000) keepNewest(cache, workspace.workspaceId, set, 16);
  return set;
}

export async function competitorsById(workspace: WorkspaceStore): Promise<CompetitorSet["byId"]> {
  return (await readCompetitorSet(workspace)).byId;
}

export function competitorOf(set: CompetitorSet | null, domain: string): Competitor {
  const competitor = set?.byDomain.get(domain);
  if (competitor) return competitor;
  throw new Error(`There is no competitor with the domain "${domain}"`);
}

export function checkCompetitorSet(write: Write, workspaceId: string, set: CompetitorSet): void {
  competitors.checkVersion(write, { workspaceId }, set.version);
}

export async function findLeaving(
  workspace: WorkspaceStore,
  id: string,
): Promise<Competitor | null> {
  return (await leavingCompetitors.find(workspace, { id }))?.row ?? null;
}

export function belongsToShop(what: string) {
  return async (
    { competitorId: id }: { readonly competitorId: string },
    workspace: WorkspaceStore,
  ): Promise<string | null> => {
    const isKnown = await competitors.find(workspace, { id }) ?? await findLeaving(workspace, id);
    return isKnown ? null : `${what} belongs to the unknown competitor ${id}`;
  };
}

export async function requireCompetitor(
  workspace: WorkspaceStore,
  id: string,
): Promise<Found<Competitor>> {
  return await requireById("competitor", id, (id) => competitors.find(workspace, { id }));
}

/** The commit fails if the domain is in use, or if any competitor has changed. */
export async function addCompetitor(
  write: Write,
  ctx: Context,
  domain: string,
  patch: CompetitorPatch = {},
): Promise<Competitor> {
  const set = await readCompetitorSet(ctx);
  checkCompetitorSet(write, ctx.workspaceId, set);
  const colours = freeColours(set.byId.values());
  const competitor = newCompetitor(ctx, domain, colours, patch);
  competitors.add(write, ctx, competitor);
  addAuditRow(write, ctx, competitorAudit("competitor.create", null, competitor));
  return competitor;
}

export type Creator = WorkspaceStore & Pick<Context, "now" | "newId">;

export function newCompetitor(
  ctx: Creator,
  domain: string,
  colours: Iterator<number, never>,
  patch: CompetitorPatch,
): Competitor {
  const colour = colours.next().value;
  const createdAt = ctx.now().toISOString();
  const blank = blankCompetitor({ id: ctx.newId(), domain, colour, createdAt });
  return withCompetitorPatch(blank, domain, patch);
}
