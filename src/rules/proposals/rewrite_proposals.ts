/** Migrates traces and briefs of earlier versions. */
import type { Trace } from "../../engine/pricing/trace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { briefOf } from "./proposal_filter.ts";
import { findTraces, listProposals, putTrace, statusTable } from "./proposal_store.ts";

const REWRITTEN_AT_ONCE = 100;
/** Space in the commit for the largest trace and a brief. */
const NEXT_PROPOSAL = shareOfCommit(0.2);

/** Makes one step of the migration to 1.0.0. Returns the last converted id; null at the end. */
export async function rewriteProposals(
  write: Write,
  workspace: WorkspaceStore,
  after: string | null,
): Promise<string | null> {
  const proposals = await listProposals(workspace, { by: "all" }, after, REWRITTEN_AT_ONCE);
  const traces = await findTraces(workspace, proposals.map(({ id }) => id));
  let last: string | null = null;
  for (const proposal of proposals) {
    if (!write.fits(NEXT_PROPOSAL)) break;
    const { id, status } = proposal;
    const stored: Trace | FormerTrace | null = traces.get(id) ?? null;
    const trace = stored && withFacts(stored);
    if (trace !== null && trace !== stored) putTrace(write, workspace.workspaceId, id, trace);
    if (status === "open") {
      statusTable.put(write, workspace, {
        status,
        proposalId: id,
        brief: briefOf(proposal, trace),
      });
    }
    last = id;
  }
  return last;
}

/** A trace of an older version, with sentences instead of facts. */
interface FormerTrace extends Omit<Trace, "trigger" | "guards"> {
  readonly trigger: Omit<Trace["trigger"], "said"> & { readonly reason: string };
  readonly guards:
    readonly (Omit<Trace["guards"][number], "facts"> & { readonly why: string | null })[];
}

function withFacts(stored: Trace | FormerTrace): Trace {
  if (!isFormer(stored)) return stored;
  const { trigger: { reason, ...trigger }, guards, ...rest } = stored;
  return {
    ...rest,
    trigger: { ...trigger, said: { code: "told", facts: { told: reason } } },
    guards: guards.map(({ why, ...asked }) => ({
      ...asked,
      facts: why === null ? null : { told: why },
    })),
  };
}

function isFormer(trace: Trace | FormerTrace): trace is FormerTrace {
  return !("said" in trace.trigger);
}
