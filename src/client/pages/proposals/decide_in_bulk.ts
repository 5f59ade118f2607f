import type { BulkDecision, BulkDecisionOutcome } from "../../../proposals/decide_many.ts";
import { ApiError } from "../../api/api_error.ts";
import type { Call } from "../../api/call.ts";
import type { Proposal } from "../../parts/decision/decision.ts";

export type BulkAction = BulkDecision["action"];

/** A proposal that the service would not decide, and its words for why. */
export interface Refused {
  readonly proposal: Proposal;
  readonly message: string;
  readonly guard: string | null;
}

interface BulkResult {
  readonly done: ReadonlySet<string>;
  readonly refused: readonly Refused[];
}

/** As many as the service takes at once. */
const AT_ONCE = 200;

/** Each proposal is judged by itself. A single one is asked for by its own address: that has a request id. */
export async function decideInBulk(
  call: Call,
  action: BulkAction,
  proposals: readonly Proposal[],
): Promise<BulkResult> {
  const [only, ...others] = proposals;
  if (only && others.length === 0) {
    await call(`/api/proposals/${only.id}/${action}`, { method: "POST", outlivesPage: true });
    return { done: new Set([only.id]), refused: [] };
  }
  const byId = new Map(proposals.map((proposal) => [proposal.id, proposal]));
  const ids = [...byId.keys()];
  const results: BulkDecisionOutcome["results"] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const body: BulkDecision = { action, ids: ids.slice(at, at + AT_ONCE) };
    const answer = await call<BulkDecisionOutcome>("/api/proposals/bulk", {
      method: "POST",
      body,
      outlivesPage: true,
    });
    results.push(...answer.results);
  }
  return {
    done: new Set(results.filter(({ ok }) => ok).map(({ id }) => id)),
    refused: results.flatMap(({ id, error }) => {
      const proposal = byId.get(id);
      if (!error || !proposal) return [];
      const guard = error.details?.guard;
      return [{
        proposal,
        message: error.message,
        guard: typeof guard === "string" ? guard : null,
      }];
    }),
  };
}

/** One after the other; what cannot be rolled back any more does not hold up the others. */
export async function rollBackEach(
  call: Call,
  proposals: readonly Proposal[],
): Promise<BulkResult> {
  const done = new Set<string>();
  const refused: Refused[] = [];
  for (const proposal of proposals) {
    try {
      await call(`/api/proposals/${proposal.id}/rollback`, { method: "POST" });
      done.add(proposal.id);
    } catch (error) {
      // A single refusal is told whole, with its request id.
      if (!(error instanceof ApiError) || proposals.length === 1) throw error;
      refused.push(refusalOf(proposal, error));
    }
  }
  return { done, refused };
}

interface Refusal {
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

function refusalOf(proposal: Proposal, { message, details }: Refusal): Refused {
  const guard = details?.guard;
  return { proposal, message, guard: typeof guard === "string" ? guard : null };
}
