/**
 * A workspace file is the export of a workspace, with one JSON object per line and no secrets. This
 * module declares the types of lines, in the order of the file. Fields with a default value may be
 * absent in files of earlier versions of Kurant.
 */
import { AuditRow } from "../../accounts/audit/audit.ts";
import { Email, PersonName, UserRole } from "../../accounts/users/user.ts";
import { View } from "../../accounts/views/view.ts";
import { Name, Names } from "../../engine/pricing/field.ts";
import { Workspace } from "../../accounts/workspace.ts";
import { AVAILABILITIES } from "../../base/codes.ts";
import { utf8Bytes } from "../../base/text.ts";
import { ARRIVAL_STATUSES } from "../../catalogue/prices/awaited_price_store.ts";
import { PriceChange, PriceMark } from "../../catalogue/prices/price_rows.ts";
import { ProductDocument, withPricesOnce } from "../../catalogue/products/product.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { SoldDay, Units } from "../../catalogue/sales/sale.ts";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import { CUTS_MAX } from "../../engine/pricing/bounds.ts";
import { RuleDocument } from "../../engine/pricing/rule.ts";
import { isTrace, type Trace } from "../../engine/pricing/trace.ts";
import { AnyProfile } from "../../imports/profiles/table_profile.ts";
import { ImportSource, LastImport, SourceId } from "../../imports/state/import_source.ts";
import { Alert } from "../../messages/alert_store.ts";
import { ProposalRecord } from "../../rules/proposals/proposal.ts";
import { Competitor, Extractor } from "../../shops/competitor_store.ts";
import { DiscoverySettings } from "../../shops/pages/discovery_store.ts";
import { StoredSuggestion } from "../../shops/pages/found_page_store.ts";
import { MATCH_SOURCES, PackFactor, VISITS } from "../../shops/matches/match.ts";
import { PageArticle } from "../../shops/matches/match_identity.ts";
import { REMOVERS } from "../../shops/matches/match_store.ts";
import { MOVE_KINDS } from "../../shops/observations/move_store.ts";
import { OBSERVATION_SOURCES } from "../../shops/observations/observation.ts";
import { MATCH_TYPES, OFFER_CODE_MAX, SELLER_BYTES_MAX } from "../../shops/offers/offer.ts";
import { SUSPICIONS } from "../../shops/choices.ts";
import { StoredRecipe } from "../../shops/pages/recipe_store.ts";
import { z } from "zod";

/** Raise `FILE_FORMAT` when files of earlier versions of Kurant can no longer be read. */
export const FILE_FORMAT = 1;

const Id = z.string().regex(/^[0-9a-f]{24}$/, "Must be an id of 24 hex characters");
const Sku = z.string().refine((sku) => skuError(sku) === null, "Is no SKU");
const Instant = z.iso.datetime();
const Cents = z.int();
const observed = {
  productId: Id,
  sku: Sku,
  matchId: Id,
  competitorId: Id,
  priceCents: Cents,
  currency: z.string(),
  availability: z.enum(AVAILABILITIES),
};
const DISABLERS = ["person", "import"] as const;
const Url = z.string().refine((url) => URL.canParse(url), "Must be a URL");
const Actor = z.strictObject({
  type: z.enum(["user", "api_key", "system"]),
  id: z.string(),
  name: z.string(),
});

const matchFields = {
  id: Id,
  productId: Id,
  competitorId: Id,
  url: Url,
  enabled: z.boolean(),
  disabledBy: z.enum(DISABLERS).nullable(),
  matchType: z.enum(MATCH_TYPES),
  packFactor: PackFactor,
  // If absent, `noPrice` is false, and `visit` is `now`.
  noPrice: z.boolean().optional(),
  visit: z.enum(VISITS).exclude(["now"]).optional(),
  source: z.enum(MATCH_SOURCES),
  extractor: Extractor.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
};

const moveFields = {
  kind: z.enum(MOVE_KINDS),
  productId: Id,
  competitorId: Id,
  fromCents: Cents.nullable(),
  toCents: Cents,
  currency: z.string(),
  packFactor: PackFactor,
  at: Instant,
};

const OfferCode = z.string().max(OFFER_CODE_MAX).regex(/^[\x20-\x7e]*$/);
const Seller = z.string().refine(
  (name) => utf8Bytes(JSON.stringify(name)) <= SELLER_BYTES_MAX + 2,
  "Is too long",
);

const Rate = z.number().min(0).max(100).nullable();
const VatTermsLine = z.strictObject({ pricesIncludeVat: z.boolean(), vatRatePct: Rate });

