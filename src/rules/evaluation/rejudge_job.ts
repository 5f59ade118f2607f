/**
 * Queues products for evaluation after changes of rules, shops and settings, and at the times of
 * scheduled rules. Also queues products regularly for rules that fire because time has passed.
 */
import {
  countInWorkspaces,
  eachWorkspace,
  readWorkspace,
  requireWorkspace,
} from "../../accounts/workspace.ts";
import { batchesOf } from "../../base/collections.ts";
import { listDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import { compileRule } from "../../engine/pricing/compile_rule.ts";
import {
  type DirtyProducts,
  dirtyQueue,
  reasonOf,
  rejudge,
  REJUDGE_KIND,
  type RejudgeArgs,
  type RejudgeJob,
} from "../../platform/events/outbox_store.ts";
import type { JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import { listJobs } from "../../platform/jobs/job_store.ts";
import { type Actor, contextFor, type WorkspaceStore } from "../../platform/store/context.ts";
import { competitors } from "../../shops/competitor_store.ts";
import { decodeOffers, listOfferRows } from "../../shops/offers/offer_store.ts";
import { pricedProductOf, readSurroundings } from "../proposals/priced_product.ts";
import { findProposals, listOpenRows, listProposals } from "../proposals/proposal_store.ts";
import {
  askedSlots,
  checkRule,
  findRule,
  rejudgeArgs,
  type RuleSetup,
  type StoredRule,
  termsHash,
} from "../rule.ts";
import { dueSlot } from "../../engine/pricing/rule.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { rulesFor } from "./evaluation_loop.ts";
import { isIdle, rulesOf } from "./judge.ts";
import { streamProducts } from "./situation_reader.ts";
import { decodeStates, listRuleStates, queueDirty } from "./rule_state_store.ts";

const PER_STEP = 100;
const READS_MAX = 10;

interface Place {
  readonly id: string;
  /** Id of the product to evaluate; null if no evaluation is needed. */
  readonly productId: string | null;
}

type ListPlaces = (after: string | null, limit: number) => Promise<readonly Place[]>;

interface Reason extends Pick<DirtyProducts, "cause" | "ref" | "stamp" | "isApplied"> {
  readonly list: ListPlaces;
}

export function createRejudgeKind(perStep = PER_STEP): JobKind<RejudgeJob> {
  return {
    kind: REJUDGE_KIND,
    slotsPerProcess: 2,
    step: (job, tools) => takeStep(job, tools, perStep),
  };
}

async function takeStep(
  job: RejudgeJob,
  tools: StepTools<RejudgeJob>,
  perStep: number,
): Promise<StepResult<RejudgeJob>> {
  const { workspaceId, progress, cursor } = job;
  const reason = await findReason(tools, job);
  if (reason === null) return { end: { status: "succeeded", result: null } };
  const { list, ...why } = reason;
  const { productIds, after } = await nextOf(list, cursor?.after ?? null, perStep);
  if (productIds.length > 0) {
    const value: DirtyProducts = { ...why, productIds, from: 0 };
    const dueMs = tools.now().getTime();
    dirtyQueue.add(tools.write, { partition: [workspaceId], id: tools.newId(), dueMs, value });
  }
  const processed = progress.processed + productIds.length;
  if (after !== null) return { cursor: { after }, progress: { ...progress, processed } };
  return { progress: { processed, total: processed }, end: { status: "succeeded", result: null } };
}

async function nextOf(list: ListPlaces, from: string | null, perStep: number) {
  const productIds: string[] = [];
  let after = from;
  for (let reads = 0; reads < READS_MAX && productIds.length < perStep; reads++) {
    const places = await list(after, perStep);
    productIds.push(...places.flatMap(({ productId }) => productId ?? []));
    after = places.length < perStep ? null : places.at(-1)?.id ?? null;
    if (after === null) break;
  }
  return { productIds, after };
}

async function findReason(
  workspace: WorkspaceStore,
  { jobId, args }: RejudgeJob,
): Promise<Reason | null> {
  if (args.by === "rule") return await findRuleReason(workspace, args);
  if (await isReplaced(workspace, jobId, args)) return null;
  if (args.by === "settings") {
    const { versionstamp } = await readWorkspace(workspace);
    return {
      cause: "rule",
      ref: null,
      stamp: versionstamp,
      list: allOf(workspace),
    };
  }
  const { competitorId } = args;
  // A deleted shop needs no `stamp`, because the deletion of its links queues the products anyway.
  const versionstamp = (await competitors.find(workspace, { id: competitorId }))?.versionstamp;
  return {
    cause: "match",
    ref: competitorId,
    ...(versionstamp === undefined ? {} : { stamp: versionstamp }),
    list: async (...page) =>
      chosen(
        await listOfferRows(workspace, ...page),
        ({ bytes }) => decodeOffers(bytes).some((offer) => offer.competitorId === competitorId),
      ),
  };
}

async function isReplaced(workspace: WorkspaceStore, jobId: string, args: RejudgeArgs) {
  const page = { kind: REJUDGE_KIND, limit: 100, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs<RejudgeJob>(workspace, page);
  const newer = jobs.slice(0, Math.max(0, jobs.findIndex((one) => one.jobId === jobId)));
  return newer.some((one) => reasonOf(one.args) === reasonOf(args));
}

async function findRuleReason(
  workspace: WorkspaceStore,
  { ruleId, version, terms, isAsked, isApplied, owned }: Extract<RejudgeArgs, { by: "rule" }>,
): Promise<Reason | null> {
  const found = await findRule(workspace, ruleId);
  const isBound = !owned && (!isAsked || isApplied);
  if (found && isBound && found.rule.version !== version && termsHash(found.rule) !== terms) {
    return null;
  }
  if (!found?.rule.enabled || owned) {
    const stamp = found?.rule.enabled ? { stamp: found.versionstamp } : {};
    const list = PLACES_OF_RULE[owned ?? "proposed"](workspace, ruleId);
    return { cause: "rule", ref: ruleId, ...stamp, list };
  }
  return {
    ref: ruleId,
    ...(isAsked === true
      ? { cause: "schedule", ...(isApplied && { isApplied }) }
      : { cause: "rule", stamp: found.versionstamp }),
    list: placesOf(workspace, found.rule),
  };
}

function chosen<Row extends { readonly id: string }>(
  rows: readonly Row[],
  isWanted: (row: Row) => boolean,
): Place[] {
  return rows.map((row) => ({ id: row.id, productId: isWanted(row) ? row.id : null }));
}

function allOf(workspace: WorkspaceStore): ListPlaces {
  return async (...page) => chosen(await listDocuments(workspace, ...page), () => true);
}

function placesOf(workspace: WorkspaceStore, rule: StoredRule): ListPlaces {
  if (rule.scope.mode === "all") return allOf(workspace);
  const { scope } = compileRule(rule);
  return async (...page) => {
    const rows = await listOpenRows(workspace, ...page);
    const proposals = await findProposals(workspace, rows.map(({ proposalId }) => proposalId));
    const open = new Set(
      [...proposals.values()].flatMap((one) => one.ruleId === rule.id ? one.productId : []),
    );
    return chosen(
      await listDocuments(workspace, ...page),
      ({ id, bytes }) => open.has(id) || scope.includes(pricedProductOf(parseProduct(bytes))),
    );
  };
}

function openOf(workspace: WorkspaceStore, id: string): ListPlaces {
  return (...page) => listProposals(workspace, { by: "openOfRule", id }, ...page);
}

function firedOf(workspace: WorkspaceStore, ruleId: string): ListPlaces {
  return async (...page) => {
    const rows = await listRuleStates(workspace, ...page);
    const states = decodeStates(rows.map(({ bytes }) => bytes));
    const fired = rows.map(({ id }, at) => ({ id, past: states[at]?.[ruleId] }));
    return chosen(fired, ({ past }) => Boolean(past?.lastFiredAtMs));
  };
}

const PLACES_OF_RULE = { all: allOf, fired: firedOf, proposed: openOf };

const stalePasses = defineTable<{ readonly slotMs: number }>({
  prefix: "rsp",
  about: "the last planned time, in milliseconds, at which rules that need no event were evaluated",
  key: {},
  value: "slotMs",
});

const PER_COMMIT = 5_000;

interface StalePass extends RuleSetup {
  readonly stopping?: AbortSignal;
}

/**
 * Queues the products for which a rule fires because time has passed, for example because a price
 * is now old. Skips workspaces in which the planned time `slot` was already handled.
 */
export async function queueStaleProducts(setup: StalePass, slot: Date): Promise<number> {
  return await countInWorkspaces(setup.store, "stale products", async (workspace) => {
    return setup.stopping?.aborted ? 0 : await queueOf(setup, workspace, slot);
  });
}

async function queueOf(setup: StalePass, workspace: WorkspaceStore, slot: Date): Promise<number> {
  const page = rulesFor(await setup.ruleCache.rulesOf(workspace), { cause: "clock", ref: null });
  if (page.compiled.length === 0 || !(await takeSlot(setup, workspace, slot))) return 0;
  const found: { id: string; shard: number }[] = [];
  const surroundings = await readSurroundings(workspace);
  const nowMs = setup.clock.now().getTime();
  const ask = rulesOf(page);
  for await (const { situation } of streamProducts(workspace, { surroundings, nowMs })) {
    if (setup.stopping?.aborted) break;
    const { product: { id, sku } } = situation;
    if (!isIdle(ask(situation))) found.push({ id, shard: shard(sku) });
  }
  // The products are sorted by shard (part of the catalogue), because a commit can check the
  // version counters of only a few shards.
  found.sort((a, b) => a.shard - b.shard);
  for await (const some of batchesOf(found, PER_COMMIT)) {
    const ids = some.map(({ id }) => id);
    await transact(setup, (write) => {
      queueDirty(write, workspace.workspaceId, setup.clock, ids, "clock");
    });
  }
  return found.length;
}

async function takeSlot(setup: RuleSetup, workspace: WorkspaceStore, slot: Date) {
  return await transact(setup, async (write) => {
    const last = await stalePasses.find(workspace, {});
    if (last && last.row.slotMs >= slot.getTime()) return false;
    stalePasses.save(write, workspace, last, { slotMs: slot.getTime() });
    return true;
  });
}

const SCHEDULE: Actor = { type: "system", id: "schedule", name: "Schedule" };

/** Queues each scheduled rule's products once per planned time, even if several processes run. */
export async function queueScheduledRules(setup: RuleSetup): Promise<number> {
  let count = 0;
  await eachWorkspace(setup.store, "scheduled rules", async (workspace) => {
    const page = await setup.ruleCache.rulesOf(workspace);
    for (const rule of page.byId.values()) {
      if (rule.schedule !== null && await queueOne(setup, workspace.workspaceId, rule)) count++;
    }
  });
  return count;
}

async function queueOne(
  { store, clock }: RuleSetup,
  workspaceId: string,
  rule: StoredRule,
): Promise<boolean> {
  const { id: ruleId, schedule } = rule;
  const ctx = contextFor({ store, clock, requestId: "schedule" }, workspaceId, SCHEDULE);
  const { timeZone } = await requireWorkspace(ctx);
  const slot = schedule && dueSlot(schedule, ctx.now(), timeZone);
  if (!slot) return false;
  return await transact(ctx, async (write) => {
    const found = await findRule(ctx, ruleId);
    const mark = await askedSlots.find(ctx, { ruleId });
    // Do nothing if the rule is deleted, or if another process has already queued its products.
    if (!found || mark?.row.slot === slot) return false;
    checkRule(write, workspaceId, found);
    askedSlots.save(write, ctx, mark, { ruleId, slot });
    rejudge(write, ctx, { ...rejudgeArgs(rule), isAsked: true });
    return true;
  });
}
