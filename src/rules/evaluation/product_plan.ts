/**
 * Plans what an evaluation changes for a product: its proposal or price, and what its rules
 * remember. All rules are evaluated, because rules compete for the product's price. A rule that has
 * already evaluated the queued change fires or alerts again only if its price is chosen.
 */
import { fromKeys } from "../../base/collections.ts";
import { listPriceChanges } from "../../catalogue/products/product_store.ts";
import { withCut } from "../../engine/pricing/bounds.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Decision, ProductDecisions } from "../../engine/pricing/decide.ts";
import type { BrakeState, Cut } from "../../engine/pricing/situation.ts";
import type { AlertDeps } from "../../messages/alert_store.ts";
import type { DirtyProducts } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { proposalTable } from "../proposals/proposal_store.ts";
import type { RulePage } from "../rule.ts";
import { findRejection, judgeOne, rulesOf } from "./judge.ts";
import { ALL_RULES, hasSeen, type RuleState, type Seen } from "./rule_state_store.ts";
import type { DayBudget } from "./rule_stats.ts";
import type { Subject } from "./situation_reader.ts";

/** Inputs of an evaluation that all products of one commit share. */
export interface Pass {
  readonly write: Write;
  readonly ctx: Context;
  readonly rules: RulePage;
  readonly value: DirtyProducts;
  readonly alerts: AlertDeps;
  readonly now: Date;
  readonly budget: DayBudget | null;
  readonly timeZone: string;
}

/** A price that a rule computed. `drop` means that a person has rejected the same price before. */
export interface NewPrice {
  readonly fate: "drop" | "propose" | "apply";
  readonly decision: Decision;
  readonly cents: number;
  readonly rejected: StoredProposal["rejectedBefore"];
}

type Fate = NewPrice | { readonly fate: "keep" | "close" };

export interface BrakedCut {
  readonly ruleId: string;
  readonly state: BrakeState;
}

export interface Plan {
  readonly subject: Subject;
  readonly decisions: readonly Decision[];
  readonly fate: Fate;
  /** The new states of the product's rules; null if they have not changed. */
  readonly state: RuleState | null;
  readonly braked: BrakedCut | null;
  readonly seen: Seen;
}

/**
 * Returns null if no rule needs to evaluate the queued change. `stamp` is the versionstamp of the
 * newest change that this evaluation has read.
 */
export async function planProduct(
  pass: Pass,
  read: Subject,
  stamp: string,
): Promise<Plan | null> {
  const { ctx, rules: { compiled }, rules, value, now } = pass;
  const revertedId = value.cause === "import" ? await findRevertedRule(ctx, read, value.ref) : null;
  const informed = revertedId === null ? informedRules(pass, read.seen) : idsOf(compiled);
  if (informed === null) return null;
  const subject = revertedId === null
    ? withoutRanks(read, value)
    : coolingDown(read, revertedId, now);
  const decided = await judgeOne(ctx, rulesOf(rules), subject);
  const fate = await fateOf(pass, subject, decided);
  const effective = new Set("decision" in fate ? [...informed, fate.decision.ruleId] : informed);
  const decisions = decided.decisions.map((decision) =>
    effective.has(decision.ruleId) ? decision : { ...decision, fires: false, alerts: [] }
  );
  const ranks = decided.ranks.filter(({ ruleId }) => effective.has(ruleId));
  const braked = brakedBy(pass, subject, fate);
  const state = stateAfter(pass, subject.state, { decisions, ranks, braked });
  const isWhole = value.cause !== "clock" && value.cause !== "schedule" &&
    compiled.every(({ id }) => effective.has(id));
  const seen = isWhole
    ? { [ALL_RULES]: stamp }
    : { ...subject.seen, ...fromKeys([...effective], () => stamp) };
  const kept = revertedId === null ? null : subject.state;
  return { subject, decisions, fate, state: state ?? kept, braked, seen };
}

export function hasEffect({ decisions, fate, state }: Plan): boolean {
  return state !== null || fate.fate !== "keep" ||
    decisions.some(({ fires, alerts }) => fires || alerts.length > 0);
}

function idsOf(rules: readonly CompiledRule[]): string[] {
  return rules.map(({ id }) => id);
}

/** Returns ids of the rules that must still evaluate the queued change; null if no rule must. */
function informedRules({ value, rules }: Pass, seen: Seen): string[] | null {
  const { cause, ref, stamp } = value;
  const isOneRule = (cause === "rule" || cause === "schedule") && ref !== null;
  // The cause `lapse` (an obstacle to a price has ended) concerns only rules that set prices.
  const isConcerned = ({ id, price }: CompiledRule) =>
    cause === "lapse" ? price !== null : !isOneRule || id === ref;
  const concerned = idsOf(rules.compiled.filter(isConcerned));
  if (stamp === undefined) return concerned;
  const informed = concerned.filter((id) => !hasSeen(seen, id, stamp));
  const isKnown = concerned.length > 0 ? informed.length === 0 : hasSeen(seen, ALL_RULES, stamp);
  return isKnown ? null : informed;
}

