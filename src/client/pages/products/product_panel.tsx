import { useId } from "preact/hooks";
import { useLocation } from "preact-iso";
import { asApiError } from "../../api/api_error.ts";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import type { Product } from "./product.ts";
import { ProductFields } from "./product_fields.tsx";
import { productBody, productValues } from "./product_values.ts";
import { type ProductSave, useSaveProduct } from "./use_save_product.ts";

interface ProductPanelProps {
  /** Null for a new one. */
  readonly product: Product | null;
  onClose(): void;
}

/** A product to be made or changed, beside the list that it stands in. */
export function ProductPanel({ product, onClose }: ProductPanelProps) {
  const { words, show, toasts } = useApp();
  const { form: texts } = words.products;
  const { route } = useLocation();
  const formId = useId();
  const over = useSaveOver({
    read: (api) => api.GET("/api/products/{id}", { params: { path: { id: product?.id ?? "" } } }),
    write: (api, { body, allowLargeChange }: ProductSave) =>
      api.PATCH("/api/products/{id}", {
        params: { path: { id: product?.id ?? "" }, query: { allowLargeChange } },
        body,
      }),
    resource: `product:${product?.id}`,
    document: product,
    formId,
    textOf: (one) => JSON.stringify(productValues(one, show)),
    onTheirs: (one) => form.reset(productValues(one, show)),
  });
  const save = useSaveProduct(product && over);
  const closing = useClosing(onClose);
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
  const holder = form.error?.code === "sku_exists" ? asApiError(form.error).details : null;
  return (
    <Dialog
      kind="panel"
      title={product === null ? texts.newTitle : texts.editTitle}
      onClose={() => closing(form.isDirty)}
      actions={
        <>
          {product && (
            <a class="button plain start" href={`/products/${product.id}`}>{texts.openPage}</a>
          )}
          <Button onClick={() => closing(form.isDirty)}>{words.cancel}</Button>
          <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
            {product === null ? words.create : words.save}
          </Button>
        </>
      }
    >
      <FormFrame form={form} id={formId}>
        <ProductFields form={form} isNew={product === null} />
      </FormFrame>
      {over.note}
      {typeof holder?.productId === "string" && (
        <p>
          <button
            type="button"
            class="link"
            onClick={() => {
              onClose();
              route(`/products/${holder.productId}${holder.deleted ? "?deleted=true" : ""}`);
            }}
          >
            {holder.deleted ? texts.restore : texts.openPage}
          </button>
        </p>
      )}
    </Dialog>
  );
}
