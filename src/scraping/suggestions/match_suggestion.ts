/** Suggestions on both interfaces. */

import { VERDICTS } from "../../engine/matching/identity_codes.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { ShopPage } from "../../shops/discovery/page_store.ts";
import {
  REJECTED_AS,
  StoredSuggestion,
  SUGGESTION_STATUSES,
} from "../../shops/discovery/suggestion_store.ts";
import { PackFactor } from "../../shops/matches/match.ts";
import { z } from "@hono/zod-openapi";

const { verdict, score, reasons, createdAt, decidedAt } = StoredSuggestion.shape;

export const MatchSuggestion = z.object({
  id: z.string(),
  product: z.object({
    id: z.string(),
    sku: z.string(),
    title: z.string(),
    brand: z.string().nullable(),
    gtin: z.string().nullable().meta({ description: "Our GTIN or EAN" }),
    mpn: z.string().nullable(),
    price: z.int().nullable().meta({ description: "Our price, minor units of `currency`" }),
    currency: z.string(),
  }).meta({ description: "What we have" }),
  competitor: z.object({ id: z.string(), displayName: z.string() }).meta({
    description: "Whose page it is",
  }),
  page: ShopPage.meta({ description: "What the page says of its product" }),
  verdict: verdict.meta({ description: "Whether the page shows our product" }),
  score: score.meta({ description: "How likely the titles name one article, from 0 to 1" }),
  reasons: reasons.meta({ description: "Why, the deciding one first" }),
  packFactor: z.number().nullable().meta({
    description: "How many of ours the page sells as one, where its number says another pack",
  }),
  rivals: z.int().meta({
    description: "Other open suggestions for the product at the same shop",
  }),
  status: z.enum(SUGGESTION_STATUSES),
  rejectedAs: z.enum(REJECTED_AS).nullable().meta({
    description: "`variant`: a near relative of our product; null: not rejected",
  }),
  createdAt,
  decidedAt,
}).meta({ id: "MatchSuggestion" });

export type MatchSuggestion = Readonly<z.output<typeof MatchSuggestion>>;

export const SuggestionQuery = z.strictObject({
  status: z.enum(SUGGESTION_STATUSES).default("open"),
  competitorId: z.string().optional(),
  productId: z.string().optional(),
  verdict: z.enum(VERDICTS).optional(),
  ...pageQuery(50, 200),
});

export type SuggestionQuery = z.output<typeof SuggestionQuery>;

/** Larger counts are not shown: no person reviews more. */
export const COUNTED_MAX = 50_000;

export const SuggestionCounts = z.object({
  open: z.int().meta({ description: "Suggestions that nobody has decided" }),
  same: z.int().meta({ description: "Those of them that are sure" }),
  probably: z.int().meta({ description: "Those of them that are likely" }),
  unknown: z.int().meta({ description: "Those of them of which the page says too little" }),
  isCut: z.boolean().meta({ description: `True where more than ${COUNTED_MAX} are open` }),
}).meta({ id: "SuggestionCounts" });

export type SuggestionCounts = Readonly<z.output<typeof SuggestionCounts>>;

export const AcceptRequest = z.strictObject({
  packFactor: PackFactor.optional().meta({
    description: "How many of ours the page sells as one; as suggested, when absent",
  }),
}).meta({ id: "AcceptSuggestion" });

export type AcceptRequest = z.output<typeof AcceptRequest>;

export const RejectRequest = z.strictObject({
  as: z.enum(REJECTED_AS).default("other").meta({
    description: "`variant`: a near relative, such as another colour",
  }),
}).meta({ id: "RejectSuggestion" });

export type RejectRequest = z.output<typeof RejectRequest>;

const IDS_MAX = 200;

export const BulkRequest = z.strictObject({
  action: z.enum(["accept", "reject", "reopen"]).meta({
    description: "What is said of all of them; `reopen` takes back what was said",
  }),
  ids: z.array(z.string()).min(1).max(IDS_MAX),
}).meta({ id: "BulkSuggestions" });

export type BulkRequest = z.output<typeof BulkRequest>;

export const BulkOutcome = z.object({
  id: z.string(),
  status: z.enum(SUGGESTION_STATUSES).nullable().meta({ description: "Null where it failed" }),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
}).meta({ id: "SuggestionOutcome" });

export type BulkOutcome = Readonly<z.output<typeof BulkOutcome>>;
