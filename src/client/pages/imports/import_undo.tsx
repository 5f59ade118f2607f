/** The undo of an applied import: first a dry run, then the undo itself. */
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { keyOf, useApp, useChange } from "../../app/app.ts";
import { shortDay } from "../../formats/moment.ts";
import { Button, Icon } from "../../parts/controls.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Figure, Figures } from "../../parts/page.tsx";
import { byPath, get } from "../../api/call.ts";

interface UndoRequest {
  readonly jobId: string;
  readonly dryRun: boolean;
  /** True to pause the import's source; absent for a dry run. */
  readonly pause?: boolean;
  readonly reason?: string;
}

export function useShowJob(): (job: ImportDocument) => void {
  const { route } = useLocation();
  const client = useQueryClient();
  return (job) => {
    const { jobId } = job;
    const key = keyOf(get("/api/imports/{jobId}", byPath({ jobId })));
    client.setQueryData(key, job);
    route(`/imports/${job.jobId}`);
  };
}

/** On an import's page, starts a dry run of its undo; on the dry run's page, starts the undo. */
export function UndoAction({ job }: { job: ImportDocument }) {
  const { words: { imports: { job: { undo: texts } } }, show } = useApp();
  const undo = useChange({
    ask: (api, { jobId, dryRun, pause, reason = "" }: UndoRequest) =>
      api.POST("/api/imports/{jobId}/undo", {
        params: {
          path: { jobId },
          query: { dryRun: dryRun || undefined, pause, ...(reason !== "" && { reason }) },
          header: { Prefer: "respond-async" },
        },
      }),
    touches: ["imports", "importSources"],
    onDone: useShowJob(),
  });
  const { undoes, dryRun, status, jobId, undoableUntil, pausesSource } = job;
  if (undoes !== null) {
    return (
      <>
        <a class="button" href={`/imports/${undoes}`}>{texts.ofImport}</a>
        {dryRun && status === "succeeded" && (
          <UndoForm
            pausesSource={pausesSource}
            isBusy={undo.isPending}
            onUndo={(terms) => undo.mutate({ jobId: undoes, dryRun: false, ...terms })}
          />
        )}
      </>
    );
  }
  if (undoableUntil === null) return null;
  return (
    <Button isBusy={undo.isPending} onClick={() => undo.mutate({ jobId, dryRun: true })}>
      <Icon name="undo" />
      {texts.until(shortDay(show, undoableUntil))}
    </Button>
  );
}

interface UndoFormProps extends Pick<ImportDocument, "pausesSource"> {
  readonly isBusy: boolean;
  onUndo(terms: { readonly pause: boolean; readonly reason: string }): void;
}

function UndoForm({ pausesSource, isBusy, onUndo }: UndoFormProps) {
  const { words } = useApp();
  const texts = words.imports.job.undo;
  const [goesOn, setGoesOn] = useState<boolean | null>(null);
  const [reason, setReason] = useState("");
  const willGoOn = goesOn ?? !pausesSource;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={willGoOn}
          onChange={({ currentTarget }) => setGoesOn(currentTarget.checked)}
        />
        {texts.goesOn}
      </label>
      <TextField
        name="reason"
        label={words.priceEdit.reason}
        hint={texts.reasonHint}
        value={reason}
        error={null}
        onValue={setReason}
      />
      <Button
        kind="main"
        isBusy={isBusy}
        onClick={() => onUndo({ pause: !willGoOn, reason: reason.trim() })}
      >
        {texts.now}
      </Button>
    </>
  );
}

export function UndoneNote({ job: { undoneBy } }: { job: ImportDocument }) {
  const texts = useApp().words.imports.job.undo;
  if (undoneBy === null) return null;
  return (
    <p class="note info">
      {texts.undone} <a href={`/imports/${undoneBy}`}>{texts.toUndo}</a>
    </p>
  );
}

export function UndoFigures({ undone }: { undone: NonNullable<ImportDocument["undone"]> }) {
  const { words: { imports: { job: { undo: { stats } } } }, show } = useApp();
  const names = ["setBack", "prices", "deleted", "restored", "links"] as const;
  return (
    <Figures>
      {names.map((name) => (
        <Figure key={name} label={stats[name]} value={show.number(undone[name])} />
      ))}
      {undone.soldDays > 0 && (
        <Figure
          label={stats.soldDays}
          value={show.number(undone.soldDays)}
        />
      )}
      <Figure
        label={stats.kept}
        value={show.number(undone.kept)}
        {...(undone.kept > 0 && { tone: "warn" })}
      />
    </Figures>
  );
}
