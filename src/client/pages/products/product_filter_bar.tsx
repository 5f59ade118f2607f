/**
 * Each chip shows how many products match its filter together with the active filters. The columns
 * in the URL take precedence over those that this browser remembers.
 */
import {
  FILTERED_NAMES,
  type FilteredName,
} from "../../../catalogue/products/product_field_table.ts";
import { dayOf, startOfDay } from "../../formats/day.ts";
import { numberText } from "../../formats/decimal.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Button, CheckBox, ListedChip, Menu } from "../../parts/controls.tsx";
import { type Options, optionsOf } from "../../parts/options.tsx";
import { ClearFilter, FilterChoice, FilterText, MainSearch } from "../../parts/filter.tsx";
import { useShops } from "../../parts/shops.tsx";
import {
  CHIPS,
  type FilterName,
  filterQuery,
  type Layout,
  type MarketChip,
  type MarketProduct,
  ownNames,
  type ProductFilter,
} from "./one_product.tsx";
import { useProductCount } from "../../parts/shared_queries.ts";
import { fromKeys } from "../../../base/collections.ts";
import { labelIn } from "../../words/label.ts";
import type { Words } from "../../words/words.ts";
import { get } from "../../api/call.ts";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { useWidth } from "../../parts/chart/chart_scale.ts";
import { type Column, NARROW } from "../../parts/table/table.tsx";
import { useMedia } from "../../parts/hooks.ts";

interface BarProps {
  readonly filter: ProductFilter;
  readonly total: number | null;
}

export function ProductFilterBar({ filter, total }: BarProps) {
  const { words } = useApp();
  return (
    <search class="filter-bar market-bar row flow gap-6">
      <MainSearch label={words.products.search} filter={filter} />
      <Menu icon="plus" label={words.market.filter}>
        <FilterFields filter={filter} />
        <div class="menu-foot row gap-8">
          {total !== null && (
            <Button kind="main" onClick={closeMenu}>{words.market.show(total)}</Button>
          )}
          <ClearFilter filter={filter} />
        </div>
      </Menu>
      <MarketChips filter={filter} total={total} />
    </search>
  );
}

