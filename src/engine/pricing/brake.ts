/**
 * The brake stops price wars (docs/decisions/rules.md). The brake closes when a rule has cut a
 * product's price too often within some days. While the brake is closed, the rule may not cut the
 * price.
 */
import { DAY_MS } from "../../base/time.ts";
import { z } from "zod";

export const CUTS_MAX = 20;

export const Brake = z.strictObject({
  cuts: z.int().min(1).max(CUTS_MAX).meta({
    title: "Number of cuts",
    description: "After this many cuts, the rule does not lower the price any more",
  }),
  days: z.int().min(1).max(90).meta({
    title: "Within this many days",
    description: "Each of 24 hours",
  }),
  restDays: z.int().min(1).max(365).meta({
    title: "Then no cuts for this many days",
    description: "At least `days`; price increases are still allowed",
  }),
}).refine(
  ({ days, restDays }) => restDays >= days,
  { message: 'Must not be less than "days"', path: ["restDays"] },
).meta({ id: "Brake", description: "Stops price wars; only together with `price` in an action" });

export type Brake = Readonly<z.output<typeof Brake>>;

export const DEFAULT_BRAKE: Brake = { cuts: 3, days: 7, restDays: 7 };

export interface Cut {
  readonly atMs: number;
  readonly fromCents: number;
  readonly toCents: number;
  /** The cheapest competitor at the time of the cut; null if the rule uses no competitors. */
  readonly competitorId: string | null;
  /** The competitor's price per piece, with VAT if our price includes VAT. */
  readonly referenceCents: number | null;
}

export interface BrakeState {
  /** The oldest cut comes first. */
  readonly cuts: readonly Cut[];
  /** The time at which a closed brake opens. */
  readonly untilMs: number | null;
}

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

export function isBraked(state: BrakeState | undefined, nowMs: number): boolean {
  return state !== undefined && state.untilMs !== null && nowMs < state.untilMs;
}

/**
 * Applies the rule's current brake settings to the stored `state`. A closed brake stays closed
 * until `untilMs`.
 */
export function asJudged(
  state: BrakeState,
  { cuts: most, days, restDays }: Brake,
  nowMs: number,
): BrakeState {
  const last = state.cuts.at(-1);
  if (last === undefined || isBraked(state, nowMs)) return state;
  const recent = state.cuts.filter(({ atMs }) => atMs > nowMs - days * DAY_MS);
  return recent.length < most ? state : { cuts: recent, untilMs: last.atMs + restDays * DAY_MS };
}

export function withCut(
  state: BrakeState | undefined,
  cut: Cut,
  { cuts: most, days, restDays }: Brake,
): BrakeState {
  const fromMs = cut.atMs - days * DAY_MS;
  const earlier = state?.cuts.filter(({ atMs }) => atMs > fromMs) ?? [];
  const cuts = [...earlier, cut].slice(-CUTS_MAX);
  return { cuts, untilMs: cuts.length >= most ? cut.atMs + restDays * DAY_MS : null };
}

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

export const BUDGET_MAX = 1_000_000;

export interface Spent {
  readonly all: number;
  /**
   * Numbers of today's automatic price changes by the id of the rule, for rules with a daily limit.
   */
  readonly rules: Readonly<Record<string, number>>;
}

export interface Exhausted {
  readonly of: "rule" | "workspace";
  readonly most: number;
}
