import { announce } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { StoredProposal } from "./proposal.ts";

/** News that a proposal is open no longer, in the commit that closes it. */
export function announceDecision(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "now" | "newId">,
  ...proposals: readonly StoredProposal[]
): void {
  const events = proposals.flatMap(({ id: proposalId, ruleId, productId, sku, status }) =>
    status === "open" ? [] : [{
      type: "proposal.decided" as const,
      data: { proposalId, ruleId, productId, sku, status },
    }]
  );
  announce(write, ctx, events);
}
