/** The rules that are suggested to a new workspace. */
import { type Call, get, where } from "../api/call.ts";

/** Each rule covers all products, and only proposes prices. */
export const FIRST_RULES = {
  room: { kind: "cheapest", pct: -1, direction: "raise", floorPct: null },
  lowest: { kind: "cheapest", pct: null, direction: "lower", floorPct: 8 },
  middle: { kind: "median", pct: 3, direction: "lower", floorPct: 0 },
} as const;

export type FirstRule = keyof typeof FIRST_RULES;

export const FIRST_RULE_NAMES: readonly FirstRule[] = ["room", "lowest", "middle"];

export function firstRuleBody(rule: FirstRule, name: string) {
  const { kind, pct, direction, floorPct } = FIRST_RULES[rule];
  return {
    name,
    when: { trigger: "market_index" as const, always: true },
    scope: { mode: "all" as const },
    marginFloor: floorPct === null ? null : { pct: floorPct },
    actions: [{
      type: "propose_price" as const,
      price: { reference: { kind }, adjust: pct === null ? null : { pct }, direction },
    }],
  };
}

const POLL_MS = 500;
const POLLS = 20;

export async function firstProposals(call: Call, ruleId: string): Promise<number> {
  const query = { status: "open", ruleId, limit: 1 } as const;
  let last = 0;
  for (let n = 0; n < POLLS; n++) {
    const { total } = await call(get("/api/proposals", where(query)));
    if (total !== null && total > 0 && total === last) break;
    last = total ?? 0;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return last;
}