const Offer = z.strictObject({
  priceCents: Cents.nullable(),
  currency: z.string().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  confidence: z.number().nullable(),
  observedAt: Instant.nullable(),
  checkedAt: Instant.nullable(),
  status: z.string().nullable(),
  error: z.string().nullable(),
  condition: OfferCode.nullable().default(null),
  seller: Seller.nullable().default(null),
  shippingCents: Cents.nullable().default(null),
  listPriceCents: Cents.nullable().default(null),
  lowest30Cents: Cents.nullable().default(null),
  verdict: OfferCode.nullable().default(null),
  heldAt: Instant.nullable().default(null),
  failingSince: Instant.nullable().default(null),
  previousCents: Cents.nullable().default(null),
  since: Instant.nullable().default(null),
  isSelectorDead: z.boolean().default(false),
});

const Identity = z.strictObject({
  verdict: z.enum(VERDICTS).nullable(),
  reasons: z.array(z.strictObject(IdentityEvidence.shape)).max(30),
  page: z.strictObject({ ...PageArticle.shape, isOtherVariant: z.boolean() }).nullable(),
  checkedAt: Instant.nullable(),
  word: z.strictObject({
    kind: z.enum(["confirmed", "rejected"]),
    by: z.strictObject({ ...Actor.shape, at: Instant }),
    pageHash: z.string().regex(/^[0-9a-f]{32}$/).nullable(),
  }).nullable(),
});

const typed = <T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape });

const productFields = withPricesOnce(ProductDocument.shape);
const { stats: _stats, ...ruleFields } = RuleDocument.shape;
const { mail: _mail, ...alertFields } = Alert.shape;

