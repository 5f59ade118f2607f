/** Columns of the product list, and of its layout with one column per shop (`matrix`). */
import {
  type PlainColumnName,
  plainColumns,
  PRODUCT_FIELDS,
} from "../../../catalogue/products/product_field_table.ts";
import type {
  MarketOffer,
  MarketSort,
  ProductMarket,
} from "../../../catalogue/prices/product_market.ts";
import { type App, useApp } from "../../app/app.ts";
import { Badge, Icon } from "../../parts/controls.tsx";
import { MarketNumber, StockDot } from "../../parts/price_figures.tsx";
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
import { heldUntilOf, type MarketProduct, type Product } from "./one_product.tsx";
import { Unbroken } from "../../parts/page.tsx";
import { ourGapPct, whole } from "../../../base/fraction.ts";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";

type MarketColumn = Column<MarketProduct>;
interface MarketCellOptions extends Pick<MarketColumn, "width" | "choice" | "head" | "file"> {
  readonly first?: "asc" | "desc";
  cell(market: ProductMarket, product: MarketProduct): ReturnType<MarketColumn["cell"]>;
}

export function marketColumns(app: App): readonly MarketColumn[] {
  const { words: { market: { columns }, fields } } = app;
  return [
    column("article", columns.article, {
      width: 322,
      sort: { by: "title", first: "asc" },
      file: ["sku", "title"],
    }).cell((product) => <Article product={product} />),
    column("ourPrice", fields.ourPrice, {
      width: 100,
      choice: "shown",
      sort: { by: "ourPrice", first: "desc" },
    }).number((product) => <OurPrice product={product} />),
    ...rivalColumns(app),
    ...figureColumns(app),
    ...fieldColumns(app),
  ];
}

function ofMarket({ words: { market: { columns } } }: App) {
  return (key: MarketSort & keyof typeof columns, options: MarketCellOptions): MarketColumn => {
    const { first = "desc", cell, ...others } = options;
    return column(key, columns[key], { choice: "shown", ...others, sort: { by: key, first } })
      .number((product) => product.market === null ? DASH : cell(product.market, product));
  };
}

function rivalColumns(app: App): readonly MarketColumn[] {
  const market = ofMarket(app);
  return [
    market("cheapest", {
      width: 138,
      file: ["cheapest", "cheapestCompetitor"],
      cell: (market, product) => (
        <Cheapest market={market} currency={product.currency} href={`/products/${product.id}`} />
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
    column("range", app.words.market.columns.range, {
      head: <RangeHead />,
      width: 124,
      choice: "shown",
      file: [],
    }).cell((product) =>
      product.competitorOffers?.length
        ? (
          <OffersPreview product={product}>
            <MiniRange product={product} />
          </OffersPreview>
        )
        : DASH
    ),
  ];
}

const HIDDEN = { choice: "hidden" } as const;

function figureColumns(app: App): readonly MarketColumn[] {
  const [{ words, show }, market] = [app, ofMarket(app)];
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
          <a class="proposed" href={`/products/${product.id}`}>
            {show.money(proposal.proposedCents, product.currency)}
          </a>
        ),
    }),
    {
      ...market("rule", {
        width: 96,
        first: "asc",
        cell: ({ rule }) => rule ? <span class="soft" title={rule.name}>{rule.name}</span> : "",
      }),
      isNumber: false,
    },
    market("newestAt", { width: 120, ...HIDDEN, cell: ({ newestAt }) => <Age at={newestAt} /> }),
    market("offers", { width: 80, ...HIDDEN, cell: ({ offers }) => show.number(offers) }),
    market("room", {
      width: 90,
      ...HIDDEN,
      cell: ({ roomPct: pct }) => figure(pct, show.percentChange),
    }),
    market("gapCents", {
      ...HIDDEN,
      width: 110,
      file: ["gap"],
      cell: ({ gapCents: cents }, { currency }) =>
        cents === null ? DASH : show.moneyChange(cents, currency),
    }),
    ...(["median", "average"] as const).map((key) =>
      market(key, {
        ...HIDDEN,
        width: key === "median" ? 96 : 104,
        cell: (found, { currency }) => show.money(found[`${key}Cents`], currency),
      })
    ),
  ];
}

const AMOUNTS = ["costPrice", "targetPrice", "minPrice", "maxPrice", "shippingPrice"] as const;

