import type { PriceChange } from "../../../catalogue/prices/price_history.ts";
import { useApp } from "../../app/app.ts";
import { Delta } from "../delta.tsx";
import type { Column } from "./column.ts";

type Shown = Pick<PriceChange, "fromCents" | "toCents" | "currency" | "source">;

/** What every list of price changes says of one: from, to, by how much, and by what. */
export function usePriceChangeColumns<Row extends Shown>(): Readonly<
  Record<"from" | "to" | "change" | "source", Column<Row>>
> {
  const { words, show } = useApp();
  const { historyColumns, sources } = words.product;
  return {
    from: {
      key: "from",
      title: historyColumns.from,
      width: 100,
      isNumber: true,
      cell: ({ fromCents, currency }) => show.money(fromCents, currency),
    },
    to: {
      key: "to",
      title: historyColumns.to,
      width: 100,
      isNumber: true,
      cell: ({ toCents, currency }) => show.money(toCents, currency),
    },
    change: {
      key: "change",
      title: historyColumns.change,
      width: 100,
      isNumber: true,
      cell: ({ fromCents, toCents }) => <Delta fromCents={fromCents} toCents={toCents} />,
    },
    source: {
      key: "source",
      title: historyColumns.source,
      width: 140,
      cell: ({ source }) => sources[source],
    },
  };
}
