/**
 * The choice of columns in the market table. Columns in the address have precedence over the
 * columns last chosen in this browser. In a narrow window, the last columns are hidden if they do
 * not fit.
 */
import { useApp } from "../../app/app.ts";
import { Button, CheckBox, Menu } from "../../parts/controls.tsx";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { useWidth } from "../../parts/chart/price_points.ts";
import { NARROW } from "../../parts/table/table.tsx";
import { useMedia } from "../../parts/use_media.ts";
import type { MarketColumn } from "./market_columns.tsx";
import type { Layout } from "./market_query.ts";

export function ColumnMenu({ columns }: { columns: MarketColumns }) {
  const { words } = useApp();
  const texts = words.market.columnMenu;
  const chosen = columns.choices.filter(({ isChosen }) => isChosen).length;
  return (
    <Menu icon="columns" label={words.table.columns}>
      {columns.choices.map(({ column: { key, title }, isChosen, fits }, at) => (
        <div class="column-choice row spread gap-12" key={key}>
          <CheckBox
            isOn={isChosen}
            isDisabled={isChosen && chosen === 1}
            onChange={() =>
              columns.toggle(key)}
          >
            {title}
            {!fits && <small>{texts.noRoom}</small>}
          </CheckBox>
          {isChosen && (
            <span class="row-actions">
              <Button
                kind="quiet"
                icon="up"
                label={texts.up(title)}
                isDisabled={at === 0}
                onClick={() => columns.move(key, -1)}
              />
              <Button
                kind="quiet"
                icon="down"
                label={texts.down(title)}
                isDisabled={at === chosen - 1}
                onClick={() =>
                  columns.move(key, 1)}
              />
            </span>
          )}
        </div>
      ))}
    </Menu>
  );
}

/** Maximum window width for hiding columns that do not fit. A wider window scrolls the table. */
const TIGHT = "(max-width: 1360px)";
const PICK_PX = 38;
const KEPT = "kurant.columns.market";
const ON_CARD: ReadonlySet<string> = new Set([
  "article",
  "ourPrice",
  "cheapest",
  "gapPct",
  "rank",
  "range",
  "margin",
  "proposal",
]);

interface MarketColumns {
  readonly shown: readonly MarketColumn[];
  /** The chosen columns in their order, then the remaining columns. */
  readonly choices: readonly {
    readonly column: MarketColumn;
    readonly isChosen: boolean;
    readonly fits: boolean;
  }[];
  readonly shownKeys: string[];
  toggle(key: string): void;
  /** Moves a column before (-1) or after (1) its neighbour. */
  move(key: string, step: -1 | 1): void;
}

export function useMarketColumns(
  all: readonly MarketColumn[],
  layout: Layout,
  box: RefObject<HTMLElement | null>,
): MarketColumns {
  const isTight = useMedia(TIGHT);
  const isCard = useMedia(NARROW);
  const widthPx = useWidth(box);
  const kept = layout.values.columns || localStorage.getItem(KEPT) || "";
  return useMemo(() => {
    const [first, ...others] = all;
    if (!first) throw new Error("The table has no columns");
    const byKey = new Map(others.map((column) => [column.key, column]));
    const named = kept.split(",").flatMap((key) => byKey.get(key) ?? []);
    const chosen = named.length > 0 ? [...new Set(named)] : others.filter(isAtFirst);
    const givesWay = !isCard && (isTight || named.length === 0);
    const room = givesWay ? fitting(chosen, widthPx - PICK_PX - first.width) : chosen;
    const shown = [first, ...room].filter(({ key }) => !isCard || ON_CARD.has(key));
    const choose = (keys: readonly string[]) => {
      localStorage.setItem(KEPT, keys.join(","));
      layout.set("columns", keys.join(","));
    };
    const keys = chosen.map(({ key }) => key);
    return {
      shown,
      choices: [...chosen, ...others.filter((column) => !chosen.includes(column))].map((
        column,
      ) => ({
        column,
        isChosen: chosen.includes(column),
        fits: !chosen.includes(column) || shown.includes(column),
      })),
      shownKeys: keys,
      toggle: (key) =>
        choose(keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key]),
      move: (key, step) => {
        const at = keys.indexOf(key);
        const other = keys[at + step];
        if (at < 0 || other === undefined) return;
        choose(keys.with(at, other).with(at + step, key));
      },
    };
  }, [all, kept, isTight, isCard, widthPx, layout.key]);
}

const isAtFirst = ({ choice }: MarketColumn) => choice === "shown";

/** The first columns that fit into the width, but always at least one. */
export function fitting<C extends { readonly width: number }>(
  columns: readonly C[],
  roomPx: number,
): readonly C[] {
  let leftPx = roomPx;
  const end = columns.findIndex(({ width }) => (leftPx -= width) < 0);
  return end < 0 ? columns : columns.slice(0, Math.max(1, end));
}
