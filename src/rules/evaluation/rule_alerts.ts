/** The alerts of a rule that fires, and of a brake that closes. */
import { SEVERITIES, type Severity } from "../../base/codes.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { rivalOf } from "../../engine/pricing/bounds.ts";
import type { Decision } from "../../engine/pricing/decide.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";
import type { NewAlert } from "../../messages/alert_store.ts";
import type { BrakedCut } from "./product_plan.ts";
import type { Subject } from "./situation_reader.ts";

export function alertsOf(
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

export function severityOf({ alerts }: Decision): Severity | null {
  const ranks = alerts.map(({ severity }) => SEVERITIES.indexOf(severity));
  return SEVERITIES[Math.max(...ranks)] ?? null;
}

export function brakeAlert(
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
