/**
 * Shows the actions for the proposal that is open in the inbox. If a person types another price,
 * approving the proposal sets this price. A doubtful price needs a confirmation, in some cases with
 * a reason. For a typed price, the client computes the rank; the service computes margin and effect
 * on profit.
 */
import { exponentOf, isLargeMove } from "../../../base/money.ts";
import { NO_LIMITS } from "../../../base/price_doubts.ts";
import { effectLabel, effectText, parcelCents } from "../../parts/price_figures.tsx";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { decimalText, readMinor } from "../../formats/decimal.ts";
import { Button } from "../../parts/controls.tsx";
import { PriceDoubtNote, type Proposal, usePriceDoubts } from "../../parts/decision/decision.tsx";
import { useInbox } from "./inbox.tsx";
import { ReasonField, typingKeys } from "./marked_bar.tsx";
import { useId, useRef, useState } from "preact/hooks";
import { type Api, get } from "../../api/call.ts";

export type MarketOffers = ProposalInMarket["offers"];

interface FooterProps {
  readonly proposal: Proposal;
  readonly offers: MarketOffers | null;
  onDone(): void;
}

export function DecideFooter(props: FooterProps) {
  const { words: { proposals: texts }, show, may } = useApp();
  const { proposal, onDone } = props;
  const { decisions } = useInbox();
  const { status, currentCents, currency } = proposal;
  const act = (action: () => void) => () => {
    action();
    onDone();
  };
  if (!may("manager")) return null;
  if (status === "applied") {
    const text = texts.rollBackText(show.money(currentCents, currency));
    return (
      <Button
        question={{ title: texts.rollBackSure, text, yes: texts.rollBack }}
        onClick={act(() => decisions.takeBack([proposal], "approve"))}
      >
        {texts.rollBack}
      </Button>
    );
  }
  if (status === "rejected") {
    return (
      <Button onClick={act(() => decisions.takeBack([proposal], "reject"))}>{texts.reopen}</Button>
    );
  }
  return status === "open" ? <OpenFooter key={proposal.id} {...props} /> : null;
}

function OpenFooter(props: FooterProps) {
  const { words: { proposals: texts, fields }, show } = useApp();
  const { proposal, offers } = props;
  const { currency } = proposal;
  const { price } = useInbox();
  const own = useDecision(props);
  const { cents, doubted, asksReason } = own;
  return (
    <div class="decide stack grow gap-8" ref={own.box}>
      <ApprovalNotes proposal={proposal} cents={cents} />
      <CounterField proposal={proposal} offers={offers} own={own} />
      <PriceDoubtNote
        doubted={doubted}
        cents={cents}
        currency={currency}
        onTake={(likely) => {
          own.setText(decimalText(likely, currency, show.locale));
          price.current?.focus();
        }}
        onInsist={() => own.setAsksReason("price")}
      />
      {asksReason !== null && (
        <div class="counter row flow fine rows-8">
          <ReasonField
            key={asksReason}
            label={asksReason === "price" && doubted.isReasonNeeded
              ? texts.reasonNeeded
              : fields.reason}
            value={own.reason}
            onValue={own.setReason}
            onEnter={asksReason === "price" ? own.approve : own.reject}
            onEscape={own.restore}
          />
        </div>
      )}
      <DecideButtons own={own} currency={currency} />
    </div>
  );
}

function DecideButtons(
  { own, currency }: { readonly own: ReturnType<typeof useDecision>; readonly currency: string },
) {
  const { words: { proposals: texts }, show } = useApp();
  return (
    <div class="decide-buttons flow gap-8">
      <Button {...(!own.doubted.isOpen && { kind: "main" })} onClick={own.approve}>
        {own.isCounter ? texts.approveWhat(show.money(own.cents, currency)) : texts.approve}{" "}
        <kbd>a</kbd>
      </Button>
      <Button onClick={own.reject}>
        {texts.reject} <kbd>r</kbd>
      </Button>
      <Button onClick={own.later}>
        {texts.later} <kbd>s</kbd>
      </Button>
    </div>
  );
}

function useDecision({ proposal, offers, onDone }: FooterProps) {
  const { show, workspace } = useApp();
  const { decisions } = useInbox();
  const { proposedCents, currentCents, currency, trace } = proposal;
  const box = useRef<HTMLDivElement>(null);
  const proposed = decimalText(proposedCents, currency, show.locale);
  const [text, setText] = useState(proposed);
  const [reason, setReason] = useState("");
  const [asksReason, setAsksReason] = useState<"price" | "reject" | null>(null);
  const [isMissing, setMissing] = useState(false);
  const cents = readMinor(text, exponentOf(currency), show.locale) || null;
  const isCounter = cents !== null && cents !== proposedCents;
  const doubted = usePriceDoubts(
    !isCounter ? null : {
      cents,
      oldCents: currentCents,
      marketCents: offers === null
        ? null
        : cheapestOf(offers, parcelCents(proposal, workspace.value)),
      floorPct: trace?.price?.floor?.pct ?? null,
      terms: trace?.inputs ?? UNKNOWN_TERMS,
      limits: NO_LIMITS,
    },
  );
  const act = (action: () => void) => {
    // Remove the focus, because the table focuses the next row only if no element has the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    action();
    onDone();
  };
  const approve = () => {
    if (cents === null) return setMissing(true);
    if (!isCounter) return act(() => decisions.approve([proposal]));
    if (doubted.isOpen) {
      return box.current?.querySelector<HTMLElement>(".price-doubt button")?.focus();
    }
    if (doubted.isReasonNeeded && reason.trim() === "") return setAsksReason("price");
    act(() => decisions.counter(proposal, { cents, reason: reason.trim() }));
  };
  const reject = () => act(() => decisions.reject([proposal], reason.trim()));
  const later = () => act(() => decisions.later([proposal]));
  const restore = () => {
    setText(proposed);
    setAsksReason(null);
  };
  const typed = { text, setText, cents, isCounter, doubted, isMissing, setMissing };
  const why = { reason, setReason, asksReason, setAsksReason };
  return { box, ...typed, ...why, approve, reject, later, restore };
}

