import { plainColumns } from "../../../catalogue/products/product_field_table.ts";
import { useApp } from "../../app/app.ts";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { SafeLink } from "../../parts/safe_link.tsx";
import type { Product } from "./product.ts";

/** Everything else that is known of a product. */
export function ProductData({ product }: { product: Product }) {
  const { words, show } = useApp();
  const { products, product: texts } = words;
  const { columns } = products;
  const rows: readonly (readonly [string, string | null])[] = [
    [products.sku, product.sku],
    ...[...plainColumns("shown"), ...plainColumns("hidden")]
      .map((name) => [words.fields[name], product[name]] as const),
    [products.form.vatRate, product.vatRatePct === null ? null : show.percent(product.vatRatePct)],
    [
      columns.scrape,
      product.scrapeEnabled ? products.hours(product.scrapeIntervalHours) : products.scrapeOff,
    ],
    [columns.lastScrapedAt, product.lastScrapedAt && show.dateTime(product.lastScrapedAt)],
    [columns.updatedAt, show.dateTime(product.updatedAt)],
    ...Object.entries(product.attributes),
  ];
  return (
    <Section title={texts.data}>
      <dl class="facts">
        {rows.filter(([, value]) => value !== null && value !== "").map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {product.url && (
          <div>
            <dt>{products.form.url}</dt>
            <dd>
              <SafeLink url={product.url} />
            </dd>
          </div>
        )}
      </dl>
      {product.prices.length > 0 && <Tiers product={product} />}
    </Section>
  );
}

function Tiers({ product }: { product: Product }) {
  const { words, show } = useApp();
  const { tierColumns, tiers } = words.product;
  return (
    <>
      <h3>{tiers}</h3>
      <SimpleTable
        label={tiers}
        rows={product.prices}
        idOf={({ tier, currency, minQty }) => `${tier} ${currency} ${minQty}`}
        columns={[
          { key: "tier", title: tierColumns.tier, width: 140, cell: ({ tier }) => tier ?? "–" },
          {
            key: "price",
            title: words.price,
            width: 110,
            isNumber: true,
            cell: ({ amountCents, currency }) => show.money(amountCents, currency),
          },
          {
            key: "minQty",
            title: tierColumns.minQty,
            width: 90,
            isNumber: true,
            cell: ({ minQty }) => show.number(minQty),
          },
          {
            key: "validFrom",
            title: tierColumns.validFrom,
            width: 120,
            cell: ({ validFrom }) => show.date(validFrom),
          },
        ]}
      />
    </>
  );
}
