/**
 * The evaluation queue contains the products for which rules must run (docs/decisions/jobs.md).
 * This module runs the rules for the products of one row of this queue.
 */
import { checkWorkspace } from "../../accounts/workspace.ts";
import { findDocuments, listPriceChanges } from "../../catalogue/products/product_store.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import { offerVersions, productVersions } from "../../catalogue/products/change_log_store.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { ProductDecisions } from "../../engine/pricing/decide.ts";
import type { AlertDeps } from "../../messages/alert_store.ts";
import { type DirtyProducts, dirtyQueue } from "../../platform/events/outbox_store.ts";
import {
  type Actor,
  type Context,
  contextFor,
  type WorkspaceStore,
} from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import type { QueueRow } from "../../platform/store/row_queue_store.ts";
import { competitors } from "../../shops/competitor_store.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { hasOpenProposals, proposalTable } from "../proposals/proposal_store.ts";
import { type RulePage, type RuleSetup, ruleTable } from "../rule.ts";
import { readSurroundings } from "../proposals/priced_product.ts";
import { readBudget, readSubjects, type Subject } from "./situation_reader.ts";
import { type DraftSetup, EffectDraft } from "./effect_draft.ts";
import { fateOfProposal, hasEffect, judgeOne, type Plan, planFor, rulesOf } from "./judge.ts";
import { hasSeen, lapseOf, lapses, type Seen, seenBySome } from "./rule_state_store.ts";

export interface EvaluationSetup extends RuleSetup {
  readonly alerts: AlertDeps;
}

export type DirtyRow = QueueRow<DirtyProducts>;

const RULES: Actor = { type: "system", id: "rules", name: "Rules" };

/** Commits the results for each product once, even after a crash. */
export async function evaluateDirty(
  setup: EvaluationSetup,
  row: DirtyRow,
  only: ReadonlySet<string> | null = null,
): Promise<void> {
  for (let isDone = false; !isDone;) isDone = await evaluatePart(setup, row, only);
}

async function evaluatePart(
  setup: EvaluationSetup,
  row: DirtyRow,
  only: ReadonlySet<string> | null,
): Promise<boolean> {
  const { store, ruleCache } = setup;
  const requestId = `evl_${row.id}`;
  const ctx = contextFor({ store, clock: setup.clock, requestId }, row.partition[0] ?? "", RULES);
  let most = Infinity;
  return await transact(setup, async (write) => {
    const found = await dirtyQueue.findAgain(store, row);
    if (!found) return true;
    const { productIds, from } = found.value;
    const ids = productIds.slice(from).filter((id) => only === null || only.has(id));
    const rules = rulesFor(await ruleCache.rulesOf(ctx), found.value);
    if (ids.length === 0 || await isVain(ctx, rules.compiled)) {
      dirtyQueue.take(write, found);
      return true;
    }
    const some = ids.slice(0, most);
    most = FEW_PRODUCTS;
    const undone = await writeEffects(setup, { write, ctx, rules, row: found, ids: some });
    const left = undone ?? ids[some.length] ?? null;
    if (left === null) dirtyQueue.take(write, found);
    else dirtyQueue.move(write, found, found.dueMs, await restOf(ctx, found.value, left));
    return left === null;
  });
}

/**
 * Returns the rest of the row, from the product `left` on. If no rest was stored before, sorts its
 * products by shard (part of the catalogue), because a commit can check the version counters of
 * only a few shards.
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

export async function isVain(workspace: WorkspaceStore, rules: RulePage["compiled"]) {
  return rules.length === 0 && !(await hasOpenProposals(workspace));
}

/**
 * For cause `clock`, only rules whose decision depends on the current time are returned. A rule
 * that runs only on a schedule evaluates only products that its own schedule queued.
 */
export function rulesFor(page: RulePage, { cause, ref }: Asked): RulePage {
  const isAsked = ({ id, isScheduledOnly, isClockDriven }: CompiledRule) =>
    isScheduledOnly ? cause === "schedule" && id === ref : cause !== "clock" || isClockDriven;
  const compiled = page.compiled.filter(isAsked);
  return compiled.length === page.compiled.length ? page : { ...page, compiled };
}

type Asked = Pick<DirtyProducts, "cause" | "ref">;

export function askedBy({ cause, ref }: Asked): string {
  if (cause === "schedule") return `schedule ${ref}`;
  return cause === "clock" ? cause : "all";
}

