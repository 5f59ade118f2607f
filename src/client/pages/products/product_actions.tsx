import { useLocation } from "preact-iso";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import type { OneProduct } from "./one_product.ts";
import { heldUntilOf } from "./product.ts";
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
  const { words, questions } = useApp();
  const { route } = useLocation();
  const remove = useChange({
    run: (call) =>
      call((api) => api.DELETE("/api/products/{id}", { params: { path: { id: product.id } } })),
    touches: ["products"],
    onDone: () => route("/products"),
  });
  const askAndRemove = async () => {
    const isSure = await questions.ask({
      title: words.product.deleteSure,
      text: words.product.deleteText,
      yes: words.product.delete,
      isDangerous: true,
    });
    if (isSure) remove.mutate(undefined);
  };
  return (
    <Button isBusy={remove.isPending} onClick={() => void askAndRemove()}>
      {words.product.delete}
    </Button>
  );
}
