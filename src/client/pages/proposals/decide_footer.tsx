import { exponentOf } from "../../../base/currency.ts";
import { isLargeMove, parseMajor } from "../../../base/money.ts";
import { marginPct } from "../../../base/percent.ts";
import { needsReason, NO_LIMITS, priceDoubts } from "../../../base/price_doubts.ts";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { decimalText, readDecimal } from "../../formats/decimal.ts";
import { Button } from "../../parts/controls.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { PriceDoubtNote } from "../../parts/decision/price_doubt_note.tsx";
import type { Decisions } from "./use_decisions.ts";
import type { Ref, TargetedKeyboardEvent } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

export type MarketOffers = ProposalInMarket["offers"];

interface FooterProps {
  readonly proposal: Proposal;
  /** Null until they are read. */
  readonly offers: MarketOffers | null;
  readonly decisions: Decisions;
  readonly priceRef?: Ref<HTMLInputElement>;
  /** Told when the person has decided here, or wants back to the list. */
  onDone?(): void;
}

/** The remaining actions on the proposal for this person. */
export function DecideFooter(props: FooterProps) {
  const { words, show, questions, may } = useApp();
  const texts = words.proposals;
  const { proposal, decisions, onDone } = props;
  const { status, currentCents, currency } = proposal;
  const act = (action: () => void) => () => {
    action();
    onDone?.();
  };
  const rollBack = async () => {
    const isSure = await questions.ask({
      title: texts.rollBackSure,
      text: texts.rollBackText(show.money(currentCents, currency)),
      yes: texts.rollBack,
    });
    if (isSure) act(() => decisions.rollBack([proposal]))();
  };
  if (!may("manager")) return null;
  if (status === "applied") {
    return <Button onClick={() => void rollBack()}>{texts.rollBack}</Button>;
  }
  if (status === "rejected") {
    return <Button onClick={act(() => decisions.reopen(proposal))}>{texts.reopen}</Button>;
  }
  return status === "open" ? <OpenFooter key={proposal.id} {...props} /> : null;
}

