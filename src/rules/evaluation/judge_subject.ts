/**
 * Turns the decisions of rules on a product into changes of the product's proposal, price and rule
 * states.
 */
import type { Product } from "../../catalogue/products/product.ts";
import { dateIn } from "../../base/time.ts";
import { readRecentUnits } from "../../catalogue/sales/sales_store.ts";
import { asJudged, type BrakeState, type Cut, withCut } from "../../engine/pricing/brake.ts";
import { type CompiledRule, compileRules } from "../../engine/pricing/compile_rule.ts";
import type { Decision, ProductDecisions } from "../../engine/pricing/decide.ts";
import { marketFacts } from "../../engine/pricing/market_facts.ts";
import type { Situation } from "../../engine/pricing/situation.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  type EarlierRejection,
  openProposal,
  rejectionIn,
  type StoredProposal,
} from "../proposals/proposal.ts";
import { marketPositionOf, pricedProductOf } from "../proposals/priced_product.ts";
import { listProposals } from "../proposals/proposal_store.ts";
import { listRules, type RulePage } from "../rule.ts";
import type { RuleState, Seen } from "./rule_state_store.ts";
import { readSubjects, readSurroundings, type Subject } from "./situation_reader.ts";
import { judgeOne, rulesOf } from "./judge.ts";

type ProposalFate =
  | { readonly fate: "keep" }
  | { readonly fate: "replace"; readonly decision: Decision; readonly cents: number }
  | { readonly fate: "apply"; readonly decision: Decision; readonly cents: number }
  | { readonly fate: "close" };

const KEEP: ProposalFate = { fate: "keep" };

/** Decides what happens to an open proposal (docs/decisions/rules.md). */
export function fateOfProposal(
  { decisions, winner }: ProductDecisions,
  open: StoredProposal | null,
  judged: (ruleId: string) => boolean,
): ProposalFate {
  const cents = winner?.proposedCents ?? null;
  if (winner && cents !== null && winner.outcome === "apply") {
    return { fate: "apply", decision: winner, cents };
  }
  if (winner && cents !== null && winner.outcome === "propose") {
    const isSame = open?.proposedCents === cents && open.currentCents === winner.currentCents;
    return isSame ? KEEP : { fate: "replace", decision: winner, cents };
  }
  if (open === null || !judged(open.ruleId)) return KEEP;
  const own = decisions.find(({ ruleId }) => ruleId === open.ruleId);
  return own && own.proposedCents !== null ? KEEP : { fate: "close" };
}

function stateAfter(
  before: RuleState,
  { decisions: { decisions, ranks }, braked }: Pick<Plan, "decisions" | "braked">,
  nowMs: number,
  isKnown: (ruleId: string) => boolean,
): RuleState | null {
  const fired = decisions.filter(({ fires }) => fires);
  if (fired.length + ranks.length + braked.length === 0) return null;
  const after = new Map(Object.entries(before).filter(([ruleId]) => isKnown(ruleId)));
  const change = (ruleId: string, changed: Partial<RuleState[string]>) => {
    const past = after.get(ruleId) ?? { lastFiredAtMs: null, rank: null };
    after.set(ruleId, { ...past, ...changed });
  };
  for (const { ruleId } of fired) change(ruleId, { lastFiredAtMs: nowMs });
  for (const { ruleId, rank } of ranks) change(ruleId, { rank });
  for (const { ruleId, state: brake } of braked) change(ruleId, { brake });
  return Object.fromEntries(after);
}

export interface BrakedCut {
  readonly ruleId: string;
  readonly state: BrakeState;
}

function brakedCut(
  before: RuleState,
  fate: ProposalFate,
  rules: readonly CompiledRule[],
  nowMs: number,
): BrakedCut | null {
  if (fate.fate !== "apply") return null;
  const { decision: { ruleId, currentCents }, cents } = fate;
  const brake = rules.find(({ id }) => id === ruleId)?.brake ?? null;
  if (brake === null || currentCents === null || cents >= currentCents) return null;
  const cut = {
    atMs: nowMs,
    fromCents: currentCents,
    toCents: cents,
    ...cheapestOf(fate.decision),
  };
  return { ruleId, state: withCut(before[ruleId]?.brake, cut, brake) };
}

function cheapestOf(decision: Decision): Pick<Cut, "competitorId" | "referenceCents"> {
  const { references } = decision.trace();
  const [first] = references.toSorted((a, b) => a.unitCents - b.unitCents);
  return { competitorId: first?.competitorId ?? null, referenceCents: first?.unitCents ?? null };
}

