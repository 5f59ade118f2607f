import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { ProposalBadge, rankStep } from "./proposal_columns.tsx";
import type { Decisions } from "./use_decisions.ts";

interface CardProps {
  readonly proposal: Proposal;
  readonly decisions: Decisions;
  readonly mayDecide: boolean;
  onOpen(proposal: Proposal): void;
}

/** On a phone: what is proposed, what it would change, and the decision, under each other. */
export function ProposalCard({ proposal, decisions, mayDecide, onOpen }: CardProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { sku, productId, productTitle, ruleName, marketNow, marketAfter } = proposal;
  const { currency, marginPct, marginAfterPct, status } = proposal;
  return (
    <div class="proposal-card">
      <p>
        <a href={`/products/${productId}`} title={productTitle ?? sku}>{productTitle ?? sku}</a>
        <small>{sku} · {ruleName}</small>
      </p>
      <PriceStep {...proposal} />
      {marketNow?.cheapestCompetitor && (
        <p class="soft">
          {texts.asks(
            marketNow.cheapestCompetitor,
            show.money(marketNow.cheapestCents, currency),
          )}
        </p>
      )}
      <dl>
        <div>
          <dt>{words.decision.margin}</dt>
          <dd>{show.share(marginPct)} → {show.share(marginAfterPct)}</dd>
        </div>
        <div>
          <dt>{texts.columns.rank}</dt>
          <dd>{rankStep(marketNow, marketAfter)}</dd>
        </div>
        <div>
          <dt>{texts.columns.effect}</dt>
          <dd>{effectText(words, show, proposal)}</dd>
        </div>
      </dl>
      <div class="card-buttons">
        {mayDecide
          ? (
            <>
              <Button kind="main" onClick={() => decisions.approve([proposal])}>
                {texts.approve}
              </Button>
              <Button onClick={() => decisions.reject([proposal])}>{texts.reject}</Button>
              <Button onClick={() => onOpen(proposal)} label={texts.counter}>…</Button>
            </>
          )
          : (
            <>
              <ProposalBadge status={status} />
              <Button onClick={() => onOpen(proposal)}>{texts.panel}</Button>
            </>
          )}
      </div>
    </div>
  );
}
