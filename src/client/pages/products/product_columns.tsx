import {
  type PlainColumnName,
  plainColumns,
  PRODUCT_FIELDS,
} from "../../../catalogue/products/product_field_table.ts";
import type { App } from "../../app/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { Column } from "../../parts/table/column.ts";
import { type Product, productAddress, productMarginPct } from "./product.ts";

/** The columns of the product list; on a phone the title stands below the SKU. */
export function productColumns(
  { words, show, workspace }: App,
  isNarrow: boolean,
): readonly Column<Product>[] {
  const { products } = words;
  const { columns } = products;
  const settings = workspace.value;
  const plain = (name: PlainColumnName): Column<Product> => {
    const { width, choice } = PRODUCT_FIELDS[name].column;
    const isWide = choice === "shown";
    return {
      key: name,
      title: words.fields[name],
      width,
      choice,
      ...(isWide && { isWide }),
      cell: (product) => product[name],
    };
  };
  return [
    {
      key: "sku",
      title: products.sku,
      width: 120,
      narrowWidth: 210,
      cell: (product) => (
        <>
          <a href={productAddress(product)}>{product.sku}</a>
          {product.deletedAt && <Badge tone="bad">{products.deleted}</Badge>}
          {isNarrow && <small class="below">{product.title}</small>}
        </>
      ),
    },
    {
      key: "title",
      title: columns.title,
      width: 320,
      isWide: true,
      cell: ({ title }) => <span title={title}>{title}</span>,
    },
    ...plainColumns("shown").map(plain),
    {
      key: "ourPrice",
      title: columns.ourPrice,
      width: 115,
      narrowWidth: 104,
      isNumber: true,
      cell: ({ ourPriceCents, currency, priceLocked }) => (
        <>
          {priceLocked && (
            <span class="locked" title={products.locked}>
              <Icon name="lock" />
              <span class="sr-only">{products.locked}</span>
            </span>
          )}
          {show.money(ourPriceCents, currency)}
        </>
      ),
    },
    {
      key: "costPrice",
      title: columns.costPrice,
      width: 100,
      isNumber: true,
      choice: "shown",
      isWide: true,
      cell: ({ costPriceCents, currency }) => show.money(costPriceCents, currency),
    },
    {
      key: "margin",
      title: columns.margin,
      width: 85,
      isNumber: true,
      choice: "shown",
      isWide: true,
      cell: (product) => {
        const pct = productMarginPct(product, settings);
        return (
          <span class={pct !== null && pct < 0 ? "loss" : undefined}>
            {show.share(pct)}
          </span>
        );
      },
    },
    {
      key: "targetPrice",
      title: columns.targetPrice,
      width: 110,
      isNumber: true,
      choice: "hidden",
      cell: ({ targetPriceCents, currency }) => show.money(targetPriceCents, currency),
    },
    ...plainColumns("hidden").map(plain),
    {
      key: "scrape",
      title: columns.scrape,
      width: 80,
      choice: "hidden",
      cell: ({ scrapeEnabled, scrapeIntervalHours }) =>
        scrapeEnabled
          ? products.hours(scrapeIntervalHours)
          : <span class="soft">{products.scrapeOff}</span>,
    },
    {
      key: "lastScrapedAt",
      title: columns.lastScrapedAt,
      width: 130,
      choice: "hidden",
      cell: ({ lastScrapedAt }) => show.ago(lastScrapedAt),
    },
    {
      key: "updatedAt",
      title: columns.updatedAt,
      width: 140,
      choice: "hidden",
      cell: ({ updatedAt }) => show.dateTime(updatedAt),
    },
  ];
}
