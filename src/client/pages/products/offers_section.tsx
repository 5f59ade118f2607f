/**
 * Lists the compared offers and our price, sorted by price. Below, the table lists offers that are
 * not compared, each with the reason. Disabled links and links to disabled shops have a row, but no
 * offer.
 */
import type { Fraction } from "../../../base/fraction.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import { useApp, useList } from "../../app/app.ts";
import { Badge, Button, SafeLink } from "../../parts/controls.tsx";
import { EmptyState, ErrorNote, Section } from "../../parts/page.tsx";
import { Gap, StockDot } from "../../parts/price_figures.tsx";
import { OwnBadge, ShopBadge } from "../../parts/shops.tsx";
import { MatchPanel } from "./match_panel.tsx";
import type { OneProduct } from "./one_product.tsx";
import { type Rival, ScrapeProgress, unitOf, useProduct } from "./product_context.tsx";
import { useState } from "preact/hooks";
import { get, where } from "../../api/call.ts";
import { CONDITIONS } from "../../../base/codes.ts";
import { variantText } from "../../../engine/wording/page_words.ts";
import { momentText } from "../../formats/day.ts";
import { useOutages } from "../../parts/shop/shop_check.tsx";
import { isInQuestion, SayButtons, useReasonText } from "../../parts/identity.tsx";
import { scrapeErrorText } from "../../parts/shop/read_again.tsx";

export function OffersSection() {
  const { words } = useApp();
  const texts = words.productPage;
  const { product, rivals, mayChange } = useProduct();
  const [panel, setPanel] = useState<CompetitorProduct | "new" | null>(null);
  const list = useList(
    (page) => get("/api/competitor-products", where({ productId: product.id, ...page })),
    { limit: MATCHES_MAX },
  );
  const byId = new Map(list.rows.map((match) => [match.id, match]));
  const counting = new Set(rivals.map(({ offer }) => offer.competitorProductId));
  const others = list.rows.filter(({ id }) => !counting.has(id));
  const isEmpty = !list.isPending && list.rows.length === 0 && rivals.length === 0;
  return (
    <Section
      isCard
      title={words.fields.offers}
      note={`${texts.byPrice} · ${words.position.gapBase}`}
      actions={mayChange && (
        <Button kind="quiet" icon="plus" onClick={() => setPanel("new")}>
          {words.product.addMatch}
        </Button>
      )}
    >
      <ScrapeProgress />
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : isEmpty
        ? (
          <EmptyState
            icon="competitors"
            title={words.product.noOffers}
            text={words.product.noOffersText}
          />
        )
        : <OfferTable others={others} byId={byId} onEdit={setPanel} />}
      {panel !== null && (
        <MatchPanel
          match={panel === "new" ? null : panel}
          onClose={() => setPanel(null)}
        />
      )}
    </Section>
  );
}

interface TableProps {
  readonly others: readonly CompetitorProduct[];
  readonly byId: ReadonlyMap<string, CompetitorProduct>;
  onEdit(match: CompetitorProduct): void;
}