const LINES = {
  workspace: typed("workspace", {
    ...Workspace.shape,
    name: Name,
    ownSellerNames: Names,
    format: z.literal(FILE_FORMAT, `Must be ${FILE_FORMAT}: use the version that wrote the file`),
    exportedAt: Instant,
    hasPendingEvaluations: z.boolean().default(false),
  }),
  user: typed("user", {
    id: Id,
    email: Email,
    name: PersonName.default(null),
    role: UserRole,
    createdAt: Instant,
    dailyMail: z.boolean().default(false),
  }),
  view: typed("view", { ...View.shape, id: Id, createdBy: Id }),
  importProfile: typed("importProfile", { profile: AnyProfile }),
  importSource: typed("importSource", {
    // The file contains no credentials, so the import pauses a source that needs credentials.
    source: ImportSource.omit({ isDefault: true, lastPull: true, missedAt: true })
      .extend({ lastImport: LastImport.nullable() }),
  }),
  competitor: typed("competitor", {
    ...Competitor.shape,
    id: Id,
    extractor: Extractor.nullable(),
    colour: Competitor.shape.colour.nullable().default(null),
    groups: Names.default([]),
    isMarketplace: Competitor.shape.isMarketplace.default(false),
    sellerNames: Names.default([]),
    ownSellerNames: Names.default([]),
  }),
  shopRecipe: typed("shopRecipe", {
    competitorId: Id,
    recipe: z.strictObject({ ...StoredRecipe.shape, id: Id, taughtBy: Id.nullable() }),
    window: z.string().regex(/^[achm]{0,20}$/),
  }),
  discovery: typed("discovery", {
    competitorId: Id,
    settings: DiscoverySettings,
    isPaused: z.boolean(),
  }),
  product: typed("product", {
    ...productFields,
    id: Id,
    sku: Sku,
    importHash: z.string().nullable(),
    isFromImport: z.boolean(),
    importSource: SourceId.nullable().default(null),
  }),
  priceChange: typed("priceChange", { productId: Id, ...PriceChange.shape }),
  priceMark: typed("priceMark", { productId: Id, at: Instant, mark: PriceMark }),
  priceTerms: typed("priceTerms", {
    productId: Id,
    at: Instant,
    vat: z.tuple([Rate, Rate]).nullable(),
    tiers: z.array(z.tuple([
      z.string().max(64).nullable(),
      z.string().regex(/^[A-Z]{3}$/),
      Cents.nullable(),
      Cents.nullable(),
    ])).max(1_000),
  }),
  vatTerms: typed("vatTerms", { at: Instant, from: VatTermsLine, to: VatTermsLine }),
  sales: typed("sales", {
    productId: Id,
    month: z.int().min(197_001).max(999_912),
    days: z.array(z.strictObject({
      ...SoldDay.shape,
      units: Units,
      currency: z.string().regex(/^[A-Z]{3}$/).nullable(),
    })).min(1).max(31),
  }),
  removedMatch: typed("removedMatch", {
    match: z.strictObject(matchFields),
    competitor: z.strictObject({ displayName: z.string(), domain: z.string() }),
    removedAt: Instant,
    removedBy: z.enum(REMOVERS),
  }),
  linkRemoval: typed("linkRemoval", {
    productId: Id,
    urlHash: z.string().regex(/^[0-9a-f]{32}$/),
    matchId: Id,
    removedBy: z.enum(REMOVERS),
  }),
  match: typed("match", {
    ...matchFields,
    sku: Sku,
    offer: Offer,
    identity: Identity.nullable().default(null),
  }),
  observation: typed("observation", {
    ...observed,
    listPriceCents: Cents.nullable(),
    shippingCents: Cents.nullable(),
    method: z.string().nullable(),
    confidence: z.number(),
    source: z.enum(OBSERVATION_SOURCES),
    runId: z.string().nullable(),
    observedAt: Instant,
    // Set only for suspicious prices; files of earlier versions lack this field.
    isHeld: z.boolean().optional(),
    // Lowest price of the last 30 days; absent if the page did not show it.
    lowest30Cents: Cents.optional(),
  }),
  suggestion: typed("suggestion", {
    ...StoredSuggestion.shape,
    id: Id,
    productId: Id,
    competitorId: Id,
  }),
  moves: typed("moves", {
    id: Id,
    at: Instant,
    moves: z.array(z.strictObject({
      ...moveFields,
      isObserved: z.boolean(),
      isWithdrawn: z.literal(true).optional(),
      linkMark: z.int().min(0).nullable().default(null),
    })),
  }),
  loneMove: typed("loneMove", { ...moveFields, matchId: Id }),
  awaitedPrice: typed("awaitedPrice", {
    productId: Id,
    tier: z.string().nullable(),
    cents: z.int(),
    currency: z.string(),
    toldAt: Instant,
    status: z.enum(ARRIVAL_STATUSES),
    misses: z.int(),
    seen: z.object({ jobId: Id, cents: z.int().nullable(), currency: z.string() }).nullable(),
  }),
  priceExport: typed("priceExport", {
    id: Id,
    at: Instant,
    actor: Actor,
    format: z.string().max(20),
    from: Instant,
    to: Instant,
    rows: z.int().min(1),
    range: z.string().max(200),
  }),
  trend: typed("trend", {
    month: z.int().min(197_001).max(999_912),
    dimension: z.string().max(20),
    value: z.string().regex(/^(?:[0-9a-f]{32})?$/),
    days: z.string().regex(/^(?:[0-9a-f]{2}){1,900}$/),
  }),
  ruleState: typed("ruleState", {
    productId: Id,
    sku: Sku,
    rules: z.record(
      z.string(),
      z.strictObject({
        lastFiredAt: Instant.nullable(),
        rank: z.int().nullable(),
        // Set only if the rule has cut the price; files of earlier versions lack this field.
        brake: z.strictObject({
          until: Instant.nullable(),
          cuts: z.array(z.strictObject({
            at: Instant,
            fromCents: Cents,
            toCents: Cents,
            competitorId: Id.nullable(),
            referenceCents: Cents.nullable(),
          })).max(CUTS_MAX),
        }).optional(),
      }),
    ),
  }),
  heldPrice: typed("heldPrice", {
    ...observed,
    confidence: z.number(),
    source: z.enum(OBSERVATION_SOURCES),
    heldAt: Instant,
    observedAt: Instant,
    code: z.enum(SUSPICIONS),
    againstCents: Cents.nullable(),
  }),
  releasedPrice: typed("releasedPrice", {
    productId: Id,
    matchId: Id,
    priceCents: Cents,
    currency: z.string(),
  }),
  budgetDay: typed("budgetDay", {
    date: z.iso.date(),
    all: z.int().min(0),
    rules: z.record(Id, z.int().min(0)),
  }),
  proposal: typed("proposal", {
    ...ProposalRecord.shape,
    id: Id,
    ruleId: Id,
    productId: Id,
    appliedAt: Instant.nullable(),
    trace: z.custom<Trace | null>(
      (value) => value === null || isTrace(value),
      "Must be a trace or null",
    ),
  }),
  alert: typed("alert", {
    ...alertFields,
    id: Id,
    ruleId: Id.nullable(),
    productId: Id.nullable(),
  }),
  audit: typed("audit", { ...AuditRow.shape, id: Id, actor: Actor }),
  rule: typed("rule", {
    ...ruleFields,
    id: Id,
    createdBy: Actor,
    fires: z.array(z.strictObject({ day: z.iso.date(), count: z.int().min(1) })),
    lastFiredAt: Instant.nullable(),
  }),
  /** `lines` is the number of lines before this one, so that an import detects a truncated file. */
  end: typed("end", { lines: z.int() }),
} as const;

export type LineType = keyof typeof LINES;
const isLineType = (name: string): name is LineType => name in LINES;
export const LINE_TYPES = Object.keys(LINES).filter(isLineType);
export type LineOf<T extends LineType> = Readonly<z.output<(typeof LINES)[T]>>;

const { workspace, ...others } = LINES;

export const WorkspaceLine = z.discriminatedUnion("type", [workspace, ...Object.values(others)]);

export type WorkspaceLine = Readonly<z.output<typeof WorkspaceLine>>;