const READ_AT_ONCE = 10;
const FEW_PRODUCTS = 10;

interface Part {
  readonly write: Write;
  readonly ctx: Context;
  readonly rules: RulePage;
  readonly row: DirtyRow;
  readonly ids: readonly string[];
}

async function writeEffects({ alerts }: EvaluationSetup, part: Part): Promise<string | null> {
  const { write, ctx, rules, row: { value }, ids } = part;
  const now = ctx.now();
  // Read the products' version counters first, so that the commit fails if a product changes later.
  const versionCounters = await readVersionCounters(ctx, ids);
  const seenTo = await readSeen(part, versionCounters);
  const surroundings = await readSurroundings(ctx);
  const { timeZone, settingsVersion, competitorsVersion } = surroundings;
  const scene = { surroundings, nowMs: now.getTime() };
  const budget = await readBudget(ctx, rules.compiled, surroundings);
  const asked = new Set(rules.compiled.map(({ id }) => id));
  // A deleted or disabled rule is treated as evaluated, so that its proposals are closed.
  const judged = (ruleId: string) =>
    asked.has(ruleId) || (value.cause !== "clock" && !rules.byId.has(ruleId));
  const proposesRejected = value.isApplied === true;
  const shared = { write, ctx, rules, alerts, now, budget, timeZone, proposesRejected };
  const draft = new EffectDraft(shared);
  let left: string | null = null;
  for (let at = 0; at < ids.length && left === null; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    const read = await readSubjects(ctx, some, scene);
    const areShopsSame = await competitors.version(ctx) === competitorsVersion;
    const known = { seenTo: latest(seenTo, competitorsVersion), areShopsSame };
    left = await addProducts({ value, draft, shared, judged, ...known }, some, read);
  }
  if (draft.shards.size === 0) return left;
  const read = Array.from(draft.shards, (one) => [one, versionCounters.get(one) ?? null] as const);
  productVersions.check(write, ctx.workspaceId, read);
  ruleTable.checkVersion(write, ctx, rules.version);
  checkWorkspace(write, ctx.workspaceId, settingsVersion);
  draft.close();
  return left;
}

async function readVersionCounters(ctx: Context, ids: readonly string[]) {
  if (ids.length > FEW_PRODUCTS) return await productVersions.list(ctx);
  const documents = await findDocuments(ctx, ids);
  if (documents.length < ids.length) return await productVersions.list(ctx);
  const shards = new Set(documents.map(({ bytes }) => shard(parseProduct(bytes).sku)));
  return new Map(await productVersions.find(ctx, [...shards]));
}

async function readSeen(
  { ctx, rules, row }: Part,
  versionCounters: ReadonlyMap<number, string | null>,
): Promise<string> {
  const shards = [...versionCounters.keys()];
  const offers =
    await (shards.length > FEW_PRODUCTS
      ? offerVersions.list(ctx)
      : offerVersions.find(ctx, shards));
  const versions = [...versionCounters.values(), ...offers.values(), rules.version];
  return versions.reduce<string>(latest, row.versionstamp);
}

function latest(version: string, other: string | null): string {
  return other !== null && other > version ? other : version;
}

interface Work {
  readonly value: DirtyProducts;
  readonly draft: EffectDraft;
  readonly shared: DraftSetup;
  judged(ruleId: string): boolean;
  readonly seenTo: string;
  readonly areShopsSame: boolean;
}

async function addProducts(
  work: Work,
  ids: readonly string[],
  { subjects, orphans }: Awaited<ReturnType<typeof readSubjects>>,
): Promise<string | null> {
  for (const id of ids) {
    const subject = subjects.find(({ found }) => found.id === id);
    const orphan = orphans.find(({ productId }) => productId === id);
    if (!await addProduct(work, subject, orphan)) return id;
  }
  return null;
}

async function addProduct(work: Work, subject?: Subject, orphan?: StoredProposal) {
  const { draft, shared } = work;
  if (orphan) {
    if (!draft.hasRoomFor(orphan.sku)) return false;
    draft.closeOrphan(orphan);
  }
  if (!subject) return true;
  const spent = shared.budget?.spent;
  const counted = spent ? { ...subject, situation: { ...subject.situation, spent } } : subject;
  const plan = await planSubject(work, counted);
  if (plan === null) return true;
  const { write, ctx, rules, now, timeZone } = shared;
  const terms = { rules: rules.compiled, nowMs: now.getTime(), timeZone };
  const untilMs = lapseOf(plan.decisions.decisions, terms);
  const lapse = untilMs === null ? null : { untilMs, productId: subject.found.id };
  if (lapse && await lapses.find(ctx, lapse) === null) lapses.put(write, ctx, lapse);
  if (!hasEffect(plan)) return true;
  if (!draft.hasRoomFor(subject.found.product.sku)) return false;
  await draft.add(plan);
  return true;
}

