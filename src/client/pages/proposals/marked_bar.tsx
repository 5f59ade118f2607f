/** Offers decisions on all selected proposals. */
import { sumOf } from "../../../base/collections.ts";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp, useDocument } from "../../app/app.ts";
import { Button, Dialog, LinkButton } from "../../parts/controls.tsx";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import type { Proposal } from "../../parts/decision/decision.tsx";
import { ErrorNote, ServiceWords } from "../../parts/page.tsx";
import type { Words } from "../../words/words.ts";
import { useInbox } from "./inbox.tsx";
import type { LeavableKind, ProposalPreview } from "../../../rules/proposals/preview_many.ts";
import { MovesPreview } from "../../parts/decision/moves_preview.tsx";
import type { TargetedKeyboardEvent } from "preact";

const REFUSED_SHOWN = 20;

export function MarkedBar() {
  const { words: { proposals: texts, fields, market }, questions } = useApp();
  const { marked, list, total, proposals, selection, decisions, isLater, approve } = useInbox();
  const [reason, setReason] = useState<string | null>(null);
  const count = countOf(marked);
  const act = (text: string, action: () => void) => async () => {
    const question = { title: text, text: texts.allText };
    if (isMatching(marked) && !await questions.ask(question)) return;
    action();
    setReason(null);
    selection.clear();
  };
  const reject = act(texts.rejectMany(count), () => decisions.reject(marked, reason?.trim() ?? ""));
  const later = act(texts.laterMany(count), () => decisions.later(marked));
  return (
    <div class="bulk-bar row flow" role="toolbar" aria-label={texts.marked(count)}>
      <strong>{texts.marked(count)}</strong>
      {list.hasMore && !selection.isAll && (
        <LinkButton onClick={() => selection.selectAll(proposals.map(({ id }) => id))}>
          {market.markAll(total)}
        </LinkButton>
      )}
      <span class="soft bar-space">
        {!isMatching(marked) && (
          <>
            {movesText(texts, marked)} <EffectSum proposals={marked} />
          </>
        )}
      </span>
      {reason !== null && (
        <ReasonField
          label={fields.reason}
          value={reason}
          onValue={setReason}
          onEnter={() => void reject()}
          onEscape={() => setReason(null)}
        />
      )}
      <Button kind="main" onClick={() => approve(marked)}>{texts.approveWhat(count)}</Button>
      <Button onClick={() => reason === null ? setReason("") : void reject()}>
        {reason === null ? texts.rejectManyFor(count) : texts.rejectMany(count)}
      </Button>
      {!isLater && <Button onClick={() => void later()}>{texts.later}</Button>}
      {isLater && !isMatching(marked) && (
        <Button
          onClick={() => {
            decisions.takeBack(marked, "later");
            selection.clear();
          }}
        >
          {texts.bringBack}
        </Button>
      )}
      <Button kind="quiet" onClick={selection.clear}>
        {texts.unmark} <kbd>Esc</kbd>
      </Button>
    </div>
  );
}

/** Shows the effect on 30 days of profit, and how many proposals have no sales figures. */
export function EffectSum({ proposals }: { proposals: readonly Proposal[] }) {
  const { words: { proposals: texts }, show } = useApp();
  const known = proposals.filter(({ effect }) => effect?.basis === "30d");
  if (known.length === 0) return null;
  const sums = Map.groupBy(known, ({ currency }) => currency).entries().map(([currency, some]) =>
    show.moneyChange(sumOf(some, ({ effect }) => effect?.cents ?? 0), currency)
  );
  const lacking = proposals.length - known.length;
  return (
    <small class="group-sum">
      <b>{[...sums].join(" · ")}</b> {texts.in30Days}
      {lacking > 0 && ` · ${texts.accept.withoutSales(lacking)}`}
    </small>
  );
}

export function movesText(texts: Words["proposals"], proposals: readonly Proposal[]): string {
  const down = proposals.filter((one) => one.proposedCents < one.currentCents).length;
  const up = proposals.filter((one) => one.proposedCents > one.currentCents).length;
  return [down > 0 && texts.falls(down), up > 0 && texts[down > 0 ? "risesToo" : "rises"](up)]
    .filter(Boolean).join(", ");
}

export function RefusedNote() {
  const { words } = useApp();
  const { refused, dismiss } = useInbox().decisions;
  if (refused.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      <strong>{words.proposals.failed(refused.length)}</strong>
      <ul>
        {refused.slice(0, REFUSED_SHOWN).map(({ id, sku, message, guard }) => (
          <li key={id}>
            {sku ?? words.proposals.notLoaded}: {guard && (words.terms.guards[guard] ?? guard)}
            <ServiceWords message={message} isAll={guard === null} />
          </li>
        ))}
        {refused.length > REFUSED_SHOWN && (
          <li>{words.proposals.failedMore(refused.length - REFUSED_SHOWN)}</li>
        )}
      </ul>
      <p class="note-foot row flow gap-14 rows-4">
        <LinkButton onClick={dismiss}>{words.close}</LinkButton>
      </p>
    </div>
  );
}

