import type { ComponentChildren } from "preact";
import {
  FILTERED_NAMES,
  type FilteredName,
  PRODUCT_FIELDS,
} from "../../../catalogue/products/product_field_table.ts";
import { dayOf, startOfDay } from "../../formats/day.ts";
import { useApp } from "../../app/app.ts";
import { ClearFilter } from "../../parts/clear_filter.tsx";
import { FilterText } from "../../parts/filter_fields.tsx";
import { Menu } from "../../parts/menu.tsx";
import type { Filter } from "../../parts/use_filter.ts";

/**
 * What the service can filter products by (docs/decisions/catalogue.md); the names are those of its
 * query.
 */
export const PRODUCT_FILTERS = [
  "q",
  ...FILTERED_NAMES,
  "sku",
  "updatedSince",
  "includeDeleted",
] as const;

export type ProductFilter = Filter<(typeof PRODUCT_FILTERS)[number]>;

const IN_BAR = FILTERED_NAMES.filter((name) => PRODUCT_FIELDS[name].filter.place === "bar");
const FIELDS_IN_MENU = FILTERED_NAMES.filter((name) => !IN_BAR.includes(name));
const IN_MENU = [...FIELDS_IN_MENU, "sku", "updatedSince", "includeDeleted"] as const;

interface BarProps {
  readonly filter: ProductFilter;
  /** Buttons at its end. */
  readonly children: ComponentChildren;
}

export function ProductFilterBar({ filter, children }: BarProps) {
  const { words, show } = useApp();
  const { products } = words;
  const { values, set } = filter;
  const inMenu = IN_MENU.filter((name) => values[name] !== "").length;
  const field = (
    name: FilteredName | "sku",
    place: "only-wide" | "in-menu" | "in-menu only-narrow",
  ) => (
    <FilterText
      key={name}
      label={words.fields[name]}
      value={values[name]}
      place={place}
      onValue={(value) => set(name, value)}
    />
  );
  return (
    <search class="filter-bar">
      <FilterText
        label={products.search}
        type="search"
        value={values.q}
        isMain
        onValue={(value) => set("q", value)}
      />
      {IN_BAR.map((name) => field(name, "only-wide"))}
      <Menu label={inMenu > 0 ? `${products.moreFilters} (${inMenu})` : products.moreFilters}>
        {IN_BAR.map((name) => field(name, "in-menu only-narrow"))}
        {field("sku", "in-menu")}
        {FIELDS_IN_MENU.map((name) => field(name, "in-menu"))}
        <FilterText
          label={products.updatedSince}
          type="date"
          place="in-menu"
          value={dayOf(values.updatedSince, show.timeZone)}
          onValue={(day) => set("updatedSince", startOfDay(day, show.timeZone))}
        />
        <label class="menu-check">
          <input
            type="checkbox"
            checked={values.includeDeleted === "true"}
            onChange={(event) => set("includeDeleted", event.currentTarget.checked ? "true" : "")}
          />
          {products.withDeleted}
        </label>
      </Menu>
      <ClearFilter filter={filter} />
      <span class="bar-space" />
      {children}
    </search>
  );
}
