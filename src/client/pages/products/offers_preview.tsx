/**
 * The tooltip of a product's price range lists the offers and our price. Offers that do not count
 * are at the end, each with the reason why it does not count. The tooltip is a popover in the top
 * layer, so that the table does not cut it off.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import { useApp } from "../../app/app.ts";
import { OwnBadge, type Shop, ShopBadge } from "../../parts/shops.tsx";
import { StockDot } from "../../parts/stock_dot.tsx";
import type { MarketProduct } from "./product.ts";

/** A pointer that only passes must not open the tooltip. */
const PAUSE_MS = 200;
const GAP_PX = 6;

interface OffersPreviewProps {
  readonly product: MarketProduct;
  readonly shops: ReadonlyMap<string, Shop>;
  readonly children: ComponentChildren;
}

export function OffersPreview({ product, shops, children }: OffersPreviewProps) {
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
      {isOpen && (
        <Offers
          id={id}
          product={product}
          shops={shops}
          at={button}
          onGone={() => show(false)}
        />
      )}
    </>
  );
}

interface OffersProps extends Omit<OffersPreviewProps, "children"> {
  readonly id: string;
  readonly at: { readonly current: HTMLElement | null };
  onGone(): void;
}

function Offers({ id, product, shops, at, onGone }: OffersProps) {
  const { words, show } = useApp();
  const texts = words.market.preview;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = box.current;
    if (shown === null || at.current === null) return;
    shown.showPopover();
    place(shown, at.current.getBoundingClientRect());
    // Without this listener, the tooltip would stay while its anchor scrolls away.
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
      <li key={competitorProductId} class={counts ? undefined : "soft"}>
        <ShopBadge name={competitor} colour={shops.get(competitorId)?.colour} />
        <span aria-hidden="true">{competitor}</span>
        {cents !== null && <StockDot inStock={why === "stale" ? null : inStock} />}
        <span class="amount">
          {counts ? show.money(cents, of) : words.terms.leftOut[why ?? ""] ?? show.money(cents, of)}
        </span>
      </li>
    );
  };
  return (
    <div ref={box} id={id} popover="manual" class="offers-preview">
      <p>
        <strong>{product.sku}</strong>{" "}
        {texts.counted(show.number(counting.length), show.number(others.length))}
      </p>
      <ul>
        {counting.filter(isBefore).map(line)}
        {ourPriceCents !== null && (
          <li class="own">
            <OwnBadge />
            <strong>{words.market.us}</strong>
            <strong class="amount">{show.money(ourPriceCents, currency)}</strong>
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
