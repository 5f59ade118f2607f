/**
 * Collects what the rules change for products (`product_plan.ts`): prices, proposals, alerts and
 * rule states, to write them in one commit.
 */
import { SEVERITIES, type Severity } from "../../base/codes.ts";
import { startOfDay } from "../../base/german_values.ts";
import { writeChange } from "../../catalogue/changes/write_change.ts";
import { createCounters, saveCounters } from "../../catalogue/products/change_log_store.ts";
import { followPrice, type Product, shard, stampChange } from "../../catalogue/products/product.ts";
import type { StoredProduct } from "../../catalogue/products/product_store.ts";
import { rivalOf } from "../../engine/pricing/bounds.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";
import { BY_RULES, type NewAlert, raiseAlerts } from "../../messages/alert_store.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { addCosts, shareOfCommit } from "../../platform/store/kv.ts";
import {
  type CloseReason,
  decided,
  type StoredProposal,
  superseded,
} from "../proposals/proposal.ts";
import { createdEvent, publishDecision, saveProposal } from "../proposals/proposal_store.ts";
import { proposalOf } from "./judge.ts";
import type { BrakedCut, NewPrice, Pass, Plan } from "./product_plan.ts";
import { saveRuleState } from "./rule_state_store.ts";
import { countFires } from "./rule_stats.ts";
import type { Subject } from "./situation_reader.ts";

const NEXT_PRODUCT = { ...shareOfCommit(0.4), checks: 3 };
const MUTATIONS_PER_ALERT = 8;

const CLOSES = {
  close: "no_longer_fires",
  drop: "newer_decision",
  propose: "newer_decision",
  apply: "price_applied",
} as const;

export class EffectDraft {
  readonly #pass: Pass;
  readonly shards = new Set<number>();
  readonly #counters = createCounters();
  readonly #fires = new Map<string, number>();
  readonly #alerts: NewAlert[] = [];
  readonly #events: OutboxEvent[] = [];
  readonly #closed: StoredProposal[] = [];

  constructor(pass: Pass) {
    this.#pass = pass;
  }

