/**
 * Cells of a product's market position. A cell without a value returns `DASH`, which a card on a
 * phone omits.
 */
import type { MarketOffer, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import { useApp } from "../../app/app.ts";
import { MarketNumber } from "../../parts/percentages.tsx";
import { RangeBar } from "../../parts/range_bar.tsx";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";
import { StockDot } from "../../parts/stock_dot.tsx";
import type { MarketProduct } from "./product.ts";

export const DASH = <span class="none">–</span>;

interface CheapestProps {
  readonly market: ProductMarket;
  readonly currency: string;
  readonly shop: Shop | undefined;
  readonly href: string;
}

export function Cheapest({ market, currency, shop, href }: CheapestProps) {
  const { words, show } = useApp();
  const texts = words.market;
  if (market.state !== "ok") {
    const text = texts.states[market.state];
    if (market.state === "no_links") {
      return <a class="state-tag clip soft no_links" href={href} title={text}>{text}</a>;
    }
    return <span class={`state-tag clip soft ${market.state}`} title={text}>{text}</span>;
  }
  const others = market.cheapestCount - 1;
  const name = market.cheapestCompetitor ?? "";
  return (
    <span class="cheapest" title={others > 0 ? `${name} ${texts.moreShops(others)}` : name}>
      <ShopBadge name={name} colour={shop?.colour} />
      <StockDot inStock={market.cheapestInStock} />
      <span class="amount">{show.money(market.cheapestCents, currency)}</span>
      {market.cheapestLacksShipping && (
        <small class="soft" title={words.productPage.lacksShipping}>{texts.lacksShipping}</small>
      )}
    </span>
  );
}

/** In percent of our price and in money; positive if we are dearer. */
export function GapCell({ market, currency }: Pick<CheapestProps, "market" | "currency">) {
  const { words, show } = useApp();
  const { roomPct, gapCents } = market;
  if (roomPct === null || gapCents === null) return DASH;
  const side = gapCents > 0 ? "dearer" : gapCents < 0 ? "cheaper" : "equal";
  return (
    <span class="pair">
      <span class={side}>
        {side === "equal"
          ? words.market.equal
          : <MarketNumber value={0 - roomPct} text={show.percentChange(0 - roomPct)} />}
      </span>
      {side !== "equal" && <small>{show.moneyChange(gapCents, currency)}</small>}
    </span>
  );
}

export function RankCell({ market }: { market: ProductMarket }) {
  const { words } = useApp();
  const { rank, of, position } = market;
  if (rank === null || position === null) return DASH;
  return (
    <span title={words.market.positions[position]}>
      <span class="sr-only">{`${words.market.positions[position]} `}</span>
      {`${rank}/${of}`}
    </span>
  );
}

export function Age({ at }: { at: string | null }) {
  const { show } = useApp();
  return at === null ? DASH : <span class="soft" title={show.dateTime(at)}>{show.age(at)}</span>;
}

export function RangeHead() {
  const { market, position, stockDot } = useApp().words;
  const { columns, rangeLow, rangeHigh, rangeLegend } = market;
  return (
    <span title={rangeLegend}>
      {columns.range}
      <span class="sr-only">. {rangeLegend}.</span>
      <span class="range-legend" aria-hidden="true">
        <span>{rangeLow}</span>
        <span>{position.usSpoken}</span>
        <span>{rangeHigh}</span>
      </span>
      <span class="card-only" aria-hidden="true">
        <span class="stock-dot in" /> {stockDot.in}
      </span>
    </span>
  );
}

export function MiniRange({ product }: { product: MarketProduct }) {
  const { words, show } = useApp();
  const { currency, ourPriceCents, market } = product;
  const comparedCents = market?.comparedCents ?? ourPriceCents;
  const prices = countingPrices(product.competitorOffers ?? []);
  if (prices.length === 0) return DASH;
  return (
    <RangeBar
      ticks={prices.map((cents, at) => ({ key: String(at), cents }))}
      ourCents={comparedCents}
      spoken={words.market.range(
        show.number(prices.length),
        show.money(Math.min(...prices), currency),
        show.money(Math.max(...prices), currency),
        show.money(comparedCents, currency),
      )}
      isSmall
    />
  );
}

function countingPrices(offers: readonly MarketOffer[]): number[] {
  return offers.flatMap(({ counts, unitCents }) => counts && unitCents !== null ? [unitCents] : []);
}
