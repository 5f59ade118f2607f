import { useApp } from "../../app/app.ts";
import { Badge, Button, type Tone } from "../../parts/controls.tsx";
import type { Show } from "../../../engine/wording/show.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Delta } from "../../parts/percentages.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { useMedia } from "../../parts/use_media.ts";
import { type Column, column, numberColumn } from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import { type InboxRow, isGroup, THIN_PCT } from "./proposal_query.ts";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import { ServiceWords } from "../../parts/page.tsx";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import type { Decisions } from "./use_decisions.ts";

const TONES: Readonly<Record<Proposal["status"], Tone>> = {
  open: "busy",
  applied: "good",
  rejected: "bad",
  expired: "plain",
  superseded: "plain",
  rolled_back: "warn",
};

export function ProposalBadge({ status }: Pick<Proposal, "status">) {
  const { words } = useApp();
  return <Badge tone={TONES[status]}>{words.proposals.statuses[status]}</Badge>;
}

/** Columns that the panel repeats are left out where the list has no room. */
const WIDE = "(max-width: 1099px), (min-width: 1400px)";
const WIDEST = "(max-width: 1099px), (min-width: 1560px)";

/** Below this the margin after is marked, in percent. */
const THIN = Number(THIN_PCT);

/** Of open ones it says what they would change, of all others what has become of them. */
export function useProposalColumns(isOpen: boolean): readonly Column<InboxRow>[] {
  const { words, show } = useApp();
  const hasMargin = useMedia(WIDE);
  const hasCurrent = useMedia(WIDEST);
  const { columns } = words.proposals;
  const all: readonly Column<Proposal>[] = [
    column("product", columns.product, 150, ({ sku, productTitle }) => (
      <>
        <span title={productTitle ?? sku}>{productTitle ?? sku}</span>
        <small class="below">{sku}</small>
      </>
    )),
    numberColumn(
      "current",
      columns.current,
      86,
      ({ currentCents, currency }) => show.money(currentCents, currency),
    ),
    numberColumn(
      "proposed",
      columns.proposed,
      86,
      ({ proposedCents, appliedCents, currency }) => (
        <b>{show.money(appliedCents ?? proposedCents, currency)}</b>
      ),
    ),
    numberColumn(
      "change",
      columns.change,
      88,
      ({ currentCents, proposedCents, appliedCents }) => (
        <Delta fromCents={currentCents} toCents={appliedCents ?? proposedCents} />
      ),
    ),
    numberColumn(
      "margin",
      columns.marginAfter,
      78,
      ({ marginAfterPct }) =>
        marginAfterPct !== null && marginAfterPct < THIN
          ? <Badge tone="warn">{show.share(marginAfterPct)}</Badge>
          : show.share(marginAfterPct),
    ),
    ...(isOpen ? openColumns(words, show) : doneColumns(words, show)),
  ];
  const own = all.filter(({ key }) =>
    (key !== "margin" || hasMargin) && (key !== "current" || hasCurrent)
  );
  return own.map(({ cell, ...column }) => ({
    ...column,
    cell: (row: InboxRow) => isGroup(row) ? null : cell(row),
  }));
}

function openColumns(words: Words, show: Show): readonly Column<Proposal>[] {
  const { proposals } = words;
  return [
    numberColumn(
      "rank",
      proposals.columns.rank,
      66,
      ({ marketNow, marketAfter }) => rankStep(marketNow, marketAfter),
    ),
    numberColumn(
      "effect",
      proposals.columns.effect,
      116,
      (proposal) => effectText(words, show, proposal),
    ),
  ];
}

function doneColumns({ proposals }: Words, show: Show): readonly Column<Proposal>[] {
  return [
    column(
      "status",
      proposals.columns.status,
      124,
      ({ status }) => <ProposalBadge status={status} />,
    ),
    column("decided", proposals.columns.decided, 124, ({ decidedAt }) => show.dateTime(decidedAt)),
  ];
}

type Stand = Proposal["marketNow"];

/** "3 → 1"; a dash while no offer counts. */
export function rankStep(now: Stand, after: Stand): string {
  if (!now?.rank || !after?.rank) return "–";
  return `${now.rank} → ${after.rank}`;
}

/** The others are counted. */
const REFUSED_SHOWN = 20;

