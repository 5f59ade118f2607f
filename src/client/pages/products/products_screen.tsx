import { useApp } from "../../app/app.ts";
import { useList } from "../../app/use_list.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useSelection } from "../../parts/table/use_selection.ts";
import { useFilter } from "../../parts/use_filter.ts";
import { useProductCount } from "../../parts/use_product_count.ts";
import { type Shop, useShops } from "../../parts/use_shops.ts";
import { BulkBar } from "./bulk_bar.tsx";
import { ColumnMenu } from "./column_menu.tsx";
import { marketColumns } from "./market_columns.tsx";
import { matrixColumns, MatrixLegend } from "./market_matrix.tsx";
import {
  filterQuery,
  type Layout,
  LAYOUT_NAMES,
  PRODUCT_FILTERS,
  type ProductFilter,
  viewQuery,
  without,
} from "./market_query.ts";
import { productAddress, type ProductPage } from "./product.ts";
import { ProductFilterBar } from "./product_filter_bar.tsx";
import { ProductPanel } from "./product_panel.tsx";
import { useFilterTexts } from "./use_filter_texts.ts";
import { useMarketColumns } from "./use_market_columns.ts";
import { useMoved } from "./use_moved.ts";
import { ViewTabs } from "./view_tabs.tsx";
import { useLocation } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";

/** Rows per page: as many as the service gives at once. */
const LIMIT = 200;
/** A card on a phone: name and price, the cheapest, and where we stand. */
const CARD_PX = 112;
const MATRIX_CARD_PX = 38;
const NO_SHOPS: readonly Shop[] = [];

/** The market: where each product stands, narrowed, ordered and shown as the address says. */
export function ProductsScreen() {
  const app = useApp();
  const { words, may } = app;
  const { route } = useLocation();
  const filter = useProductFilter();
  const layout = useFilter(LAYOUT_NAMES);
  const isMatrix = layout.values.shape === "matrix";
  const shopList = useShops() ?? NO_SHOPS;
  const shops = useMemo(() => new Map(shopList.map((shop) => [shop.id, shop])), [shopList]);
  const all = useMemo(() => marketColumns(app, shops), [app, shops]);
  const box = useRef<HTMLDivElement>(null);
  const columns = useMarketColumns(all, layout, box);
  const shown = useMemo(() => isMatrix ? matrixColumns(app, shopList, all) : columns.shown, [
    app,
    all,
    columns.shown,
    isMatrix,
    shopList,
  ]);
  const query = { ...filterQuery(filter.values), ...orderOf(layout) };
  const offers = isMatrix || shown.some(({ key }) => key === "range");
  const list = useList({
    key: ["products", "list", { ...query, offers: offers || undefined }],
    read: (api, page) =>
      api.GET("/api/products", {
        params: { query: { ...query, offers: offers || undefined, ...page } },
      }),
    limit: LIMIT,
    isStill: true,
  });
  const total = useTotal(filter, list.first);
  const moved = useMoved({
    query,
    isSorted: layout.values.sort !== "",
    first: list.first,
    limit: LIMIT,
  });
  const selection = useSelection(filter.key);
  const [isCreating, setCreating] = useState(false);
  const mayChange = may("manager");
  const isAnyMarked = selection.isAll || selection.ids.size > 0;
  const terms = {
    query: viewQuery(filter.values, layout.values),
    columns: columns.shownKeys,
  };
  return (
    <>
      <PageHead title={words.products.title} beside={<Stand page={list.first} />}>
        <Shapes layout={layout} isMatrix={isMatrix} />
        {!isMatrix && <ColumnMenu columns={columns} />}
        <FileLinks {...fileAddresses(query, shown.flatMap(({ file }) => file))} />
        {mayChange && (
          <Button
            kind="main"
            icon="plus"
            label={words.products.create}
            onClick={() => setCreating(true)}
          >
            {words.market.create}
          </Button>
        )}
      </PageHead>
      <ViewTabs current={layout.values.view} terms={terms} />
      <ProductFilterBar filter={filter} total={total} shops={shops} />
      {moved > 0 && <Moved count={moved} onRefresh={list.again} />}
      <div class={isMatrix ? "market matrix" : "market"} ref={box}>
        <DataTable
          label={isMatrix ? words.market.matrix.label : words.products.title}
          columns={shown}
          list={list}
          idOf={({ id }) => id}
          onOpen={(product) => route(productAddress(product))}
          {...(mayChange && !isMatrix && { selection })}
          total={total}
          density={isMatrix ? "normal" : "pair"}
          cardPx={isMatrix ? MATRIX_CARD_PX + 26 * Math.ceil((shown.length - 1) / 2) : CARD_PX}
          sorting={{
            by: layout.values.sort,
            order: layout.values.order === "desc" ? "desc" : "asc",
            onSort: (sort, order) =>
              layout.setAll({ sort, order: sort !== "" && order === "desc" ? "desc" : "" }),
          }}
          empty={filter.isAny
            ? <NoneFound filter={filter} shops={shops} />
            : <FirstSteps onCreate={() => setCreating(true)} />}
        />
      </div>
      {isMatrix && list.rows.length > 0 && <MatrixLegend />}
      {mayChange && isAnyMarked && (
        <BulkBar selection={selection} filter={filter} rows={list.rows} total={total} />
      )}
      {isCreating && <ProductPanel product={null} onClose={() => setCreating(false)} />}
    </>
  );
}

