/**
 * A match is the link from a product of ours to a page of a competitor. A match contains only
 * settings; its offer contains the results of visits.
 */
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import { isInStock } from "../../base/codes.ts";
import { withPatch } from "../../base/collections.ts";
import { isoOrNull } from "../../base/time.ts";
import { PAGE_WARNINGS } from "../../engine/extraction/page_status.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import { type Competitor, Extractor } from "../competitor_store.ts";
import {
  type Disabler,
  MATCH_TYPES,
  type MatchType,
  type Offer,
  type OfferTerms,
} from "../offers/offer.ts";
import { type KeptIdentity, MatchIdentity, toMatchIdentity } from "./match_identity.ts";
import { z } from "@hono/zod-openapi";

export const MATCHES_PER_PRODUCT_MAX = 200;

/** Source `manual`: a person or an API key created the match. */
export const MATCH_SOURCES = ["manual", "import", "push", "discovery"] as const;

/** When a new link's page is first visited: soon (`now`), at the scheduled time, or `never`. */
export const VISITS = ["now", "scheduled", "never"] as const;
export type Visit = (typeof VISITS)[number];

export interface Match {
  readonly id: string;
  readonly productId: string;
  readonly competitorId: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledBy: Disabler | null;
  readonly matchType: MatchType;
  readonly packFactor: number;
  /** True if a person stated that the page shows no price. */
  readonly noPrice?: boolean | undefined;
  readonly visit?: Exclude<Visit, "now"> | undefined;
  readonly source: (typeof MATCH_SOURCES)[number];
  readonly extractor: Extractor | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const CompetitorProduct = z.object({
  id: z.string(),
  productId: z.string(),
  competitorId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  domain: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  matchType: z.enum(MATCH_TYPES),
  packFactor: z.number(),
  source: z.enum(MATCH_SOURCES).describe("Who made the link"),
  noPrice: z.boolean().describe(
    "A person has said that the page shows no price, so that a missing price is no failure",
  ),
  visit: z.enum(VISITS).describe("When the service first visits the page"),
  extractor: Extractor.nullable(),
  currentPrice: z.int().nullable()
    .describe("Minor units of `currency`, as observed, for `packFactor` pieces"),
  currency: z.string().nullable(),
  inStock: z.boolean().nullable(),
  condition: z.string().nullable().meta({
    description: "Condition of the article; null if it is new or the page does not say",
    examples: ["used"],
  }),
  seller: z.string().nullable().describe("The seller, if it is not the shop itself"),
  shipping: z.int().nullable()
    .describe("Shipping cost of one parcel, in minor units; null if the page does not say"),
  listPrice: z.int().nullable(),
  lowest30: z.int().nullable(),
  lastCheckedAt: z.iso.datetime().nullable(),
  lastStatus: z.string().nullable()
    .describe("`ok` or the error code of the last fetch"),
  lastError: z.string().nullable(),
  warnings: z.array(z.enum(PAGE_WARNINGS))
    .describe("`selector_dead`: the extractor's place of the price was not on the page"),
  identity: MatchIdentity.nullable().describe("The article on the page; null before it was read"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}).meta({ id: "CompetitorProduct" });
export type CompetitorProduct = z.infer<typeof CompetitorProduct>;

export const PackFactor = z.number().positive().max(100_000)
  .refine((factor) => /^\d+(?:\.\d{1,4})?$/.test(String(factor)), "Must have at most 4 decimals")
  .meta({
    description: "Number of our pieces that the competitor sells for the price",
    example: 6,
  });

export const VisitField = z.enum(VISITS).describe(
  "`now`: a new page is visited immediately; `scheduled`: together with its product; `never`: " +
    "others push its prices. Default for new links: `now` for people, `scheduled` for keys",
);

const Url = z.string().min(1).max(4_096).meta({
  format: "uri",
  description: "Another URL is another page, whose price is unknown until it is visited",
  example: "https://www.mediamarkt.de/p/1.html",
});

const fields = {
  enabled: z.boolean().nullish(),
  matchType: z.enum(MATCH_TYPES).nullish(),
  packFactor: PackFactor.nullish(),
  noPrice: z.boolean().nullish()
    .describe("True: the page shows no price, so that a missing price is no failure"),
  visit: VisitField.nullish(),
  extractor: Extractor.nullish(),
};

export const NewCompetitorProduct = z.strictObject({
  productId: z.string(),
  url: Url,
  competitorId: z.string().optional()
    .describe("Only needed if the domain of the URL is not the competitor's"),
  confirmed: z.boolean().optional()
    .describe("True: a person confirms that the page shows our product, whatever it says now"),
  ...fields,
}).meta({ id: "NewCompetitorProduct" });
export type NewCompetitorProduct = z.infer<typeof NewCompetitorProduct>;

export const CompetitorProductPatch = z.strictObject({
  productId: z.string().optional().describe("Must be the current value"),
  competitorId: z.string().optional().describe("Must be the current value"),
  url: Url.optional(),
  ...fields,
}).meta({ id: "CompetitorProductPatch" });
export type CompetitorProductPatch = z.infer<typeof CompetitorProductPatch>;

export const MATCH_READ_ONLY = Object.keys(CompetitorProduct.shape)
  .filter((name) => !(name in CompetitorProductPatch.shape));

export function newMatch(
  { newId, now }: Pick<ClockAndIds, "newId" | "now">,
  ends: Pick<Match, "productId" | "competitorId" | "url">,
  source: Match["source"],
): Match {
  const at = now().toISOString();
  const made = { id: newId(), source, createdAt: at, updatedAt: at };
  return { ...made, ...ends, ...DEFAULTS, enabled: true, disabledBy: null };
}

const DEFAULTS = { matchType: "exact", packFactor: 1, extractor: null } as const;

export function withMatchPatch(match: Match, patch: Omit<CompetitorProductPatch, "url">): Match {
  const { enabled = match.enabled, noPrice, visit, matchType, packFactor, extractor } = patch;
  const hadNoPrice = match.noPrice ?? false;
  const hasNoPrice = noPrice === undefined ? hadNoPrice : noPrice ?? false;
  const next = visit === undefined ? match.visit ?? "now" : visit ?? "now";
  return {
    ...withPatch(match, { matchType, packFactor, extractor }, DEFAULTS),
    ...switched(match, enabled ?? true, "person"),
    ...hasNoPrice !== hadNoPrice && { noPrice: hasNoPrice },
    ...next !== (match.visit ?? "now") && { visit: next === "now" ? undefined : next },
  };
}

export function switched(
  match: Pick<Match, "enabled" | "disabledBy">,
  enabled: boolean,
  by: Disabler,
): Pick<Match, "enabled" | "disabledBy"> {
  if (enabled) return { enabled, disabledBy: null };
  return { enabled, disabledBy: match.enabled ? by : match.disabledBy };
}

export function termsOf(match: Match, urlHash: string): OfferTerms {
  const { competitorId, enabled, disabledBy, packFactor, matchType, noPrice = false } = match;
  const switches = { enabled, disabledBy, packFactor, matchType, noPrice };
  return { matchId: match.id, competitorId, urlHash, ...switches };
}

export function toCompetitorProduct(
  match: Match,
  competitor: Pick<Competitor, "displayName" | "domain">,
  offer: Offer,
  identity: KeptIdentity | null,
): CompetitorProduct {
  const { disabledBy: _, noPrice = false, visit = "now", ...stored } = match;
  return {
    ...stored,
    noPrice,
    visit,
    competitor: competitor.displayName,
    domain: competitor.domain,
    currentPrice: offer.priceCents,
    currency: offer.currency,
    inStock: isInStock(offer.availability),
    condition: offer.condition,
    seller: offer.seller,
    shipping: offer.shippingCents,
    listPrice: offer.listPriceCents,
    lowest30: offer.lowest30Cents,
    lastCheckedAt: isoOrNull(offer.checkedAtMs),
    lastStatus: offer.status,
    lastError: offer.error,
    warnings: offer.isSelectorDead ? ["selector_dead"] : [],
    identity: toMatchIdentity(identity),
  };
}

export function matchAudit(label: string, before: Match | null, after: Match | null): AuditEntry {
  const verb = before === null ? "create" : after === null ? "delete" : "update";
  return {
    action: `competitor_product.${verb}`,
    resource: { type: "competitor_product", id: (after ?? before)?.id ?? "", label },
    ...changedFields(before, after, ["id", "createdAt", "updatedAt"]),
    about: [`product:${(after ?? before)?.productId ?? ""}`],
  };
}

export function matchLabel(sku: string, competitor: { readonly displayName: string }): string {
  return `${sku} at ${competitor.displayName}`;
}
