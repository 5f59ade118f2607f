/**
 * Plans what the rules change for a product, and collects prices, proposals, alerts and other
 * changes, to write them in one commit.
 */
import { startOfDay } from "../../base/german_values.ts";
import { writeChange } from "../../catalogue/changes/write_change.ts";
import { followPrice, type Product, shard, stampChange } from "../../catalogue/products/product.ts";
import { createCounters, saveCounters } from "../../catalogue/products/change_log_store.ts";
import type { Decision, ProductDecisions } from "../../engine/pricing/decide.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";
import {
  type AlertDeps,
  BY_RULES,
  type NewAlert,
  raiseAlerts,
} from "../../messages/alert_store.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { type DirtyProducts, publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { addCosts, shareOfCommit, type Write } from "../../platform/store/kv.ts";
import {
  type CloseReason,
  decided,
  type StoredProposal,
  superseded,
} from "../proposals/proposal.ts";
import {
  createdEvent,
  proposalTable,
  publishDecision,
  saveProposal,
} from "../proposals/proposal_store.ts";
import { countFires, type DayBudget } from "./rule_stats.ts";
import type { Subject } from "./situation_reader.ts";
import {
  fateOfProposal,
  findRejection,
  judgeOne,
  type Plan,
  planFor,
  proposalOf,
  rulesOf,
} from "./judge.ts";
import type { RulePage } from "../rule.ts";
import { alertsOf, brakeAlert, severityOf } from "./rule_alerts.ts";
import {
  hasSeen,
  type RuleState,
  saveRuleState,
  type Seen,
  seenBySome,
} from "./rule_state_store.ts";
import { listPriceChanges } from "../../catalogue/products/product_store.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";

const NEXT_PRODUCT = { ...shareOfCommit(0.4), checks: 3 };
const MUTATIONS_PER_ALERT = 8;

interface DraftSetup {
  readonly write: Write;
  readonly ctx: Context;
  readonly rules: RulePage;
  readonly alerts: AlertDeps;
  readonly now: Date;
  readonly budget: DayBudget | null;
  readonly timeZone: string;
  readonly proposesRejected: boolean;
}

export class EffectDraft {
  readonly #setup: DraftSetup;
  readonly shards = new Set<number>();
  readonly #counters = createCounters();
  readonly #fires = new Map<string, number>();
  readonly #alerts: NewAlert[] = [];
  readonly #events: OutboxEvent[] = [];
  readonly #closed: StoredProposal[] = [];

  constructor(setup: DraftSetup) {
    this.#setup = setup;
  }