async function fateOf(
  pass: Pass,
  { open, situation, found: { product } }: Subject,
  { decisions, winner }: ProductDecisions,
): Promise<Fate> {
  const own = decisions.find(({ ruleId }) => ruleId === open?.ruleId);
  const isJudged = open !== null && isAnswered(pass, open.ruleId, situation.product);
  const cents = winner?.proposedCents ?? null;
  const outcome = winner?.outcome;
  if (winner === null || cents === null || (outcome !== "apply" && outcome !== "propose")) {
    return { fate: !isJudged || (own && own.proposedCents !== null) ? "keep" : "close" };
  }
  const isSame = open?.proposedCents === cents && open.currentCents === winner.currentCents &&
    open.currency === product.currency;
  const hasPrice = own && (own.proposedCents !== null || own.blocked.some(isOfOther));
  if (outcome === "propose" && isSame && (hasPrice || !isJudged)) return { fate: "keep" };
  const rejected = await findRejection(pass.ctx, winner.ruleId, product);
  const isRejected = rejected?.currentCents === (product.ourPriceCents ?? 0) &&
    rejected.proposedCents === cents;
  const fate = isRejected && pass.value.isApplied !== true ? "drop" : outcome;
  return { fate, decision: winner, cents, rejected };
}

/**
 * True if this evaluation may close the rule's open proposal: the rule was evaluated, or no longer
 * applies. If the cause is `clock`, a disabled or deleted rule keeps its proposal.
 */
function isAnswered(
  { rules: { compiled, all, byId }, value }: Pass,
  ruleId: string,
  product: Subject["situation"]["product"],
): boolean {
  if (compiled.some(({ id }) => id === ruleId)) return true;
  if (value.cause !== "clock" && !byId.has(ruleId)) return true;
  const rule = all.find(({ id }) => id === ruleId);
  return rule !== undefined && (rule.price === null || !rule.scope.includes(product));
}

/** True if the rule computed a price, but another rule takes precedence. */
function isOfOther(code: string): boolean {
  return code === "outranked" || code === "not_stable";
}

/** Returns the state of the brake after an automatic price cut; null without a cut or a brake. */
function brakedBy(
  { rules: { compiled }, now }: Pass,
  { state: before }: Subject,
  fate: Fate,
): BrakedCut | null {
  if (fate.fate !== "apply") return null;
  const { ruleId } = fate.decision;
  const brake = compiled.find(({ id }) => id === ruleId)?.brake;
  const cut = cutOf(fate, now.getTime());
  if (!brake || cut === null) return null;
  return { ruleId, state: withCut(before[ruleId]?.brake, cut, brake) };
}

function cutOf({ decision, cents }: NewPrice, atMs: number): Cut | null {
  const { currentCents: fromCents } = decision;
  if (fromCents === null || cents >= fromCents) return null;
  const [first] = decision.trace().references.toSorted((a, b) => a.unitCents - b.unitCents);
  const [competitorId, referenceCents] = [first?.competitorId ?? null, first?.unitCents ?? null];
  return { atMs, fromCents, toCents: cents, competitorId, referenceCents };
}

function stateAfter(
  { rules: { ids }, now }: Pass,
  before: RuleState,
  { decisions, ranks, braked }: Pick<Plan & ProductDecisions, "decisions" | "ranks" | "braked">,
): RuleState | null {
  const fired = decisions.filter(({ fires }) => fires);
  if (fired.length + ranks.length === 0 && braked === null) return null;
  const after = new Map(Object.entries(before).filter(([ruleId]) => ids.has(ruleId)));
  const change = (ruleId: string, changed: Partial<RuleState[string]>) => {
    const past = after.get(ruleId) ?? { lastFiredAtMs: null, rank: null };
    after.set(ruleId, { ...past, ...changed });
  };
  for (const { ruleId } of fired) change(ruleId, { lastFiredAtMs: now.getTime() });
  for (const { ruleId, rank } of ranks) change(ruleId, { rank });
  if (braked) change(braked.ruleId, { brake: braked.state });
  return Object.fromEntries(after);
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
  return withState(subject, { [ruleId]: { ...past, lastFiredAtMs: now.getTime() } });
}

/** After a change of rules or settings, forgets our market ranks, which may be outdated. */
function withoutRanks(subject: Subject, { cause, ref }: DirtyProducts): Subject {
  if (cause !== "rule") return subject;
  const changed = Object.entries(subject.state).filter(([id]) => ref === null || ref === id)
    .map(([id, past]) => [id, { ...past, rank: null }]);
  return withState(subject, Object.fromEntries(changed));
}

function withState(subject: Subject, changed: RuleState): Subject {
  const state = { ...subject.state, ...changed };
  const history = { ...subject.situation.history, rules: state };
  return { ...subject, state, situation: { ...subject.situation, history } };
}
