import { useId, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { asApiError } from "../../api/api_error.ts";
import { Overtaken } from "../../api/save_over.ts";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { OvertakenNote } from "../../parts/overtaken_note.tsx";
import type { Product } from "./product.ts";
import { ProductFields } from "./product_fields.tsx";
import { productBody, productValues } from "./product_values.ts";
import { useSaveProduct } from "./use_save_product.ts";

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
  const [seen, setSeen] = useState(product);
  const [newer, setNewer] = useState<Product | null>(null);
  const save = useSaveProduct(seen);
  const closing = useClosing(onClose);
  const form = useForm({
    initial: productValues(product, show),
    save: async (values, changed) => {
      const saved = await save(productBody(values, product === null ? values : changed, show))
        .catch((error: unknown) => {
          if (!(error instanceof Overtaken)) throw error;
          setNewer(error.latest);
          return null;
        });
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
      {newer && seen && (
        <OvertakenNote
          resource={`product:${newer.id}`}
          since={seen.updatedAt}
          onTheirs={() => {
            setSeen(newer);
            setNewer(null);
            form.reset(productValues(newer, show));
          }}
          onMine={() => {
            setSeen(newer);
            setNewer(null);
            requestAnimationFrame(() => submitForm(formId));
          }}
        />
      )}
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

/** As its button would. */
function submitForm(id: string): void {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}
