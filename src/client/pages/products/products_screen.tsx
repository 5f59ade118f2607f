/**
 * By default, products whose price is furthest above the cheapest offer come first. The list is
 * read again only on request or after the person's own change, so that rows do not move.
 */
import { useApp, useList } from "../../app/app.ts";
import { Button, Icon, LinkButton, Switch } from "../../parts/controls.tsx";
import { EmptyState, filesOf, PageHead } from "../../parts/page.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useSelection } from "../../parts/table/table.tsx";
import { useFilter } from "../../parts/filter.tsx";
import { momentText } from "../../formats/day.ts";
import { useFreshness } from "../../parts/shop/shop_check.tsx";
import { useProductCount } from "../../parts/shared_queries.ts";
import { type Shop, useShops } from "../../parts/shops.tsx";
import { BulkBar } from "./bulk_bar.tsx";
import {
  ColumnMenu,
  ProductFilterBar,
  useFilterTexts,
  useMarketColumns,
} from "./product_filter_bar.tsx";
import { marketColumns, matrixColumns, MatrixLegend } from "./market_columns.tsx";
import {
  type FilterName,
  filterQuery,
  type Layout,
  LAYOUT_NAMES,
  type MarketProduct,
  PRODUCT_FILTERS,
  type ProductFilter,
  type ProductPage,
  viewQuery,
} from "./one_product.tsx";
import { ProductPanel } from "./product_panel.tsx";
import { ViewTabs } from "./views.tsx";
import { useLocation } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";
import { useQuery } from "@tanstack/preact-query";
import { type Answer, get, refusalOf, where } from "../../api/call.ts";

const PAGE_SIZE_MAX = 200;
const NO_SHOPS: readonly Shop[] = [];

export function ProductsScreen() {
  const { words, may, workspace } = useApp();
  const market = useMarket();
  const { filter, layout, list, total, isMatrix, columns, selection } = market;
  const [isCreating, setCreating] = useState(false);
  const create = () => setCreating(true);
  const mayChange = may("manager");
  return (
    <>
      <PageHead title={words.products.title} beside={<ListSummary page={list.first} />}>
        <Switch
          label={words.market.shape}
          options={["", "matrix"]}
          value={isMatrix ? "matrix" : ""}
          textOf={(shape) => (
            <>
              <Icon name={shape === "" ? "list" : "grid"} />
              {shape === "" ? words.market.asList : words.market.asMatrix}
            </>
          )}
          onValue={(shape) => layout.set("shape", shape)}
        />
        {!isMatrix && <ColumnMenu columns={columns} />}
        {mayChange && (
          <Button kind="main" icon="plus" label={words.products.create} onClick={create}>
            {words.fields.productId}
          </Button>
        )}
      </PageHead>
      <ViewTabs
        current={layout.values.view}
        isWhole={!filter.isAny}
        terms={{ query: viewQuery(filter.values, layout.values), columns: columns.shownKeys }}
      />
      <ProductFilterBar filter={filter} total={total} />
      {market.moved > 0 && (
        <p class="moved row fine gap-8" role="status">
          {words.market.moved(market.moved)}
          <LinkButton onClick={list.again}>{words.market.refresh}</LinkButton>
        </p>
      )}
      {workspace.value?.compareDelivered && <p class="soft small">{words.market.delivered}</p>}
      <MarketTable market={market} mayMark={mayChange && !isMatrix} onCreate={create} />
      {isMatrix && list.rows.length > 0 && <MatrixLegend />}
      {mayChange && (selection.isAll || selection.ids.size > 0) && (
        <BulkBar selection={selection} filter={filter} rows={list.rows} total={total} />
      )}
      {isCreating && <ProductPanel product={null} onClose={() => setCreating(false)} />}
    </>
  );
}

function useMarket() {
  const app = useApp();
  const filter = useFilter(PRODUCT_FILTERS);
  const layout = useFilter(LAYOUT_NAMES);
  const isMatrix = layout.values.shape === "matrix";
  const shops = useShops() ?? NO_SHOPS;
  const all = useMemo(() => marketColumns(app), [app]);
  const box = useRef<HTMLDivElement>(null);
  const columns = useMarketColumns(all, layout, box);
  const shown = useMemo(() => isMatrix ? matrixColumns(app, shops, all) : columns.shown, [
    app,
    all,
    columns.shown,
    isMatrix,
    shops,
  ]);
  const [refused, setRefused] = useState<string | null>(null);
  const chosen = chosenOrder(layout);
  const standard = refused === filter.key ? null : defaultOrder(filter);
  const order = chosen ?? standard;
  const query = { ...filterQuery(filter.values), ...order };
  const hasOffers = isMatrix || shown.some(({ key }) => key === "range");
  const asked = { ...query, offers: hasOffers || undefined };
  const list = useList((page) => async (api) => {
    const answer = await get("/api/products", where({ ...asked, ...page }))(api);
    if (chosen === null && lacksMarket(answer)) setRefused(filter.key);
    return answer;
  }, { limit: PAGE_SIZE_MAX, isStill: true });
  const total = list.first?.total ?? null;
  const moved = useMoved(asked, list.first);
  const selection = useSelection(filter.key);
  const look = { layout, isMatrix, box, columns, shown };
  return { ...look, filter, chosen, standard, list, total, moved, selection };
}

