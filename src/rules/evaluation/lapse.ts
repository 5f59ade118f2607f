/** Temporary obstacles to a rule's price of a product, and their ends. */
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";

export interface Lapse {
  readonly untilMs: number;
  readonly productId: string;
}

export const lapses = defineTable<Lapse, "untilMs" | "productId">({
  prefix: "lp",
  about:
    "something that holds a rule back from the product ends then, and the rules are asked again",
  key: { untilMs: "number", productId: "id" },
  keyOnly: ["untilMs", "productId"],
});

/** Remembers it in the commit; one mutation, and none for what is there already. */
export async function noteLapse(
  write: Write,
  workspace: WorkspaceStore,
  lapse: Lapse,
): Promise<void> {
  if (await lapses.find(workspace, lapse) === null) lapses.put(write, workspace, lapse);
}

interface LapseTerms {
  readonly rules: readonly CompiledRule[];
  readonly nowMs: number;
  readonly timeZone: string;
}

/** When decisions may next change without an event; null if no rule waits for a time. */
export function lapseOf(decisions: readonly Decision[], terms: LapseTerms): number | null {
  const ends = decisions.flatMap((decision) => endOf(decision, terms) ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Time at which the last of its objections ends; null without objections, or if one is permanent. */
function endOf(
  { ruleId, wouldFire, reason: { objections } }: Decision,
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

/** When the local day ends, also one of 23 or 25 hours. */
export function nextMidnightMs(nowMs: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone)
    .toPlainDate();
  return today.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}
