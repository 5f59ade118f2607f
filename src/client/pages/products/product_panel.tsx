/**
 * The panel that creates a product or edits its fields. Saving sends only changed fields, and asks
 * which version to keep if the product was changed meanwhile. If a price may have the wrong unit,
 * saving needs a confirmation.
 */
import { FormDialog, type SaveOver, useSaveOver } from "../../parts/form/form_dialog.tsx";
import { byId, byPath, get, type Wire } from "../../api/call.ts";
import { CONDITIONS } from "../../../base/codes.ts";
import { type OwnInputName, plainInputs } from "../../../catalogue/products/product_field_table.ts";
import { ApiError } from "../../api/api_error.ts";
import { useApp, useRefresh } from "../../app/app.ts";
import { LinkButton } from "../../parts/controls.tsx";
import {
  CheckField,
  type Form,
  MoneyField,
  SelectField,
  TextField,
  useForm,
} from "../../parts/form/fields.tsx";
import { type Product, productBody, type ProductValues, productValues } from "./product.ts";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useId } from "preact/hooks";

export function ProductPanel({ product, onClose }: { product: Product | null; onClose(): void }) {
  const { words, show, toasts } = useApp();
  const { form: texts } = words.products;
  const formId = useId();
  const over = useSaveOver({
    read: get("/api/products/{id}", byId(product?.id ?? "")),
    write: (api, { body, allowLargeChange }: ProductSave) =>
      api.PATCH("/api/products/{id}", {
        ...byPath({ id: product?.id ?? "" }, { allowLargeChange }),
        body,
      }),
    resource: `product:${product?.id}`,
    document: product,
    formId,
    textOf: (one) => JSON.stringify(productValues(one, show)),
    onTheirs: (one) => form.reset(productValues(one, show)),
  });
  const save = useSaveProduct(product && over);
  const form = useForm({
    initial: productValues(product, show),
    save: async (values, changed) => {
      const saved = await save(productBody(values, product === null ? values : changed, show));
      if (saved === null) return false;
      toasts.tell(product === null ? texts.created(saved.sku) : words.saved);
      onClose();
      return true;
    },
  });
  return (
    <FormDialog
      place="panel"
      title={product === null ? texts.newTitle : texts.editTitle}
      form={form}
      formId={formId}
      save={product === null ? words.create : words.save}
      isGuarded
      onClose={onClose}
      actions={product && (
        <a class="button plain start" href={`/products/${product.id}`}>{texts.openPage}</a>
      )}
      below={
        <>
          {over.note}
          <HolderLink error={form.error} onClose={onClose} />
        </>
      }
    >
      <ProductFields form={form} isNew={product === null} />
    </FormDialog>
  );
}

function HolderLink({ error, onClose }: { readonly error: ApiError | null; onClose(): void }) {
  const { restore, openPage } = useApp().words.products.form;
  const { route } = useLocation();
  if (error?.code !== "sku_exists") return null;
  const { productId, deleted } = error.details;
  if (typeof productId !== "string") return null;
  const open = () => {
    onClose();
    route(`/products/${productId}${deleted ? "?deleted=true" : ""}`);
  };
  return (
    <p>
      <LinkButton onClick={open}>{deleted ? restore : openPage}</LinkButton>
    </p>
  );
}

type ProductBody = Wire<"ProductChange">;

interface ProductSave {
  readonly body: ProductBody;
  readonly allowLargeChange: boolean | undefined;
}

/**
 * Creates a product, or changes `over`. Resolves to null if the person cancels or another person
 * saved first.
 */
function useSaveProduct(
  over: SaveOver<Product, ProductSave> | null,
): (body: ProductBody) => Promise<Product | null> {
  const { call, words, questions } = useApp();
  const refresh = useRefresh("products");
  const send = async (body: ProductBody, allowLargeChange?: boolean) => {
    const { sku = "", title = "" } = body;
    const saved = over === null
      ? await call((api) => api.POST("/api/products", { body: { ...body, sku, title } }))
      : await over.save({ body, allowLargeChange });
    if (saved !== null) await refresh();
    return saved;
  };
  return async (body) => {
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "price_unit_suspicious") throw error;
      const { large, largeText, largeYes } = words.products.form;
      const isMeant = await questions.ask({ title: large, text: largeText, yes: largeYes });
      return isMeant ? await send(body, true) : null;
    }
  };
}

/** In display order. The compiler reports an error if a field is missing. */
function ProductFields({ form, isNew }: { form: Form<ProductValues>; isNew: boolean }) {
  const { words, show } = useApp();
  const { products } = words;
  const { form: texts } = products;
  const { currency } = form.values;
  const known = /^[A-Za-z]{3}$/.test(currency) ? currency : show.currency;
  const plain = (place: "main" | "more") =>
    plainInputs(place).map((name) => (
      <TextField key={name} {...form.text(name, words.fields[name])} />
    ));
  const money = (name: "minPrice" | "maxPrice" | "shippingPrice") => (
    <MoneyField {...form.text(name, words.fields[name])} currency={known} />
  );
  const inputs = {
    sku: <TextField {...form.text("sku", words.fields.sku)} isRequired hasFocus={isNew} />,
    ean: <TextField {...form.text("ean", words.fields.ean)} inputMode="numeric" />,
    title: <TextField {...form.text("title", words.fields.title)} isRequired isWide />,
    main: plain("main"),
    ourPrice: <MoneyField {...form.text("ourPrice", words.fields.ourPrice)} currency={known} />,
    costPrice: <MoneyField {...form.text("costPrice", words.fields.costPrice)} currency={known} />,
    targetPrice: (
      <MoneyField {...form.text("targetPrice", words.fields.targetPrice)} currency={known} />
    ),
    minPrice: money("minPrice"),
    maxPrice: money("maxPrice"),
    shippingPrice: money("shippingPrice"),
    currency: <TextField {...form.text("currency", words.fields.currency)} />,
    vatRatePct: (
      <TextField
        {...form.text("vatRatePct", words.fields.vatRatePct, texts.vatRateHint)}
        inputMode="decimal"
      />
    ),
    condition: (
      <SelectField
        {...form.text("condition", words.fields.condition)}
        options={[
          { value: "", label: words.product.notKnown },
          ...CONDITIONS.map((value) => ({ value, label: words.product.conditions[value] })),
        ]}
      />
    ),
    stock: <TextField {...form.text("stock", words.fields.stock)} inputMode="decimal" />,
    more: plain("more"),
    scrapeIntervalHours: (
      <TextField
        {...form.text("scrapeIntervalHours", words.fields.scrapeIntervalHours)}
        inputMode="numeric"
      />
    ),
    url: <TextField {...form.text("url", texts.url)} type="url" isWide />,
    priceLocked: (
      <CheckField {...form.flag("priceLocked", words.fields.priceLocked, texts.priceLockedHint)} />
    ),
    scrapeEnabled: <CheckField {...form.flag("scrapeEnabled", texts.scrapeEnabled)} />,
  } satisfies Record<OwnInputName | "main" | "more", ComponentChildren>;
  return <>{Object.values(inputs)}</>;
}
