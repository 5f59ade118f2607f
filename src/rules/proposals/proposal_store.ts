/**
 * Keys: `pr W id` → proposal; `prt W id n` → part `n` of its trace, as JSON bytes;
 * `pro W productId` → id of the open one of a product; → empty, lists by id: `prs W status id` (of
 * open ones → `StoredBrief`), `prr W ruleId id`, `prp W productId id`,
 * `pru W ruleId id` (open ones only) and `prx expiresAt W id` (open ones only, over all workspaces).
 *
 * Every commit that writes these sets the generation of the product's shard (`product_store.ts`):
 * who writes many checks generations, who decides one checks its row (`checkProposal`).
 */

import { idBytes, idText, isId, leastIdAt } from "../../base/id.ts";
import { noteProduct } from "../../catalogue/products/change_log_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { setGeneration } from "../../catalogue/products/version_counter_store.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf, selectorAfter } from "../../platform/store/id_keys.ts";
import { shareOfCommit, type Store, type Write } from "../../platform/store/kv.ts";
import { countRows, firstRow, getBytesAt, getRows } from "../../platform/store/rows.ts";
import type { StoredProposal } from "./proposal.ts";
import { briefOf, type ProposalBrief, type StoredBrief } from "./proposal_brief.ts";
import type { ProposalStatus } from "./proposal_status.ts";
import { Buffer } from "node:buffer";

const EMPTY = new Uint8Array();
const PART_BYTES = 60_000;
/** A proposal stays listed when its trace is gone (docs/decisions/running.md, Retention). */
const TRACE_KEPT_MS = 400 * 24 * 3_600_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const rowKey = (workspaceId: string, id: string) => ["pr", idBytes(workspaceId), idBytes(id)];
const traceKey = (workspaceId: string, id: string) => ["prt", idBytes(workspaceId), idBytes(id)];
const openKey = (workspaceId: string, productId: string) => [
  "pro",
  idBytes(workspaceId),
  idBytes(productId),
];
const expiryKey = (workspaceId: string, { expiresAt, id }: StoredProposal) => [
  "prx",
  Date.parse(expiresAt),
  idBytes(workspaceId),
  idBytes(id),
];

/** Which proposals a list looks at. */
export type ProposalIndex =
  | { readonly by: "all" }
  | { readonly by: "status"; readonly status: ProposalStatus }
  | { readonly by: "rule"; readonly id: string }
  | { readonly by: "product"; readonly id: string };

function indexPrefix(workspaceId: string, index: ProposalIndex): Deno.KvKey {
  const workspace = idBytes(workspaceId);
  switch (index.by) {
    case "all":
      return ["pr", workspace];
    case "status":
      return ["prs", workspace, index.status];
    case "rule":
      return ["prr", workspace, idBytes(index.id)];
    case "product":
      return ["prp", workspace, idBytes(index.id)];
  }
}

const statusKey = (workspaceId: string, status: ProposalStatus, id: string) => [
  ...indexPrefix(workspaceId, { by: "status", status }),
  idBytes(id),
];
const openOfRule = (workspaceId: string, ruleId: string) => [
  "pru",
  idBytes(workspaceId),
  idBytes(ruleId),
];

export interface FoundProposal {
  readonly proposal: StoredProposal;
  readonly versionstamp: string;
}

