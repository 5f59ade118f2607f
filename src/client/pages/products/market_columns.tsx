import {
  type MajorName,
  type PlainColumnName,
  plainColumns,
  PRODUCT_FIELDS,
  type RecordAmountName,
} from "../../../catalogue/products/product_field_table.ts";
import type { MarketSort, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import type { App } from "../../app/app.ts";
import { Badge, Icon } from "../../parts/controls.tsx";
import { MarketNumber } from "../../parts/percentages.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import type { Shop } from "../../parts/shops.tsx";
import { Cheapest, GapCell, MiniRange, RankCell } from "./market_cells.tsx";
import { OffersPreview } from "./offers_preview.tsx";
import { heldUntilOf, type MarketProduct, productAddress } from "./product.ts";

/** A column of the market, which people may take away and move, but the first one. */
export interface MarketColumn extends Column<MarketProduct> {
  /** Its columns in a file (docs/decisions/catalogue.md); none where a file has no such thing. */
  readonly file: readonly string[];
}

type Cell = (market: ProductMarket, product: MarketProduct) => ReturnType<MarketColumn["cell"]>;

interface MarketCellOptions {
  readonly width: number;
  readonly first?: "asc" | "desc";
  readonly file?: readonly string[];
  readonly choice?: "shown" | "hidden";
  readonly isNumber?: boolean;
  readonly cell: Cell;
}

/** All columns, in the order in which they stand at first. */
export function marketColumns(
  { words, show }: App,
  shops: ReadonlyMap<string, Shop>,
): readonly MarketColumn[] {
  const { products, market: { columns } } = words;
  /** One that people choose; its file has it under its key. */
  const hidden = (
    key: string,
    title: string,
    width: number,
    cell: MarketColumn["cell"],
    file: readonly string[] = [key],
  ): MarketColumn => ({ ...column(key, title, width, cell), choice: "hidden", file });
  const plain = (name: PlainColumnName) =>
    hidden(name, words.fields[name], PRODUCT_FIELDS[name].column.width, (product) => product[name]);
  const ofMarket = (key: MarketSort & keyof typeof columns, options: MarketCellOptions) => {
    const { first = "desc", cell, ...others } = options;
    return {
      key,
      title: columns[key],
      isNumber: true,
      choice: "shown",
      file: [key],
      ...others,
      sort: { by: key, first },
      cell: (product) => product.market === null ? "–" : cell(product.market, product),
    } satisfies MarketColumn;
  };
  const amount = (
    key: MajorName<RecordAmountName>,
    centsOf: (product: MarketProduct) => number | null,
  ): MarketColumn => ({
    ...hidden(
      key,
      words.fields[key],
      100,
      (product) => show.money(centsOf(product), product.currency),
    ),
    isNumber: true,
  });
  return [
    {
      key: "article",
      title: columns.article,
      width: 262,
      sort: { by: "title", first: "asc" },
      file: ["sku", "title"],
      cell: (product) => <Article product={product} deleted={products.deleted} />,
    },
    {
      key: "ourPrice",
      title: products.columns.ourPrice,
      width: 100,
      isNumber: true,
      choice: "shown",
      sort: { by: "ourPrice", first: "desc" },
      file: ["ourPrice"],
      cell: (product) => {
        const held = heldUntilOf(product, Date.now());
        const why = held !== null
          ? words.position.held(show.date(held))
          : product.priceLocked
          ? products.locked
          : null;
        return (
          <>
            {why !== null && (
              <span class="locked" title={why}>
                <Icon name="lock" />
                <span class="sr-only">{why}</span>
              </span>
            )}
            <strong>{show.money(product.ourPriceCents, product.currency)}</strong>
          </>
        );
      },
    },
    ofMarket("cheapest", {
      width: 142,
      file: ["cheapest", "cheapestCompetitor"],
      cell: (market, { currency }) => (
        <Cheapest
          market={market}
          currency={currency}
          shop={shops.get(market.cheapestCompetitorId ?? "")}
        />
      ),
    }),
    ofMarket("gapPct", {
      width: 104,
      file: ["gapPct", "gap"],
      cell: (market, { currency }) => <GapCell market={market} currency={currency} />,
    }),
    ofMarket("rank", {
      width: 56,
      file: ["rank", "of"],
      cell: (market) => <RankCell market={market} />,
    }),
    {
      key: "range",
      title: columns.range,
      width: 112,
      choice: "shown",
      file: [],
      cell: (product) =>
        product.competitorOffers?.length
          ? (
            <OffersPreview product={product} shops={shops}>
              <MiniRange product={product} />
            </OffersPreview>
          )
          : "–",
    },
    ofMarket("index", {
      width: 86,
      cell: ({ indexPct }) =>
        indexPct === null ? "–" : <MarketNumber value={indexPct} text={show.index(indexPct)} />,
    }),
    ofMarket("newestAt", {
      width: 84,
      cell: ({ newestAt }) => (
        <span class="soft" title={show.dateTime(newestAt)}>{show.age(newestAt)}</span>
      ),
    }),
    ofMarket("margin", {
      width: 72,
      first: "asc",
      cell: ({ marginPct }) => (
        <span class={marginPct !== null && marginPct < 0 ? "loss" : undefined}>
          {marginPct === null
            ? "–"
            : <MarketNumber value={marginPct} text={show.share(marginPct)} />}
        </span>
      ),
    }),
    ofMarket("proposal", {
      width: 92,
      cell: ({ proposal }, product) =>
        proposal === null ? "–" : (
          <a class="proposed" href={productAddress(product)}>
            <span class="card-only" aria-hidden="true">→</span>
            {show.money(proposal.proposedCents, product.currency)}
          </a>
        ),
    }),
    ofMarket("rule", {
      width: 96,
      first: "asc",
      isNumber: false,
      cell: ({ rule }) => rule && <span class="soft" title={rule.name}>{rule.name}</span>,
    }),
    ofMarket("offers", {
      width: 80,
      choice: "hidden",
      cell: ({ offers }) => show.number(offers),
    }),
    ofMarket("room", {
      width: 90,
      choice: "hidden",
      cell: ({ roomPct }) =>
        roomPct === null
          ? "–"
          : <MarketNumber value={roomPct} text={show.percentChange(roomPct)} />,
    }),
    ofMarket("gapCents", {
      width: 110,
      choice: "hidden",
      file: ["gap"],
      cell: ({ gapCents }, { currency }) =>
        gapCents === null ? "–" : show.moneyChange(gapCents, currency),
    }),
    ofMarket("median", {
      width: 96,
      choice: "hidden",
      cell: ({ medianCents }, { currency }) => show.money(medianCents, currency),
    }),
    ofMarket("average", {
      width: 104,
      choice: "hidden",
      cell: ({ averageCents }, { currency }) => show.money(averageCents, currency),
    }),
    {
      ...hidden("sku", products.sku, 120, ({ sku }) => sku),
      sort: { by: "sku", first: "asc" },
    },
    ...plainColumns("shown").map(plain),
    amount("costPrice", ({ costPriceCents }) => costPriceCents),
    amount("targetPrice", ({ targetPriceCents }) => targetPriceCents),
    amount("minPrice", ({ minPriceCents }) => minPriceCents),
    amount("maxPrice", ({ maxPriceCents }) => maxPriceCents),
    amount("shippingPrice", ({ shippingPriceCents }) => shippingPriceCents),
    {
      ...hidden("stock", words.fields.stock, 80, ({ stock }) => show.number(stock)),
      isNumber: true,
    },
    hidden(
      "condition",
      words.fields.condition,
      110,
      ({ condition }) => condition && words.product.conditions[condition],
    ),
    ...plainColumns("hidden").map(plain),
    hidden(
      "scrape",
      products.columns.scrape,
      80,
      ({ scrapeEnabled, scrapeIntervalHours }) =>
        scrapeEnabled
          ? products.hours(scrapeIntervalHours)
          : <span class="soft">{products.scrapeOff}</span>,
      ["scrapeEnabled", "scrapeIntervalHours"],
    ),
    hidden(
      "lastScrapedAt",
      products.columns.lastScrapedAt,
      130,
      ({ lastScrapedAt }) => show.ago(lastScrapedAt),
    ),
    hidden(
      "updatedAt",
      products.columns.updatedAt,
      140,
      ({ updatedAt }) => show.dateTime(updatedAt),
    ),
  ];
}

/** Title, and below it the number and the group by which people know it. */
function Article({ product, deleted }: { product: MarketProduct; deleted: string }) {
  const { sku, title, category } = product;
  return (
    <span class="pair">
      <a href={productAddress(product)} title={title}>{title}</a>
      <small>
        {[sku, category].filter(Boolean).join(" · ")}
        {product.deletedAt && <Badge tone="bad">{deleted}</Badge>}
      </small>
    </span>
  );
}
