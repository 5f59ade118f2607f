import { changePct, marginPct } from "../../../base/fraction.ts";
import type { Wire } from "../../api/call.ts";
import { type Speaker, useApp } from "../../app/app.ts";
import { daysBetween, shortDay } from "../../formats/day.ts";
import { Badge, Button, type Tone } from "../controls.tsx";
import { Delta } from "../price_figures.tsx";
import {
  needsReason,
  type PriceDoubt,
  priceDoubts,
  type PriceInQuestion,
} from "../../../base/price_doubts.ts";
import { useState } from "preact/hooks";

export type Simulated = Wire<"SimulatedDecision">;
export type Explained = Wire<"ExplainedDecision">;
export type Simulation = Wire<"Simulation">;
/** The stored computation (`trace`) may be missing in an old proposal. */
export type Proposal = Wire<"Proposal">;
export type Reopened = Wire<"ReopenedProposal">;
export type Trace = Wire<"Trace">;

export function shownMarginPct({ inputs }: Trace, cents: number | null): number | null {
  return marginPct(cents, inputs);
}

export function isOutOfScope({ trigger }: Trace): boolean {
  return trigger.said.code === "out_of_scope";
}

/** Returns the guards that forbid the price, or (`apply`) only forbid applying it automatically. */
export function objectionsOf({ guards }: Trace, forbids: "price" | "apply") {
  return guards.filter((asked) => asked.facts !== null && asked.forbids === forbids);
}

/** Returns `done`, or says which proposal needs another approval. */
export function decidedText(
  { words }: Speaker,
  done: string,
  { refused: [waiting] }: { readonly refused: readonly { readonly sku: string | null }[] },
): string {
  return waiting ? `${waiting.sku}: ${words.terms.guards.approval_needed}` : done;
}

export function takenBackText(app: Speaker, done: string, reopened: readonly Reopened[]): string {
  const rest = reopenedText(app, reopened);
  return rest === "" ? done : `${done}. ${rest}`;
}

function reopenedText({ words, show }: Speaker, all: readonly Reopened[]): string {
  const texts = words.proposals.reopened;
  const [only, ...others] = all;
  if (only === undefined) return "";
  const closed = all.filter(({ outcome }) => outcome === "closed");
  const codes = new Set(closed.flatMap(({ closedBy }) => closedBy ?? []));
  const why = [...codes].map((code) =>
    words.terms.closeReasons[code] ?? words.terms.guards[code] ?? code
  ).join("; ");
  if (others.length === 0) {
    if (closed.length > 0) return texts.closed(why);
    return only.outcome === "open"
      ? texts.open
      : texts.otherPrice(show.money(only.proposedCents, only.currency));
  }
  const open = all.length - closed.length;
  const moved = all.filter(({ outcome }) => outcome === "other_price").length;
  return [
    open > 0 && texts.manyOpen(open, moved > 0 ? moved : ""),
    closed.length > 0 && texts.manyClosed(closed.length, why),
  ].filter(Boolean).join(" ");
}

export function rejectedText(
  { words, show }: Speaker,
  { rejectedBefore, status }: Proposal,
): string | null {
  if (!rejectedBefore || status !== "open") return null;
  return words.proposals.returned.rejected(shortDay(show, rejectedBefore.at));
}

export function returnedText(
  { words, show }: Speaker,
  { rejectedBefore, status, currentCents, proposedCents, currency }: Proposal,
): string | null {
  if (!rejectedBefore || status !== "open") return null;
  const texts = words.proposals.returned;
  const { at, reason, ...before } = rejectedBefore;
  const why = before.currentCents !== currentCents
    ? texts.ourPrice(show.money(before.currentCents, currency))
    : before.proposedCents !== proposedCents
    ? texts.otherPrice(show.money(before.proposedCents, currency))
    : texts.same;
  return `${texts.because(shortDay(show, at), reason ?? "")} ${why}`;
}

export function EndsBadge(
  { proposal: { expiresAt }, isOnlySoon = false }: { proposal: Proposal; isOnlySoon?: boolean },
) {
  const { words: { proposals: texts }, show } = useApp();
  const days = daysBetween(expiresAt, Date.now(), show.timeZone);
  if (days >= 0) return <Badge tone="warn">{texts.ends(show.time(expiresAt))}</Badge>;
  if (days === -1) return <Badge>{texts.endsTomorrow}</Badge>;
  return isOnlySoon ? null : <Badge>{texts.ends(shortDay(show, expiresAt))}</Badge>;
}