/** Returns brakes (stops of price cuts) that close because a changed rule allows fewer cuts. */
function loweredBrakes(before: RuleState, rules: readonly CompiledRule[], nowMs: number) {
  return rules.flatMap(({ id: ruleId, brake }): BrakedCut[] => {
    const known = before[ruleId]?.brake;
    if (!known || brake === null) return [];
    const state = asJudged(known, brake, nowMs);
    return state === known ? [] : [{ ruleId, state }];
  });
}

interface Priced {
  readonly product: Product;
  readonly situation: Situation;
  readonly ruleName: string;
  readonly cents: number;
  readonly timeZone: string;
  readonly rejectedBefore: EarlierRejection | null;
}

/** Returns the last rejection of the rule's price; null if another price was set afterwards. */
export async function findRejection(
  ctx: Context,
  { ruleId }: Decision,
  { id, currency }: Pick<Product, "id" | "currency">,
): Promise<EarlierRejection | null> {
  const [last] = await listProposals(ctx, { by: "product", id }, null, 1, "desc");
  return last?.ruleId === ruleId && last.currency === currency ? rejectionIn(last) : null;
}

export async function proposalOf(
  ctx: Context,
  { ruleId, reason }: Decision,
  { product, situation, ruleName, cents, timeZone, rejectedBefore }: Priced,
): Promise<StoredProposal> {
  const now = ctx.now();
  return openProposal({
    id: ctx.newId(),
    rule: { id: ruleId, name: ruleName },
    product,
    currentCents: product.ourPriceCents ?? 0,
    proposedCents: cents,
    reason: wireReason(reason),
    units30d: await readRecentUnits(ctx, product.id, dateIn(now, timeZone)),
    marketThen: marketPositionOf(marketFacts(situation)),
    rejectedBefore,
    now,
  });
}

export interface Plan {
  readonly subject: Subject;
  readonly decisions: ProductDecisions;
  readonly fate: ProposalFate;
  readonly state: RuleState | null;
  readonly braked: readonly BrakedCut[];
  readonly seen: Seen;
}

export function planFor(
  rules: RulePage,
  nowMs: number,
  { subject, decisions, fate, seen }: Pick<Plan, "subject" | "decisions" | "fate" | "seen">,
): Plan {
  const { state: before } = subject;
  const cut = brakedCut(before, fate, rules.compiled, nowMs);
  const braked = [...cut === null ? [] : [cut], ...loweredBrakes(before, rules.compiled, nowMs)];
  const state = stateAfter(before, { decisions, braked }, nowMs, (id) => rules.ids.has(id));
  return { subject, decisions, fate, braked, seen, state };
}

export function hasEffect({ decisions, fate, state }: Plan): boolean {
  return state !== null || fate.fate !== "keep" ||
    decisions.decisions.some(({ fires, alerts }) => fires || alerts.length > 0);
}

export type AskedAgain =
  | { readonly proposal: StoredProposal; readonly trace: Trace; readonly closedBy: null }
  | { readonly proposal: null; readonly closedBy: string };

export async function askAgain(
  ctx: Context,
  previous: StoredProposal,
  product: Product,
): Promise<AskedAgain> {
  const { ruleId } = previous;
  const all = await listRules(ctx);
  const rule = all.find(({ id }) => id === ruleId);
  if (!rule) return closed("rule_deleted");
  if (!rule.enabled) return closed("rule_off");
  const surroundings = await readSurroundings(ctx);
  const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
  const read = await readSubjects(ctx, [product.id], surroundings, moment);
  const [subject] = read.subjects;
  if (!subject) return closed("product_deleted");
  const situation = {
    ...subject.situation,
    product: pricedProductOf(product),
    history: { ...subject.situation.history, openProposal: previous },
  };
  const compiled = compileRules(all);
  const asked = compiled.filter(({ id, isScheduledOnly }) => !isScheduledOnly || id === ruleId);
  const rules = rulesOf({ all: compiled, compiled: asked });
  const { decisions } = await judgeOne(ctx, rules, { situation });
  const own = decisions.find((decision) => decision.ruleId === ruleId);
  const cents = own?.proposedCents ?? null;
  if (!own || cents === null) return closed(own?.blocked[0] ?? "no_longer_fires");
  const { timeZone } = surroundings;
  const rejectedBefore = await findRejection(ctx, own, product);
  const priced = { product, situation, ruleName: rule.name, cents, timeZone, rejectedBefore };
  const proposal = { ...await proposalOf(ctx, own, priced), reopenedFrom: previous.id };
  return { proposal, trace: own.trace(), closedBy: null };
}

function closed(closedBy: string): AskedAgain {
  return { proposal: null, closedBy };
}
