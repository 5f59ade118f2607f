import { useApp } from "../../app/app.ts";
import { type Proposal, shownMarginPct } from "../../parts/decision/decision.ts";
import { Explanation } from "../../parts/decision/explanation.tsx";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { ProposalBadge } from "./proposal_columns.tsx";

/** Everything that one needs to know before deciding: what, from which price to which, and why. */
export function ProposalWhy({ proposal }: { proposal: Proposal }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { sku, productId, ruleId, ruleName, trace, reason, status } = proposal;
  return (
    <div class="proposal-why">
      <p class="proposal-title">
        <a href={`/products/${productId}`}>{proposal.productTitle ?? sku}</a>
        <small>{sku}</small>
      </p>
      <p class="proposal-price">
        <PriceStep {...proposal} />
        {trace && (
          <small>
            {words.decision.margin} {show.share(shownMarginPct(trace, proposal.currentCents))} →
            {" "}
            {show.share(shownMarginPct(trace, proposal.proposedCents))}
          </small>
        )}
      </p>
      <p class="proposal-rule">
        <span>
          {texts.rule}: <a href={`/rules/${ruleId}`}>{ruleName}</a>
        </span>
        <small>
          {status === "open" ? texts.expiresAt(show.dateTime(proposal.expiresAt)) : (
            <>
              <ProposalBadge status={status} />{" "}
              {texts.decidedBy(proposal.decidedBy?.name ?? "–", show.dateTime(proposal.decidedAt))}
            </>
          )}
        </small>
      </p>
      {status === "superseded" && <p class="note">{words.terms.closeReasons[reason] ?? reason}</p>}
      {trace ? <Explanation trace={trace} /> : <p class="soft">{texts.noTrace}</p>}
    </div>
  );
}
