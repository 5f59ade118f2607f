/** Cells of the table of offers: price, terms of sale, and why an offer does not count. */
import { CONDITIONS } from "../../../base/codes.ts";
import type { Fraction } from "../../../base/fraction.ts";
import type { MarketOffer } from "../../../catalogue/prices/product_market.ts";
import { variantText } from "../../../engine/wording/reading_words.ts";
import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import { useApp } from "../../app/app.ts";
import { momentText } from "../../formats/moment.ts";
import { useOutages } from "../../parts/shop/shop_state.ts";
import { Badge } from "../../parts/controls.tsx";
import { isInQuestion, SayButtons, useReasonText } from "../../parts/identity/say_of_match.tsx";
import { scrapeErrorText } from "../../parts/run/run_state.tsx";
import type { OneProduct } from "./one_product.tsx";

export interface OfferCell {
  readonly product: OneProduct;
  readonly offer: MarketOffer;
  readonly unit: Fraction | null;
  readonly match: CompetitorProduct | null;
}

export function Terms({ match }: { match: CompetitorProduct }) {
  const { words, language } = useApp();
  const { condition, seller, warnings, identity } = match;
  const variant = identity?.page?.variant;
  const state = CONDITIONS.find((one) => one === condition);
  const terms = [
    variant && variantText(variant, language.value),
    state && words.product.conditions[state],
    seller !== null && words.productPage.soldBy(seller),
    ...warnings.map((one) => words.runs.pageWarnings[one]),
  ].filter((part) => part);
  return terms.length === 0 ? null : <small class="below sale-terms">{terms.join(", ")}</small>;
}

/** The price per piece. For a pack, the observed price of the pack is shown as well. */
export function OfferPrice({ offer, unit, product, match }: OfferCell) {
  const { show, words, workspace } = useApp();
  const { priceCents, unitCents, currency, packFactor, counts, lacksShipping } = offer;
  const isDelivered = workspace.value?.compareDelivered === true && unitCents !== null;
  const shipping = match?.shipping ?? null;
  const isOwnUnit = unitCents !== null && unit !== null;
  const price = isOwnUnit
    ? show.money(unitCents, product.currency)
    : show.money(priceCents, currency);
  const seen = show.money(priceCents, currency);
  return (
    <>
      {counts ? <strong>{price}</strong> : priceCents === null ? price : <s>{price}</s>}
      {packFactor !== 1 && priceCents !== null && (
        <small class="below">{words.product.perPack(show.number(packFactor), seen)}</small>
      )}
      <FormerPrices match={match} currency={currency} />
      {shipping !== null && (
        <small class="below">
          {shipping === 0
            ? words.productPage.freeShipping
            : isDelivered
            ? words.productPage.withShipping(show.money(shipping, currency))
            : words.productPage.shipping(show.money(shipping, currency))}
        </small>
      )}
      {lacksShipping && <small class="below">{words.productPage.lacksShipping}</small>}
    </>
  );
}

function FormerPrices({ match, currency }: Pick<OfferCell, "match"> & { currency: string | null }) {
  const { show, words: { productPage: texts } } = useApp();
  const { listPrice = null, lowest30 = null } = match ?? {};
  return (
    <>
      {listPrice !== null && (
        <small class="below">{texts.insteadOf(show.money(listPrice, currency))}</small>
      )}
      {lowest30 !== null && (
        <small class="below">{texts.lowest30(show.money(lowest30, currency))}</small>
      )}
    </>
  );
}

export function Counting({ match }: Pick<OfferCell, "match">) {
  const { words } = useApp();
  const { verdict = null, confirmedBy = null } = match?.identity ?? {};
  const isSure = verdict === null || verdict === "same" || match?.matchType !== "exact";
  return (
    <>
      <Badge tone="good">{words.productPage.doesCount}</Badge>
      {confirmedBy !== null
        ? <span class="below">{words.product.identity.isConfirmed}</span>
        : !isSure && match !== null && <Doubt match={match} />}
    </>
  );
}

function Doubt({ match }: { readonly match: CompetitorProduct }) {
  const { words } = useApp();
  return (
    <span class="below" title={useReasonText(match) ?? ""}>{words.product.identity.check}</span>
  );
}

function OtherProduct({ match, isAsked }: { match: CompetitorProduct; isAsked: boolean }) {
  const reason = useReasonText(match);
  return (
    <>
      {reason !== null && <span class="below">{reason}</span>}
      {isAsked && <SayButtons match={match} of={match.competitor} />}
    </>
  );
}

export function WhyNot(
  { offer, match, isAsked }: Pick<OfferCell, "offer" | "match"> & { readonly isAsked: boolean },
) {
  const { words } = useApp();
  if (match !== null && isInQuestion(match)) {
    return (
      <>
        {words.terms.leftOut.other_product}
        <OtherProduct match={match} isAsked={isAsked} />
      </>
    );
  }
  return <PlainWhyNot offer={offer} match={match} />;
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
    : words.terms.leftOut[why] ?? why;
  return (
    <>
      {text}
      {status !== null && status !== "ok" && (
        <span class="below" title={match?.lastError ?? undefined}>
          {outage === undefined
            ? scrapeErrorText(words, status)
            : words.overview.data.down(momentText(show, outage, Date.now()))}
        </span>
      )}
    </>
  );
}
