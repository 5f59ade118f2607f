/** The values of the form for a new rule: empty, or from a template, filters or products. */
import { SCOPE_FIELDS } from "../../../engine/pricing/codes.ts";
import type { Scope } from "../../../engine/pricing/scope.ts";
import { FIRST_RULE_NAMES, FIRST_RULES } from "../../parts/first_rules.ts";
import type { Words } from "../../words/words.ts";
import type { Values } from "../../parts/form/path_form.ts";
import { ALWAYS_TRIGGER, EMPTY_SCOPE_ROW, NEW_AIM } from "./rule_draft.ts";

const EMPTY_DRAFT: Values = {
  cooldownUnit: "minutes",
  when: { trigger: ALWAYS_TRIGGER, always: true },
  scope: { mode: "all", matches: [EMPTY_SCOPE_ROW] },
  actions: [{ type: "propose_price", price: NEW_AIM }],
};

export const TEMPLATE_NAMES = ["follow", "margin", "stale"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/**
 * The rule covers `skus`. If `skus` is empty, the rule covers the products that match the filters
 * of `SCOPE_FIELDS` in `query` or, without such a filter, all products.
 */
export function beginningOf(
  query: Readonly<Record<string, string>>,
  skus: readonly string[],
  words: Words,
): Values {
  const draft = templateOf(query.template, words);
  const scoped = (mode: Scope["mode"], of: Values) => ({
    ...draft,
    scope: { mode, matches: [EMPTY_SCOPE_ROW], ...of },
  });
  if (skus.length > 0) return scoped("sku", { list: skus.join("\n") });
  const matches = SCOPE_FIELDS.flatMap((field): Values[] => {
    const value = query[field];
    return value ? [{ field, op: field === "tier" ? "eq" : "contains", value }] : [];
  });
  return matches.length > 0 ? scoped("attribute", { matches }) : draft;
}

const TEMPLATES: Readonly<Record<TemplateName, Values>> = {
  follow: {
    when: { trigger: "competitor_undercut", competitorDeltaPct: "1" },
    actions: [{ type: "propose_price", formula: "match_cheapest" }],
    marginFloor: { pct: "15" },
  },
  margin: {
    when: { trigger: "margin_below", marginPct: "10" },
    actions: [{ type: "alert_inapp", severity: "high" }],
  },
  stale: { when: { trigger: "scrape_stale" }, actions: [{ type: "alert_inapp", severity: "low" }] },
};

function templateOf(name: string | undefined, words: Words): Values {
  const first = FIRST_RULE_NAMES.find((known) => known === name);
  if (first) {
    const { kind, pct, direction, floorPct } = FIRST_RULES[first];
    const price = { ...NEW_AIM, reference: { kind, nth: "2" }, adjust: `${pct ?? ""}`, direction };
    return {
      ...EMPTY_DRAFT,
      name: words.start.rules[first].name,
      marginFloor: { pct: `${floorPct ?? ""}` },
      actions: [{ type: "propose_price", price }],
    };
  }
  const template = TEMPLATE_NAMES.find((known) => known === name);
  if (template === undefined) return EMPTY_DRAFT;
  return { ...EMPTY_DRAFT, ...TEMPLATES[template], name: words.rules.templateNames[template] };
}
