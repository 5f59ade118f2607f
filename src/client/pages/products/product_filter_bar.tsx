import {
  FILTERED_NAMES,
  type FilteredName,
} from "../../../catalogue/products/product_field_table.ts";
import { dayOf, startOfDay } from "../../formats/day.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ClearFilter } from "../../parts/clear_filter.tsx";
import { FilterChoice, FilterText } from "../../parts/filter_fields.tsx";
import { Menu } from "../../parts/menu.tsx";
import type { Shop } from "../../parts/use_shops.ts";
import { MarketChips } from "./market_chips.tsx";
import type { ProductFilter } from "./market_query.ts";

interface BarProps {
  readonly filter: ProductFilter;
  readonly total: number | null;
  readonly shops: ReadonlyMap<string, Shop>;
}

/** Search, chips, and all that the list can be narrowed to besides. */
export function ProductFilterBar({ filter, total, shops }: BarProps) {
  const { words, show } = useApp();
  const { values, set } = filter;
  return (
    <search class="filter-bar market-bar">
      <FilterText
        label={words.products.search}
        type="search"
        value={values.q}
        isMain
        onValue={(value) => set("q", value)}
      />
      <MarketChips filter={filter} total={total} shops={shops} />
      <Menu icon="plus" label={words.market.filter}>
        <FilterFields filter={filter} shops={shops} />
        <div class="menu-foot">
          {total !== null && (
            <Button kind="main" onClick={closeMenu}>
              {words.market.show(show.number(total))}
            </Button>
          )}
          <ClearFilter filter={filter} />
        </div>
      </Menu>
    </search>
  );
}

function closeMenu({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  const menu = currentTarget.closest("details");
  if (menu === null) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

function FilterFields({ filter, shops }: Pick<BarProps, "filter" | "shops">) {
  const { words, show } = useApp();
  const { products, market } = words;
  const { values, set } = filter;
  const names = market.filterNames;
  const pct = (name: "dearerThanPct" | "roomAbovePct" | "marginBelowPct") => (
    <FilterText
      label={names[name]}
      place="in-menu"
      value={values[name].replace(".", ",")}
      onValue={(text) => set(name, pctOf(text))}
    />
  );
  const field = (name: FilteredName | "sku") => (
    <FilterText
      key={name}
      label={words.fields[name]}
      place="in-menu"
      value={values[name]}
      onValue={(value) => set(name, value)}
    />
  );
  const choice = (
    name: "position" | "state" | "competitorId" | "cheapestCompetitorId" | "undercutBy" | "missing",
    options: readonly { readonly value: string; readonly label: string }[],
  ) => (
    <FilterChoice
      label={names[name]}
      value={values[name]}
      options={[{ value: "", label: market.any }, ...options]}
      onValue={(value) => set(name, value)}
    />
  );
  const allShops = [...shops.values()].map(({ id, displayName }) => ({
    value: id,
    label: displayName,
  }));
  return (
    <>
      {pct("dearerThanPct")}
      {pct("roomAbovePct")}
      {pct("marginBelowPct")}
      {choice("position", optionsOf(market.positions))}
      {choice("state", optionsOf(market.states))}
      {choice("competitorId", allShops)}
      {choice("cheapestCompetitorId", allShops)}
      {choice("undercutBy", allShops)}
      {choice("missing", [{ value: "any", label: market.noShop }, ...allShops])}
      {FILTERED_NAMES.filter((name) => name !== "condition" && name !== "stock").map(field)}
      <FilterChoice
        label={words.fields.condition}
        value={values.condition}
        options={[{ value: "", label: market.any }, ...optionsOf(words.product.conditions)]}
        onValue={(value) => set("condition", value)}
      />
      <FilterChoice
        label={words.fields.stock}
        value={values.stock}
        options={[{ value: "", label: market.any }, ...optionsOf(market.stocks)]}
        onValue={(value) => set("stock", value)}
      />
      {field("sku")}
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
    </>
  );
}

function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/** As the service takes it; what is no number with at most two decimals is no filter. */
export function pctOf(text: string): string {
  const plain = text.trim().replace(/%$/, "").trim().replace(",", ".").replace("−", "-");
  return /^-?\d{1,9}(?:\.\d{1,2})?$/.test(plain) ? plain : "";
}
