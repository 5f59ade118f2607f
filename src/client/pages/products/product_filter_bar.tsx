import type { ComponentChildren } from "preact";
import { dayOf, startOfDay } from "../../formats/day.ts";
import { useApp } from "../../frame/app.ts";
import { ClearFilter } from "../../parts/clear_filter.tsx";
import { FilterText } from "../../parts/filter_fields.tsx";
import { Menu } from "../../parts/menu.tsx";
import type { Filter } from "../../parts/use_filter.ts";

/** What the service can filter products by (decisions §3); the names are those of its query. */
export const PRODUCT_FILTERS = [
  "q",
  "brand",
  "category",
  "tier",
  "sku",
  "updatedSince",
  "includeDeleted",
] as const;

export type ProductFilter = Filter<(typeof PRODUCT_FILTERS)[number]>;

const IN_MENU = ["tier", "sku", "updatedSince", "includeDeleted"] as const;

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
    name: "brand" | "category" | "tier" | "sku",
    label: string,
    place: "only-wide" | "in-menu" | "in-menu only-narrow",
  ) => (
    <FilterText
      label={label}
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
      {field("brand", products.brand, "only-wide")}
      {field("category", products.category, "only-wide")}
      <Menu label={inMenu > 0 ? `${products.moreFilters} (${inMenu})` : products.moreFilters}>
        {field("brand", products.brand, "in-menu only-narrow")}
        {field("category", products.category, "in-menu only-narrow")}
        {field("sku", products.sku, "in-menu")}
        {field("tier", products.tier, "in-menu")}
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
