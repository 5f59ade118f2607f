import { type Call, get, where } from "../api/call.ts";

const POLL_MS = 500;
const POLLS = 20;

/** Number of a new rule's open proposals, when it stops growing or after ten seconds. */
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
