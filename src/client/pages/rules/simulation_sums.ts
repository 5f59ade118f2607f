/** What a dry run says in sum; all of it is counted from its results. */
import { meanPct } from "../../../base/percent.ts";
import { BINDING_CODES } from "../../../engine/pricing/codes.ts";
import { shownMarginPct, type Simulated } from "../../parts/decision/decision.ts";

export interface SimulationSums {
  readonly up: number;
  readonly down: number;
  /** The trigger fired and the rule makes no price. */
  readonly alertOnly: number;
  /** The trigger fired and a guard forbids the price. */
  readonly blocked: number;
  readonly quiet: number;
  /** How many prices which guard forbids. */
  readonly blockedBy: ReadonlyMap<string, number>;
  readonly lifted: number;
  /** Fired a short time ago: a live evaluation would wait. */
  readonly cooling: number;
  /** How many prices which guard keeps from being applied without a person. */
  readonly heldBy: ReadonlyMap<string, number>;
  /** Of the products whose price would change; null without a cost. */
  readonly marginBeforePct: number | null;
  readonly marginAfterPct: number | null;
}

export function sumUp(results: readonly Simulated[]): SimulationSums {
  const fired = results.filter(({ wouldFire }) => wouldFire);
  const priced = fired.filter(({ proposedCents }) => proposedCents !== undefined);
  const unpriced = fired.filter(({ proposedCents }) => proposedCents === undefined);
  const blocked = unpriced.filter(({ bindingGuard }) => bindingGuard !== null);
  const isUp = ({ currentCents, proposedCents }: Simulated) =>
    (proposedCents ?? 0) > (currentCents ?? 0);
  const known = priced.filter(({ marginPct, currentCents, trace }) =>
    marginPct !== null && shownMarginPct(trace, currentCents) !== null
  );
  return {
    up: priced.filter(isUp).length,
    down: priced.filter((one) => !isUp(one)).length,
    alertOnly: unpriced.length - blocked.length,
    blocked: blocked.length,
    quiet: results.length - fired.length,
    blockedBy: counted(blocked),
    lifted: priced.filter(({ trace }) => trace.price?.floor?.lifts === true).length,
    cooling: fired.filter(({ cooldownActive }) => cooldownActive).length,
    heldBy: counted(priced.filter(({ bindingGuard }) => !isBinding(bindingGuard))),
    marginBeforePct: meanPct(
      known.map(({ trace, currentCents }) => shownMarginPct(trace, currentCents) ?? 0),
    ),
    marginAfterPct: meanPct(
      known.map(({ trace, proposedCents }) => shownMarginPct(trace, proposedCents ?? null) ?? 0),
    ),
  };
}

/** A guard that has changed the price holds nothing back. */
function isBinding(guard: string | null): boolean {
  return guard !== null && BINDING_CODES.includes(guard);
}

function counted(results: readonly Simulated[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { bindingGuard } of results) {
    if (bindingGuard !== null) counts.set(bindingGuard, (counts.get(bindingGuard) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
