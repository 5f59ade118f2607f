/**
 * Shows a proposal's price, reason and margin, and our price among the shops' prices (the ladder).
 * The reason is read from the proposal, not computed again. Until the current offers are loaded,
 * the ladder shows the offers that the rule used.
 */
import type { ComponentChildren } from "preact";
import { Fact, Unbroken } from "../../parts/page.tsx";
import { useApp } from "../../app/app.ts";
import { shortDay } from "../../formats/day.ts";
import { effectLabel, effectText, LowestPrice } from "../../parts/price_figures.tsx";
import {
  EndsBadge,
  type Proposal,
  ProposalBadge,
  rankStep,
  returnedText,
} from "../../parts/decision/decision.tsx";
import { FloorLift, Ours, PriceOwner, PricePath } from "../../parts/decision/explanation.tsx";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { saidText } from "../../../engine/wording/reason_text.ts";
import { add, multiply, ourGapPct, percent, roundOf, whole } from "../../../base/fraction.ts";
import { OwnBadge, ShopBadge } from "../../parts/shops.tsx";
import type { MarketOffers } from "./decide_footer.tsx";

interface WhyProps {
  readonly proposal: Proposal;
  readonly market: ProposalInMarket | null;
}

export function ProposalWhy({ proposal, market }: WhyProps) {
  const { words: { proposals: texts, terms, decision } } = useApp();
  const { sku, productId, trace, reason, status } = proposal;
  return (
    <div class="proposal-why stack gap-8">
      <PriceQuestion proposal={proposal} />
      <p class="proposal-title fine breaks">
        <a href={`/products/${productId}`}>
          <Unbroken text={proposal.productTitle ?? sku} />
        </a>{" "}
        <small class="nowrap">
          <Unbroken text={sku} />
        </small>
      </p>
      {status === "superseded"
        ? <p class="note">{terms.closeReasons[reason] ?? reason}</p>
        : trace && <Because proposal={proposal} trace={trace} />}
      <Figures proposal={proposal} />
      <PriceLadder proposal={proposal} market={market} />
      {trace && <PriceOwner trace={trace} />}
      {market !== null && <LeftOut offers={market.offers.filter(({ counts }) => !counts)} />}
      {trace
        ? (
          <details>
            <summary>{decision.path}</summary>
            <div class="why stack fine gap-12">
              <PricePath trace={trace} />
              <Ours trace={trace} />
            </div>
            {/* While `market` is null, the person only passes this proposal: send no request. */}
            {market !== null && <LowestPrice productId={productId} />}
          </details>
        )
        : <p class="soft">{texts.noTrace}</p>}
    </div>
  );
}

function PriceQuestion({ proposal }: { proposal: Proposal }) {
  const { words: { proposals: texts }, show } = useApp();
  const { currency, currentCents, proposedCents, appliedCents, status } = proposal;
  const { decisionReason, heldUntil } = proposal;
  const money = (cents: number) => show.money(cents, currency);
  return (
    <div class="price-question flow row spread gap-8 rows-2">
      <h2>{texts.instead(money(appliedCents ?? proposedCents), money(currentCents))}</h2>
      {status === "open" ? <EndsBadge proposal={proposal} /> : <ProposalBadge status={status} />}
      {status === "open" && heldUntil && <small>{texts.heldUntil(show.dateTime(heldUntil))}</small>}
      {status !== "open" && (
        <small>
          {`${proposal.decidedBy?.name ?? "–"}, ${show.dateTime(proposal.decidedAt)}`}
          {decisionReason && <>{" · "}{texts.because(decisionReason)}</>}
          {appliedCents !== null && appliedCents !== proposedCents &&
            <>{" · "}{texts.insteadOf(money(proposedCents))}</>}
        </small>
      )}
    </div>
  );
}

interface BecauseProps extends Pick<WhyProps, "proposal"> {
  readonly trace: NonNullable<Proposal["trace"]>;
}

function Because({ proposal, trace }: BecauseProps) {
  const app = useApp();
  const { words: { proposals: texts }, show } = app;
  const returned = returnedText(app, proposal);
  return (
    <p class="because fine breaks">
      <strong>{saidText(app.audience, trace.trigger.said)}</strong> <FloorLift trace={trace} />
      {proposal.hasMarketMoved && <>{" "}{texts.since(shortDay(show, proposal.createdAt))}</>}
      {returned && <>{" "}{returned}</>}
    </p>
  );
}

function Figures({ proposal }: { proposal: Proposal }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { marketNow, marketAfter, marginPct, marginAfterPct, effect, createdAt } = proposal;
  const notes = [
    effect?.basis === "30d" && texts.salesUntil(shortDay(show, createdAt)),
    effect?.basis === "piece" && texts.withoutSales,
    marketAfter?.gapCents === 0 && marketAfter.cheapestCompetitor !== null &&
    texts.thenTied(marketAfter.cheapestCompetitor),
  ].filter(Boolean);
  return (
    <>
      <dl class="small-figures flow gap-6">
        <Fact label={words.fields.margin}>
          {show.share(marginPct)} → {show.share(marginAfterPct)}
        </Fact>
        {marketNow && <Fact label={texts.rankOf(marketNow.of)}>{rankStep(proposal)}</Fact>}
        <Fact label={effectLabel(words, proposal)}>{effectText(words, show, proposal)}</Fact>
      </dl>
      {notes.length > 0 && <p class="soft small">{notes.join(" ")}</p>}
    </>
  );
}

