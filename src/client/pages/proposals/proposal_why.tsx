import { Fact } from "../../parts/page.tsx";
import { listenerOf, useApp } from "../../app/app.ts";
import { effectLabel, effectText } from "../../parts/effect_text.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { EndsBadge } from "../../parts/decision/ends_badge.tsx";
import { FloorLift, Ours, PriceOwner, PricePath } from "../../parts/decision/explanation.tsx";
import { LowestPrice } from "../../parts/lowest_price.tsx";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { saidText } from "../../../engine/wording/reason_text.ts";
import { PriceLadder } from "./price_ladder.tsx";
import { ProposalBadge } from "./proposal_columns.tsx";
import { Unbroken } from "../../parts/unbroken.tsx";

interface WhyProps {
  readonly proposal: Proposal;
  /** Null while loading. */
  readonly market: ProposalInMarket | null;
}

/** Facts for the decision: the price, the reason, and the market. */
export function ProposalWhy({ proposal, market }: WhyProps) {
  const { words } = useApp();
  const texts = words.proposals;
  const { sku, productId, trace, reason, status } = proposal;
  return (
    <div class="proposal-why">
      <PriceQuestion proposal={proposal} />
      <p class="proposal-title">
        <a href={`/products/${productId}`}>
          <Unbroken text={proposal.productTitle ?? sku} />
        </a>{" "}
        <small>
          <Unbroken text={sku} />
        </small>
      </p>
      {status === "superseded"
        ? <p class="note">{words.terms.closeReasons[reason] ?? reason}</p>
        : trace && <Because trace={trace} />}
      <Figures proposal={proposal} />
      <PriceLadder proposal={proposal} market={market} />
      {trace && <PriceOwner trace={trace} />}
      {trace
        ? (
          <details>
            <summary>{words.decision.path}</summary>
            <div class="why stack fine gap-12">
              <PricePath trace={trace} />
              <Ours trace={trace} />
            </div>
            {/* Loaded after the offers, so not for rows that keys only pass. */}
            {market !== null && <LowestPrice productId={productId} />}
          </details>
        )
        : <p class="soft">{texts.noTrace}</p>}
    </div>
  );
}

/** The proposed and the current price, with the deadline, or with who decided and when. */
function PriceQuestion({ proposal }: { proposal: Proposal }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { currency, currentCents, proposedCents, appliedCents, status, decisionReason } = proposal;
  const money = (cents: number) => show.money(cents, currency);
  return (
    <div class="price-question flow row spread gap-8 rows-2">
      <h2>{texts.instead(money(appliedCents ?? proposedCents), money(currentCents))}</h2>
      {status === "open" ? <Ends proposal={proposal} /> : <ProposalBadge status={status} />}
      {status !== "open" && (
        <small>
          {texts.decidedBy(proposal.decidedBy?.name ?? "–", show.dateTime(proposal.decidedAt))}
          {decisionReason && <>{" · "}{texts.because(decisionReason)}</>}
          {appliedCents !== null && appliedCents !== proposedCents &&
            <>{" · "}{texts.insteadOf(money(proposedCents))}</>}
        </small>
      )}
    </div>
  );
}

/** The finding of the rule, in a sentence. */
function Because({ trace }: { trace: NonNullable<Proposal["trace"]> }) {
  const app = useApp();
  return (
    <p class="because">
      <strong>{saidText(listenerOf(app), trace.trigger.said)}</strong> <FloorLift trace={trace} />
    </p>
  );
}

function Ends({ proposal }: { proposal: Proposal }) {
  const { heldUntil } = proposal;
  const { words, show } = useApp();
  const texts = words.proposals;
  return (
    <>
      <EndsBadge proposal={proposal} />
      {heldUntil && <small>{texts.heldUntil(show.dateTime(heldUntil))}</small>}
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
        <Fact label={effectLabel(words, proposal)}>{effectText(words, show, proposal)}</Fact>
      </dl>
      {effect?.basis === "piece" && <p class="soft small">{texts.withoutSales}</p>}
    </>
  );
}
