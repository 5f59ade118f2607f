/**
 * Shows a product's market position in table cells. Pointing at the price range opens a tooltip
 * with the offers and our price.
 */
import type { MarketOffer, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import { useApp } from "../../app/app.ts";
import { MarketNumber, RangeBar, StockDot } from "../../parts/price_figures.tsx";
import { OwnBadge, ShopBadge } from "../../parts/shops.tsx";
import type { MarketProduct } from "./one_product.tsx";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

export const DASH = <span class="none">–</span>;

interface CheapestProps {
  readonly market: ProductMarket;
  readonly currency: string;
  readonly href: string;
}

export function Cheapest({ market, currency, href }: CheapestProps) {
  const { words: { market: texts, codes, productPage }, show } = useApp();
  if (market.state !== "ok") {
    const text = codes.marketStates[market.state];
    if (market.state === "no_links") {
      return <a class="state-tag clip soft no_links" href={href} title={text}>{text}</a>;
    }
    return <span class={`state-tag clip soft ${market.state}`} title={text}>{text}</span>;
  }
  const others = market.cheapestCount - 1;
  const name = market.cheapestCompetitor ?? "";
  return (
    <span class="cheapest row" title={others > 0 ? `${name} ${texts.moreShops(others)}` : name}>
      <ShopBadge id={market.cheapestCompetitorId ?? ""} name={name} />
      <StockDot inStock={market.cheapestInStock} />
      <span class="amount end">{show.money(market.cheapestCents, currency)}</span>
      {market.cheapestLacksShipping && (
        <small class="soft" title={productPage.lacksShipping}>{texts.lacksShipping}</small>
      )}
    </span>
  );
}

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
    <span title={words.codes.marketPositions[position]}>
      <span class="sr-only">{`${words.codes.marketPositions[position]} `}</span>
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
  const prices = (product.competitorOffers ?? []).flatMap(({ counts, unitCents }) =>
    counts && unitCents !== null ? [unitCents] : []
  );
  if (prices.length === 0) return DASH;
  return (
    <RangeBar
      ticks={prices.map((cents, at) => ({ key: String(at), cents }))}
      ourCents={comparedCents}
      spoken={words.market.range(
        prices.length,
        show.money(Math.min(...prices), currency),
        show.money(Math.max(...prices), currency),
        show.money(comparedCents, currency),
      )}
      isSmall
    />
  );
}

/** The pointer must stay this long on the price range before the tooltip opens. */
const PAUSE_MS = 200;
const GAP_PX = 6;

interface OffersPreviewProps {
  readonly product: MarketProduct;
  readonly children: ComponentChildren;
}

export function OffersPreview({ product, children }: OffersPreviewProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (isWanted: boolean, afterMs = 0) => {
    clearTimeout(pause.current);
    if (afterMs === 0) setOpen(isWanted);
    else pause.current = setTimeout(() => setOpen(isWanted), afterMs);
  };
  useEffect(() => () => clearTimeout(pause.current), []);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="offers-open"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onMouseEnter={() => show(true, PAUSE_MS)}
        onMouseLeave={() => show(false)}
        onFocus={() => show(true)}
        onBlur={() => show(false)}
        onClick={() => show(true)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !isOpen) return;
          event.stopPropagation();
          show(false);
        }}
      >
        {children}
      </button>
      {isOpen && <Offers id={id} product={product} at={button} onGone={() => show(false)} />}
    </>
  );
}

interface OffersProps extends Omit<OffersPreviewProps, "children"> {
  readonly id: string;
  readonly at: { readonly current: HTMLElement | null };
  onGone(): void;
}

/**
 * Offers that are not compared come last, each with the reason. The tooltip is a popover, because
 * the table would cut off any other element.
 */
function Offers({ id, product, at, onGone }: OffersProps) {
  const { words, show } = useApp();
  const texts = words.market.preview;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = box.current;
    if (shown === null || at.current === null) return;
    shown.showPopover();
    place(shown, at.current.getBoundingClientRect());
    // Closes the tooltip, because scrolling moves the price range away from it.
    addEventListener("scroll", onGone, { capture: true });
    return () => removeEventListener("scroll", onGone, { capture: true });
  }, []);
  const offers = product.competitorOffers ?? [];
  const counting = offers.filter(({ counts }) => counts);
  const others = offers.filter(({ counts }) => !counts);
  const { currency } = product;
  const ourPriceCents = product.market?.comparedCents ?? product.ourPriceCents;
  const isBefore = ({ unitCents }: MarketOffer) => (unitCents ?? 0) <= (ourPriceCents ?? 0);
  const line = (offer: MarketOffer) => {
    const { competitorProductId, competitorId, competitor, counts, inStock, why } = offer;
    const [cents, of] = offer.unitCents === null
      ? [offer.priceCents, offer.currency]
      : [offer.unitCents, currency];
    return (
      <li key={competitorProductId} class={counts ? "row gap-8" : "row gap-8 soft"}>
        <ShopBadge id={competitorId} name={competitor} />
        <span aria-hidden="true">{competitor}</span>
        {cents !== null && <StockDot inStock={why === "stale" ? null : inStock} />}
        <span class="amount end nowrap">
          {counts ? show.money(cents, of) : words.terms.leftOut[why ?? ""] ?? show.money(cents, of)}
        </span>
      </li>
    );
  };
  return (
    <div ref={box} id={id} popover="manual" class="offers-preview">
      <p>
        <strong>{product.sku}</strong> {texts.counted(counting.length, others.length)}
      </p>
      <ul>
        {counting.filter(isBefore).map(line)}
        {ourPriceCents !== null && (
          <li class="own row gap-8">
            <OwnBadge />
            <strong>{words.position.us}</strong>
            <strong class="amount end nowrap">{show.money(ourPriceCents, currency)}</strong>
          </li>
        )}
        {counting.filter((offer) => !isBefore(offer)).map(line)}
        {others.map(line)}
      </ul>
    </div>
  );
}

function place(box: HTMLElement, about: DOMRect): void {
  const { width, height } = box.getBoundingClientRect();
  const below = about.bottom + GAP_PX;
  const top = below + height <= innerHeight ? below : Math.max(about.top - GAP_PX - height, 0);
  const left = Math.min(about.left, innerWidth - width - GAP_PX);
  box.style.setProperty("top", `${top}px`);
  box.style.setProperty("left", `${Math.max(left, GAP_PX)}px`);
}
