import { FIRST_RULE_NAMES, FIRST_RULES } from "../../parts/first_rules.ts";
import type { Words } from "../../words/words.ts";
import { NEW_AIM } from "./aim_draft.ts";
import { EMPTY_DRAFT, type RuleDraft } from "./rule_draft.ts";

export const TEMPLATE_NAMES = ["follow", "margin", "stale"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** A rule to begin with, for listed SKUs if there are some, one on each line. */
export function beginningOf(
  { template, skus }: Readonly<Record<string, string>>,
  words: Words,
): RuleDraft {
  const draft = templateOf(template, words);
  return skus ? { ...draft, scopeMode: "sku", skus } : draft;
}

/** Every field of it can be changed before it is saved. */
function templateOf(name: string | undefined, words: Words): RuleDraft {
  const { templateNames } = words.rules;
  const first = FIRST_RULE_NAMES.find((known) => known === name);
  if (first) {
    const { kind, pct, direction, floorPct } = FIRST_RULES[first];
    const aim = { ...NEW_AIM, kind, by: pct === null ? "" : String(pct), direction };
    return {
      ...EMPTY_DRAFT,
      name: words.start.rules[first].name,
      floorPct: floorPct === null ? "" : String(floorPct),
      actions: [{ type: "propose_price", values: {}, aim }],
    };
  }
  switch (TEMPLATE_NAMES.find((known) => known === name)) {
    case "margin":
      return {
        ...EMPTY_DRAFT,
        name: templateNames.margin,
        trigger: "margin_below",
        when: { marginPct: "10" },
        actions: [{ type: "alert_inapp", values: { severity: "high" } }],
      };
    case "stale":
      return {
        ...EMPTY_DRAFT,
        name: templateNames.stale,
        trigger: "scrape_stale",
        when: {},
        actions: [{ type: "alert_inapp", values: { severity: "low" } }],
      };
    case "follow":
      return {
        ...EMPTY_DRAFT,
        name: templateNames.follow,
        trigger: "competitor_undercut",
        when: { competitorDeltaPct: "1" },
        actions: [{ type: "propose_price", values: { formula: "match_cheapest" } }],
        floorPct: "15",
      };
    case undefined:
      return EMPTY_DRAFT;
  }
}
