import { useMemo } from "preact/hooks";
import { addressOf, type Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { startOfDay } from "../../formats/day.ts";
import { Card } from "../../parts/page.tsx";
import { nextText } from "../../parts/shop/shop_state.ts";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";

type Hours = Wire<"ShopFetches">["items"][number]["hours"];

export interface DayRow {
  readonly shop: Shop;
  readonly hours: Hours;
  /** Number of pages due in each hour of today. */
  readonly planned: readonly number[];
  /** Time of the next fetch; null if nothing is due. */
  readonly nextAt: string | null;
  /** Percentage of the shop's prices that are fresh; null without prices. */
  readonly freshPct: number | null;
}

const HOUR_MS = 3_600_000;
/** Every third hour has a label. */
const LABELLED = 3;

const NO_FETCHES = { ok: 0, failed: 0 };

const isIdle = ({ ok, failed }: Hours[number]) => ok + failed === 0;

/**
 * The start of each hour of a day. The hour that the switch to summer time skips starts with the
 * next one.
 */
function beginsOf(date: string, timeZone: string): number[] {
  const clock = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
  const startMs = Date.parse(startOfDay(date, timeZone));
  return Array.from({ length: 24 }, (_, hour) => {
    const atMs = startMs + hour * HOUR_MS;
    const shift = hour - Number(clock.format(atMs));
    return atMs + shift * HOUR_MS;
  });
}

const endOf = (begins: readonly number[], hour: number) =>
  begins[hour + 1] ?? (begins[hour] ?? 0) + HOUR_MS;

/** Fetches of today, by shop and hour. */
export function DayStrip({ rows, date }: {
  readonly rows: readonly DayRow[];
  /** Today in the workspace's time zone, as `2026-11-25`. */
  readonly date: string;
}) {
  const { words, show } = useApp();
  const texts = words.arrivals;
  const begins = useMemo(() => beginsOf(date, show.timeZone), [date, show.timeZone]);
  const most = Math.max(1, ...rows.flatMap(({ hours }) => hours.map(({ ok }) => ok)));
  const nowMs = Date.now();
  const hasPlanned = rows.some(({ hours, planned }) =>
    begins.some((_, hour) =>
      endOf(begins, hour) > nowMs && (planned[hour] ?? 0) > 0 &&
      isIdle(hours[hour] ?? NO_FETCHES)
    )
  );
  return (
    <Card
      title={texts.strip}
      note={texts.stripNote}
      beside={
        <ul class="legend small">
          {(["read", "partly", "failed", "planned", "now"] as const).filter((kind) =>
            kind !== "planned" || hasPlanned
          ).map((kind) => (
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
        <span class="head">{texts.nextHead}</span>
        {rows.map(({ shop, hours, planned, nextAt, freshPct }) => (
          <div class="strip-row" key={shop.id}>
            <a class="strip-shop" href={`/competitors/${shop.id}`}>
              <ShopBadge name={shop.displayName} colour={shop.colour} />
              <span aria-hidden="true">{shop.displayName}</span>
            </a>
            <StripHours shop={shop} hours={hours} planned={planned} most={most} begins={begins} />
            <span class={freshPct === 0 ? "number loss" : "number"}>{show.percent(freshPct)}</span>
            <span class="number soft">{nextText(words, show, nextAt)}</span>
          </div>
        ))}
      </div>
    </Card>
  );
}

interface HoursProps extends Pick<DayRow, "shop" | "hours" | "planned"> {
  readonly most: number;
  /** The start of each hour of the day, in epoch milliseconds. */
  readonly begins: readonly number[];
}

/** An hour with fetches links to its runs. */
function StripHours({ shop, hours, planned, most, begins }: HoursProps) {
  const { words: { arrivals: texts }, show } = useApp();
  const name = shop.displayName;
  const nowMs = Date.now();
  return (
    <span class="hours" role="group" aria-label={hours.every(isIdle) ? texts.none(name) : name}>
      {hours.map(({ ok, failed }, hour) => {
        const fromMs = begins[hour] ?? 0;
        const toMs = endOf(begins, hour);
        const now = fromMs <= nowMs && nowMs < toMs ? " now" : "";
        const due = toMs > nowMs ? planned[hour] ?? 0 : 0;
        if (ok + failed === 0) {
          const text = texts.plannedCell(name, String(hour), show.number(due));
          return due === 0 ? <i key={hour} class={`hour${now}`} /> : (
            <i
              key={hour}
              class={`hour planned${now}`}
              role="img"
              title={text}
              aria-label={text}
            />
          );
        }
        const kind = ok === 0
          ? "failed"
          : failed > 0
          ? "partly"
          : `read p${Math.ceil(4 * ok / most)}`;
        const text = texts.cell(name, String(hour), show.number(ok), show.number(failed));
        const [createdSince, createdBefore] = [fromMs, toMs].map((ms) =>
          new Date(ms).toISOString()
        );
        return (
          <a
            key={hour}
            class={`hour ${kind}${now}`}
            href={addressOf("/runs", { createdSince, createdBefore })}
            title={text}
            aria-label={text}
          />
        );
      })}
    </span>
  );
}
