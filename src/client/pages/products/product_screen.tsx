/**
 * Shows a product's page, with key figures and a bar of all compared prices. The keys `a`, `r` and
 * `s` decide the open proposal, `e` edits our price, and `u` undoes the last change on this page.
 * The keys `j` and `k` open the next and the previous product of the list.
 */
import { DocumentPending, Figure, Figures, PageHead, Section } from "../../parts/page.tsx";
import { Gap, LowestPrice, placeInRange, RangeBar } from "../../parts/price_figures.tsx";
import { byId, byPath, get } from "../../api/call.ts";
import { listKeyOf, useApp, useDocument } from "../../app/app.ts";
import { useKeys } from "../../parts/hooks.ts";
import { Badge, Button, Icon } from "../../parts/controls.tsx";
import { BrakesSection } from "../../parts/rule_parts.tsx";
import { ActionButton, RemoveButton } from "../../parts/action_button.tsx";
import { ChartSection } from "./chart_section.tsx";
import {
  DecisionsSection,
  OpenProposal,
  ProductData,
  useDeciding,
  useOpenProposal,
} from "./open_proposal.tsx";
import { focusSoon, HoldDialog, PriceForm } from "./price_edit.tsx";
import { OffersSection } from "./offers_section.tsx";
import type { OneProduct, Product, ProductPage } from "./one_product.tsx";
import {
  type PricePosition,
  ProductContext,
  type Rival,
  useProduct,
  useProductState,
} from "./product_context.tsx";
import { ProductPanel } from "./product_panel.tsx";
import { TimelineSection } from "./timeline_section.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation, useRoute } from "preact-iso";
import { useRef, useState } from "preact/hooks";
import { ShopBadge } from "../../parts/shops.tsx";

export function ProductScreen() {
  const { params: { id = "" } } = useRoute();
  const { words } = useApp();
  const found = useDocument(
    get("/api/products/{id}", byPath({ id }, { includeDeleted: true, offers: true })),
  );
  if (found.data) return <Found key={id} product={found.data} />;
  return (
    <DocumentPending
      title={words.products.title}
      back={{ href: "/products", text: words.products.title }}
      of={found}
    />
  );
}

function Found({ product }: { product: OneProduct }) {
  const { words } = useApp();
  const state = useProductState(product);
  const { isActive, mayChange } = state;
  return (
    <ProductContext value={state}>
      <div class="page wide product-page">
        <ProductHead />
        {!isActive && <p class="note warn">{words.product.deleted}</p>}
        <ProductPosition />
        <div class="product-columns">
          <div class="product-main stack gap-12">
            <OffersSection />
            <ChartSection />
            <BrakesSection of={{ productId: product.id }} />
            <DecisionsSection />
            <ProductData actions={mayChange && <DeleteProduct />} />
          </div>
          <div class="product-side stack gap-12">
            {isActive && <OwnPrice />}
            <TimelineSection />
          </div>
        </div>
      </div>
    </ProductContext>
  );
}

function OwnPrice() {
  const { words } = useApp();
  const { product, doing, mayChange } = useProduct();
  const box = useRef<HTMLDivElement>(null);
  const open = useOpenProposal(product);
  const decide = useDeciding(mayChange ? open.proposal : null);
  const writePrice = () => focusSoon(box, "price");
  const unlessBusy = (act?: () => void) => () => {
    if (!doing.isBusy) act?.();
  };
  useKeys(
    !mayChange ? {} : {
      a: unlessBusy(decide?.approve),
      r: unlessBusy(decide?.reject),
      s: unlessBusy(decide?.later),
      e: writePrice,
      u: doing.undo,
    },
  );
  return (
    <>
      <OpenProposal open={open} decide={decide} onOther={writePrice} />
      <div class="price-edit-place">
        {mayChange
          ? <PriceForm proposal={open.proposal} box={box} />
          : (
            <Section isCard title={words.fields.ourPrice}>
              <LowestPrice productId={product.id} />
            </Section>
          )}
      </div>
    </>
  );
}