/** Null for an unknown id and another workspace's alike. */
export async function findProposal(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundProposal | null> {
  const { value, versionstamp } = await store.kv.get<StoredProposal>(rowKey(workspaceId, id));
  return value === null ? null : { proposal: value, versionstamp };
}

/** The open proposals of products, by product id; those that have none are absent. */
export async function findOpenProposals(
  { store, workspaceId }: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, StoredProposal>> {
  const keys = productIds.map((id) => openKey(workspaceId, id));
  const ids = (await getRows<string>(store, keys)).flatMap(({ value }) => value ?? []);
  const rows = await getRows<StoredProposal>(store, ids.map((id) => rowKey(workspaceId, id)));
  return new Map(rows.flatMap(({ value }) => value === null ? [] : [[value.productId, value]]));
}

/**
 * Up to `limit` products with an open proposal, by id, after the id `after`; streams together with
 * products.
 */
export async function listOpenRows(
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly proposalId: string }[]> {
  const prefix = ["pro", idBytes(workspaceId)];
  const selector = selectorAfter(prefix, after);
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  const rows = await Array.fromAsync(store.kv.list<string>(selector, options));
  return rows.map(({ key, value }) => ({ id: lastIdOf(key), proposalId: value }));
}

/** True when any product of the workspace has an open proposal. */
export async function hasOpenProposals({ store, workspaceId }: WorkspaceStore): Promise<boolean> {
  return await firstRow(store, { prefix: ["pro", idBytes(workspaceId)] }) !== null;
}

/** Up to `limit` ids of open proposals of a rule behind the id `after`. */
export async function listOpenOfRule(
  { store, workspaceId }: WorkspaceStore,
  ruleId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const selector = selectorAfter(openOfRule(workspaceId, ruleId), after);
  const rows = await Array.fromAsync(store.kv.list(selector, { limit }));
  return rows.map(({ key }) => lastIdOf(key));
}

/** Up to `limit` open proposals over all workspaces that were to be decided by `now`. */
export async function listExpired({ kv }: Store, now: Date, limit: number) {
  const end = ["prx", now.getTime() + 1];
  const rows = await Array.fromAsync(kv.list({ start: ["prx"], end }, { limit }));
  return rows.map(({ key }) => ({ workspaceId: idIn(key, 2), id: lastIdOf(key) }));
}

/** Up to `limit` proposals of an index by id, behind the id `after` in the order that is asked for. */
export async function listProposals(
  { store, workspaceId }: WorkspaceStore,
  index: ProposalIndex,
  after: string | null,
  limit: number,
  order: "asc" | "desc" = "asc",
): Promise<StoredProposal[]> {
  const prefix = indexPrefix(workspaceId, index);
  const reverse = order === "desc";
  const selector = selectorAfter(prefix, after, order);
  const rows = await Array.fromAsync(
    store.kv.list<StoredProposal | Uint8Array>(selector, { limit, batchSize: limit, reverse }),
  );
  if (index.by === "all") {
    return rows.flatMap(({ value }) => value instanceof Uint8Array ? [] : [value]);
  }
  const keys = rows.map(({ key }) => rowKey(workspaceId, lastIdOf(key)));
  const found = await getRows<StoredProposal>(store, keys);
  return found.flatMap(({ value }) => value ?? []);
}

const BRIEFS_AT_ONCE = 1_000;

/** Every open proposal of the workspace by id, a few at a time. */
export async function* walkOpenBriefs(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<ProposalBrief[]> {
  const prefix = indexPrefix(workspaceId, { by: "status", status: "open" });
  for (let after: string | null = null;;) {
    const selector = selectorAfter(prefix, after);
    const options = { limit: BRIEFS_AT_ONCE, batchSize: BRIEFS_AT_ONCE };
    const rows: Deno.KvEntry<StoredBrief>[] = await Array.fromAsync(
      store.kv.list<StoredBrief>(selector, options),
    );
    const briefs = rows.map(({ key, value }) => ({ ...value, id: lastIdOf(key) }));
    yield briefs;
    after = briefs.at(-1)?.id ?? null;
    if (briefs.length < BRIEFS_AT_ONCE) return;
  }
}

/** The briefs of those that are open. */
export async function findOpenBriefsOf(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<ProposalBrief[]> {
  const known = ids.filter(isId);
  const keys = known.map((id) => statusKey(workspaceId, "open", id));
  const rows = await getRows<StoredBrief>(store, keys);
  return known.flatMap((id, at) => {
    const value = rows[at]?.value ?? null;
    return value === null ? [] : [{ ...value, id }];
  });
}

/** The proposals by id; those that are unknown are absent. */
export async function findProposals(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<Map<string, StoredProposal>> {
  const rows = await getRows<StoredProposal>(store, ids.map((id) => rowKey(workspaceId, id)));
  return new Map(rows.flatMap(({ value }) => value === null ? [] : [[value.id, value]]));
}

/** The number of open proposals, counted up to `max`. */
export async function countOpenProposals(
  { store, workspaceId }: WorkspaceStore,
  max: number,
): Promise<number> {
  // A product has one at most, and these rows are the shortest.
  return await countRows(store, ["pro", idBytes(workspaceId)], max);
}

/**
 * The number of proposals since then that their rule applied, among the newest `max` applied ones.
 */
export async function countAppliedByRules(
  workspace: WorkspaceStore,
  sinceMs: number,
  max: number,
): Promise<number> {
  const least = leastIdAt(sinceMs);
  let [counted, seen, before] = [0, 0, null as string | null];
  while (seen < max) {
    const index = { by: "status", status: "applied" } as const;
    const page = await listProposals(workspace, index, before, BRIEFS_AT_ONCE, "desc");
    const young = page.filter(({ id }) => id >= least);
    counted += young.filter(({ decidedBy }) => decidedBy?.type === "system").length;
    seen += page.length;
    before = page.at(-1)?.id ?? null;
    if (young.length < BRIEFS_AT_ONCE) break;
  }
  return counted;
}

/** The traces of proposals by id; null for one that is not kept any more. */
export async function findTraces(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<Map<string, Trace | null>> {
  const first = await getBytesAt(store, ids.map((id) => [...traceKey(workspaceId, id), 0]));
  const traces = new Map<string, Trace | null>();
  for (const [position, id] of ids.entries()) {
    const parts = [first[position]?.value ?? EMPTY];
    // Few traces have more than one part.
    while (parts.at(-1)?.length === PART_BYTES) {
      const [next] = await getBytesAt(store, [[...traceKey(workspaceId, id), parts.length]]);
      parts.push(next?.value ?? EMPTY);
    }
    const text = decoder.decode(Buffer.concat(parts));
    traces.set(id, text === "" ? null : JSON.parse(text));
  }
  return traces;
}

/** The commit fails when anybody decided on the proposal since it was found. */
export function checkProposal(
  write: Write,
  workspaceId: string,
  { proposal, versionstamp }: FoundProposal,
): void {
  write.check(rowKey(workspaceId, proposal.id), versionstamp);
}

/** The commit fails when the product has an open proposal, or is given one meanwhile. */
export function checkNoneOpen(write: Write, workspaceId: string, productId: string): void {
  write.check(openKey(workspaceId, productId), null);
}

/** An open proposal that stays open: it is put off, back, or approved by one of several. Checks nothing. */
export function saveStillOpen(
  write: Write,
  workspaceId: string,
  before: StoredProposal,
  after: StoredProposal,
  trace: Trace | null,
): void {
  const { id, sku } = after;
  write.set(rowKey(workspaceId, id), after);
  write.set(statusKey(workspaceId, "open", id), briefOf(after, trace));
  write.delete(expiryKey(workspaceId, before));
  write.set(expiryKey(workspaceId, after), EMPTY);
  setGeneration(write, workspaceId, shard(sku));
}

/**
 * A new proposal, open or applied at once, with its trace; or one of another workspace, whose trace
 * may be gone. Checks nothing.
 */
export function addProposal(
  write: Write,
  workspaceId: string,
  proposal: StoredProposal,
  trace: Trace | null,
): void {
  const { id, ruleId, productId, status } = proposal;
  for (const index of [{ by: "rule", id: ruleId }, { by: "product", id: productId }] as const) {
    write.set([...indexPrefix(workspaceId, index), idBytes(id)], EMPTY);
  }
  write.set(rowKey(workspaceId, id), proposal);
  const brief = status === "open" ? briefOf(proposal, trace) : EMPTY;
  write.set(statusKey(workspaceId, status, id), brief);
  if (trace !== null) putTrace(write, workspaceId, id, trace);
  if (status === "open") {
    write.set(openKey(workspaceId, productId), id);
    write.set([...openOfRule(workspaceId, ruleId), idBytes(id)], EMPTY);
    write.set(expiryKey(workspaceId, proposal), EMPTY);
    noteProduct(write, workspaceId, productId);
  }
  setGeneration(write, workspaceId, shard(proposal.sku));
}

/** The proposal with another status. Checks nothing. */
export function saveDecision(
  write: Write,
  workspaceId: string,
  before: StoredProposal,
  after: StoredProposal,
): void {
  const { id, ruleId, productId } = after;
  write.set(rowKey(workspaceId, id), after);
  write.delete(statusKey(workspaceId, before.status, id));
  write.set(statusKey(workspaceId, after.status, id), EMPTY);
  if (before.status === "open") {
    write.delete(openKey(workspaceId, productId));
    write.delete([...openOfRule(workspaceId, ruleId), idBytes(id)]);
    write.delete(expiryKey(workspaceId, before));
    noteProduct(write, workspaceId, productId);
  }
  setGeneration(write, workspaceId, shard(after.sku));
}

/** Every proposal of the workspace, for checks of the store. */
export async function* walkProposals({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["pr", idBytes(workspaceId)];
  const rows = store.kv.list<StoredProposal>({ prefix }, { batchSize: 1_000 });
  for await (const { value } of rows) yield value;
}

/** Every index row as `table … id`, for checks of the store. */
export async function* walkProposalIndexes({ store, workspaceId }: WorkspaceStore) {
  for (const table of ["prs", "prr", "prp", "pru"] as const) {
    const prefix = [table, idBytes(workspaceId)];
    for await (const { key } of store.kv.list({ prefix }, { batchSize: 1_000 })) {
      const value = key[2];
      const text = value instanceof Uint8Array ? idText(value) : String(value);
      yield `${table} ${text} ${lastIdOf(key)}`;
    }
  }
}

function putTrace(write: Write, workspaceId: string, id: string, trace: Trace): void {
  const bytes = encoder.encode(JSON.stringify(trace));
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = bytes.slice(at, at + PART_BYTES);
    write.set([...traceKey(workspaceId, id), at / PART_BYTES], part, TRACE_KEPT_MS);
  }
}

const REWRITTEN_AT_ONCE = 100;
/** A trace of the largest size, and a brief. */
const NEXT_PROPOSAL = shareOfCommit(0.2);

/**
 * A step of the migration to version 1.0.0: traces and briefs of earlier versions get today's form. Answers
 * the last proposal that is done; null behind the end.
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
      write.set(statusKey(workspace.workspaceId, "open", id), briefOf(proposal, trace));
    }
    last = id;
  }
  return last;
}

/** A trace from before sentences were made of facts. */
interface FormerTrace extends Omit<Trace, "trigger" | "guards"> {
  readonly trigger: Omit<Trace["trigger"], "said"> & { readonly reason: string };
  readonly guards:
    readonly (Omit<Trace["guards"][number], "facts"> & { readonly why: string | null })[];
}

/** An earlier trace keeps its sentences, in the place of facts. */
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
