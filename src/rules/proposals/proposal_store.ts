/**
 * Stores proposals and their index rows. A commit that writes a proposal also sets the version
 * counter of the product's shard (one of 64 parts of the catalogue).
 */
import { isDeepStrictEqual } from "node:util";
import { decoder, encoder, joinedBytes, PART_BYTES, partsOf } from "../../base/bytes.ts";
import { batchesOf } from "../../base/collections.ts";
import { isId } from "../../base/id.ts";
import { shard } from "../../catalogue/products/product.ts";
import { noteProduct, productVersions } from "../../catalogue/products/change_log_store.ts";
import { findDocument } from "../../catalogue/products/product_store.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Store, type Write } from "../../platform/store/kv.ts";
import { countRows, getBytesAt } from "../../platform/store/rows.ts";
import { defineStoreTable, defineTable, type Found } from "../../platform/store/table.ts";
import { isRule } from "../rule.ts";
import {
  briefOf,
  type ProposalBrief,
  type ProposalStatus,
  type StoredBrief,
  type StoredProposal,
  withoutWorth,
} from "./proposal.ts";
import { requireById } from "../../base/failure.ts";

const EMPTY = new Uint8Array();
/** Time for which traces (the details of decisions) are stored (docs/operations.md, Retention). */
const TRACE_KEPT_MS = 400 * 24 * 3_600_000;
const BRIEFS_AT_ONCE = 1_000;

const isOpen = ({ status }: Pick<StoredProposal, "status">) => status === "open";

export const proposalTable = defineTable<StoredProposal, "id", "rule" | "product" | "openOfRule">({
  prefix: "pr",
  about: "a proposal; `pru` lists only open proposals",
  key: { id: "id" },
  valueHasKey: true,
  indexes: {
    rule: { prefix: "prr", key: { ruleId: "id" } },
    product: { prefix: "prp", key: { productId: "id" } },
    openOfRule: {
      prefix: "pru",
      key: { ruleId: "id" },
      of: (proposal) => isOpen(proposal) ? [proposal] : [],
    },
  },
  check: checkRow,
});

interface OpenRow {
  readonly productId: string;
  readonly proposalId: string;
}

const openTable = defineTable<OpenRow, "productId">({
  prefix: "pro",
  about: "id of the open proposal of a product",
  key: { productId: "id" },
  value: "proposalId",
  check: checkOpenRow,
});

interface StatusRow {
  readonly status: ProposalStatus;
  readonly proposalId: string;
  readonly brief: StoredBrief | null;
}

const statusTable = defineTable<StatusRow, "status" | "proposalId">({
  prefix: "prs",
  about: "for an open proposal, the fields that lists show (`StoredBrief`); otherwise empty",
  key: { status: "text", proposalId: "id" },
  codec: {
    encode: ({ brief }) => brief ?? EMPTY,
    decode: (value: StoredBrief | Uint8Array) => ({
      brief: value instanceof Uint8Array ? null : value,
    }),
  },
  check: checkStatusRow,
});

interface Expiry {
  readonly expiresAtMs: number;
  readonly workspaceId: string;
  readonly id: string;
}

const expiryTable = defineStoreTable<Expiry, "expiresAtMs" | "workspaceId" | "id">({
  prefix: "prx",
  about: "an open proposal, which expires at that time",
  key: { expiresAtMs: "number", workspaceId: "id", id: "id" },
});

interface TracePart {
  readonly proposalId: string;
  readonly n: number;
  readonly bytes: Uint8Array;
}

const traceTable = defineTable<TracePart, "proposalId" | "n">({
  prefix: "prt",
  about: "part `n` of the trace of a proposal, as JSON bytes",
  key: { proposalId: "id", n: "number" },
  value: "bytes",
  expireInMs: TRACE_KEPT_MS,
});

export type ProposalIndex =
  | { readonly by: "all" }
  | { readonly by: "status"; readonly status: ProposalStatus }
  | { readonly by: "rule" | "product" | "openOfRule"; readonly id: string };

export async function requireProposal(workspace: WorkspaceStore, id: string) {
  return await requireById("proposal", id, (id) => proposalTable.find(workspace, { id }));
}

export async function findProposals(workspace: WorkspaceStore, ids: readonly string[]) {
  const found = await findInOrder(workspace, ids);
  return new Map(found.map((proposal) => [proposal.id, proposal]));
}