/** Returns the rules that have not yet evaluated the queued change; null if all rules have. */
function informedRules({ cause, ref, stamp }: DirtyProducts, { compiled }: RulePage, seen: Seen) {
  const isOneRule = (cause === "rule" || cause === "schedule") && ref !== null;
  // Cause `lapse` means that a price may change again, so only rules that set prices run.
  const isConcerned = ({ id, price }: CompiledRule) =>
    cause === "lapse" ? price !== null : !isOneRule || id === ref;
  const concerned = compiled.filter(isConcerned).map(({ id }) => id);
  if (stamp === undefined) return new Set(concerned);
  const informed = concerned.filter((id) => !hasSeen(seen, id, stamp));
  const isKnown = concerned.length > 0 ? informed.length === 0 : hasSeen(seen, "", stamp);
  return isKnown ? null : new Set(informed);
}

async function planSubject(work: Work, read: Subject): Promise<Plan | null> {
  const { value, shared: { ctx, rules, now } } = work;
  const { cause, ref } = value;
  const revertedId = cause === "import" ? await findRevertedRule(ctx, read, ref) : null;
  const informed = revertedId === null
    ? informedRules(value, rules, read.seen)
    : new Set(rules.compiled.map(({ id }) => id));
  if (informed === null) return null;
  const subject = revertedId === null ? read : coolingDown(read, revertedId, now);
  const plan = planOf(work, subject, await judgeOne(ctx, rulesOf(rules), subject), informed);
  return revertedId === null ? plan : { ...plan, state: plan.state ?? subject.state };
}

/**
 * All rules were evaluated, because rules compete for the product's price. Only the rules in
 * `informed`, and the rule that sets the price, may fire or raise alerts.
 */
function planOf(
  { value, shared, judged, seenTo, areShopsSame }: Work,
  subject: Subject,
  decided: ProductDecisions,
  informed: ReadonlySet<string>,
): Plan {
  const { rules } = shared;
  const fate = fateOfProposal(decided, subject.open, judged);
  const moves = fate.fate === "replace" || fate.fate === "apply" ? [fate.decision.ruleId] : [];
  const effective = new Set([...informed, ...moves]);
  const decisions = decided.decisions.map((decision) =>
    effective.has(decision.ruleId) ? decision : { ...decision, fires: false, alerts: [] }
  );
  const ranks = decided.ranks.filter(({ ruleId }) => effective.has(ruleId));
  const stamp = areShopsSame ? latest(seenTo, subject.offersVersion) : seenTo;
  const isWhole = value.cause !== "clock" && value.cause !== "schedule" &&
    rules.compiled.every(({ id }) => effective.has(id));
  const seen = isWhole
    ? { byAll: stamp, byRule: {} }
    : seenBySome(subject.seen, [...effective], stamp);
  const outcome = { ...decided, decisions, ranks };
  return planFor(rules, shared.now.getTime(), { subject, decisions: outcome, fate, seen });
}

/** Returns the rule whose price the import `jobId` overwrote (docs/decisions/imports.md). */
async function findRevertedRule(ctx: Context, { found, state }: Subject, jobId: string | null) {
  if (Object.keys(state).length === 0) return null;
  const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const [newest, before] = await listPriceChanges(ctx, found.id, stretch, 2);
  if (newest?.source !== "import" || newest.ref !== jobId || !before || before.ref === null) {
    return null;
  }
  if (before.source === "rule") return before.ref;
  if (before.source !== "proposal") return null;
  return (await proposalTable.find(ctx, { id: before.ref }))?.row.ruleId ?? null;
}

function coolingDown(subject: Subject, ruleId: string, now: Date): Subject {
  const past = subject.state[ruleId] ?? { rank: null };
  const state = { ...subject.state, [ruleId]: { ...past, lastFiredAtMs: now.getTime() } };
  const { situation } = subject;
  const history = { ...situation.history, rules: state };
  return { ...subject, state, situation: { ...situation, history } };
}