const RUNGS_MAX = 9;

interface Rung {
  readonly key: string;
  readonly kind: "bound" | "offer" | "today" | "proposed";
  readonly cents: number;
  readonly name: ComponentChildren;
  readonly thenCents?: number | null;
}

interface LadderProps {
  readonly proposal: Proposal;
  readonly market: ProposalInMarket | null;
}

function PriceLadder({ proposal, market }: LadderProps) {
  const { words: { proposals: { ladder: texts } }, show } = useApp();
  const { currentCents, currency } = proposal;
  const rungs = useRungs({ proposal, market });
  return (
    <section class="ladder" aria-busy={market === null}>
      <h3>
        {texts.title} <small>{texts.note}</small>
      </h3>
      <ol>
        {rungs.map(({ key, kind, cents, name, thenCents = null }) => (
          <li key={key} class={kind}>
            <span class="rung-name row nowrap gap-6 grow">{name}</span>
            <span
              class="number"
              title={thenCents === null ? undefined : texts.was(show.money(thenCents, currency))}
            >
              {thenCents !== null && (cents < thenCents ? "↓ " : "↑ ")}
              {show.money(cents, currency)}
            </span>
            <span class="number soft">
              {(kind === "offer" || key === "rrp" || key === "floor") &&
                show.percentChange(ourGapPct(currentCents, whole(cents)) ?? 0)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function useRungs({ proposal, market }: LadderProps): readonly Rung[] {
  const { words: { proposals: { ladder: texts } }, show } = useApp();
  const { proposedCents, currentCents, trace } = proposal;
  const floor = trace?.price?.floor;
  const cost = (trace && costOf(trace.inputs)) ?? null;
  const rrp = market?.targetPriceCents ?? null;
  const bound = (key: string, cents: number, name: string): Rung => ({
    ...{ key, kind: "bound", cents },
    name,
  });
  const own = <OwnBadge />;
  const fixed: readonly Rung[] = [
    { key: "today", kind: "today", cents: currentCents, name: <>{own} {texts.today}</> },
    { key: "proposed", kind: "proposed", cents: proposedCents, name: <>{own} {texts.proposed}</> },
    ...rrp === null ? [] : [bound("rrp", rrp, texts.rrp)],
    ...floor ? [bound("floor", floor.cents, texts.floor(show.percent(floor.pct)))] : [],
    ...cost === null
      ? []
      : [bound("cost", cost, trace?.inputs.pricesIncludeVat ? texts.costGross : texts.cost)],
  ];
  const distance = ({ cents }: Rung) => Math.abs(cents - proposedCents);
  const near = useOfferRungs(proposal, market?.offers ?? null)
    .toSorted((a, b) => distance(a) - distance(b)).slice(0, RUNGS_MAX - fixed.length);
  return [...fixed, ...near].toSorted((a, b) => b.cents - a.cents);
}

function useOfferRungs({ trace }: Proposal, offers: MarketOffers | null): readonly Rung[] {
  const rungOf = (key: string, shopId: string, name: string, cents: number): Rung => ({
    ...{ key, kind: "offer", cents },
    name: (
      <>
        <ShopBadge id={shopId} name={name} />{" "}
        <span class="clip" aria-hidden="true" title={name}>{name}</span>
      </>
    ),
  });
  if (offers === null) {
    return (trace?.references ?? []).map((one) =>
      rungOf(one.matchId, one.competitorId, one.competitor, one.unitCents)
    );
  }
  return offers.flatMap((one) => {
    if (!one.counts || one.unitCents === null) return [];
    const { competitorProductId, competitorId, competitor, unitCents, thenCents } = one;
    const rung = rungOf(competitorProductId, competitorId, competitor, unitCents);
    return [{ ...rung, thenCents: thenCents === unitCents ? null : thenCents }];
  });
}

type Inputs = NonNullable<Proposal["trace"]>["inputs"];

/** The cost includes VAT if our prices do; null if cost or VAT is unknown. */
function costOf({ costPriceCents, pricesIncludeVat, vatRatePct }: Inputs): number | null {
  if (costPriceCents === null || !pricesIncludeVat) return costPriceCents;
  return vatRatePct === null
    ? null
    : roundOf(multiply(whole(costPriceCents), add(whole(1), percent(vatRatePct))));
}

function LeftOut({ offers }: { offers: MarketOffers }) {
  const { words, show } = useApp();
  if (offers.length === 0) return null;
  return (
    <details>
      <summary>{words.proposals.without(offers.length)}</summary>
      <ul class="plain-list stack gap-4">
        {offers.map(({ competitorProductId, competitor, why, priceCents, currency }) => (
          <li key={competitorProductId}>
            {competitor}: {words.terms.leftOut[why ?? ""] ?? why}
            {priceCents !== null && ` (${show.money(priceCents, currency)})`}
          </li>
        ))}
      </ul>
    </details>
  );
}
