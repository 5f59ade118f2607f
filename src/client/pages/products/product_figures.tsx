import type { LowestPriceAnswer } from "../../../catalogue/lists/find_lowest_price.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Figure, Figures } from "../../parts/figures.tsx";
import { type Product, productMarginPct } from "./product.ts";

/** The figures that decide about a price, in one line. */
export function ProductFigures({ product }: { product: Product }) {
  const { words, show, workspace } = useApp();
  const { columns } = words.products;
  const { currency } = product;
  const lowest = useDocument<LowestPriceAnswer>({
    key: ["products", product.id, "lowest"],
    path: `/api/products/${product.id}/lowest-price`,
    query: { includeDeleted: product.deletedAt ? true : undefined },
  });
  return (
    <Figures>
      <Figure
        label={columns.ourPrice}
        value={show.money(product.ourPriceCents, currency)}
        note={product.priceLocked ? columns.locked : show.ago(product.ourPriceUpdatedAt)}
      />
      <Figure label={columns.costPrice} value={show.money(product.costPriceCents, currency)} />
      <Figure
        label={columns.margin}
        value={show.share(productMarginPct(product, workspace.value))}
      />
      <Figure label={columns.targetPrice} value={show.money(product.targetPriceCents, currency)} />
      <Figure
        tone="broad"
        label={words.product.lowest}
        value={lowest.data ? show.money(lowest.data.lowestCents, currency) : "…"}
        note={lowest.data && <LowestNote lowest={lowest.data} />}
      />
    </Figures>
  );
}

function LowestNote({ lowest }: { lowest: LowestPriceAnswer }) {
  const { words, show } = useApp();
  const { product } = words;
  const gross = lowest.lowestGrossCents;
  return (
    <>
      {lowest.lowestCents === null
        ? product.lowestNone
        : product.lowestBefore(show.date(lowest.at))}
      {typeof gross === "number" && `, ${product.gross} ${show.money(gross, lowest.currency)}`}
      . {!lowest.complete && product.lowestIncomplete}
      <span class="below">{product.lowestNote}</span>
    </>
  );
}
