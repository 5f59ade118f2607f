import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { RangeBar } from "../../parts/range_bar.tsx";
import { shopClass, useShopColours } from "../../parts/shops.tsx";
import { useAnnouncement } from "../../parts/use_announcement.ts";
import { COMPARED } from "../../paths.ts";

export function FirstPrice({ compared }: { compared: number }) {
  const { words, show } = useApp();
  const texts = words.start;
  const colours = useShopColours();
  const { data } = useDocument({
    key: ["products", "first-price"],
    read: (api) =>
      api.GET("/api/products", {
        params: { query: { state: "ok", sort: "gapPct", order: "asc", limit: 1, offers: true } },
      }),
    everyMs: () => 10_000,
  });
  const product = data?.items[0];
  const market = product?.market ?? null;
  const ours = market?.comparedCents ?? product?.ourPriceCents ?? null;
  const isShown = product !== undefined && market !== null && ours !== null;
  const money = (cents: number | null) => show.money(cents, product?.currency);
  const offers = (product?.competitorOffers ?? []).filter(({ counts, unitCents }) =>
    counts && unitCents !== null
  );
  const meaning = market?.gapCents === 0
    ? texts.equal(money(ours))
    : (market?.gapCents ?? 0) < 0
    ? texts.cheaper(money(ours))
    : texts.dearer(money(ours));
  const rival = market && texts.asks(market.cheapestCompetitor ?? "", money(market.cheapestCents));
  const said = useAnnouncement(isShown ? `${product.title}: ${meaning} ${rival}` : "");
  return (
    <>
      <p class="sr-only" role="status">{said}</p>
      {isShown && (
        <div class="first-price">
          <p class="stack gap-2">
            <a href={`/products/${product.id}`}>{product.title}</a>
            <strong>{meaning}</strong>
            <span>{rival} {(market.gapCents ?? 0) < 0 && texts.headroom}</span>
          </p>
          <span class="first-range">
            <RangeBar
              ticks={offers.map((offer) => ({
                key: offer.competitorProductId,
                cents: offer.unitCents ?? 0,
                shop: shopClass(colours.get(offer.competitorId) ?? 1),
              }))}
              ourCents={ours}
              spoken={`${meaning} ${rival}`}
            />
          </span>
          <a class="button" href={COMPARED}>{texts.toCompared(show.number(compared))}</a>
        </div>
      )}
    </>
  );
}
