/** A page of a shop that may show a product of ours, and what people said of that. */
import { z } from "@hono/zod-openapi";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import { shopPageOf, StoredShopPage } from "./shop_page.ts";

/** `superseded`: better ones came, or the page was linked otherwise. */
export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "superseded"] as const;

export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

/** Why a page is not ours. */
export const REJECTED_AS = ["other", "variant"] as const;

/** A suggestion as it is kept. */
export const StoredSuggestion = z.strictObject({
  id: z.string(),
  productId: z.string(),
  competitorId: z.string(),
  urlHash: z.string().regex(/^[0-9a-f]{32}$/),
  page: StoredShopPage.transform(shopPageOf),
  verdict: z.enum(VERDICTS),
  score: z.number().min(0).max(1),
  reasons: z.array(IdentityEvidence),
  packFactor: z.number().nullable(),
  status: z.enum(SUGGESTION_STATUSES),
  rejectedAs: z.enum(REJECTED_AS).nullable(),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.object({ type: z.string(), id: z.string(), name: z.string() }).nullable(),
});

export type StoredSuggestion = Readonly<z.output<typeof StoredSuggestion>>;

/** Of one product and one shop so many are open at most. */
export const OPEN_PER_SHOP_MAX = 3;