interface MarketTableProps {
  readonly market: ReturnType<typeof useMarket>;
  readonly mayMark: boolean;
  onCreate(): void;
}

function MarketTable({ market, mayMark, onCreate }: MarketTableProps) {
  const { words } = useApp();
  const { route } = useLocation();
  const { filter, layout, chosen, standard, isMatrix, shown, selection } = market;
  const order = chosen ?? standard;
  const columns = [...new Set(shown.flatMap(({ key, file = [key] }) => file))].join(",");
  return (
    <div class={isMatrix ? "market column matrix" : "market column"} ref={market.box}>
      <DataTable
        label={isMatrix ? words.market.matrix.label : words.products.title}
        columns={shown}
        files={filesOf("/api/products", { ...filterQuery(filter.values), ...chosen, columns })}
        list={market.list}
        idOf={({ id }) => id}
        onOpen={({ id }) => route(`/products/${id}`)}
        {...(mayMark && { selection })}
        total={market.total}
        density={isMatrix ? "normal" : "pair"}
        sorting={{
          by: order?.sort ?? "",
          order: order?.order ?? "asc",
          isAlways: standard !== null,
          onSort: (sort, way) =>
            layout.setAll({ sort, order: sort !== "" && way === "desc" ? "desc" : "" }),
        }}
        empty={filter.isAny ? <NoneFound filter={filter} /> : <NoProducts onCreate={onCreate} />}
      />
    </div>
  );
}

function chosenOrder({ values: { sort, order } }: Layout) {
  return sort === "" ? null : { sort, order: order === "desc" ? "desc" : "asc" } as const;
}

function defaultOrder({ values: { q, sku, includeDeleted } }: ProductFilter) {
  const isOwn = [q, sku, includeDeleted].every((value) => value === "");
  return isOwn ? { sort: "gapPct", order: "desc" } as const : null;
}

function lacksMarket({ response, error }: Answer<unknown>): boolean {
  return !response.ok &&
    ["market_too_large", "unavailable"].includes(refusalOf(response, error).code);
}

function ListSummary({ page }: { page: ProductPage | null }) {
  const { words, show } = useApp();
  const products = useProductCount({});
  const compared = useProductCount({ rankMin: "1" });
  const times = useFreshness().data?.items.map(({ mostSeenAt }) => mostSeenAt ?? "").sort() ?? [];
  const read = times[Math.floor(times.length / 2)];
  if (!products || page === null) return null;
  return (
    <span class="soft">
      <span class="only-wide">
        <a href="/products">{words.frame.products(products)}</a>
        {" · "}
        {compared !== null && (
          <>
            <a href="/products?rankMin=1">{words.market.compared(compared)}</a>
            {" · "}
          </>
        )}
      </span>
      {read && `${words.market.mostRead(momentText(show, read))} · `}
      {words.position.gapBase}
    </span>
  );
}

function NoneFound({ filter }: { filter: ProductFilter }) {
  const { words } = useApp();
  const { values } = filter;
  const texts = useFilterTexts();
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

function DropButton(
  { text, filter, name }: { text: string; filter: ProductFilter; name: FilterName },
) {
  const { words } = useApp();
  const count = useProductCount(filterQuery({ ...filter.values, [name]: "" }));
  return count !== 0 && (
    <Button onClick={() => filter.set(name, "")}>
      {count === null ? words.market.drop(text) : words.market.dropCount(text, count)}
    </Button>
  );
}

function NoProducts({ onCreate }: { onCreate: () => void }) {
  const { words: { products, imports }, may } = useApp();
  return (
    <EmptyState icon="products" title={products.emptyTitle} text={products.emptyText}>
      {may("manager") && (
        <>
          <a class="button main" href="/imports/new">{imports.create}</a>
          <Button onClick={onCreate}>{products.create}</Button>
        </>
      )}
    </EmptyState>
  );
}

type ListQuery = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Counts the products that changed since the list was read. The client counts them in a list of one
 * page, the service in a longer list.
 */
function useMoved(query: ListQuery, first: ProductPage | null): number {
  const { call } = useApp();
  const { data } = useQuery({
    queryKey: ["moved", query, first?.asOf],
    enabled: first !== null,
    refetchInterval: 30_000,
    refetchOnMount: false,
    refetchOnWindowFocus: "always",
    initialData: 0,
    initialDataUpdatedAt: () => Date.now(),
    queryFn: async ({ signal }) => {
      const cursor = first?.nextCursor ?? null;
      const limit = cursor === null ? PAGE_SIZE_MAX : 1;
      const read = get("/api/products", where({ ...query, cursor, limit }));
      const { items, moved } = await call(read, { signal });
      return cursor === null ? movedBetween(first?.items ?? [], items) : moved;
    },
  });
  return data;
}

export function movedBetween(before: readonly Facts[], after: readonly Facts[]): number {
  const now = new Map(after.map((product) => [product.id, stateOf(product)]));
  const then = new Set(before.map(({ id }) => id));
  const changed = before.filter((product) => now.get(product.id) !== stateOf(product));
  return changed.length + after.filter(({ id }) => !then.has(id)).length;
}

type Facts = Pick<MarketProduct, "id" | "updatedAt" | "ourPriceCents" | "market">;

function stateOf({ updatedAt, ourPriceCents, market }: Facts): string {
  return JSON.stringify([updatedAt, ourPriceCents, market]);
}
