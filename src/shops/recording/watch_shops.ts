/**
 * Watches whether many prices of a shop change in the same pattern (docs/decisions/rules.md,
 * "Quarantine"). A pattern is a kind of price change, such as a fall by more than 30 %. If too many
 * prices change in the same pattern, an alarm begins: the prices with this pattern go into
 * quarantine, and the rules are evaluated again without these prices.
 */
import { requireWorkspace } from "../../accounts/workspace.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { dirtyQueue, type OutboxListener, publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { SHOP_CODES } from "../choices.ts";
import { competitorsById } from "../competitor_store.ts";
import { changedObservations, type Observation } from "../observations/observation.ts";
import { addMoves } from "../observations/move_store.ts";
import { markHeld, NEXT_MARK, walkLoose } from "../observations/observation_store.ts";
import {
  findHeld,
  type HeldPrice,
  putHeld,
  releasedPrices,
} from "../offers/failing_and_held_store.ts";
import { type Offer, readOwnSellers, showsOtherProduct } from "../offers/offer.ts";
import {
  checkOffers,
  countTracked,
  findOffers,
  findOffersOf,
  putOffers,
} from "../offers/offer_store.ts";
import { findObservations, RUN_MS, runStartMs, shopSuspicion } from "./record_observation.ts";
import { defineTable } from "../../platform/store/table.ts";

type Watcher = Pick<Context, "store" | "workspaceId" | "now" | "newId">;

const CAUSES: readonly string[] = ["push", "scrape_run"];
const CHANGES_PER_COMMIT = 400;

export const shopWatch: OutboxListener = {
  async handle(_write, ctx, { event }) {
    if (event.type !== "products.touched" || !CAUSES.includes(event.data.cause)) return;
    await watchShops(ctx, event.data.productIds);
  },
};

async function watchShops(ctx: Watcher, productIds: readonly string[]): Promise<void> {
  if ((await requireWorkspace(ctx)).quarantine === null) return;
  const nowMs = ctx.now().getTime();
  const changes = await findChanges(ctx, productIds, runStartMs(nowMs));
  if (changes.length === 0) return;
  for (let at = 0; at < changes.length; at += CHANGES_PER_COMMIT) {
    await transact(ctx, (write) => {
      for (const change of changes.slice(at, at + CHANGES_PER_COMMIT)) {
        patternedChanges.put(write, ctx, change);
      }
    });
  }
  const nameOf = ({ competitorId, name }: PatternedChange) => `${competitorId} ${name}`;
  for (const [first, ...others] of Map.groupBy(changes, nameOf).values()) {
    if (first) await judgePattern(ctx, first, [first, ...others], nowMs);
  }
}

async function findChanges(
  ctx: Watcher,
  productIds: readonly string[],
  sinceMs: number,
): Promise<PatternedChange[]> {
  const rows = await findOffersOf(ctx, productIds);
  const all = rows.flatMap(({ offers }) => offers);
  const held = await findHeld(ctx, all);
  const isOurs = await readOwnSellers(ctx, all);
  const found = rows.flatMap(({ productId, offers }) =>
    offers.flatMap((offer): PatternedChange[] => {
      if (isOurs(offer)) return [];
      const change = changeOf(offer, held.get(offer.matchId) ?? null);
      if (change === null || change.atMs < sinceMs) return [];
      const { competitorId } = offer;
      const { atMs } = change;
      return patternsOf(change).map((name) => ({ competitorId, productId, name, atMs }));
    })
  );
  const shops = [...new Set(found.map(({ competitorId }) => competitorId))];
  const tracked = await countTracked(ctx, shops);
  const large = new Set(shops.filter((_, at) => (tracked[at] ?? 0) >= SAME_MIN));
  return found.filter(({ competitorId }) => large.has(competitorId));
}

interface OfferChange extends PriceChange {
  readonly atMs: number;
}

function changeOf(offer: Offer, held: HeldPrice | null): OfferChange | null {
  const { enabled, priceCents, currency, previousCents, sinceMs } = offer;
  if (!enabled || showsOtherProduct(offer) || priceCents === null || currency === null) return null;
  if (held !== null) {
    const { priceCents: toCents, heldAtMs: atMs } = held;
    return held.currency === currency ? { fromCents: priceCents, toCents, currency, atMs } : null;
  }
  if (previousCents === null || sinceMs === null) return null;
  return { fromCents: previousCents, toCents: priceCents, currency, atMs: sinceMs };
}

const NO_PRICE = { priceCents: null, currency: null };

/**
 * Puts prices into quarantine first and stores the alarm last, so that a repeated event completes
 * the work after a crash.
 */