function OfferTable({ others, byId, onEdit }: TableProps) {
  const { words: { productPage: texts, actions, fields, moves, price } } = useApp();
  const { product, rivals, position, mayChange } = useProduct();
  const seen = new Map(
    (product.competitorOffers ?? []).map((one) => [one.competitorProductId, one]),
  );
  const cheaper = position === null ? rivals.length : position.rank - 1;
  const row = (offer: MarketOffer, unit: Fraction | null, match: CompetitorProduct | null) => (
    <OfferRow key={offer.competitorProductId} {...{ offer, unit, match, onEdit }} />
  );
  const ofRival = ({ offer, unit }: Rival) =>
    row(offer, unit, byId.get(offer.competitorProductId) ?? null);
  return (
    <div class="simple-scroll framed" tabIndex={0} role="region" aria-label={fields.offers}>
      <table class="table offers fine" aria-label={fields.offers}>
        <thead>
          <tr>
            <th scope="col">{fields.competitor}</th>
            <th scope="col" class="number" aria-sort="ascending">{price} ↑</th>
            <th scope="col" class="number">{texts.ofUs}</th>
            <th scope="col" class="number wide-only">{moves.columns.at}</th>
            <th scope="col" class="wide-only">{texts.counts}</th>
            {mayChange && (
              <th scope="col" class="wide-only">
                <span class="sr-only">{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rivals.slice(0, cheaper).map(ofRival)}
          {product.ourPriceCents !== null && <OwnRow />}
          {rivals.slice(cheaper).map(ofRival)}
          {others.length > 0 && (
            <tr class="cut">
              <th scope="rowgroup" colSpan={mayChange ? 6 : 5}>
                {texts.notCounting(others.length)}
              </th>
            </tr>
          )}
          {others.map((match) => {
            const offer = seen.get(match.id) ?? offerOf(match, product);
            return row(offer, unitOf(offer), match);
          })}
        </tbody>
      </table>
    </div>
  );
}

function offerOf(match: CompetitorProduct, { deletedAt }: OneProduct): MarketOffer {
  const { id, competitorId, competitor, currentPrice, currency, packFactor, inStock } = match;
  return {
    competitorProductId: id,
    competitorId,
    competitor,
    priceCents: currentPrice,
    unitCents: null,
    shippingCents: match.shipping,
    lacksShipping: false,
    currency,
    packFactor,
    inStock,
    observedAt: match.lastCheckedAt,
    counts: false,
    why: !match.enabled ? "off" : deletedAt === null ? "shopOff" : "deleted",
  };
}

function OwnRow() {
  const { words: { productPage: texts }, show, workspace } = useApp();
  const { product: { ourPriceCents, currency }, ourCents, mayChange } = useProduct();
  return (
    <tr class="own-row">
      <th scope="row">
        <span class="offer-name row gap-8">
          <OwnBadge />
          <span>{texts.usRow(workspace.value?.name ?? "")}</span>
        </span>
      </th>
      <td class="number">
        <strong>{show.money(ourCents, currency)}</strong>
        {ourCents !== ourPriceCents && (
          <small class="below">{texts.withoutShipping(show.money(ourPriceCents, currency))}</small>
        )}
      </td>
      <td />
      <td class="wide-only" />
      <td class="wide-only" />
      {mayChange && <td class="wide-only" />}
    </tr>
  );
}

function OfferRow({ offer, unit, match, onEdit }: OfferCell & Pick<TableProps, "onEdit">) {
  const { words: { productPage: texts }, show } = useApp();
  const { ourCents, mayChange } = useProduct();
  const { competitor, competitorId, inStock, observedAt, counts } = offer;
  const why = counts ? null : <WhyNot offer={offer} match={match} />;
  return (
    <tr class={counts ? undefined : "soft"}>
      <th scope="row">
        <span class="offer-name row gap-8">
          <ShopBadge id={competitorId} name={competitor} />
          <StockDot inStock={offer.why === "stale" ? null : inStock} />
          {match ? <SafeLink url={match.url}>{competitor}</SafeLink> : <span>{competitor}</span>}
          {match?.matchType === "equivalent" && <Badge>{texts.equivalent}</Badge>}
        </span>
        {match && <Terms match={match} />}
        <small class="phone-only">
          {observedAt !== null && show.ago(observedAt)}
          {observedAt !== null && why !== null && " · "}
          {why}
        </small>
      </th>
      <td class="number">
        <OfferPrice offer={offer} unit={unit} match={match} />
      </td>
      <td class="number">{counts && <Gap ourCents={ourCents} theirs={unit} />}</td>
      <td class="number wide-only">{observedAt === null ? "–" : show.ago(observedAt)}</td>
      <td class="wide-only">{why ?? <Counting match={match} />}</td>
      {mayChange && (
        <td class="wide-only">
          {match && (
            <Button
              kind="quiet"
              icon="edit"
              label={texts.editLink(competitor)}
              onClick={() => onEdit(match)}
            />
          )}
        </td>
      )}
    </tr>
  );
}

/** Maximum number of linked pages per product (docs/decisions/competitors.md). */
const MATCHES_MAX = 200;

interface OfferCell {
  readonly offer: MarketOffer;
  readonly unit: Fraction | null;
  readonly match: CompetitorProduct | null;
}

function Terms({ match }: { match: CompetitorProduct }) {
  const { words, language } = useApp();
  const { condition, seller, warnings, identity } = match;
  const variant = identity?.page?.variant;
  const state = CONDITIONS.find((one) => one === condition);
  const terms = [
    variant && variantText(variant, language.value),
    state && words.codes.conditions[state],
    seller !== null && words.productPage.soldBy(seller),
    ...warnings.map((one) => words.runs.pageWarnings[one]),
  ].filter((part) => part);
  return terms.length === 0 ? null : <small class="below sale-terms">{terms.join(", ")}</small>;
}

function OfferPrice({ offer, unit, match }: OfferCell) {
  const { product } = useProduct();
  const { show, words: { product: { perPack }, productPage: texts }, workspace } = useApp();
  const { priceCents, unitCents, currency, packFactor, counts, lacksShipping } = offer;
  const isDelivered = workspace.value?.compareDelivered === true && unitCents !== null;
  const { shipping = null, listPrice = null, lowest30 = null } = match ?? {};
  const isOwnUnit = unitCents !== null && unit !== null;
  const price = isOwnUnit
    ? show.money(unitCents, product.currency)
    : show.money(priceCents, currency);
  const seen = show.money(priceCents, currency);
  return (
    <>
      {counts ? <strong>{price}</strong> : priceCents === null ? price : <s>{price}</s>}
      {packFactor !== 1 && priceCents !== null && (
        <small class="below">{perPack(packFactor, seen)}</small>
      )}
      {listPrice !== null && (
        <small class="below">{texts.insteadOf(show.money(listPrice, currency))}</small>
      )}
      {lowest30 !== null && (
        <small class="below">{texts.lowest30(show.money(lowest30, currency))}</small>
      )}
      {shipping !== null && (
        <small class="below">
          {shipping === 0
            ? texts.freeShipping
            : isDelivered
            ? texts.withShipping(show.money(shipping, currency))
            : texts.shipping(show.money(shipping, currency))}
        </small>
      )}
      {lacksShipping && <small class="below">{texts.lacksShipping}</small>}
    </>
  );
}

function Counting({ match }: Pick<OfferCell, "match">) {
  const { words } = useApp();
  const reason = useReasonText(match);
  const { verdict = null, confirmedBy = null } = match?.identity ?? {};
  const isSure = verdict === null || verdict === "same" || match?.matchType !== "exact";
  return (
    <>
      <Badge tone="good">{words.product.yes}</Badge>
      {confirmedBy !== null
        ? <span class="below">{words.product.identity.isConfirmed}</span>
        : !isSure && <span class="below" title={reason ?? ""}>{words.product.identity.check}</span>}
    </>
  );
}

function WhyNot({ offer, match }: Pick<OfferCell, "offer" | "match">) {
  const { words } = useApp();
  const { mayChange } = useProduct();
  const reason = useReasonText(match);
  if (match === null || !isInQuestion(match)) return <PlainWhyNot offer={offer} match={match} />;
  return (
    <>
      {words.terms.leftOut.other_product}
      {reason !== null && <span class="below">{reason}</span>}
      {mayChange && <SayButtons match={match} of={match.competitor} />}
    </>
  );
}

function PlainWhyNot({ offer, match }: Pick<OfferCell, "offer" | "match">) {
  const { words, show } = useApp();
  const texts = words.productPage;
  const status = match?.lastStatus ?? null;
  const outage = useOutages().get(offer.competitorId);
  const why = offer.why ?? "";
  const text = match?.identity?.rejectedBy
    ? words.product.identity.isRejected
    : why === "off"
    ? texts.off
    : why === "shopOff"
    ? texts.shopOff
    : why === "deleted"
    ? words.product.deleted
    : words.terms.leftOut[why] ?? why;
  return (
    <>
      {text}
      {status !== null && status !== "ok" && (
        <span class="below" title={match?.lastError ?? undefined}>
          {outage === undefined
            ? scrapeErrorText(words, status)
            : words.overview.data.down(momentText(show, outage))}
        </span>
      )}
    </>
  );
}