export function fieldColumns({ words, show }: App): readonly Column<Product>[] {
  const { products, fields } = words;
  const hidden = (width: number) => ({ width, choice: "hidden" }) as const;
  const plain = (name: PlainColumnName) =>
    column(name, fields[name], hidden(PRODUCT_FIELDS[name].column.width))
      .cell<Product>((product) => product[name]);
  return [
    column("sku", fields.sku, { ...hidden(120), sort: { by: "sku", first: "asc" } })
      .cell(({ sku }) => sku),
    ...plainColumns("shown").map(plain),
    ...AMOUNTS.map((name) =>
      column(name, fields[name], hidden(100))
        .money<Product>((product) => [product[`${name}Cents`], product.currency])
    ),
    column("stock", fields.stock, hidden(80)).number(({ stock }) => stock),
    column("condition", fields.condition, hidden(110)).cell(({ condition }) =>
      condition && words.codes.conditions[condition]
    ),
    ...plainColumns("hidden").map(plain),
    column("scrape", fields.scrapeEnabled, {
      ...hidden(80),
      file: ["scrapeEnabled", "scrapeIntervalHours"],
    }).cell(({ scrapeEnabled, scrapeIntervalHours }) =>
      scrapeEnabled
        ? products.hours(scrapeIntervalHours)
        : <span class="soft">{products.scrapeOff}</span>
    ),
    column("lastScrapedAt", products.columns.lastScrapedAt, hidden(130))
      .cell(({ lastScrapedAt }) => show.ago(lastScrapedAt)),
    column("updatedAt", fields.updated, hidden(140)).time(({ updatedAt }) => updatedAt),
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

/** Maximum number of characters of our price and of the cheapest one, side by side on a phone. */
const LONG_PRICE = 10;

function OurPrice({ product }: { product: MarketProduct }) {
  const { words, show } = useApp();
  const price = show.money(product.ourPriceCents, product.currency);
  const cheapest = show.money(product.market?.cheapestCents ?? null, product.currency);
  const isLong = Math.max(price.length, cheapest.length) > LONG_PRICE;
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
      <strong class={isLong ? "long" : undefined}>{price}</strong>
    </>
  );
}

function Article({ product }: { product: MarketProduct }) {
  const { words } = useApp();
  const { sku, title, category } = product;
  return (
    <span class="pair">
      <a href={`/products/${product.id}`} title={title}>
        <Unbroken text={title} />
      </a>
      <small>
        <Unbroken text={[sku, category].filter(Boolean).join(" · ")} />
        {product.deletedAt && <Badge tone="bad">{words.products.deleted}</Badge>}
      </small>
    </span>
  );
}

export function matrixColumns(
  { words }: App,
  shops: readonly Shop[],
  all: readonly MarketColumn[],
): readonly MarketColumn[] {
  const named = (key: string) => all.filter((column) => column.key === key);
  return [
    ...named("article").map((column) => ({
      ...column,
      cell: (product: MarketProduct) => (
        <a class="matrix-article" href={`/products/${product.id}`} title={product.title}>
          <b>{product.sku}</b> <Unbroken text={product.title} />
        </a>
      ),
    })),
    ...named("ourPrice").map((column) => ({ ...column, title: words.position.us, width: 88 })),
    ...shops.filter(({ enabled }) => enabled).map((shop) => {
      const head = (
        <span class="matrix-head">
          <ShopBadge id={shop.id} name={shop.displayName} />
          <span aria-hidden="true">{shop.displayName}</span>
        </span>
      );
      return column(`shop-${shop.id}`, shop.displayName, { head, width: 124, file: [] })
        .number<MarketProduct>((product) => <MatrixCell product={product} shop={shop} />);
    }),
    ...named("gapPct").map((column) => ({ ...column, width: 72 })),
    column("rank", words.market.columns.rank, {
      width: 52,
      sort: { by: "rank", first: "desc" },
      file: ["rank", "of"],
    }).number(({ market }) => market && <RankCell market={market} />),
  ];
}

function MatrixCell({ product, shop }: { readonly product: MarketProduct; readonly shop: Shop }) {
  const { words: { market, productPage }, show, may } = useApp();
  const offer = product.competitorOffers?.find(({ competitorId }) => competitorId === shop.id);
  if (offer === undefined) {
    const text = market.matrix.link(shop.displayName);
    return may("manager")
      ? <a class="matrix-link" href={`/products/${product.id}`} aria-label={text} title={text}>+</a>
      : <span class="soft" title={market.matrix.none}>–</span>;
  }
  const cents = offer.unitCents ?? offer.priceCents;
  const currency = offer.unitCents === null ? offer.currency : product.currency;
  const ourCents = product.market?.comparedCents ?? product.ourPriceCents;
  const isCheapest = offer.counts && offer.unitCents === product.market?.cheapestCents;
  const heat = heatOf(ourCents, offer);
  return (
    <span
      class={["matrix-price row gap-6", heat?.side, isCheapest && "least"].filter(Boolean).join(
        " ",
      )}
      style={{ "--step": heat?.step }}
    >
      {cents !== null && <StockDot inStock={offer.why === "stale" ? null : offer.inStock} />}
      {offer.counts
        ? <span class="amount">{show.money(cents, currency)}</span>
        : <em class="amount soft" title={market.notCounted}>{show.money(cents, currency)}</em>}
      {offer.lacksShipping && (
        <small class="soft" title={productPage.lacksShipping}>{market.lacksShipping}</small>
      )}
      {!offer.counts && <span class="sr-only">{` ${market.notCounted}`}</span>}
    </span>
  );
}

const STEPS_PCT = [0, 2, 5, 10] as const;
const STRONGEST = { "--step": STEPS_PCT.length };

function heatOf(ourCents: number | null, { counts, unitCents }: MarketOffer) {
  if (!counts || unitCents === null || ourCents === null || unitCents === ourCents) return null;
  const pct = ourGapPct(ourCents, whole(unitCents));
  if (pct === null) return null;
  const step = STEPS_PCT.filter((least) => Math.abs(pct) >= least).length;
  return { side: ourCents > unitCents ? "heat-above" : "heat-below", step };
}

export function MatrixLegend() {
  const { market: { matrix }, stockDot: stock } = useApp().words;
  return (
    <p class="matrix-legend flow soft fine gap-16 rows-4">
      <span class="row gap-6">
        <i class="swatch heat-above" style={STRONGEST} />
        {matrix.dearer}
      </span>
      <span class="row gap-6">
        <i class="swatch heat-below" style={STRONGEST} />
        {matrix.cheaper}
      </span>
      {([["in", true], ["unknown", null], ["out", false]] as const).map(([state, inStock]) => (
        <span key={state} class="row gap-6">
          <StockDot inStock={inStock} />
          <span aria-hidden="true">{stock[state]}</span>
        </span>
      ))}
      <span>{matrix.least}</span>
      <em>{matrix.ignored}</em>
      <span>+ {matrix.none}</span>
    </p>
  );
}