async function judgePattern(
  ctx: Watcher,
  of: PatternOfShop,
  changes: readonly PatternedChange[],
  nowMs: number,
): Promise<void> {
  const alarm = (await shopAlarms.find(ctx, of))?.row ?? null;
  if (isAccepted(alarm, nowMs)) return;
  if (isOpen(alarm, nowMs)) {
    for (const { productId } of changes) await holdProduct(ctx, of, productId);
    return;
  }
  const { competitorId, name } = of;
  const pattern = patternOf(name);
  const competitor = (await competitorsById(ctx)).get(competitorId);
  const [observations, [tracked = 0], changed] = await Promise.all([
    findObservations(ctx, competitorId, nowMs),
    countTracked(ctx, [competitorId]),
    listChanged(ctx, of, runStartMs(nowMs)),
  ]);
  const seen = Math.min(observations, tracked);
  const count = changed.length;
  if (!competitor || !isTooMany(pattern, count, seen)) return;
  for (const productId of changed) await holdProduct(ctx, of, productId);
  const { displayName } = competitor;
  await transact(ctx, async (write) => {
    const found = await shopAlarms.find(ctx, of);
    if (isAccepted(found?.row ?? null, nowMs) || isOpen(found?.row ?? null, nowMs)) return;
    const moment = { sinceMs: nowMs, lastMs: nowMs, releasedMs: null };
    const alarm = { competitorId, name, pattern, ...moment, count, seen };
    shopAlarms.save(write, ctx, found, alarm);
    const { kind } = pattern;
    const { priceCents, currency } = kind === "same" ? pattern : NO_PRICE;
    const data = { competitorId, competitor: displayName, count, seen, priceCents, currency };
    publish(write, ctx, [{ type: "shop.held", data: { ...data, pattern: kind } }]);
  });
}

async function holdProduct(ctx: Watcher, of: PatternOfShop, productId: string): Promise<void> {
  await transact(ctx, async (write) => {
    const nowMs = ctx.now().getTime();
    const found = await shopAlarms.find(ctx, of);
    if (isAccepted(found?.row ?? null, nowMs)) return;
    const stored = await findOffers(ctx, productId);
    const [document] = await findDocuments(ctx, [productId]);
    if (!document) return;
    const product = parseProduct(document.bytes);
    const wanted = await findWanted(ctx, { ...of, productId }, stored.offers);
    const held = await Promise.all(
      wanted.map((one) => holdOffer(write, ctx, { product, name: of.name, ...one })),
    );
    if (held.length === 0) return;
    if (found && nowMs - found.row.lastMs >= 3_600_000) {
      shopAlarms.save(write, ctx, found, { ...found.row, lastMs: nowMs });
    } else shopAlarms.check(write, ctx, of, found);
    checkOffers(write, ctx.workspaceId, stored);
    const offers = stored.offers.map((offer) =>
      held.find(({ matchId }) => matchId === offer.matchId) ?? offer
    );
    putOffers(write, ctx.workspaceId, product, { before: stored.offers, after: offers });
    dirtyQueue.add(write, {
      partition: [ctx.workspaceId],
      id: ctx.newId(),
      dueMs: nowMs,
      value: { cause: "write", ref: null, productIds: [productId], from: 0 },
    });
  });
}

interface Wanted {
  readonly offer: Offer;
  readonly held: HeldPrice | null;
  readonly change: OfferChange;
}

async function findWanted(
  ctx: Watcher,
  { competitorId, name, productId }: Omit<PatternedChange, "atMs">,
  offers: readonly Offer[],
): Promise<Wanted[]> {
  const sinceMs = runStartMs(ctx.now().getTime());
  const released = await releasedPrices.list(ctx, { within: { productId } });
  const isOurs = await readOwnSellers(ctx, offers);
  const heldOf = await findHeld(ctx, offers);
  const found: Wanted[] = [];
  for (const offer of offers) {
    if (offer.competitorId !== competitorId || isOurs(offer)) continue;
    const held = heldOf.get(offer.matchId) ?? null;
    const change = changeOf(offer, held);
    if (change === null || change.atMs < sinceMs) continue;
    const isPatterned = patternsOf(change).includes(name);
    const isHeldSo = held !== null && shopSuspicion(held) !== null;
    const isReleased = released.some(({ row }) =>
      row.matchId === offer.matchId && row.priceCents === change.toCents &&
      row.currency === change.currency
    );
    if (isPatterned && !isHeldSo && !isReleased) found.push({ offer, held, change });
  }
  return found;
}