interface PriceStepProps {
  readonly currentCents: number | null;
  readonly proposedCents: number;
  readonly currency: string;
}

export function PriceStep({ currentCents, proposedCents, currency }: PriceStepProps) {
  const { show } = useApp();
  return (
    <span class="price-step">
      <span>{show.money(currentCents, currency)}</span>
      <span aria-hidden="true">→</span>
      <strong>{show.money(proposedCents, currency)}</strong>
      <Delta fromCents={currentCents} toCents={proposedCents} />
    </span>
  );
}

export function usePriceDoubts(asked: PriceInQuestion | null) {
  const [insisted, insist] = useState<number | null>(null);
  const doubts = asked === null ? [] : priceDoubts(asked);
  return {
    doubts,
    isOpen: doubts.length > 0 && insisted !== asked?.cents,
    isReasonNeeded: needsReason(doubts),
    insist,
  };
}

interface DoubtNoteProps {
  readonly doubted: ReturnType<typeof usePriceDoubts>;
  readonly cents: number | null;
  readonly currency: string;
  onTake(cents: number): void;
  onInsist(): void;
}

export function PriceDoubtNote({ doubted, cents, currency, onTake, onInsist }: DoubtNoteProps) {
  const app = useApp();
  const { words: { priceEdit: texts }, show } = app;
  const { doubts, isOpen, isReasonNeeded, insist } = doubted;
  if (cents === null || !isOpen) return null;
  const money = (value: number) => show.money(value, currency);
  const likely = doubts.map((doubt) => "likelyCents" in doubt ? doubt : null)
    .find((doubt) => doubt !== null);
  return (
    <div class="price-doubt note warn fine wide" role="alert">
      {doubts.map((doubt) => {
        const [title, text] = doubtTexts(app, doubt, { cents, currency });
        return (
          <p key={doubt.code}>
            <strong>{title}</strong> {text}
          </p>
        );
      })}
      <div class="button-row flow gap-6">
        {likely && (
          <Button kind="main" onClick={() => onTake(likely.likelyCents)}>
            {likely.code === "factor"
              ? texts.take(money(likely.likelyCents))
              : texts.keep(money(likely.likelyCents))}
          </Button>
        )}
        <Button
          onClick={() => {
            insist(cents);
            onInsist();
          }}
        >
          {isReasonNeeded ? texts.justify(money(cents)) : texts.insist(money(cents))}
        </Button>
      </div>
    </div>
  );
}

function doubtTexts(
  { words: { priceEdit: texts }, show }: Speaker,
  doubt: PriceDoubt,
  { cents, currency }: { readonly cents: number; readonly currency: string },
): readonly [title: string, text?: string] {
  const money = (value: number) => show.money(value, currency);
  switch (doubt.code) {
    case "factor": {
      const { isMore, factor, against, thatCents, likelyCents } = doubt;
      const than = texts.than(texts.rivals[against], money(thatCents));
      return [
        texts.factors[isMore ? "more" : "less"][factor],
        `${than} ${texts.meant(money(likelyCents))}`,
      ];
    }
    case "far_off": {
      const { oldCents } = doubt;
      if (oldCents <= 0) return [texts.farTitle];
      const change = show.percentChange(changePct(oldCents, cents));
      return [texts.farTitle, texts.far(change, money(oldCents))];
    }
    case "below_cost":
      return [texts.belowCost, texts.belowCostText];
    case "below_floor":
      return [texts.belowFloor(show.percent(doubt.marginPct), show.percent(doubt.floorPct))];
    case "below_min":
      return [texts.belowMin(money(doubt.limitCents))];
    case "above_max":
      return [texts.aboveMax(money(doubt.limitCents))];
    case "locked":
      return [texts.locked];
    case "held":
      return [texts.held];
  }
}

const STATUS_TONES: Readonly<Record<Proposal["status"], Tone>> = {
  open: "busy",
  applied: "good",
  rejected: "bad",
  expired: "plain",
  superseded: "plain",
  rolled_back: "warn",
};

export function ProposalBadge({ status }: Pick<Proposal, "status">) {
  const { words } = useApp();
  return <Badge tone={STATUS_TONES[status]}>{words.codes.proposalStatuses[status]}</Badge>;
}

export function rankStep({ marketNow, marketAfter }: Proposal): string {
  return marketNow?.rank && marketAfter?.rank ? `${marketNow.rank} → ${marketAfter.rank}` : "–";
}
