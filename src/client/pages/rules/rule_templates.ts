import { SCOPE_FIELDS } from "../../../engine/pricing/codes.ts";
import { FIRST_RULE_NAMES, FIRST_RULES } from "../../parts/first_rules.ts";
import type { Words } from "../../words/words.ts";
import { NEW_AIM } from "./aim_draft.ts";
import { EMPTY_DRAFT, type RuleDraft, type ScopeRow } from "./rule_draft.ts";

export const TEMPLATE_NAMES = ["follow", "margin", "stale"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** If `skus` is empty, the filters in `query` become the rule's scope. */
export function beginningOf(
  query: Readonly<Record<string, string>>,
  skus: readonly string[],
  words: Words,
): RuleDraft {
  const draft = templateOf(query.template, words);
  if (skus.length > 0) return { ...draft, scopeMode: "sku", skus: skus.join("\n") };
  const scopeRows = SCOPE_FIELDS.flatMap((field): ScopeRow[] => {
    const value = query[field];
    return value ? [{ field, op: field === "tier" ? "eq" : "contains", value }] : [];
  });
  return scopeRows.length > 0 ? { ...draft, scopeMode: "attribute", scopeRows } : draft;
}

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
