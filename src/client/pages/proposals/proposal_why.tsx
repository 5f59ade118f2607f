import { Fact } from "../../parts/page.tsx";
import { column, numberColumn, SimpleTable } from "../../parts/table/table.tsx";
import { useApp } from "../../app/app.ts";
import { startOfTomorrow } from "../../formats/day.ts";
import { effectText } from "../../parts/effect_text.ts";
import { Badge } from "../../parts/controls.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Ours, PriceOwner, PricePath } from "../../parts/decision/explanation.tsx";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { LowestPrice } from "../../parts/lowest_price.tsx";
import { OwnBadge, ShopBadge, useShopColours } from "../../parts/shops.tsx";
import type { MarketOffers } from "./decide_footer.tsx";
import { ProposalBadge } from "./proposal_columns.tsx";

interface WhyProps {
  readonly proposal: Proposal;
  readonly offers: MarketOffers | null;
}

/** Everything that one needs to know before deciding: what, from which price to which, and why. */
export function ProposalWhy({ proposal, offers }: WhyProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { sku, productId, ruleId, ruleName, trace, reason, status, decisionReason } = proposal;
  return (
    <div class="proposal-why">
      <p class="proposal-title">
        <a href={`/products/${productId}`}>{proposal.productTitle ?? sku}</a>
        <small>{sku}</small>
      </p>
      <p class="proposal-price">
        <PriceStep {...proposal} />
      </p>
      <Figures proposal={proposal} />
      <p class="proposal-rule">
        <span>
          {texts.rule}: <a href={`/rules/${ruleId}`}>{ruleName}</a>
        </span>
        <small>
          {status === "open" ? <Ends proposal={proposal} /> : (
            <>
              <ProposalBadge status={status} />{" "}
              {texts.decidedBy(proposal.decidedBy?.name ?? "–", show.dateTime(proposal.decidedAt))}
            </>
          )}
        </small>
        {decisionReason && <small>{texts.because(decisionReason)}</small>}
        {proposal.appliedCents !== null && proposal.appliedCents !== proposal.proposedCents && (
          <small>
            {texts.counter}: {show.money(proposal.appliedCents, proposal.currency)}
          </small>
        )}
      </p>
      {status === "superseded" && <p class="note">{words.terms.closeReasons[reason] ?? reason}</p>}
      {trace && <PriceOwner trace={trace} />}
      <MarketThenNow proposal={proposal} offers={offers} />
      {trace
        ? (
          <div class="why">
            <PricePath trace={trace} />
            <Ours trace={trace} />
          </div>
        )
        : <p class="soft">{texts.noTrace}</p>}
      {/* Read with the offers: not for each row that keys pass by. */}
      {offers !== null && <LowestPrice productId={productId} />}
    </div>
  );
}

function Ends({ proposal: { expiresAt, heldUntil } }: { proposal: Proposal }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const isToday = expiresAt < startOfTomorrow(show.timeZone, new Date());
  const end = texts.expiresAt(show.dateTime(expiresAt));
  return (
    <>
      {isToday ? <Badge tone="warn">{end}</Badge> : end}
      {heldUntil && <>{" · "}{texts.heldUntil(show.dateTime(heldUntil))}</>}
    </>
  );
}

function Figures({ proposal }: { proposal: Proposal }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { marketNow, marketAfter, marginPct, marginAfterPct, effect } = proposal;
  const rank = (stand: typeof marketNow) => stand?.rank ? `${stand.rank}/${stand.of}` : "–";
  return (
    <>
      <dl class="small-figures">
        <Fact label={words.decision.margin}>
          {show.share(marginPct)} → {show.share(marginAfterPct)}
        </Fact>
        {marketNow && (
          <Fact label={texts.columns.rank}>{rank(marketNow)} → {rank(marketAfter)}</Fact>
        )}
        <Fact label={texts.columns.effect}>{effectText(words, show, proposal)}</Fact>
      </dl>
      {effect && <p class="soft small">{texts.effectNotes[effect.basis]}</p>}
    </>
  );
}

interface ShopRow {
  readonly id: string;
  /** Null for us. */
  readonly competitorId: string | null;
  readonly name: string;
  readonly thenCents: number | null;
  readonly nowCents: number | null;
}

/** Shops' prices at the time of the proposal and now, with ours. */
function MarketThenNow({ proposal, offers }: WhyProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { trace, createdAt, currency, currentCents } = proposal;
  if (offers === null && trace === null) return null;
  const money = (cents: number | null) => show.money(cents, currency);
  const ours: ShopRow = {
    id: "ours",
    competitorId: null,
    name: words.decision.ours,
    thenCents: currentCents,
    nowCents: currentCents,
  };
  const priceOf = ({ nowCents, thenCents }: ShopRow) => nowCents ?? thenCents ?? Infinity;
  const rows = [...shopRows(proposal, offers), ours];
  return (
    <section class="then-now">
      <h3>{texts.market}</h3>
      <SimpleTable
        label={texts.market}
        rows={rows.toSorted((a, b) => priceOf(a) - priceOf(b))}
        idOf={({ id }) => id}
        columns={[
          column<ShopRow>("shop", texts.shop, 120, (row) => <Shop row={row} />),
          numberColumn<ShopRow>(
            "then",
            texts.then(show.dateTime(trace?.at ?? createdAt)),
            90,
            ({ thenCents }) => money(thenCents),
          ),
          numberColumn<ShopRow>("now", texts.now, 90, ({ thenCents, nowCents }) =>
            nowCents === thenCents
              ? money(nowCents)
              : <b>{arrowOf(thenCents, nowCents)}{money(nowCents)}</b>),
        ]}
      />
      <LeftOut
        offers={(offers ?? []).filter(({ counts }) =>
          !counts
        )}
      />
    </section>
  );
}

/** The shops that count; before their offers are read, those that the rule has seen. */
function shopRows({ trace }: Proposal, offers: MarketOffers | null): readonly ShopRow[] {
  if (offers === null) {
    return (trace?.references ?? []).map((one) => ({
      id: one.matchId,
      competitorId: one.competitorId,
      name: one.competitor,
      thenCents: one.unitCents,
      nowCents: null,
    }));
  }
  return offers.filter(({ counts }) => counts).map((one) => ({
    id: one.competitorProductId,
    competitorId: one.competitorId,
    name: one.competitor,
    thenCents: one.thenCents,
    nowCents: one.unitCents,
  }));
}

function Shop({ row: { name, competitorId } }: { row: ShopRow }) {
  const colours = useShopColours();
  if (competitorId === null) {
    return (
      <span class="badged">
        <OwnBadge /> <b>{name}</b>
      </span>
    );
  }
  return (
    <span class="badged" title={name}>
      <ShopBadge name={name} colour={colours.get(competitorId)} />{" "}
      <span aria-hidden="true">{name}</span>
    </span>
  );
}

/** Offers that do not count, with reasons. */
function LeftOut({ offers }: { offers: MarketOffers }) {
  const { words, show } = useApp();
  if (offers.length === 0) return null;
  return (
    <details>
      <summary>{words.proposals.without(show.number(offers.length))}</summary>
      <ul class="plain-list">
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

function arrowOf(thenCents: number | null, nowCents: number | null): string {
  if (thenCents === null || nowCents === null) return "";
  return nowCents < thenCents ? "↓ " : "↑ ";
}
