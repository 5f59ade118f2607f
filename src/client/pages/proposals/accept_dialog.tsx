/**
 * The preview before many proposals are accepted. The service computes the preview again when the
 * person accepts. If the new preview differs from the shown one, the dialog stays open and reports
 * the difference.
 */
import type { LeavableKind, ProposalPreview } from "../../../rules/proposals/preview_many.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Button, Dialog } from "../../parts/controls.tsx";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import { MovesPreview } from "../../parts/decision/moves_preview.tsx";
import { ErrorNote } from "../../parts/page.tsx";
import type { Some } from "./use_decisions.ts";
import { useRef, useState } from "preact/hooks";

export function AcceptDialog(
  { target, onClose, onAccept }: { target: Target; onClose(): void; onAccept(some: Some): void },
) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const shown = usePreview(target);
  const { preview, isFresh, leaveOut } = shown;
  const { error, dataUpdatedAt, refetch } = shown.document;
  // Not set while a new preview is loaded in the background, so that no click is lost.
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
      title={texts.title(
        show.number(count),
        count,
        show.number(preview?.found.count ?? count),
        preview !== null && preview.found.count !== count,
      )}
      {...(dataUpdatedAt > 0 && { note })}
      onClose={onClose}
      actions={
        <>
          <span class="soft bar-space">{texts.afterwards}</span>
          <Button onClick={onClose}>
            {words.cancel} <kbd>Esc</kbd>
          </Button>
          <Button
            kind="main"
            isBusy={isAccepting}
            isDisabled={!isFresh || count === 0}
            onClick={() => void accept()}
          >
            {texts.accept(show.number(count))}
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
    /** Null if the new preview differs from the shown one. */
    again: async (): Promise<ProposalPreview | null> => {
      setMoved(false);
      const { data: fresh } = await refetch();
      // The query library returns the same object for an equal answer.
      const isSame = fresh === data;
      if (fresh && !isSame) setMoved(true);
      return fresh && isSame ? fresh : null;
    },
  };
}

/** Null if the proposals belong to several rules. */
function ruleOf(target: Target): string | null {
  const [first, ...others] = isMatching(target) ? target.loaded : target;
  const isOne = isMatching(target)
    ? target.filter.ruleId !== undefined
    : others.every(({ ruleId }) => ruleId === first?.ruleId);
  return isOne ? first?.ruleName ?? null : null;
}