async function holdOffer(
  write: Write,
  ctx: Watcher,
  { product, name, offer, held, change }: Wanted & {
    readonly product: { readonly id: string; readonly sku: string };
    readonly name: string;
  },
): Promise<Offer> {
  const suspicion = { code: SHOP_CODES[patternOf(name).kind], againstCents: change.fromCents };
  if (held !== null) {
    putHeld(write, ctx.workspaceId, { ...held, ...suspicion });
    return { ...offer };
  }
  const { matchId, competitorId, currency, packFactor } = offer;
  const link = { productId: product.id, matchId };
  const { atMs, ...prices } = change;
  const known = { atMs, isObserved: true, isWithdrawn: true } as const;
  const kind = prices.toCents < prices.fromCents ? "down" : "up";
  addMoves(write, ctx, [{ kind, ...link, competitorId, packFactor, ...prices, ...known }]);
  let newest: Observation | null = null;
  let before: Observation | null = null;
  for await (const one of walkLoose(ctx, link, { fromMs: 0, toMs: offer.observedAtMs ?? 0 })) {
    newest ??= one;
    if (one.observedAtMs >= change.atMs) {
      // Rules ignore observations with the mark `isHeld`, unless the offer has the same price.
      if (one.isHeld !== true && write.fits(NEXT_MARK)) markHeld(write, ctx, one, true);
    } else if (one.priceCents === change.fromCents && one.currency === currency) {
      before = one;
      break;
    }
  }
  putHeld(write, ctx.workspaceId, {
    productId: product.id,
    sku: product.sku,
    matchId,
    competitorId,
    priceCents: change.toCents,
    currency: change.currency,
    availability: offer.availability ?? "unknown",
    confidence: offer.confidence ?? 0,
    source: newest?.source ?? "push",
    heldAtMs: change.atMs,
    observedAtMs: offer.observedAtMs ?? change.atMs,
    ...suspicion,
  });
  const after = {
    ...offer,
    priceCents: change.fromCents,
    previousCents: null,
    sinceMs: null,
    observedAtMs: before?.observedAtMs ?? change.atMs,
    availability: before?.availability ?? offer.availability,
    confidence: before?.confidence ?? offer.confidence,
    heldAtMs: change.atMs,
  };
  publish(write, ctx, changedObservations(product, offer, after, newest?.source ?? "push"));
  return after;
}

/** `name` is `down`, `up`, or, for example, `same EUR 1999` (price in minor units). */
interface PatternOfShop {
  readonly competitorId: string;
  readonly name: string;
}

interface PatternedChange extends PatternOfShop {
  readonly productId: string;
  readonly atMs: number;
}

const patternedChanges = defineTable<
  PatternedChange,
  keyof PatternOfShop | "productId"
>({
  prefix: "qj",
  about: "when a product's price at the shop changed in the way `name`, in milliseconds",
  key: { competitorId: "id", name: "text", productId: "id" },
  value: "atMs",
  expireInMs: RUN_MS,
});

async function listChanged(
  workspace: WorkspaceStore,
  { competitorId, name }: PatternOfShop,
  sinceMs: number,
): Promise<string[]> {
  const within = { competitorId, name };
  const found = await patternedChanges.list(workspace, { within });
  return found.flatMap(({ row }) => row.atMs >= sinceMs ? [row.productId] : []);
}

export interface ShopAlarm extends PatternOfShop {
  readonly pattern: ShopPattern;
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly releasedMs: number | null;
  readonly count: number;
  readonly seen: number;
}

export const shopAlarms = defineTable<ShopAlarm, keyof PatternOfShop>({
  prefix: "qa",
  about: "an alarm: prices of the shop that change in the way `name`, such as `down`, are held",
  key: { competitorId: "id", name: "text" },
  expireInMs: 2 * RUN_MS,
});

export function isOpen(alarm: ShopAlarm | null, nowMs: number): alarm is ShopAlarm {
  return alarm !== null && alarm.releasedMs === null && nowMs < alarm.lastMs + RUN_MS;
}

function isAccepted(alarm: ShopAlarm | null, nowMs: number): boolean {
  return alarm !== null && alarm.releasedMs !== null && nowMs < alarm.releasedMs + RUN_MS;
}

type ShopPattern =
  | { readonly kind: "down" | "up" }
  | { readonly kind: "same"; readonly currency: string; readonly priceCents: number };

interface PriceChange {
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
}

const JUMP_PCT = 30;
const SHARE_PCT = 30;
const SAME_MIN = 10;

function jumpOf({ fromCents, toCents }: PriceChange): "down" | "up" | null {
  const isJump = Math.abs(toCents - fromCents) * 100 > fromCents * JUMP_PCT;
  return !isJump ? null : toCents < fromCents ? "down" : "up";
}

function patternsOf(change: PriceChange): string[] {
  const same = `same ${change.currency} ${change.toCents}`;
  const jump = jumpOf(change);
  return jump === null ? [same] : [jump, same];
}

function patternOf(name: string): ShopPattern {
  const [kind, currency = "", cents] = name.split(" ");
  if (kind === "same") return { kind, currency, priceCents: Number(cents) };
  return { kind: kind === "down" ? "down" : "up" };
}

function isTooMany(pattern: ShopPattern, count: number, seen: number): boolean {
  if (pattern.kind === "same") return count >= SAME_MIN;
  return seen >= 20 && count * 100 > seen * SHARE_PCT;
}
