/**
 * The lines of a workspace's file: one JSON object each, told apart by `type`, in the order of the
 * list below. Hashes, sessions, keys and other secrets have no line.
 */
import { z } from "zod";
import { Alert } from "../alerts/alert.ts";
import { AuditRow } from "../audit/audit.ts";
import { AVAILABILITIES } from "../base/availability.ts";
import { ProductDocument } from "../catalogue/products/product.ts";
import { PriceChange } from "../catalogue/prices/price_history.ts";
import { misfitOfSku } from "../catalogue/products/product_fields.ts";
import { Competitor } from "../competitors/competitor.ts";
import { Extractor } from "../competitors/extractor.ts";
import { MATCH_SOURCES, MATCH_TYPES, PackFactor } from "../competitors/matches/match.ts";
import { Email, UserRole } from "../identity/users/user.ts";
import { Name, Workspace } from "../identity/workspace.ts";
import { ImportProfile } from "../imports/profiles/profile.ts";
import { OBSERVATION_SOURCES } from "../observations/observation.ts";
import { isTrace, type StoredTrace } from "../pricing/former_trace.ts";
import { RuleDocument } from "../pricing/rule.ts";
import { Proposal } from "../proposals/proposal.ts";

/** Counts up when a file of before can no longer be read as one of today. */
export const FILE_FORMAT = 1;

const Id = z.string().regex(/^[0-9a-f]{24}$/, "Must be an id of 24 hex characters");
const Sku = z.string().refine((sku) => misfitOfSku(sku) === null, "Is no SKU");
const Instant = z.iso.datetime();
const Cents = z.int();
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
  source: z.enum(MATCH_SOURCES),
  extractor: Extractor.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
};

/** What is known of the page of a match; all null before it was looked at. */
const Offer = z.strictObject({
  priceCents: Cents.nullable(),
  currency: z.string().nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  confidence: z.number().nullable(),
  observedAt: Instant.nullable(),
  checkedAt: Instant.nullable(),
  status: z.string().nullable(),
  error: z.string().nullable(),
});

const typed = <T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape });

const { ourPrice: _our, costPrice: _cost, targetPrice: _target, ...productFields } =
  ProductDocument.shape;
const { stats: _stats, ...ruleFields } = RuleDocument.shape;
const { mail: _mail, ...alertFields } = Alert.shape;

const LINES = {
  workspace: typed("workspace", {
    ...Workspace.shape,
    name: Name,
    // Absent in a file of before: whether its hold of null was chosen is then in its audit rows.
    importHoldUnconfirmed: Workspace.shape.importHoldUnconfirmed.optional(),
    format: z.literal(FILE_FORMAT, `Must be ${FILE_FORMAT}: use the version that wrote the file`),
    exportedAt: Instant,
  }),
  user: typed("user", { id: Id, email: Email, role: UserRole, createdAt: Instant }),
  importProfile: typed("importProfile", { profile: ImportProfile }),
  competitor: typed("competitor", {
    ...Competitor.shape,
    id: Id,
    extractor: Extractor.nullable(),
  }),
  product: typed("product", {
    ...productFields,
    id: Id,
    sku: Sku,
    importHash: z.string().nullable(),
    isFromImport: z.boolean(),
  }),
  priceChange: typed("priceChange", { productId: Id, ...PriceChange.shape }),
  removedMatch: typed("removedMatch", {
    match: z.strictObject(matchFields),
    competitor: z.strictObject({ displayName: z.string(), domain: z.string() }),
    removedAt: Instant,
    removedBy: z.enum(DISABLERS),
  }),
  linkRemoval: typed("linkRemoval", {
    productId: Id,
    urlHash: z.string().regex(/^[0-9a-f]{32}$/),
    matchId: Id,
    removedBy: z.enum(DISABLERS),
  }),
  match: typed("match", { ...matchFields, sku: Sku, offer: Offer }),
  observation: typed("observation", {
    productId: Id,
    sku: Sku,
    matchId: Id,
    competitorId: Id,
    priceCents: Cents,
    currency: z.string(),
    availability: z.enum(AVAILABILITIES),
    listPriceCents: Cents.nullable(),
    shippingCents: Cents.nullable(),
    method: z.string().nullable(),
    confidence: z.number(),
    source: z.enum(OBSERVATION_SOURCES),
    runId: z.string().nullable(),
    observedAt: Instant,
  }),
  ruleState: typed("ruleState", {
    productId: Id,
    sku: Sku,
    rules: z.record(
      z.string(),
      z.strictObject({ lastFiredAt: Instant.nullable(), rank: z.int().nullable() }),
    ),
  }),
  proposal: typed("proposal", {
    ...Proposal.shape,
    id: Id,
    ruleId: Id,
    productId: Id,
    appliedAt: Instant.nullable(),
    trace: z.custom<StoredTrace | null>(
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
  /** The last one: how many lines are before it, so that a file that was cut is known. */
  end: typed("end", { lines: z.int() }),
} as const;

export type LineType = keyof typeof LINES;
export type LineOf<T extends LineType> = Readonly<z.output<(typeof LINES)[T]>>;

export const WorkspaceLine = z.discriminatedUnion("type", [
  LINES.workspace,
  LINES.user,
  LINES.importProfile,
  LINES.competitor,
  LINES.product,
  LINES.priceChange,
  LINES.removedMatch,
  LINES.linkRemoval,
  LINES.match,
  LINES.observation,
  LINES.ruleState,
  LINES.proposal,
  LINES.alert,
  LINES.audit,
  LINES.rule,
  LINES.end,
]);

export type WorkspaceLine = Readonly<z.output<typeof WorkspaceLine>>;
