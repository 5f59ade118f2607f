import { useLocation, useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import type { z } from "zod";
import type { SingleProduct } from "../../../catalogue/products/product_answer.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import type { Product } from "./product.ts";
import { ProductPanel } from "./product_panel.tsx";
import { DecisionsSection } from "./decisions_section.tsx";
import { MatchSection } from "./match_section.tsx";
import { PriceHistorySection, PriceSection } from "./price_section.tsx";
import { ProductData } from "./product_data.tsx";
import { ProductFigures } from "./product_figures.tsx";

type OneProduct = z.infer<typeof SingleProduct>;

export function ProductScreen() {
  const { params: { id = "" }, query } = useRoute();
  const { words } = useApp();
  const includeDeleted = query.deleted === "true";
  const found = useDocument<OneProduct>({
    key: ["products", id],
    path: `/api/products/${encodeURIComponent(id)}`,
    query: { includeDeleted: includeDeleted || undefined },
  });
  if (found.data) return <Found key={id} product={found.data} />;
  return (
    <>
      <PageHead
        title={words.products.title}
        back={{ href: "/products", text: words.products.title }}
      />
      {found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
    </>
  );
}

function Found({ product }: { product: OneProduct }) {
  const { words } = useApp();
  const [isEditing, setEditing] = useState(false);
  return (
    <div class="page">
      <PageHead
        title={product.title}
        beside={
          <span class="soft">
            {[product.sku, product.brand, product.category].filter(Boolean).join(" · ")}
          </span>
        }
        back={{ href: "/products", text: words.products.title }}
      >
        <Actions product={product} onEdit={() => setEditing(true)} />
      </PageHead>
      {product.deletedAt && <p class="note warn">{words.product.deleted}</p>}
      <ProductFigures product={product} />
      <PriceSection product={product} />
      <MatchSection product={product} />
      <DecisionsSection product={product} />
      <PriceHistorySection product={product} />
      <ProductData product={product} />
      {isEditing && <ProductPanel product={product} onClose={() => setEditing(false)} />}
    </div>
  );
}

function Actions({ product, onEdit }: { product: Product; onEdit: () => void }) {
  const { words, questions, may } = useApp();
  const { route } = useLocation();
  const path = `/api/products/${product.id}`;
  const remove = useChange({
    run: (call) => call(path, { method: "DELETE" }),
    touches: ["products"],
    onDone: () => route("/products"),
  });
  const restore = useChange({
    run: (call) => call(`${path}/restore`, { method: "POST" }),
    touches: ["products"],
    onDone: () => route(`/products/${product.id}`, true),
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
  if (!may("manager")) return null;
  if (product.deletedAt) {
    return (
      <Button kind="main" isBusy={restore.isPending} onClick={() => restore.mutate(undefined)}>
        {words.product.restore}
      </Button>
    );
  }
  return (
    <>
      <Button isBusy={remove.isPending} onClick={() => void askAndRemove()}>
        {words.product.delete}
      </Button>
      <Button kind="main" onClick={onEdit}>{words.edit}</Button>
    </>
  );
}
