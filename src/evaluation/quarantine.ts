/** Competitors' prices that wait for somebody to look at them (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { isInStock } from "../base/availability.ts";
import { Failure } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { parseProduct } from "../catalogue/products/product_wire.ts";
import { findDocuments } from "../catalogue/products/product_store.ts";
import {
  findHeld,
  type FoundHeld,
  heldIdOf,
  putReleased,
  walkHeld,
} from "../competitors/offers/held_offer_store.ts";
import type { Competitor } from "../competitors/competitor.ts";
import { type Offer, withSighting } from "../competitors/offers/offer.ts";
import {
  checkOffers,
  createOfferTally,
  findOffers,
  putOffers,
  saveOfferTally,
} from "../competitors/offers/offer_store.ts";
import { announce } from "../events/announce.ts";
import { changedSightings } from "../observations/announce_sightings.ts";
import { movesBetween } from "../observations/move.ts";
import { addMoves } from "../observations/move_store.ts";
import { SUSPICIONS } from "../observations/quarantine/suspicion.ts";
import { pageQuery } from "../platform/http/http.ts";
import { openCursor, type Page, toPage } from "../platform/http/page.ts";
import type { Context } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";
import { compileRules } from "../pricing/compile_rule.ts";
import type { Offer as PricingOffer } from "../pricing/offer.ts";
import { listRules } from "../rules/rule_store.ts";
import { judgeSubject } from "./judge_subject.ts";
import { queueTouched } from "./queue_ended.ts";
import { readSubjects, readSurroundings, type Subject } from "./situation_reader.ts";

const IDS_MAX = 200;

export const QuarantineQuery = z.strictObject(pageQuery(25, 100));

/** A file has all of them. */
export const QuarantineFilter = z.strictObject({});

/** A price that was seen and is used by nobody before it is let through. */
export const HeldPriceDocument = z.object({
  id: z.string(),
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  competitorProductId: z.string(),
  competitorId: z.string(),
  competitor: z.string().meta({ description: "The competitor's display name" }),
  price: z.int().meta({ description: "Minor units of `currency`, as seen" }),
  currency: z.string(),
  inStock: z.boolean().nullable(),
  acceptedPrice: z.int().nullable().meta({ description: "What counts meanwhile; null: nothing" }),
  acceptedCurrency: z.string().nullable().meta({ description: "Of `acceptedPrice`" }),
  code: z.enum(SUSPICIONS).meta({ description: "What speaks against it" }),
  against: z.int().nullable().meta({
    description: "The price, the median or the cost that it was compared with",
  }),
  heldAt: z.iso.datetime().meta({ description: "When it was seen first" }),
  observedAt: z.iso.datetime().meta({ description: "When it was seen last" }),
  would: z.object({
    ruleId: z.string(),
    ruleName: z.string(),
    outcome: z.enum(["propose", "apply", "rest"]),
    currentCents: z.int().nullable(),
    proposedCents: z.int(),
    currency: z.string(),
  }).nullable().meta({ description: "What the rules would do with it now; null: no price" }),
}).meta({ id: "HeldPrice" });

export type HeldPriceDocument = z.infer<typeof HeldPriceDocument>;

export const QuarantineDecision = z.strictObject({
  action: z.enum(["release", "drop"]).meta({
    description: "`release`: it counts from now on; `drop`: it never did",
  }),
  ids: z.array(z.string()).min(1).max(IDS_MAX),
  reason: AuditReason.optional(),
}).meta({ id: "QuarantineDecision" });

export type QuarantineDecision = z.infer<typeof QuarantineDecision>;

export const QuarantineOutcome = z.object({
  results: z.array(z.object({
    id: z.string(),
    ok: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).optional().meta({
      description: "Why it was refused; absent when it was not",
    }),
  })),
}).meta({ id: "QuarantineOutcome" });

export type QuarantineOutcome = z.infer<typeof QuarantineOutcome>;

/** One page of what waits, the longest first, with what the rules would have made of it. */
export async function pageOfHeld(
  ctx: Context,
  { limit, cursor }: z.infer<typeof QuarantineQuery>,
): Promise<Page<HeldPriceDocument>> {
  const list = "quarantine";
  const after = z.string().nullable().parse(openCursor(ctx, list, cursor));
  const rows: FoundHeld[] = [];
  for await (const held of walkHeld(ctx, after)) if (rows.push(held) > limit) break;
  const { items, ...page } = toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
  const documents = await tell(ctx, items);
  return { items: documents, ...page, count: documents.length };
}

