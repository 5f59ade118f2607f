import { CONDITIONS } from "../../../base/codes.ts";
import { type OwnInputName, plainInputs } from "../../../catalogue/products/product_field_table.ts";
import { useApp } from "../../app/app.ts";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { MoneyField } from "../../parts/form/money_field.tsx";
import type { Form } from "../../parts/form/use_form.ts";
import type { ProductValues } from "./product_values.ts";
import type { ComponentChildren } from "preact";

interface ProductFieldsProps {
  readonly form: Form<ProductValues>;
  readonly isNew: boolean;
}

/** The inputs, in the order in which they stand; a field without one is missed by the compiler. */
export function ProductFields({ form, isNew }: ProductFieldsProps) {
  const { words, show } = useApp();
  const { products } = words;
  const { columns, form: texts } = products;
  const { currency } = form.values;
  const known = /^[A-Za-z]{3}$/.test(currency) ? currency : show.currency;
  const plain = (place: "main" | "more") =>
    plainInputs(place).map((name) => (
      <TextField key={name} {...form.text(name)} label={words.fields[name]} />
    ));
  const money = (name: "minPrice" | "maxPrice" | "shippingPrice") => (
    <MoneyField {...form.text(name)} label={words.fields[name]} currency={known} />
  );
  const inputs = {
    sku: <TextField {...form.text("sku")} label={products.sku} isRequired hasFocus={isNew} />,
    ean: <TextField {...form.text("ean")} label={words.fields.ean} inputMode="numeric" />,
    title: <TextField {...form.text("title")} label={columns.title} isRequired isWide />,
    main: plain("main"),
    ourPrice: <MoneyField {...form.text("ourPrice")} label={columns.ourPrice} currency={known} />,
    costPrice: (
      <MoneyField
        {...form.text("costPrice")}
        label={words.fields.costPrice}
        currency={known}
      />
    ),
    targetPrice: (
      <MoneyField {...form.text("targetPrice")} label={words.fields.targetPrice} currency={known} />
    ),
    minPrice: money("minPrice"),
    maxPrice: money("maxPrice"),
    shippingPrice: money("shippingPrice"),
    currency: <TextField {...form.text("currency")} label={texts.currency} />,
    vatRatePct: (
      <TextField
        {...form.text("vatRatePct")}
        label={texts.vatRate}
        hint={texts.vatRateHint}
        inputMode="decimal"
      />
    ),
    condition: (
      <SelectField
        {...form.text("condition")}
        label={words.fields.condition}
        options={[
          { value: "", label: words.product.notKnown },
          ...CONDITIONS.map((value) => ({ value, label: words.product.conditions[value] })),
        ]}
      />
    ),
    stock: <TextField {...form.text("stock")} label={words.fields.stock} inputMode="decimal" />,
    more: plain("more"),
    scrapeIntervalHours: (
      <TextField {...form.text("scrapeIntervalHours")} label={texts.interval} inputMode="numeric" />
    ),
    url: <TextField {...form.text("url")} label={texts.url} type="url" isWide />,
    priceLocked: (
      <CheckField
        {...form.flag("priceLocked")}
        label={texts.priceLocked}
        hint={texts.priceLockedHint}
      />
    ),
    scrapeEnabled: <CheckField {...form.flag("scrapeEnabled")} label={texts.scrapeEnabled} />,
  } satisfies Record<OwnInputName | "main" | "more", ComponentChildren>;
  return <>{Object.values(inputs)}</>;
}
