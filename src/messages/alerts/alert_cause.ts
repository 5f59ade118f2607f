/**
 * The cause of an alert. Alerts with the same cause are one line for people, and people choose for
 * each kind of cause whether they get a mail (docs/decisions/rules.md, Alerts). Plain functions.
 */
import type { StoredAlert } from "./alert.ts";

/** The codes are public and stored, so none may be removed. */
export const CAUSE_KINDS = [
  "rule",
  "shop",
  "prices",
  "links",
  "import",
  "delivery",
  "system",
] as const;

export type CauseKind = (typeof CAUSE_KINDS)[number];

export interface Cause {
  readonly kind: CauseKind;
  /** Equal for alerts with the same cause. */
  readonly key: string;
}

/** Part of a key in the store, which bounds keys. */
const KEY_CHARACTERS_MAX = 300;

export function causeOf(alert: Pick<StoredAlert, "facts" | "ruleId" | "title">): Cause {
  const [kind, ...parts] = partsOf(alert);
  return { kind, key: [kind, ...parts].join(" ").slice(0, KEY_CHARACTERS_MAX).toWellFormed() };
}

function partsOf(
  { facts, ruleId, title }: Pick<StoredAlert, "facts" | "ruleId" | "title">,
): readonly [CauseKind, ...string[]] {
  switch (facts?.code) {
    case "rule_fired":
      return ["rule", ruleId ?? facts.ruleName];
    case "brake_closed":
      return ["rule", "brake", ruleId ?? facts.ruleName];
    case "domain_failing":
    case "recipe_drifting":
      return ["shop", facts.domain];
    case "shop_held":
      return ["prices", facts.competitorId];
    case "price_out_of_bounds":
    case "import_out_of_bounds":
      return ["prices", "bounds"];
    case "other_product":
    case "other_products":
      return ["links", "other"];
    case "discovery_fell_back":
      return ["links", facts.competitorId];
    case "import_failed":
    case "import_held":
      return ["import", facts.code, facts.label];
    case "import_overdue":
    case "prices_not_arrived":
      return ["delivery", facts.code];
    case "not_fetched":
    case "source_silent":
      return ["delivery", facts.sourceId];
    case "webhook_disabled":
      return ["system", facts.host];
    case "hold_switched_on":
      return ["system", facts.code];
    default:
      return ruleId === null ? ["system", title] : ["rule", ruleId];
  }
}
