import { useApp } from "../../frame/app.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { MoneyField } from "../../parts/form/money_field.tsx";
import type { Form } from "../../parts/form/use_form.ts";
import type { ProductValues } from "./product_values.ts";

interface ProductFieldsProps {
  readonly form: Form<ProductValues>;
  readonly isNew: boolean;
}

export function ProductFields({ form, isNew }: ProductFieldsProps) {
  const { words, show } = useApp();
  const { products } = words;
  const { columns, form: texts } = products;
  const { currency } = form.values;
  const known = /^[A-Za-z]{3}$/.test(currency) ? currency : show.currency;
  return (
    <>
      <TextField {...form.text("sku")} label={products.sku} isRequired hasFocus={isNew} />
      <TextField {...form.text("ean")} label={columns.ean} inputMode="numeric" />
      <TextField {...form.text("title")} label={columns.title} isRequired isWide />
      <TextField {...form.text("brand")} label={products.brand} />
      <TextField {...form.text("category")} label={products.category} />
      <MoneyField {...form.text("ourPrice")} label={columns.ourPrice} currency={known} />
      <MoneyField {...form.text("costPrice")} label={columns.costPrice} currency={known} />
      <MoneyField {...form.text("targetPrice")} label={columns.targetPrice} currency={known} />
      <TextField {...form.text("currency")} label={texts.currency} />
      <TextField
        {...form.text("vatRatePct")}
        label={texts.vatRate}
        hint={texts.vatRateHint}
        inputMode="decimal"
      />
      <TextField {...form.text("tier")} label={products.tier} />
      <TextField {...form.text("mpn")} label={columns.mpn} />
      <TextField {...form.text("scrapeIntervalHours")} label={texts.interval} inputMode="numeric" />
      <TextField {...form.text("url")} label={texts.url} type="url" isWide />
      <CheckField
        {...form.flag("priceLocked")}
        label={texts.priceLocked}
        hint={texts.priceLockedHint}
      />
      <CheckField {...form.flag("scrapeEnabled")} label={texts.scrapeEnabled} />
    </>
  );
}
