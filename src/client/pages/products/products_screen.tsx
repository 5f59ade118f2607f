import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { addressOf } from "../../api/call.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { ColumnChooser } from "../../parts/table/column_chooser.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { NARROW } from "../../parts/table/use_fitting_columns.ts";
import { useMedia } from "../../parts/use_media.ts";
import { useColumns } from "../../parts/table/use_columns.ts";
import { useSelection } from "../../parts/table/use_selection.ts";
import { useFilter } from "../../parts/use_filter.ts";
import { BulkBar } from "./bulk_bar.tsx";
import { FirstSteps } from "./first_steps.tsx";
import { type Product, productAddress, type ProductPage } from "./product.ts";
import { productColumns } from "./product_columns.tsx";
import { PRODUCT_FILTERS, ProductFilterBar } from "./product_filter_bar.tsx";
import { ProductPanel } from "./product_panel.tsx";

/** Rows per page: as many as the service gives at once. */
const LIMIT = 200;

export function ProductsScreen() {
  const app = useApp();
  const { words, show, may } = app;
  const { route } = useLocation();
  const filter = useFilter(PRODUCT_FILTERS);
  const list = useList<Product, ProductPage>({
    key: ["products", "list"],
    path: "/api/products",
    query: filter.values,
    limit: LIMIT,
  });
  const isNarrow = useMedia(NARROW);
  const columns = useColumns("products", productColumns(app, isNarrow));
  const selection = useSelection(filter.key);
  const [panel, setPanel] = useState<Product | "new" | null>(null);
  const [isCompact, setCompact] = useState(false);
  const total = list.first?.total ?? null;
  const mayChange = may("manager");
  const isAnyMarked = selection.isAll || selection.ids.size > 0;
  return (
    <>
      <PageHead
        title={words.products.title}
        beside={total !== null && total > 0 &&
          <span class="soft">{words.products.total(show.number(total))}</span>}
      >
        {mayChange && <a class="button plain" href="/imports/new">{words.products.import}</a>}
        {mayChange && (
          <Button kind="main" icon="plus" onClick={() => setPanel("new")}>
            {words.products.create}
          </Button>
        )}
      </PageHead>
      <ProductFilterBar filter={filter}>
        <ColumnChooser
          choices={columns.choices}
          isCompact={isCompact}
          onCompact={setCompact}
        />
        <a class="button plain" download href={addressOf("/api/products.csv", filter.values)}>
          {words.products.export}
        </a>
      </ProductFilterBar>
      {mayChange && isAnyMarked && (
        <BulkBar
          selection={selection}
          filter={filter}
          loaded={list.rows.map(({ id }) => id)}
          total={total ?? (list.hasMore ? null : list.rows.length)}
        />
      )}
      <DataTable
        label={words.products.title}
        columns={columns.shown}
        list={list}
        idOf={({ id }) => id}
        onOpen={(product) =>
          mayChange && product.deletedAt === null
            ? setPanel(product)
            : route(productAddress(product))}
        {...(mayChange && { selection })}
        total={total}
        density={isNarrow ? "double" : isCompact ? "compact" : "normal"}
        empty={filter.isAny
          ? <NoneFound onClear={filter.clear} />
          : <FirstSteps onCreate={() => setPanel("new")} />}
      />
      {panel !== null && (
        <ProductPanel
          product={panel === "new" ? null : panel}
          onClose={() => setPanel(null)}
        />
      )}
    </>
  );
}

function NoneFound({ onClear }: { onClear: () => void }) {
  const { words } = useApp();
  return (
    <EmptyState icon="search" title={words.products.noneTitle} text={words.products.noneText}>
      <Button onClick={onClear}>{words.products.clearFilter}</Button>
    </EmptyState>
  );
}
