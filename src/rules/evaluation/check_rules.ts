/**
 * Looks for disagreements between the rows of one workspace's rules, proposals and what rules
 * remember (docs/decisions/keys.md). Meant for a store at rest. Memory does not grow with them.
 */
import { isDeepStrictEqual } from "node:util";
import { RowSums } from "../../base/row_sums.ts";
import { findDeletedDocument, findDocument } from "../../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { idOf, pagesOf } from "../../platform/store/pages_of.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { briefOf, type StoredBrief } from "../proposals/proposal_brief.ts";
import {
  findProposal,
  findProposals,
  listOpenRows,
  walkOpenBriefs,
  walkProposalIndexes,
  walkProposals,
} from "../proposals/proposal_store.ts";
import { findDeletedRule, findRule } from "../rule_store.ts";
import { walkFires } from "../rule_stats_store.ts";
import { walkMarks } from "../schedule_mark_store.ts";
import { type ClosedBrake, walkBrakes } from "./brake_store.ts";
import { findRuleStates, listRuleStates } from "./rule_state_store.ts";
import { SIMULATION_KIND } from "./simulation_job.ts";
import { walkSimulations } from "./simulation_store.ts";

const ROWS = 1_000;
/** Rows that are compared one by one at once. */
const ROWS_PER_GROUP = 30_000;

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkRules(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  yield* checkProposals(workspace);
  yield* checkOpen(workspace);
  yield* checkBriefs(workspace);
  yield* checkStates(workspace);
  yield* checkBrakes(workspace);
  yield* checkSimulations(workspace);
  for await (const ruleId of walkMarks(workspace)) {
    if (await findRule(workspace, ruleId)) continue;
    yield `A time of day is kept of rule ${ruleId}, which is not there`;
  }
  for await (const { ruleId } of walkFires(workspace)) {
    if (await isRule(workspace, ruleId)) continue;
    yield `Fires are counted of the unknown rule ${ruleId}`;
  }
}

async function* checkSimulations(workspace: WorkspaceStore) {
  for await (const jobId of walkSimulations(workspace)) {
    if (await findJob(workspace, SIMULATION_KIND, jobId)) continue;
    yield `Outcomes are kept of the unknown simulation ${jobId}`;
  }
}

async function* checkProposals(workspace: WorkspaceStore) {
  const sums = new RowSums();
  for await (const proposal of walkProposals(workspace)) {
    const { id, ruleId, productId, status } = proposal;
    for (const row of indexRowsOf(proposal)) sums.expect(id, row);
    if (!(await isRule(workspace, ruleId))) {
      yield `Proposal ${id} belongs to the unknown rule ${ruleId}`;
    }
    if (status !== "open") continue;
    if (!(await findDocument(workspace, productId))) {
      yield `Proposal ${id} is open for a product that is not active`;
    }
  }
  for await (const row of walkProposalIndexes(workspace)) sums.find(proposalOf(row), row);
  for (const has of sums.unequal(ROWS_PER_GROUP)) yield* compareIndexRows(workspace, has);
}

/** Names what the index rows of some proposals lack or have too many. */
async function* compareIndexRows(workspace: WorkspaceStore, has: (proposalId: string) => boolean) {
  const expected = new Set<string>();
  for await (const proposal of walkProposals(workspace)) {
    if (!has(proposal.id)) continue;
    for (const row of indexRowsOf(proposal)) expected.add(row);
  }
  for await (const row of walkProposalIndexes(workspace)) {
    if (has(proposalOf(row)) && !expected.delete(row)) {
      yield `The index row "${row}" has no proposal`;
    }
  }
  for (const row of expected) yield `A proposal lacks the index row "${row}"`;
}

/** The proposal id at the end of an index row. */
function proposalOf(row: string): string {
  return row.slice(row.lastIndexOf(" ") + 1);
}

function indexRowsOf({ id, ruleId, productId, status }: StoredProposal): string[] {
  const rows = [`prs ${status} ${id}`, `prr ${ruleId} ${id}`, `prp ${productId} ${id}`];
  return status === "open" ? [...rows, `pru ${ruleId} ${id}`] : rows;
}