interface ApprovalNotesProps {
  readonly proposal: Proposal;
  readonly cents: number | null;
}

function ApprovalNotes(
  { proposal: { approval, currentCents, currency }, cents }: ApprovalNotesProps,
) {
  const { words: { proposals: texts }, show } = useApp();
  const settings = useDocument(get("/api/settings"));
  const bound = settings.data?.approval ?? null;
  const isNewLarge = cents !== null && bound !== null && approval?.cents !== cents &&
    isLargeMove(bound, currentCents, cents);
  return (
    <>
      {approval && (
        <p class="note info">
          {texts.waitsFor(
            approval.by.map(({ name }) => name).join(", "),
            approval.by.length,
            show.money(approval.cents, currency),
            approval.people - approval.by.length,
          )}
        </p>
      )}
      {isNewLarge && (
        <p class="note info">
          {texts.needsOthers(show.percent(bound.beyondPct), bound.people - 1)}
        </p>
      )}
    </>
  );
}

interface CounterFieldProps extends Pick<FooterProps, "proposal" | "offers"> {
  readonly own: ReturnType<typeof useDecision>;
}

function CounterField({ proposal, offers, own }: CounterFieldProps) {
  const { words, words: { proposals: texts }, show, workspace } = useApp();
  const { price } = useInbox();
  const id = useId();
  const { cents } = own;
  const { currency } = proposal;
  const after = useCounterPreview(proposal, own.isCounter ? cents : null);
  const parcel = parcelCents(proposal, workspace.value);
  const rank = cents === null || offers === null ? null : rankAt(cents, offers, parcel);
  return (
    <div class="counter row flow fine rows-8">
      <label for={id}>
        {texts.counter(symbolOf(currency, show.locale))} <kbd>e</kbd>
      </label>
      <input
        id={id}
        ref={price}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={own.text}
        aria-invalid={own.isMissing && cents === null}
        aria-describedby={`${id}-at`}
        onInput={(event) => {
          own.setText(event.currentTarget.value);
          own.setMissing(false);
        }}
        onKeyDown={typingKeys(own.approve, own.restore)}
      />
      <button
        type="button"
        class="link"
        aria-pressed={own.asksReason === "reject"}
        onClick={() => own.setAsksReason("reject")}
      >
        {texts.withReason}
      </button>
      <span id={`${id}-at`} aria-live="polite">
        {/* Margin and rank of the typed price; those above are of the proposed price. */}
        {cents === null ? words.form.noNumber : own.isCounter && (
          <>
            {words.fields.margin} <b>{show.share(after.marginAfterPct)}</b>
            {rank && (
              <>
                {" · "}
                {words.fields.rank} <b>{show.number(rank)}</b>
              </>
            )}
            {after.effect && (
              <>
                {" · "}
                {effectLabel(words, after)} <b>{effectText(words, show, { ...after, currency })}</b>
              </>
            )}
          </>
        )}
      </span>
    </div>
  );
}

function symbolOf(currency: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}

function useCounterPreview(proposal: Proposal, cents: number | null) {
  const prices = cents === null ? [] : [{ id: proposal.id, priceCents: cents }];
  const preview = (api: Api) => api.POST("/api/proposals/bulk/preview", { body: { prices } });
  const { data } = useDocument(cents === null ? null : preview);
  if (cents === null) return proposal;
  return data?.largest[0] ?? { marginAfterPct: null, effect: null };
}

const UNKNOWN_TERMS = { costPriceCents: null, pricesIncludeVat: true, vatRatePct: null };

/** Typed prices exclude our shipping cost (`parcel`), so it is subtracted from offers. */
function unitsOf(offers: MarketOffers, parcel: number): readonly number[] {
  return offers.flatMap(({ counts, unitCents }) =>
    counts && unitCents !== null ? [unitCents - parcel] : []
  );
}

function cheapestOf(offers: MarketOffers, parcel: number): number | null {
  const units = unitsOf(offers, parcel);
  return units.length === 0 ? null : Math.min(...units);
}

function rankAt(cents: number, offers: MarketOffers, parcel: number): number | null {
  const units = unitsOf(offers, parcel);
  return units.length === 0 ? null : units.filter((unit) => unit < cents).length + 1;
}