function OpenFooter({ proposal, offers, decisions, priceRef, onDone }: FooterProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { proposedCents, currentCents, currency, trace, approval } = proposal;
  const id = useId();
  const doubtNote = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(decimalText(proposedCents, currency, show.locale));
  const [reason, setReason] = useState("");
  const [asksReason, setAsksReason] = useState<"price" | "reject" | null>(null);
  const [isMissing, setMissing] = useState(false);
  const cents = readCents(text, currency, show.locale);
  const isCounter = cents !== null && cents !== proposedCents;
  const margin = trace && cents !== null ? marginPct(cents, trace.inputs) : null;
  const doubts = !isCounter ? [] : priceDoubts({
    cents,
    oldCents: currentCents,
    marketCents: offers === null ? null : cheapestOf(offers),
    floorPct: trace?.price?.floor?.pct ?? null,
    terms: trace?.inputs ?? UNKNOWN_TERMS,
    limits: NO_LIMITS,
  });
  const settings = useDocument({
    key: ["automation", "settings"],
    read: (api) => api.GET("/api/settings"),
  });
  const bound = settings.data?.approval ?? null;
  // A price other than the approved one starts a new approval.
  const isNewLarge = cents !== null && bound !== null && approval?.cents !== cents &&
    isLargeMove(bound, currentCents, cents);
  const isReasonNeeded = needsReason(doubts);
  const [insisted, setInsisted] = useState<number | null>(null);
  const isInsisted = cents !== null && insisted === cents;
  // At once: the next key is written there, however soon it comes.
  useLayoutEffect(() => {
    if (asksReason !== null) document.getElementById(`${id}-reason`)?.focus();
  }, [asksReason]);
  const act = (action: () => void) => {
    // The list takes the focus that nothing has any more.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    action();
    onDone?.();
  };
  const approve = () => {
    if (cents === null) return setMissing(true);
    if (!isCounter) return act(() => decisions.approve([proposal]));
    if (doubts.length > 0 && !isInsisted) {
      return doubtNote.current?.querySelector("button")?.focus();
    }
    if (isReasonNeeded && reason.trim() === "") return setAsksReason("price");
    act(() => decisions.counter(proposal, { cents, reason: reason.trim() }));
  };
  const reject = () => act(() => decisions.reject([proposal], reason.trim()));
  const keys = (enter: () => void) => (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") enter();
    else if (event.key === "Escape") {
      setText(decimalText(proposedCents, currency, show.locale));
      setAsksReason(null);
      event.currentTarget.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const rank = cents === null || offers === null ? null : rankAt(cents, offers);
  return (
    <div class="decide">
      {approval && (
        <p class="note info">
          {texts.waitsFor(
            show.money(approval.cents, currency),
            approval.by.map(({ name }) => name).join(", "),
            approval.by.length,
            approval.people - approval.by.length,
          )}
        </p>
      )}
      {isNewLarge && (
        <p class="note info">
          {texts.needsOthers(show.percent(bound.beyondPct), bound.people - 1)}
        </p>
      )}
      <div class="counter">
        <label for={`${id}-price`}>
          {texts.counter} <kbd>e</kbd>
        </label>
        <input
          id={`${id}-price`}
          ref={priceRef}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={text}
          aria-invalid={isMissing && cents === null}
          aria-describedby={`${id}-at`}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setMissing(false);
          }}
          onKeyDown={keys(approve)}
        />
        <span class="soft">{currency}</span>
        <span id={`${id}-at`} aria-live="polite">
          {cents === null ? words.form.noNumber : (
            <>
              {words.decision.margin} <b>{show.share(margin)}</b>
              {rank && (
                <>
                  {" · "}
                  {texts.columns.rank} <b>{rank.join("/")}</b>
                </>
              )}
            </>
          )}
        </span>
      </div>
      {cents !== null && doubts.length > 0 && !isInsisted && (
        <div ref={doubtNote}>
          <PriceDoubtNote
            doubts={doubts}
            cents={cents}
            currency={currency}
            onTake={(likely) => {
              setText(decimalText(likely, currency, show.locale));
              document.getElementById(`${id}-price`)?.focus();
            }}
            onInsist={() => {
              setInsisted(cents);
              setAsksReason("price");
            }}
          />
        </div>
      )}
      {asksReason !== null && (
        <div class="counter">
          <label for={`${id}-reason`}>
            {asksReason === "price" && isReasonNeeded ? texts.reasonNeeded : texts.reason}
          </label>
          <input
            id={`${id}-reason`}
            class="reason"
            type="text"
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
            onKeyDown={keys(asksReason === "price" ? approve : reject)}
          />
        </div>
      )}
      <div class="decide-buttons">
        <Button kind="main" onClick={approve}>
          {isCounter ? texts.approveAt(show.money(cents, currency)) : texts.approve} <kbd>a</kbd>
        </Button>
        <Button onClick={reject}>
          {texts.reject} <kbd>r</kbd>
        </Button>
        <Button onClick={() => setAsksReason("reject")} isPressed={asksReason === "reject"}>
          {texts.withReason}
        </Button>
        <Button onClick={() => act(() => decisions.later([proposal]))}>
          {texts.later} <kbd>s</kbd>
        </Button>
      </div>
    </div>
  );
}

/** Minor units of what was typed; null for what is no price above 0. */
function readCents(text: string, currency: string, locale: string): number | null {
  const decimal = readDecimal(text, locale);
  const parsed = decimal === null ? null : parseMajor(decimal, exponentOf(currency));
  return parsed !== null && "minor" in parsed && parsed.minor > 0 ? parsed.minor : null;
}

const UNKNOWN_TERMS = { costPriceCents: null, pricesIncludeVat: true, vatRatePct: null };

function unitsOf(offers: MarketOffers): readonly number[] {
  return offers.flatMap(({ counts, unitCents }) => counts && unitCents !== null ? [unitCents] : []);
}

function cheapestOf(offers: MarketOffers): number | null {
  const units = unitsOf(offers);
  return units.length === 0 ? null : Math.min(...units);
}

/** Where a price would stand among the offers that count: rank, and how many with us. */
function rankAt(cents: number, offers: MarketOffers): readonly [number, number] | null {
  const units = unitsOf(offers);
  if (units.length === 0) return null;
  return [units.filter((unit) => unit < cents).length + 1, units.length + 1];
}