async function findInOrder(workspace: WorkspaceStore, ids: readonly string[]) {
  return rowsOf(await proposalTable.getMany(workspace, ids.map((id) => ({ id }))));
}

function rowsOf<T>(found: readonly (Found<T> | null)[]): T[] {
  return found.flatMap((one) => one ? [one.row] : []);
}

export async function findOpenProposals(workspace: WorkspaceStore, productIds: readonly string[]) {
  const open = await openTable.getMany(workspace, productIds.map((productId) => ({ productId })));
  const ids = rowsOf(open).map(({ proposalId }) => proposalId);
  const found = await findInOrder(workspace, ids);
  return new Map(found.map((proposal) => [proposal.productId, proposal]));
}

export async function listOpenRows(
  workspace: WorkspaceStore,
  after: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly proposalId: string }[]> {
  const behind = after === null ? null : { productId: after };
  const rows = await openTable.list(workspace, { after: behind, limit });
  return rows.map(({ row: { productId: id, proposalId } }) => ({ id, proposalId }));
}

export async function hasOpenProposals(workspace: WorkspaceStore): Promise<boolean> {
  return (await openTable.list(workspace, { limit: 1 })).length > 0;
}

export async function countOpenProposals(workspace: WorkspaceStore, max: number): Promise<number> {
  // Each open proposal has exactly one row in `openTable`.
  const prefix = [openTable.options.prefix, ...openTable.ownerKey(workspace)];
  return await countRows(workspace.store, prefix, max);
}

export async function listExpired(store: Store, now: Date, limit: number): Promise<Expiry[]> {
  const due = await expiryTable.list({ store }, { limit });
  return rowsOf(due).filter(({ expiresAtMs }) => expiresAtMs <= now.getTime());
}

export async function listProposals(
  workspace: WorkspaceStore,
  index: ProposalIndex,
  after: string | null,
  limit: number,
  order: "asc" | "desc" = "asc",
): Promise<StoredProposal[]> {
  const range = { after: after === null ? null : { id: after, proposalId: after }, limit, order };
  if (index.by === "all") return rowsOf(await proposalTable.list(workspace, range));
  if (index.by === "status") {
    const rows = await statusTable.list(workspace, { ...range, within: { status: index.status } });
    return await findInOrder(workspace, rowsOf(rows).map(({ proposalId }) => proposalId));
  }
  const values = { ruleId: index.id, productId: index.id };
  return rowsOf(await proposalTable.listBy(workspace, index.by, values, range));
}

export async function* walkOpenBriefs(workspace: WorkspaceStore): AsyncGenerator<ProposalBrief[]> {
  const rows = statusTable.walk(workspace, { within: { status: "open" } });
  for await (const batch of batchesOf(rows, BRIEFS_AT_ONCE)) yield briefsOf(rowsOf(batch));
}

export async function findOpenBriefsOf(workspace: WorkspaceStore, ids: readonly string[]) {
  const keys = ids.filter(isId).map((proposalId) => ({ status: "open" as const, proposalId }));
  return briefsOf(rowsOf(await statusTable.getMany(workspace, keys)));
}

function briefsOf(rows: readonly StatusRow[]): ProposalBrief[] {
  return rows.flatMap(({ proposalId: id, brief }) => brief === null ? [] : [{ ...brief, id }]);
}

