import { sharePct } from "../../../base/percent.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { momentText } from "../../formats/moment.ts";
import { Figure, Figures } from "../../parts/figures.tsx";
import { MarketNumber } from "../../parts/market_number.tsx";
import { useProductCount } from "../../parts/use_product_count.ts";
import type { Competitor } from "./competitor.ts";
import { readPct, useFetchDays } from "./fetch_days_card.tsx";

const TREND_DAYS = 30;
/** Less of what is fetched is read: something is the matter, or all of it. */
const WARN_PCT = 90;
const BAD_PCT = 50;

/** How much of us the shop covers, how well it is read, and where it stands against us. */
export function ShopFigures({ shop }: { shop: Competitor }) {
  const { words, show } = useApp();
  const texts = words.repairs.shop;
  const { trackedProducts, health: { ok24h, failed24h, due, perDayMax } } = shop;
  const products = useProductCount({}) ?? 0;
  const days = useFetchDays(shop.id).data?.days ?? [];
  const [now, mean] = [readPct([{ ok: ok24h, failed: failed24h }]), readPct(days)];
  const trend = useDocument({
    key: ["products", "trend", { competitorId: shop.id }],
    read: (api) =>
      api.GET("/api/market/trend", {
        params: { query: { competitorId: shop.id, days: TREND_DAYS } },
      }),
  });
  const points = trend.data?.points ?? [];
  const today = points.at(-1);
  const last = points.findLast(({ indexPct }) => indexPct !== null);
  const isStill = last !== undefined && last !== today;
  const whyNone = trend.error ? texts.marketUnknown : texts.notCompared;
  return (
    <Figures>
      <Figure
        label={texts.pages}
        value={show.number(trackedProducts)}
        note={products > 0 &&
          texts.ofCatalogue(show.percent(sharePct(trackedProducts / products, 0)))}
      />
      <Figure
        label={texts.read}
        value={now === null ? "–" : show.percent(now)}
        note={mean === null ? texts.noFetch : texts.mean(show.percent(mean))}
        {...(now !== null && now < WARN_PCT && {
          tone: now < BAD_PCT ? "bad" as const : "warn" as const,
        })}
      />
      <Figure
        label={texts.index}
        value={typeof last?.indexPct === "number"
          ? <MarketNumber value={last.indexPct} text={show.tenths(last.indexPct)} />
          : "–"}
        note={last === undefined
          ? whyNone
          : isStill
          ? texts.indexOf(momentText(show, last.takenAt, Date.now()))
          : texts.indexNote}
      />
      <Figure
        label={texts.undercuts}
        value={today === undefined || today.compared === 0
          ? "–"
          : (
            <a href={`/products?undercutBy=${shop.id}`}>
              {show.number(today.dearest)}
            </a>
          )}
        note={today === undefined || today.compared === 0
          ? whyNone
          : (
            <a href={`/products?competitorId=${shop.id}`}>
              {texts.ofCompared(show.number(today.compared))}
            </a>
          )}
      />
      <Figure
        label={texts.load}
        value={show.number(due)}
        note={texts.loadNote(show.number(perDayMax))}
      />
    </Figures>
  );
}
