/** The bar that decides many marked proposals, and the list of refused ones. */
import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button, LinkButton } from "../../parts/controls.tsx";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { effectText } from "../../parts/effect_text.ts";
import { ServiceWords } from "../../parts/page.tsx";
import type { Words } from "../../words/words.ts";
import { ReasonField } from "./reason_field.tsx";
import type { Decisions } from "./use_decisions.ts";

/** Maximum number of listed refusals. All further refusals are only counted. */
const REFUSED_SHOWN = 20;

interface MarkedBarProps {
  readonly marked: Target;
  /** Number of proposals that `onAll` would mark; null if all are loaded or marked. */
  readonly all: number | null;
  onAll(): void;
  readonly decisions: Decisions;
  onApprove(): void;
  readonly isLater: boolean;
  onClear(): void;
}

export function MarkedBar(
  { marked, all, onAll, decisions, onApprove, isLater, onClear }: MarkedBarProps,
) {
  const { words, show, questions } = useApp();
  const texts = words.proposals;
  const [reason, setReason] = useState<string | null>(null);
  const count = show.number(countOf(marked));
  /** Marking all includes proposals that are not shown, so the action needs a confirmation. */
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
        <LinkButton onClick={onAll}>
          {words.market.markAll(show.number(all))}
        </LinkButton>
      )}
      {!isMatching(marked) && <Sums marked={marked} />}
      <span class="bar-space" />
      {reason !== null && (
        <ReasonField
          label={texts.reason}
          value={reason}
          onValue={setReason}
          onEnter={() => void reject()}
          onEscape={() => setReason(null)}
        />
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

/** For example "2 sinken, 1 steigt · Wirkung −698,14 €/Stück". */
function Sums({ marked }: { marked: readonly Proposal[] }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const moves = movesText(texts, marked);
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

/** Price cuts and raises, such as "2 sinken, 1 steigt". */
export function movesText(texts: Words["proposals"], proposals: readonly Proposal[]): string {
  const down = proposals.filter((one) => one.proposedCents < one.currentCents).length;
  const up = proposals.filter((one) => one.proposedCents > one.currentCents).length;
  return texts.moves(down, up);
}

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
        <LinkButton onClick={dismiss}>{words.close}</LinkButton>
      </p>
    </div>
  );
}