async function* checkOpen(workspace: WorkspaceStore) {
  let open = 0;
  for await (const rows of pagesOf((...at) => listOpenRows(workspace, ...at), idOf, ROWS)) {
    for (const { id: productId, proposalId } of rows) {
      const found = await findProposal(workspace, proposalId);
      const isOpen = found?.proposal.status === "open" && found.proposal.productId === productId;
      if (isOpen) open++;
      else yield `The open proposal ${proposalId} of product ${productId} is not open`;
    }
  }
  let expected = 0;
  for await (const { status } of walkProposals(workspace)) if (status === "open") expected++;
  if (open !== expected) yield `${expected} proposals are open, ${open} products say so`;
}

/** Checks that the rows for lists of open proposals agree with the proposals. */
async function* checkBriefs(workspace: WorkspaceStore) {
  for await (const briefs of walkOpenBriefs(workspace)) {
    const found = await findProposals(workspace, briefs.map(({ id }) => id));
    for (const { id, ...brief } of briefs) {
      const proposal = found.get(id);
      if (!proposal) continue;
      if (isDeepStrictEqual(withoutWorth(brief), withoutWorth(briefOf(proposal, null)))) continue;
      yield `The list of open proposals tells otherwise of ${id}`;
    }
  }
}

/** Fields derived from the trace are left out, because the trace may be gone. */
function withoutWorth(
  { effectCents: _effect, effect30dCents: _sold, marginAfterPct: _margin, ...brief }: StoredBrief,
): Partial<StoredBrief> {
  return brief;
}

async function* checkStates(workspace: WorkspaceStore) {
  for await (const rows of statePages(workspace)) {
    for (const { id } of rows) {
      const isKnown = await findDocument(workspace, id) ??
        await findDeletedDocument(workspace, id);
      if (!isKnown) yield `Rules remember the unknown product ${id}`;
    }
  }
}

function statePages(workspace: WorkspaceStore) {
  return pagesOf((...at) => listRuleStates(workspace, ...at), idOf, ROWS);
}

/** Each brake that rules remember as closed until a time stands in the list, and no other. */
async function* checkBrakes(workspace: WorkspaceStore) {
  const all = { after: -1 } as const;
  const sums = new RowSums();
  for await (const brake of rememberedBrakes(workspace)) {
    sums.expect(brake.productId, brakeText(brake));
  }
  for await (const brake of walkBrakes(workspace, all)) {
    sums.find(brake.productId, brakeText(brake));
  }
  for (const has of sums.unequal(ROWS_PER_GROUP)) {
    const missing = new Set<string>();
    for await (const brake of rememberedBrakes(workspace)) {
      if (has(brake.productId)) missing.add(brakeText(brake));
    }
    for await (const brake of walkBrakes(workspace, all)) {
      if (!has(brake.productId) || missing.delete(brakeText(brake))) continue;
      yield `The ${brakeText(brake)} stands in the list and is not remembered`;
    }
    for (const brake of missing) yield `The ${brake} is remembered and lacks in the list`;
  }
}

function brakeText({ productId, ruleId, untilMs }: ClosedBrake): string {
  return `brake of rule ${ruleId} on product ${productId} until ${untilMs}`;
}

async function* rememberedBrakes(workspace: WorkspaceStore): AsyncGenerator<ClosedBrake> {
  for await (const rows of statePages(workspace)) {
    const states = await findRuleStates(workspace, rows.map(({ id }) => id));
    for (const [productId, state] of states) {
      for (const [ruleId, { brake }] of Object.entries(state)) {
        const untilMs = brake?.untilMs ?? null;
        if (untilMs !== null) yield { productId, ruleId, untilMs };
      }
    }
  }
}

async function isRule(workspace: WorkspaceStore, id: string): Promise<boolean> {
  return (await findRule(workspace, id) ?? await findDeletedRule(workspace, id)) !== null;
}
