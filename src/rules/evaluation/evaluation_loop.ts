/**
 * Runs the rules for the products in the evaluation queue (docs/decisions/jobs.md). A row of the
 * queue names one or more products.
 */
import { offerVersions, productVersions } from "../../catalogue/products/change_log_store.ts";
import { type DirtyProducts, dirtyQueue } from "../../platform/events/outbox_store.ts";
import { type LoopSetup, WorkLoop } from "../../platform/jobs/work_loop.ts";
import type { roomLog } from "../../platform/log.ts";
import { transact } from "../../platform/store/kv.ts";
import { type QueueRow, walkDue, WalkPosition } from "../../platform/store/row_queue_store.ts";
import { type Actor, contextFor, type WorkspaceStore } from "../../platform/store/context.ts";
import { readSurroundings } from "../proposals/priced_product.ts";
import { checkWorkspace } from "../../accounts/workspace.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { AlertDeps } from "../../messages/alert_store.ts";
import { competitors } from "../../shops/competitor_store.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { hasOpenProposals } from "../proposals/proposal_store.ts";
import { type RulePage, type RuleSetup, ruleTable } from "../rule.ts";
import { readSubjects, type Subject } from "./situation_reader.ts";
import { EffectDraft } from "./effect_draft.ts";
import { hasEffect, type Pass, planProduct } from "./product_plan.ts";
import { lapseOf, lapses } from "./rule_state_store.ts";
import { readBudget } from "./rule_stats.ts";

const BACKOFF_MS_MAX = 10 * 60_000;

interface EvaluationRounds extends EvaluationSetup {
  readonly log: ReturnType<typeof roomLog>;
  readonly position: WalkPosition;
}

export async function evaluateDue(setup: EvaluationRounds, stopping?: AbortSignal): Promise<void> {
  const { store, clock, position, log } = setup;
  // A row without failures has a due time in the future only if the clock was set back.
  const backoffMsMax = ({ failures }: DirtyProducts) => failures === undefined ? 0 : BACKOFF_MS_MAX;
  const walk = { store, position, now: () => clock.now(), backoffMsMax };
  for await (const row of walkDue(dirtyQueue, walk)) {
    if (stopping?.aborted) return;
    try {
      await evaluateDirty(setup, row);
    } catch (error) {
      log.error("products could not be judged", {
        workspaceId: row.partition[0],
        rowId: row.id,
        error,
      });
      await setAside(setup, row);
    }
  }
}

async function setAside({ store, clock }: EvaluationSetup, row: DirtyRow): Promise<void> {
  await transact({ store }, async (write) => {
    const found = await dirtyQueue.findAgain(store, row);
    if (!found) return;
    const { partition, dueMs, value } = found;
    const left = value.productIds.slice(value.from);
    if (left.length <= 1) {
      const failures = (value.failures ?? 0) + 1;
      const backoffMs = Math.min(BACKOFF_MS_MAX, 5_000 * 2 ** failures);
      const laterMs = clock.now().getTime() + backoffMs;
      return dirtyQueue.move(write, found, laterMs, { ...value, failures });
    }
    dirtyQueue.take(write, found);
    for (const id of left) {
      const alone = { ...value, productIds: [id], from: 0 };
      dirtyQueue.add(write, { partition, id: clock.newId(), dueMs, value: alone });
    }
  });
}

export function createEvaluationLoop(
  setup: Omit<EvaluationRounds, "position"> & Pick<LoopSetup, "sweepMs" | "pauseMinMs">,
): WorkLoop {
  const position = new WalkPosition();
  return new WorkLoop({
    name: "evaluation",
    sweepMs: setup.sweepMs,
    pauseMinMs: setup.pauseMinMs,
    log: setup.log,
    async round(stopping) {
      await evaluateDue({ ...setup, position }, stopping);
      return null;
    },
  });
}

interface EvaluationSetup extends RuleSetup {
  readonly alerts: AlertDeps;
}

type DirtyRow = QueueRow<DirtyProducts>;

const RULES: Actor = { type: "system", id: "rules", name: "Rules" };

/** Commits the results of each product exactly once, even if the process crashes in between. */
async function evaluateDirty(setup: EvaluationSetup, row: DirtyRow): Promise<void> {
  for (let isDone = false; !isDone;) isDone = await evaluatePart(setup, row);
}

async function evaluatePart(setup: EvaluationSetup, row: DirtyRow): Promise<boolean> {
  const { store, ruleCache, alerts } = setup;
  const requestId = `evl_${row.id}`;
  const ctx = contextFor({ store, clock: setup.clock, requestId }, row.partition[0] ?? "", RULES);
  let most = Infinity;
  return await transact(setup, async (write) => {
    const found = await dirtyQueue.findAgain(store, row);
    if (!found) return true;
    const { value } = found;
    const ids = value.productIds.slice(value.from);
    const rules = rulesFor(await ruleCache.rulesOf(ctx), value);
    if (ids.length === 0 || await isVain(ctx, rules.compiled)) {
      dirtyQueue.take(write, found);
      return true;
    }
    const some = ids.slice(0, most);
    most = FEW_PRODUCTS;
    const undone = await writeEffects({ write, ctx, rules, value, alerts }, found, some);
    const left = undone ?? ids[some.length] ?? null;
    if (left === null) dirtyQueue.take(write, found);
    else dirtyQueue.move(write, found, found.dueMs, await restOf(ctx, value, left));
    return left === null;
  });
}