  hasRoomFor(sku: string): boolean {
    const shards = this.shards.has(shard(sku)) ? this.shards.size : this.shards.size + 1;
    const pending = {
      checks: shards + (this.#pass.budget ? 1 : 0),
      mutations: this.#alerts.length * MUTATIONS_PER_ALERT,
    };
    return this.#pass.write.fits(addCosts(NEXT_PRODUCT, pending));
  }

  async add(plan: Plan): Promise<void> {
    const { write, ctx } = this.#pass;
    const { subject, decisions, fate, state, seen } = plan;
    const { found: { product }, open } = subject;
    this.shards.add(shard(product.sku));
    if (open && fate.fate !== "keep") this.#supersede(open, this.#closeReason(open, fate.fate));
    const proposal = fate.fate === "propose" || fate.fate === "apply"
      ? await this.#propose(subject, fate)
      : fate.fate === "keep"
      ? open
      : null;
    for (const decision of decisions) this.#note(subject, decision, proposal);
    if (state !== null) {
      saveRuleState(write, ctx.workspaceId, product, { state, seen }, subject.state);
    }
    const { braked } = plan;
    const alert = braked && brakeAlert(braked, subject, this.#nameOf(braked.ruleId));
    if (alert) this.#alerts.push(alert);
  }

  closeOrphan(proposal: StoredProposal): void {
    this.shards.add(shard(proposal.sku));
    this.#supersede(proposal, "product_deleted");
  }

  close(): void {
    const { write, ctx, alerts, now, budget } = this.#pass;
    budget?.save(write, ctx.workspaceId);
    saveCounters(write, ctx.workspaceId, this.#counters);
    raiseAlerts(write, ctx, alerts, this.#alerts, BY_RULES);
    countFires(write, ctx.workspaceId, this.#fires, now.getTime());
    publishDecision(write, ctx, ...this.#closed);
    publish(write, ctx, this.#events);
  }

  #supersede(proposal: StoredProposal, reason: CloseReason): void {
    const { write, ctx, now } = this.#pass;
    const after = superseded(proposal, reason, ctx.actor, now);
    saveProposal(write, ctx.workspaceId, proposal, after);
    this.#closed.push(after);
  }

  #closeReason({ ruleId }: StoredProposal, fate: keyof typeof CLOSES): CloseReason {
    const { byId, ids } = this.#pass.rules;
    if (byId.has(ruleId) || fate === "apply") return CLOSES[fate];
    return ids.has(ruleId) ? "rule_off" : "rule_deleted";
  }

  async #propose({ found, situation }: Subject, price: NewPrice): Promise<StoredProposal> {
    const { write, ctx, timeZone } = this.#pass;
    const { decision, cents, rejected: rejectedBefore } = price;
    const { product } = found;
    const ruleName = this.#nameOf(decision.ruleId);
    const priced = { product, situation, ruleName, cents, timeZone, rejectedBefore };
    const proposal = await proposalOf(ctx, decision, priced);
    const isApplied = price.fate === "apply";
    const saved = isApplied ? await this.#apply(found, proposal) : proposal;
    saveProposal(write, ctx.workspaceId, null, saved, decision.trace());
    if (!isApplied) this.#events.push(createdEvent(saved));
    return saved;
  }

  async #apply(found: StoredProduct, proposal: StoredProposal): Promise<StoredProposal> {
    const { write, ctx, now, timeZone, budget } = this.#pass;
    const { ruleId, ruleName, proposedCents } = proposal;
    const actor = { type: "system", id: ruleId, name: ruleName } as const;
    const today = startOfDay(now, timeZone);
    const priced = followPrice({ ...found.product, ourPriceCents: proposedCents }, today);
    const after = stampChange(found.product, priced, now);
    await writeChange(write, { ...ctx, actor }, found, after, {
      action: "product.update",
      cause: { source: "rule", actor, ref: ruleId },
      batch: { counters: this.#counters, events: this.#events },
    });
    budget?.note(ruleId);
    return {
      ...decided(proposal, "applied", actor, now),
      appliedAt: after.ourPriceUpdatedAt,
      appliedCents: proposedCents,
    };
  }

  #note({ found }: Subject, decision: Decision, proposal: StoredProposal | null): void {
    const { product: { id: productId, sku }, product } = found;
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
          ? proposal.status === "applied" ? "applied" : "proposal"
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
    return this.#pass.rules.byId.get(ruleId)?.name ?? ruleId;
  }
}

/** Removes a price that was neither set nor proposed, so that alerts do not mention it. */
function withoutPrice(decision: Decision): Decision {
  const reason = { ...decision.reason, price: null };
  return { ...decision, outcome: "alert", proposedCents: null, marginPct: null, reason };
}

function alertsOf(
  decision: Decision,
  { id: productId, sku, title }: Pick<Product, "id" | "sku" | "title">,
  ruleName: string,
): NewAlert[] {
  const severity = severityOf(decision);
  if (severity === null) return [];
  const { ruleId, outcome, currentCents, proposedCents, marginPct, bindingGuard } = decision;
  const { inputs, trigger, references } = decision.trace();
  const compared = references.find(({ matchId }) => trigger.comparedWith.includes(matchId));
  const alert = {
    severity,
    ruleId,
    productId,
    title: `${ruleName}: ${sku}`,
    body: `${title} (${sku}): ${wireReason(decision.reason)}`,
    facts: {
      code: "rule_fired",
      ruleName,
      sku,
      productTitle: title,
      trigger: trigger.value,
      outcome,
      currency: inputs.currency,
      currentCents,
      proposedCents,
      marginPct,
      competitor: compared?.competitor ?? null,
      competitorCents: compared?.unitCents ?? null,
      guard: bindingGuard,
    },
  } as const;
  const mails = decision.alerts.filter((action) => action.type === "alert_email");
  if (mails.length === 0) return [{ ...alert, mailTo: null }];
  return mails.map(({ to }) => ({ ...alert, mailTo: to.length === 0 ? "team" : to }));
}

function severityOf({ alerts }: Decision): Severity | null {
  const ranks = alerts.map(({ severity }) => SEVERITIES.indexOf(severity));
  return SEVERITIES[Math.max(...ranks)] ?? null;
}

function brakeAlert(
  { ruleId, state: { cuts, untilMs } }: BrakedCut,
  { found: { product }, situation: { offers } }: Subject,
  ruleName: string,
): NewAlert | null {
  const { id: productId, sku, title, currency } = product;
  const [first, last] = [cuts.at(0), cuts.at(-1)];
  if (untilMs === null || !first || !last) return null;
  const rivalId = rivalOf(cuts);
  const rival = offers.find(({ competitorId }) => competitorId === rivalId)?.competitor ?? null;
  const until = new Date(untilMs).toISOString();
  const whom = rival === null ? "" : ` answering ${rival}`;
  return {
    severity: "high",
    ruleId,
    productId,
    title: rival === null ? `Cuts are stopped: ${sku}` : `Price war with ${rival}: ${sku}`,
    body:
      `${title} (${sku}): "${ruleName}" has cut the price ${cuts.length} times${whom}. It makes ` +
      `no cut until ${until}, or until somebody releases the brake.`,
    facts: {
      code: "brake_closed",
      ruleName,
      sku,
      productTitle: title,
      competitor: rival,
      cuts: cuts.length,
      currency,
      fromCents: first.fromCents,
      toCents: last.toCents,
      until,
    },
    mailTo: "team",
  };
}
