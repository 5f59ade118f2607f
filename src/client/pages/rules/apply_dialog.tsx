import { byId } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useChange, useDocument } from "../../app/queries.ts";
import { Button } from "../../parts/controls.tsx";
import { MovesPreview } from "../../parts/decision/moves_preview.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNote, Loading } from "../../parts/page.tsx";

interface ApplyDialogProps {
  readonly ruleId: string;
  readonly simulationId: string;
  /** Number of prices that the rule would set by itself; the others become proposals. */
  readonly byItself: number;
  onClose(): void;
}

export function ApplyDialog({ ruleId, simulationId, byItself, onClose }: ApplyDialogProps) {
  const { words, show, toasts } = useApp();
  const texts = words.rules.catalogue;
  const { data: preview, error, refetch } = useDocument({
    key: ["simulations", simulationId, "preview"],
    read: (api) => api.GET("/api/simulations/{id}/preview", byId(simulationId)),
  });
  const apply = useChange({
    ask: (api, _: null) =>
      api.POST("/api/rules/{id}/apply", { ...byId(ruleId), body: { simulationId } }),
    touches: ["proposals", "products", "audit"],
    onDone: ({ moves }) => {
      toasts.tell(texts.applied(show.number(moves)));
      onClose();
    },
  });
  const count = preview?.found.count ?? 0;
  return (
    <Dialog
      kind="wide"
      title={texts.applyTitle(show.number(count), count)}
      onClose={onClose}
      actions={
        <>
          <span class="soft bar-space">
            {texts.applyHow(show.number(byItself), show.number(count - byItself))}
          </span>
          <Button onClick={onClose}>
            {words.cancel} <kbd>Esc</kbd>
          </Button>
          <Button
            kind="main"
            isBusy={apply.isPending}
            isDisabled={!preview || count === 0}
            onClick={() => apply.mutate(null)}
          >
            {texts.apply(show.number(count))}
          </Button>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {preview
        ? <MovesPreview preview={preview} isFresh choice={null} />
        : !error && <Loading label={words.loading} />}
    </Dialog>
  );
}
