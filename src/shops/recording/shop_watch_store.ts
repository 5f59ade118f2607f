/**
 * Detects that many prices of a shop change in the same suspicious way. A pattern is a kind of
 * price change, such as a fall by more than 30 %, or a change to a certain price. If too many
 * prices of a shop have the same pattern, an alarm begins. During the alarm, new prices with this
 * pattern are in quarantine: they are not used until a person has accepted them.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { Offer } from "../offers/offer.ts";
import { shopCodeOf, type SuspicionCode } from "../choices.ts";

const SLOT_MS = 10 * 3_600_000;
/**
 * Price changes within this time are counted together. This time is less than a day, so that
 * changes in two nights are counted separately.
 */
const RUN_MS = 2 * SLOT_MS;

export const seenCounts = defineTable<
  { readonly slot: number; readonly competitorId: string; readonly count: number },
  "slot" | "competitorId"
>({
  prefix: "qs",
  about:
    "u64, the number of a shop's offers that were observed in a slot of ten hours, each counted once",
  key: { slot: "number", competitorId: "id" },
  value: "count",
  keep: {
    what: "counts of offers seen per shop, for the quarantine",
    days: 2,
    isOld: ({ slot }, before) => slot < slotOf(before.getTime()),
    isInOrder: true,
  },
});

const slotOf = (nowMs: number) => Math.floor(nowMs / SLOT_MS);

export function runStartMs(nowMs: number): number {
  return (slotOf(nowMs) - 1) * SLOT_MS;
}

/** Only an offer's first observation in a period of ten hours (`slot`) is counted. */
export function isFirstOfSlot({ checkedAtMs }: Offer, nowMs: number): boolean {
  return checkedAtMs === null || checkedAtMs < slotOf(nowMs) * SLOT_MS;
}

export function countObservation(
  write: Write,
  workspaceId: string,
  competitorId: string,
  nowMs: number,
): void {
  write.sum(seenCounts.keyOf({ workspaceId }, { slot: slotOf(nowMs), competitorId }), 1);
}

export async function findObservations(
  workspace: WorkspaceStore,
  competitorId: string,
  nowMs: number,
): Promise<number> {
  const slots = [slotOf(nowMs) - 1, slotOf(nowMs)];
  const found = await seenCounts.getMany(workspace, slots.map((slot) => ({ slot, competitorId })));
  return found.reduce((sum, one) => sum + (one?.row.count ?? 0), 0);
}

/** `name` is the pattern as a text: `down`, `up`, or `same`, a currency and a price. */
export interface PatternOfShop {
  readonly competitorId: string;
  readonly name: string;
}

export interface PatternedChange extends PatternOfShop {
  readonly productId: string;
  readonly atMs: number;
}

export const patternedChanges = defineTable<
  PatternedChange,
  keyof PatternOfShop | "productId"
>({
  prefix: "qj",
  about: "when the price of the product at the shop got the pattern, in milliseconds",
  key: { competitorId: "id", name: "text", productId: "id" },
  value: "atMs",
  expireInMs: RUN_MS,
});

export async function listChanged(
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
  about: "the alarm that holds prices of the shop with the named pattern",
  key: { competitorId: "id", name: "text" },
  expireInMs: 2 * RUN_MS,
});

export function isOpen(alarm: ShopAlarm | null, nowMs: number): alarm is ShopAlarm {
  return alarm !== null && alarm.releasedMs === null && nowMs < alarm.lastMs + RUN_MS;
}

export function isAccepted(alarm: ShopAlarm | null, nowMs: number): boolean {
  return alarm !== null && alarm.releasedMs !== null && nowMs < alarm.releasedMs + RUN_MS;
}

export interface Suspicion {
  readonly code: SuspicionCode;
  /** Price in minor units with which the observed price was compared; null if there was none. */
  readonly againstCents: number | null;
}

type ShopPattern =
  | { readonly kind: "down" | "up" }
  | { readonly kind: "same"; readonly currency: string; readonly priceCents: number };

export interface PriceChange {
  readonly fromCents: number;
  readonly toCents: number;
  readonly currency: string;
}

const JUMP_PCT = 30;
const SHARE_PCT = 30;
export const SAME_MIN = 10;

function jumpOf({ fromCents, toCents }: PriceChange): "down" | "up" | null {
  const isJump = Math.abs(toCents - fromCents) * 100 > fromCents * JUMP_PCT;
  return !isJump ? null : toCents < fromCents ? "down" : "up";
}

export function patternsOf(change: PriceChange): string[] {
  const same = `same ${change.currency} ${change.toCents}`;
  const jump = jumpOf(change);
  return jump === null ? [same] : [jump, same];
}

export function patternOf(name: string): ShopPattern {
  const [kind, currency = "", cents] = name.split(" ");
  if (kind === "same") return { kind, currency, priceCents: Number(cents) };
  return { kind: kind === "down" ? "down" : "up" };
}

export function isTooMany(pattern: ShopPattern, count: number, seen: number): boolean {
  if (pattern.kind === "same") return count >= SAME_MIN;
  return seen >= 20 && count * 100 > seen * SHARE_PCT;
}

export function shopSuspicion(
  held: { readonly code: string; readonly againstCents: number | null },
): Suspicion | null {
  const code = shopCodeOf(held.code);
  return code === null ? null : { code, againstCents: held.againstCents };
}