function closeMenu({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  const menu = currentTarget.closest("details");
  if (menu === null) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

const PCT_NAMES = ["undercutAbovePct", "roomAbovePct", "marginBelowPct"] as const;
type ChoiceName = keyof Words["market"]["filterNames"] & FilterName | "condition" | "stock";

function FilterFields({ filter }: Pick<BarProps, "filter">) {
  const { words: { products, market, codes, fields }, show } = useApp();
  const { values, set } = filter;
  const pct = (name: (typeof PCT_NAMES)[number]) => (
    <FilterText
      key={name}
      label={market.filterNames[name]}
      value={values[name] && numberText(Number(values[name]), show.locale)}
      isValid={(text) => pctOf(text) !== ""}
      onValue={(text) => set(name, pctOf(text))}
    />
  );
  const field = (name: FilteredName | "sku") => (
    <FilterText key={name} label={fields[name]} {...filter.at(name)} />
  );
  const choice = (name: ChoiceName, options: Options) => (
    <FilterChoice
      label={{ ...fields, ...market.filterNames }[name]}
      {...filter.at(name)}
      options={options}
      none={market.any}
    />
  );
  const allShops = optionsOf(useShops() ?? []);
  return (
    <>
      {PCT_NAMES.map(pct)}
      {choice("position", codes.marketPositions)}
      {choice("state", codes.marketStates)}
      {choice("competitorId", allShops)}
      {choice("cheapestCompetitorId", allShops)}
      {choice("undercutBy", allShops)}
      {choice("missing", [{ value: "any", label: market.noShop }, ...allShops])}
      {FILTERED_NAMES.filter((name) => name !== "condition" && name !== "stock").map(field)}
      {choice("condition", codes.conditions)}
      {choice("stock", market.stocks)}
      {field("sku")}
      <FilterText
        label={products.updatedSince}
        type="date"
        value={dayOf(values.updatedSince, show.timeZone)}
        onValue={(day) => set("updatedSince", startOfDay(day, show.timeZone))}
      />
      <CheckBox
        isOn={values.includeDeleted === "true"}
        onChange={(isOn) => set("includeDeleted", isOn ? "true" : "")}
      >
        {products.withDeleted}
      </CheckBox>
    </>
  );
}

/** Converts a number such as `2,5 %` to `2.5`, and anything else to "". */
export function pctOf(text: string): string {
  const plain = text.trim().replace(/%$/, "").trim().replace(",", ".").replace("−", "-");
  return /^-?\d{1,9}(?:\.\d{1,2})?$/.test(plain) ? plain : "";
}

function MarketChips({ filter, total }: BarProps) {
  const { words } = useApp();
  const texts = useFilterTexts();
  return (
    <ul class="chips" aria-label={words.market.filter}>
      {ownNames(filter.values).map((name) => (
        <ListedChip
          key={name}
          text={texts.ofName(name, filter.values[name])}
          count={total}
          isOn
          drops
          onClick={() => filter.set(name, "")}
        />
      ))}
      {CHIPS.map((chip) =>
        filter.values[chip.by] === chip.value
          ? (
            <ListedChip
              key={chip.name}
              text={texts.ofChip(chip)}
              count={total}
              isOn
              drops
              onClick={() => filter.set(chip.by, "")}
            />
          )
          : <OpenChip key={chip.name} filter={filter} chip={chip} text={texts.ofChip(chip)} />
      )}
    </ul>
  );
}

function OpenChip(
  { filter, chip, text }: { filter: ProductFilter; chip: MarketChip; text: string },
) {
  const { by, value } = chip;
  const { includeDeleted: _, ...counted } = filterQuery({ ...filter.values, [by]: value });
  const count = useProductCount(counted);
  return count !== 0 && (
    <ListedChip
      text={text}
      count={count}
      isOn={false}
      onClick={() => filter.set(by, value)}
    />
  );
}

export function useFilterTexts() {
  const { words, show } = useApp();
  const { codes, market, products, fields } = words;
  const asksRule = new URLSearchParams(location.search).has("ruleId");
  const rules = useDocument(asksRule ? get("/api/rules") : null);
  const pct = (value: string) => show.percent(Number(value));
  const shops = useShops();
  const shop = (id: string) =>
    shops?.find((known) => known.id === id)?.displayName ?? market.someShop;
  const rule = (id: string) =>
    rules.data?.find((known) => known.id === id)?.name ?? market.someRule;
  const { chosen } = market;
  const texts: Readonly<Record<FilterName, (value: string) => string>> = {
    ...fromKeys(FILTERED_NAMES, (name) => (value: string) => chosen.field(fields[name], value)),
    condition: (value) => chosen.field(fields.condition, labelIn(codes.conditions, value)),
    q: (value) => value,
    sku: (value) => chosen.field(words.fields.sku, value),
    updatedSince: (value) => chosen.field(products.updatedSince, show.date(value)),
    includeDeleted: () => products.withDeleted,
    stock: (value) => labelIn(market.stocks, value),
    isHeld: (value) => value === "true" ? market.chips.held : chosen.isNotHeld,
    undercutAbovePct: (value) => chosen.undercutAbovePct(pct(value)),
    dearerThanPct: (value) => chosen.dearerThanPct(pct(value)),
    roomAbovePct: (value) => chosen.roomAbovePct(pct(value)),
    marginBelowPct: (value) => chosen.marginBelowPct(pct(value)),
    rankMin: chosen.rankMin,
    rankMax: chosen.rankMax,
    position: (value) => labelIn(codes.marketPositions, value),
    state: (value) => labelIn(codes.marketStates, value),
    hasProposal: (value) => value === "true" ? market.chips.proposal : chosen.hasNoProposal,
    competitorId: (value) => chosen.competitorId(shop(value)),
    cheapestCompetitorId: (value) => chosen.cheapestCompetitorId(shop(value)),
    undercutBy: (value) => chosen.undercutBy(shop(value)),
    missing: (value) => chosen.missing(value === "any" ? "" : shop(value)),
    ruleId: (value) => chosen.ruleId(rule(value)),
    newestBefore: (value) => chosen.newestBefore(show.dateTime(value)),
  };
  const { chips } = market;
  const chipTexts: Readonly<Record<MarketChip["name"], string>> = {
    ...chips,
    dearer: chips.dearer(pct("3")),
    margin: chips.margin(pct("10")),
  };
  return {
    ofChip: ({ name }: MarketChip) => chipTexts[name],
    ofName: (name: FilterName, value: string) => texts[name](value),
  };
}

export function ColumnMenu({ columns }: { columns: ReturnType<typeof useMarketColumns> }) {
  const { words: { market: { columnMenu: texts }, fields } } = useApp();
  const chosen = columns.choices.filter(({ isChosen }) => isChosen).length;
  return (
    <Menu icon="columns" label={fields.columns}>
      {columns.choices.map(({ column: { key, title }, isChosen, fits }) => (
        <CheckBox
          key={key}
          isOn={isChosen}
          isDisabled={isChosen && chosen === 1}
          onChange={() => columns.toggle(key)}
        >
          {title}
          {!fits && <small>{texts.noRoom}</small>}
        </CheckBox>
      ))}
    </Menu>
  );
}

/** Windows of at most this width hide columns that do not fit, even chosen columns. */
const RAIL = "(max-width: 1360px)";
const PICK_PX = 38;
const KEPT = "kurant.columns.market";
const ON_CARD: ReadonlySet<string> = new Set([
  "article",
  "ourPrice",
  "cheapest",
  "gapPct",
  "rank",
  "range",
  "margin",
  "proposal",
]);

export function useMarketColumns(
  all: readonly Column<MarketProduct>[],
  layout: Layout,
  box: RefObject<HTMLElement | null>,
) {
  const isTight = useMedia(RAIL);
  const isCard = useMedia(NARROW);
  const widthPx = useWidth(box);
  const kept = layout.values.columns || localStorage.getItem(KEPT) || "";
  return useMemo(() => {
    const [first, ...others] = all;
    if (!first) throw new Error("The table has no columns");
    const byKey = new Map(others.map((column) => [column.key, column]));
    const named = kept.split(",").flatMap((key) => byKey.get(key) ?? []);
    const chosen = named.length > 0
      ? [...new Set(named)]
      : others.filter(({ choice }) => choice === "shown");
    const givesWay = !isCard && (isTight || named.length === 0);
    const room = givesWay ? fitting(chosen, widthPx - PICK_PX - first.width) : chosen;
    const shown = [first, ...room].filter(({ key }) => !isCard || ON_CARD.has(key));
    const choose = (keys: readonly string[]) => {
      localStorage.setItem(KEPT, keys.join(","));
      layout.set("columns", keys.join(","));
    };
    const keys = chosen.map(({ key }) => key);
    return {
      shown,
      choices: [...new Set([...chosen, ...others])].map((column) => ({
        column,
        isChosen: chosen.includes(column),
        fits: !chosen.includes(column) || shown.includes(column),
      })),
      shownKeys: keys,
      toggle: (key: string) =>
        choose(keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key]),
    };
  }, [all, kept, isTight, isCard, widthPx, layout.key]);
}

export function fitting<C extends { readonly width: number }>(
  columns: readonly C[],
  roomPx: number,
): readonly C[] {
  let leftPx = roomPx;
  const end = columns.findIndex(({ width }) => (leftPx -= width) < 0);
  return end < 0 ? columns : columns.slice(0, Math.max(1, end));
}
