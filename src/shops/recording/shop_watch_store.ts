/**
 * Detects that many prices of a shop change in the same suspicious way. A pattern is a kind of
 * price change, such as a fall by more than 30 %, or a change to a certain price. If too many
 * prices of a shop have the same pattern, an alarm begins. During the alarm, new prices with this
 * pattern are in quarantine: they are not used until a person has accepted them.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
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

export interface PatternOfShop {
  readonly competitorId: string;
  readonly pattern: ShopPattern;
}

export interface PatternedChange extends PatternOfShop {
  readonly productId: string;
  readonly atMs: number;
}

type ChangeRow = Omit<PatternedChange, "pattern"> & { readonly pattern: string };

export const patternedChanges = defineTable<ChangeRow, "competitorId" | "pattern" | "productId">({
  prefix: "qj",
  about: "when the price of the product at the shop got the pattern, in milliseconds",
  key: { competitorId: "id", pattern: "text", productId: "id" },
  value: "atMs",
  expireInMs: RUN_MS,
});

export async function listChanged(
  workspace: WorkspaceStore,
  { competitorId, pattern }: PatternOfShop,
  sinceMs: number,
): Promise<string[]> {
  const within = { competitorId, pattern: patternName(pattern) };
  const found = await patternedChanges.list(workspace, { within });
  return found.flatMap(({ row }) => row.atMs >= sinceMs ? [row.productId] : []);
}

export interface ShopAlarm {
  readonly pattern: ShopPattern;
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly releasedMs: number | null;
  readonly count: number;
  readonly seen: number;
}

interface AlarmRow extends ShopAlarm {
  readonly competitorId: string;
  readonly name: string;
}

export const shopAlarms = defineTable<AlarmRow, "competitorId" | "name">({
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

export async function findAlarm(
  workspace: WorkspaceStore,
  { competitorId, pattern }: PatternOfShop,
): Promise<Found<AlarmRow> | null> {
  return await shopAlarms.find(workspace, { competitorId, name: patternName(pattern) });
}

export async function listAlarms(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<Found<AlarmRow>[]> {
  return await shopAlarms.list(workspace, { within: { competitorId } });
}

export interface Suspicion {
  readonly code: SuspicionCode;
  /** Price in minor units with which the observed price was compared; null if there was none. */
  readonly againstCents: number | null;
}

export type ShopPattern =
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

export function patternsOf(change: PriceChange): ShopPattern[] {
  const { currency, toCents: priceCents } = change;
  const same: ShopPattern = { kind: "same", currency, priceCents };
  const jump = jumpOf(change);
  return jump === null ? [same] : [{ kind: jump }, same];
}

export function patternName(pattern: ShopPattern): string {
  return pattern.kind === "same" ? `same ${pattern.currency} ${pattern.priceCents}` : pattern.kind;
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