  hasRoomFor(sku: string): boolean {
    const shards = this.shards.has(shard(sku)) ? this.shards.size : this.shards.size + 1;
    const pending = {
      checks: shards + (this.#setup.budget ? 1 : 0),
      mutations: this.#alerts.length * MUTATIONS_PER_ALERT,
    };
    return this.#setup.write.fits(addCosts(NEXT_PRODUCT, pending));
  }

  async add(plan: Plan): Promise<void> {
    const { write, ctx } = this.#setup;
    const { found: { product } } = plan.subject;
    this.shards.add(shard(product.sku));
    const proposal = await this.#updateProposal(plan);
    for (const decision of plan.decisions.decisions) this.#note(plan, decision, proposal);
    const { state, seen } = plan;
    if (state !== null) {
      saveRuleState(write, ctx.workspaceId, product, { state, seen }, plan.subject.state);
    }
    for (const cut of plan.braked) {
      const alert = brakeAlert(cut, plan.subject, this.#nameOf(cut.ruleId));
      if (alert) this.#alerts.push(alert);
    }
  }

  closeOrphan(proposal: StoredProposal): void {
    this.shards.add(shard(proposal.sku));
    this.#supersede(proposal, "product_deleted");
  }

  close(): void {
    const { write, ctx, alerts, now, budget } = this.#setup;
    budget?.save(write, ctx.workspaceId);
    saveCounters(write, ctx.workspaceId, this.#counters);
    raiseAlerts(write, ctx, alerts, this.#alerts, BY_RULES);
    countFires(write, ctx.workspaceId, this.#fires, now.getTime());
    publishDecision(write, ctx, ...this.#closed);
    publish(write, ctx, this.#events);
  }

  async #updateProposal({ subject, fate }: Plan): Promise<StoredProposal | null> {
    const { open } = subject;
    switch (fate.fate) {
      case "keep":
        return open;
      case "close":
        if (open) this.#supersede(open, this.#goneReason(open) ?? "no_longer_fires");
        return null;
      case "replace":
        if (open) this.#supersede(open, this.#goneReason(open) ?? "newer_decision");
        return await this.#propose(subject, fate.decision, fate.cents);
      case "apply":
        if (open) this.#supersede(open, "price_applied");
        return await this.#apply(subject, fate.decision, fate.cents);
    }
  }

  #supersede(proposal: StoredProposal, reason: CloseReason): void {
    const { write, ctx, now } = this.#setup;
    const after = superseded(proposal, reason, ctx.actor, now);
    saveProposal(write, ctx.workspaceId, proposal, after);
    this.#closed.push(after);
  }

  #goneReason({ ruleId }: StoredProposal): CloseReason | null {
    const { byId, ids } = this.#setup.rules;
    if (byId.has(ruleId)) return null;
    return ids.has(ruleId) ? "rule_off" : "rule_deleted";
  }

  async #propose(subject: Subject, decision: Decision, cents: number) {
    const { write, ctx, proposesRejected } = this.#setup;
    const { found: { product } } = subject;
    const rejected = await findRejection(ctx, decision.ruleId, product);
    if (isRejected(rejected, product, cents) && !proposesRejected) return null;
    const proposal = await this.#newProposal(subject, decision, cents, rejected);
    saveProposal(write, ctx.workspaceId, null, proposal, decision.trace());
    this.#events.push(createdEvent(proposal));
    return proposal;
  }

  async #apply(subject: Subject, decision: Decision, cents: number): Promise<StoredProposal> {
    const { write, ctx, now } = this.#setup;
    const { found } = subject;
    const { ruleId } = decision;
    const actor = { type: "system", id: ruleId, name: this.#nameOf(ruleId) } as const;
    const today = startOfDay(now, this.#setup.timeZone);
    const priced = followPrice({ ...found.product, ourPriceCents: cents }, today);
    const after = stampChange(found.product, priced, now);
    await writeChange(write, { ...ctx, actor }, found, after, {
      action: "product.update",
      cause: { source: "rule", actor, ref: ruleId },
      batch: { counters: this.#counters, events: this.#events },
    });
    const rejected = await findRejection(ctx, ruleId, found.product);
    const proposal = await this.#newProposal(subject, decision, cents, rejected);
    const applied: StoredProposal = {
      ...decided(proposal, "applied", actor, now),
      appliedAt: after.ourPriceUpdatedAt,
      appliedCents: cents,
    };
    saveProposal(write, ctx.workspaceId, null, applied, decision.trace());
    this.#setup.budget?.note(ruleId);
    return applied;
  }

  #newProposal(
    { found: { product }, situation }: Subject,
    decision: Decision,
    cents: number,
    rejectedBefore: StoredProposal["rejectedBefore"],
  ) {
    const { ctx, timeZone } = this.#setup;
    const ruleName = this.#nameOf(decision.ruleId);
    const priced = { product, situation, ruleName, cents, timeZone, rejectedBefore };
    return proposalOf(ctx, decision, priced);
  }

  #note({ subject, fate }: Plan, decision: Decision, proposal: StoredProposal | null): void {
    const { product } = subject.found;
    const { id: productId, sku } = product;
    const { ruleId } = decision;
    const isTrue = [null, proposal?.proposedCents].includes(decision.proposedCents);
    const told = isTrue ? decision : withoutPrice(decision);
    this.#alerts.push(...alertsOf(told, product, this.#nameOf(ruleId)));
    if (!decision.fires) return;
    this.#fires.set(ruleId, (this.#fires.get(ruleId) ?? 0) + 1);
    const isOwn = proposal?.ruleId === ruleId && decision.proposedCents !== null;
    this.#events.push({
      type: "rule.fired",
      data: {
        ruleId,
        productId,
        sku,
        outcome: isOwn
          ? fate.fate === "apply" ? "applied" : "proposal"
          : decision.alerts.length > 0
          ? "alert"
          : "none",
        severity: severityOf(decision),
        proposalId: isOwn ? proposal.id : null,
        reason: wireReason(decision.reason),
      },
    });
  }

  #nameOf(ruleId: string): string {
    return this.#setup.rules.byId.get(ruleId)?.name ?? ruleId;
  }
}

