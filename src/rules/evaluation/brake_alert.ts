import type { NewAlert } from "../../messages/alerts/alert.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { rivalOf } from "../../engine/pricing/brake.ts";
import type { Offer } from "../../engine/pricing/situation.ts";
import type { BrakedCut } from "./judge_subject.ts";

interface Braked {
  readonly product: Pick<Product, "id" | "sku" | "title" | "currency">;
  readonly offers: readonly Offer[];
  readonly ruleName: string;
}

/** What people are told when a cut closes the brake; null for one that leaves it open. */
export function brakeAlert(
  { ruleId, memory: { cuts, untilMs } }: BrakedCut,
  { product: { id: productId, sku, title, currency }, offers, ruleName }: Braked,
): NewAlert | null {
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