interface MarkedBarProps {
  readonly marked: Target;
  /** All that the filter finds, where that is more than is marked. */
  readonly all: number | null;
  onAll(): void;
  readonly decisions: Decisions;
  /** Accepts all that is marked. */
  onApprove(): void;
  readonly isLater: boolean;
  onClear(): void;
}

/** Actions on the marked proposals: a row below the list. */
export function MarkedBar(
  { marked, all, onAll, decisions, onApprove, isLater, onClear }: MarkedBarProps,
) {
  const { words, show, questions } = useApp();
  const texts = words.proposals;
  const id = useId();
  const [reason, setReason] = useState<string | null>(null);
  // At once: the next key is written there, however soon it comes.
  useLayoutEffect(() => {
    if (reason === "") document.getElementById(id)?.focus();
  }, [reason === null]);
  const count = show.number(countOf(marked));
  /** Invisible proposals need a confirmation. */
  const act = (text: string, action: () => void) => async () => {
    const question = { title: text, text: texts.allText, yes: words.yes };
    if (isMatching(marked) && !await questions.ask(question)) return;
    action();
    setReason(null);
    onClear();
  };
  const reject = act(texts.rejectMany(count), () => decisions.reject(marked, reason?.trim() ?? ""));
  const later = act(texts.laterMany(count), () => decisions.later(marked));
  return (
    <div class="bulk-bar" role="toolbar" aria-label={texts.marked(count)}>
      <strong>{texts.marked(count)}</strong>
      {all !== null && (
        <button type="button" class="link" onClick={onAll}>
          {words.market.markAll(show.number(all))}
        </button>
      )}
      {!isMatching(marked) && <Sums marked={marked} />}
      <span class="bar-space" />
      {reason !== null && (
        <>
          <label for={id}>{texts.reason}</label>
          <input
            id={id}
            type="text"
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") void reject();
              else if (event.key === "Escape") setReason(null);
              else return;
              // The same press would answer the question that it opens.
              event.preventDefault();
            }}
          />
        </>
      )}
      <Button kind="main" onClick={onApprove}>{texts.approveMany(count)}</Button>
      <Button onClick={() => reason === null ? setReason("") : void reject()}>
        {reason === null ? texts.rejectManyFor(count) : texts.rejectMany(count)}
      </Button>
      {!isLater && <Button onClick={() => void later()}>{texts.later}</Button>}
      {isLater && !isMatching(marked) && (
        <Button
          onClick={() => {
            decisions.bringBack(marked);
            onClear();
          }}
        >
          {texts.bringBack}
        </Button>
      )}
      <Button kind="quiet" onClick={onClear}>
        {texts.unmark} <kbd>Esc</kbd>
      </Button>
    </div>
  );
}

/** "2 sinken, 1 steigt · Wirkung −698,14 €/Stück". */
function Sums({ marked }: { marked: readonly Proposal[] }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const down = marked.filter((one) => one.proposedCents < one.currentCents).length;
  const up = marked.filter((one) => one.proposedCents > one.currentCents).length;
  const moves = texts.moves(down, up);
  const [first] = marked;
  const isSummed = first !== undefined &&
    marked.every(({ effect, currency }) =>
      effect !== null && effect.basis === first.effect?.basis && currency === first.currency
    );
  if (!isSummed || first.effect === null) return <span class="soft">{moves}</span>;
  const cents = marked.reduce((all, { effect }) => all + (effect?.cents ?? 0), 0);
  const sum = effectText(words, show, { ...first, effect: { ...first.effect, cents } });
  return <span class="soft">{moves} · {texts.columns.effect} {sum}</span>;
}

/** The refusals of the last decision, with reasons. */
export function RefusedNote({ decisions: { refused, dismiss } }: { decisions: Decisions }) {
  const { words, show } = useApp();
  if (refused.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      <strong>{words.proposals.failed(show.number(refused.length))}</strong>
      <ul>
        {refused.slice(0, REFUSED_SHOWN).map(({ id, sku, message, guard }) => (
          <li key={id}>
            {sku ?? words.proposals.notLoaded}: {guard && (words.terms.guards[guard] ?? guard)}
            <ServiceWords message={message} isAll={guard === null} />
          </li>
        ))}
        {refused.length > REFUSED_SHOWN && (
          <li>{words.proposals.failedMore(show.number(refused.length - REFUSED_SHOWN))}</li>
        )}
      </ul>
      <p class="note-foot">
        <button type="button" class="link" onClick={dismiss}>{words.close}</button>
      </p>
    </div>
  );
}