/**
 * If a rule's price became neither our price nor a proposal, the alert does not name this price.
 */
function withoutPrice(decision: Decision): Decision {
  const reason = { ...decision.reason, price: null };
  return { ...decision, outcome: "alert", proposedCents: null, marginPct: null, reason };
}

function isRejected(
  rejected: StoredProposal["rejectedBefore"],
  { ourPriceCents }: Product,
  cents: number,
): boolean {
  return rejected?.currentCents === (ourPriceCents ?? 0) && rejected.proposedCents === cents;
}

export function latest(version: string, other: string | null): string {
  return other !== null && other > version ? other : version;
}

export interface Work {
  readonly value: DirtyProducts;
  readonly draft: EffectDraft;
  readonly shared: DraftSetup;
  judged(ruleId: string): boolean;
  readonly seenTo: string;
  readonly areShopsSame: boolean;
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

export async function planSubject(work: Work, read: Subject): Promise<Plan | null> {
  const { value, shared: { ctx, rules, now } } = work;
  const { cause, ref } = value;
  const revertedId = cause === "import" ? await findRevertedRule(ctx, read, ref) : null;
  const informed = revertedId === null
    ? informedRules(value, rules, read.seen)
    : new Set(rules.compiled.map(({ id }) => id));
  if (informed === null) return null;
  const subject = revertedId === null
    ? withoutRanks(read, value)
    : coolingDown(read, revertedId, now);
  const decided = await judgeOne(ctx, rulesOf(rules), subject);
  const plan = planOf(work, subject, decided, informed, await fateOf(work, subject, decided));
  return revertedId === null ? plan : { ...plan, state: plan.state ?? subject.state };
}

async function fateOf({ shared, judged }: Work, subject: Subject, decided: ProductDecisions) {
  const { ctx, rules, proposesRejected } = shared;
  const { found: { product }, situation } = subject;
  const setsNoPrice = (ruleId: string) => {
    const rule = rules.all.find(({ id }) => id === ruleId);
    return rule && (rule.price === null || !rule.scope.includes(situation.product));
  };
  const fate = fateOfProposal(decided, subject, (id) => judged(id) || setsNoPrice(id) === true);
  if (fate.fate !== "apply" || proposesRejected) return fate;
  const rejected = await findRejection(ctx, fate.decision.ruleId, product);
  // `EffectDraft` proposes no price that was rejected.
  return isRejected(rejected, product, fate.cents) ? { ...fate, fate: "replace" as const } : fate;
}

/**
 * All rules were evaluated, because rules compete for the product's price. Only the rules in
 * `informed`, and the rule that sets the price, may fire or raise alerts.
 */
function planOf(
  { value, shared, seenTo, areShopsSame }: Work,
  subject: Subject,
  decided: ProductDecisions,
  informed: ReadonlySet<string>,
  fate: Plan["fate"],
): Plan {
  const { rules } = shared;
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
  return withState(subject, { [ruleId]: { ...past, lastFiredAtMs: now.getTime() } });
}

/** A rank is not compared with a rank that was found with other settings or terms of the rule. */
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
