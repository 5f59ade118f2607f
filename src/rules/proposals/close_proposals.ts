import { Failure } from "../../base/failure.ts";
import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
} from "../../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact } from "../../platform/store/kv.ts";
import { decided, type StoredProposal } from "./proposal.ts";
import {
  checkProposal,
  findProposal,
  listExpired,
  publishDecision,
  saveProposal,
} from "./proposal_store.ts";

/** One check each. */
const PER_COMMIT = COMMIT_MAX.checks - 1;
const EXPIRED_AT_ONCE = 500;
const SWEEP: Actor = { type: "system", id: "proposals", name: "Proposals" };

export async function expireProposals(store: Store, clock: ClockAndIds): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await listExpired(store, clock.now(), EXPIRED_AT_ONCE);
    if (due.length === 0) return count;
    for (const [workspaceId, group] of Map.groupBy(due, (one) => one.workspaceId)) {
      const requestId = `swp_${clock.newId()}`;
      const ctx = contextFor({ store, clock, requestId }, workspaceId, SWEEP);
      for (let at = 0; at < group.length; at += PER_COMMIT) {
        const ids = group.slice(at, at + PER_COMMIT).map(({ id }) => id);
        count += await expireSome(ctx, ids);
      }
    }
  }
}

async function expireSome(ctx: Context, ids: readonly string[]): Promise<number> {
  return await transact(ctx, async (write) => {
    const closed: StoredProposal[] = [];
    for (const id of ids) {
      const found = await findProposal(ctx, id);
      if (!found) throw new Failure("internal_error", `The open proposal ${id} is missing`);
      if (found.proposal.status !== "open") continue;
      checkProposal(write, ctx.workspaceId, found);
      const after = decided(found.proposal, "expired", SWEEP, ctx.now());
      saveProposal(write, ctx.workspaceId, found.proposal, after);
      closed.push(after);
    }
    publishDecision(write, ctx, ...closed);
    return closed.length;
  });
}
