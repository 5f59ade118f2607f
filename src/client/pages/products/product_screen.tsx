import { useLocation, useRoute } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { useKeys } from "../../app/use_keys.ts";
import { Badge } from "../../parts/badge.tsx";
import { BrakesSection } from "../../parts/brakes_section.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { useShopColours } from "../../parts/use_shops.ts";
import { ChartSection } from "./chart_section.tsx";
import { DecisionsSection } from "./decisions_section.tsx";
import { HoldDialog } from "./hold_dialog.tsx";
import { OffersSection } from "./offers_section.tsx";
import type { OneProduct } from "./one_product.ts";
import { heldUntilOf } from "./product.ts";
import { OpenProposal, useDeciding, useOpenProposal } from "./open_proposal.tsx";
import { focusSoon, PriceEdit } from "./price_edit.tsx";
import { DeleteProduct, ProductActions } from "./product_actions.tsx";
import { ProductData } from "./product_data.tsx";
import { ProductPanel } from "./product_panel.tsx";
import { ProductPosition } from "./product_position.tsx";
import { ProductSteps, useNeighbours } from "./product_steps.tsx";
import { useScrapeNow } from "./scrape_now.tsx";
import { rivalsOf } from "./stand.ts";
import { TimelineSection } from "./timeline_section.tsx";
import { useDoing } from "./use_doing.ts";
import { usePriceChanges } from "./use_price_changes.ts";

export function ProductScreen() {
  const { params: { id = "" }, query } = useRoute();
  const { words } = useApp();
  const includeDeleted = query.deleted === "true";
  const found = useDocument({
    key: ["products", id, { includeDeleted }],
    read: (api) =>
      api.GET("/api/products/{id}", {
        params: {
          path: { id },
          query: { includeDeleted: includeDeleted || undefined, offers: true },
        },
      }),
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

/** Everything about one product: where it stands, what can be done, what became of it. */
function Found({ product }: { product: OneProduct }) {
  const { words, show, may } = useApp();
  const { route } = useLocation();
  const [dialog, setDialog] = useState<"data" | "hold" | null>(null);
  const colours = useShopColours();
  const changes = usePriceChanges(product);
  // What has just been done is in the past of what is read after it.
  const nowMs = useMemo(() => Date.now(), [product, changes.rows]);
  const held = heldUntilOf(product, nowMs);
  const doing = useDoing();
  const scrape = useScrapeNow(product.id);
  const neighbours = useNeighbours(product.id);
  const priceBox = useRef<HTMLDivElement>(null);
  const open = useOpenProposal(product);
  const rivals = rivalsOf(product.competitorOffers ?? []);
  const isActive = product.deletedAt === null;
  const mayChange = may("manager") && isActive;
  const decide = useDeciding(mayChange ? open.proposal : null, doing);
  const writePrice = () => focusSoon(priceBox, "price");
  const go = (id: string | null) => () => {
    if (id !== null) route(`/products/${id}`);
  };
  useKeys({
    j: go(neighbours.next),
    k: go(neighbours.previous),
    ...(mayChange && {
      a: () => !doing.isBusy && decide?.approve(),
      r: () => !doing.isBusy && decide?.reject(),
      s: () => !doing.isBusy && decide?.later(),
      e: writePrice,
      u: doing.undo,
    }),
  });
  const closeDialog = () => setDialog(null);
  return (
    <div class="page wide product-page">
      <PageHead
        title={product.title}
        beside={
          <>
            <span class="soft">
              {[product.sku, product.brand, product.category].filter(Boolean).join(" · ")}
            </span>
            {held !== null && <Badge tone="warn">{words.position.held(show.date(held))}</Badge>}
          </>
        }
        back={{ href: "/products", text: words.productPage.toMarket }}
      >
        <ProductSteps neighbours={neighbours} />
        <ProductActions
          product={product}
          scrape={scrape}
          nowMs={nowMs}
          onData={() => setDialog("data")}
          onHold={() => setDialog("hold")}
        />
      </PageHead>
      {!isActive && <p class="note warn">{words.product.deleted}</p>}
      <ProductPosition
        product={product}
        rivals={rivals}
        colours={colours}
        lastChange={changes.rows[0] ?? null}
        nowMs={nowMs}
      />
      <div class="product-columns">
        <div class="product-main">
          <OffersSection product={product} rivals={rivals} colours={colours} scrape={scrape} />
          <ChartSection
            product={product}
            changes={changes.rows}
            colours={colours}
            nowMs={nowMs}
          />
          <BrakesSection of={{ productId: product.id }} />
          <DecisionsSection product={product} />
          <ProductData
            product={product}
            actions={mayChange && <DeleteProduct product={product} />}
          />
        </div>
        <div class="product-side">
          {isActive && (
            <OpenProposal
              product={product}
              open={open}
              rivals={rivals}
              decide={decide}
              isBusy={doing.isBusy}
              onOther={writePrice}
            />
          )}
          {isActive && (
            <div class="price-edit-place">
              <PriceEdit
                product={product}
                proposal={open.proposal}
                rivals={rivals}
                doing={doing}
                box={priceBox}
                mayEdit={mayChange}
              />
            </div>
          )}
          <TimelineSection
            product={product}
            changes={changes.rows}
            colours={colours}
            doing={doing}
          />
        </div>
      </div>
      {dialog === "data" && <ProductPanel product={product} onClose={closeDialog} />}
      {dialog === "hold" && (
        <HoldDialog product={product} doing={doing} nowMs={nowMs} onClose={closeDialog} />
      )}
    </div>
  );
}
