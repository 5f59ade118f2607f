import { column, numberColumn } from "../../parts/table/column.ts";
import type { ComponentChildren } from "preact";
import { plainColumns } from "../../../catalogue/products/product_field_table.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { SafeLink } from "../../parts/safe_link.tsx";
import type { Product } from "./product.ts";

interface DataProps {
  readonly product: Product;
  /** The section's actions. */
  readonly actions?: ComponentChildren;
}

/** Everything else that is known of a product. */
export function ProductData({ product, actions }: DataProps) {
  const { words, show } = useApp();
  const { products, product: texts } = words;
  const { columns } = products;
  const from = new Date().toISOString().slice(0, 10);
  const { data: sales } = useDocument({
    key: ["products", product.id, "sales", from],
    read: (api) =>
      api.GET("/api/products/{id}/sales", {
        params: {
          path: { id: product.id },
          query: { from },
        },
      }),
  });
  const units = sales?.units30d ?? null;
  const rows: readonly (readonly [string, string | null])[] = [
    [products.sku, product.sku],
    ...[...plainColumns("shown"), ...plainColumns("hidden")]
      .map((name) => [words.fields[name], product[name]] as const),
    [products.form.vatRate, product.vatRatePct === null ? null : show.percent(product.vatRatePct)],
    ...(["minPrice", "maxPrice", "shippingPrice"] as const).map((name) => {
      const cents = product[`${name}Cents`];
      return [
        words.fields[name],
        cents === null ? null : show.money(cents, product.currency),
      ] as const;
    }),
    [words.fields.condition, product.condition && texts.conditions[product.condition]],
    [words.fields.stock, product.stock === null ? null : show.number(product.stock)],
    [texts.sold30d, units === null ? null : show.number(units)],
    [
      columns.scrape,
      product.scrapeEnabled ? products.hours(product.scrapeIntervalHours) : products.scrapeOff,
    ],
    [columns.lastScrapedAt, product.lastScrapedAt && show.dateTime(product.lastScrapedAt)],
    [columns.updatedAt, show.dateTime(product.updatedAt)],
    ...Object.entries(product.attributes),
  ];
  return (
    <Section title={texts.data} actions={actions}>
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
          column<Product["prices"][number]>(
            "tier",
            tierColumns.tier,
            140,
            ({ tier }) => tier ?? "–",
          ),
          numberColumn<Product["prices"][number]>(
            "price",
            words.price,
            110,
            ({ amountCents, currency }) => show.money(amountCents, currency),
          ),
          numberColumn<Product["prices"][number]>(
            "minQty",
            tierColumns.minQty,
            90,
            ({ minQty }) => show.number(minQty),
          ),
          column<Product["prices"][number]>(
            "validFrom",
            tierColumns.validFrom,
            120,
            ({ validFrom }) => show.date(validFrom),
          ),
        ]}
      />
    </>
  );
}
