import type { ComponentChildren } from "preact";
import type { RuleDocument } from "../../../pricing/rule.ts";
import { PROPOSAL_STATUSES } from "../../../proposals/proposal_status.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { FilterChoice, FilterText } from "../../parts/filter_fields.tsx";
import type { Filter } from "../../parts/use_filter.ts";

/** The names are those of the service's query; without a status the open ones are shown. */
export const PROPOSAL_FILTERS = ["status", "ruleId", "sku"] as const;

export type ProposalFilter = Filter<(typeof PROPOSAL_FILTERS)[number]>;

interface ProposalFiltersProps {
  readonly filter: ProposalFilter;
  /** What can be done with all of them, at the end of the bar. */
  readonly children: ComponentChildren;
}

export function ProposalFilters({ filter, children }: ProposalFiltersProps) {
  const { words } = useApp();
  const texts = words.proposals;
  const { values, set } = filter;
  const rules = useDocument<readonly RuleDocument[]>({ key: ["rules"], path: "/api/rules" });
  return (
    <search class="filter-bar">
      <FilterText
        label={words.products.sku}
        type="search"
        isMain
        value={values.sku}
        onValue={(value) => set("sku", value)}
      />
      <FilterChoice
        label={texts.columns.status}
        value={values.status || "open"}
        options={[
          ...PROPOSAL_STATUSES.map((status) => ({ value: status, label: texts.statuses[status] })),
          { value: "all", label: words.all },
        ]}
        onValue={(value) => set("status", value === "open" ? "" : value)}
      />
      <FilterChoice
        label={texts.rule}
        value={values.ruleId}
        options={[
          { value: "", label: texts.allRules },
          ...(rules.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValue={(value) => set("ruleId", value)}
      />
      <span class="bar-space" />
      {children}
    </search>
  );
}