/** Taking the filter away leaves the order and the columns as they are. */
function useProductFilter(): ProductFilter {
  const filter = useFilter(PRODUCT_FILTERS);
  return { ...filter, clear: () => filter.setAll(without(PRODUCT_FILTERS)) };
}

function orderOf({ values: { sort, order } }: Layout): Readonly<Record<string, string>> {
  return sort === "" ? {} : { sort, order: order === "desc" ? "desc" : "asc" };
}

/** The file has what is seen: the same products in the same order, and the same columns. */
function fileAddresses(query: Readonly<Record<string, string>>, columns: readonly string[]) {
  return filesOf("/api/products", { ...query, columns: [...new Set(columns)].join(",") });
}

const UNKNOWN_MS = 1_500;

/** The page says it, or says it as soon as it is known. */
function useTotal(filter: ProductFilter, first: ProductPage | null): number | null {
  const isUnknown = first !== null && first.total === null &&
    filter.values.includeDeleted === "";
  const later = useProductCount(filterQuery(filter.values), isUnknown ? UNKNOWN_MS : false);
  return first === null ? null : first.total ?? (isUnknown ? later : null);
}

/** How much there is to see, and as of when. */
function Stand({ page }: { page: ProductPage | null }) {
  const { words, show } = useApp();
  const products = useProductCount({});
  const compared = useProductCount({ state: "ok" });
  if (!products || page === null) return null;
  return (
    <span class="soft">
      <a href="/products">{words.frame.products(products, show.number(products))}</a>
      {compared !== null && (
        <>
          {" · "}
          <a href="/products?state=ok">{words.market.compared(show.number(compared))}</a>
        </>
      )}
      {` · ${words.market.asOf(show.time(page.asOf))}`}
    </span>
  );
}

function Shapes({ layout, isMatrix }: { layout: Layout; isMatrix: boolean }) {
  const { words } = useApp();
  const button = (text: string, icon: "list" | "grid", isOn: boolean, shape: string) => (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => layout.set("shape", shape)}
    >
      <Icon name={icon} />
      {text}
    </button>
  );
  return (
    <div class="segments" role="group" aria-label={words.market.shape}>
      {button(words.market.asList, "list", !isMatrix, "")}
      {button(words.market.asMatrix, "grid", isMatrix, "matrix")}
    </div>
  );
}

function Moved({ count, onRefresh }: { count: number; onRefresh: () => void }) {
  const { words, show } = useApp();
  return (
    <p class="moved" role="status">
      {words.market.moved(count, show.number(count))}
      <button type="button" class="link" onClick={onRefresh}>{words.market.refresh}</button>
    </p>
  );
}

interface NoneFoundProps {
  readonly filter: ProductFilter;
  readonly shops: ReadonlyMap<string, Shop>;
}

/** Names each part of the filter, and how many products there would be without it. */
function NoneFound({ filter, shops }: NoneFoundProps) {
  const { words } = useApp();
  const { values } = filter;
  const texts = useFilterTexts(shops);
  const names = PRODUCT_FILTERS.filter((name) => values[name] !== "");
  return (
    <EmptyState
      icon="search"
      title={words.market.noneTitle(names.length)}
      text={words.products.noneText}
    >
      {names.length > 1 && names.map((name) => (
        <DropButton
          key={name}
          text={texts.ofName(name, values[name])}
          filter={filter}
          name={name}
        />
      ))}
      <Button onClick={filter.clear}>{words.products.clearFilter}</Button>
    </EmptyState>
  );
}

interface DropProps {
  readonly text: string;
  readonly filter: ProductFilter;
  readonly name: (typeof PRODUCT_FILTERS)[number];
}

function DropButton({ text, filter, name }: DropProps) {
  const { words, show } = useApp();
  const count = useProductCount(filterQuery({ ...filter.values, ...without([name]) }));
  return (
    <Button onClick={() => filter.setAll(without([name]))}>
      {count === null
        ? words.market.drop(text)
        : words.market.dropCount(text, show.number(count), count)}
    </Button>
  );
}

/** The three ways to a first product. */
function FirstSteps({ onCreate }: { onCreate: () => void }) {
  const { words, may } = useApp();
  const { products } = words;
  return (
    <EmptyState icon="products" title={products.emptyTitle} text={products.emptyText}>
      {may("manager") && (
        <div class="cards">
          <a class="card" href="/imports/new">
            <Icon name="imports" />
            <strong>{products.cards.import}</strong>
            <span>{products.cards.importText}</span>
          </a>
          <button type="button" class="card" onClick={onCreate}>
            <Icon name="plus" />
            <strong>{products.cards.byHand}</strong>
            <span>{products.cards.byHandText}</span>
          </button>
          {may("owner") && (
            <a class="card" href="/settings/keys">
              <Icon name="docs" />
              <strong>{products.cards.key}</strong>
              <span>{products.cards.keyText}</span>
            </a>
          )}
        </div>
      )}
    </EmptyState>
  );
}
