/**
 * The table of our price index by category and shop. The further an index is from 100, the stronger
 * is the colour of its cell. A cell with too few compared products shows a dash. The cells of a
 * shop with too few current prices show the last usable index, without colour.
 */
import { useApp, useDocument } from "../../app/app.ts";
import { addressOf, get, where } from "../../api/call.ts";
import { MarketNumber } from "../../parts/price_figures.tsx";
import { Card, Pending } from "../../parts/page.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import type { MarketSummary } from "./position_card.tsx";
import { momentText } from "../../formats/day.ts";
import { useCountedUntil, useFreshness } from "../../parts/shop/shop_state.ts";
import { BAD_SHARE } from "./data_card.tsx";
import { useMarketSummary } from "../../parts/shared_queries.ts";

const CATEGORIES_SHOWN = 8;
const SHOPS_SHOWN = 6;
const COMPARED_MIN = 5;
const FULL_POINTS = 6;
const COLOUR_MAX = 40;
const PLAIN_POINTS = 0.35;

type Group = MarketSummary["items"][number];

export function useCategories() {
  const found = useMarketSummary({ by: "category" });
  const rows = found.data?.items.filter(({ category, compared }) => category && compared > 0)
    .toSorted((a, b) => b.compared - a.compared).slice(0, CATEGORIES_SHOWN);
  return { ...found, data: rows };
}

export function IndexCard() {
  const { overview: { index: texts }, market } = useApp().words;
  const categories = useCategories();
  const shops = useMarketSummary({ by: "competitor" });
  const cells = useMarketSummary({ by: "category,competitor" });
  const parts = [categories, shops, cells];
  const beside = (
    <span class="scale soft">
      {market.matrix.cheaper} <i aria-hidden="true" /> {texts.dearer}
    </span>
  );
  return (
    <Card title={texts.title} beside={beside}>
      {categories.data && shops.data && cells.data
        ? <IndexTable rows={categories.data} shops={shops.data.items} cells={cells.data.items} />
        : <Pending of={parts.find(({ error }) => error) ?? shops} />}
    </Card>
  );
}

interface IndexTableProps {
  readonly rows: readonly Group[];
  readonly shops: readonly Group[];
  readonly cells: readonly Group[];
}

function IndexTable({ rows, shops, cells }: IndexTableProps) {
  const { words: { overview: { index: texts }, fields, products }, show } = useApp();
  const quiet = useQuietShops();
  const compared = shops.filter((shop) => shop.compared > 0);
  const isCompared = (id: string) => compared.some(({ competitorId }) => competitorId === id);
  const columns = [
    ...compared,
    ...[...quiet.values()].filter(({ competitorId }) => !isCompared(competitorId)),
  ].slice(0, SHOPS_SHOWN);
  if (rows.length === 0) return <p class="note info">{texts.empty}</p>;
  const cellOf = new Map(
    cells.map((cell) => [`${cell.competitorId} ${cell.category}`, cell] as const),
  );
  return (
    <div class="simple-scroll framed" tabIndex={0} role="region" aria-label={texts.title}>
      <table class="heat fine">
        <thead>
          <tr>
            <th scope="col">{fields.category}</th>
            <th scope="col" class="number">{products.title}</th>
            {columns.map(({ competitorId = "", competitor }) => (
              <th key={competitorId} scope="col" class="number">
                <span class="sr-only">{competitor}</span>
                <ShopBadge id={competitorId} name={competitor ?? ""} />
              </th>
            ))}
            <th scope="col" class="number">{texts.compared}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const category = row.category ?? "";
            const href = `/products?category=${encodeURIComponent(category)}`;
            return (
              <tr key={category}>
                <th scope="row">
                  <a href={href} title={category}>{category}</a>
                </th>
                <IndexCell group={row} href={href} isStrong />
                {columns.map(({ competitorId = "" }) => (
                  <ShopCell
                    key={competitorId}
                    group={cellOf.get(`${competitorId} ${row.category}`)}
                    of={{ category, competitorId }}
                    isQuiet={quiet.has(competitorId)}
                  />
                ))}
                <td class="number soft">
                  <a href={href}>{show.number(row.compared)}</a>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="soft small">
        {texts.basis}
        {columns.flatMap(({ competitorId = "" }) => quiet.get(competitorId) ?? [])
          .map((shop) => <QuietNote key={shop.competitorId} shop={shop} />)}
      </p>
    </div>
  );
}

function QuietNote({ shop: { competitorId, competitor, text } }: { readonly shop: QuietShop }) {
  const counted = useCountedUntil(competitorId);
  return <>{` · ${competitor}: ${counted ? `${counted.read}, ${counted.until}` : text}`}</>;
}

function useLastIndex({ category, competitorId }: ShopCellProps["of"], isWanted: boolean) {
  const read = get("/api/market/trend", where({ competitorId, by: "category" }));
  const { data } = useDocument(isWanted ? read : null);
  return data?.groups?.find((one) => one.category === category)?.last;
}

interface ShopCellProps {
  readonly group: Group | undefined;
  readonly of: { readonly category: string; readonly competitorId: string };
  readonly isQuiet: boolean;
}

function ShopCell({ group, of, isQuiet }: ShopCellProps) {
  const counted = useCountedUntil(of.competitorId);
  const last = useLastIndex(of, isQuiet && (group?.compared ?? 0) < COMPARED_MIN);
  return (
    <IndexCell
      group={last ?? group}
      href={addressOf("/products", of)}
      isQuiet={isQuiet}
      {...(last && counted && { title: `${counted.read}, ${counted.until}` })}
    />
  );
}

interface IndexCellProps {
  readonly group: Pick<Group, "indexPct" | "compared"> | undefined;
  readonly href: string;
  readonly isStrong?: boolean;
  readonly isQuiet?: boolean;
  readonly title?: string;
}

function IndexCell({ group, href, isStrong = false, isQuiet = false, title }: IndexCellProps) {
  const { words, show } = useApp();
  const index = group?.indexPct ?? null;
  if (!group || index === null || group.compared < COMPARED_MIN) {
    return <td class="number soft" title={words.overview.index.few}>–</td>;
  }
  return (
    <td
      class={isStrong ? "number strong" : isQuiet ? "number quiet" : "number"}
      style={isQuiet ? {} : { background: heatOf(index) }}
    >
      <a href={href} title={title}>
        <MarketNumber value={index} text={show.tenths(index)} />
      </a>
    </td>
  );
}

function heatOf(index: number): string | undefined {
  const points = index - 100;
  if (Math.abs(points) < PLAIN_POINTS) return undefined;
  // The square root makes small distances from 100 visible, also in the dark theme.
  const part = Math.round(Math.sqrt(Math.min(1, Math.abs(points) / FULL_POINTS)) * COLOUR_MAX);
  return `color-mix(in oklab, var(--${points > 0 ? "above" : "below"}) ${part}%, var(--surface))`;
}

interface QuietShop {
  readonly competitorId: string;
  readonly competitor: string;
  readonly text: string;
}

function useQuietShops(): ReadonlyMap<string, QuietShop> {
  const { show, words: { overview: { index }, shops: { states } } } = useApp();
  const { data } = useFreshness();
  const nowMs = Date.now();
  const quiet = data?.items.filter(({ fresh, links }) => links > 0 && fresh / links < BAD_SHARE);
  return new Map(
    quiet?.map(({ competitorId, displayName, lastSeenAt, downSince }) => {
      const text = downSince === null
        ? index.readAt(momentText(show, lastSeenAt, nowMs))
        : states.down;
      return [competitorId, { competitorId, competitor: displayName, text }];
    }),
  );
}
