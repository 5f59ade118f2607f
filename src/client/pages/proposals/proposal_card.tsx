import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { effectLabel, effectText } from "../../parts/effect_text.ts";
import { Fact } from "../../parts/page.tsx";
import { ProposalBadge, RankStep } from "./proposal_columns.tsx";
import type { Inbox } from "./use_inbox.ts";
import { Unbroken } from "../../parts/unbroken.tsx";

interface CardProps {
  readonly proposal: Proposal;
  readonly inbox: Pick<Inbox, "decisions" | "mayDecide">;
  onOpen(id: string): void;
}

/** The row of a proposal on a phone. */
export function ProposalCard({ proposal, inbox: { decisions, mayDecide }, onOpen }: CardProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { id, sku, productId, productTitle, ruleName, marketNow, marketAfter } = proposal;
  const { currency, marginPct, marginAfterPct, status } = proposal;
  return (
    <div class="proposal-card">
      <p>
        <a href={`/products/${productId}`} title={productTitle ?? sku}>
          <Unbroken text={productTitle ?? sku} />
        </a>
        <small>
          <Unbroken text={`${sku} · ${ruleName}`} />
        </small>
      </p>
      <PriceStep {...proposal} />
      {marketNow?.cheapestCompetitor && (
        <p class="soft">
          {texts.asks(marketNow.cheapestCompetitor, show.money(marketNow.cheapestCents, currency))}
        </p>
      )}
      <dl>
        <Fact label={words.decision.margin}>
          {show.share(marginPct)} → {show.share(marginAfterPct)}
        </Fact>
        <Fact label={texts.columns.rank}>
          <RankStep now={marketNow} after={marketAfter} />
        </Fact>
        <Fact label={effectLabel(words, proposal)}>{effectText(words, show, proposal)}</Fact>
      </dl>
      <div class="card-buttons row gap-8">
        {mayDecide
          ? (
            <>
              <Button kind="main" onClick={() => decisions.approve([proposal])}>
                {texts.approve}
              </Button>
              <Button onClick={() => decisions.reject([proposal])}>{texts.reject}</Button>
              <Button onClick={() => onOpen(id)}>{texts.details}</Button>
            </>
          )
          : (
            <>
              <ProposalBadge status={status} />
              <Button onClick={() => onOpen(id)}>{texts.panel}</Button>
            </>
          )}
      </div>
    </div>
  );
}
