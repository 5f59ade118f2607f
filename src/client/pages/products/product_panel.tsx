/**
 * Saving sends only changed fields, and asks which version to keep if another person has changed
 * the product. If a price seems to be in a wrong unit, such as cents, saving needs a confirmation.
 */
import { FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import { ApiError, byPath, get, type Wire } from "../../api/call.ts";
import { CONDITIONS } from "../../../base/codes.ts";
import {
  AMOUNT_NAMES,
  majorName,
  NUMBER_NAMES,
  type OwnInputName,
  type PlainInputName,
  plainInputs,
} from "../../../catalogue/products/product_field_table.ts";
import type { Show } from "../../../engine/wording/show.ts";
import { decimalText, numberText, readDecimal, readNumber } from "../../formats/decimal.ts";
import { useApp } from "../../app/app.ts";
import { LinkButton } from "../../parts/controls.tsx";
import {
  CheckField,
  DecimalField,
  DigitsField,
  type Form,
  MoneyField,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import type { Product } from "./one_product.tsx";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { fromKeys, pick } from "../../../base/collections.ts";

export function ProductPanel({ product, onClose }: { product: Product | null; onClose(): void }) {
  const { words: { products: { form: texts }, create, save } } = useApp();
  const isNew = product === null;
  const { form, dialog } = useProductForm(product, onClose);
  return (
    <FormDialog
      {...dialog}
      place="panel"
      title={isNew ? texts.newTitle : texts.editTitle}
      save={isNew ? create : save}
      actions={product && (
        <a class="button plain start" href={`/products/${product.id}`}>{texts.openPage}</a>
      )}
      below={
        <>
          {dialog.below}
          <HolderLink error={form.error} onClose={onClose} />
        </>
      }
    >
      <ProductFields form={form} isNew={isNew} />
    </FormDialog>
  );
}

interface ProductSave {
  readonly body: Wire<"ProductChange">;
  readonly allowLargeChange?: boolean;
}

function useProductForm(product: Product | null, onClose: () => void) {
  const { call, words: { products: { form: texts }, saved }, show, questions } = useApp();
  const path = { id: product?.id ?? "" };
  return useSavedForm({
    document: product,
    resource: `product:${product?.id}`,
    read: get("/api/products/{id}", byPath(path)),
    write: (api, { body, allowLargeChange }: ProductSave) =>
      api.PATCH("/api/products/{id}", { ...byPath(path, { allowLargeChange }), body }),
    valuesOf: (one) => productValues(one, show),
    save: async (values, changed, over) => {
      const body = productBody(values, product === null ? values : changed, show);
      if (product === null) {
        const { sku = "", title = "" } = body;
        return await call((api) => api.POST("/api/products", { body: { ...body, sku, title } }));
      }
      try {
        return await over({ body });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "price_unit_suspicious") throw error;
        const { large: title, largeText: text, largeYes: yes } = texts;
        const isMeant = await questions.ask({ title, text, yes });
        return isMeant ? await over({ body, allowLargeChange: true }) : null;
      }
    },
    toast: ({ sku }) => product === null ? texts.created(sku) : saved,
    onClose,
  });
}

function HolderLink({ error, onClose }: { readonly error: ApiError | null; onClose(): void }) {
  const { restore, openPage } = useApp().words.products.form;
  const { route } = useLocation();
  if (error?.code !== "sku_exists") return null;
  const { productId, deleted } = error.details;
  if (typeof productId !== "string") return null;
  const open = () => {
    onClose();
    route(`/products/${productId}`);
  };
  return (
    <p>
      <LinkButton onClick={open}>{deleted ? restore : openPage}</LinkButton>
    </p>
  );
}

function ProductFields({ form, isNew }: { form: Form<ProductValues>; isNew: boolean }) {
  const { words: { products, codes, fields, product }, show } = useApp();
  const { form: texts } = products;
  const { currency } = form.values;
  const known = /^[A-Za-z]{3}$/.test(currency) ? currency : show.currency;
  const plain = (place: "main" | "more") =>
    plainInputs(place).map((name) => <TextField key={name} {...form.text(name, fields[name])} />);
  const money = (
    name: "ourPrice" | "costPrice" | "targetPrice" | "minPrice" | "maxPrice" | "shippingPrice",
  ) => <MoneyField {...form.text(name, fields[name])} currency={known} />;
  const inputs = {
    sku: <TextField {...form.text("sku", fields.sku)} isRequired hasFocus={isNew} />,
    ean: <DigitsField {...form.text("ean", fields.ean)} />,
    title: <TextField {...form.text("title", fields.title)} isRequired isWide />,
    main: plain("main"),
    ourPrice: money("ourPrice"),
    costPrice: money("costPrice"),
    targetPrice: money("targetPrice"),
    minPrice: money("minPrice"),
    maxPrice: money("maxPrice"),
    shippingPrice: money("shippingPrice"),
    currency: <TextField {...form.text("currency", fields.currency)} />,
    vatRatePct: <DecimalField {...form.text("vatRatePct", fields.vatRatePct, texts.vatRateHint)} />,
    condition: (
      <SelectField
        {...form.text("condition", fields.condition)}
        options={pick(codes.conditions, CONDITIONS)}
        none={product.notKnown}
      />
    ),
    stock: <DecimalField {...form.text("stock", fields.stock)} />,
    more: plain("more"),
    scrapeIntervalHours: (
      <DigitsField {...form.text("scrapeIntervalHours", fields.scrapeIntervalHours)} />
    ),
    url: <TextField {...form.text("url", texts.url)} type="url" isWide />,
    priceLocked: (
      <CheckField {...form.flag("priceLocked", fields.priceLocked, texts.priceLockedHint)} />
    ),
    scrapeEnabled: <CheckField {...form.flag("scrapeEnabled", texts.scrapeEnabled)} />,
  } satisfies Record<OwnInputName | "main" | "more", ComponentChildren>;
  return <>{Object.values(inputs)}</>;
}

const MONEY = AMOUNT_NAMES.map(majorName);

export function productValues(product: Product | null, show: Show) {
  const { locale } = show;
  const currency = product?.currency ?? show.currency;
  return {
    ...fromKeys([...plainInputs("main"), ...plainInputs("more")], (name) => product?.[name] ?? ""),
    sku: product?.sku ?? "",
    title: product?.title ?? "",
    ...fromKeys(MONEY, (name) => decimalText(product?.[`${name}Cents`] ?? null, currency, locale)),
    currency,
    ean: product?.ean ?? "",
    url: product?.url ?? "",
    vatRatePct: numberText(product?.vatRatePct, locale),
    condition: product?.condition ?? "",
    stock: numberText(product?.stock, locale),
    priceLocked: product?.priceLocked ?? false,
    scrapeEnabled: product?.scrapeEnabled ?? true,
    scrapeIntervalHours: numberText(product?.scrapeIntervalHours ?? 24, locale),
  } satisfies Record<PlainInputName | OwnInputName, string | boolean>;
}

type ProductValues = ReturnType<typeof productValues>;

const REQUIRED: readonly string[] = ["sku", "title", "currency"];

/**
 * Returns the changed fields, and all prices if the currency has changed. Invalid numbers are sent
 * as typed, so that the service refuses them.
 */
export function productBody(
  values: ProductValues,
  changed: Partial<ProductValues>,
  show: Show,
): Wire<"ProductChange"> {
  const sent = changed.currency === undefined ? changed : { ...pricesOf(values), ...changed };
  const pairs = Object.entries(sent).map(([name, value]) => [name, wireValue(name, value, show)]);
  return Object.fromEntries(pairs);
}

function pricesOf(values: ProductValues): Partial<ProductValues> {
  return Object.fromEntries(MONEY.map((name) => [name, values[name]]));
}

function wireValue(name: string, value: unknown, { locale }: Show): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return REQUIRED.includes(name) ? text : null;
  if (MONEY.some((field) => field === name)) return readDecimal(text, locale) ?? text;
  if (NUMBER_NAMES.includes(name)) return readNumber(text, locale);
  return text;
}