/** Prices of products that are deleted are left out: nobody would use them. */
async function tell(ctx: Context, held: readonly FoundHeld[]): Promise<HeldPriceDocument[]> {
  if (held.length === 0) return [];
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  const ids = [...new Set(held.map(({ productId }) => productId))];
  const { subjects } = await readSubjects(ctx, ids, surroundings, moment);
  const byId = new Map(subjects.map((subject) => [subject.found.id, subject]));
  const rules = compileRules((await listRules(ctx)).map(({ rule }) => rule));
  const documents: HeldPriceDocument[] = [];
  for (const one of held) {
    const subject = byId.get(one.productId);
    if (!subject) continue;
    const { winner } = await judgeSubject(ctx, rules, withPrice(subject, one));
    const { situation: { offers }, found: { product } } = subject;
    const accepted = offers.find(({ matchId }) => matchId === one.matchId);
    documents.push({
      ...toDocument(one, surroundings.competitors.get(one.competitorId)),
      title: product.title,
      acceptedPrice: accepted?.priceCents ?? null,
      acceptedCurrency: accepted?.currency ?? null,
      would: winner === null || winner.proposedCents === null ? null : {
        ruleId: winner.ruleId,
        ruleName: rules.find(({ id }) => id === winner.ruleId)?.name ?? "",
        outcome: winner.outcome === "alert" ? "rest" : winner.outcome,
        currentCents: winner.currentCents,
        proposedCents: winner.proposedCents,
        currency: product.currency,
      },
    });
  }
  return documents;
}

function toDocument(held: FoundHeld, competitor: Competitor | undefined) {
  return {
    id: held.id,
    productId: held.productId,
    sku: held.sku,
    competitorProductId: held.matchId,
    competitorId: held.competitorId,
    competitor: competitor?.displayName ?? "",
    price: held.priceCents,
    currency: held.currency,
    inStock: isInStock(held.availability),
    code: SUSPICIONS.find((code) => code === held.code) ?? "unit",
    against: held.againstCents,
    heldAt: new Date(held.heldAtMs).toISOString(),
    observedAt: new Date(held.observedAtMs).toISOString(),
  };
}

/** As if the price had been believed. */
function withPrice(subject: Subject, held: FoundHeld): Subject {
  const { situation } = subject;
  const believed = (offer: PricingOffer): PricingOffer => ({
    ...offer,
    priceCents: held.priceCents,
    currency: held.currency,
    inStock: isInStock(held.availability),
    confidence: held.confidence,
    observedAtMs: held.observedAtMs,
  });
  const offers = situation.offers.map((offer) =>
    offer.matchId === held.matchId ? believed(offer) : offer
  );
  return { ...subject, situation: { ...situation, offers } };
}

/** Each by itself, in their order; one that is decided already is refused. */
export async function decideHeld(
  ctx: Context,
  { action, ids, reason = null }: QuarantineDecision,
): Promise<QuarantineOutcome> {
  // The answer is kept for a repeated request; a crash in the middle shows in the list.
  const each = { ...ctx, receipt: null };
  const results: QuarantineOutcome["results"] = [];
  for (const id of ids) {
    try {
      await decideOne(each, id, action, reason);
      results.push({ id, ok: true });
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      results.push({ id, ok: false, error: { code: error.code, message: error.message } });
    }
  }
  return { results };
}

/** One commit: the offer, what moved, the audit row, and the rules are asked again. */
async function decideOne(
  ctx: Context,
  id: string,
  action: QuarantineDecision["action"],
  reason: string | null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const [held = null] = await findHeld(ctx, isId(id) ? [id] : []);
    const [document] = await findDocuments(ctx, held ? [held.productId] : []);
    const stored = held && await findOffers(ctx, held.productId);
    const before = stored?.offers.find((offer) => heldIdOf(offer) === id);
    if (!held || !document || !stored || !before) {
      throw new Failure("not_found", `No price waits as "${id.slice(0, 100).toWellFormed()}"`);
    }
    const product = parseProduct(document.bytes);
    checkOffers(write, ctx.workspaceId, stored);
    const after = decided(before, held, action);
    const offers = stored.offers.map((offer) => offer === before ? after : offer);
    const both = { before: stored.offers, after: offers };
    const tally = createOfferTally();
    putOffers(write, ctx.workspaceId, product, both, tally);
    saveOfferTally(write, ctx.workspaceId, tally);
    if (action === "release") {
      putReleased(write, ctx.workspaceId, held);
      addMoves(write, ctx, movesBetween(product.id, both));
      announce(write, ctx, changedSightings(product, both, held.source));
      queueTouched(write, ctx.workspaceId, ctx, [product.id]);
    }
    addAuditRow(write, ctx, {
      action: `competitor_product.${action}`,
      resource: { type: "competitor_product", id: held.matchId, label: product.sku },
      about: [`product:${product.id}`],
      currency: held.currency,
      before: { price: before.priceCents, held: held.priceCents },
      after: { price: after.priceCents, held: null },
      reason,
    });
  });
}

function decided(offer: Offer, held: FoundHeld, action: QuarantineDecision["action"]): Offer {
  const free = { ...offer, heldAtMs: null };
  if (action === "drop") return free;
  const { priceCents, currency, availability, confidence, observedAtMs } = held;
  const sighting = { priceCents, currency, availability, confidence, observedAtMs };
  return withSighting(free, sighting, observedAtMs);
}
