/** A table of products and shops. Colours show how far a shop's price is from our price. */
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import { ourGapPct, whole } from "../../../base/fraction.ts";
import { type App, useApp } from "../../app/app.ts";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";
import { StockDot } from "../../parts/price_figures.tsx";
import { RankCell } from "./market_cells.tsx";
import type { MarketColumn } from "./market_columns.tsx";
import { type MarketProduct, productAddress } from "./product.ts";
import { Unbroken } from "../../parts/page.tsx";

export function matrixColumns(
  { words, show }: App,
  shops: readonly Shop[],
  all: readonly MarketColumn[],
): readonly MarketColumn[] {
  const named = (key: string) => all.filter((column) => column.key === key);
  return [
    ...named("article").map((column) => ({
      ...column,
      cell: (product: MarketProduct) => (
        <a class="matrix-article" href={productAddress(product)} title={product.title}>
          <b>{product.sku}</b> <Unbroken text={product.title} />
        </a>
      ),
    })),
    ...named("ourPrice").map((column) => ({ ...column, title: words.position.us, width: 88 })),
    ...shops.filter(({ enabled }) => enabled).map((shop): MarketColumn => ({
      key: `shop-${shop.id}`,
      title: shop.displayName,
      head: (
        <span class="matrix-head">
          <ShopBadge id={shop.id} name={shop.displayName} />
          <span aria-hidden="true">{shop.displayName}</span>
        </span>
      ),
      width: 118,
      isNumber: true,
      file: [],
      cell: (product) => <MatrixCell product={product} shop={shop} />,
    })),
    ...named("gapPct").map((column) => ({ ...column, width: 72 })),
    {
      key: "rank",
      title: words.market.columns.rank,
      width: 52,
      isNumber: true,
      sort: { by: "rank", first: "desc" },
      file: ["rank", "of"],
      cell: ({ market }) => market === null ? show.number(null) : <RankCell market={market} />,
    },
  ];
}

function MatrixCell({ product, shop }: { readonly product: MarketProduct; readonly shop: Shop }) {
  const { words: { market, productPage }, show, may } = useApp();
  const offer = product.competitorOffers?.find(({ competitorId }) => competitorId === shop.id);
  if (offer === undefined) {
    const text = market.matrix.link(shop.displayName);
    return may("manager")
      ? <a class="matrix-link" href={productAddress(product)} aria-label={text} title={text}>+</a>
      : <span class="soft" title={market.matrix.none}>–</span>;
  }
  const cents = offer.unitCents ?? offer.priceCents;
  const currency = offer.unitCents === null ? offer.currency : product.currency;
  const ourCents = product.market?.comparedCents ?? product.ourPriceCents;
  const isCheapest = offer.counts && offer.unitCents === product.market?.cheapestCents;
  return (
    <span
      class={["matrix-price row gap-6", heatOf(ourCents, offer), isCheapest && "least"]
        .filter(Boolean).join(" ")}
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

function heatOf(ourCents: number | null, { counts, unitCents }: MarketOffer): string | null {
  if (!counts || unitCents === null || ourCents === null || unitCents === ourCents) return null;
  const pct = ourGapPct(ourCents, whole(unitCents));
  if (pct === null) return null;
  const step = STEPS_PCT.filter((least) => Math.abs(pct) >= least).length;
  return `heat-${ourCents > unitCents ? "above" : "below"}-${step}`;
}

export function MatrixLegend() {
  const { words } = useApp();
  const { market: { matrix }, stockDot: stock } = words;
  return (
    <p class="matrix-legend flow soft fine">
      <span>
        <i class="swatch heat-above-4" />
        {matrix.dearer}
      </span>
      <span>
        <i class="swatch heat-below-4" />
        {matrix.cheaper}
      </span>
      {([["in", true], ["unknown", null], ["out", false]] as const).map(([state, inStock]) => (
        <span key={state}>
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
