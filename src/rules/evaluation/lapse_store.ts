/**
 * Keys: `lp W untilMs productId` → empty: what holds a rule back from the product ends then, and the
 * rules are asked again; `lpp W` → the last of them that was put before the rules, as `[untilMs,
 * productId]`.
 */

import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { justAfterId, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { EndingTimes } from "./queue_ended.ts";

const EMPTY = new Uint8Array();
const passKey = (workspaceId: string) => ["lpp", keptIdBytes(workspaceId)];
const lapsesOf = (workspaceId: string) => ["lp", keptIdBytes(workspaceId)];

export interface Lapse {
  readonly untilMs: number;
  readonly productId: string;
}

const keyOf = (workspaceId: string, { untilMs, productId }: Lapse) => [
  ...lapsesOf(workspaceId),
  untilMs,
  idBytes(productId),
];

/** Remembers it in the commit; one mutation, and none for what is there already. */
export async function noteLapse(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  lapse: Lapse,
): Promise<void> {
  const key = keyOf(workspaceId, lapse);
  if ((await store.kv.get(key)).versionstamp === null) write.set(key, EMPTY);
}

export const LAPSES: EndingTimes<Lapse> = {
  name: "lapsed reasons",
  async findPass({ store, workspaceId }) {
    const { value, versionstamp } = await store.kv.get<[number, string]>(passKey(workspaceId));
    return { last: value && { untilMs: value[0], productId: value[1] }, versionstamp };
  },
  async *walk({ store, workspaceId }, { after, toMs }) {
    const prefix = lapsesOf(workspaceId);
    const start = typeof after === "number"
      ? [...prefix, after + 1]
      : [...prefix, after.untilMs, justAfterId(after.productId)];
    if ((typeof after === "number" ? after : after.untilMs) > toMs) return;
    const rows = store.kv.list({ start, end: [...prefix, toMs + 1] }, { batchSize: 500 });
    for await (const { key } of rows) yield { untilMs: Number(key[2]), productId: lastIdOf(key) };
  },
  savePass(write, workspaceId, { versionstamp }, { untilMs, productId }) {
    write.check(passKey(workspaceId), versionstamp);
    write.set(passKey(workspaceId), [untilMs, productId]);
  },
  forget: (write, workspaceId, lapse) => write.delete(keyOf(workspaceId, lapse)),
};

interface LapseTerms {
  readonly rules: readonly CompiledRule[];
  readonly nowMs: number;
  readonly timeZone: string;
}

/**
 * When something else may come of the decisions, although nothing else happens; null where no rule is
 * held back for a while, or something stays in its way.
 */
export function lapseOf(decisions: readonly Decision[], terms: LapseTerms): number | null {
  const ends = decisions.flatMap((decision) => endOf(decision, terms) ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** When the last of its objections ends; null where there is none, or one that stays. */
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

/** Plus so many milliseconds; null for what is no time. */
function timeIn(text: unknown, plusMs = 0): number | null {
  return typeof text === "string" ? Date.parse(text) + plusMs : null;
}

/** When the local day ends, also one of 23 or 25 hours. */
export function nextMidnightMs(nowMs: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone)
    .toPlainDate();
  return today.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}
