import { useLocation } from "preact-iso";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { RemoveButton } from "../../parts/remove_button.tsx";
import type { OneProduct } from "./one_product.ts";
import { heldUntilOf } from "./product.ts";
import { productValues } from "./product_values.ts";
import { ScrapeButton, type useScrapeNow } from "./scrape_now.tsx";

interface ActionsProps {
  readonly product: OneProduct;
  readonly scrape: ReturnType<typeof useScrapeNow>;
  readonly nowMs: number;
  onData(): void;
  onHold(): void;
}

/** What can be done with the product as a whole. */
export function ProductActions({ product, scrape, nowMs, onData, onHold }: ActionsProps) {
  const { words, show, may } = useApp();
  const { route } = useLocation();
  const restore = useChange({
    run: (call) =>
      call((api) =>
        api.POST("/api/products/{id}/restore", { params: { path: { id: product.id } } })
      ),
    touches: ["products"],
    onDone: () => route(`/products/${product.id}`, true),
  });
  if (!may("manager")) return null;
  if (product.deletedAt) {
    return (
      <Button kind="main" isBusy={restore.isPending} onClick={() => restore.mutate(undefined)}>
        {words.product.restore}
      </Button>
    );
  }
  const held = heldUntilOf(product, nowMs);
  return (
    <>
      <ScrapeButton scrape={scrape} />
      <Button icon="lock" onClick={onHold}>
        {held === null ? words.holding.button : words.holding.change(show.date(held))}
      </Button>
      <Button icon="edit" onClick={onData}>{words.productPage.data}</Button>
    </>
  );
}

/** Takes the product out of the lists; its history stays. */
export function DeleteProduct({ product }: Pick<ActionsProps, "product">) {
  const { words, show } = useApp();
  const { route } = useLocation();
  const params = { path: { id: product.id } };
  const { deleteSure: title, deleteText: text, delete: yes } = words.product;
  return (
    <RemoveButton
      document={product}
      read={(api) => api.GET("/api/products/{id}", { params })}
      write={(api) => api.DELETE("/api/products/{id}", { params })}
      textOf={(one) => JSON.stringify(productValues(one, show))}
      question={{ title, text, yes }}
      touches={["products"]}
      onDone={() => route("/products")}
    />
  );
}