/** Returns the traces (details of the decisions) by proposal id; null for expired traces. */
export async function findTraces(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<Map<string, Trace | null>> {
  const partsAt = (n: number, some: readonly string[]) =>
    getBytesAt(
      workspace.store,
      some.map((id) => traceTable.keyOf(workspace, { proposalId: id, n })),
    );
  const first = await partsAt(0, ids);
  const traces = new Map<string, Trace | null>();
  for (const [position, id] of ids.entries()) {
    const parts = [first[position]?.value ?? EMPTY];
    while (parts.at(-1)?.length === PART_BYTES) {
      const [next] = await partsAt(parts.length, [id]);
      parts.push(next?.value ?? EMPTY);
    }
    const text = decoder.decode(joinedBytes(parts));
    traces.set(id, text === "" ? null : JSON.parse(text));
  }
  return traces;
}

export function checkNoneOpen(write: Write, workspaceId: string, productId: string): void {
  openTable.check(write, { workspaceId }, { productId }, null);
}

/**
 * The caller must check the version of the stored proposal. For an open proposal, pass `trace`,
 * because lists show margins that are computed from it.
 */
export function saveProposal(
  write: Write,
  workspaceId: string,
  before: StoredProposal | null,
  after: StoredProposal,
  trace: Trace | null = null,
): void {
  const { id, status, productId } = after;
  const owner = { workspaceId };
  const wasOpen = before !== null && isOpen(before);
  proposalTable.put(write, owner, after, before);
  if (before && before.status !== status) {
    statusTable.drop(write, owner, { status: before.status, proposalId: id });
  }
  const brief = isOpen(after) ? briefOf(after, trace) : null;
  statusTable.put(write, owner, { status, proposalId: id, brief });
  if (wasOpen) expiryTable.drop(write, {}, expiryOf(workspaceId, before));
  if (isOpen(after)) expiryTable.put(write, {}, expiryOf(workspaceId, after));
  if (wasOpen !== isOpen(after)) {
    if (wasOpen) openTable.drop(write, owner, { productId });
    else openTable.put(write, owner, { productId, proposalId: id });
    noteProduct(write, workspaceId, productId);
  }
  if (before === null && trace !== null) putTrace(write, workspaceId, id, trace);
  productVersions.set(write, workspaceId, shard(after.sku));
}

export function createdEvent(proposal: StoredProposal): OutboxEvent {
  const { id: proposalId, ruleId, productId, sku, currentCents, proposedCents, currency } =
    proposal;
  const data = { proposalId, ruleId, productId, sku, currentCents, proposedCents, currency };
  return { type: "proposal.created", data };
}

/** Publishes that proposals were closed; call this in the commit that closes them. */
export function publishDecision(
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
  publish(write, ctx, events);
}

function expiryOf(workspaceId: string, { id, expiresAt }: StoredProposal): Expiry {
  return { expiresAtMs: Date.parse(expiresAt), workspaceId, id };
}

function putTrace(write: Write, workspaceId: string, id: string, trace: Trace): void {
  for (const [n, bytes] of partsOf(encoder.encode(JSON.stringify(trace))).entries()) {
    traceTable.put(write, { workspaceId }, { proposalId: id, n, bytes });
  }
}

async function checkRow(
  { id, ruleId, productId, status }: StoredProposal,
  workspace: WorkspaceStore,
): Promise<string | null> {
  if (!(await isRule(workspace, ruleId))) {
    return `Proposal ${id} belongs to the unknown rule ${ruleId}`;
  }
  if (await statusTable.find(workspace, { status, proposalId: id }) === null) {
    return `The list of ${status} proposals lacks ${id}`;
  }
  if (status !== "open") return null;
  if (!(await findDocument(workspace, productId))) {
    return `Proposal ${id} is open for a product that is not active`;
  }
  const open = await openTable.find(workspace, { productId });
  return open?.row.proposalId === id ? null : `Product ${productId} lacks its open proposal ${id}`;
}

async function checkOpenRow({ productId, proposalId }: OpenRow, workspace: WorkspaceStore) {
  const proposal = (await proposalTable.find(workspace, { id: proposalId }))?.row;
  return proposal && isOpen(proposal) && proposal.productId === productId
    ? null
    : `The open proposal ${proposalId} of product ${productId} is not open`;
}

async function checkStatusRow(
  { status, proposalId: id, brief }: StatusRow,
  workspace: WorkspaceStore,
): Promise<string | null> {
  const proposal = (await proposalTable.find(workspace, { id }))?.row;
  if (proposal?.status !== status) return `The list of ${status} proposals wrongly has ${id}`;
  const isListed = brief !== null &&
    isDeepStrictEqual(withoutWorth(brief), withoutWorth(briefOf(proposal, null)));
  return isListed || status !== "open" ? null : `The list of open proposals differs from ${id}`;
}

const REWRITTEN_AT_ONCE = 100;
const NEXT_PROPOSAL = shareOfCommit(0.2);

/**
 * Converts stored proposals, beginning after the id `after`, to the row format of version 1.0.0.
 * Returns the id after which to continue, or null if all are converted.
 */
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
