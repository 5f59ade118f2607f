/**
 * All columns of the market table, and the matching columns of an exported file. The first column
 * is fixed; the other columns can be hidden and moved. `plainColumns` names the product fields that
 * are shown without a conversion.
 */
import {
  type PlainColumnName,
  plainColumns,
  PRODUCT_FIELDS,
} from "../../../catalogue/products/product_field_table.ts";
import type { MarketSort, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import { type App, useApp } from "../../app/app.ts";
import { Badge, Icon } from "../../parts/controls.tsx";
import { MarketNumber } from "../../parts/price_figures.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import {
  Age,
  Cheapest,
  DASH,
  GapCell,
  MiniRange,
  OffersPreview,
  RangeHead,
  RankCell,
} from "./market_cells.tsx";
import { heldUntilOf, type MarketProduct, type Product, productAddress } from "./product.ts";
import { Unbroken } from "../../parts/page.tsx";

export type MarketColumn = Column<MarketProduct> & { readonly file: readonly string[] };
type FieldColumn = Column<Product> & Pick<MarketColumn, "file">;

type Cell = (market: ProductMarket, product: MarketProduct) => ReturnType<MarketColumn["cell"]>;

interface MarketCellOptions extends Pick<MarketColumn, "width" | "choice" | "isNumber" | "head"> {
  readonly first?: "asc" | "desc";
  readonly file?: readonly string[];
  readonly cell: Cell;
}

export function marketColumns(app: App): readonly MarketColumn[] {
  return [...ownColumns(app), ...rivalColumns(app), ...figureColumns(app), ...fieldColumns(app)];
}

function ownColumns({ words }: App): readonly MarketColumn[] {
  return [
    {
      key: "article",
      title: words.market.columns.article,
      width: 322,
      sort: { by: "title", first: "asc" },
      file: ["sku", "title"],
      cell: (product) => <Article product={product} />,
    },
    {
      key: "ourPrice",
      title: words.fields.ourPrice,
      width: 100,
      isNumber: true,
      choice: "shown",
      sort: { by: "ourPrice", first: "desc" },
      file: ["ourPrice"],
      cell: (product) => <OurPrice product={product} />,
    },
  ];
}

function ofMarket({ words: { market: { columns } } }: App) {
  return (key: MarketSort & keyof typeof columns, options: MarketCellOptions): MarketColumn => {
    const { first = "desc", cell, ...others } = options;
    return {
      key,
      title: columns[key],
      isNumber: true,
      choice: "shown",
      file: [key],
      ...others,
      sort: { by: key, first },
      cell: (product) => product.market === null ? DASH : cell(product.market, product),
    };
  };
}

function rivalColumns(app: App): readonly MarketColumn[] {
  const market = ofMarket(app);
  return [
    market("cheapest", {
      width: 138,
      file: ["cheapest", "cheapestCompetitor"],
      cell: (market, product) => (
        <Cheapest market={market} currency={product.currency} href={productAddress(product)} />
      ),
    }),
    market("gapPct", {
      width: 92,
      file: ["gapPct", "gap"],
      cell: (market, { currency }) => <GapCell market={market} currency={currency} />,
    }),
    market("rank", {
      width: 56,
      head: <Explained title={app.words.market.columns.rank} by={app.words.market.rankLegend} />,
      file: ["rank", "of"],
      cell: (market) => <RankCell market={market} />,
    }),
    {
      key: "range",
      title: app.words.market.columns.range,
      head: <RangeHead />,
      width: 124,
      choice: "shown",
      file: [],
      cell: (product) =>
        product.competitorOffers?.length
          ? (
            <OffersPreview product={product}>
              <MiniRange product={product} />
            </OffersPreview>
          )
          : DASH,
    },
  ];
}

