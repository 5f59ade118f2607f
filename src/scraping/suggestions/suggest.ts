/** Suggests links from a page to our products. */
import type { Product } from "../../catalogue/products/product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { SUGGESTED_SCORE } from "../../engine/matching/title_likeness.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { type PublicEvent, SUGGESTED_TOGETHER_MAX } from "../../platform/events/event.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { competitors } from "../../shops/competitor_store.ts";
import {
  changeSuggestion,
  type FoundPage,
  listSuggestionsOf,
  OPEN_PER_SHOP_MAX,
  queuedSuggestions,
  type StoredSuggestion,
  suggestions,
} from "../../shops/pages/found_page_store.ts";
import { findRemovals } from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { type Candidate, judgePage } from "./product_indexes.ts";

type Suggester = Pick<Context, "store" | "workspaceId" | "now" | "newId">;
type SuggestedPage = FoundPage & { readonly isAutomatic: boolean };

/** Adds at most six version checks to the commit. */
export async function suggestPage(
  write: Write,
  ctx: Suggester,
  found: SuggestedPage,
  candidates: readonly Candidate[],
): Promise<NewSuggestion[]> {
  const added: NewSuggestion[] = [];
  // A suggestion adds up to two version checks to the commit.
  let left = 3;
  for (const candidate of candidates) {
    if (left === 0) break;
    const stored = await findProduct(ctx, candidate.productId);
    if (!stored) continue;
    const outcome = await suggestPair(write, ctx, found, stored.product, candidate);
    if (outcome === "nothing") continue;
    left--;
    if (outcome !== "changed") added.push(outcome);
  }
  return added;
}

async function suggestPair(
  write: Write,
  ctx: Suggester,
  { competitorId, urlHash, page, isAutomatic }: SuggestedPage,
  product: Product,
  { score: indexScore, words }: Candidate,
): Promise<NewSuggestion | "changed" | "nothing"> {
  const judgement = judgePage(product, page, words);
  const { verdict, reasons } = judgement;
  const packFactor = judgement.packFactor ?? page.pack;
  const score = indexScore ?? judgement.score ?? 0;
  const isSuggested = verdict === "same" || verdict === "probably" ||
    (verdict === "unknown" && score >= SUGGESTED_SCORE) ||
    // A pack factor means that the page shows our product in another pack size.
    judgement.packFactor !== null;
  const others = await listSuggestionsOf(ctx, product.id);
  const known = others.find((one) => one.urlHash === urlHash);
  const now = ctx.now().toISOString();
  const content = { page, verdict, score, reasons: [...reasons], packFactor };
  if (known) {
    if (known.status !== "open") return "nothing";
    // The price of the page may have changed, and may now allow an automatic link.
    if (isAutomatic && verdict === "same") queuedSuggestions.put(write, ctx, known);
    const after: StoredSuggestion = isSuggested
      ? { ...known, ...content }
      : { ...known, status: "superseded", decidedAt: now };
    if (saysAsBefore(known, after)) return "nothing";
    return await changeSuggestion(write, ctx, known, after) ? "changed" : "nothing";
  }
  if (!isSuggested || await isLinkedOrRemoved(ctx, product.id, urlHash)) return "nothing";
  const rivals = others.filter((one) => one.competitorId === competitorId && one.status === "open");
  if (rivals.length >= OPEN_PER_SHOP_MAX) {
    const weakest = rivals.toSorted((a, b) => weightOf(a) - weightOf(b))[0]!;
    if (weightOf(weakest) >= weightOf({ verdict, score })) return "nothing";
    const superseded = { ...weakest, status: "superseded", decidedAt: now } as const;
    await changeSuggestion(write, ctx, weakest, superseded);
  }
  const id = ctx.newId();
  if (isAutomatic && verdict === "same") queuedSuggestions.put(write, ctx, { competitorId, id });
  suggestions.add(write, ctx, {
    id,
    productId: product.id,
    competitorId,
    urlHash,
    ...content,
    status: "open",
    rejectedAs: null,
    createdAt: now,
    decidedAt: null,
    decidedBy: null,
  });
  return { suggestionId: id, productId: product.id, sku: product.sku, verdict, score };
}

function saysAsBefore(before: StoredSuggestion, after: StoredSuggestion): boolean {
  return before.status === after.status && before.verdict === after.verdict &&
    Math.abs(before.score - after.score) < 0.05 && before.page.price === after.page.price &&
    before.packFactor === after.packFactor;
}

const VERDICT_WEIGHTS = { same: 2, probably: 1, unknown: 0, different: -1 } as const;

function weightOf({ verdict, score }: Pick<StoredSuggestion, "verdict" | "score">): number {
  return VERDICT_WEIGHTS[verdict] + score;
}

async function isLinkedOrRemoved(
  ctx: Suggester,
  productId: string,
  urlHash: string,
): Promise<boolean> {
  const { offers } = await findOffers(ctx, productId);
  if (offers.some((offer) => offer.urlHash === urlHash)) return true;
  return (await findRemovals(ctx, productId, [urlHash])).has(urlHash);
}

export type NewSuggestion = Extract<
  PublicEvent,
  { type: "match.suggested" }
>["data"]["suggestions"][number];

export async function publishSuggestions(
  write: Write,
  ctx: Suggester,
  competitorId: string,
  suggestions: readonly NewSuggestion[],
): Promise<void> {
  if (suggestions.length === 0) return;
  const shop = await competitors.find(ctx, { id: competitorId });
  if (!shop) return;
  const { displayName: competitor } = shop.row;
  const events: PublicEvent[] = [];
  for (let at = 0; at < suggestions.length; at += SUGGESTED_TOGETHER_MAX) {
    const part = suggestions.slice(at, at + SUGGESTED_TOGETHER_MAX);
    events.push({ type: "match.suggested", data: { competitorId, competitor, suggestions: part } });
  }
  publish(write, ctx, events);
}
