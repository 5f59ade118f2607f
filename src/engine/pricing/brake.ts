/**
 * The brake of price wars (docs/decisions/rules.md). When a rule has automatically cut the price of a
 * product a given number of times within some days, the brake closes, and the rule makes no cut for a
 * while.
 */
import { DAY_MS } from "../../base/time.ts";
import { z } from "zod";

/** Every cut that counts is kept with the product. */
export const CUTS_MAX = 20;
const DAYS_MAX = 90;
const REST_DAYS_MAX = 365;

export const Brake = z.strictObject({
  cuts: z.int().min(1).max(CUTS_MAX).meta({
    title: "So many cuts",
    description: "The last of them closes the brake: the rule lowers the price no more",
  }),
  days: z.int().min(1).max(DAYS_MAX).meta({
    title: "Within so many days",
    description: "Of 24 hours",
  }),
  restDays: z.int().min(1).max(REST_DAYS_MAX).meta({
    title: "Then no cut for so many days",
    description: "Not fewer than `days`; raises go on",
  }),
}).refine(
  ({ days, restDays }) => restDays >= days,
  { message: 'Must not be less than "days"', path: ["restDays"] },
).meta({ id: "Brake", description: "What ends a price war; only beside `price` in an action" });

export type Brake = Readonly<z.output<typeof Brake>>;

/** Of rules that aim at a price, apply it by themselves and name no brake. */
export const DEFAULT_BRAKE: Brake = { cuts: 3, days: 7, restDays: 7 };

export interface Cut {
  readonly atMs: number;
  readonly fromCents: number;
  readonly toCents: number;
  /** The cheapest competitor then; null when the rule looked at no competitor. */
  readonly competitorId: string | null;
  /** The price of that competitor, per piece and on our side of VAT. */
  readonly referenceCents: number | null;
}

/** The stored cuts of one rule on one product. */
export interface BrakeState {
  /** The oldest first; what no longer counts is dropped with the next cut. */
  readonly cuts: readonly Cut[];
  /** Until when the rule makes no cut; null if the brake was never closed or was released. */
  readonly untilMs: number | null;
}

/** The brake that holds for a rule; null for one that sets no price that it aims at by itself. */
export function brakeOf(
  { brake, actions }: {
    readonly brake: Brake | null;
    readonly actions: readonly { readonly type: string }[];
  },
  hasAim: boolean,
): Brake | null {
  const applies = actions.some(({ type }) => type === "auto_apply_if_safe");
  return hasAim && applies ? brake ?? DEFAULT_BRAKE : null;
}

export function isBraked(memory: BrakeState | undefined, nowMs: number): boolean {
  return memory !== undefined && memory.untilMs !== null && nowMs < memory.untilMs;
}

/**
 * The memory as the brake of now judges it: as many cuts as it lets through, within its days, have
 * closed it with the last of them, also where it was set lower since. The very same memory where that
 * changes nothing: what is closed stays closed.
 */
export function asJudged(
  memory: BrakeState,
  { cuts: most, days, restDays }: Brake,
  nowMs: number,
): BrakeState {
  const last = memory.cuts.at(-1);
  if (last === undefined || isBraked(memory, nowMs)) return memory;
  const recent = memory.cuts.filter(({ atMs }) => atMs > nowMs - days * DAY_MS);
  return recent.length < most ? memory : { cuts: recent, untilMs: last.atMs + restDays * DAY_MS };
}

/** The memory after one more cut: the last one that is allowed closes the brake. */
export function withCut(
  memory: BrakeState | undefined,
  cut: Cut,
  { cuts: most, days, restDays }: Brake,
): BrakeState {
  const fromMs = cut.atMs - days * DAY_MS;
  const earlier = memory?.cuts.filter(({ atMs }) => atMs > fromMs) ?? [];
  const cuts = [...earlier, cut].slice(-CUTS_MAX);
  return { cuts, untilMs: cuts.length >= most ? cut.atMs + restDays * DAY_MS : null };
}

/** The competitor that our cuts answered: the cheapest each time, and cheaper every time; else null. */
export function rivalOf(cuts: readonly Cut[]): string | null {
  const [first] = cuts;
  if (!first || first.competitorId === null || cuts.length < 2) return null;
  const isWar = cuts.every(({ competitorId, referenceCents }, at) => {
    const before = cuts[at - 1]?.referenceCents ?? Infinity;
    return competitorId === first.competitorId && referenceCents !== null &&
      referenceCents < before;
  });
  return isWar ? first.competitorId : null;
}

/** No day of a workspace has more. */
export const BUDGET_MAX = 1_000_000;

/** How many were set by themselves on the day of now. */
export interface Spent {
  readonly all: number;
  /** By the id of rules that have a budget. */
  readonly rules: Readonly<Record<string, number>>;
}

/** Which budget leaves no room for one more price. */
export interface Exhausted {
  readonly of: "rule" | "workspace";
  readonly most: number;
}
