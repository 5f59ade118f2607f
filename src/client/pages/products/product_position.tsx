/** The position of our price in the market: key figures, and a bar with all compared prices. */
import { useApp } from "../../app/app.ts";
import { Figure, Figures } from "../../parts/page.tsx";
import { Gap, placeInRange, RangeBar } from "../../parts/price_figures.tsx";
import { Icon } from "../../parts/controls.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import { type PricePosition, type Rival, useProduct } from "./product_context.tsx";

export function ProductPosition() {
  const { words: { position: texts, fields, market: { columns, states } }, show } = useApp();
  const { product, rivals, ourCents, position, marginAt } = useProduct();
  const { ourPriceCents, costPriceCents, currency, market } = product;
  const state = market === null ? "–" : states[market.state];
  const margin = marginAt(ourPriceCents);
  return (
    <section class="position" aria-label={texts.label}>
      <Figures>
        <Figure
          label={fields.ourPrice}
          value={show.money(ourPriceCents, currency)}
          note={<PriceNote />}
        />
        <Figure
          label={fields.margin}
          value={show.share(margin)}
          note={costPriceCents === null
            ? texts.noCost
            : texts.cost(show.money(costPriceCents, currency))}
          tone={margin !== null && margin < 0 && "bad"}
        />
        <Figure
          label={fields.rank}
          value={position === null ? "–" : texts.partOf(position.rank, position.of)}
          note={rivals.length > 0 && market ? texts.counting(market.offers) : state}
        />
        <Figure
          label={texts.gap}
          value={position === null
            ? "–"
            : <Gap ourCents={ourCents} theirs={position.cheapest.unit} />}
          note={position === null ? state : <GapNote position={position} currency={currency} />}
        />
        {typeof market?.indexPct === "number" && (
          <Figure
            label={columns.index}
            value={show.tenths(market.indexPct)}
            note={texts.indexNote}
          />
        )}
        {rivals.length > 0 && (
          <Figure tone="broad" label={texts.range} value={<PriceRange />} note={<RangeEnds />} />
        )}
      </Figures>
    </section>
  );
}

function PriceRange() {
  const { words, show } = useApp();
  const { rivals, ourCents, product: { currency } } = useProduct();
  const all = rivals.map(({ offer, cents }) => ({ name: offer.competitor, cents }));
  const ours = ourCents === null ? [] : [{ name: words.position.usSpoken, cents: ourCents }];
  return (
    <RangeBar
      ticks={rivals.map(({ offer, cents }) => ({
        key: offer.competitorProductId,
        cents,
        shopId: offer.competitorId,
      }))}
      ourCents={ourCents}
      spoken={[...all, ...ours].sort((a, b) => a.cents - b.cents)
        .map(({ name, cents }) => `${name} ${show.money(cents, currency)}`).join(", ")}
    />
  );
}

function PriceNote() {
  const { words: { position: texts, product: { sources }, products }, show } = useApp();
  const { product, held, changes: [lastChange] } = useProduct();
  const since = lastChange
    ? texts.since(show.date(lastChange.at), sources[lastChange.source])
    : show.ago(product.ourPriceUpdatedAt);
  return (
    <>
      {since}
      {(held !== null || product.priceLocked) && (
        <span class="below locked">
          <Icon name="lock" />
          {held === null ? products.locked : texts.held(show.date(held))}
        </span>
      )}
    </>
  );
}

function GapNote({ position, currency }: { position: PricePosition; currency: string }) {
  const { words: { position: texts }, show } = useApp();
  const shop = position.cheapest.offer.competitor;
  const amount = show.money(Math.abs(position.gapCents), currency);
  if (position.gapCents === 0) return <>{texts.same(shop)}</>;
  return <>{position.gapCents > 0 ? texts.above(amount, shop) : texts.below(amount, shop)}</>;
}

const MEDIAN_EDGE = 37;

/** The longest median, in characters, that fits between the texts of both ends. */
const ENDS_BESIDE = 8;

function RangeEnds() {
  const { words: { position: texts }, show } = useApp();
  const { rivals, ourCents: ours, product: { market, currency } } = useProduct();
  const all = [...rivals.map(({ cents }) => cents), ...(ours === null ? [] : [ours])];
  const end = (rival: Rival | undefined, isPast: (ours: number, theirs: number) => boolean) => {
    if (!rival) return null;
    if (ours !== null && isPast(ours, rival.cents)) {
      return <span class="nowrap">{texts.us} {show.money(ours, currency)}</span>;
    }
    const { competitor, competitorId } = rival.offer;
    return (
      <span class="nowrap">
        <ShopBadge id={competitorId} name={competitor} /> {show.money(rival.cents, currency)}
      </span>
    );
  };
  const median = market?.medianCents ?? null;
  const place = median === null ? 50 : placeInRange(median, all);
  const anchor = place < MEDIAN_EDGE ? "start" : place > 100 - MEDIAN_EDGE ? "end" : "middle";
  const isLow = anchor !== "middle" || show.money(median, currency).length > ENDS_BESIDE;
  return (
    <span class="range-ends flow spread gap-12 rows-2">
      {end(rivals[0], (our, their) => our < their)}
      {median !== null && rivals.length > 1 && (
        <span class={isLow ? "range-median nowrap low" : "range-median nowrap"}>
          <svg width="100%" height="36">
            <text x={`${place}%`} y={isLow ? 32 : 13} text-anchor={anchor}>
              {texts.middle(show.money(median, currency))}
            </text>
          </svg>
        </span>
      )}
      {new Set(all).size > 1 && end(rivals.at(-1), (our, their) => our > their)}
    </span>
  );
}
