import { useApp } from "../app/app.ts";
import { ClearFilter } from "./clear_filter.tsx";
import { FilterChoice } from "./filter_fields.tsx";
import type { Filter } from "./use_filter.ts";

interface ChoiceBarProps<Name extends string> {
  readonly filter: Filter<Name>;
  /** Which part of the filter is chosen here. */
  readonly name: Name;
  readonly label: string;
  /** The options besides "all". */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** The filter bar of a list that is narrowed by one choice alone. */
export function ChoiceBar<Name extends string>(
  { filter, name, label, options }: ChoiceBarProps<Name>,
) {
  const { words } = useApp();
  return (
    <search class="filter-bar">
      <FilterChoice
        label={label}
        value={filter.values[name]}
        options={[{ value: "", label: words.all }, ...options]}
        onValue={(value) => filter.set(name, value)}
      />
      <ClearFilter filter={filter} />
    </search>
  );
}