function figureColumns(app: App): readonly MarketColumn[] {
  const [{ words, show }, market] = [app, ofMarket(app)];
  const hidden = { choice: "hidden" } as const;
  const figure = (value: number | null, textOf: (value: number) => string) =>
    value === null ? DASH : <MarketNumber value={value} text={textOf(value)} />;
  return [
    market("index", {
      width: 80,
      head: <Explained title={words.market.columns.index} by={words.market.indexLegend} />,
      cell: ({ indexPct }) => figure(indexPct, show.tenths),
    }),
    market("cheapestAt", { width: 84, cell: ({ cheapestAt }) => <Age at={cheapestAt} /> }),
    market("margin", {
      width: 72,
      first: "asc",
      cell: ({ marginPct }) => (
        <span class={marginPct !== null && marginPct < 0 ? "loss" : undefined}>
          {figure(marginPct, show.share)}
        </span>
      ),
    }),
    market("proposal", {
      width: 86,
      cell: ({ proposal }, product) =>
        proposal === null ? DASH : (
          <a class="proposed" href={productAddress(product)}>
            {show.money(proposal.proposedCents, product.currency)}
          </a>
        ),
    }),
    market("rule", {
      width: 96,
      first: "asc",
      isNumber: false,
      cell: ({ rule }) => rule && <span class="soft" title={rule.name}>{rule.name}</span>,
    }),
    market("newestAt", { width: 120, ...hidden, cell: ({ newestAt }) => <Age at={newestAt} /> }),
    market("offers", { width: 80, ...hidden, cell: ({ offers }) => show.number(offers) }),
    market("room", {
      width: 90,
      ...hidden,
      cell: ({ roomPct: pct }) => figure(pct, show.percentChange),
    }),
    market("gapCents", {
      ...hidden,
      width: 110,
      file: ["gap"],
      cell: ({ gapCents: cents }, { currency }) =>
        cents === null ? DASH : show.moneyChange(cents, currency),
    }),
    ...(["median", "average"] as const).map((key) =>
      market(key, {
        ...hidden,
        width: key === "median" ? 96 : 104,
        cell: (found, { currency }) => show.money(found[`${key}Cents`], currency),
      })
    ),
  ];
}

const AMOUNTS = ["costPrice", "targetPrice", "minPrice", "maxPrice", "shippingPrice"] as const;

function field(
  key: string,
  title: string,
  width: number,
  cell: Column<Product>["cell"],
  others: Partial<FieldColumn> = {},
): FieldColumn {
  return { ...column(key, title, width).cell(cell), choice: "hidden", file: [key], ...others };
}

export function fieldColumns({ words, show }: App): readonly FieldColumn[] {
  const { products, fields } = words;
  const plain = (name: PlainColumnName) =>
    field(name, fields[name], PRODUCT_FIELDS[name].column.width, (product) => product[name]);
  const isNumber = true;
  return [
    field("sku", words.fields.sku, 120, ({ sku }) => sku, { sort: { by: "sku", first: "asc" } }),
    ...plainColumns("shown").map(plain),
    ...AMOUNTS.map((name) =>
      field(
        name,
        fields[name],
        100,
        (product) => show.money(product[`${name}Cents`], product.currency),
        { isNumber },
      )
    ),
    field("stock", fields.stock, 80, ({ stock }) => show.number(stock), { isNumber }),
    field(
      "condition",
      fields.condition,
      110,
      ({ condition }) => condition && words.product.conditions[condition],
    ),
    ...plainColumns("hidden").map(plain),
    field(
      "scrape",
      words.fields.scrapeEnabled,
      80,
      ({ scrapeEnabled, scrapeIntervalHours }) =>
        scrapeEnabled
          ? products.hours(scrapeIntervalHours)
          : <span class="soft">{products.scrapeOff}</span>,
      { file: ["scrapeEnabled", "scrapeIntervalHours"] },
    ),
    field(
      "lastScrapedAt",
      products.columns.lastScrapedAt,
      130,
      ({ lastScrapedAt }) => show.ago(lastScrapedAt),
    ),
    field("updatedAt", words.fields.updated, 140, ({ updatedAt }) => show.dateTime(updatedAt)),
  ];
}

function Explained({ title, by }: { readonly title: string; readonly by: string }) {
  return (
    <span title={by}>
      {title}
      <span class="sr-only">. {by}.</span>
    </span>
  );
}

function OurPrice({ product }: { product: MarketProduct }) {
  const { words, show } = useApp();
  const held = heldUntilOf(product, Date.now());
  const why = held !== null
    ? words.position.held(show.date(held))
    : product.priceLocked
    ? words.products.locked
    : null;
  return (
    <>
      {why !== null && (
        <span class="locked" title={why}>
          <Icon name="lock" />
          <span class="sr-only">{why}</span>
        </span>
      )}
      <strong>{show.money(product.ourPriceCents, product.currency)}</strong>
    </>
  );
}

function Article({ product }: { product: MarketProduct }) {
  const { words } = useApp();
  const { sku, title, category } = product;
  return (
    <span class="pair">
      <a href={productAddress(product)} title={title}>
        <Unbroken text={title} />
      </a>
      <small>
        <Unbroken text={[sku, category].filter(Boolean).join(" · ")} />
        {product.deletedAt && <Badge tone="bad">{words.products.deleted}</Badge>}
      </small>
    </span>
  );
}