function ProductHead() {
  const { words, show } = useApp();
  const { product, held } = useProduct();
  return (
    <PageHead
      title={product.title}
      beside={
        <>
          <span class="soft">{[product.sku, product.category].filter(Boolean).join(" · ")}</span>
          {held !== null && <Badge tone="warn">{words.position.held(show.date(held))}</Badge>}
        </>
      }
      back={{ href: "/products", text: words.products.title }}
    >
      <ProductSteps id={product.id} />
      <ProductActions />
    </PageHead>
  );
}

function useNeighbours(id: string) {
  const client = useQueryClient();
  const lists = client.getQueryCache().findAll({ queryKey: listKeyOf(get("/api/products")) })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { queryKey } of lists) {
    const pages = client.getQueryData<{ pages?: readonly ProductPage[] }>(queryKey)?.pages ?? [];
    const products = pages.flatMap(({ items }) => items);
    const at = products.findIndex((one) => one.id === id);
    if (at < 0) continue;
    return {
      place: at + 1,
      total: pages[0]?.total ?? null,
      previous: products[at - 1],
      next: products[at + 1],
    };
  }
  return null;
}

function ProductSteps({ id }: { id: string }) {
  const texts = useApp().words.productPage;
  const { route } = useLocation();
  const found = useNeighbours(id);
  const go = (to: Product | undefined) => () => {
    if (to !== undefined) route(`/products/${to.id}`);
  };
  useKeys({ j: go(found?.next), k: go(found?.previous) });
  if (found === null) return null;
  const { place, total, previous, next } = found;
  const step = (to: Product | undefined, icon: "left" | "next", label: string) => (
    <Button icon={icon} label={label} isDisabled={to === undefined} onClick={go(to)} />
  );
  return (
    <span class="product-steps row fine nowrap gap-6">
      {total !== null && <span class="soft">{texts.place(place, total)}</span>}
      {step(previous, "left", texts.previous)}
      {step(next, "next", texts.next)}
    </span>
  );
}

function ProductActions() {
  const { words, show, may } = useApp();
  const { product, scrape, held, isActive } = useProduct();
  const [dialog, setDialog] = useState<"data" | "hold" | null>(null);
  const close = () => setDialog(null);
  if (!may("manager")) return null;
  if (!isActive) {
    return (
      <ActionButton
        kind="main"
        ask={(api) => api.POST("/api/products/{id}/restore", byId(product.id))}
      >
        {words.product.restore}
      </ActionButton>
    );
  }
  return (
    <div class="flow gap-8 product-actions">
      <Button icon="runs" isBusy={scrape.isBusy} onClick={scrape.start}>{words.runs.now}</Button>
      <Button icon="lock" onClick={() => setDialog("hold")}>
        {held === null ? words.holding.button : words.holding.change(show.date(held))}
      </Button>
      <Button icon="edit" onClick={() => setDialog("data")}>{words.product.data}</Button>
      {dialog === "data" && <ProductPanel product={product} onClose={close} />}
      {dialog === "hold" && <HoldDialog onClose={close} />}
    </div>
  );
}

function DeleteProduct() {
  const { words: { product: { deleteSure: title, deleteText: text, delete: yes } } } = useApp();
  const { product } = useProduct();
  const { route } = useLocation();
  return (
    <RemoveButton
      ask={(api) => api.DELETE("/api/products/{id}", byId(product.id))}
      question={{ title, text, yes }}
      onDone={() => route("/products")}
    />
  );
}

function ProductPosition() {
  const { words: { position: texts, fields, codes, market: { columns } }, show } = useApp();
  const { product, rivals, ourCents, position, marginAt } = useProduct();
  const { ourPriceCents, costPriceCents, currency, market } = product;
  const state = market === null ? "–" : codes.marketStates[market.state];
  const margin = marginAt(ourPriceCents);
  return (
    <section class="position" aria-label={texts.label}>
      <Figures>
        <Figure
          label={fields.ourPrice}
          value={show.money(ourPriceCents, currency)}
          note={<PriceNote />}
        />
        <Figure
          label={fields.margin}
          value={show.share(margin)}
          note={costPriceCents === null
            ? texts.noCost
            : texts.cost(show.money(costPriceCents, currency))}
          tone={margin !== null && margin < 0 && "bad"}
        />
        <Figure
          label={fields.rank}
          value={position === null ? "–" : texts.partOf(position.rank, position.of)}
          note={rivals.length > 0 && market ? texts.counting(market.offers) : state}
        />
        <Figure
          label={texts.gap}
          value={position === null
            ? "–"
            : <Gap ourCents={ourCents} theirs={position.cheapest.unit} />}
          note={position === null ? state : <GapNote position={position} currency={currency} />}
        />
        {typeof market?.indexPct === "number" && (
          <Figure
            label={columns.index}
            value={show.tenths(market.indexPct)}
            note={texts.indexNote}
          />
        )}
        {rivals.length > 0 && (
          <Figure tone="broad" label={texts.range} value={<PriceRange />} note={<RangeEnds />} />
        )}
      </Figures>
    </section>
  );
}

