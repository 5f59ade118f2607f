/** Checks whether the tables of rules contradict each other. */
import { findDeletedDocument, findDocument } from "../../catalogue/products/product_store.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import { brakes, brakeText, findRuleStates, listRuleStates } from "./rule_state_store.ts";
import { SIMULATION_KIND, walkSimulations } from "./simulation_store.ts";

const ROWS = 1_000;

export async function* checkRules(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  yield* checkStates(workspace);
  for await (const jobId of walkSimulations(workspace)) {
    if (await findJob(workspace, SIMULATION_KIND, jobId)) continue;
    yield `There are outcomes of the unknown simulation ${jobId}`;
  }
}

async function* checkStates(workspace: WorkspaceStore): AsyncGenerator<string> {
  const pages = pagesOf((...at) => listRuleStates(workspace, ...at), idOf, ROWS);
  for await (const rows of pages) {
    const states = await findRuleStates(workspace, rows.map(({ id }) => id));
    for (const [productId, state] of states) {
      const isKnown = await findDocument(workspace, productId) ??
        await findDeletedDocument(workspace, productId);
      if (!isKnown) yield `There are rule states of the unknown product ${productId}`;
      for (const [ruleId, { brake }] of Object.entries(state)) {
        const untilMs = brake?.untilMs ?? null;
        if (untilMs === null) continue;
        const closed = { untilMs, productId, ruleId };
        if (await brakes.find(workspace, closed)) continue;
        yield `The ${brakeText(closed)} is in the rule state, but not in the list`;
      }
    }
  }
}
