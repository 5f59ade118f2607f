import { type Call, get, where } from "../api/call.ts";

const POLL_MS = 500;
const POLLS = 20;

/** Waits up to ten seconds for the first proposals of a new rule; returns their number. */
export async function firstProposals(call: Call, ruleId: string): Promise<number> {
  const query = { status: "open", ruleId, limit: 1 } as const;
  for (let n = 0; n < POLLS; n++) {
    const { total } = await call(get("/api/proposals", where(query)));
    if (total !== null && total > 0) return total;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return 0;
}
