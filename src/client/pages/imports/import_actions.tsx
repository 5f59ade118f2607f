import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { isUnderWay } from "../../parts/import/import_state.tsx";
import { UndoAction } from "./import_undo.tsx";

interface ImportActionsProps {
  readonly job: ImportDocument;
}

/** Cancel while it runs, take back once it was applied; what applies it stands below what it would do. */
export function ImportActions({ job }: ImportActionsProps) {
  const { words, may, questions } = useApp();
  const texts = words.imports.job;
  const cancel = useChange({
    run: (call) =>
      call((api) =>
        api.POST("/api/imports/{jobId}/cancel", { params: { path: { jobId: job.jobId } } })
      ),
    touches: ["imports"],
  });
  if (!may("manager")) return null;
  const askToCancel = async () => {
    const question = { title: texts.cancelSure, text: texts.cancelText, yes: texts.cancel };
    if (await questions.ask({ ...question, isDangerous: true })) cancel.mutate(undefined);
  };
  if (isUnderWay(job)) {
    return (
      <Button isBusy={cancel.isPending} onClick={() => void askToCancel()}>{texts.cancel}</Button>
    );
  }
  return job.keepsUpload ? null : <UndoAction job={job} />;
}