/**
 * Accepting computes the preview once more. If the result differs from the preview that the person
 * saw, the dialog stays open and says so.
 */
export function AcceptDialog({ target }: { readonly target: Target }) {
  const { words: { proposals: { accept: texts }, cancel }, show } = useApp();
  const { closeAsked: onClose, accept: onAccept } = useInbox();
  const shown = usePreview(target);
  const { preview, isFresh, leaveOut } = shown;
  const { error, dataUpdatedAt, refetch } = shown.document;
  const [isAccepting, setAccepting] = useState(false);
  const count = preview?.accepted.count ?? countOf(target);
  const accept = async () => {
    setAccepting(true);
    const fresh = await shown.again();
    setAccepting(false);
    if (!fresh) return;
    const { count, settles } = fresh.accepted;
    onAccept({ leaveOut, count, settles });
  };
  const time = show.time(new Date(dataUpdatedAt));
  const rule = ruleOf(target);
  const note = rule === null ? texts.reckoned(time) : texts.reckonedOf(rule, time);
  return (
    <Dialog
      kind="wide"
      title={preview && preview.found.count !== count
        ? texts.titleOf(count, preview.found.count)
        : texts.title(count)}
      {...(dataUpdatedAt > 0 && { note })}
      onClose={onClose}
      actions={
        <>
          <span class="soft bar-space">{texts.afterwards}</span>
          <Button onClick={onClose}>
            {cancel} <kbd>Esc</kbd>
          </Button>
          <Button
            kind="main"
            isBusy={isAccepting}
            isDisabled={!isFresh || count === 0}
            onClick={() => void accept()}
          >
            {texts.accept(count)}
          </Button>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {shown.hasMoved && <p class="note warn" role="status">{texts.hasMoved}</p>}
      {preview !== null && <MovesPreview preview={preview} isFresh={isFresh} choice={shown} />}
    </Dialog>
  );
}

function usePreview(target: Target) {
  const [kinds, setKinds] = useState<readonly LeavableKind[]>(["thin"]);
  const [ids, setIds] = useState<readonly string[]>([]);
  const [hasMoved, setMoved] = useState(false);
  const leaveOut = { kinds: ["below_cost" as const, ...kinds], ids: [...ids] };
  const named = isMatching(target)
    ? { filter: target.filter }
    : { ids: target.map(({ id }) => id) };
  const asked = { ...named, leaveOut };
  const document = useDocument((api) => api.POST("/api/proposals/bulk/preview", { body: asked }));
  const { data, refetch } = document;
  const last = useRef<ProposalPreview | null>(null);
  if (data) last.current = data;
  const toggled = <T,>(all: readonly T[], one: T) =>
    all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
  return {
    document,
    leaveOut,
    hasMoved,
    preview: last.current,
    isFresh: data !== undefined,
    toggleId: (id: string) => setIds(toggled(ids, id)),
    toggleKind: (kind: LeavableKind) => setKinds(toggled(kinds, kind)),
    again: async (): Promise<ProposalPreview | null> => {
      setMoved(false);
      const { data: fresh } = await refetch();
      // The query library returns the same object if the new preview is equal.
      const isSame = fresh === data;
      if (fresh && !isSame) setMoved(true);
      return fresh && isSame ? fresh : null;
    },
  };
}

function ruleOf(target: Target): string | null {
  const [first, ...others] = isMatching(target) ? target.loaded : target;
  const isOne = isMatching(target)
    ? target.filter.ruleId !== undefined
    : others.every(({ ruleId }) => ruleId === first?.ruleId);
  return isOne ? first?.ruleName ?? null : null;
}

interface ReasonFieldProps {
  readonly label: string;
  readonly value: string;
  onValue(value: string): void;
  onEnter(): void;
  onEscape(): void;
}

export function ReasonField({ label, value, onValue, onEnter, onEscape }: ReasonFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // A layout effect sets the focus before the next key press.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        class="reason"
        type="text"
        maxLength={500}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        onKeyDown={typingKeys(onEnter, onEscape)}
      />
    </>
  );
}

/** Handles Enter and Escape in a field, so that the screen's shortcuts do not react to them. */
export function typingKeys(onEnter: () => void, onEscape: () => void) {
  return (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") onEnter();
    else if (event.key === "Escape") {
      onEscape();
      event.currentTarget.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
