import type { Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { Card } from "../../parts/page.tsx";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";

type Hours = Wire<"ShopFetches">["items"][number]["hours"];

export interface DayRow {
  readonly shop: Shop;
  readonly hours: Hours;
  /** Share of its prices that count by their age; null without any. */
  readonly freshPct: number | null;
}

/** Every third hour has a label. */
const LABELLED = 3;

/** What was fetched today from each shop, hour by hour. */
export function DayStrip({ rows, nowHour }: {
  readonly rows: readonly DayRow[];
  readonly nowHour: number;
}) {
  const { words: { arrivals: texts }, show } = useApp();
  const most = Math.max(1, ...rows.flatMap(({ hours }) => hours.map(({ ok }) => ok)));
  return (
    <Card
      title={texts.strip}
      note={texts.stripNote}
      beside={
        <ul class="legend small">
          {(["read", "partly", "failed"] as const).map((kind) => (
            <li key={kind}>
              <i class={`hour ${kind} p4`} />
              {texts.legend[kind]}
            </li>
          ))}
        </ul>
      }
    >
      <div class="day-strip">
        <span />
        <span class="hours axis" aria-hidden="true">
          {Array.from(
            { length: 24 / LABELLED },
            (_, at) => <span key={at}>{String(at * LABELLED).padStart(2, "0")}</span>,
          )}
        </span>
        <span class="head">{texts.freshHead}</span>
        {rows.map(({ shop, hours, freshPct }) => (
          <div class="strip-row" key={shop.id}>
            <a class="strip-shop" href={`/competitors/${shop.id}`}>
              <ShopBadge name={shop.displayName} colour={shop.colour} />
              <span aria-hidden="true">{shop.displayName}</span>
            </a>
            <StripHours shop={shop} hours={hours} most={most} nowHour={nowHour} />
            <span class={freshPct === 0 ? "number loss" : "number"}>{show.percent(freshPct)}</span>
          </div>
        ))}
      </div>
    </Card>
  );
}

interface HoursProps {
  readonly shop: Shop;
  readonly hours: Hours;
  readonly most: number;
  readonly nowHour: number;
}

function StripHours({ shop, hours, most, nowHour }: HoursProps) {
  const { words: { arrivals: texts }, show } = useApp();
  const name = shop.displayName;
  const said = hours.flatMap(({ ok, failed }, hour) =>
    ok + failed === 0 ? [] : [texts.cell(name, String(hour), show.number(ok), show.number(failed))]
  );
  return (
    <span class="hours" role="img" aria-label={said.join("; ") || texts.none(name)}>
      {hours.map(({ ok, failed }, hour) => {
        const kind = ok + failed === 0
          ? ""
          : ok === 0
          ? "failed"
          : failed > 0
          ? "partly"
          : `read p${Math.ceil(4 * ok / most)}`;
        const title = kind === ""
          ? undefined
          : texts.cell(name, String(hour), show.number(ok), show.number(failed));
        return (
          <i key={hour} class={`hour ${kind}${hour === nowHour ? " now" : ""}`} title={title} />
        );
      })}
    </span>
  );
}
