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
import type { Column } from "../../parts/table/table.tsx";
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
  readonly sort: MarketSort;
  readonly first?: "asc" | "desc";
  readonly file: readonly string[];
  readonly choice?: "shown" | "hidden";
  readonly cell: Cell;
}

/** All columns, in the order in which they stand at first. */
export function marketColumns(
  { words, show }: App,
  shops: ReadonlyMap<string, Shop>,
): readonly MarketColumn[] {
  const { products, market: { columns } } = words;
  const plain = (name: PlainColumnName): MarketColumn => ({
    key: name,
    title: words.fields[name],
    width: PRODUCT_FIELDS[name].column.width,
    choice: "hidden",
    file: [name],
    cell: (product) => product[name],
  });
  const ofMarket = (key: keyof typeof columns, options: MarketCellOptions): MarketColumn => {
    const { sort, first = "desc", cell, choice = "shown", ...others } = options;
    return {
      key,
      title: columns[key],
      isNumber: true,
      choice,
      ...others,
      sort: { by: sort, first },
      cell: (product) => product.market === null ? "–" : cell(product.market, product),
    };
  };
  const amount = (
    key: MajorName<RecordAmountName>,
    centsOf: (product: MarketProduct) => number | null,
  ): MarketColumn => ({
    key,
    title: words.fields[key],
    width: 100,
    isNumber: true,
    choice: "hidden",
    file: [key],
    cell: (product) => show.money(centsOf(product), product.currency),
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
      sort: "cheapest",
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
      sort: "gapPct",
      file: ["gapPct", "gap"],
      cell: (market, { currency }) => <GapCell market={market} currency={currency} />,
    }),
    ofMarket("rank", {
      width: 56,
      sort: "rank",
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
      sort: "index",
      file: ["index"],
      cell: ({ indexPct }) =>
        indexPct === null ? "–" : <MarketNumber value={indexPct} text={show.index(indexPct)} />,
    }),
    ofMarket("newestAt", {
      width: 84,
      sort: "newestAt",
      file: ["newestAt"],
      cell: ({ newestAt }) => (
        <span class="soft" title={show.dateTime(newestAt)}>{show.age(newestAt)}</span>
      ),
    }),
    ofMarket("margin", {
      width: 72,
      sort: "margin",
      first: "asc",
      file: ["margin"],
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
      sort: "proposal",
      file: ["proposal"],
      cell: ({ proposal }, product) =>
        proposal === null ? "–" : (
          <a class="proposed" href={productAddress(product)}>
            <span class="card-only" aria-hidden="true">→</span>
            {show.money(proposal.proposedCents, product.currency)}
          </a>
        ),
    }),
    {
      ...ofMarket("rule", {
        width: 96,
        sort: "rule",
        first: "asc",
        file: ["rule"],
        cell: ({ rule }) => rule && <span class="soft" title={rule.name}>{rule.name}</span>,
      }),
      isNumber: false,
    },
    ofMarket("offers", {
      width: 80,
      sort: "offers",
      choice: "hidden",
      file: ["offers"],
      cell: ({ offers }) => show.number(offers),
    }),
    ofMarket("room", {
      width: 90,
      sort: "room",
      choice: "hidden",
      file: ["room"],
      cell: ({ roomPct }) =>
        roomPct === null
          ? "–"
          : <MarketNumber value={roomPct} text={show.percentChange(roomPct)} />,
    }),
    ofMarket("gapCents", {
      width: 110,
      sort: "gapCents",
      choice: "hidden",
      file: ["gap"],
      cell: ({ gapCents }, { currency }) =>
        gapCents === null ? "–" : show.moneyChange(gapCents, currency),
    }),
    ofMarket("median", {
      width: 96,
      sort: "median",
      choice: "hidden",
      file: ["median"],
      cell: ({ medianCents }, { currency }) => show.money(medianCents, currency),
    }),
    ofMarket("average", {
      width: 104,
      sort: "average",
      choice: "hidden",
      file: ["average"],
      cell: ({ averageCents }, { currency }) => show.money(averageCents, currency),
    }),
    {
      key: "sku",
      title: products.sku,
      width: 120,
      choice: "hidden",
      sort: { by: "sku", first: "asc" },
      file: ["sku"],
      cell: ({ sku }) => sku,
    },
    ...plainColumns("shown").map(plain),
    amount("costPrice", ({ costPriceCents }) => costPriceCents),
    amount("targetPrice", ({ targetPriceCents }) => targetPriceCents),
    amount("minPrice", ({ minPriceCents }) => minPriceCents),
    amount("maxPrice", ({ maxPriceCents }) => maxPriceCents),
    amount("shippingPrice", ({ shippingPriceCents }) => shippingPriceCents),
    {
      key: "stock",
      title: words.fields.stock,
      width: 80,
      isNumber: true,
      choice: "hidden",
      file: ["stock"],
      cell: ({ stock }) => show.number(stock),
    },
    {
      key: "condition",
      title: words.fields.condition,
      width: 110,
      choice: "hidden",
      file: ["condition"],
      cell: ({ condition }) => condition && words.product.conditions[condition],
    },
    ...plainColumns("hidden").map(plain),
    {
      key: "scrape",
      title: products.columns.scrape,
      width: 80,
      choice: "hidden",
      file: ["scrapeEnabled", "scrapeIntervalHours"],
      cell: ({ scrapeEnabled, scrapeIntervalHours }) =>
        scrapeEnabled
          ? products.hours(scrapeIntervalHours)
          : <span class="soft">{products.scrapeOff}</span>,
    },
    {
      key: "lastScrapedAt",
      title: products.columns.lastScrapedAt,
      width: 130,
      choice: "hidden",
      file: ["lastScrapedAt"],
      cell: ({ lastScrapedAt }) => show.ago(lastScrapedAt),
    },
    {
      key: "updatedAt",
      title: products.columns.updatedAt,
      width: 140,
      choice: "hidden",
      file: ["updatedAt"],
      cell: ({ updatedAt }) => show.dateTime(updatedAt),
    },
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
