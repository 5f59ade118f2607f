/**
 * A child process that decides on all proposals of a workspace, unless it is killed earlier.
 * `actionOf` says which action each proposal gets.
 */
import { type Context, createClock } from "../../../src/platform/store/context.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import type { StoredProposal } from "../../../src/rules/proposals/proposal.ts";
import { proposalTable } from "../../../src/rules/proposals/proposal_store.ts";
import { decideProposal, type Decision } from "../../../src/rules/decide_proposal.ts";
import { leashedStore } from "../../killed_process.ts";
import { actionOf } from "./actions.ts";

const [dataDir = "", workspaceId = "", now = "", until = ""] = Deno.args;
const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
const clock = await createClock(opened, () => new Date(now));
const store = leashedStore(opened);
const ctx: Context = {
  ...{ store, workspaceId, requestId: "req_test", receipt: null },
  ...{ now: clock.now, newId: clock.newId, cursors: clock.cursors },
  actor: { type: "user", id: "1".repeat(24), name: "Test" },
};

const all = (await proposalTable.list(ctx)).map(({ row }) => row);
const first = all.filter(({ reopenedFrom }) => !reopenedFrom);
const reopenedOnes = new Set(all.map(({ reopenedFrom }) => reopenedFrom));

async function goOn(proposal: StoredProposal): Promise<void> {
  const { id, status, heldUntil } = proposal;
  const isOpen = status === "open";
  const decide = (decision: Decision) => decideProposal(ctx, id, decision);
  switch (actionOf(proposal)) {
    case "approve":
      if (isOpen) await decide({ action: "approve", reason: "now" });
      return;
    case "reject":
      if (isOpen) await decide({ action: "reject" });
      return;
    case "later":
      if (!heldUntil) await decide({ action: "later", until });
      return;
    case "reopen":
      if (isOpen) await decide({ action: "reject" });
      if (!reopenedOnes.has(id)) await decide({ action: "reopen" });
      return;
    case "rollback":
      if (isOpen) await decide({ action: "approve" });
      if (status !== "rolled_back") await decide({ action: "rollback" });
      return;
  }
}

for (const proposal of first) await goOn(proposal);
opened.kv.close();
Deno.exit(0);
