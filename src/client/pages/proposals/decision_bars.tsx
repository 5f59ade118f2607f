import { useId, useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ServiceWords } from "../../parts/error_note.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { readPct, smallerThan } from "./small_changes.ts";
import type { Decisions } from "./use_decisions.ts";

interface BarProps {
  readonly decisions: Decisions;
}

/** What was decided last, as long as it can be taken back, and what was not possible. */
export function DecisionBars({ decisions }: BarProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { last, isBusy, refused } = decisions;
  const count = show.number(last?.proposals.length);
  return (
    <div class="decision-bars" aria-live="polite">
      {last && (
        <div class="bulk-bar">
          <strong>
            {last.action === "reject"
              ? texts.rejected(count)
              : isBusy
              ? texts.working
              : texts.approved(count)}
          </strong>
          <Button kind="quiet" onClick={decisions.undo}>
            {texts.undo} <kbd>u</kbd>
          </Button>
        </div>
      )}
      {refused.length > 0 && (
        <div class="note bad" role="alert">
          <strong>{texts.failed(show.number(refused.length))}</strong>
          <ul>
            {refused.map(({ proposal, message, guard }) => (
              <li key={proposal.id}>
                {proposal.sku}: {guard && (words.terms.guards[guard] ?? guard)}
                <ServiceWords message={message} isAll={guard === null} />
              </li>
            ))}
          </ul>
          <p class="note-foot">
            <button type="button" class="link" onClick={decisions.dismiss}>{words.close}</button>
          </p>
        </div>
      )}
    </div>
  );
}

interface MarkedBarProps extends BarProps {
  readonly marked: readonly Proposal[];
  onClear(): void;
}

/** What can be done with those that are marked. */
export function MarkedBar({ marked, decisions, onClear }: MarkedBarProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const act = (action: (proposals: readonly Proposal[]) => void) => () => {
    action(marked);
    onClear();
  };
  return (
    <div class="bulk-bar" role="toolbar" aria-label={texts.marked(show.number(marked.length))}>
      <strong>{texts.marked(show.number(marked.length))}</strong>
      <button type="button" class="link" onClick={onClear}>{words.products.bulk.clear}</button>
      <span class="bar-space" />
      <Button onClick={act(decisions.reject)}>{texts.reject}</Button>
      <Button kind="main" onClick={act(decisions.approve)}>{texts.approve}</Button>
    </div>
  );
}

interface SmallBarProps extends BarProps {
  readonly proposals: readonly Proposal[];
}

/** The many that need no look: everything that changes less than so many percent, at once. */
export function SmallChangesBar({ proposals, decisions }: SmallBarProps) {
  const { words, show, questions } = useApp();
  const texts = words.proposals;
  const id = useId();
  const [text, setText] = useState("3");
  const pct = readPct(text, show.locale);
  const small = pct === null ? [] : smallerThan(proposals, pct);
  const approve = async () => {
    const count = show.number(small.length);
    const isSure = await questions.ask({
      title: texts.smallSure(count),
      text: texts.smallText(show.percent(pct)),
      yes: texts.approveSmall(count),
    });
    if (isSure) decisions.approve(small);
  };
  return (
    <div class="small-bar">
      <label for={id}>{texts.small}</label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        value={text}
        aria-invalid={pct === null}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <span aria-hidden="true">{texts.smallUnit}</span>
      <Button isDisabled={small.length === 0} onClick={() => void approve()}>
        {texts.approveSmall(show.number(small.length))}
      </Button>
    </div>
  );
}
