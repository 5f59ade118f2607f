/** Queues products for evaluation when a temporary obstacle ends. */
import { commitInWorkspaces } from "../../accounts/each_workspace.ts";
import { holdPasses, holds } from "../../catalogue/products/hold_store.ts";
import { type DirtyProducts, dirtyQueue } from "../../platform/events/outbox_store.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { brakes, type ClosedBrake } from "./rule_state_store.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Decision } from "../../engine/pricing/decide.ts";

interface Lapse {
  readonly untilMs: number;
  readonly productId: string;
}

export const lapses = defineTable<Lapse, "untilMs" | "productId">({
  prefix: "lp",
  about: "the time when an obstacle for a rule ends at the product, and rules are evaluated again",
  key: { untilMs: "number", productId: "id" },
});

interface LapseTerms {
  readonly rules: readonly CompiledRule[];
  readonly nowMs: number;
  readonly timeZone: string;
}

type Objected = Pick<Decision, "ruleId" | "wouldFire"> & {
  readonly reason: Pick<Decision["reason"], "objections">;
};

/** The time at which a decision may change without an event; null if no rule waits. */
export function lapseOf(decisions: readonly Objected[], terms: LapseTerms): number | null {
  const ends = decisions.flatMap((decision) => endOf(decision, terms) ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** The end of the last objection. Null without objections, or if an objection never ends. */
function endOf(
  { ruleId, wouldFire, reason: { objections } }: Objected,
  { rules, nowMs, timeZone }: LapseTerms,
): number | null {
  if (!wouldFire || objections.length === 0) return null;
  const cooldownMs = rules.find(({ id }) => id === ruleId)?.cooldownMs ?? 0;
  const ends = objections.map(({ code, facts }) => {
    switch (code) {
      case "budget":
        return nextMidnightMs(nowMs, timeZone);
      case "moves_per_day":
        return timeIn(facts.until);
      case "cooldown":
        return timeIn(facts.lastFiredAt, cooldownMs);
      default:
        return null;
    }
  });
  const known = ends.filter((end) => end !== null);
  return known.length < ends.length ? null : Math.max(...known);
}

function timeIn(text: unknown, plusMs = 0): number | null {
  return typeof text === "string" ? Date.parse(text) + plusMs : null;
}

/** Local days may have 23 or 25 hours. */
export function nextMidnightMs(nowMs: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone)
    .toPlainDate();
  return today.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Each ended time costs at most one mutation. */
const PER_COMMIT = 900;
const PER_ROW = 100;

export const brakePasses = defineTable<ClosedBrake>({
  prefix: "bkp",
  about: "the last opened brake after which rules were evaluated again",
  key: {},
  codec: {
    encode: ({ untilMs, productId, ruleId }) => [untilMs, productId, ruleId],
    decode: passIn,
  },
});

export const lapsePasses = defineTable<Lapse>({
  prefix: "lpp",
  about: "the last ended obstacle (`lp`) after which rules were evaluated again",
  key: {},
  codec: { encode: ({ untilMs, productId }) => [untilMs, productId], decode: passIn },
});

function passIn(value: unknown): ClosedBrake {
  const [untilMs, productId, ruleId] = Object(value);
  return { untilMs, productId, ruleId };
}

interface Time {
  readonly untilMs: number;
  readonly productId: string;
}

type Owner = Pick<WorkspaceStore, "workspaceId">;

/** Times in ascending order. `passes` stores the last time that was handled. */
interface EndingTimes<T extends Time> {
  readonly name: string;
  readonly times: {
    walk(workspace: WorkspaceStore, options: { readonly after: T | null }): AsyncIterable<Found<T>>;
    drop(write: Write, owner: Owner, time: T): void;
  };
  readonly passes: {
    find(workspace: WorkspaceStore, key: object): Promise<Found<T> | null>;
    save(write: Write, owner: Owner, before: Found<T> | null, last: T): void;
  };
  /** True if a time is deleted when its product is queued. */
  readonly areForgotten: boolean;
}

export const HOLDS: EndingTimes<Time> = {
  name: "ended holds",
  times: holds,
  passes: holdPasses,
  areForgotten: false,
};

export const BRAKES: EndingTimes<ClosedBrake> = {
  name: "opened brakes",
  times: brakes,
  passes: brakePasses,
  areForgotten: false,
};

export const LAPSES: EndingTimes<Lapse> = {
  name: "lapsed reasons",
  times: lapses,
  passes: lapsePasses,
  areForgotten: true,
};

/** Runs every minute. Returns the number of ended times. */
export async function queueEnded<T extends Time>(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
  { name, times, passes, areForgotten }: EndingTimes<T>,
): Promise<number> {
  // Clocks of other processes may be slightly behind.
  const toMs = clock.now().getTime() - 5_000;
  return await commitInWorkspaces(store, name, PER_COMMIT, async (write, workspace) => {
    const pass = await passes.find(workspace, {});
    const ended: T[] = [];
    for await (const { row: time } of times.walk(workspace, { after: pass?.row ?? null })) {
      if (time.untilMs > toMs || ended.push(time) === PER_COMMIT) break;
    }
    const last = ended.at(-1);
    if (last === undefined) return 0;
    const productIds = new Set(ended.map(({ productId }) => productId));
    queueDirty(write, workspace.workspaceId, clock, [...productIds]);
    if (areForgotten) { for (const time of ended) times.drop(write, workspace, time); }
    passes.save(write, workspace, pass, last);
    return ended.length;
  });
}

/** Costs one mutation per hundred products. */
export function queueDirty(
  write: Write,
  workspaceId: string,
  clock: Pick<ClockAndIds, "now" | "newId">,
  productIds: readonly string[],
  cause: DirtyProducts["cause"] = "lapse",
): void {
  const dueMs = clock.now().getTime();
  for (let at = 0; at < productIds.length; at += PER_ROW) {
    const part = productIds.slice(at, at + PER_ROW);
    const value: DirtyProducts = { cause, ref: null, productIds: part, from: 0 };
    dirtyQueue.add(write, { partition: [workspaceId], id: clock.newId(), dueMs, value });
  }
}