/**
 * Returns the queue row's value without the products before `left`, which are done. The first call
 * sorts the rest by shard (part of the catalogue), because a commit can check only few shards.
 */
async function restOf(workspace: WorkspaceStore, value: DirtyProducts, left: string) {
  const { productIds } = value;
  const from = productIds.indexOf(left, value.from);
  if (value.from > 0) return { ...value, from };
  const rest = productIds.slice(from);
  const documents = await findDocuments(workspace, rest);
  const shards = new Map(documents.map(({ id, bytes }) => [id, shard(parseProduct(bytes).sku)]));
  const shardOf = (id: string) => shards.get(id) ?? -1;
  rest.sort((one, other) => shardOf(one) - shardOf(other));
  return { ...value, productIds: [...productIds.slice(0, from), ...rest], from };
}

async function isVain(workspace: WorkspaceStore, rules: RulePage["compiled"]) {
  return rules.length === 0 && !(await hasOpenProposals(workspace));
}

/**
 * Returns the rules that must run. If only time has passed (cause `clock`), these are rules whose
 * decisions depend on the time. A rule that runs only on a schedule is returned only if the cause
 * is its own schedule.
 */
export function rulesFor(page: RulePage, { cause, ref }: Asked): RulePage {
  const isAsked = ({ id, isScheduledOnly, isClockDriven }: CompiledRule) =>
    isScheduledOnly ? cause === "schedule" && id === ref : cause !== "clock" || isClockDriven;
  const compiled = page.compiled.filter(isAsked);
  return compiled.length === page.compiled.length ? page : { ...page, compiled };
}

type Asked = Pick<DirtyProducts, "cause" | "ref">;

const READ_AT_ONCE = 10;
const FEW_PRODUCTS = 10;

/** Returns the first product whose effects do not fit into the commit; null if all fit. */
async function writeEffects(
  shared: Omit<Pass, "now" | "budget" | "timeZone">,
  row: DirtyRow,
  ids: readonly string[],
): Promise<string | null> {
  const { write, ctx, rules } = shared;
  const now = ctx.now();
  // Read the version counters before the products, so that the commit fails if a product changes.
  const versionCounters = await productVersions.list(ctx);
  const offers = await offerVersions.list(ctx);
  const surroundings = await readSurroundings(ctx);
  const { timeZone, settingsVersion, competitorsVersion } = surroundings;
  const versions = [...versionCounters.values(), ...offers.values(), rules.version];
  const seenTo = [...versions, competitorsVersion].reduce<string>(latest, row.versionstamp);
  const scene = { surroundings, nowMs: now.getTime() };
  const budget = await readBudget(ctx, rules.compiled, surroundings);
  const pass = { ...shared, now, budget, timeZone };
  const draft = new EffectDraft(pass);
  let left: string | null = null;
  for (let at = 0; at < ids.length && left === null; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    const { subjects, orphans } = await readSubjects(ctx, some, scene);
    const areShopsSame = await competitors.version(ctx) === competitorsVersion;
    for (const id of some) {
      const subject = subjects.find(({ found }) => found.id === id);
      const orphan = orphans.find(({ productId }) => productId === id);
      const offersVersion = areShopsSame ? subject?.offersVersion ?? null : null;
      const isAdded = (!orphan || addOrphan(draft, orphan)) &&
        (!subject || await addProduct(pass, draft, subject, latest(seenTo, offersVersion)));
      if (isAdded) continue;
      left = id;
      break;
    }
  }
  if (draft.shards.size === 0) return left;
  const read = Array.from(draft.shards, (one) => [one, versionCounters.get(one) ?? null] as const);
  productVersions.check(write, ctx.workspaceId, read);
  ruleTable.checkVersion(write, ctx, rules.version);
  checkWorkspace(write, ctx.workspaceId, settingsVersion);
  draft.close();
  return left;
}

function latest(version: string, other: string | null): string {
  return other !== null && other > version ? other : version;
}

function addOrphan(draft: EffectDraft, orphan: StoredProposal): boolean {
  if (!draft.hasRoomFor(orphan.sku)) return false;
  draft.closeOrphan(orphan);
  return true;
}

async function addProduct(pass: Pass, draft: EffectDraft, read: Subject, stamp: string) {
  const { write, ctx, rules, now, timeZone } = pass;
  const spent = pass.budget?.spent;
  const subject = spent ? { ...read, situation: { ...read.situation, spent } } : read;
  const plan = await planProduct(pass, subject, stamp);
  if (plan === null) return true;
  const terms = { rules: rules.compiled, state: read.state, nowMs: now.getTime(), timeZone };
  const untilMs = lapseOf(plan.decisions, terms);
  const lapse = untilMs === null ? null : { untilMs, productId: read.found.id };
  if (lapse && await lapses.find(ctx, lapse) === null) lapses.put(write, ctx, lapse);
  if (!hasEffect(plan)) return true;
  if (!draft.hasRoomFor(read.found.product.sku)) return false;
  await draft.add(plan);
  return true;
}