function PriceRange() {
  const { words, show } = useApp();
  const { rivals, ourCents, product: { currency } } = useProduct();
  const all = rivals.map(({ offer, cents }) => ({ name: offer.competitor, cents }));
  const ours = ourCents === null ? [] : [{ name: words.position.usSpoken, cents: ourCents }];
  return (
    <RangeBar
      ticks={rivals.map(({ offer, cents }) => ({
        key: offer.competitorProductId,
        cents,
        shopId: offer.competitorId,
      }))}
      ourCents={ourCents}
      spoken={[...all, ...ours].sort((a, b) => a.cents - b.cents)
        .map(({ name, cents }) => `${name} ${show.money(cents, currency)}`).join(", ")}
    />
  );
}

function PriceNote() {
  const { words: { position: texts, codes, products }, show } = useApp();
  const { product, held, changes: [lastChange] } = useProduct();
  const since = lastChange
    ? texts.since(show.date(lastChange.at), codes.priceSources[lastChange.source])
    : show.ago(product.ourPriceUpdatedAt);
  return (
    <>
      {since}
      {(held !== null || product.priceLocked) && (
        <span class="below locked">
          <Icon name="lock" />
          {held === null ? products.locked : texts.held(show.date(held))}
        </span>
      )}
    </>
  );
}

function GapNote({ position, currency }: { position: PricePosition; currency: string }) {
  const { words: { position: texts }, show } = useApp();
  const shop = position.cheapest.offer.competitor;
  const amount = show.money(Math.abs(position.gapCents), currency);
  if (position.gapCents === 0) return <>{texts.same(shop)}</>;
  return <>{position.gapCents > 0 ? texts.above(amount, shop) : texts.below(amount, shop)}</>;
}

const MEDIAN_EDGE = 37;

/** Maximum number of characters of a median price that fits on the first line. */
const ENDS_BESIDE = 8;

function RangeEnds() {
  const { words: { position: texts }, show } = useApp();
  const { rivals, ourCents: ours, product: { market, currency } } = useProduct();
  const all = [...rivals.map(({ cents }) => cents), ...(ours === null ? [] : [ours])];
  const end = (rival: Rival | undefined, isPast: (ours: number, theirs: number) => boolean) => {
    if (!rival) return null;
    if (ours !== null && isPast(ours, rival.cents)) {
      return <span class="nowrap">{texts.us} {show.money(ours, currency)}</span>;
    }
    const { competitor, competitorId } = rival.offer;
    return (
      <span class="nowrap">
        <ShopBadge id={competitorId} name={competitor} /> {show.money(rival.cents, currency)}
      </span>
    );
  };
  const median = market?.medianCents ?? null;
  const place = median === null ? 50 : placeInRange(median, all);
  const anchor = place < MEDIAN_EDGE ? "start" : place > 100 - MEDIAN_EDGE ? "end" : "middle";
  const isLow = anchor !== "middle" || show.money(median, currency).length > ENDS_BESIDE;
  return (
    <span class="range-ends flow spread gap-12 rows-2">
      {end(rivals[0], (our, their) => our < their)}
      {median !== null && rivals.length > 1 && (
        <span class={isLow ? "range-median nowrap low" : "range-median nowrap"}>
          <svg width="100%" height="36">
            <text x={`${place}%`} y={isLow ? 32 : 13} text-anchor={anchor}>
              {texts.middle(show.money(median, currency))}
            </text>
          </svg>
        </span>
      )}
      {new Set(all).size > 1 && end(rivals.at(-1), (our, their) => our > their)}
    </span>
  );
}
