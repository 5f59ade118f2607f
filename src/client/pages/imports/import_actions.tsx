import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { isHeld, isUnderWay } from "../../parts/import/import_state.tsx";

/** Cancel while it runs; afterwards apply or discard what was a rehearsal or what was held. */
export function ImportActions({ job }: { job: ImportDocument }) {
  const { words, may, questions } = useApp();
  const texts = words.imports.job;
  const { route } = useLocation();
  const client = useQueryClient();
  const path = `/api/imports/${job.jobId}`;
  const cancel = useChange({
    run: (call) => call<ImportDocument>(`${path}/cancel`, { method: "POST" }),
    touches: ["imports"],
  });
  const apply = useChange({
    run: (call, force: boolean) =>
      call<ImportDocument>(`${path}/apply`, {
        method: "POST",
        query: { force: force || undefined },
        headers: { Prefer: "respond-async" },
      }),
    touches: ["imports"],
    onDone: (applied) => {
      client.setQueryData(["imports", applied.jobId, {}], applied);
      route(`/imports/${applied.jobId}`);
    },
  });
  const discard = useChange({
    run: (call) => call<ImportDocument>(`${path}/upload`, { method: "DELETE" }),
    touches: ["imports"],
  });
  if (!may("manager")) return null;
  const askToCancel = async () => {
    const question = { title: texts.cancelSure, text: texts.cancelText, yes: texts.cancel };
    if (await questions.ask({ ...question, isDangerous: true })) cancel.mutate(undefined);
  };
  const askToForce = async () => {
    const question = { title: texts.applySure, text: texts.applyText, yes: texts.applyForce };
    if (await questions.ask({ ...question, isDangerous: true })) apply.mutate(true);
  };
  if (isUnderWay(job)) {
    return (
      <Button isBusy={cancel.isPending} onClick={() => void askToCancel()}>{texts.cancel}</Button>
    );
  }
  if (!job.keepsUpload) return null;
  const askToDiscard = async () => {
    const question = { title: texts.discardSure, text: texts.discardText, yes: texts.discard };
    if (await questions.ask({ ...question, isDangerous: true })) discard.mutate(undefined);
  };
  const discardButton = (
    <Button isBusy={discard.isPending} onClick={() => void askToDiscard()}>{texts.discard}</Button>
  );
  const wouldBeHeld = job.dryRun && job.status === "succeeded" && job.hold?.held === true;
  const needsForce = isHeld(job) || wouldBeHeld;
  return (
    <>
      {discardButton}
      {needsForce
        ? (
          <Button kind="danger" isBusy={apply.isPending} onClick={() => void askToForce()}>
            {texts.applyForce}
          </Button>
        )
        : (
          <Button kind="main" isBusy={apply.isPending} onClick={() => apply.mutate(false)}>
            {texts.apply}
          </Button>
        )}
    </>
  );
}
